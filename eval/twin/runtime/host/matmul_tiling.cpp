// Tilings of the high-level Matmul: what the host says, and the structure that comes of it. Limits: the documented
// conditions on TCubeTiling.
#include "twin_host/matmul_tiling.h"

namespace matmul_tiling {

namespace {

int64_t CoreBytes(const platform_ascendc::PlatformAscendC& platform, platform_ascendc::CoreMemType memory) {
    uint64_t bytes = 0;
    platform.GetCoreMemSize(memory, bytes);
    return static_cast<int64_t>(bytes);
}

bool IsHalf(DataType type) {
    return type == DataType::DT_FLOAT16 || type == DataType::DT_BF16 || type == DataType::DT_BFLOAT16;
}

}  // namespace

MatmulApiTilingBase::MatmulApiTilingBase()
    : MatmulApiTilingBase(*platform_ascendc::PlatformAscendCManager::GetInstance()) {}

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
    isNormalBatch_ = true;
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
    if (l1 < -1 || l0c < -1 || l1 > ownL1Bytes_ || l0c > ownL0cBytes_) return -1;
    l1Bytes_ = l1 < 0 ? ownL1Bytes_ : l1;
    l0cBytes_ = l0c < 0 ? ownL0cBytes_ : l0c;
    return 0;
}
int32_t MatmulApiTilingBase::SetTraverse(MatrixTraverse traverse) {
    traverse_ = traverse;
    return 0;
}
void MatmulApiTilingBase::SetMatmulConfigParams(const MatmulConfigParams& params) {
    configType_ = params.mmConfigType;
    schedule_ = params.scheduleType;
    if (params.traverse != MatrixTraverse::NOSET) traverse_ = params.traverse;
}
int32_t MatmulApiTilingBase::SetSplitRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN,
                                           int32_t minK) {
    maxBase_ = {maxM, maxN, maxK};
    minBase_ = {minM, minN, minK};
    return 0;
}

/// Limits that do not depend on blocks of the tiling.
bool MatmulApiTilingBase::IsPossible() const {
    const bool known = IsHalf(a_.dataType) || a_.dataType == DataType::DT_FLOAT || a_.dataType == DataType::DT_INT8 ||
                       a_.dataType == DataType::DT_INT4;
    if (!known || a_.dataType != b_.dataType || shape_.m <= 0 || shape_.n <= 0 || shape_.k <= 0) return false;
    // IterateBatch.md: several products at a time lie in L1 whole, except in the layout NORMAL.
    if (result_.BatchNum <= 0 || isNormalBatch_) return true;
    const int64_t bias = hasBias_ ? Bytes(shape_.n) : 0;
    const int64_t product = Bytes(static_cast<int64_t>(shape_.m + shape_.n) * shape_.k) + bias;
    return result_.BatchNum * product <= l1Bytes_;
}

/// MatmulConfig.md, scheduleType: moved to L0 along m or n, a product has the whole of k in one block.
bool MatmulApiTilingBase::SuitsSchedule() const {
    if (schedule_ != ScheduleType::OUTER_PRODUCT || result_.singleCoreK <= result_.baseK) return true;
    return configType_ == 0 && result_.BatchNum <= 0;
}

bool MatmulApiTilingBase::Divide() {
    AscendC::tiling::TCubeTiling& t = result_;
    if (!SplitOverCores()) return false;
    const bool nBuffer = schedule_ == ScheduleType::N_BUFFER_33;
    if (nBuffer ? !NBufferBase() : !SplitBase() || !ChooseBaseK()) return false;
    if (hasBias_ && 4ll * t.baseN > biasTableBytes_) return false;
    return (nBuffer ? FillNBuffer() : FitL1()) && SuitsSchedule();
}

bool MatmulApiTilingBase::Compute() {
    const auto whole = [](int32_t size, int32_t original) { return size == -1 ? original : size; };
    shape_ = {whole(shape_.m, orgM_), whole(shape_.n, orgN_), whole(shape_.k, orgKa_)};
    if (!IsPossible()) return false;
    AscendC::tiling::TCubeTiling& t = result_;
    t.M = orgM_ > 0 ? orgM_ : shape_.m;
    t.N = orgN_ > 0 ? orgN_ : shape_.n;
    t.Ka = orgKa_ > 0 ? orgKa_ : shape_.k;
    t.Kb = orgKb_ > 0 ? orgKb_ : shape_.k;
    if (!Divide()) return false;
    t.isBias = hasBias_ ? 1 : 0;
    t.iterateOrder = traverse_ == MatrixTraverse::FIRSTN ? 1 : 0;
    t.dbL0C = 8ll * t.baseM * t.baseN <= l0cBytes_ ? 2 : 1;
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

namespace {

int32_t Sizes(int32_t l1, int32_t l0c, int32_t ub, SysTilingTempBufSize& size) {
    size = {ub, l1, l0c};
    return 0;
}

}  // namespace

}  // namespace matmul_tiling

using matmul_tiling::SysTilingTempBufSize;

int32_t MatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return matmul_tiling::Sizes(t.get_shareL1Size(), t.get_shareL0CSize(), t.get_transLength(), size);
}
int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return MatmulGetTmpBufSize(t, size);
}
int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return MatmulGetTmpBufSize(t, size);
}
int32_t MatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return matmul_tiling::Sizes(t.shareL1Size, t.shareL0CSize, t.transLength, size);
}
int32_t MultiCoreMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return MatmulGetTmpBufSizeV2(t, size);
}
int32_t BatchMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& t, SysTilingTempBufSize& size) {
    return MatmulGetTmpBufSizeV2(t, size);
}
