// Arrangements of axes, on both sides.
#ifndef TWIN_KERNEL_DATA_FORMAT_H
#define TWIN_KERNEL_DATA_FORMAT_H

#include <cstdint>

namespace AscendC {
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
}  // namespace AscendC

#endif
