// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// z = x * y for half tensors whose length is a whole number of 32-byte blocks (16 elements).
class MulFp16Kernel {
public:
    __aicore__ inline MulFp16Kernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength, uint32_t blockLength, uint32_t tileLength)
    {
        const uint32_t offset = GetBlockIdx() * blockLength;
        if (offset >= totalLength) {
            return; // length_ stays 0: no work for this core
        }
        length_ = totalLength - offset < blockLength ? totalLength - offset : blockLength;
        tileLength_ = tileLength;
        xGm_.SetGlobalBuffer((__gm__ half*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ half*)y + offset, length_);
        zGm_.SetGlobalBuffer((__gm__ half*)z + offset, length_);
        pipe_.InitBuffer(inQueueX_, BUFFER_NUM, tileLength * sizeof(half));
        pipe_.InitBuffer(inQueueY_, BUFFER_NUM, tileLength * sizeof(half));
        pipe_.InitBuffer(outQueueZ_, BUFFER_NUM, tileLength * sizeof(half));
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
        LocalTensor<half> xLocal = inQueueX_.AllocTensor<half>();
        LocalTensor<half> yLocal = inQueueY_.AllocTensor<half>();
        DataCopy(xLocal, xGm_[start], count);
        DataCopy(yLocal, yGm_[start], count);
        inQueueX_.EnQue(xLocal);
        inQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<half> xLocal = inQueueX_.DeQue<half>();
        LocalTensor<half> yLocal = inQueueY_.DeQue<half>();
        LocalTensor<half> zLocal = outQueueZ_.AllocTensor<half>();
        Mul(zLocal, xLocal, yLocal, count);
        outQueueZ_.EnQue(zLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueY_.FreeTensor(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<half> zLocal = outQueueZ_.DeQue<half>();
        DataCopy(zGm_[start], zLocal, count);
        outQueueZ_.FreeTensor(zLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueY_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueZ_;
    GlobalTensor<half> xGm_;
    GlobalTensor<half> yGm_;
    GlobalTensor<half> zGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void mul_fp16(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    MulFp16Kernel op;
    op.Init(x, y, z, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength);
    op.Process();
}
