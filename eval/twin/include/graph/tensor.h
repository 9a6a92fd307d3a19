// ge::TensorDesc: shape, format and element type of a tensor of a graph.
#ifndef TWIN_GRAPH_TENSOR_H
#define TWIN_GRAPH_TENSOR_H

#include <utility>

#include "graph/types.h"

namespace ge {

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT)
        : shape_(std::move(shape)), format_(format), type_(type) {}
    Shape GetShape() const { return shape_; }
    Shape GetOriginShape() const { return shape_; }
    Format GetFormat() const { return format_; }
    DataType GetDataType() const { return type_; }
    void SetShape(const Shape& shape) { shape_ = shape; }
    void SetFormat(Format format) { format_ = format; }
    void SetDataType(DataType type) { type_ = type; }

private:
    Shape shape_;
    Format format_ = FORMAT_ND;
    DataType type_ = DT_FLOAT;
};

}  // namespace ge

#endif
