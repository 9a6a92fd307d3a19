// Small integers to floating numbers with an offset and a scale. Source: Ascend C high-level API, AscendAntiQuant.
#ifndef TWIN_ANTIQUANT_H
#define TWIN_ANTIQUANT_H

#include "twin/temporary_sizes.h"
#include "twin/tensor.h"

namespace AscendC {

/// Shapes of offset and scale; 0: those that the tensors tell (SetShapeInfo).
struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0};
    uint32_t offsetWidth{0};
    uint32_t scaleHeight{0};
    uint32_t scaleWidth{0};
};

}  // namespace AscendC

namespace twin {

/// Rows and columns in memory: [K, N], or [N, K] when transposed. The tensors' axes are 1 x 1 for scalars.
struct AntiQuantOperand {
    const Local* tensor;
    float value;
    uint32_t rows, columns;
};
struct AntiQuantShape {
    uint32_t elements, k;
    bool transposed;
};
void AntiQuantRows(Type type, bool packed, const Local& dst, const Local& src, const AntiQuantOperand* offset,
                   const AntiQuantOperand& scale, const Local* work, const AntiQuantShape& shape);

/// A tensor of rows x columns, or of the shape that it tells when those are 0.
template <typename T>
AntiQuantOperand AntiQuantTensor(const AscendC::LocalTensor<T>& t, uint32_t rows, uint32_t columns) {
    if (rows != 0 && columns != 0) return {&t, 0, rows, columns};
    const AscendC::ShapeInfo info = t.GetShapeInfo();
    return {&t, 0, info.shapeDim < 2 ? 1 : info.shape[0], info.shapeDim < 2 ? info.shape[0] : info.shape[1]};
}
template <typename T>
AntiQuantOperand AntiQuantScalar(T value) {
    return {nullptr, static_cast<float>(value), 1, 1};
}

template <typename In, typename Out, bool isTranspose>
__aicore__ inline void AntiQuant(const AscendC::LocalTensor<Out>& dst, const AscendC::LocalTensor<In>& src,
                                 const AntiQuantOperand* offset, const AntiQuantOperand& scale, const Local* work,
                                 uint32_t k) {
    static_assert(oneOf<In, int8_t, AscendC::int4b_t> && oneOf<Out, half, bfloat16_t>,
                  "AscendAntiQuant on this device goes from int8_t and int4b_t to half and bfloat16_t");
    AntiQuantRows(typeOf<Out>, isInt4<In>, dst, src, offset, scale, work, {src.GetSize(), k, isTranspose});
}
}  // namespace twin

namespace AscendC {

/// dst[i][j] = scale * (src[i][j] + offset): one for each of N channels, or for groups of K. src: [K, N], or [N, K]
/// when isTranspose. Violations: operand-shape, temporary-memory, partial-overlap.
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const LocalTensor<OutputDataType>& offset,
                                       const LocalTensor<OutputDataType>& scale,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                                       const AntiQuantShapeInfo& shapeInfo = {}) {
    const twin::AntiQuantOperand shift = twin::AntiQuantTensor(offset, shapeInfo.offsetHeight, shapeInfo.offsetWidth);
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(
        dst, src, &shift, twin::AntiQuantTensor(scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth), &sharedTmpBuffer,
        k);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const LocalTensor<OutputDataType>& offset,
                                       const LocalTensor<OutputDataType>& scale, const uint32_t k,
                                       const AntiQuantShapeInfo& shapeInfo = {}) {
    const twin::AntiQuantOperand shift = twin::AntiQuantTensor(offset, shapeInfo.offsetHeight, shapeInfo.offsetWidth);
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(
        dst, src, &shift, twin::AntiQuantTensor(scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth), nullptr, k);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const LocalTensor<OutputDataType>& scale,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                                       const AntiQuantShapeInfo& shapeInfo = {}) {
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(
        dst, src, nullptr, twin::AntiQuantTensor(scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth), &sharedTmpBuffer,
        k);
}
/// The same with one offset and scale for all.
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const OutputDataType offset, const OutputDataType scale,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                                       const AntiQuantShapeInfo& = {}) {
    const twin::AntiQuantOperand shift = twin::AntiQuantScalar(offset);
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(dst, src, &shift, twin::AntiQuantScalar(scale),
                                                                &sharedTmpBuffer, k);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const OutputDataType offset, const OutputDataType scale, const uint32_t k,
                                       const AntiQuantShapeInfo& = {}) {
    const twin::AntiQuantOperand shift = twin::AntiQuantScalar(offset);
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(dst, src, &shift, twin::AntiQuantScalar(scale), nullptr,
                                                                k);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,
                                       const OutputDataType scale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                       const uint32_t k, const AntiQuantShapeInfo& = {}) {
    twin::AntiQuant<InputDataType, OutputDataType, isTranspose>(dst, src, nullptr, twin::AntiQuantScalar(scale),
                                                                &sharedTmpBuffer, k);
}

}  // namespace AscendC

#endif
