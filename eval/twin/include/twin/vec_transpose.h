// Transposition of sixteen 32-byte blocks. Source: Ascend C basic API, TransDataTo5HD.
#ifndef TWIN_VEC_TRANSPOSE_H
#define TWIN_VEC_TRANSPOSE_H

#include "twin/tensor.h"

namespace twin {
/// dst, src: sixteen addresses of UB each.
void TransposeBlocks(const char* api, uint32_t elementBytes, const uint64_t* dst, const uint64_t* src, int repeatTimes,
                     int dstRepStride, int srcRepStride, bool dstHighHalf, bool srcHighHalf);
}  // namespace twin

namespace AscendC {

/// Strides in 32-byte blocks from one repeat to the next; a single repeat starts one stride behind the addresses given.
struct TransDataTo5HDParams {
    constexpr TransDataTo5HDParams() = default;
    constexpr TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeats, uint16_t dstRep, uint16_t srcRep)
        : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRep), srcRepStride(srcRep) {
    }
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
};

/// Per repeat, with r rows of the sources' elements: 16-bit, dst[i][j] = src[j][i]; 32-bit, dst[2 i + j / 8][j % 8] =
/// src[j][i]; 8-bit, the same as 16-bit on one half of each block. T: 8-, 16- and 32-bit integers, half, float.
template <typename T>
__aicore__ inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                      uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams& nchwconvParams) {
    static_assert(twin::oneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>,
                  "TransDataTo5HD on this device takes 8-, 16- and 32-bit integers, half and float");
    twin::TransposeBlocks("TransDataTo5HD", sizeof(T), dstList, srcList, nchwconvParams.repeatTimes,
                          nchwconvParams.dstRepStride, nchwconvParams.srcRepStride, nchwconvParams.dstHighHalf,
                          nchwconvParams.srcHighHalf);
}
template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams& nchwconvParams) {
    uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = reinterpret_cast<uint64_t>(dstList[i].data);
        src[i] = reinterpret_cast<uint64_t>(srcList[i].data);
    }
    TransDataTo5HD<T>(dst, src, nchwconvParams);
}
/// The addresses stand in UB themselves.
template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                                      const TransDataTo5HDParams& nchwconvParams) {
    uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], srcList[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dstList[i] = dst.GetValue(i);
        srcList[i] = src.GetValue(i);
    }
    TransDataTo5HD<T>(dstList, srcList, nchwconvParams);
}

/// The implementation's name, with arrays of pointers: kernels of the operator libraries call it directly.
template <typename T>
__aicore__ inline void TransDataTo5HDImpl(__ubuf__ T* dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                          __ubuf__ T* srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                          const TransDataTo5HDParams& nchwconvParams) {
    uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = reinterpret_cast<uint64_t>(dstList[i]);
        src[i] = reinterpret_cast<uint64_t>(srcList[i]);
    }
    TransDataTo5HD<T>(dst, src, nchwconvParams);
}
template <typename T>
__aicore__ inline void TransDataTo5HDImpl(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                          const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                          const TransDataTo5HDParams& nchwconvParams) {
    TransDataTo5HD<T>(dstList, srcList, nchwconvParams);
}

}  // namespace AscendC

#endif
