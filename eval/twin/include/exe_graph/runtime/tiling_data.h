// gert::TilingData: the bytes that tiling hands to the kernel.
#ifndef TWIN_EXE_GRAPH_TILING_DATA_H
#define TWIN_EXE_GRAPH_TILING_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "graph/error_codes.h"
#include "securec.h"

namespace gert {

class TilingData {
public:
    explicit TilingData(size_t capacity) : bytes_(capacity, 0) {}
    void* GetData() { return bytes_.data(); }
    const void* GetData() const { return bytes_.data(); }
    size_t GetCapacity() const { return bytes_.size(); }
    size_t GetDataSize() const { return size_; }
    void SetDataSize(size_t size) { size_ = size; }
    template <class T>
    ge::graphStatus Append(const T& value) {
        return Append(&value, 1);
    }
    template <class T>
    ge::graphStatus Append(const T* values, size_t count) {
        size_t bytes = 0;
        if (__builtin_mul_overflow(sizeof(T), count, &bytes)) return ge::GRAPH_MUL_OVERFLOW;
        void* room = Expand(bytes);
        if (room == nullptr) return ge::GRAPH_FAILED;
        std::memcpy(room, values, bytes);
        return ge::GRAPH_SUCCESS;
    }
    /// Room for so many more bytes; null when the capacity does not hold them.
    void* Expand(size_t bytes) {
        if (bytes > bytes_.size() - size_) return nullptr;
        size_ += bytes;
        return bytes_.data() + size_ - bytes;
    }

private:
    std::vector<uint8_t> bytes_;
    size_t size_ = 0;
};

template <class T>
TilingData& operator<<(TilingData& out, const T& data) {
    out.Append(data);
    return out;
}

}  // namespace gert

#endif
