// Elements in another order: Transpose, Pad, UnPad, TransData. Source: Ascend C high-level API, tensor transformation,
// and basic API, Transpose.
#ifndef TWIN_LAYOUT_H
#define TWIN_LAYOUT_H

#include "kernel_tiling/kernel_tiling.h"
#include "twin/coordinates.h"
#include "twin/tensor.h"

namespace AscendC {

/// Numbers are the host's. From ND2ND_021 on they are for another device.
enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW,
    TRANSPOSE_ND2ND_021,
    TRANSPOSE_ND2ND_102,
    TRANSPOSE_ND2ND_210,
    TRANSPOSE_ND2NZ_WITH_INTLV
};

/// The input's axes. For TRANSPOSE_ND2ND_B16 both hSize and wSize are 16.
struct TransposeParamsExt {
    __aicore__ TransposeParamsExt() {}
    __aicore__ TransposeParamsExt(const uint16_t n, const uint16_t c, const uint16_t h, const uint16_t w,
                                  const TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

/// Columns to put in front and behind, and their value.
struct PadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
    int32_t padValue = 0;
};
/// Columns to drop behind; leftPad does nothing.
struct UnPadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
};

/// Matrices in columns of 16 elements, to rows in GM. srcNdMatrixStride: fractals of 256 elements from matrix to
/// matrix; srcNStride: 16 elements from column to column; dstDStride, dstNdMatrixStride: elements from row to row and
/// from matrix to matrix.
struct Nz2NdParamsFull {
    __aicore__ Nz2NdParamsFull() {}
    __aicore__ Nz2NdParamsFull(const uint16_t nd, const uint16_t n, const uint16_t d, const uint16_t srcMatrix,
                               const uint16_t srcN, const uint16_t dstD, const uint16_t dstMatrix)
        : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcMatrix), srcNStride(srcN), dstDStride(dstD),
          dstNdMatrixStride(dstMatrix) {}
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcNStride = 0;
    uint16_t dstDStride = 0;
    uint16_t dstNdMatrixStride = 0;
};

template <typename T, typename U>
struct TransDataParams {
    T srcLayout;
    U dstLayout;
};

}  // namespace AscendC

namespace twin {

struct PaddedRows {
    uint32_t rows, columns, used;  // `used` of a row's columns hold values
    uint32_t left, right;
};
/// value: the bytes of an element.
void PadRows(uint32_t elementBytes, const Local& dst, const Local& src, const Local* work, const PaddedRows& shape,
             const void* value);
void UnPadRows(uint32_t elementBytes, const Local& dst, const Local& src, const PaddedRows& shape);
void TransposeKind(uint32_t elementBytes, const Local& dst, const Local& src, const Local* work, uint32_t kind,
                   const ConfusionTransposeTiling& tiling);
void CopyNz2Nd(const Global& dst, const Local& src, Type type, uint32_t elementBytes,
               const AscendC::Nz2NdParamsFull& params);
void TransposeImage(uint32_t elementBytes, const Local& dst, const Local& src, const Local& work,
                    const AscendC::TransposeParamsExt& params);
/// Axes of both sides as their formats name them.
struct Axes {
    uint32_t of[7];
    uint32_t count;
};
void TransformFormat(const Local& dst, const Local& src, const Local* work, const AscendC::TransDataConfig& config,
                     const Axes& srcAxes, const Axes& dstAxes);

template <typename Tuple, size_t... I>
Axes AxesOf(const Tuple& shape, AscendC::Std::index_sequence<I...>) {
    return {{static_cast<uint32_t>(AscendC::Std::get<I>(shape))...}, sizeof...(I)};
}
template <typename... T>
Axes AxesOf(const AscendC::Std::tuple<T...>& shape) {
    static_assert(sizeof...(T) <= 7, "TransData takes layouts of at most seven axes");
    return AxesOf(shape, AscendC::Std::make_index_sequence<sizeof...(T)>());
}

}  // namespace twin

namespace AscendC {

#define TWIN_PAD_TYPES                                                               \
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, int32_t, uint32_t, float>, \
                  "Pad, UnPad and Transpose on this device take 16- and 32-bit integers, half and float")

