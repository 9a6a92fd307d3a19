// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// Each row of x is [gate | up], both `cols` wide; y = max(gate, 0) * up.
template <typename T>
class ReGluKernel {
public:
    __aicore__ inline ReGluKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ReGluTilingData& tiling)
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
        xGm_.SetGlobalBuffer((__gm__ T*)x + firstRow * cols_ * 2, static_cast<uint64_t>(rows_) * cols_ * 2);
        yGm_.SetGlobalBuffer((__gm__ T*)y + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        const uint32_t tileBytes = tileRows_ * alignedCols_ * sizeof(T);
        pipe_.InitBuffer(gateQueue_, BUFFER_NUM, tileBytes);
        pipe_.InitBuffer(upQueue_, BUFFER_NUM, tileBytes);
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileBytes);
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
    /// Gathers one half of `count` rows: blocks of cols elements, the other half skipped in between.
    __aicore__ inline void LoadHalf(const LocalTensor<T>& local, uint64_t start, uint32_t count)
    {
        const uint32_t rowBytes = cols_ * sizeof(T);
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), rowBytes, rowBytes, 0, 0};
        const DataCopyPadExtParams<T> padParams{true, 0, static_cast<uint8_t>(alignedCols_ - cols_), 0};
        DataCopyPad(local, xGm_[start], copyParams, padParams);
    }

    __aicore__ inline void CopyIn(uint32_t row, uint32_t count)
    {
        const uint64_t start = static_cast<uint64_t>(row) * cols_ * 2;
        LocalTensor<T> gate = gateQueue_.template AllocTensor<T>();
        LoadHalf(gate, start, count);
        gateQueue_.EnQue(gate);
        LocalTensor<T> up = upQueue_.template AllocTensor<T>();
        LoadHalf(up, start + cols_, count);
        upQueue_.EnQue(up);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> gate = gateQueue_.template DeQue<T>();
        LocalTensor<T> up = upQueue_.template DeQue<T>();
        LocalTensor<T> yLocal = outQueue_.template AllocTensor<T>();
        // The zeros that fill up the rows stay zeros, so the whole tile is one vector.
        Relu(yLocal, gate, count * alignedCols_);
        Mul(yLocal, yLocal, up, count * alignedCols_);
        outQueue_.EnQue(yLocal);
        gateQueue_.FreeTensor(gate);
        upQueue_.FreeTensor(up);
    }

    __aicore__ inline void CopyOut(uint32_t row, uint32_t count)
    {
        LocalTensor<T> yLocal = outQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[static_cast<uint64_t>(row) * cols_], yLocal, copyParams);
        outQueue_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> gateQueue_;
    TQue<QuePosition::VECIN, BUFFER_NUM> upQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t alignedCols_ = 0;
    uint32_t tileRows_ = 1;
};

extern "C" __global__ __aicore__ void re_glu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    ReGluKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
