// Which axes of a shape are kept (A) and reduced (R), outermost first, and what the reductions keep in between.
#ifndef TWIN_REDUCE_PATTERN_H
#define TWIN_REDUCE_PATTERN_H

#include <cstdint>

namespace AscendC {

enum class ReducePattern : uint32_t {
    AR = 0,
    RA = 1,
    R,
    ARA,
    ARAR,
    ARARA,
    ARARAR,
    ARARARA,
    ARARARAR,
    ARARARARA,
    RAR,
    RARA,
    RARAR,
    RARARA,
    RARARAR,
    RARARARA
};

}  // namespace AscendC

namespace twin {

enum class AxisReduction : uint8_t { kSum, kMean, kMax, kMin, kProd, kAll, kAny };

/// Largest power of two below n, or 1.
constexpr uint32_t PowerBelow(uint32_t n) {
    uint32_t power = 1;
    while (power * 2 < n) power *= 2;
    return power;
}

/// What the SDK's sources take of a row; of a single row that is a power of two, all of it.
constexpr uint32_t RowPower(uint32_t first, uint32_t last) {
    return first == 1 && (last & (last - 1)) == 0 ? last : PowerBelow(last);
}

/// Bytes of temporary memory for a matrix of first x last elements; inner: the last axis is reduced.
constexpr uint32_t ReduceTemporaryBytes(AxisReduction kind, uint32_t typeSize, uint32_t first, uint32_t last,
                                        bool inner, bool reuse) {
    const bool sum = kind == AxisReduction::kSum || kind == AxisReduction::kMean, flags = typeSize == 1;
    const uint32_t block = 32 / typeSize, repeat = 256 / typeSize;
    if (flags && inner) return (last + 31) / 32 * 32 * 2 + first * 32;
    if (reuse) return kind == AxisReduction::kProd && inner ? 256 : 0;
    if (!inner) return PowerBelow(first) * ((last * typeSize + 31) / 32 * 32);
    if (sum) return last <= 64 ? 0 : first * RowPower(first, last) * 4;
    if (kind == AxisReduction::kProd)
        return ((block > RowPower(first, last) ? block : RowPower(first, last)) + first * block) * 4 + 256;
    if (last <= block) return 0;
    return first * (last < repeat ? block : repeat) * typeSize;
}

}  // namespace twin

#endif