/// dst[r] = left columns of padValue, src[r], right columns of it. Rows that are no multiple of 32 bytes stand behind
/// each other and become at most the next multiple; of rows that are one, the last rightPad columns are set.
template <typename T>
__aicore__ inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, PadParams& padParams,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, PadTiling& tiling) {
    TWIN_PAD_TYPES;
    const T value = static_cast<T>(padParams.padValue);
    twin::PadRows(sizeof(T), dstTensor, srcTensor, &sharedTmpBuffer,
                  {tiling.srcHeight, tiling.srcWidth, tiling.srcOriWidth, padParams.leftPad, padParams.rightPad},
                  &value);
}
template <typename T>
__aicore__ inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, PadParams& padParams,
                           PadTiling& tiling) {
    TWIN_PAD_TYPES;
    const T value = static_cast<T>(padParams.padValue);
    twin::PadRows(sizeof(T), dstTensor, srcTensor, nullptr,
                  {tiling.srcHeight, tiling.srcWidth, tiling.srcOriWidth, padParams.leftPad, padParams.rightPad},
                  &value);
}
/// Rows that are multiples of 32 bytes without their last rightPad columns, behind each other.
template <typename T>
__aicore__ inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, UnPadParams& unPadParams,
                             UnPadTiling& tiling) {
    TWIN_PAD_TYPES;
    twin::UnPadRows(sizeof(T), dstTensor, srcTensor,
                    {tiling.srcHeight, tiling.srcWidth, tiling.srcWidth, unPadParams.leftPad, unPadParams.rightPad});
}
/// This device needs no temporary memory for it.
template <typename T>
__aicore__ inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, UnPadParams& unPadParams,
                             LocalTensor<uint8_t>&, UnPadTiling& tiling) {
    UnPad(dstTensor, srcTensor, unPadParams, tiling);
}

/// Kinds 1 to 7: NZ to ND or NZ with axes 1 and 2 exchanged, with the last axis split or joined, and [H, W] to [W, H].
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, TransposeType transposeType,
                                 ConfusionTransposeTiling& tiling) {
    TWIN_PAD_TYPES;
    twin::TransposeKind(sizeof(T), dst, src, &sharedTmpBuffer, static_cast<uint32_t>(transposeType), tiling);
}
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, TransposeType transposeType,
                                 ConfusionTransposeTiling& tiling) {
    TWIN_PAD_TYPES;
    twin::TransposeKind(sizeof(T), dst, src, nullptr, static_cast<uint32_t>(transposeType), tiling);
}
/// The older name.
template <typename T>
__aicore__ inline void ConfusionTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer, TransposeType transposeType,
                                          ConfusionTransposeTiling& tiling) {
    Transpose(dst, src, sharedTmpBuffer, transposeType, tiling);
}
template <typename T>
__aicore__ inline void ConfusionTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          TransposeType transposeType, ConfusionTransposeTiling& tiling) {
    Transpose(dst, src, transposeType, tiling);
}
#undef TWIN_PAD_TYPES

/// A 16 x 16 matrix of uint16_t, or [N, C, H, W] to [N, H, W, C] and back.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer,
                                 const TransposeParamsExt& transposeParams) {
    static_assert(twin::oneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>,
                  "Transpose on this device takes 8-, 16- and 32-bit integers, half and float");
    twin::TransposeImage(sizeof(T), dst, src, sharedTmpBuffer, transposeParams);
}

/// UB to GM, from columns of 16 elements to rows.
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                const Nz2NdParamsFull& intriParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "DataCopy with Nz2NdParamsFull takes 16- and 32-bit types on this device");
    twin::CopyNz2Nd(dst, src, twin::typeOf<T>, sizeof(T), intriParams);
}

#define TWIN_TRANS_DATA                                                                                             \
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t>,                                              \
                  "TransData on this device takes int16_t, uint16_t, half and bfloat16_t");                         \
    static_assert((config.srcFormat == DataFormat::NCDHW &&                                                         \
                   (config.dstFormat == DataFormat::NDC1HWC0 || config.dstFormat == DataFormat::FRACTAL_Z_3D)) ||   \
                      (config.dstFormat == DataFormat::NCDHW &&                                                     \
                       (config.srcFormat == DataFormat::NDC1HWC0 || config.srcFormat == DataFormat::FRACTAL_Z_3D)), \
                  "TransData goes between NCDHW and NDC1HWC0 or FRACTAL_Z_3D")
/// Between NCDHW, whose planes H x W are padded to 32 bytes, and a format with blocks of 16 channels (and of 16 of N).
template <const TransDataConfig& config, typename T, typename U, typename S>
__aicore__ inline void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const TransDataParams<U, S>& params) {
    TWIN_TRANS_DATA;
    twin::TransformFormat(dstTensor, srcTensor, &sharedTmpBuffer, config, twin::AxesOf(params.srcLayout.shape),
                          twin::AxesOf(params.dstLayout.shape));
}
template <const TransDataConfig& config, typename T, typename U, typename S>
__aicore__ inline void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                 const TransDataParams<U, S>& params) {
    TWIN_TRANS_DATA;
    twin::TransformFormat(dstTensor, srcTensor, nullptr, config, twin::AxesOf(params.srcLayout.shape),
                          twin::AxesOf(params.dstLayout.shape));
}
#undef TWIN_TRANS_DATA

}  // namespace AscendC

#endif
