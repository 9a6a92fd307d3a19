// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// z = |x - y|. `Aligned`: the tensors are whole 32-byte blocks, so that plain DataCopy moves every tile.
template <typename T, bool Aligned>
class AbsDiffKernel {
public:
    __aicore__ inline AbsDiffKernel() {}

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
    }

    __aicore__ inline void Process()
    {
        const uint32_t tileNum = length_ / tileLength_;
        const uint32_t tailLength = length_ % tileLength_;
        for (uint32_t i = 0; i < tileNum; ++i) {
            ProcessTile(i * tileLength_, tileLength_);
        }
        if (tailLength > 0) {
            ProcessTile(tileNum * tileLength_, tailLength);
        }
    }

private:
    __aicore__ inline void ProcessTile(uint32_t start, uint32_t count)
    {
        CopyIn(start, count);
        Compute(count);
        CopyOut(start, count);
    }

    __aicore__ inline void Load(const LocalTensor<T>& local, const GlobalTensor<T>& global, uint32_t count)
    {
        if constexpr (Aligned) {
            DataCopy(local, global, count);
        } else {
            const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
            const DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
            DataCopyPad(local, global, copyParams, padParams);
        }
    }

    __aicore__ inline void CopyIn(uint32_t start, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.template AllocTensor<T>();
        LocalTensor<T> yLocal = inQueueY_.template AllocTensor<T>();
        Load(xLocal, xGm_[start], count);
        Load(yLocal, yGm_[start], count);
        inQueueX_.EnQue(xLocal);
        inQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.template DeQue<T>();
        LocalTensor<T> yLocal = inQueueY_.template DeQue<T>();
        LocalTensor<T> zLocal = outQueueZ_.template AllocTensor<T>();
        Sub(zLocal, xLocal, yLocal, count);
        Abs(zLocal, zLocal, count);
        outQueueZ_.EnQue(zLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueY_.FreeTensor(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<T> zLocal = outQueueZ_.template DeQue<T>();
        if constexpr (Aligned) {
            DataCopy(zGm_[start], zLocal, count);
        } else {
            const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
            DataCopyPad(zGm_[start], zLocal, copyParams);
        }
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

extern "C" __global__ __aicore__ void abs_diff(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        AbsDiffKernel<DTYPE_X, true> op;
        op.Init(x, y, z, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength);
        op.Process();
    } else if (TILING_KEY_IS(0)) {
        AbsDiffKernel<DTYPE_X, false> op;
        op.Init(x, y, z, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength);
        op.Process();
    }
}
