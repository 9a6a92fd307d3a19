// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// z = max(x, y). Former cores hold one 32-byte block more than tail cores; only the last core may end inside a block.
template <typename T>
class MaximumKernel {
public:
    __aicore__ inline MaximumKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const MaximumTilingData& tiling)
    {
        const uint32_t block = GetBlockIdx();
        uint32_t offset = block * tiling.formerLength;
        uint32_t length = tiling.formerLength;
        if (block >= tiling.formerNum) {
            offset = tiling.formerNum * tiling.formerLength + (block - tiling.formerNum) * tiling.tailLength;
            length = tiling.tailLength;
        }
        if (offset >= tiling.totalLength) {
            return;
        }
        length_ = tiling.totalLength - offset < length ? tiling.totalLength - offset : length;
        tileLength_ = tiling.tileLength;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        zGm_.SetGlobalBuffer((__gm__ T*)z + offset, length_);
        pipe_.InitBuffer(inQueueX_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(inQueueY_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueueZ_, BUFFER_NUM, tileLength_ * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        const uint32_t tileNum = (length_ + tileLength_ - 1) / tileLength_;
        for (uint32_t i = 0; i < tileNum; ++i) {
            const uint32_t start = i * tileLength_;
            const uint32_t count = i + 1 == tileNum ? length_ - start : tileLength_;
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
        LocalTensor<T> yLocal = inQueueY_.template AllocTensor<T>();
        DataCopyPad(xLocal, xGm_[start], copyParams, padParams);
        DataCopyPad(yLocal, yGm_[start], copyParams, padParams);
        inQueueX_.EnQue(xLocal);
        inQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.template DeQue<T>();
        LocalTensor<T> yLocal = inQueueY_.template DeQue<T>();
        LocalTensor<T> zLocal = outQueueZ_.template AllocTensor<T>();
        Max(zLocal, xLocal, yLocal, count);
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
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    GlobalTensor<T> zGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void maximum(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    MaximumKernel<DTYPE_X> op;
    op.Init(x, y, z, tilingData);
    op.Process();
}
