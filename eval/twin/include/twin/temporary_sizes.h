// Temporary memory that functions of the library take at least, in bytes: what the host is told when it asks, and what
// the device needs when the function runs. Figures: those of Atlas A2 in the SDK's tiling sources.
#ifndef TWIN_TEMPORARY_SIZES_H
#define TWIN_TEMPORARY_SIZES_H

#include <cstdint>

/// Buffers of one repeat at least, and of the whole input at most, for half (and 16-bit integers), for float, and for
/// float when the source may be overwritten.
#define TWIN_TEMPORARY_BUFFERS(OF) \
    TWIN_PLAIN_BUFFERS(OF)         \
    OF(Lgamma, 26, 8, 7)
#define TWIN_PLAIN_BUFFERS(OF) \
    OF(Acos, 6, 2, 2)          \
    OF(Acosh, 2, 1, 1)         \
    OF(Asin, 6, 2, 2)          \
    OF(Asinh, 3, 3, 3)         \
    OF(Atan, 12, 5, 5)         \
    OF(Atanh, 4, 1, 1)         \
    OF(Ceil, 2, 1, 1)          \
    OF(Cos, 8, 3, 2)           \
    OF(Cosh, 6, 2, 2)          \
    OF(Digamma, 16, 7, 6)      \
    OF(Erf, 8, 3, 3)           \
    OF(Erfc, 16, 7, 7)         \
    OF(Floor, 2, 0, 0)         \
    OF(Fmod, 8, 1, 1)          \
    OF(Frac, 4, 0, 0)          \
    OF(Log10, 0, 0, 0)         \
    OF(Sign, 3, 3, 3)          \
    OF(Sin, 8, 3, 2)           \
    OF(Sinh, 4, 1, 1)          \
    OF(Tan, 10, 4, 4)          \
    OF(Tanh, 4, 1, 1)          \
    OF(Trunc, 2, 1, 1)         \
    OF(Xor, 1, 1, 1)

namespace twin {

constexpr uint32_t kTemporaryBuffer = 256;

constexpr uint32_t TemporaryBuffers(uint32_t half, uint32_t full, uint32_t reused, uint32_t typeSize, bool reuse) {
    return typeSize != 4 ? half : reuse ? reused : full;
}
/// Of the form with a Taylor expansion, in buffers.
constexpr uint32_t ExpBuffers(uint32_t typeSize, bool reuse) { return TemporaryBuffers(4, 3, 2, typeSize, reuse); }
constexpr uint32_t kGeluBuffers = 3;
constexpr uint32_t Log2Temporary(uint32_t typeSize) { return typeSize == 2 ? kTemporaryBuffer : 0; }
constexpr uint32_t RoundTemporary(uint32_t typeSize) { return typeSize == 2 ? kTemporaryBuffer : 0; }
constexpr uint32_t kSigmoidTemporary = kTemporaryBuffer;
/// Mask bits of one repeat.
constexpr uint32_t ClampTemporary(uint32_t typeSize) { return typeSize == 4 ? 64 : 128; }
/// Buffers of Power; tensors: base and exponent both are. Floating types take one repeat more, and half counts in
/// halves.
constexpr uint32_t PowerBuffers(uint32_t typeSize, bool integer, bool tensors) {
    return typeSize == 2 ? 14 : (integer ? 6 : 4) + (tensors ? 0 : 1);
}
constexpr uint32_t PowerTemporary(uint32_t typeSize, bool integer, bool tensors) {
    const uint32_t buffer = typeSize == 2 ? kTemporaryBuffer / 2 : kTemporaryBuffer;
    return PowerBuffers(typeSize, integer, tensors) * buffer + (integer ? 0 : kTemporaryBuffer);
}

constexpr uint32_t UpTo(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
/// n elements a row; both lengths in bytes.
constexpr uint32_t SumTemporary(uint32_t n, uint32_t typeSize) {
    return UpTo(UpTo(n * typeSize, 256) / 256, 32 / typeSize) * typeSize;
}
constexpr uint32_t MeanTemporary(uint32_t n, uint32_t typeSize, uint32_t sumSize) {
    const bool widened = typeSize == 2 && sumSize == 4;
    const uint32_t perRepeat = 256 / (widened ? 4 : typeSize);
    return UpTo(UpTo(n, perRepeat) / perRepeat, 32) + (widened ? UpTo(n * typeSize, 32) / typeSize * 4 : 0);
}
// One row of a softmax, of its gradient (front: the sum alone), and of the flash form outside basic blocks, where sums
// and maxima have a type of their own.
constexpr uint32_t SoftMaxTemporary(uint32_t columns, uint32_t typeSize) { return (32 / typeSize + columns + 64) * 4; }
constexpr uint32_t SoftMaxGradTemporary(uint32_t columns, uint32_t typeSize, bool front) {
    const uint32_t block = 32 / typeSize;
    return (typeSize == 2 ? block * 2 + columns * 3 + 64 : block * (front ? 1 : 2) + columns + 64) * 4;
}
constexpr uint32_t SoftMaxFlashTemporary(uint32_t columns, uint32_t typeSize, uint32_t sumSize) {
    const uint32_t block = 32 / sumSize;
    return (typeSize == 2 ? block * 2 + columns + 64 : block + 64) * 4;
}

/// The older flash form: with an update it keeps the row twice.
constexpr uint32_t OldSoftMaxFlashTemporary(uint32_t columns, uint32_t typeSize, bool update) {
    const uint32_t block = 32 / typeSize;
    return (update ? block * 4 + columns * 2 : block + columns + 64) * 4;
}
constexpr uint32_t SoftMaxFlashV3Temporary(uint32_t columns, uint32_t sumSize) {
    return (32 / sumSize * 5 + columns * 2 + 64) * 4;
}
/// AscendAntiQuant to bfloat16 with a scale of one element, and with one for each of `scales` channels of [rows,
/// channels] (transposed: [channels, rows]); to half it needs none.
constexpr uint32_t kAntiQuantOne = 1024;
constexpr uint32_t AntiQuantTemporary(uint32_t scales, uint32_t rows, bool transposed) {
    return transposed ? (8 + 8 + 64) * scales * 4 : (scales * 2 + 64 * rows) * 4;
}
/// Half as the sum's type and float as the operand's: four floats for each half.
constexpr uint32_t kAxpyBuffers = 4;

}  // namespace twin

#endif
