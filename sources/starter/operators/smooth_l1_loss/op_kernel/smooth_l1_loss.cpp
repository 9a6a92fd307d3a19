// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t VECTOR_LENGTH = 64; // floats in one vector repeat

/// loss = 0.5 * d^2 / beta where d = |prediction - target| < beta, d - 0.5 * beta elsewhere; one loss an element.
template <typename T>
class SmoothL1LossKernel {
public:
    __aicore__ inline SmoothL1LossKernel() {}

    __aicore__ inline void Init(GM_ADDR prediction, GM_ADDR target, GM_ADDR loss, const SmoothL1LossTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        beta_ = tiling.beta;
        predictionGm_.SetGlobalBuffer((__gm__ T*)prediction + offset, length_);
        targetGm_.SetGlobalBuffer((__gm__ T*)target + offset, length_);
        lossGm_.SetGlobalBuffer((__gm__ T*)loss + offset, length_);
        pipe_.InitBuffer(predictionQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(targetQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(lossQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(distanceBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(quadraticBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(linearBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(maskBuf_, tileLength_ / 8);
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
        LocalTensor<T> predictionLocal = predictionQueue_.template AllocTensor<T>();
        DataCopyPad(predictionLocal, predictionGm_[start], copyParams, padParams);
        predictionQueue_.EnQue(predictionLocal);
        LocalTensor<T> targetLocal = targetQueue_.template AllocTensor<T>();
        DataCopyPad(targetLocal, targetGm_[start], copyParams, padParams);
        targetQueue_.EnQue(targetLocal);
    }

    /// distance = prediction - target in float; `scratch` holds the converted target of a half input.
    __aicore__ inline void Subtract(const LocalTensor<float>& distance, const LocalTensor<float>& scratch, uint32_t count)
    {
        LocalTensor<T> predictionLocal = predictionQueue_.template DeQue<T>();
        LocalTensor<T> targetLocal = targetQueue_.template DeQue<T>();
        if constexpr (std::is_same<T, float>::value) {
            Sub(distance, predictionLocal, targetLocal, count);
        } else {
            Cast(distance, predictionLocal, RoundMode::CAST_NONE, count);
            Cast(scratch, targetLocal, RoundMode::CAST_NONE, count);
            Sub(distance, distance, scratch, count);
        }
        predictionQueue_.FreeTensor(predictionLocal);
        targetQueue_.FreeTensor(targetLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<float> distance = distanceBuf_.Get<float>();
        LocalTensor<float> quadratic = quadraticBuf_.Get<float>();
        LocalTensor<float> linear = linearBuf_.Get<float>();
        LocalTensor<uint8_t> mask = maskBuf_.Get<uint8_t>();

        // The comparison works on whole vectors, so the lanes behind the tail are zeroed first.
        const uint32_t paddedCount = (count + VECTOR_LENGTH - 1) / VECTOR_LENGTH * VECTOR_LENGTH;
        Duplicate(distance, 0.0f, paddedCount);
        Subtract(distance, quadratic, count);
        Abs(distance, distance, count);
        CompareScalar(mask, distance, beta_, CMPMODE::LT, paddedCount);

        Mul(quadratic, distance, distance, count);
        Muls(quadratic, quadratic, 0.5f / beta_, count);
        Adds(linear, distance, -0.5f * beta_, count);

        LocalTensor<T> lossLocal = lossQueue_.template AllocTensor<T>();
        if constexpr (std::is_same<T, float>::value) {
            Select(lossLocal, mask, quadratic, linear, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
        } else {
            Select(linear, mask, quadratic, linear, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
            Cast(lossLocal, linear, RoundMode::CAST_RINT, count);
        }
        lossQueue_.EnQue(lossLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<T> lossLocal = lossQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(lossGm_[start], lossLocal, copyParams);
        lossQueue_.FreeTensor(lossLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> predictionQueue_;
    TQue<QuePosition::VECIN, BUFFER_NUM> targetQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> lossQueue_;
    TBuf<QuePosition::VECCALC> distanceBuf_;
    TBuf<QuePosition::VECCALC> quadraticBuf_;
    TBuf<QuePosition::VECCALC> linearBuf_;
    TBuf<QuePosition::VECCALC> maskBuf_;
    GlobalTensor<T> predictionGm_;
    GlobalTensor<T> targetGm_;
    GlobalTensor<T> lossGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    float beta_ = 1.0f;
};

extern "C" __global__ __aicore__ void smooth_l1_loss(GM_ADDR prediction, GM_ADDR target, GM_ADDR loss, GM_ADDR workspace,
                                                     GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    SmoothL1LossKernel<DTYPE_PREDICTION> op;
    op.Init(prediction, target, loss, tilingData);
    op.Process();
}
