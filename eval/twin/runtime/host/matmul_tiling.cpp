// Tilings of the high-level Matmul. Limits: the documented conditions on TCubeTiling; how cores and memories are filled
// is the twin's choice.
#include "twin_host/matmul_tiling.h"

#include <algorithm>

namespace matmul_tiling {

namespace {

int32_t Up(int32_t value, int32_t unit) { return (value + unit - 1) / unit * unit; }
int32_t Pieces(int32_t whole, int32_t piece) { return (whole + piece - 1) / piece; }

/// Between least and most, where these are told.
int32_t Clamp(int32_t value, int32_t most, int32_t least) {
    if (most > 0) value = std::min(value, most);
    return least > 0 ? std::max(value, least) : value;
}

int64_t CoreBytes(const platform_ascendc::PlatformAscendC& platform, platform_ascendc::CoreMemType memory) {
    uint64_t bytes = 0;
    platform.GetCoreMemSize(memory, bytes);
    return static_cast<int64_t>(bytes);
}

bool IsHalf(DataType type) { return type == DataType::DT_FLOAT16 || type == DataType::DT_BF16 || type == DataType::DT_BFLOAT16; }

}  // namespace

MatmulApiTilingBase::MatmulApiTilingBase() : MatmulApiTilingBase(*platform_ascendc::PlatformAscendCManager::GetInstance()) {}

MatmulApiTilingBase::MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform) {
    using platform_ascendc::CoreMemType;
    l1Bytes_ = ownL1Bytes_ = CoreBytes(platform, CoreMemType::L1);
    l0cBytes_ = ownL0cBytes_ = CoreBytes(platform, CoreMemType::L0_C);
    l0aBytes_ = CoreBytes(platform, CoreMemType::L0_A);
    l0bBytes_ = CoreBytes(platform, CoreMemType::L0_B);
}

MatmulApiTilingBase::MatmulApiTilingBase(const PlatformInfo& platform) {
    l1Bytes_ = ownL1Bytes_ = static_cast<int64_t>(platform.l1Size);
    l0cBytes_ = ownL0cBytes_ = static_cast<int64_t>(platform.l0CSize);
    l0aBytes_ = static_cast<int64_t>(platform.l0ASize);
    l0bBytes_ = static_cast<int64_t>(platform.l0BSize);
}

int32_t MatmulApiTilingBase::SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans) {
    a_ = {pos, type, dataType, isTrans};
    return 0;
}
int32_t MatmulApiTilingBase::SetBType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans) {
    b_ = {pos, type, dataType, isTrans};
    return 0;
}
int32_t MatmulApiTilingBase::SetCType(TPosition pos, CubeFormat type, DataType dataType) {
    c_ = {pos, type, dataType, false};
    return 0;
}
int32_t MatmulApiTilingBase::SetBiasType(TPosition pos, CubeFormat type, DataType dataType) {
    bias_ = {pos, type, dataType, false};
    return 0;
}

int32_t MatmulApiTilingBase::SetShape(int32_t m, int32_t n, int32_t k) {
    shape_ = {m, n, k};
    return 0;
}
int32_t MatmulApiTilingBase::SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    orgM_ = m;
    orgN_ = n;
    orgKa_ = ka;
    orgKb_ = kb;
    return 0;
}

