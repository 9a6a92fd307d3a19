// Tiling structures of the high-level APIs as the kernel reads them.
#ifndef TWIN_KERNEL_TILING_H
#define TWIN_KERNEL_TILING_H

#include <cstdint>

#endif
