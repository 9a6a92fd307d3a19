// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// average = decay * average + (1 - decay) * value, written over the old average.
template <typename T>
class EmaUpdateKernel {
public:
    __aicore__ inline EmaUpdateKernel() {}

    /// average and averageRef are one tensor: a tile is read whole before it is written, and no two cores share a tile.
    __aicore__ inline void Init(GM_ADDR average, GM_ADDR value, GM_ADDR averageRef, const EmaUpdateTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        decay_ = tiling.decay;
        averageGm_.SetGlobalBuffer((__gm__ T*)average + offset, length_);
        valueGm_.SetGlobalBuffer((__gm__ T*)value + offset, length_);
        resultGm_.SetGlobalBuffer((__gm__ T*)averageRef + offset, length_);
        pipe_.InitBuffer(averageQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(valueQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(resultQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(keptBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(addedBuf_, tileLength_ * sizeof(float));
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
        LocalTensor<T> averageLocal = averageQueue_.template AllocTensor<T>();
        LocalTensor<T> valueLocal = valueQueue_.template AllocTensor<T>();
        DataCopyPad(averageLocal, averageGm_[start], copyParams, padParams);
        DataCopyPad(valueLocal, valueGm_[start], copyParams, padParams);
        averageQueue_.EnQue(averageLocal);
        valueQueue_.EnQue(valueLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> averageLocal = averageQueue_.template DeQue<T>();
        LocalTensor<T> valueLocal = valueQueue_.template DeQue<T>();
        LocalTensor<T> resultLocal = resultQueue_.template AllocTensor<T>();
        LocalTensor<float> kept = keptBuf_.Get<float>();
        LocalTensor<float> added = addedBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Muls(kept, averageLocal, decay_, count);
            Muls(added, valueLocal, 1.0f - decay_, count);
            Add(resultLocal, kept, added, count);
        } else {
            Cast(kept, averageLocal, RoundMode::CAST_NONE, count);
            Cast(added, valueLocal, RoundMode::CAST_NONE, count);
            Muls(kept, kept, decay_, count);
            Muls(added, added, 1.0f - decay_, count);
            Add(kept, kept, added, count);
            Cast(resultLocal, kept, RoundMode::CAST_RINT, count);
        }
        resultQueue_.EnQue(resultLocal);
        averageQueue_.FreeTensor(averageLocal);
        valueQueue_.FreeTensor(valueLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<T> resultLocal = resultQueue_.template DeQue<T>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(resultGm_[start], resultLocal, copyParams);
        resultQueue_.FreeTensor(resultLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> averageQueue_;
    TQue<QuePosition::VECIN, BUFFER_NUM> valueQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> resultQueue_;
    TBuf<QuePosition::VECCALC> keptBuf_;
    TBuf<QuePosition::VECCALC> addedBuf_;
    GlobalTensor<T> averageGm_;
    GlobalTensor<T> valueGm_;
    GlobalTensor<T> resultGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    float decay_ = 0.0f;
};

extern "C" __global__ __aicore__ void ema_update(GM_ADDR average, GM_ADDR value, GM_ADDR average_ref, GM_ADDR workspace,
                                                 GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    EmaUpdateKernel<DTYPE_AVERAGE> op;
    op.Init(average, value, average_ref, tilingData);
    op.Process();
}
