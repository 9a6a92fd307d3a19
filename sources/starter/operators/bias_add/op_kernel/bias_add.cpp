// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// y[r, c] = x[r, c] + bias[c]. The bias stays in UB for all rows of the core.
template <typename T>
class BiasAddKernel {
public:
    __aicore__ inline BiasAddKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y, const BiasAddTilingData& tiling)
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
        yGm_.SetGlobalBuffer((__gm__ T*)y + firstRow * cols_, static_cast<uint64_t>(rows_) * cols_);
        biasGm_.SetGlobalBuffer((__gm__ T*)bias, cols_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileRows_ * alignedCols_ * sizeof(T));
        pipe_.InitBuffer(biasQueue_, 1, alignedCols_ * sizeof(T));
        if constexpr (!std::is_same<T, float>::value) {
            pipe_.InitBuffer(tileFloatBuf_, tileRows_ * alignedCols_ * sizeof(float));
            pipe_.InitBuffer(biasFloatBuf_, alignedCols_ * sizeof(float));
        }
    }

    __aicore__ inline void Process()
    {
        if (rows_ == 0) {
            return;
        }
        CopyInBias();
        LocalTensor<T> biasLocal = biasQueue_.template DeQue<T>();
        if constexpr (!std::is_same<T, float>::value) {
            Cast(biasFloatBuf_.Get<float>(), biasLocal, RoundMode::CAST_NONE, cols_);
        }
        for (uint32_t row = 0; row < rows_; row += tileRows_) {
            const uint32_t count = rows_ - row < tileRows_ ? rows_ - row : tileRows_;
            CopyIn(row, count);
            Compute(biasLocal, count);
            CopyOut(row, count);
        }
        biasQueue_.FreeTensor(biasLocal);
    }

private:
    __aicore__ inline void CopyInBias()
    {
        LocalTensor<T> biasLocal = biasQueue_.template AllocTensor<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(biasLocal, biasGm_, copyParams, padParams);
        biasQueue_.EnQue(biasLocal);
    }

    __aicore__ inline void CopyIn(uint32_t row, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template AllocTensor<T>();
        // One block a row: each row lands at a multiple of 32 bytes, filled up with zeros.
        const DataCopyExtParams copyParams{static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{true, 0, static_cast<uint8_t>(alignedCols_ - cols_), 0};
        DataCopyPad(xLocal, xGm_[static_cast<uint64_t>(row) * cols_], copyParams, padParams);
        inQueue_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(const LocalTensor<T>& biasLocal, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template DeQue<T>();
        LocalTensor<T> yLocal = outQueue_.template AllocTensor<T>();
        if constexpr (std::is_same<T, float>::value) {
            for (uint32_t r = 0; r < count; ++r) {
                Add(yLocal[r * alignedCols_], xLocal[r * alignedCols_], biasLocal, cols_);
            }
        } else {
            LocalTensor<float> tile = tileFloatBuf_.Get<float>();
            LocalTensor<float> biasFloat = biasFloatBuf_.Get<float>();
            Cast(tile, xLocal, RoundMode::CAST_NONE, count * alignedCols_);
            for (uint32_t r = 0; r < count; ++r) {
                Add(tile[r * alignedCols_], tile[r * alignedCols_], biasFloat, cols_);
            }
            Cast(yLocal, tile, RoundMode::CAST_RINT, count * alignedCols_);
        }
        outQueue_.EnQue(yLocal);
        inQueue_.FreeTensor(xLocal);
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
    TQue<QuePosition::VECIN, 1> biasQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue_;
    TBuf<QuePosition::VECCALC> tileFloatBuf_;
    TBuf<QuePosition::VECCALC> biasFloatBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> biasGm_;
    GlobalTensor<T> yGm_;
    uint32_t rows_ = 0;
    uint32_t cols_ = 0;
    uint32_t alignedCols_ = 0;
    uint32_t tileRows_ = 1;
};

extern "C" __global__ __aicore__ void bias_add(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    BiasAddKernel<DTYPE_X> op;
    op.Init(x, bias, y, tilingData);
    op.Process();
}
