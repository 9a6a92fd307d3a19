#include "numbers.h"

#include <algorithm>
#include <cstring>

#include "core.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace twin {

namespace {

void HalfToFloatPortable(const uint16_t* from, float* to, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) to[i] = HalfValue(from[i]);
}

void FloatToHalfPortable(const float* from, uint16_t* to, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) to[i] = HalfBits(from[i]);
}

#if defined(__x86_64__)
__attribute__((target("avx,f16c"))) void HalfToFloatF16c(const uint16_t* from, float* to, uint32_t n) {
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    HalfToFloatPortable(from + i, to + i, n - i);
}

__attribute__((target("avx,f16c"))) void FloatToHalfF16c(const float* from, uint16_t* to, uint32_t n) {
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    FloatToHalfPortable(from + i, to + i, n - i);
}

/// __builtin_cpu_supports knows "avx" but, in clang 15, not "f16c": bit 29 of ecx in leaf 1.
bool HasF16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c >> 29 & 1) != 0 && __builtin_cpu_supports("avx");
}

const bool hasF16c_ = HasF16c();
#endif

template <typename N>
void AtomicNumbers(int op, uint8_t* to, const uint8_t* from, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
        N a, b;
        std::memcpy(&a, to + i * sizeof(N), sizeof(N));
        std::memcpy(&b, from + i * sizeof(N), sizeof(N));
        a = op == 1 ? static_cast<N>(a + b) : op == 2 ? std::max(a, b) : std::min(a, b);
        std::memcpy(to + i * sizeof(N), &a, sizeof(N));
    }
}

template <typename N>
void AtomicShort(int op, uint8_t* to, const uint8_t* from, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
        N a, b;
        std::memcpy(&a, to + i * 2, 2);
        std::memcpy(&b, from + i * 2, 2);
        const float x = a, y = b;
        a = N(op == 1 ? x + y : op == 2 ? std::max(x, y) : std::min(x, y));
        std::memcpy(to + i * 2, &a, 2);
    }
}

}  // namespace

void HalfToFloat(const uint16_t* from, float* to, uint32_t n) {
#if defined(__x86_64__)
    if (hasF16c_) return HalfToFloatF16c(from, to, n);
#endif
    HalfToFloatPortable(from, to, n);
}

void FloatToHalf(const float* from, uint16_t* to, uint32_t n) {
#if defined(__x86_64__)
    if (hasF16c_) return FloatToHalfF16c(from, to, n);
#endif
    FloatToHalfPortable(from, to, n);
}

void Bfloat16ToFloat(const uint16_t* from, float* to, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) to[i] = Bfloat16Value(from[i]);
}

void FloatToBfloat16(const float* from, uint16_t* to, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) to[i] = Bfloat16Bits(from[i]);
}

void AtomicInto(Type type, int op, uint8_t* to, const uint8_t* from, uint64_t n) {
    switch (type) {
        case Type::kFloat: return AtomicNumbers<float>(op, to, from, n);
        case Type::kInt32: return AtomicNumbers<int32_t>(op, to, from, n);
        case Type::kInt16: return AtomicNumbers<int16_t>(op, to, from, n);
        case Type::kInt8: return AtomicNumbers<int8_t>(op, to, from, n);
        case Type::kHalf: return AtomicShort<half>(op, to, from, n);
        case Type::kBfloat16: return AtomicShort<bfloat16_t>(op, to, from, n);
        default:
            Broken("atomic-type", "", Text("atomic writes of %s", TypeName(type)),
                   "atomics take int8_t, int16_t, half, bfloat16_t, int32_t, float");
    }
}

}  // namespace twin
