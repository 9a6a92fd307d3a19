// Tiling structures of Pad, UnPad and Transpose, as the kernel reads them.
#ifndef TWIN_KERNEL_LAYOUT_TILING_H
#define TWIN_KERNEL_LAYOUT_TILING_H

#include <cstdint>

#include "kernel_tiling/data_format.h"

#define TWIN_UNPAD_TILING(X)        \
    X(uint32_t, srcHeight)          \
    X(uint32_t, srcWidth)           \
    X(uint32_t, tmpBuffer1BlockNum) \
    X(uint32_t, tmpBuffer1RowNum)   \
    X(uint32_t, tmpBuffer2Offset)   \
    X(uint32_t, widthTiling)        \
    X(uint32_t, widthFractal)       \
    X(uint32_t, widthFractalTail)

#define TWIN_PAD_TILING(X)                      \
    X(uint32_t, srcHeight)                      \
    X(uint32_t, srcWidth)                       \
    X(uint32_t, srcOriWidth)                    \
    X(uint32_t, widthWithoutLastBlock)          \
    X(uint32_t, blocksPerRow)                   \
    X(uint32_t, heightTiling)                   \
    X(uint32_t, heightFractal)                  \
    X(uint32_t, heightFractalTail)              \
    X(uint32_t, mainLoopOffset)                 \
    X(uint32_t, tailBlockOffset)                \
    X(uint32_t, tmpBuffer1BlockNum)             \
    X(uint32_t, tmpBuffer1RowNum)               \
    X(uint32_t, tmpBuffer2Offset)               \
    X(uint32_t, widthTiling)                    \
    X(uint32_t, widthFractal)                   \
    X(uint32_t, widthFractalTail)               \
    X(uint32_t, widthFractalTailAlingned)       \
    X(uint32_t, brcbTiling)                     \
    X(uint32_t, brcbFractal)                    \
    X(uint32_t, brcbFractalTail)                \
    X(uint32_t, maxRepeatTimes)                 \
    X(uint32_t, brcbTilingRepeatTimes)          \
    X(uint32_t, brcbTilingRepeatTimesTail)      \
    X(uint32_t, brcbFractalTailRepeatTimes)     \
    X(uint32_t, brcbFractalTailRepeatTimesTail) \
    X(uint32_t, reserved)

/// The pages give these fields no meaning. Here: the kind of transposition, four axes, bytes of an element, and bytes
/// of temporary memory.
#define TWIN_TRANSPOSE_TILING(X) \
    X(uint32_t, param0)          \
    X(uint32_t, param1)          \
    X(uint32_t, param2)          \
    X(uint32_t, param3)          \
    X(uint32_t, param4)          \
    X(uint32_t, param5)          \
    X(uint32_t, param6)          \
    X(uint32_t, param7)          \
    X(uint32_t, param8)          \
    X(uint32_t, param9)          \
    X(uint32_t, param10)         \
    X(uint32_t, param11)         \
    X(uint32_t, param12)         \
    X(uint32_t, param13)         \
    X(uint32_t, param14)         \
    X(uint32_t, param15)         \
    X(uint32_t, param16)         \
    X(uint32_t, param17)

#ifndef TWIN_TILING_FIELD
#define TWIN_TILING_FIELD(type, name) type name = 0;
#endif

namespace AscendC {
namespace tiling {
struct alignas(8) UnPadTiling {
    TWIN_UNPAD_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) PadTiling {
    TWIN_PAD_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) ConfusionTransposeTiling {
    TWIN_TRANSPOSE_TILING(TWIN_TILING_FIELD)
};
}  // namespace tiling

/// What TransData goes between.
struct TransDataConfig {
    DataFormat srcFormat;
    DataFormat dstFormat;
};

}  // namespace AscendC

#endif
