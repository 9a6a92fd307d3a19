// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"
#include "row_results.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t RESULT_ROWS = 64;

/// loss[r] = mean over c of |prediction[r, c] - target[r, c]|, always float.
template <typename T>
class RowL1LossKernel {
public:
    __aicore__ inline RowL1LossKernel() {}

    __aicore__ inline void Init(GM_ADDR prediction, GM_ADDR target, GM_ADDR loss, const RowL1LossTilingData& tiling)
    {
        const uint32_t block = GetBlockIdx();
        rows_ = tiling.rowsPerCore + (block < tiling.extraRows ? 1 : 0);
        if (rows_ == 0) {
            return;
        }
        const uint64_t firstRow = block * tiling.rowsPerCore + (block < tiling.extraRows ? block : tiling.extraRows);
        cols_ = tiling.cols;
        alignedCols_ = tiling.alignedCols;
        tileRows_ = tiling.tileRows;
        const uint64_t elements = static_cast<uint64_t>(rows_) * cols_;
        predictionGm_.SetGlobalBuffer((__gm__ T*)prediction + firstRow * cols_, elements);
        targetGm_.SetGlobalBuffer((__gm__ T*)target + firstRow * cols_, elements);
        GlobalTensor<float> lossGm;
        lossGm.SetGlobalBuffer((__gm__ float*)loss + firstRow, rows_);
        results_.Init(pipe_, lossGm, RESULT_ROWS);
        pipe_.InitBuffer(predictionQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(targetQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(distanceBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(targetFloatBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(workBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(sumBuf_, BLOCK_BYTES);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rows_; row += tileRows_) {
            const uint32_t count = rows_ - row < tileRows_ ? rows_ - row : tileRows_;
            CopyIn(row, count);
            Compute(count);
        }
        results_.Flush();
    }

private:
    __aicore__ inline void CopyIn(uint32_t row, uint32_t count)
    {
        const uint64_t start = static_cast<uint64_t>(row) * cols_;
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{true, 0, static_cast<uint8_t>(alignedCols_ - cols_), 0};
        LocalTensor<T> predictionLocal = predictionQueue_.template AllocTensor<T>();
        DataCopyPad(predictionLocal, predictionGm_[start], copyParams, padParams);
        predictionQueue_.EnQue(predictionLocal);
        LocalTensor<T> targetLocal = targetQueue_.template AllocTensor<T>();
        DataCopyPad(targetLocal, targetGm_[start], copyParams, padParams);
        targetQueue_.EnQue(targetLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> predictionLocal = predictionQueue_.template DeQue<T>();
        LocalTensor<T> targetLocal = targetQueue_.template DeQue<T>();
        for (uint32_t r = 0; r < count; ++r) {
            results_.Push(MeanDistance(predictionLocal[r * alignedCols_], targetLocal[r * alignedCols_]));
        }
        predictionQueue_.FreeTensor(predictionLocal);
        targetQueue_.FreeTensor(targetLocal);
    }

    __aicore__ inline float MeanDistance(const LocalTensor<T>& prediction, const LocalTensor<T>& target)
    {
        LocalTensor<float> distance = distanceBuf_.Get<float>();
        LocalTensor<float> targetFloat = targetFloatBuf_.Get<float>();
        LocalTensor<float> work = workBuf_.Get<float>();
        LocalTensor<float> sum = sumBuf_.Get<float>();
        const int32_t count = static_cast<int32_t>(cols_);
        if constexpr (std::is_same<T, float>::value) {
            Sub(distance, prediction, target, count);
        } else {
            Cast(distance, prediction, RoundMode::CAST_NONE, count);
            Cast(targetFloat, target, RoundMode::CAST_NONE, count);
            Sub(distance, distance, targetFloat, count);
        }
        Abs(distance, distance, count);
        ReduceSum(sum, distance, work, count);
        return RowL1LossOp::ReadScalar(sum) / static_cast<float>(static_cast<int32_t>(cols_));
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> predictionQueue_;
    TQue<QuePosition::VECIN, BUFFER_NUM> targetQueue_;
    TBuf<QuePosition::VECCALC> distanceBuf_;
    TBuf<QuePosition::VECCALC> targetFloatBuf_;
    TBuf<QuePosition::VECCALC> workBuf_;
    TBuf<QuePosition::VECCALC> sumBuf_;
    RowL1LossOp::RowResults<float> results_;
    GlobalTensor<T> predictionGm_;
    GlobalTensor<T> targetGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t alignedCols_ = 0;
    uint32_t tileRows_ = 1;
};

extern "C" __global__ __aicore__ void row_l1_loss(GM_ADDR prediction, GM_ADDR target, GM_ADDR loss, GM_ADDR workspace,
                                                  GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    RowL1LossKernel<DTYPE_PREDICTION> op;
    op.Init(prediction, target, loss, tilingData);
    op.Process();
}
