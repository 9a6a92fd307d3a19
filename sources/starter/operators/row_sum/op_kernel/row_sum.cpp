// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"
#include "row_results.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK_BYTES = 32;

/// y[r] = sum over c of x[r, c], in float. `OneTile`: a row fits into UB and needs no carry from tile to tile.
template <typename T, bool OneTile>
class RowSumKernel {
public:
    __aicore__ inline RowSumKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowSumTilingData& tiling)
    {
        const uint32_t block = GetBlockIdx();
        rows_ = tiling.rowsPerCore + (block < tiling.extraRows ? 1 : 0);
        if (rows_ == 0) {
            return;
        }
        const uint64_t firstRow = block * tiling.rowsPerCore + (block < tiling.extraRows ? block : tiling.extraRows);
        cols_ = tiling.cols;
        tileLength_ = tiling.tileLength;
        xGm_.SetGlobalBuffer((__gm__ T*)x + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        GlobalTensor<T> yGm;
        yGm.SetGlobalBuffer((__gm__ T*)y + firstRow, rows_);
        results_.Init(pipe_, yGm, tiling.resultRows);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(floatBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(sumBuf_, BLOCK_BYTES);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rows_; ++row) {
            const uint64_t start = static_cast<uint64_t>(row) * cols_;
            if constexpr (OneTile) {
                CopyIn(start, cols_);
                results_.Push(SumTile(cols_));
            } else {
                float sum = 0.0f;
                for (uint32_t col = 0; col < cols_; col += tileLength_) {
                    const uint32_t count = cols_ - col < tileLength_ ? cols_ - col : tileLength_;
                    CopyIn(start + col, count);
                    sum += SumTile(count);
                }
                results_.Push(sum);
            }
        }
        results_.Flush();
    }

private:
    __aicore__ inline void CopyIn(uint64_t start, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template AllocTensor<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[start], copyParams, padParams);
        inQueue_.EnQue(xLocal);
    }

    /// The float buffer is the scratch of ReduceSum, and the converted tile for half: the two may share their memory.
    __aicore__ inline float SumTile(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template DeQue<T>();
        LocalTensor<float> values = floatBuf_.Get<float>();
        LocalTensor<float> sum = sumBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            ReduceSum(sum, xLocal, values, static_cast<int32_t>(count));
        } else {
            Cast(values, xLocal, RoundMode::CAST_NONE, count);
            ReduceSum(sum, values, values, static_cast<int32_t>(count));
        }
        inQueue_.FreeTensor(xLocal);
        RowSumOp::Synchronise<HardEvent::V_S>();
        const float result = sum.GetValue(0);
        RowSumOp::Synchronise<HardEvent::S_V>();
        return result;
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueue_;
    TBuf<QuePosition::VECCALC> floatBuf_;
    TBuf<QuePosition::VECCALC> sumBuf_;
    RowSumOp::RowResults<T> results_;
    GlobalTensor<T> xGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void row_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        RowSumKernel<DTYPE_X, true> op;
        op.Init(x, y, tilingData);
        op.Process();
    } else if (TILING_KEY_IS(0)) {
        RowSumKernel<DTYPE_X, false> op;
        op.Init(x, y, tilingData);
        op.Process();
    }
}