int32_t MatmulApiTilingBase::SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    result_.ALayoutInfoB = b;
    result_.ALayoutInfoS = s;
    result_.ALayoutInfoN = n;
    result_.ALayoutInfoG = g;
    result_.ALayoutInfoD = d;
    return 0;
}
int32_t MatmulApiTilingBase::SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    result_.BLayoutInfoB = b;
    result_.BLayoutInfoS = s;
    result_.BLayoutInfoN = n;
    result_.BLayoutInfoG = g;
    result_.BLayoutInfoD = d;
    return 0;
}
int32_t MatmulApiTilingBase::SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    result_.CLayoutInfoB = b;
    result_.CLayoutInfoS1 = s;
    result_.CLayoutInfoN = n;
    result_.CLayoutInfoG = g;
    result_.CLayoutInfoS2 = d;
    return 0;
}
int32_t MatmulApiTilingBase::SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    const int32_t batchC = std::max(batchA, batchB);
    SetALayout(batchA, m, 1, 1, k);
    SetBLayout(batchB, n, 1, 1, k);
    return SetCLayout(batchC, m, 1, 1, n);
}
int32_t MatmulApiTilingBase::SetBatchNum(int32_t batch) {
    result_.BatchNum = batch;
    return 0;
}
int32_t MatmulApiTilingBase::EnableBias(bool isBias) {
    hasBias_ = isBias;
    return 0;
}
int32_t MatmulApiTilingBase::SetFixSplit(int32_t m, int32_t n, int32_t k) {
    if (m == 0 || n == 0 || k == 0) return -1;
    fixedBase_ = {m, n, k};
    return 0;
}
int32_t MatmulApiTilingBase::SetBufferSpace(int32_t l1, int32_t l0c, int32_t, int32_t) {
    if (l1 > ownL1Bytes_ || l0c > ownL0cBytes_) return -1;
    l1Bytes_ = l1 < 0 ? ownL1Bytes_ : l1;
    l0cBytes_ = l0c < 0 ? ownL0cBytes_ : l0c;
    return 0;
}
int32_t MatmulApiTilingBase::SetTraverse(MatrixTraverse traverse) {
    traverse_ = traverse;
    return 0;
}
int32_t MatmulApiTilingBase::SetSplitRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN, int32_t minK) {
    maxBase_ = {maxM, maxN, maxK};
    minBase_ = {minM, minN, minK};
    return 0;
}

int64_t MatmulApiTilingBase::TypeBits() const {
    if (a_.dataType == DataType::DT_INT4) return 4;
    return IsHalf(a_.dataType) ? 16 : a_.dataType == DataType::DT_FLOAT ? 32 : 8;
}
/// What baseK is a multiple of, whichever way the matrices are transposed.
int32_t MatmulApiTilingBase::UnitK() const { return TypeBits() <= 8 ? static_cast<int32_t>(256 / TypeBits()) : 16; }

/// The largest multiple of 16 up to `most` that divides `whole`, when it is at least half of that.
static int32_t Dividing(int32_t whole, int32_t most) {
    if (whole <= most) return whole;
    for (int32_t base = most; base >= most / 2; base -= 16)
        if (whole % base == 0) return base;
    return most;
}

/// A fixed base is rounded up to whole fractals and ends at what the core has of that axis: operators that give a round
/// number for every shape get a tiling on a board, though SetFixSplit.md promises it only for bases that fit.
bool MatmulApiTilingBase::SplitBase() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t wholeM = Up(t.singleCoreM, 16), wholeN = Up(t.singleCoreN, 16);
    t.baseM = fixedBase_.m > 0 ? std::min(Up(fixedBase_.m, 16), wholeM) : Up(Clamp(Dividing(wholeM, 128), maxBase_.m, minBase_.m), 16);
    t.baseN = fixedBase_.n > 0 ? std::min(Up(fixedBase_.n, 16), Up(t.singleCoreN, UnitK())) : Up(Clamp(Dividing(wholeN, 256), maxBase_.n, minBase_.n), 16);
    const auto tooLarge = [&] { return 4ll * t.baseM * t.baseN > l0cBytes_; };
    while (tooLarge() && fixedBase_.n <= 0 && t.baseN > 16) t.baseN = Up(t.baseN / 2, 16);
    while (tooLarge() && fixedBase_.m <= 0 && t.baseM > 16) t.baseM = Up(t.baseM / 2, 16);
    if (hasBias_ && 4ll * t.baseN > biasTableBytes_) return false;
    return !tooLarge();
}

