// gert::TilingData: the bytes that tiling hands to the kernel.
#ifndef TWIN_EXE_GRAPH_TILING_DATA_H
#define TWIN_EXE_GRAPH_TILING_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gert {

class TilingData {
public:
    explicit TilingData(size_t capacity) : bytes_(capacity, 0) {}
    void* GetData() { return bytes_.data(); }
    const void* GetData() const { return bytes_.data(); }
    size_t GetCapacity() const { return bytes_.size(); }
    size_t GetDataSize() const { return size_; }
    void SetDataSize(size_t size) { size_ = size; }
    template <class T> uint32_t Append(const T& value) {
        if (size_ + sizeof(T) > bytes_.size()) return 0xFFFFFFFF;
        std::memcpy(bytes_.data() + size_, &value, sizeof(T));
        size_ += sizeof(T);
        return 0;
    }

private:
    std::vector<uint8_t> bytes_;
    size_t size_ = 0;
};

}  // namespace gert

#endif
