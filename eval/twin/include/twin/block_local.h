// Variables of which each core has its own (__BLOCK_LOCAL__). Cores share a thread here, so the launch keeps them
// apart.
#ifndef TWIN_BLOCK_LOCAL_H
#define TWIN_BLOCK_LOCAL_H

#include <cstdint>

#ifdef __CUDA__
#define TWIN_ON_DEVICE __attribute__((device))
#else
#define TWIN_ON_DEVICE
#endif
extern "C" {
/// Where the linker has put these variables; null when the library has none.
extern TWIN_ON_DEVICE
__attribute__((weak, visibility("hidden"))) uint8_t __start_twin_block_local[];
extern TWIN_ON_DEVICE
__attribute__((weak, visibility("hidden"))) uint8_t __stop_twin_block_local[];
}

namespace twin {
/// From here on these bytes are the running core's own; they start as the library has them.
void KeepApart(uint8_t* begin, uint8_t* end);
/// First of what a core does in a kernel.
TWIN_ON_DEVICE
inline void EnterKernel() { KeepApart(__start_twin_block_local, __stop_twin_block_local); }
}  // namespace twin
#undef TWIN_ON_DEVICE

#endif
