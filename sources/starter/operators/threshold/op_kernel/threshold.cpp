// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t VECTOR_BYTES = 256;

/// y = x where x > threshold, value elsewhere.
template <typename T>
class ThresholdKernel {
public:
    __aicore__ inline ThresholdKernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ThresholdTilingData& tiling)
    {
        const uint32_t offset = GetBlockIdx() * tiling.blockLength;
        if (offset >= tiling.totalLength) {
            return;
        }
        const uint32_t rest = tiling.totalLength - offset;
        length_ = rest < tiling.blockLength ? rest : tiling.blockLength;
        tileLength_ = tiling.tileLength;
        threshold_ = static_cast<T>(tiling.threshold);
        value_ = static_cast<T>(tiling.value);
        xGm_.SetGlobalBuffer((__gm__ T*)x + offset, length_);
        yGm_.SetGlobalBuffer((__gm__ T*)y + offset, length_);
        pipe_.InitBuffer(inQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(outQueue_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe_.InitBuffer(paddedBuf_, tileLength_ * sizeof(T));
        pipe_.InitBuffer(maskBuf_, tileLength_ / 8); // one bit an element
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
        LocalTensor<T> padded = paddedBuf_.template Get<T>();
        LocalTensor<uint8_t> mask = maskBuf_.Get<uint8_t>();
        // A comparison takes whole 256-byte vectors: give the lanes behind a tail a defined value.
        constexpr uint32_t VECTOR_LENGTH = VECTOR_BYTES / sizeof(T);
        const uint32_t paddedCount = (count + VECTOR_LENGTH - 1) / VECTOR_LENGTH * VECTOR_LENGTH;
        Duplicate(padded, static_cast<T>(0.0f), paddedCount);
        Adds(padded, xLocal, static_cast<T>(0.0f), count);
        CompareScalar(mask, padded, threshold_, CMPMODE::GT, paddedCount);
        Select(yLocal, mask, xLocal, value_, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
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
    TBuf<QuePosition::VECCALC> paddedBuf_;
    TBuf<QuePosition::VECCALC> maskBuf_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    uint32_t length_ = 0;
    uint32_t tileLength_ = 1;
    T threshold_;
    T value_;
};

extern "C" __global__ __aicore__ void threshold(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    ThresholdKernel<DTYPE_X> op;
    op.Init(x, y, tilingData);
    op.Process();
}
