// Ops::Base: shapes that are not known yet, and integers that an operator reads from an input at tiling time.
#ifndef TWIN_HOST_SHAPES_H
#define TWIN_HOST_SHAPES_H

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"

#define OPBASE_API

namespace Ops {
namespace Base {

/// From -dimNum to dimNum - 1; of a scalar only 0.
template <class T1, class T2>
bool CheckAxisBounds(const T1 dimNum, const T2 axis) {
    const auto count = static_cast<int64_t>(dimNum), at = static_cast<int64_t>(axis);
    return count == 0 ? at == 0 : at >= -count && at < count;
}
// An unknown rank is the only size -2; an unknown size is -1.
inline void SetUnknownRank(gert::Shape& shape) { shape = gert::Shape({ge::UNKNOWN_DIM_NUM}); }
inline bool IsUnknownRank(const gert::Shape& shape) {
    return shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM;
}
inline void SetUnknownShape(int64_t rank, gert::Shape& shape) {
    if (rank < 0) {
        OP_LOGE("SetUnknownShape", "the rank is %ld, expected 0 or more", static_cast<long>(rank));
        return;
    }
    shape.SetDimNum(static_cast<size_t>(rank));
    for (size_t i = 0; i < shape.GetDimNum(); ++i) shape.SetDim(i, ge::UNKNOWN_DIM);
}
inline bool IsUnknownShape(const gert::Shape& shape) {
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        if (shape.GetDim(i) == ge::UNKNOWN_DIM) return true;
    }
    return false;
}

/// Calls `take(values)` with the tensor's values as its type has them. False for types other than int32, int64, uint32
/// and uint64, and where the host has no values.
template <class Take>
bool WithIntegers(const char* api, const gert::Tensor* tensor, Take take) {
    const auto typed = [&](auto* values) {
        if (values == nullptr) OP_LOGE(api, "the host has no values of this input");
        else take(values);
        return values != nullptr;
    };
    if (tensor == nullptr) {
        OP_LOGE(api, "there is no such input");
        return false;
    }
    switch (tensor->GetDataType()) {
        case ge::DT_INT32: return typed(tensor->GetData<int32_t>());
        case ge::DT_INT64: return typed(tensor->GetData<int64_t>());
        case ge::DT_UINT32: return typed(tensor->GetData<uint32_t>());
        case ge::DT_UINT64: return typed(tensor->GetData<uint64_t>());
        default: OP_LOGW(api, "takes int32, int64, uint32 and uint64, not %s", ToString(tensor->GetDataType()).c_str());
    }
    return false;
}
/// The first value of an input; false where it cannot be read.
template <class C, class T>
bool GetConstInt(const C* context, int64_t inputIdx, T& value) {
    const gert::Tensor* tensor = context == nullptr ? nullptr : context->GetInputTensor(inputIdx);
    if (tensor != nullptr && tensor->GetSize() == 0) return false;
    return WithIntegers("GetConstInt", tensor, [&](auto* values) { value = static_cast<T>(values[0]); });
}
/// All values of a tensor of T, as sizes of a shape; false where the host has none.
template <class T>
bool GetValueToShape(const gert::Tensor* tensor, gert::Shape& shape) {
    const T* values = tensor->GetData<T>();
    if (values == nullptr) {
        OP_LOGE("GetValueToShape", "the host has no values of this tensor");
        return false;
    }
    shape.SetDimNum(0);
    for (int64_t i = 0; i < tensor->GetShapeSize(); ++i) shape.AppendDim(static_cast<int64_t>(values[i]));
    return true;
}
/// All values of an input, as sizes of a shape; false where they cannot be read.
template <class C>
bool GetConstIntToShape(const C* context, int64_t inputIdx, gert::Shape& shape) {
    const gert::Tensor* tensor = context == nullptr ? nullptr : context->GetInputTensor(inputIdx);
    return WithIntegers("GetConstIntToShape", tensor, [&](auto* values) {
        shape.SetDimNum(0);
        for (int64_t i = 0; i < tensor->GetShapeSize(); ++i) shape.AppendDim(static_cast<int64_t>(values[i]));
    });
}

}  // namespace Base
}  // namespace Ops

#endif