bool MatmulApiTilingBase::ChooseBaseK() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int32_t unit = UnitK();
    for (const int32_t buffers : {2, 1}) {
        t.dbL0A = t.dbL0B = buffers;
        const int64_t a = 8 * l0aBytes_ / (TypeBits() * t.baseM * buffers), b = 8 * l0bBytes_ / (TypeBits() * t.baseN * buffers);
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

/// As much of k as L1 holds twice, or else one block once.
bool MatmulApiTilingBase::FillL1() {
    AscendC::tiling::TCubeTiling& t = result_;
    const int64_t bias = hasBias_ ? 4ll * t.baseN : 0;
    const int64_t block = TypeBits() * t.baseK * (t.baseM + t.baseN) / 8;
    t.stepM = t.stepN = 1;
    for (const int32_t buffers : {2, 1}) {
        const int64_t most = (l1Bytes_ - bias) / (block * buffers);
        if (most < 1) continue;
        t.stepKa = t.stepKb = static_cast<int32_t>(std::min<int64_t>(most, Pieces(t.singleCoreK, t.baseK)));
        t.depthA1 = t.stepKa * buffers;
        t.depthB1 = t.stepKb * buffers;
        return true;
    }
    return false;
}

bool MatmulApiTilingBase::Compute() {
    const bool known = IsHalf(a_.dataType) || a_.dataType == DataType::DT_FLOAT || a_.dataType == DataType::DT_INT8 || a_.dataType == DataType::DT_INT4;
    const auto whole = [](int32_t size, int32_t original) { return size == -1 ? original : size; };
    shape_ = {whole(shape_.m, orgM_), whole(shape_.n, orgN_), whole(shape_.k, orgKa_)};
    if (!known || a_.dataType != b_.dataType || shape_.m <= 0 || shape_.n <= 0 || shape_.k <= 0) return false;
    AscendC::tiling::TCubeTiling& t = result_;
    t.M = orgM_ > 0 ? orgM_ : shape_.m;
    t.N = orgN_ > 0 ? orgN_ : shape_.n;
    t.Ka = orgKa_ > 0 ? orgKa_ : shape_.k;
    t.Kb = orgKb_ > 0 ? orgKb_ : shape_.k;
    if (!SplitOverCores() || !SplitBase() || !ChooseBaseK() || !FillL1()) return false;
    t.isBias = hasBias_ ? 1 : 0;
    t.iterateOrder = traverse_ == MatrixTraverse::FIRSTN ? 1 : 0;
    t.dbL0C = 8ll * t.baseM * t.baseN <= l0cBytes_ ? 2 : 1;
    t.shareL1Size = static_cast<int32_t>(TypeBits() * t.baseK * (static_cast<int64_t>(t.baseM) * t.depthA1 + static_cast<int64_t>(t.baseN) * t.depthB1) / 8);
    t.shareL0CSize = 4 * t.baseM * t.baseN * t.dbL0C;
    t.batchM = t.batchN = t.singleBatchM = t.singleBatchN = 1;
    t.depthAL1CacheUB = t.depthBL1CacheUB = 0;
    return true;
}

int64_t MatmulApiTilingBase::GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    if (!Compute()) return -1;
    tiling = result_;
    return 0;
}

int64_t MatmulApiTilingBase::GetTiling(optiling::TCubeTiling& tiling) {
    if (!Compute()) return -1;
#define TWIN_FIELD(name) tiling.set_##name(result_.name);
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
    return 0;
}

bool MatmulApiTiling::SplitOverCores() {
    result_.usedCoreNum = 1;
    result_.singleCoreM = shape_.m;
    result_.singleCoreN = shape_.n;
    result_.singleCoreK = shape_.k;
    return true;
}

int32_t MultiCoreMatmulTiling::SetDim(int32_t dim) {
    if (dim <= 0) return -1;
    cores_ = dim;
    return 0;
}
int32_t MultiCoreMatmulTiling::SetSingleShape(int32_t m, int32_t n, int32_t k) {
    single_ = {m, n, k};
    return 0;
}
int32_t MultiCoreMatmulTiling::SetSingleRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN, int32_t minK) {
    most_ = {maxM, maxN, maxK};
    least_ = {minM, minN, minK};
    return 0;
}
int32_t MultiCoreMatmulTiling::SetAlignSplit(int32_t m, int32_t n, int32_t k) {
    unit_ = {m, n, k};
    return 0;
}

/// A core's share of `whole` in that many pieces.
int32_t MultiCoreMatmulTiling::Piece(int32_t whole, int32_t pieces, int32_t most, int32_t least, int32_t unit) const {
    if (pieces == 1 && most <= 0) return whole;
    return std::min(whole, Up(Clamp(Up(Pieces(whole, pieces), 16), most, least), std::max(unit, 1)));
}

