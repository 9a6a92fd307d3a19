// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"
#include "mish_compute.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// Mish activation. Half and bfloat16 pass through float.
template <typename T>
class MishKernel {
public:
    __aicore__ inline MishKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, uint32_t blockLength, uint32_t tileLength)
    {
        const uint32_t offset = GetBlockIdx() * blockLength;
        if (offset >= totalLength) {
            return;
        }
        length_ = totalLength - offset < blockLength ? totalLength - offset : blockLength;
        tileLength_ = tileLength;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileLength * sizeof(T));
        pipe_.InitBuffer(valueBuf_, tileLength * sizeof(float));
        pipe_.InitBuffer(numeratorBuf_, tileLength * sizeof(float));
        pipe_.InitBuffer(denominatorBuf_, tileLength * sizeof(float));
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
        LocalTensor<float> numerator = numeratorBuf_.Get<float>();
        LocalTensor<float> denominator = denominatorBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            MishOp::Mish(yLocal, xLocal, numerator, denominator, count);
        } else {
            LocalTensor<float> value = valueBuf_.Get<float>();
            Cast(value, xLocal, RoundMode::CAST_NONE, count);
            MishOp::Mish(value, value, numerator, denominator, count);
            Cast(yLocal, value, RoundMode::CAST_RINT, count);
        }
        outQueue_.EnQue(yLocal);
        inQueue_.FreeTensor(xLocal);
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
    TBuf<QuePosition::VECCALC> valueBuf_;
    TBuf<QuePosition::VECCALC> numeratorBuf_;
    TBuf<QuePosition::VECCALC> denominatorBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void mish(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    MishKernel<DTYPE_X> op;
    op.Init(x, y, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength);
    op.Process();
}
