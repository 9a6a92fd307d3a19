// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"
#include "row_scalar.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK_BYTES = 32;

/// y = (x - mean) / sqrt(variance + epsilon) for each row. Two passes over the row in UB: the variance is taken of the
/// centred row, which loses nothing to cancellation.
template <typename T>
class RowStandardizeKernel {
public:
    __aicore__ inline RowStandardizeKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowStandardizeTilingData& tiling)
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
        epsilon_ = tiling.epsilon;
        xGm_.SetGlobalBuffer((__gm__ T*)x + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(rowBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(squareBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(workBuf_, alignedCols_ * sizeof(float));
        pipe_.InitBuffer(resultBuf_, BLOCK_BYTES);
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rows_; row += tileRows_) {
            const uint32_t count = rows_ - row < tileRows_ ? rows_ - row : tileRows_;
            CopyIn(row, count);
            Compute(count);
            CopyOut(row, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t row, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template AllocTensor<T>();
        // One block a row: each row starts at a multiple of 32 bytes in UB.
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{true, 0, static_cast<uint8_t>(alignedCols_ - cols_), 0};
        DataCopyPad(xLocal, xGm_[static_cast<uint64_t>(row) * cols_], copyParams, padParams);
        inQueue_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template DeQue<T>();
        LocalTensor<T> yLocal = outQueue_.template AllocTensor<T>();
        for (uint32_t r = 0; r < count; ++r) {
            ComputeRow(yLocal[r * alignedCols_], xLocal[r * alignedCols_]);
        }
        outQueue_.EnQue(yLocal);
        inQueue_.FreeTensor(xLocal);
    }

    __aicore__ inline void ComputeRow(const LocalTensor<T>& y, const LocalTensor<T>& x)
    {
        LocalTensor<float> row = rowBuf_.Get<float>();
        LocalTensor<float> square = squareBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Adds(row, x, -Mean(x), cols_);
        } else {
            Cast(row, x, RoundMode::CAST_NONE, cols_);
            Adds(row, row, -Mean(row), cols_);
        }
        Mul(square, row, row, cols_);
        const float variance = Mean(square);
        StoreScaled(y, row, 1.0f / SquareRoot(variance + epsilon_));
    }

    __aicore__ inline float Mean(const LocalTensor<float>& values)
    {
        LocalTensor<float> work = workBuf_.Get<float>();
        LocalTensor<float> result = resultBuf_.Get<float>();
        ReduceSum(result, values, work, static_cast<int32_t>(cols_));
        return RowStandardizeOp::ReadScalar(result) / static_cast<float>(static_cast<int32_t>(cols_));
    }

    __aicore__ inline float SquareRoot(float value)
    {
        LocalTensor<float> result = resultBuf_.Get<float>();
        Duplicate(result, value, 1);
        Sqrt(result, result, 1);
        return RowStandardizeOp::ReadScalar(result);
    }

    /// y = values * factor, rounded to T.
    __aicore__ inline void StoreScaled(const LocalTensor<T>& y, const LocalTensor<float>& values, float factor)
    {
        if constexpr (std::is_same<T, float>::value) {
            Muls(y, values, factor, cols_);
        } else {
            Muls(values, values, factor, cols_);
            Cast(y, values, RoundMode::CAST_RINT, cols_);
        }
    }

    __aicore__ inline void CopyOut(uint32_t row, uint32_t count)
    {
        LocalTensor<T> yLocal = outQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[static_cast<uint64_t>(row) * cols_], yLocal, copyParams);
        outQueue_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue_;
    TBuf<QuePosition::VECCALC> rowBuf_;
    TBuf<QuePosition::VECCALC> squareBuf_;
    TBuf<QuePosition::VECCALC> workBuf_;
    TBuf<QuePosition::VECCALC> resultBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t alignedCols_ = 0;
    uint32_t tileRows_ = 1;
    float epsilon_ = 0.0f;
};

extern "C" __global__ __aicore__ void row_standardize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    RowStandardizeKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
