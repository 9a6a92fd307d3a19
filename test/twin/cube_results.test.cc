// Mmad and Fixpipe against plain loops: every layout, start, conversion and stride, and the limits of what they take.
#include <cmath>

#include "cube_limits.h"
#include "pieces.h"

namespace {

constexpr uint32_t kCases = 20;
using twin::Type;

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// Whole numbers from -9 to 9: products and sums of them are exact in every type.
template <typename T>
std::vector<T> Whole(Chance& chance, size_t count) {
    std::vector<T> values(count);
    for (auto& v : values) v = static_cast<T>(static_cast<float>(static_cast<int>(chance.From(0, 18)) - 9));
    return values;
}

struct Sizes {
    uint32_t m, n, k;
    bool squares = false;  // of float: k in squares of 16
    explicit Sizes(Chance& c)
        : m(c.From(0, 3) == 0 ? 1 : c.From(1, 40)), n(c.From(1, 40)), k(c.From(1, m == 1 ? 300 : 100)) {}
    /// L0A by rows of fractals of 16 rows and 32 bytes, one row of all k when there is one; L0B the same of columns.
    uint32_t Blocks(uint32_t c0) const { return squares ? Up(k, 16) / 8 : Up(k, c0) / c0; }
    uint32_t Left(uint32_t c0, uint32_t row, uint32_t at) const {
        if (m == 1) return at;
        return (row / 16 * Blocks(c0) + at / c0) * 16 * c0 + row % 16 * c0 + at % c0;
    }
    uint32_t Right(uint32_t c0, uint32_t at, uint32_t column) const {
        return (at / c0 * (Up(n, 16) / 16) + column / 16) * 16 * c0 + column % 16 * c0 + at % c0;
    }
    uint32_t Result(uint32_t row, uint32_t column) const {
        return column / 16 * Up(m, 16) * 16 + row * 16 + column % 16;
    }
    uint32_t LeftSize(uint32_t c0) const { return m == 1 ? Up(k, c0) : Up(m, 16) * Blocks(c0) * c0; }
    uint32_t RightSize(uint32_t c0) const { return Up(n, 16) * Blocks(c0) * c0; }
    uint32_t ResultSize() const { return Up(m, 16) * Up(n, 16); }
};

/// What a product starts from: 0, what L0C holds, or a bias for each column.
template <typename T, typename R>
void Products(const std::string& type) {
    InEachCase("Mmad of " + type, 2 * kCases, 151, [](Chance& chance) {
        constexpr uint32_t c0 = 32 / sizeof(T);
        Sizes s(chance);
        s.squares = sizeof(T) == 4 && chance.Coin();
        const uint32_t start = chance.From(0, 3);
        const auto a = Whole<T>(chance, s.LeftSize(c0)), b = Whole<T>(chance, s.RightSize(c0));
        const auto bias = Whole<R>(chance, s.n);
        auto c = Whole<R>(chance, s.ResultSize());
        Pieces p;
        const size_t dst = p.Put(TPosition::CO1, c), left = p.Put(TPosition::A2, a), right = p.Put(TPosition::B2, b);
        const size_t table = start == 2 ? p.Put(TPosition::C2, bias) : 0;
        for (uint32_t row = 0; row < s.m; ++row)
            for (uint32_t column = 0; column < s.n; ++column) {
                R& sum = c[s.Result(row, column)];
                if (start == 0) sum = 0;
                if (start == 2) sum = bias[column];
                for (uint32_t k = 0; k < s.k; ++k)
                    sum += static_cast<R>(static_cast<float>(a[s.Left(c0, row, k)]) *
                                          static_cast<float>(b[s.Right(c0, k, column)]));
            }
        p.Then(dst, c);
        return p.Fits([&](Pieces& u) {
            MmadParams params(s.m, s.n, s.k, 0, false, start == 0);
            params.kDirectionAlign = s.squares;
            if (start == 2) Mmad(u.At<R>(dst), u.At<T>(left), u.At<T>(right), u.At<R>(table), params);
            else if (start == 3) Mmad(u.At<R>(dst), u.At<T>(left), u.At<T>(right), u.At<R>(dst), params);
            else Mmad(u.At<R>(dst), u.At<T>(left), u.At<T>(right), params);
        });
    });
}

/// Numbers of 4 bits, two to a byte, 64 to the row of a fractal.
void FourBits() {
    InEachCase("Mmad of int4b_t", kCases, 157, [](Chance& chance) {
        const Sizes s(chance);
        const auto a = AnyBits<uint8_t>(chance, s.LeftSize(64) / 2), b = AnyBits<uint8_t>(chance, s.RightSize(64) / 2);
        auto c = Whole<int32_t>(chance, s.ResultSize());
        Pieces p;
        const size_t dst = p.Put(TPosition::CO1, c), left = p.Put(TPosition::A2, a), right = p.Put(TPosition::B2, b);
        const auto number = [](const std::vector<uint8_t>& from, uint32_t at) {
            const int value = from[at / 2] >> at % 2 * 4 & 15;
            return value < 8 ? value : value - 16;
        };
        for (uint32_t row = 0; row < s.m; ++row)
            for (uint32_t column = 0; column < s.n; ++column) {
                int32_t& sum = c[s.Result(row, column)] = 0;
                for (uint32_t k = 0; k < s.k; ++k)
                    sum += number(a, s.Left(64, row, k)) * number(b, s.Right(64, k, column));
            }
        p.Then(dst, c);
        return p.Fits([&](Pieces& u) {
            Mmad(u.At<int32_t>(dst), u.At<int4b_t>(left), u.At<int4b_t>(right),
                 MmadParams(s.m, s.n, s.k, 0, false, true));
        });
    });
}

/// Of every four rows of the right matrix two are there; a number for each, from 0 to 2, says which: the first counts
/// from the first row, the second from the second.
void Sparse() {
    InEachCase("MmadWithSparse", kCases, 163, [](Chance& chance) {
        Sizes s(chance), half = s;
        s.m = half.m = chance.From(2, 40);
        s.k = chance.From(1, 3) * 64;
        half.k = s.k / 2;
        const auto a = Whole<int8_t>(chance, s.LeftSize(32)), b = Whole<int8_t>(chance, half.RightSize(32));
        std::vector<uint8_t> numbers(b.size() / 4);
        auto c = Whole<int32_t>(chance, s.ResultSize());
        Pieces p;
        const size_t dst = p.Put(TPosition::CO1, c), left = p.Put(TPosition::A2, a),
                     right = p.Put(TPosition::B2, std::vector<int8_t>(b.size())), packed = p.Put(TPosition::A1, b);
        std::vector<int32_t> sums(c.size());
        for (uint32_t column = 0; column < s.n; ++column)
            for (uint32_t k = 0; k < half.k; ++k) {
                const uint32_t number = chance.From(0, 2), place = half.Right(32, k, column);
                numbers[place / 4] |= static_cast<uint8_t>(number << place % 4 * 2);
                for (uint32_t row = 0; row < s.m; ++row)
                    sums[s.Result(row, column)] += a[s.Left(32, row, k / 2 * 4 + k % 2 + number)] * b[place];
            }
        const size_t index = p.Put(TPosition::A1, numbers);
        for (uint32_t row = 0; row < s.m; ++row)
            for (uint32_t column = 0; column < s.n; ++column) c[s.Result(row, column)] = sums[s.Result(row, column)];
        p.Then(dst, c);
        p.Then(right, b);
        return p.Fits([&](Pieces& u) {
            LoadDataWithSparse(u.At<int8_t>(right), u.At<int8_t>(packed), u.At<uint8_t>(index),
                               LoadData2DParams(0, b.size() / 512, 0, 0, 0, false, 0));
            PipeBarrier<PIPE_ALL>();
            MmadWithSparse(u.At<int32_t>(dst), u.At<int8_t>(left), u.At<int8_t>(right),
                           MmadParams(s.m, s.n, s.k, 0, false, true));
        });
    });
}

/// Bits 0 to 31 are a factor whose mantissa has 10 bits, 32 to 35 a shift less one and 36 whether there is one, 37 to
/// 45 an offset with a sign, and 46 says whether results of 8 bits have one.
struct Scale {
    float factor;
    uint32_t shift;
    int32_t offset;
    explicit Scale(Chance& c)
        : factor(static_cast<float>(c.From(1, 40)) / 16), shift(c.From(0, 3)),
          offset(static_cast<int32_t>(c.From(0, 20)) - 10) {}
    uint64_t Word(bool isSigned) const {
        const uint64_t place = shift == 0 ? 0 : static_cast<uint64_t>(shift - 1) << 32 | 1ull << 36;
        return (__builtin_bit_cast(uint32_t, factor) | 0x1fffu) | place | static_cast<uint64_t>(offset & 0x1ff) << 37 |
               (isSigned ? 1ull << 46 : 0);
    }
    double Of(double value, bool fromFloat) const {
        return (fromFloat || shift == 0 ? value : std::floor(value / (1 << shift))) * static_cast<double>(factor);
    }
};

bool ForEachColumn(QuantMode_t mode) { return mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8; }

template <typename T>
T Left(double value, const Scale& s) {
    if (sizeof(T) > 1) return static_cast<T>(static_cast<float>(value));
    const double low = std::is_signed<T>::value ? -128 : 0;
    return static_cast<T>(static_cast<float>(std::min(std::max(std::nearbyint(value + s.offset), low), low + 255)));
}

/// Columns of 16 in L0C, some rows apart, as rows of GM, as columns of GM, or as columns of L1.
enum class Way { kRows, kColumns, kL1 };

template <typename T, typename R>
void Leaves(const std::string& type, QuantMode_t mode, Way way) {
    const std::string to = way == Way::kRows ? " in rows" : way == Way::kColumns ? " in columns" : " to L1";
    InEachCase("Fixpipe of mode " + std::to_string(mode) + " to " + type + to, kCases, 167, [&](Chance& chance) {
        const bool rows = way == Way::kRows;
        const uint32_t m = chance.From(1, 20), n = rows ? chance.From(1, 40) : chance.From(1, 3) * 16;
        const uint32_t src = m + chance.From(0, 3), blocks = (n + 15) / 16, matrices = rows ? chance.From(1, 3) : 1;
        const uint32_t srcNd = Up(blocks * src, 16) / 16 + chance.From(0, 1);
        // A row in elements, or from column to column in 32 bytes.
        const uint32_t perBlock = 32 / sizeof(T),
                       dst = rows ? n + chance.From(0, 5) : Up(m * 16 * sizeof(T), 32) / 32 + chance.From(0, 2);
        const uint32_t dstNd = m * dst + chance.From(0, 9);
        const bool relu = chance.Coin(), older = way != Way::kL1 && chance.Coin(), flagged = chance.Coin();
        const auto x = Whole<R>(
            chance, ((matrices - 1) * srcNd + (blocks - 1) * src / 16) * 256 + (blocks - 1) * src % 16 * 16 + m * 16);
        std::vector<uint64_t> words;
        std::vector<Scale> scales;
        for (uint32_t i = 0; i < (ForEachColumn(mode) ? n : 1); ++i) {
            scales.emplace_back(chance);
            if (mode == NoQuant || mode == F322F16 || mode == F322BF16) scales[i].factor = 1, scales[i].shift = 0;
            words.push_back(scales[i].Word(std::is_signed<T>::value));
        }
        const size_t size = rows ? (matrices - 1) * dstNd + (m - 1) * dst + n : (blocks - 1) * dst * perBlock + m * 16;
        auto z = AnyBits<T>(chance, size);
        Pieces p;
        const size_t from = p.Put(TPosition::CO1, x), into = way == Way::kL1 ? p.Put(TPosition::A1, z) : p.Store(z);
        const size_t table = !ForEachColumn(mode) ? 0 : p.Put(older ? TPosition::C2PIPE2GM : TPosition::A1, words);
        for (uint32_t i = 0; i < matrices; ++i)
            for (uint32_t r = 0; r < m; ++r)
                for (uint32_t k = 0; k < n; ++k) {
                    const Scale& s = scales[ForEachColumn(mode) ? k : 0];
                    const double value =
                        s.Of(static_cast<double>(x[i * srcNd * 256 + k / 16 * src * 16 + r * 16 + k % 16]),
                             sizeof(R) == 4 && std::is_same<R, float>::value);
                    z[rows ? i * dstNd + r * dst + k : k / 16 * dst * perBlock + r * 16 + k % 16] =
                        Left<T>(relu && value < 0 ? 0 : value, s);
                }
        p.Then(into, z);
        return p.Fits([&](Pieces& u) {
            FixpipeParamsV220 params(n, m, src, dst, relu, mode, static_cast<int64_t>(words[0]), matrices, srcNd, dstNd,
                                     flagged ? 3 : 0);
            const auto l0c = u.At<R>(from);
            const auto perColumn = u.At<uint64_t>(table);
            if (older) {
                SetFixpipeNz2ndFlag(matrices, srcNd, dstNd);
                SetFixpipePreQuantFlag(words[0]);
                if (ForEachColumn(mode)) SetFixPipeConfig(perColumn);
                DataCopyCO12DstParams more(n, m, dst, src, mode, relu ? 1 : 0, false, rows);
                more.unitFlag = params.unitFlag;
                return DataCopy(u.Gm<T>(into), l0c, more);
            }
            if constexpr (sizeof(T) < 4) {
                if (way == Way::kL1)
                    return ForEachColumn(mode) ? Fixpipe(u.At<T>(into), l0c, perColumn, params)
                                               : Fixpipe(u.At<T>(into), l0c, params);
            }
            if (rows)
                return ForEachColumn(mode) ? Fixpipe(u.Gm<T>(into), l0c, perColumn, params)
                                           : Fixpipe(u.Gm<T>(into), l0c, params);
            if (ForEachColumn(mode)) Fixpipe<T, R, CFG_NZ>(u.Gm<T>(into), l0c, perColumn, params);
            else Fixpipe<T, R, CFG_NZ>(u.Gm<T>(into), l0c, params);
        });
    });
}

template <typename T, typename R>
void LeavesEachWay(const std::string& type, std::initializer_list<QuantMode_t> modes) {
    for (const QuantMode_t mode : modes)
        for (const Way way : {Way::kRows, Way::kColumns, Way::kL1})
            if (sizeof(T) < 4 || way != Way::kL1) Leaves<T, R>(type, mode, way);
}

/// While atomics are on, results are added to what is there.
void Adds() {
    std::vector<float> x(256), z(256);
    for (size_t i = 0; i < 256; ++i) x[i] = static_cast<float>(i), z[i] = 3 * static_cast<float>(i % 7);
    Pieces p;
    const size_t from = p.Put(TPosition::CO1, x), into = p.Store(z);
    for (size_t i = 0; i < 256; ++i) z[i] += x[i];
    p.Then(into, z);
    const std::string wrong = p.Wrong([&](Pieces& u) {
        SetAtomicAdd<float>();
        Fixpipe(u.Gm<float>(into), u.At<float>(from), FixpipeParamsV220(16, 16, 16, 16, false));
        SetAtomicNone();
    });
    Expect("Fixpipe adds while atomics are on", wrong.empty(), wrong);
}

/// cmatrixSource has no address: it is the bias table from its start.
void FromTheTable() {
    std::vector<float> seen(256), expected(256);
    for (int i = 0; i < 256; ++i) expected[i] = static_cast<float>(i % 16 + 32);
    const std::string said = Says([&](GlobalTensor<half>) {
        for (const TPosition where : {TPosition::A2, TPosition::B2}) {
            auto* numbers = reinterpret_cast<half*>(All<half>(where).GetPhyAddr());
            for (int i = 0; i < 512; ++i) numbers[i] = half(where == TPosition::A2 ? 1.0f : 2.0f);
        }
        auto* table = reinterpret_cast<float*>(All<float>(TPosition::C2).GetPhyAddr());
        for (int i = 0; i < 16; ++i) table[i] = static_cast<float>(i);
        Mmad(All<float>(TPosition::CO1), All<half>(TPosition::A2), All<half>(TPosition::B2),
             MmadParams(16, 16, 16, 0, true, false));
        std::memcpy(seen.data(), All<float>(TPosition::CO1).data, 1024);
    });
    ExpectSame("Mmad from the bias table" + said, seen, expected);
}

}  // namespace

int main() {
    Products<half, float>("half");
    Products<bfloat16_t, float>("bfloat16_t");
    Products<float, float>("float");
    Products<int8_t, int32_t>("int8_t");
    FourBits();
    Sparse();
    LeavesEachWay<float, float>("float", {NoQuant});
    LeavesEachWay<int32_t, int32_t>("int32_t", {NoQuant});
    LeavesEachWay<half, float>("half", {F322F16});
    LeavesEachWay<bfloat16_t, float>("bfloat16_t", {F322BF16});
    LeavesEachWay<half, int32_t>("half", {DEQF16, VDEQF16});
    LeavesEachWay<int8_t, float>("int8_t", {QF322B8_PRE, VQF322B8_PRE});
    LeavesEachWay<uint8_t, float>("uint8_t", {QF322B8_PRE});
    LeavesEachWay<int8_t, int32_t>("int8_t", {REQ8, VREQ8});
    LeavesEachWay<uint8_t, int32_t>("uint8_t", {REQ8});
    Adds();
    FromTheTable();
    return Finish();
}
