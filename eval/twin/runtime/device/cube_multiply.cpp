// Mmad and MmadWithSparse: products of fractal matrices. half and bfloat16 products are exact in float; sums are float,
// in the order of k, which the documentation leaves open.
#include <algorithm>
#include <cstring>

#include "cube.h"
#include "numbers.h"

namespace twin {

namespace {

uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

struct Shape {
    uint32_t m, n, k;
    uint32_t bits;     // of an element
    uint32_t c0;       // elements of a fractal's row
    uint32_t kBlocks;  // fractals along k in L0A and L0B
    uint32_t nBlocks;
    bool vector;  // m = 1 reads the left matrix as a plain row
};

uint32_t BitsOf(Type type) { return type == Type::kInt4 ? 4 : TypeBytes(type) * 8; }

Shape ShapeOf(const AscendC::MmadParams& p, Type type) {
    const uint32_t bits = BitsOf(type), c0 = 256 / bits;
    const uint32_t kBlocks = bits == 32 && p.kDirectionAlign ? Up(p.k, 16) * 2 : Up(p.k, c0);
    return {p.m, p.n, p.k, bits, c0, kBlocks, Up(p.n, 16), p.m == 1};
}

// L0A holds fractals by rows and rows within them (Zz), L0B fractals by rows and columns within them (Zn), L0C fractals
// by columns and rows within them (Nz); a fractal has 16 rows of 32 bytes, in L0C 16 x 16 numbers (Mmad.md).
/// Place of an element, in elements.
uint32_t LeftAt(const Shape& s, uint32_t m, uint32_t k) {
    if (s.vector) return k;
    return ((m / 16) * s.kBlocks + k / s.c0) * 16 * s.c0 + (m % 16) * s.c0 + k % s.c0;
}
uint32_t RightAt(const Shape& s, uint32_t k, uint32_t n) {
    return ((k / s.c0) * s.nBlocks + n / 16) * 16 * s.c0 + (n % 16) * s.c0 + k % s.c0;
}
uint32_t ResultAt(const Shape& s, uint32_t m, uint32_t n) { return (n / 16) * Up(s.m, 16) * 256 + m * 16 + n % 16; }

uint32_t BytesFor(const Shape& s, uint32_t elements) { return Up(elements * s.bits, 8); }

void Widen(Type type, const uint8_t* from, float* to, uint32_t n) {
    if (type == Type::kHalf) HalfToFloat(reinterpret_cast<const uint16_t*>(from), to, n);
    else if (type == Type::kBfloat16) Bfloat16ToFloat(reinterpret_cast<const uint16_t*>(from), to, n);
    else std::memcpy(to, from, n * sizeof(float));
}
void Widen(Type type, const uint8_t* from, int32_t* to, uint32_t n) {
    if (type == Type::kInt4) {  // the lower half of a byte comes first
        for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<int8_t>(from[i / 2] << (i % 2 == 0 ? 4 : 0)) >> 4;
        return;
    }
    for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<int8_t>(from[i]);
}

/// A matrix in plain rows, and which of its rows (or columns) hold a value that nobody wrote.
template <typename N>
struct Plain {
    std::vector<N> values;
    std::vector<uint8_t> unknown;
};

template <typename N>
Plain<N> ReadLeft(const Shape& s, Type type, uint32_t at) {
    Plain<N> plain{std::vector<N>(static_cast<size_t>(s.m) * s.k), std::vector<uint8_t>(s.m)};
    for (uint32_t m = 0; m < s.m; ++m) {
        for (uint32_t k = 0; k < s.k; k += s.c0) {
            const uint32_t n = std::min(s.c0, s.k - k), from = at + LeftAt(s, m, k) * s.bits / 8;
            Widen(type, core().memory.ub + from, &plain.values[static_cast<size_t>(m) * s.k + k], n);
            if (!AllDefined(from, BytesFor(s, n))) plain.unknown[m] = 1;
        }
    }
    return plain;
}

template <typename N>
Plain<N> ReadRight(const Shape& s, Type type, uint32_t at) {
    Plain<N> plain{std::vector<N>(static_cast<size_t>(s.k) * s.n), std::vector<uint8_t>(s.n)};
    N row[64];
    for (uint32_t k = 0; k < s.k; k += s.c0) {
        const uint32_t many = std::min(s.c0, s.k - k);
        for (uint32_t n = 0; n < s.n; ++n) {
            const uint32_t from = at + RightAt(s, k, n) * s.bits / 8;
            Widen(type, core().memory.ub + from, row, many);
            for (uint32_t i = 0; i < many; ++i) plain.values[static_cast<size_t>(k + i) * s.n + n] = row[i];
            if (!AllDefined(from, BytesFor(s, many))) plain.unknown[n] = 1;
        }
    }
    return plain;
}

/// The 2-bit numbers that stand beside the right matrix of MmadWithSparse, k / 2 of each column, at its place in L0B.
/// An element of L0B has its number in a quarter of a byte, the lower bits first (LoadDataWithSparse.md).
uint32_t SelectorAt(const Shape& half, uint32_t right, uint32_t k, uint32_t n) {
    const auto& table = core().registers.sparse;
    const uint32_t place = right - kSpace[kL0b].begin + RightAt(half, k, n);
    if (table.defined.empty() || table.defined[place / 4] == 0) {
        Broken("read-unwritten", "",
               Text("MmadWithSparse reads the index of row %u, column %u, which no LoadDataWithSparse brought", k, n),
               "load the right matrix with LoadDataWithSparse");
    }
    const uint32_t number = table.bytes[place / 4] >> place % 4 * 2 & 3;
    if (number == 3) {
        Broken("mmad-limit", "",
               Text("the index of row %u, column %u of MmadWithSparse is 3; it counts 0 to 2 from the first or second "
                    "of four elements",
                    k, n),
               "see the table of indices of MmadWithSparse");
    }
    return number;
}

/// The right matrix as if it had not been compressed: of four rows, the first that is kept is counted from the first
/// and the second from the second of them (MmadWithSparse.md).
void Expand(const Shape& whole, const Shape& half, uint32_t at, Plain<int32_t>& right) {
    std::vector<int32_t> wide(static_cast<size_t>(whole.k) * whole.n);
    for (uint32_t k = 0; k < half.k; ++k) {
        for (uint32_t n = 0; n < whole.n; ++n) {
            const uint32_t row = k / 2 * 4 + k % 2 + SelectorAt(half, at, k, n);
            if (row < whole.k)
                wide[static_cast<size_t>(row) * whole.n + n] += right.values[static_cast<size_t>(k) * whole.n + n];
        }
    }
    right.values.swap(wide);
}

/// What a row of the result starts from.
enum class Start : uint8_t { kZero, kResult, kBias };

template <typename N>
void Run(const Shape& s, const Plain<N>& a, const Plain<N>& b, uint32_t dst, Start start, uint32_t bias) {
    Core& c = core();
    std::vector<N> row(s.n);
    std::vector<uint8_t> known(s.n);
    for (uint32_t m = 0; m < s.m; ++m) {
        for (uint32_t n = 0; n < s.n; ++n) {
            const uint32_t from = start == Start::kBias ? bias + n * 4 : dst + ResultAt(s, m, n) * 4;
            if (start == Start::kZero) row[n] = 0;
            else std::memcpy(&row[n], c.memory.ub + from, 4);
            known[n] = !a.unknown[m] && !b.unknown[n] && (start == Start::kZero || AllDefined(from, 4));
        }
        for (uint32_t k = 0; k < s.k; ++k) {
            const N factor = a.values[static_cast<size_t>(m) * s.k + k];
            const N* other = &b.values[static_cast<size_t>(k) * s.n];
            for (uint32_t n = 0; n < s.n; ++n) row[n] += factor * other[n];
        }
        for (uint32_t n = 0; n < s.n; ++n) {
            const uint32_t to = dst + ResultAt(s, m, n) * 4;
            std::memcpy(c.memory.ub + to, &row[n], 4);
            Define(to, 4, known[n]);
        }
    }
}

void CheckLimits(const AscendC::MmadParams& p) {
    if (p.m > 4095 || p.n > 4095 || p.k > 4095)
        Broken("mmad-limit", "", Text("Mmad with m %u, n %u, k %u; each is at most 4095", p.m, p.n, p.k),
               "split the matrix");
}

/// The right matrix has as many rows as the left one columns, or half of them and indices beside it.
struct Operands {
    Shape left, right;
    uint32_t leftAt, rightAt;
};

Operands TouchOperands(const Local& left, const Local& right, Type type, const AscendC::MmadParams& p, bool sparse) {
    AscendC::MmadParams halved = p;
    halved.k = static_cast<uint16_t>(p.k / 2);
    Operands o{ShapeOf(p, type), ShapeOf(sparse ? halved : p, type), 0, 0};
    if (sparse) o.left.vector = o.right.vector = false;  // MmadWithSparse.md: no GEMV
    const Shape& s = o.left;
    const uint32_t leftBytes = s.vector ? Up(BytesFor(s, s.k), 32) * 32 : Up(s.m, 16) * s.kBlocks * kFractalBytes;
    o.leftAt = Touch(left, "fm", 0, leftBytes, PIPE_M, Access::kRead);
    o.rightAt = Touch(right, "filter", 0, o.right.kBlocks * s.nBlocks * kFractalBytes, PIPE_M, Access::kRead);
    return o;
}

template <typename N>
void RunOn(const Operands& o, Type type, bool sparse, uint32_t dst, Start start, uint32_t bias) {
    const Plain<N> a = ReadLeft<N>(o.left, type, o.leftAt);
    Plain<N> b = ReadRight<N>(o.right, type, o.rightAt);
    if constexpr (std::is_same_v<N, int32_t>) {
        if (sparse) Expand(o.left, o.right, o.rightAt, b);
    }
    Run<N>(o.left, a, b, dst, start, bias);
}

/// "mmad-order": below 10 fractals of result, the next Mmad starts before this one has written, unless a barrier or an
/// event is between.
void CheckOrder(const Local& dst, const AscendC::MmadParams& p, uint32_t begin, uint32_t end, bool accumulates) {
    Core& c = core();
    const auto& last = c.order.smallMmad;
    if (accumulates && last.sequence > c.order.known[PIPE_M][PIPE_M] && begin < last.end && last.begin < end) {
        Broken("mmad-order", BufferName(dst),
               "Mmad adds to a result that the Mmad before it may not have written: that one has less than 10 fractals "
               "of 16x16 and nothing is between",
               "call PipeBarrier<PIPE_M>() after each Mmad with (m / 16) * (n / 16) < 10 whose result the next one "
               "adds to");
    }
    if (static_cast<uint32_t>(p.m) * p.n < 10 * 256) c.order.smallMmad = {begin, end, c.order.sequence[PIPE_M]};
}

}  // namespace

void Multiply(const Local& dst, const Local& left, const Local& right, const Local* bias, Type type,
              const AscendC::MmadParams& p, bool sparse) {
    if (!OnThisCore(dst)) return;
    Begin(sparse ? "MmadWithSparse" : "Mmad", PIPE_M);
    CheckLimits(p);
    RequirePosition(dst, "dst", SpaceOf(dst.position) == kL0c, "CO1");
    RequirePosition(left, "fm", SpaceOf(left.position) == kL0a, "A2");
    RequirePosition(right, "filter", SpaceOf(right.position) == kL0b, "B2");
    CheckAligned(dst, "dst", 1024);
    CheckAligned(left, "fm");
    CheckAligned(right, "filter");
    if (p.m == 0 || p.n == 0 || p.k == 0) return;
    if (sparse && p.k % 64 != 0) {
        Broken("mmad-limit", "", Text("MmadWithSparse with k %u, which is no multiple of 64", p.k),
               "pad k: a fractal of the right matrix has 32 rows and stands for 64");
    }
    const Operands operands = TouchOperands(left, right, type, p, sparse);
    const Shape& s = operands.left;
    const bool fromTable = bias != nullptr ? SpaceOf(bias->position) == kBias : !p.cmatrixInitVal && p.cmatrixSource;
    Start start = fromTable ? Start::kBias : bias != nullptr || !p.cmatrixInitVal ? Start::kResult : Start::kZero;
    uint32_t biasAt = 0;
    if (fromTable && bias == nullptr) {
        biasAt = kSpace[kBias].begin;  // cmatrixSource has no address: the table from its start
    } else if (bias != nullptr) {
        RequirePosition(*bias, "bias", fromTable || SpaceOf(bias->position) == kL0c, "C2 or CO1");
        if (fromTable) {
            CheckAligned(*bias, "bias");
            biasAt = Touch(*bias, "bias", 0, s.n * 4, PIPE_M, Access::kRead);
        }
    }
    const uint32_t resultBytes = Up(s.m, 16) * s.nBlocks * 1024;
    if (p.unitFlag != 0) Join(PIPE_M, Snapshot(PIPE_FIX));
    const uint32_t c = Touch(dst, "dst", 0, resultBytes, PIPE_M, Access::kWrite);
    CheckOrder(dst, p, c, c + resultBytes, start == Start::kResult);
    if (type == Type::kInt8 || type == Type::kInt4) RunOn<int32_t>(operands, type, sparse, c, start, biasAt);
    else RunOn<float>(operands, type, false, c, start, biasAt);
}

}  // namespace twin
