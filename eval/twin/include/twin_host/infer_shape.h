// Shape inference that many operators share: outputs like the first input, or the broadcast of two.
#ifndef TWIN_HOST_INFER_SHAPE_H
#define TWIN_HOST_INFER_SHAPE_H

#include <algorithm>

#include "exe_graph/runtime/infer_shape_context.h"

namespace Ops {
namespace Base {

inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext* context) {
    const gert::Shape* input = context->GetInputShape(0);
    gert::Shape* output = context->GetOutputShape(0);
    if (input == nullptr || output == nullptr) return ge::GRAPH_FAILED;
    *output = *input;
    return ge::GRAPH_SUCCESS;
}

/// Sizes are matched from the last dimension; 1 gives way to the other size. False when two sizes above 1 differ.
inline bool BroadcastShape(const gert::Shape* first, const gert::Shape* second, gert::Shape* result) {
    const size_t rank = std::max(first->GetDimNum(), second->GetDimNum());
    gert::Shape broadcast;
    broadcast.SetDimNum(rank);
    for (size_t i = 0; i < rank; ++i) {
        const auto sizeOf = [&](const gert::Shape& shape) { return i + shape.GetDimNum() < rank ? 1 : shape.GetDim(i + shape.GetDimNum() - rank); };
        const int64_t a = sizeOf(*first), b = sizeOf(*second);
        if (a != b && a != 1 && b != 1) return false;
        broadcast.SetDim(i, a == 1 ? b : a);
    }
    *result = broadcast;
    return true;
}

inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context) {
    const gert::Shape* first = context->GetInputShape(0);
    const gert::Shape* second = context->GetInputShape(1);
    gert::Shape* output = context->GetOutputShape(0);
    if (first == nullptr || second == nullptr || output == nullptr) return ge::GRAPH_FAILED;
    return BroadcastShape(first, second, output) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}

}  // namespace Base
}  // namespace Ops

#endif
