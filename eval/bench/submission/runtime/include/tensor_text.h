// How a tensor of the device is told to the process that has its memory: its type, where it begins, and its sizes and
// strides, in elements.
#pragma once

#include <ATen/core/Tensor.h>

#include <unistd.h>

#include <string>

namespace npu {

inline const char* NameOf(at::ScalarType type) {
    switch (type) {
        case at::kFloat: return "float32";
        case at::kHalf: return "float16";
        case at::kBFloat16: return "bfloat16";
        case at::kDouble: return "float64";
        case at::kChar: return "int8";
        case at::kByte: return "uint8";
        case at::kShort: return "int16";
        case at::kInt: return "int32";
        case at::kLong: return "int64";
        case at::kBool: return "bool";
        default: TORCH_CHECK(false, "the device has no tensors of ", type);
    }
}

inline const uint8_t* PlaceOf(const at::Tensor& tensor) {
    const auto* base = static_cast<const uint8_t*>(tensor.storage().data());
    return base + tensor.storage_offset() * static_cast<int64_t>(tensor.element_size());
}

inline std::string TextOf(const at::Tensor& tensor) {
    std::string text = std::string(NameOf(tensor.scalar_type())) + " " +
                       std::to_string(reinterpret_cast<uintptr_t>(PlaceOf(tensor))) + " " +
                       std::to_string(tensor.dim());
    for (const int64_t size : tensor.sizes()) text += " " + std::to_string(size);
    for (const int64_t stride : tensor.strides()) text += " " + std::to_string(stride);
    return text;
}

/// One line in one piece: threads of the submission may speak as well.
inline void SayLine(int file, const std::string& text) {
    const std::string line = text + "\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t put = ::write(file, line.data() + done, line.size() - done);
        TORCH_CHECK(put > 0, "the device cannot be reached");
        done += static_cast<size_t>(put);
    }
}

}  // namespace npu
