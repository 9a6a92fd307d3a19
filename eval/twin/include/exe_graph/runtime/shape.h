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
    /// More than kMaxDimNum sizes leave a scalar.
    Shape(std::initializer_list<int64_t> dims) {
        if (dims.size() > kMaxDimNum) return;
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
    /// The product of all sizes; kInvalidDimValue when it does not fit.
    int64_t GetShapeSize() const {
        int64_t size = 1;
        for (size_t i = 0; i < count_; ++i) {
            if (__builtin_mul_overflow(size, dims_[i], &size)) return kInvalidDimValue;
        }
        return size;
    }
    bool IsScalar() const { return count_ == 0; }
    size_t GetDimNum() const { return count_; }
    void SetDimNum(size_t count) { count_ = count <= kMaxDimNum ? count : kMaxDimNum; }
    /// Behind the last dimension stands what was set there, 0 at first.
    int64_t GetDim(size_t index) const { return index < kMaxDimNum ? dims_[index] : kInvalidDimValue; }
    const int64_t& operator[](size_t index) const { return dims_[index < kMaxDimNum ? index : kMaxDimNum - 1]; }
    int64_t& operator[](size_t index) { return dims_[index < kMaxDimNum ? index : kMaxDimNum - 1]; }
    /// Of a size behind the last dimension, the shape gets those before it, as in the SDK.
    void SetDim(size_t index, int64_t dim) {
        if (index >= kMaxDimNum) return;
        dims_[index] = dim;
        if (count_ < index) count_ = index;
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
