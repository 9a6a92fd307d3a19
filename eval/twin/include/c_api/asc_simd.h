// The C API of the device: functions on addresses of UB. Of its cube core and of what other headers of the SDK declare
// besides, the twin has nothing.
#ifndef TWIN_C_API_ASC_SIMD_H
#define TWIN_C_API_ASC_SIMD_H

#include "c_api/atomic/atomic.h"
#include "c_api/misc/misc.h"
#include "c_api/sync/sync.h"
#include "c_api/sys_var/sys_var.h"
#include "c_api/vector_compute/vector_compute.h"
#include "c_api/vector_datamove/vector_datamove.h"

#endif
