// Operations of two sources that end in a conversion; computed in float or wide integers and rounded once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "numbers.h"
#include "reserved.h"
#include "vector.h"
#include "twin/vec_fused_cast.h"

namespace twin {

namespace {

constexpr uint32_t kChunk = 256;

/// A NaN between the steps ends as 0, to half as to bytes (Memory矢量计算接口边界值汇总.md, tables 26 and 27).
float Combine(FusedCast kind, float a, float b) {
    if (kind == FusedCast::kMul) return a * b;
    const float value = kind == FusedCast::kSubRelu ? a - b : a + b;
    return std::isnan(value) ? 0.0f : std::max(value, 0.0f);
}

template <typename N>
N Saturate(float value) {
    if (std::isnan(value)) return 0;
    return static_cast<N>(std::min(std::max(std::nearbyint(value), static_cast<float>(std::numeric_limits<N>::min())),
                                   static_cast<float>(std::numeric_limits<N>::max())));
}

template <FusedCast kind, typename N>
void HalfToByte(void* dst, const void* a, const void* b, double, uint32_t n) {
    float x[kChunk], y[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        HalfToFloat(static_cast<const uint16_t*>(b) + at, y, m);
        for (uint32_t i = 0; i < m; ++i) static_cast<N*>(dst)[at + i] = Saturate<N>(Combine(kind, x[i], y[i]));
    }
}

template <FusedCast kind>
void ShortToByte(void* dst, const void* a, const void* b, double, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
        static_cast<int8_t*>(dst)[i] =
            Saturate<int8_t>(Combine(kind, static_cast<const int16_t*>(a)[i], static_cast<const int16_t*>(b)[i]));
}

template <FusedCast kind>
void FloatToHalfAfter(void* dst, const void* a, const void* b, double, uint32_t n) {
    float x[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        for (uint32_t i = 0; i < m; ++i)
            x[i] = Combine(kind, static_cast<const float*>(a)[at + i], static_cast<const float*>(b)[at + i]);
        FloatToHalf(x, static_cast<uint16_t*>(dst) + at, m);
    }
}

void SumToScaledHalf(void* dst, const void* a, const void* b, double scale, uint32_t n) {
    float x[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        for (uint32_t i = 0; i < m; ++i) {
            const auto sum = static_cast<int32_t>(static_cast<uint32_t>(static_cast<const int32_t*>(a)[at + i]) +
                                                  static_cast<uint32_t>(static_cast<const int32_t*>(b)[at + i]));
            x[i] = std::max(static_cast<float>(sum) / 131072.0f * static_cast<float>(scale) * 131072.0f, 0.0f);
        }
        FloatToHalf(x, static_cast<uint16_t*>(dst) + at, m);
    }
}

template <FusedCast kind>
LaneLoop LoopOf(Type dst, Type src) {
    if (src == Type::kFloat) return FloatToHalfAfter<kind>;
    if (src == Type::kInt16) return ShortToByte<kind>;
    return dst == Type::kInt8 ? HalfToByte<kind, int8_t> : HalfToByte<kind, uint8_t>;
}

VectorCall CallFor(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0,
                   const Local& src1) {
    const LaneLoop loop = kind == FusedCast::kAddRelu   ? LoopOf<FusedCast::kAddRelu>(dstType, srcType)
                          : kind == FusedCast::kSubRelu ? LoopOf<FusedCast::kSubRelu>(dstType, srcType)
                          : kind == FusedCast::kMul     ? LoopOf<FusedCast::kMul>(dstType, srcType)
                                                        : SumToScaledHalf;
    return {api, loop, TypeBytes(dstType), TypeBytes(srcType), &dst, &src0, &src1, core().registers.dequantScale};
}

/// What AddDeqRelu keeps of its sums: 4 bytes for each element, 8 KB at most.
void UseReserved(const char* api, FusedCast kind, int64_t elements) {
    if (kind == FusedCast::kAddDequantRelu && elements > 0)
        OverwriteReserved(api, static_cast<uint32_t>(std::min<int64_t>(elements, kReservedBytes / 4)) * 4);
}

}  // namespace

void FusedCastCount(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0,
                    const Local& src1, int64_t count) {
    UseReserved(api, kind, count);
    RunCount(CallFor(api, kind, dstType, srcType, dst, src0, src1), count);
}

void FusedCastRepeat(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0,
                     const Local& src1, const Mask& mask, int repeatTime, const Strides& strides) {
    UseReserved(api, kind, repeatTime * 64);
    RunRepeat(CallFor(api, kind, dstType, srcType, dst, src0, src1), mask, repeatTime, strides);
}

void FormNotCovered(const char* api, const char* form, const char* instead) {
    core().account.api = api;
    Broken("not-covered", "", form, instead);
}

}  // namespace twin
