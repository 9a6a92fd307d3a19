// Base blocks of a Matmul tiling, and how many of them L1 holds. Limits: TCubeTiling结构体.md, tables 2 and 3.
#include "matmul_blocks.h"

#include "twin_host/matmul_tiling.h"

namespace matmul_tiling {

int64_t MatmulApiTilingBase::TypeBits() const {
    switch (a_.dataType) {
        case DataType::DT_INT4: return 4;
        case DataType::DT_INT8: return 8;
        case DataType::DT_FLOAT: return 32;
        default: return 16;
    }
}

/// What baseK is a multiple of: 32 bytes, and 16 elements unless A lies by rows and B by columns. 64 elements of a
/// sparse B, of which a step of the cube takes half.
int32_t MatmulApiTilingBase::UnitK() const {
    if (sparse_) return 64;
    const auto c0 = static_cast<int32_t>(256 / TypeBits());
    return a_.isTrans || !b_.isTrans ? std::max(c0, 16) : c0;
}

int64_t MatmulApiTilingBase::Bytes(int64_t elements) const { return elements * TypeBits() / 8; }

/// At most `most`, in as few blocks as that takes, and in equal ones where multiples of 16 allow: kernels that give no
/// thought to a shorter last block are right more often.
static int32_t Block(int32_t whole, int32_t most) {
    if (whole <= most) return whole;
    const int32_t blocks = Pieces(whole, most);
    return whole % (16 * blocks) == 0 ? whole / blocks : most;
}

/// A fixed base is rounded up to whole fractals and ends at what the core has of that axis: operators that give a round
/// number for every shape get a tiling on a board, though SetFixSplit.md promises it only for bases that fit.
bool MatmulApiTilingBase::SplitBase() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t wholeM = Up(t.singleCoreM, 16), wholeN = Up(t.singleCoreN, 16);
    // A narrow C leaves room in L0 for twice the rows.
    const int32_t mostM = wholeN <= kBaseN / 4 ? 2 * kBaseM : kBaseM;
    t.baseM = fixedBase_.m > 0 ? std::min(Up(fixedBase_.m, 16), wholeM)
                               : Up(Clamp(Block(wholeM, mostM), maxBase_.m, minBase_.m), 16);
    t.baseN = fixedBase_.n > 0 ? std::min(Up(fixedBase_.n, 16), Up(t.singleCoreN, UnitK()))
                               : Up(Clamp(Block(wholeN, kBaseN), maxBase_.n, minBase_.n), 16);
    // Moved to L0 along m or n, two blocks of C are under way at a time.
    const int64_t room = schedule_ == ScheduleType::OUTER_PRODUCT ? l0cBytes_ / 2 : l0cBytes_;
    const auto tooLarge = [&] { return 4ll * t.baseM * t.baseN > room; };
    while (tooLarge() && fixedBase_.n <= 0 && t.baseN > 16) t.baseN = Up(t.baseN / 2, 16);
    while (tooLarge() && fixedBase_.m <= 0 && t.baseM > 16) t.baseM = Up(t.baseM / 2, 16);
    return !tooLarge();
}

bool MatmulApiTilingBase::ChooseBaseK() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t unit = UnitK();
    for (const int32_t buffers : {2, 1}) {
        t.dbL0A = t.dbL0B = buffers;
        const int64_t a = 8 * l0aBytes_ / (TypeBits() * t.baseM * buffers);
        const int64_t b = 8 * l0bBytes_ / (TypeBits() * t.baseN * buffers);
        const auto most = static_cast<int32_t>(std::min(a, b)) / unit * unit;
        if (fixedBase_.k > 0) {
            t.baseK = std::min(Up(fixedBase_.k, unit), Up(t.singleCoreK, unit));
            if (t.baseK <= most) return true;
            continue;
        }
        t.baseK = std::min(most, Up(Clamp(t.singleCoreK, maxBase_.k, minBase_.k), unit));
        if (t.baseK >= unit) return true;
    }
    return false;
}

/// Bytes of base blocks in L1, where columns of A and rows of B lie in whole 32 bytes.
int64_t MatmulApiTilingBase::BlockBytes(bool isA) const {
    const auto c0 = static_cast<int32_t>(256 / TypeBits());
    const bool across = isA ? a_.isTrans : !b_.isTrans;
    const int32_t width = Up(isA ? result_.baseM : result_.baseN, across ? std::max(c0, 16) : 16);
    return Bytes(static_cast<int64_t>(width) * result_.baseK);
}

