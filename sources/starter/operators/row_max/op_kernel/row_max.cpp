// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "row_results.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t RESULT_ROWS = 64;

/// y[r] = max over c of x[r, c]. A maximum is one of its inputs, so half needs no detour through float.
template <typename T>
class RowMaxKernel {
public:
    __aicore__ inline RowMaxKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowMaxTilingData& tiling)
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
        xGm_.SetGlobalBuffer((__gm__ T*)x + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        GlobalTensor<T> yGm;
        yGm.SetGlobalBuffer((__gm__ T*)y + firstRow, rows_);
        results_.Init(pipe_, yGm, RESULT_ROWS);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(workBuf_, alignedCols_ * sizeof(T));
        pipe_.InitBuffer(largestBuf_, BLOCK_BYTES);
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
        LocalTensor<T> xLocal = inQueue_.template AllocTensor<T>();
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{true, 0, static_cast<uint8_t>(alignedCols_ - cols_), 0};
        DataCopyPad(xLocal, xGm_[static_cast<uint64_t>(row) * cols_], copyParams, padParams);
        inQueue_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template DeQue<T>();
        LocalTensor<T> work = workBuf_.template Get<T>();
        LocalTensor<T> largest = largestBuf_.template Get<T>();
        for (uint32_t r = 0; r < count; ++r) {
            // Only cols elements: the zeros that fill up a row would win against negative values.
            ReduceMax(largest, xLocal[r * alignedCols_], work, static_cast<int32_t>(cols_));
            RowMaxOp::Synchronise<HardEvent::V_S>();
            results_.Push(static_cast<float>(largest.GetValue(0)));
            RowMaxOp::Synchronise<HardEvent::S_V>();
        }
        inQueue_.FreeTensor(xLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueue_;
    TBuf<QuePosition::VECCALC> workBuf_;
    TBuf<QuePosition::VECCALC> largestBuf_;
    RowMaxOp::RowResults<T> results_;
    GlobalTensor<T> xGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t alignedCols_ = 0;
    uint32_t tileRows_ = 1;
};

extern "C" __global__ __aicore__ void row_max(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    RowMaxKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
