// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// z = (x - y)^2. 16-bit floats are computed in float: bfloat16 has no arithmetic, and half would round twice.
template <typename T>
class SquaredDifferenceKernel {
public:
    __aicore__ inline SquaredDifferenceKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength, uint32_t blockLength, uint32_t tileLength)
    {
        const uint32_t offset = GetBlockIdx() * blockLength;
        if (offset >= totalLength) {
            return;
        }
        length_ = totalLength - offset < blockLength ? totalLength - offset : blockLength;
        tileLength_ = tileLength;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        zGm_.SetGlobalBuffer((__gm__ T*)z + offset, length_);
        pipe_.InitBuffer(inQueueX_, BUFFER_NUM, tileLength * sizeof(T));
        pipe_.InitBuffer(inQueueY_, BUFFER_NUM, tileLength * sizeof(T));
        pipe_.InitBuffer(outQueueZ_, BUFFER_NUM, tileLength * sizeof(T));
        if constexpr (sizeof(T) == 2) {
            pipe_.InitBuffer(xFloatBuf_, tileLength * sizeof(float));
            pipe_.InitBuffer(yFloatBuf_, tileLength * sizeof(float));
        }
    }

    __aicore__ inline void Process()
    {
        for (uint32_t start = 0; start < length_; start += tileLength_) {
            const uint32_t count = length_ - start < tileLength_ ? length_ - start : tileLength_;
            CopyIn(start, count);
            Compute(count);
            CopyOut(start, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t start, uint32_t count)
    {
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        LocalTensor<T> xLocal = inQueueX_.template AllocTensor<T>();
        DataCopyPad(xLocal, xGm_[start], copyParams, padParams);
        inQueueX_.EnQue(xLocal);
        LocalTensor<T> yLocal = inQueueY_.template AllocTensor<T>();
        DataCopyPad(yLocal, yGm_[start], copyParams, padParams);
        inQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.template DeQue<T>();
        LocalTensor<T> yLocal = inQueueY_.template DeQue<T>();
        LocalTensor<T> zLocal = outQueueZ_.template AllocTensor<T>();
        if constexpr (sizeof(T) == 2) {
            LocalTensor<float> xFloat = xFloatBuf_.Get<float>();
            LocalTensor<float> yFloat = yFloatBuf_.Get<float>();
            Cast(xFloat, xLocal, RoundMode::CAST_NONE, count);
            Cast(yFloat, yLocal, RoundMode::CAST_NONE, count);
            Sub(xFloat, xFloat, yFloat, count);
            Mul(xFloat, xFloat, xFloat, count);
            Cast(zLocal, xFloat, RoundMode::CAST_RINT, count);
        } else {
            Sub(zLocal, xLocal, yLocal, count);
            Mul(zLocal, zLocal, zLocal, count);
        }
        outQueueZ_.EnQue(zLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueY_.FreeTensor(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<T> zLocal = outQueueZ_.template DeQue<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(zGm_[start], zLocal, copyParams);
        outQueueZ_.FreeTensor(zLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueY_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueZ_;
    TBuf<QuePosition::VECCALC> xFloatBuf_;
    TBuf<QuePosition::VECCALC> yFloatBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    GlobalTensor<T> zGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void squared_difference(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    SquaredDifferenceKernel<DTYPE_X> op;
    op.Init(x, y, z, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength);
    op.Process();
}
