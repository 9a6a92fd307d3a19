// Sizes of the device, as kernels of the operator libraries ask for them.
#ifndef TWIN_OP_KERNEL_PLATFORM_UTIL_H
#define TWIN_OP_KERNEL_PLATFORM_UTIL_H

#include "kernel_operator.h"

namespace Ops {
namespace Base {

/// Bytes of a block of UB.
__aicore__ constexpr uint32_t GetUbBlockSize() { return AscendC::ONE_BLK_SIZE; }
/// Bytes that one repeat of a vector instruction takes.
__aicore__ constexpr uint32_t GetVRegSize() { return AscendC::ONE_REPEAT_BYTE_SIZE; }

}  // namespace Base
}  // namespace Ops

#endif
