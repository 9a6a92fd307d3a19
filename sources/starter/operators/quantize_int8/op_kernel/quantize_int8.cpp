// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

/// y = round(x * scale + offset), ties to even, saturated to [-128, 127].
/// int8 is reached from half only; after rounding in float the value is a small integer, which half holds exactly.
template <typename T>
class QuantizeInt8Kernel {
public:
    __aicore__ inline QuantizeInt8Kernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const QuantizeInt8TilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        scale_ = tiling.scale;
        offset_ = tiling.offset;
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ int8_t*)y + offset, length_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileLength_ * sizeof(int8_t));
        pipe_.InitBuffer(floatBuf_, tileLength_ * sizeof(float));
        pipe_.InitBuffer(halfBuf_, tileLength_ * sizeof(half));
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
        LocalTensor<float> scaled = floatBuf_.Get<float>();
        if constexpr (std::is_same<T, float>::value) {
            Muls(scaled, xLocal, scale_, count);
        } else {
            Cast(scaled, xLocal, RoundMode::CAST_NONE, count);
            Muls(scaled, scaled, scale_, count);
        }
        inQueue_.FreeTensor(xLocal);
        Adds(scaled, scaled, offset_, count);
        Mins(scaled, scaled, 127.0f, count);
        Maxs(scaled, scaled, -128.0f, count);
        Cast(scaled, scaled, RoundMode::CAST_RINT, count); // float to float rounds to an integral value

        LocalTensor<half> rounded = halfBuf_.Get<half>();
        Cast(rounded, scaled, RoundMode::CAST_NONE, count);
        LocalTensor<int8_t> yLocal = outQueue_.AllocTensor<int8_t>();
        Cast(yLocal, rounded, RoundMode::CAST_NONE, count);
        outQueue_.EnQue(yLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        LocalTensor<int8_t> yLocal = outQueue_.DeQue<int8_t>();
        const DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(int8_t)), 0, 0, 0};
        DataCopyPad(yGm_[start], yLocal, copyParams);
        outQueue_.FreeTensor(yLocal);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueue_;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueue_;
    TBuf<QuePosition::VECCALC> floatBuf_;
    TBuf<QuePosition::VECCALC> halfBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<int8_t> yGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    float scale_ = 1.0f;
    float offset_ = 0.0f;
};

extern "C" __global__ __aicore__ void quantize_int8(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    QuantizeInt8Kernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
