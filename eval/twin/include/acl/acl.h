// The host runtime, for programs that launch kernels themselves. Kernels include it with headers shared with the host
// and use nothing of it.
#ifndef TWIN_ACL_ACL_H
#define TWIN_ACL_ACL_H

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 100002 when called again before aclFinalize. What a configuration file says is not read.
aclError aclInit(const char* configPath);
/// 100037 when called again, or without aclInit. Frees what the program left of device memory.
aclError aclFinalize();

#ifdef __cplusplus
}
#endif

#endif
