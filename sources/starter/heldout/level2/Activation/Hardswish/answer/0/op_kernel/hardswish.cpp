// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// y = x * min(max(x + 3, 0), 6) / 6, in float.
template <typename T>
class HardswishKernel {
public:
    __aicore__ inline HardswishKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const HardswishTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(valueBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(gateBuf_, tileLength_ * sizeof(float));
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
        LocalTensor<float> value = valueBuf_.Get<float>();
        LocalTensor<float> gate = gateBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Adds(gate, xLocal, 3.0f, count);
        } else {
            Cast(value, xLocal, RoundMode::CAST_NONE, count);
            Adds(gate, value, 3.0f, count);
        }
        Maxs(gate, gate, 0.0f, count);
        Mins(gate, gate, 6.0f, count);
        Muls(gate, gate, 1.0f / 6.0f, count);
        if constexpr (std::is_same<T, float>::value) {
            Mul(yLocal, xLocal, gate, count);
        } else {
            Mul(value, value, gate, count);
            Cast(yLocal, value, RoundMode::CAST_RINT, count);
        }
        inQueue_.FreeTensor(xLocal);
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
    TBuf<QuePosition::VECCALC> valueBuf_;
    TBuf<QuePosition::VECCALC> gateBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
};

extern "C" __global__ __aicore__ void hardswish(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    HardswishKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
