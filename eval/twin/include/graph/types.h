// ge: element types, formats and status codes of the host side, with the graph engine's public numbering.
#ifndef TWIN_GRAPH_TYPES_H
#define TWIN_GRAPH_TYPES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/c_types.h"
#include "graph/error_codes.h"

namespace ge {

constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;
constexpr int64_t UNKNOWN_DIM_SIZE = -1;
const std::vector<int64_t> UNKNOWN_SHAPE = {UNKNOWN_DIM};
const std::vector<int64_t> UNKNOWN_RANK = {UNKNOWN_DIM_NUM};
const std::vector<int64_t> DUMMY_SHAPE = {-3};

#define TWIN_NUMBERED(name, number, rest) name = number,
enum DataType { TWIN_DATA_TYPES(TWIN_NUMBERED) DT_MAX };
enum Format { TWIN_FORMATS(TWIN_NUMBERED) FORMAT_MAX = 0xff };
#undef TWIN_NUMBERED

// A format in use carries a second one above its lowest byte, and the exponent of C0 above 24 bits.
constexpr int32_t GetPrimaryFormat(int32_t format) { return format & 0xff; }
constexpr int32_t GetSubFormat(int32_t format) { return (format >> 8) & 0xffff; }
constexpr bool HasSubFormat(int32_t format) { return GetSubFormat(format) > 0; }
constexpr int32_t GetC0Format(int32_t format) { return (format >> 24) & 0xf; }
constexpr bool HasC0Format(int32_t format) { return GetC0Format(format) > 0; }
/// Elements of C0; -1 where the format does not say.
constexpr int64_t GetC0Value(int32_t format) { return HasC0Format(format) ? 1 << (GetC0Format(format) - 1) : -1; }
/// The name of a format for messages, without what it carries besides.
constexpr const char* GetFormatName(Format format) {
    switch (GetPrimaryFormat(format)) {
#define TWIN_NAME(name, number, text) \
    case number: return text;
        TWIN_FORMATS(TWIN_NAME)
#undef TWIN_NAME
        default: return "RESERVED";
    }
}
constexpr int32_t GetFormatFromSub(int32_t primary, int32_t sub) { return (primary & 0xff) | (sub & 0xffff) << 8; }
constexpr int32_t GetFormatFromC0(int32_t format, int32_t c0) { return (format & 0xffffff) | (c0 & 0xf) << 24; }
constexpr int32_t GetFormatFromSubAndC0(int32_t primary, int32_t sub, int32_t c0) {
    return GetFormatFromC0(GetFormatFromSub(primary, sub), c0);
}

using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;
using char_t = char;
using float32_t = float;
using float64_t = double;

/// What GetSizeByDataType adds to the bits of a type below one byte.
constexpr int32_t kDataTypeSizeBitOffset = 1000;

/// Bytes of one element; 1000 and the bits for types below one byte; -1 for types without a fixed size.
inline int GetSizeByDataType(DataType type) {
    switch (type) {
#define TWIN_SIZE(name, number, size) \
    case name: return size;
        TWIN_DATA_TYPES(TWIN_SIZE)
#undef TWIN_SIZE
        default: return -1;
    }
}
/// Whole bytes; -1 for a negative count, a type without a size (a string takes 16 bytes), and more than 2^63.
inline int64_t GetSizeInBytes(int64_t elements, DataType type) {
    const int64_t size = type == DT_STRING || type == DT_STRING_REF ? 16 : GetSizeByDataType(type);
    const bool bits = size > kDataTypeSizeBitOffset;
    int64_t total = 0;
    if (elements < 0 || size < 0) return -1;
    if (__builtin_mul_overflow(elements, bits ? size - kDataTypeSizeBitOffset : size, &total)) return -1;
    return bits ? total / 8 + (total % 8 != 0) : total;
}

/// The graph's own shape, which the host-side size queries of high-level APIs take.
class Shape {
public:
    Shape() = default;
    explicit Shape(const std::vector<int64_t>& dims) : dims_(dims) {}
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
    graphStatus SetDim(size_t index, int64_t dim) {
        if (index >= dims_.size()) return GRAPH_FAILED;
        dims_[index] = dim;
        return GRAPH_SUCCESS;
    }
    std::vector<int64_t> GetDims() const { return dims_; }
    int64_t GetShapeSize() const {
        int64_t size = dims_.empty() ? 0 : 1;
        for (const int64_t dim : dims_) size = dim < 0 ? -1 : size * dim;
        return size;
    }

private:
    std::vector<int64_t> dims_;
};

/// A string with the engine's name for it.
class AscendString {
public:
    AscendString() = default;
    AscendString(const char* text) : text_(text == nullptr ? "" : text) {}
    AscendString(const char* text, size_t length) : text_(text, length) {}
    const char* GetString() const { return text_.c_str(); }
    size_t GetLength() const { return text_.size(); }
    size_t Find(const AscendString& part) const { return text_.find(part.text_); }
    size_t Hash() const { return std::hash<std::string>()(text_); }
    bool operator==(const AscendString& other) const { return text_ == other.text_; }
    bool operator!=(const AscendString& other) const { return text_ != other.text_; }
    bool operator<(const AscendString& other) const { return text_ < other.text_; }
    bool operator>(const AscendString& other) const { return text_ > other.text_; }
    bool operator<=(const AscendString& other) const { return text_ <= other.text_; }
    bool operator>=(const AscendString& other) const { return text_ >= other.text_; }

private:
    std::string text_;
};

}  // namespace ge

template <>
struct std::hash<ge::AscendString> {
    size_t operator()(const ge::AscendString& name) const { return name.Hash(); }
};

#endif
