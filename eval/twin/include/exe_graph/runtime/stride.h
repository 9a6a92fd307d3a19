// gert::Stride: the distances of the elements of a tensor that is a view.
#ifndef TWIN_EXE_GRAPH_STRIDE_H
#define TWIN_EXE_GRAPH_STRIDE_H

#include "exe_graph/runtime/shape.h"

namespace gert {

/// Elements from one to the next, for each dimension. The tensors of the twin are no views and have none.
class Stride {
public:
    static constexpr size_t kMaxDimNum = Shape::kMaxDimNum;
    static constexpr int64_t kInvalidStrideValue = Shape::kInvalidDimValue;

    Stride() = default;
    Stride(std::initializer_list<int64_t> strides) : strides_(strides) {}
    bool operator==(const Stride& other) const { return strides_ == other.strides_; }
    bool operator!=(const Stride& other) const { return strides_ != other.strides_; }
    size_t GetDimNum() const { return strides_.GetDimNum(); }
    void SetDimNum(size_t count) { strides_.SetDimNum(count); }
    int64_t GetStride(size_t index) const { return strides_.GetDim(index); }
    const int64_t& operator[](size_t index) const { return strides_[index]; }
    int64_t& operator[](size_t index) { return strides_[index]; }
    void SetStride(size_t index, int64_t stride) { strides_.SetDim(index, stride); }
    Stride& AppendStride(int64_t stride) {
        strides_.AppendDim(stride);
        return *this;
    }

private:
    Shape strides_;
};

}  // namespace gert

#endif
