// How a Matmul tiling divides the work over cores.
#include "matmul_blocks.h"
#include "twin_host/matmul_tiling.h"

namespace matmul_tiling {

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
int32_t MultiCoreMatmulTiling::SetSingleRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN,
                                              int32_t minK) {
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

/// Pieces that leave no smaller last one go first, unless they are more than twice as large: kernels shipped with the
/// tiling's library count on them (asc-devkit, examples/…/matmul_async_iterate).
bool MultiCoreMatmulTiling::SplitOverCores() {
    AscendC::tiling::TCubeTiling& t = result_;
    const bool told = single_.m > 0 || single_.n > 0 || single_.k > 0;
    if (schedule_ == ScheduleType::N_BUFFER_33 && !told && cores_ > 1) return SplitForNBuffer();
    t.singleCoreK = single_.k > 0 ? single_.k : shape_.k;
    const int64_t any = ChooseSplit(false);
    const int32_t m = t.singleCoreM, n = t.singleCoreN, used = t.usedCoreNum;
    const int64_t whole = ChooseSplit(true);
    if (whole >= 0 && whole <= 2 * any) return true;
    t.singleCoreM = m;
    t.singleCoreN = n;
    t.usedCoreNum = used;
    return any >= 0;
}

/// What a core multiplies; then what it loads when it takes each base block of A and of B anew; then what all cores
/// load at a time, where those of one row take the same block of A and those of one column the same of B. The last
/// decides for 512 x 128 in blocks of 128 x 64 on two cores: they share rows of A, as the example
/// matmul_leakyrelu_advanced_api of asc-devkit has it.
MultiCoreMatmulTiling::Cost MultiCoreMatmulTiling::CostOf(int32_t m, int32_t n) const {
    const int32_t blockM = std::min(Up(m, 16), fixedBase_.m > 0 ? fixedBase_.m : kBaseM);
    const int32_t blockN = std::min(Up(n, 16), fixedBase_.n > 0 ? fixedBase_.n : kBaseN);
    const int64_t loads = static_cast<int64_t>(m) * Pieces(n, blockN) + static_cast<int64_t>(n) * Pieces(m, blockM);
    const int64_t down = Pieces(shape_.m, m), across = Pieces(shape_.n, n);
    return {static_cast<int64_t>(m) * n, loads, down * blockM + across * blockN};
}

/// The cheapest division into rows and columns of pieces.
/// @returns the elements of a piece, or -1; fills singleCoreM, singleCoreN and usedCoreNum
int64_t MultiCoreMatmulTiling::ChooseSplit(bool whole) {
    AscendC::tiling::TCubeTiling& t = result_;
    Cost best{-1, 0, 0};
    for (int32_t down = 1; down <= cores_; ++down) {
        const int32_t m = single_.m > 0 ? single_.m : Piece(shape_.m, down, most_.m, least_.m, unit_.m);
        for (int32_t across = 1; across <= cores_ / down; ++across) {
            const int32_t n = single_.n > 0 ? single_.n : Piece(shape_.n, across, most_.n, least_.n, unit_.n);
            const int64_t deep = Pieces(shape_.k, t.singleCoreK);
            const int64_t used = deep * Pieces(shape_.m, m) * Pieces(shape_.n, n);
            if (used > cores_ || (whole && (shape_.m % m != 0 || shape_.n % n != 0))) continue;
            const Cost cost = CostOf(m, n);
            if (best[0] >= 0 && cost >= best) continue;
            best = cost;
            t.singleCoreM = m;
            t.singleCoreN = n;
            t.usedCoreNum = static_cast<int32_t>(used);
        }
    }
    return best[0];
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
int32_t BatchMatmulTiling::GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM,
                                      int32_t& batchCoreN) {
    if (result_.usedCoreNum == 0) return -1;
    dim = mDim = nDim = batchCoreM = batchCoreN = 1;
    return 0;
}

}  // namespace matmul_tiling
