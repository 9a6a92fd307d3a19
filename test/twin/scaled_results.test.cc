// Products of int8 that a scale, a shift and an offset bring back to int8, in rows and in columns of 32 bytes.
#include "chance.h"
#include "matmul_kernels.h"

namespace {

/// What the fields of a 64-bit scale say; the factor has at most 10 bits of mantissa.
struct Scale {
    float factor;
    uint32_t shift;  // 0: none
    int32_t offset;
    bool isSigned = true;
};

/// Bits 0 to 31 are the factor, 32 to 35 the shift less one, 36 says whether there is one, 37 to 45 are the offset,
/// and 46 says whether the result has a sign.
uint64_t Word(const Scale& s) {
    const uint64_t shift = s.shift == 0 ? 0 : static_cast<uint64_t>(s.shift - 1) << 32 | 1ull << 36;
    return __builtin_bit_cast(uint32_t, s.factor) | shift | static_cast<uint64_t>(s.offset & 0x1ff) << 37 |
           (s.isSigned ? 1ull << 46 : 0);
}

int8_t Brought(int64_t sum, const Scale& s) {
    if (s.shift > 0) sum = std::min<int64_t>(std::max<int64_t>(sum >> s.shift, -32768), 32767);
    const double value = std::nearbyint(static_cast<double>(sum) * static_cast<double>(s.factor) + s.offset);
    const double low = s.isSigned ? -128 : 0;
    return static_cast<int8_t>(static_cast<int32_t>(std::min(std::max(value, low), low + 255)));
}

template <CubeFormat format>
void Product(const std::string& name, const MatmulShape& s, const Scale& scale, std::vector<int8_t> a,
             std::vector<int8_t> b) {
    std::vector<int8_t> c(s.m * s.n, 99), expected(s.m * s.n);
    const TCubeTiling tiling = OneCore<int8_t, int8_t>(s);
    using Bytes =
        Matmul<MatmulType<TPosition::GM, CubeFormat::ND, int8_t>, MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
               MatmulType<TPosition::GM, format, int8_t>, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>;
    const auto rule = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Bytes mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetQuantScalar(Word(scale));
        mm.SetTensorA(At<int8_t>(args[0]));
        mm.SetTensorB(At<int8_t>(args[1]));
        mm.IterateAll(At<int8_t>(args[2]));
        mm.End();
    });
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t n = 0; n < s.n; ++n) {
            int64_t sum = 0;
            for (int32_t k = 0; k < s.k; ++k) sum += a[m * s.k + k] * b[k * s.n + n];
            expected[format == CubeFormat::NZ ? n / 32 * s.m * 32 + m * 32 + n % 32 : m * s.n + n] =
                Brought(sum, scale);
        }
    ExpectSame(name + rule, c, expected);
}

void OfChance() {
    Chance chance(13);
    for (uint32_t round = 0; round < 16; ++round) {
        const MatmulShape s{static_cast<int32_t>(chance.From(1, 3)) * 16, static_cast<int32_t>(chance.From(1, 3)) * 32,
                            static_cast<int32_t>(chance.From(1, 3)) * 32};
        const Scale scale{static_cast<float>(chance.From(1, 1023)) / static_cast<float>(1u << chance.From(8, 14)),
                          chance.From(0, 5), static_cast<int32_t>(chance.From(0, 120)) - 60};
        const auto a = Numbers<int8_t>(s.m * s.k, static_cast<int>(round)), b = Numbers<int8_t>(s.k * s.n, 5);
        const std::string name = " of a shift by " + std::to_string(scale.shift) + ", case " + std::to_string(round);
        Product<CubeFormat::ND>("rows" + name, s, scale, a, b);
        Product<CubeFormat::NZ>("columns of 32" + name, s, scale, a, b);
    }
}

/// 32768 * 1.5 / 2^15 lies half-way between two integers, so that one more or less shows.
void SixteenBits() {
    const MatmulShape s{16, 32, 64};
    const Scale scale{1.5f / 32768, 1, 0};
    Product<CubeFormat::ND>("a shifted sum stops at 32767", s, scale, std::vector<int8_t>(16 * 64, 127),
                            std::vector<int8_t>(64 * 32, 127));
    Product<CubeFormat::ND>("a shifted sum stops at -32768", s, scale, std::vector<int8_t>(16 * 64, 127),
                            std::vector<int8_t>(64 * 32, -128));
}

/// Shifts from 1 to 16, the ends of the field.
void EachShift() {
    const MatmulShape s{16, 32, 64};
    for (uint32_t shift = 0; shift <= 16; ++shift)
        Product<CubeFormat::ND>(
            "a shift by " + std::to_string(shift), s,
            {shift == 0 ? 1.0f / 8192 : 1.0f / static_cast<float>(1u << (16 - shift) / 2), shift, 0},
            std::vector<int8_t>(16 * 64, 100), Numbers<int8_t>(64 * 32, 3));
}

/// The offset has 9 bits with a sign.
void EachOffset() {
    const MatmulShape s{16, 32, 32};
    for (const int32_t offset : {-256, -255, -1, 0, 1, 254, 255})
        Product<CubeFormat::ND>("an offset of " + std::to_string(offset), s, {0.5f, 0, offset},
                                Numbers<int8_t>(16 * 32, 1), Numbers<int8_t>(32 * 32, 5));
}

/// A scale without the bit gives bytes without a sign, also where the destination is int8_t.
void WithoutSign() {
    const MatmulShape s{16, 32, 32};
    Product<CubeFormat::ND>("no sign", s, {0.5f, 0, 0, false}, Numbers<int8_t>(16 * 32, 1),
                            Numbers<int8_t>(32 * 32, 5));
}

}  // namespace

int main() {
    OfChance();
    SixteenBits();
    EachShift();
    EachOffset();
    WithoutSign();
    return Finish();
}