/// The division into rows and columns of pieces with the smallest piece, and of those the most square one, in rows
/// when that is the same. Pieces that leave no smaller last one go first, unless they are more than twice as large:
/// kernels shipped with the tiling's library count on them (asc-devkit, examples/…/matmul_async_iterate).
bool MultiCoreMatmulTiling::SplitOverCores() {
    AscendC::tiling::TCubeTiling& t = result_;
    t.singleCoreK = single_.k > 0 ? single_.k : shape_.k;
    if (splitK_ && t.singleCoreK < shape_.k && single_.k <= 0) return false;
    const int64_t any = ChooseSplit(false);
    const int32_t m = t.singleCoreM, n = t.singleCoreN, used = t.usedCoreNum;
    const int64_t whole = ChooseSplit(true);
    if (whole >= 0 && whole <= 2 * any) return true;
    t.singleCoreM = m;
    t.singleCoreN = n;
    t.usedCoreNum = used;
    return any >= 0;
}

/// @returns the elements of a piece, or -1; fills singleCoreM, singleCoreN and usedCoreNum
int64_t MultiCoreMatmulTiling::ChooseSplit(bool whole) {
    AscendC::tiling::TCubeTiling& t = result_;
    int64_t best = -1, bestEdge = 0;
    for (int32_t down = 1; down <= cores_; ++down) {
        const int32_t m = single_.m > 0 ? single_.m : Piece(shape_.m, down, most_.m, least_.m, unit_.m);
        for (int32_t across = 1; across <= cores_ / down; ++across) {
            const int32_t n = single_.n > 0 ? single_.n : Piece(shape_.n, across, most_.n, least_.n, unit_.n);
            const int64_t used = static_cast<int64_t>(Pieces(shape_.m, m)) * Pieces(shape_.n, n) * Pieces(shape_.k, t.singleCoreK);
            const int64_t area = static_cast<int64_t>(m) * n, edge = static_cast<int64_t>(m) + n;
            if (used > cores_ || (whole && (shape_.m % m != 0 || shape_.n % n != 0))) continue;
            if (best >= 0 && (area > best || (area == best && edge > bestEdge))) continue;
            best = area;
            bestEdge = edge;
            t.singleCoreM = m;
            t.singleCoreN = n;
            t.usedCoreNum = static_cast<int32_t>(used);
        }
    }
    return best;
}

int32_t MultiCoreMatmulTiling::GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK) {
    if (result_.usedCoreNum == 0) return -1;
    shapeM = result_.singleCoreM;
    shapeN = result_.singleCoreN;
    shapeK = result_.singleCoreK;
    return 0;
}
int32_t MultiCoreMatmulTiling::GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) {
    if (result_.usedCoreNum == 0) return -1;
    dim = result_.usedCoreNum;
    mDim = Pieces(shape_.m, result_.singleCoreM);
    nDim = Pieces(shape_.n, result_.singleCoreN);
    return 0;
}

int32_t BatchMatmulTiling::SetSingleShape(int32_t m, int32_t n, int32_t k) {
    single_ = {m, n, k};
    return 0;
}
bool BatchMatmulTiling::SplitOverCores() {
    result_.usedCoreNum = 1;
    result_.singleCoreM = single_.m > 0 ? single_.m : shape_.m;
    result_.singleCoreN = single_.n > 0 ? single_.n : shape_.n;
    result_.singleCoreK = single_.k > 0 ? single_.k : shape_.k;
    return true;
}
int32_t BatchMatmulTiling::GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM, int32_t& batchCoreN) {
    if (result_.usedCoreNum == 0) return -1;
    dim = mDim = nDim = batchCoreM = batchCoreN = 1;
    return 0;
}

namespace {

int32_t Sizes(int32_t l1, int32_t l0c, int32_t ub, SysTilingTempBufSize& size) {
    size = {ub, l1, l0c};
    return l1 > 0 ? 0 : -1;
}

}  // namespace

}  // namespace matmul_tiling

using matmul_tiling::SysTilingTempBufSize;

int32_t MatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) { return matmul_tiling::Sizes(t.get_shareL1Size(), t.get_shareL0CSize(), t.get_transLength(), size); }
int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) { return MatmulGetTmpBufSize(t, size); }
int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) { return MatmulGetTmpBufSize(t, size); }
int32_t MatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) { return matmul_tiling::Sizes(t.shareL1Size, t.shareL0CSize, t.transLength, size); }
int32_t MultiCoreMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) { return MatmulGetTmpBufSizeV2(t, size); }
int32_t BatchMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) { return MatmulGetTmpBufSizeV2(t, size); }
