// ge: element types, formats and status codes of the host side, with the graph engine's public numbering.
#ifndef TWIN_GRAPH_TYPES_H
#define TWIN_GRAPH_TYPES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ge {

constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;
constexpr int64_t UNKNOWN_DIM_SIZE = -1;
const std::vector<int64_t> UNKNOWN_SHAPE = {UNKNOWN_DIM};
const std::vector<int64_t> UNKNOWN_RANK = {UNKNOWN_DIM_NUM};

enum DataType {
    DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8,
    DT_INT64 = 9, DT_UINT64 = 10, DT_DOUBLE = 11, DT_BOOL = 12, DT_STRING = 13, DT_DUAL_SUB_INT8 = 14,
    DT_DUAL_SUB_UINT8 = 15, DT_COMPLEX64 = 16, DT_COMPLEX128 = 17, DT_QINT8 = 18, DT_QINT16 = 19, DT_QINT32 = 20,
    DT_QUINT8 = 21, DT_QUINT16 = 22, DT_RESOURCE = 23, DT_STRING_REF = 24, DT_DUAL = 25, DT_VARIANT = 26, DT_BF16 = 27,
    DT_UNDEFINED = 28, DT_INT4 = 29, DT_UINT1 = 30, DT_INT2 = 31, DT_UINT2 = 32, DT_COMPLEX32 = 33, DT_HIFLOAT8 = 34,
    DT_FLOAT8_E5M2 = 35, DT_FLOAT8_E4M3FN = 36, DT_FLOAT8_E8M0 = 37, DT_FLOAT6_E3M2 = 38, DT_FLOAT6_E2M3 = 39,
    DT_FLOAT4_E2M1 = 40, DT_FLOAT4_E1M2 = 41, DT_MAX
};

enum Format {
    FORMAT_NCHW = 0, FORMAT_NHWC, FORMAT_ND, FORMAT_NC1HWC0, FORMAT_FRACTAL_Z, FORMAT_NC1C0HWPAD, FORMAT_NHWC1C0,
    FORMAT_FSR_NCHW, FORMAT_FRACTAL_DECONV, FORMAT_C1HWNC0, FORMAT_FRACTAL_DECONV_TRANSPOSE,
    FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS, FORMAT_NC1HWC0_C04, FORMAT_FRACTAL_Z_C04, FORMAT_CHWN,
    FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS, FORMAT_HWCN, FORMAT_NC1KHKWHWC0, FORMAT_BN_WEIGHT, FORMAT_FILTER_HWCK,
    FORMAT_HASHTABLE_LOOKUP_LOOKUPS, FORMAT_HASHTABLE_LOOKUP_KEYS, FORMAT_HASHTABLE_LOOKUP_VALUE,
    FORMAT_HASHTABLE_LOOKUP_OUTPUT, FORMAT_HASHTABLE_LOOKUP_HITS, FORMAT_C1HWNCoC0, FORMAT_MD, FORMAT_NDHWC,
    FORMAT_FRACTAL_ZZ, FORMAT_FRACTAL_NZ, FORMAT_NCDHW, FORMAT_DHWCN, FORMAT_NDC1HWC0, FORMAT_FRACTAL_Z_3D, FORMAT_CN,
    FORMAT_NC, FORMAT_DHWNC, FORMAT_FRACTAL_Z_3D_TRANSPOSE, FORMAT_FRACTAL_ZN_LSTM, FORMAT_FRACTAL_Z_G, FORMAT_RESERVED,
    FORMAT_ALL, FORMAT_NULL, FORMAT_ND_RNN_BIAS, FORMAT_FRACTAL_ZN_RNN, FORMAT_NYUV, FORMAT_NYUV_A, FORMAT_NCL,
    FORMAT_FRACTAL_Z_WINO, FORMAT_C1HWC0, FORMAT_END, FORMAT_MAX = 0xff
};

using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;
using char_t = char;
using float32_t = float;
using float64_t = double;

/// Bytes of one element; 0 for types below one byte and -1 for types without a fixed size.
inline int GetSizeByDataType(DataType type) {
    switch (type) {
        case DT_BOOL: case DT_INT8: case DT_UINT8: case DT_QINT8: case DT_QUINT8: case DT_DUAL_SUB_INT8:
        case DT_DUAL_SUB_UINT8: case DT_HIFLOAT8: case DT_FLOAT8_E5M2: case DT_FLOAT8_E4M3FN: case DT_FLOAT8_E8M0: return 1;
        case DT_FLOAT16: case DT_BF16: case DT_INT16: case DT_UINT16: case DT_QINT16: case DT_QUINT16: return 2;
        case DT_FLOAT: case DT_INT32: case DT_UINT32: case DT_QINT32: case DT_COMPLEX32: return 4;
        case DT_DUAL: return 5;
        case DT_DOUBLE: case DT_INT64: case DT_UINT64: case DT_COMPLEX64: case DT_RESOURCE: return 8;
        case DT_COMPLEX128: return 16;
        default: return -1;
    }
}
inline int64_t GetSizeInBytes(int64_t elements, DataType type) {
    const int size = GetSizeByDataType(type);
    return size < 0 || elements < 0 ? -1 : elements * size;
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
    bool operator==(const AscendString& other) const { return text_ == other.text_; }
    bool operator!=(const AscendString& other) const { return text_ != other.text_; }
    bool operator<(const AscendString& other) const { return text_ < other.text_; }

private:
    std::string text_;
};

}  // namespace ge

#endif