/// What a matrix in TSCM takes of L1: all of it, or where that is more than there is, one row of its blocks.
int64_t MatmulApiTilingBase::TscmBytes(bool isA) const {
    const AscendC::tiling::TCubeTiling& t = result_;
    if ((isA ? a_ : b_).pos != TPosition::TSCM) return 0;
    const int64_t whole = Bytes(static_cast<int64_t>(isA ? t.singleCoreM : t.singleCoreN) * t.singleCoreK);
    return whole < l1Bytes_ ? whole : BlockBytes(isA) * Pieces(t.singleCoreK, t.baseK);
}

/// Of L1, the bias of a block and its scales, of 8 bytes for each column.
int64_t MatmulApiTilingBase::VectorBytes() const {
    return (hasBias_ ? 4ll : 0ll) * result_.baseN + (dequant_ == DequantType::TENSOR ? 8ll : 0ll) * result_.baseN;
}

/// What L1 has for blocks of A and B. A matrix that the kernel keeps in TSCM lies there too, unless the host has said
/// how much of L1 Matmul may use.
int64_t MatmulApiTilingBase::RoomInL1() const {
    const int64_t room = l1Bytes_ - VectorBytes();
    return l1Bytes_ < ownL1Bytes_ ? room : room - TscmBytes(true) - TscmBytes(false);
}

/// Steps and buffers of both matrices; refused where they are too many for L1.
bool MatmulApiTilingBase::Take(const InL1& a, const InL1& b) {
    AscendC::tiling::TCubeTiling& t = result_;
    const int64_t blockA = a_.pos == TPosition::TSCM ? 0 : BlockBytes(true);
    const int64_t blockB = b_.pos == TPosition::TSCM ? 0 : BlockBytes(false);
    const int64_t depthA = static_cast<int64_t>(a.steps) * a.stepK * a.buffers;
    const int64_t depthB = static_cast<int64_t>(b.steps) * b.stepK * b.buffers;
    if (a.steps < 1 || b.steps < 1 || blockA * depthA + blockB * depthB > RoomInL1()) return false;
    t.stepM = a.steps;
    t.stepN = b.steps;
    t.stepKa = a.stepK;
    t.stepKb = b.stepK;
    t.depthA1 = static_cast<int32_t>(depthA);
    t.depthB1 = static_cast<int32_t>(depthB);
    t.shareL1Size = static_cast<int32_t>(blockA * depthA + blockB * depthB + VectorBytes());
    return true;
}

/// Whole along k before anything else, as TCubeTiling结构体.md recommends: then both matrices whole; or one whole and
/// as much as fits of the other, twice; or more of that one which the order of C's blocks keeps.
bool MatmulApiTilingBase::FillL1() {
    const AscendC::tiling::TCubeTiling& t = result_;
    const int32_t k = Pieces(t.singleCoreK, t.baseK);
    const int32_t m = Pieces(t.singleCoreM, t.baseM), n = Pieces(t.singleCoreN, t.baseN);
    if (Take({m, k, 1}, {n, k, 1})) return true;
    for (int32_t step = m; step >= 1; --step)
        if (Take({step, k, 2}, {n, k, 1})) return true;
    for (int32_t step = n; step >= 1; --step)
        if (Take({m, k, 1}, {step, k, 2})) return true;
    const bool rowsFirst = traverse_ != MatrixTraverse::FIRSTN;
    for (int32_t step = rowsFirst ? n : m; step >= 1; --step)
        if (Take({rowsFirst ? 1 : step, k, 2}, {rowsFirst ? step : 1, k, 2})) return true;
    for (const int32_t buffers : {2, 1})
        for (int32_t step = k; step >= 1; --step)
            if (Take({1, step, buffers}, {1, step, buffers})) return true;
    return false;
}

/// baseK is made smaller where L1 cannot hold one block of each matrix.
bool MatmulApiTilingBase::FitL1() {
    AscendC::tiling::TCubeTiling& t = result_;
    while (!FillL1()) {
        if (fixedBase_.k > 0 || t.baseK <= UnitK()) return false;
        t.baseK -= UnitK();
    }
    return true;
}

}  // namespace matmul_tiling
