// Collective communication between devices, on the host: the types that tilings name. The numbers are HCCL's public
// ones.
#ifndef TWIN_HCCL_HCCL_TYPES_H
#define TWIN_HCCL_HCCL_TYPES_H

#include <cstdint>

typedef void* HcclComm;
typedef enum {
    HCCL_SUCCESS = 0,
    HCCL_E_PARA = 1,
    HCCL_E_PTR = 2,
    HCCL_E_MEMORY = 3,
    HCCL_E_INTERNAL = 4,
    HCCL_E_NOT_SUPPORT = 5,
    HCCL_E_NOT_FOUND = 6,
    HCCL_E_UNAVAIL = 7,
    HCCL_E_RESERVED = 255
} HcclResult;

#endif
