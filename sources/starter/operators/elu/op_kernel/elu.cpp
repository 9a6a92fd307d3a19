// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// y = max(x, 0) + alpha * (exp(min(x, 0)) - 1), in float. The exponent is never positive, so nothing overflows.
template <typename T>
class EluKernel {
public:
    __aicore__ inline EluKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const EluTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        alpha_ = tiling.alpha;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(positiveBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(negativeBuf_, tileLength_ * sizeof(float));
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
        LocalTensor<T> xLocal = inQueue_.template AllocTensor<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[start], copyParams, padParams);
        inQueue_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue_.template DeQue<T>();
        LocalTensor<T> yLocal = outQueue_.template AllocTensor<T>();
        LocalTensor<float> positive = positiveBuf_.Get<float>();
        LocalTensor<float> negative = negativeBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Mins(negative, xLocal, 0.0f, count);
            Maxs(positive, xLocal, 0.0f, count);
        } else {
            Cast(positive, xLocal, RoundMode::CAST_NONE, count);
            Mins(negative, positive, 0.0f, count);
            Maxs(positive, positive, 0.0f, count);
        }
        inQueue_.FreeTensor(xLocal);
        Exp(negative, negative, count);
        Adds(negative, negative, -1.0f, count);
        Muls(negative, negative, alpha_, count);
        if constexpr (std::is_same<T, float>::value) {
            Add(yLocal, positive, negative, count);
        } else {
            Add(positive, positive, negative, count);
            Cast(yLocal, positive, RoundMode::CAST_RINT, count);
        }
        outQueue_.EnQue(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<T> yLocal = outQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm_[start], yLocal, copyParams);
        outQueue_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue_;
    TBuf<QuePosition::VECCALC> positiveBuf_;
    TBuf<QuePosition::VECCALC> negativeBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    float alpha_ = 1.0f;
};

extern "C" __global__ __aicore__ void elu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    EluKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
