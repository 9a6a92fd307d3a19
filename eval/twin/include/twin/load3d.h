// LoadData of feature maps: L1 to L0A or L0B, the windows of a convolution unfolded into the rows of a matrix on the
// way. Source: Ascend C basic API, matrix computation. Without a filter (1 x 1) it moves and transposes plain matrices.
#ifndef TWIN_LOAD3D_H
#define TWIN_LOAD3D_H

#include "twin/tensor.h"

namespace AscendC {

constexpr int32_t PAD_SIZE = 4;
struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

/// The feature map is l1H x l1W pixels of channelSize, padList wider at left, right, top and bottom. Of the matrix,
/// which has a row for each window and C1 x filterH x filterW x C0 columns, mExtension rows from mStartPt and
/// kExtension columns from kStartPt are loaded.
template <typename T>
struct LoadData3DParamsV2 {
    __aicore__ LoadData3DParamsV2() {}
    __aicore__ LoadData3DParamsV2(const uint8_t pads[PAD_SIZE], uint16_t h, uint16_t w, uint16_t channels,
                                  uint16_t kExt, uint16_t mExt, uint16_t kStart, uint16_t mStart, uint8_t strideWIn,
                                  uint8_t strideHIn, uint8_t filterWIn, uint8_t filterHIn, uint8_t dilationW,
                                  uint8_t dilationH, bool transpose, bool smallK, T pad, bool sizeW = false,
                                  bool sizeH = false, bool matrixCtrl = false)
        : l1H(h), l1W(w), channelSize(channels), kExtension(kExt), mExtension(mExt), kStartPt(kStart), mStartPt(mStart),
          strideW(strideWIn), strideH(strideHIn), filterW(filterWIn), filterH(filterHIn), dilationFilterW(dilationW),
          dilationFilterH(dilationH), enTranspose(transpose), enSmallK(smallK), padValue(pad), filterSizeW(sizeW),
          filterSizeH(sizeH), fMatrixCtrl(matrixCtrl) {
        for (int32_t i = 0; i < PAD_SIZE; ++i) padList[i] = pads[i];
    }
    uint8_t padList[PAD_SIZE] = {};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t channelSize = 0;
    uint16_t kExtension = 0;
    uint16_t mExtension = 0;
    uint16_t kStartPt = 0;
    uint16_t mStartPt = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    bool enTranspose = false;
    bool enSmallK = false;
    T padValue = 0;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
};

/// The same with its numbers packed into words, the lowest first: kExtension, mExtension, kStartPt, mStartPt of 16
/// bits; strideW, strideH, filterW, filterH, dilationFilterW, dilationFilterH of 8 bits.
struct LoadData3DParamsV2Pro {
    __aicore__ LoadData3DParamsV2Pro() {}
    __aicore__ LoadData3DParamsV2Pro(uint16_t channels, bool transpose, bool smallK, bool sizeW, bool sizeH,
                                     bool matrixCtrl, uint64_t ext, uint64_t filter)
        : channelSize(channels), enTranspose(transpose), enSmallK(smallK), filterSizeW(sizeW), filterSizeH(sizeH),
          fMatrixCtrl(matrixCtrl), extConfig(ext), filterConfig(filter) {}
    uint16_t channelSize = 0;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    uint64_t extConfig = 0;
    uint64_t filterConfig = 0x10101010101;
};

/// repeatTime pieces, along m (mode 0) or k (mode 1), whose starts are repeatStride apart: 16 rows, or 32 bytes of
/// columns.
struct LoadDataRepeatParam {
    __aicore__ LoadDataRepeatParam() {}
    __aicore__ LoadDataRepeatParam(uint16_t stride, uint8_t time, uint8_t mode)
        : repeatStride(stride), repeatTime(time), repeatMode(mode) {}
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint8_t reserved = 0;
};

}  // namespace AscendC

namespace twin {

struct FeatureMap {
    uint32_t height, width;
    uint8_t pad[4];  // left, right, top, bottom
};
struct UnfoldShape {
    uint32_t channels, kExtension, mExtension, kStart, mStart;
    uint32_t strideW, strideH, filterW, filterH, dilationW, dilationH;
    bool transpose;
};
void SetFeatureMap(const FeatureMap& map);
void SetFeaturePadding(uint64_t bits);
void SetUnfoldRepeat(uint32_t stride, uint32_t times, uint32_t mode);
void SetUnfoldBoundary(uint32_t bytes);
void LoadUnfolded(const Local& dst, const Local& src, uint32_t elementBytes, const UnfoldShape& shape);

template <typename T>
__aicore__ inline uint64_t PaddingBits(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

}  // namespace twin

namespace AscendC {

__aicore__ inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode&) {
    twin::SetFeatureMap({l1H, l1W, {padList[0], padList[1], padList[2], padList[3]}});
}
/// The name below the API, which kernels of matrix products use.
__aicore__ inline void Load3DSetFMatrixCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
    SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_LEFT);
}
/// Bytes; addresses of the source from here on start again at the begin of L1. 0: none.
__aicore__ inline void SetLoadDataBoundary(uint32_t boundaryValue) { twin::SetUnfoldBoundary(boundaryValue); }
__aicore__ inline void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
    twin::SetUnfoldRepeat(repeatParams.repeatStride, repeatParams.repeatTime, repeatParams.repeatMode);
}
template <typename T>
__aicore__ inline void SetLoadDataPaddingValue(const T padValue) {
    twin::SetFeaturePadding(twin::PaddingBits(padValue));
}

/// L0A: rows of fractals, all of it transposed with enTranspose. L0B: always transposed.
/// Violations: wrong-position, unaligned-ub, out-of-buffer, copy-params, unsupported-type, pipe-hazard.
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = PrimT<T>,
          std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<U>& p) {
    if (defaultConfig.isSetFMatrix)
        twin::SetFeatureMap({p.l1H, p.l1W, {p.padList[0], p.padList[1], p.padList[2], p.padList[3]}});
    if (defaultConfig.isSetPadding) twin::SetFeaturePadding(twin::PaddingBits(p.padValue));
    twin::LoadUnfolded(dst, src, sizeof(T),
                       {p.channelSize, p.kExtension, p.mExtension, p.kStartPt, p.mStartPt, p.strideW, p.strideH,
                        p.filterW + (p.filterSizeW ? 256u : 0u), p.filterH + (p.filterSizeH ? 256u : 0u),
                        p.dilationFilterW, p.dilationFilterH, p.enTranspose});
}
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2Pro& p) {
    const auto word = [&](int i) { return static_cast<uint32_t>(p.extConfig >> (16 * i) & 0xffff); };
    const auto byte = [&](int i) { return static_cast<uint32_t>(p.filterConfig >> (8 * i) & 0xff); };
    twin::LoadUnfolded(
        dst, src, sizeof(T),
        {p.channelSize, word(0), word(1), word(2), word(3), byte(0), byte(1), byte(2) + (p.filterSizeW ? 256u : 0u),
         byte(3) + (p.filterSizeH ? 256u : 0u), byte(4), byte(5), p.enTranspose});
}

}  // namespace AscendC

#endif
