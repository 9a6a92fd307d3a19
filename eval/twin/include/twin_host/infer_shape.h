// Shape inference that many operators share: outputs like the first input, the broadcast of several, or a reduction.
#ifndef TWIN_HOST_INFER_SHAPE_H
#define TWIN_HOST_INFER_SHAPE_H

#include <algorithm>
#include <vector>

#include "twin_host/shapes.h"

namespace Ops {
namespace Base {

inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext* context) {
    const gert::Shape* input = context->GetInputShape(0);
    gert::Shape* output = context->GetOutputShape(0);
    if (input == nullptr || output == nullptr) return ge::GRAPH_FAILED;
    *output = *input;
    return ge::GRAPH_SUCCESS;
}

/// Sizes are matched from the last dimension; 1 gives way to the other size, and an unknown one to one above 1. False
/// when two sizes above 1 differ, and for no shape at all. An unknown rank stays one.
inline bool BroadcastShape(const std::vector<const gert::Shape*>& shapes, gert::Shape* result) {
    if (shapes.empty()) return false;
    gert::Shape broadcast = *shapes[0];
    for (const gert::Shape* next : shapes) {
        if (IsUnknownRank(*next) || IsUnknownRank(broadcast)) {
            SetUnknownRank(broadcast);
            continue;
        }
        const gert::Shape before = broadcast;
        const size_t rank = std::max(before.GetDimNum(), next->GetDimNum());
        broadcast.SetDimNum(rank);
        for (size_t i = 0; i < rank; ++i) {
            const auto sizeOf = [&](const gert::Shape& shape) {
                return i + shape.GetDimNum() < rank ? 1 : shape.GetDim(i + shape.GetDimNum() - rank);
            };
            const int64_t a = sizeOf(before), b = sizeOf(*next);
            if (a != b && a != 1 && b != 1 && a != ge::UNKNOWN_DIM && b != ge::UNKNOWN_DIM) return false;
            broadcast.SetDim(i, a == 1 || (a == ge::UNKNOWN_DIM && b != 1) ? b : a);
        }
    }
    *result = broadcast;
    return true;
}
inline bool BroadcastShape(const gert::Shape* first, const gert::Shape* second, gert::Shape* result) {
    return BroadcastShape({first, second}, result);
}
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context, size_t inputNum) {
    std::vector<const gert::Shape*> shapes;
    for (size_t i = 0; i < inputNum; ++i) shapes.push_back(context->GetInputShape(i));
    gert::Shape* output = context->GetOutputShape(0);
    if (output == nullptr || std::find(shapes.begin(), shapes.end(), nullptr) != shapes.end()) return ge::GRAPH_FAILED;
    return BroadcastShape(shapes, output) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context) {
    return InferShape4Broadcast(context, 2);
}

/// Without the axes, or with them as 1; of a scalar, itself. Axes below 0 count from the end; fails for others.
template <class T>
ge::graphStatus ReduceDims(const gert::Shape* xShape, const T* axes, int32_t axesSize, bool keepDims,
                           gert::Shape* out) {
    if (IsUnknownRank(*xShape)) return SetUnknownRank(*out), ge::GRAPH_SUCCESS;
    const gert::Shape shape = *xShape;
    const auto rank = static_cast<int64_t>(shape.GetDimNum());
    if (rank == 0 && !keepDims) return *out = shape, ge::GRAPH_SUCCESS;
    std::vector<bool> reduced(std::max<int64_t>(rank, 1), false);
    for (int32_t i = 0; i < axesSize; ++i) {
        if (!CheckAxisBounds(std::max<int64_t>(rank, 1), axes[i])) {
            OP_LOGE("reduce", "axis %ld is not one of a shape of %ld", static_cast<long>(axes[i]),
                    static_cast<long>(rank));
            return ge::GRAPH_FAILED;
        }
        reduced[axes[i] < 0 ? axes[i] + std::max<int64_t>(rank, 1) : axes[i]] = true;
    }
    out->SetDimNum(0);
    for (int64_t i = 0; i < rank; ++i) {
        if (!reduced[i] || keepDims) out->AppendDim(reduced[i] ? 1 : shape.GetDim(i));
    }
    return ge::GRAPH_SUCCESS;
}
template <class T>
ge::graphStatus ReduceDimsWithKeepDims(const gert::Shape* xShape, const T* axes, int32_t axesSize, gert::Shape* out) {
    return ReduceDims(xShape, axes, axesSize, true, out);
}
template <class T>
ge::graphStatus ReduceDimsWithoutKeepDims(const gert::Shape* xShape, const T* axes, int32_t axesSize,
                                          gert::Shape* out) {
    return ReduceDims(xShape, axes, axesSize, false, out);
}
template <class T>
ge::graphStatus ReduceDims(const gert::Shape* xShape, const gert::Tensor* axes, int32_t axesSize, bool keepDims,
                           gert::Shape* out) {
    return ReduceDims(xShape, axes->GetData<T>(), axesSize, keepDims, out);
}
/// The axes are the second input, int32 or int64; without any, the output is as the input. The first attribute keeps
/// them.
inline ge::graphStatus InferShape4Reduce(gert::InferShapeContext* context) {
    const gert::Shape* input = context->GetInputShape(0);
    const gert::Tensor* axes = context->GetInputTensor(1);
    gert::Shape* output = context->GetOutputShape(0);
    const bool* keepDims = context->GetAttrs()->GetBool(0);
    if (input == nullptr || axes == nullptr || output == nullptr || keepDims == nullptr) return ge::GRAPH_FAILED;
    const auto count = static_cast<int32_t>(axes->GetShapeSize());
    if (count == 0) return *output = *input, ge::GRAPH_SUCCESS;
    if (count < 0) return ge::GRAPH_FAILED;
    if (axes->GetDataType() == ge::DT_INT32) return ReduceDims<int32_t>(input, axes, count, *keepDims, output);
    if (axes->GetDataType() == ge::DT_INT64) return ReduceDims<int64_t>(input, axes, count, *keepDims, output);
    return ge::GRAPH_FAILED;
}

}  // namespace Base
}  // namespace Ops

#endif
