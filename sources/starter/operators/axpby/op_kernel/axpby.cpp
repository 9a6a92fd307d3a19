// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// z = alpha * x + beta * y, accumulated in float so that cancellation costs half inputs nothing.
template <typename T>
class AxpbyKernel {
public:
    __aicore__ inline AxpbyKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AxpbyTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        alpha_ = tiling.alpha;
        beta_ = tiling.beta;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        zGm_.SetGlobalBuffer((__gm__ T*)z + offset, length_);
        pipe_.InitBuffer(inQueueX_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(inQueueY_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueueZ_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(sumBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(termBuf_, tileLength_ * sizeof(float));
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
        LocalTensor<float> sum = sumBuf_.Get<float>();
        LocalTensor<float> term = termBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Muls(sum, xLocal, alpha_, count);
            Muls(term, yLocal, beta_, count);
            Add(zLocal, sum, term, count);
        } else {
            Cast(sum, xLocal, RoundMode::CAST_NONE, count);
            Cast(term, yLocal, RoundMode::CAST_NONE, count);
            Muls(sum, sum, alpha_, count);
            Axpy(sum, term, beta_, count);
            Cast(zLocal, sum, RoundMode::CAST_RINT, count);
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
    TBuf<QuePosition::VECCALC> sumBuf_;
    TBuf<QuePosition::VECCALC> termBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    GlobalTensor<T> zGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    float alpha_ = 1.0f;
    float beta_ = 1.0f;
};

extern "C" __global__ __aicore__ void axpby(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    AxpbyKernel<DTYPE_X> op;
    op.Init(x, y, z, tilingData);
    op.Process();
}
