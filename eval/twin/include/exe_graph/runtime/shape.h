// gert: shapes as tiling and shape-inference functions see them.
#ifndef TWIN_EXE_GRAPH_SHAPE_H
#define TWIN_EXE_GRAPH_SHAPE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {

/// Up to kMaxDimNum sizes; no dimension means a scalar, whose shape size is 1.
class Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() = default;
    Shape(std::initializer_list<int64_t> dims) {
        for (const int64_t dim : dims) AppendDim(dim);
    }
    bool operator==(const Shape& other) const {
        if (count_ != other.count_) return false;
        for (size_t i = 0; i < count_; ++i) {
            if (dims_[i] != other.dims_[i]) return false;
        }
        return true;
    }
    bool operator!=(const Shape& other) const { return !(*this == other); }
    /// -1 (unknown) or the product of all sizes; saturates at -1 on a negative size as the engine does.
    int64_t GetShapeSize() const {
        int64_t size = 1;
        for (size_t i = 0; i < count_; ++i) {
            if (dims_[i] < 0) return -1;
            if (__builtin_mul_overflow(size, dims_[i], &size)) return -1;
        }
        return size;
    }
    bool IsScalar() const { return count_ == 0; }
    size_t GetDimNum() const { return count_; }
    void SetDimNum(size_t count) { count_ = count <= kMaxDimNum ? count : kMaxDimNum; }
    int64_t GetDim(size_t index) const { return index < count_ ? dims_[index] : kInvalidDimValue; }
    int64_t operator[](size_t index) const { return GetDim(index); }
    int64_t& operator[](size_t index) { return dims_[index < kMaxDimNum ? index : kMaxDimNum - 1]; }
    void SetDim(size_t index, int64_t dim) {
        if (index < count_) dims_[index] = dim;
    }
    Shape& AppendDim(int64_t dim) {
        if (count_ < kMaxDimNum) dims_[count_++] = dim;
        return *this;
    }
    void SetScalar() { count_ = 0; }

private:
    size_t count_ = 0;
    std::array<int64_t, kMaxDimNum> dims_{};
};

}  // namespace gert

#endif
