// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// loss[0] = mean over all elements of max(0, margin - score * label).
/// One core adds lane by lane into `sum`, then reduces that once: the order, and so the result, is the same in every run.
class HingeLossKernel {
public:
    __aicore__ inline HingeLossKernel() {}

    __aicore__ inline void Init(GM_ADDR score, GM_ADDR label, GM_ADDR loss, uint32_t totalLength, uint32_t tileLength,
                                float margin)
    {
        totalLength_ = totalLength;
        tileLength_ = tileLength;
        margin_ = margin;
        scoreGm_.SetGlobalBuffer((__gm__ float*)score, totalLength);
        labelGm_.SetGlobalBuffer((__gm__ float*)label, totalLength);
        lossGm_.SetGlobalBuffer((__gm__ float*)loss, 1);
        pipe_.InitBuffer(scoreQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_.InitBuffer(labelQueue_, BUFFER_NUM, tileLength * sizeof(float));
        pipe_.InitBuffer(lossQueue_, 1, sizeof(float));
        pipe_.InitBuffer(termBuf_, tileLength * sizeof(float));
        pipe_.InitBuffer(sumBuf_, tileLength * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        LocalTensor<float> sum = sumBuf_.Get<float>();
        Duplicate(sum, 0.0f, tileLength_);
        for (uint32_t start = 0; start < totalLength_; start += tileLength_) {
            const uint32_t count = totalLength_ - start < tileLength_ ? totalLength_ - start : tileLength_;
            CopyIn(start, count);
            Accumulate(sum, count);
        }
        Reduce(sum);
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn(uint32_t start, uint32_t count)
    {
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        const DataCopyPadExtParams<float> padParams{false, 0, 0, 0};
        LocalTensor<float> scoreLocal = scoreQueue_.AllocTensor<float>();
        LocalTensor<float> labelLocal = labelQueue_.AllocTensor<float>();
        DataCopyPad(scoreLocal, scoreGm_[start], copyParams, padParams);
        DataCopyPad(labelLocal, labelGm_[start], copyParams, padParams);
        scoreQueue_.EnQue(scoreLocal);
        labelQueue_.EnQue(labelLocal);
    }

    __aicore__ inline void Accumulate(const LocalTensor<float>& sum, uint32_t count)
    {
        LocalTensor<float> scoreLocal = scoreQueue_.DeQue<float>();
        LocalTensor<float> labelLocal = labelQueue_.DeQue<float>();
        LocalTensor<float> term = termBuf_.Get<float>();
        Mul(term, scoreLocal, labelLocal, count);
        Muls(term, term, -1.0f, count);
        Adds(term, term, margin_, count);
        Relu(term, term, count);
        Add(sum, sum, term, count);
        scoreQueue_.FreeTensor(scoreLocal);
        labelQueue_.FreeTensor(labelLocal);
    }

    __aicore__ inline void Reduce(const LocalTensor<float>& sum)
    {
        LocalTensor<float> work = termBuf_.Get<float>();
        LocalTensor<float> lossLocal = lossQueue_.AllocTensor<float>();
        ReduceSum(lossLocal, sum, work, tileLength_);
        Muls(lossLocal, lossLocal, 1.0f / static_cast<float>(static_cast<int32_t>(totalLength_)), 1);
        lossQueue_.EnQue(lossLocal);
    }

    __aicore__ inline void CopyOut()
    {
        LocalTensor<float> lossLocal = lossQueue_.DeQue<float>();
        const DataCopyExtParams copyParams{1, sizeof(float), 0, 0, 0};
        DataCopyPad(lossGm_, lossLocal, copyParams);
        lossQueue_.FreeTensor(lossLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> scoreQueue_;
    TQue<QuePosition::VECIN, BUFFER_NUM> labelQueue_;
    TQue<QuePosition::VECOUT, 1> lossQueue_;
    TBuf<QuePosition::VECCALC> termBuf_;
    TBuf<QuePosition::VECCALC> sumBuf_;
    GlobalTensor<float> scoreGm_;
    GlobalTensor<float> labelGm_;
    GlobalTensor<float> lossGm_;
    uint32_t totalLength_ = 0;
    uint32_t tileLength_ = 1;
    float margin_ = 1.0f;
};

extern "C" __global__ __aicore__ void hinge_loss(GM_ADDR score, GM_ADDR label, GM_ADDR loss, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (GetBlockIdx() != 0) {
        return;
    }
    HingeLossKernel op;
    op.Init(score, label, loss, tilingData.totalLength, tilingData.tileLength, tilingData.margin);
    op.Process();
}
