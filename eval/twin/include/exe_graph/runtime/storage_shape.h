// gert::StorageShape: the shape before and after format conversion; both are equal for ND.
#ifndef TWIN_EXE_GRAPH_STORAGE_SHAPE_H
#define TWIN_EXE_GRAPH_STORAGE_SHAPE_H

#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace gert {

class StorageShape {
public:
    StorageShape() = default;
    StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
        : origin_(origin), storage_(storage) {}
    explicit StorageShape(const Shape& both) : origin_(both), storage_(both) {}
    const Shape& GetOriginShape() const { return origin_; }
    const Shape& GetShape() const { return origin_; }
    const Shape& GetStorageShape() const { return storage_; }
    Shape& MutableShape() { return origin_; }
    Shape& MutableOriginShape() { return origin_; }
    Shape& MutableStorageShape() { return storage_; }
    void SetOriginShape(const Shape& shape) { origin_ = shape; }
    void SetStorageShape(const Shape& shape) { storage_ = shape; }
    bool operator==(const StorageShape& other) const { return origin_ == other.origin_ && storage_ == other.storage_; }
    bool operator!=(const StorageShape& other) const { return !(*this == other); }

private:
    Shape origin_;
    Shape storage_;
};

class StorageFormat {
public:
    StorageFormat() = default;
    StorageFormat(ge::Format origin, ge::Format storage) : origin_(origin), storage_(storage) {}
    ge::Format GetOriginFormat() const { return origin_; }
    ge::Format GetStorageFormat() const { return storage_; }
    void SetOriginFormat(ge::Format format) { origin_ = format; }
    void SetStorageFormat(ge::Format format) { storage_ = format; }
    bool operator==(const StorageFormat& other) const { return origin_ == other.origin_ && storage_ == other.storage_; }
    bool operator!=(const StorageFormat& other) const { return !(*this == other); }

private:
    ge::Format origin_ = ge::FORMAT_ND;
    ge::Format storage_ = ge::FORMAT_ND;
};

/// Type and format of an input or output as compiled.
class CompileTimeTensorDesc {
public:
    CompileTimeTensorDesc() = default;
    CompileTimeTensorDesc(ge::DataType type, StorageFormat format) : type_(type), format_(format) {}
    ge::DataType GetDataType() const { return type_; }
    const StorageFormat& GetFormat() const { return format_; }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }

private:
    ge::DataType type_ = ge::DT_UNDEFINED;
    StorageFormat format_;
};

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kTensorPlacementEnd };

/// A tensor with its data on the host; `addr` is null when the value is not known at tiling time.
class Tensor {
public:
    Tensor() = default;
    Tensor(const Shape& shape, ge::DataType type, void* address, size_t bytes, ge::Format format = ge::FORMAT_ND)
        : shape_(shape), desc_(type, StorageFormat(format, format)), address_(address), bytes_(bytes) {}
    int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
    const StorageShape& GetShape() const { return shape_; }
    StorageShape& GetShape() { return shape_; }
    const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
    const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
    Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
    Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
    ge::DataType GetDataType() const { return desc_.GetDataType(); }
    const StorageFormat& GetFormat() const { return desc_.GetFormat(); }
    ge::Format GetStorageFormat() const { return desc_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return desc_.GetOriginFormat(); }
    TensorPlacement GetPlacement() const { return kOnHost; }
    size_t GetSize() const { return bytes_; }
    const void* GetAddr() const { return address_; }
    void* GetAddr() { return address_; }
    template <class T>
    const T* GetData() const {
        return static_cast<const T*>(address_);
    }
    template <class T>
    T* GetData() {
        return static_cast<T*>(address_);
    }
    const CompileTimeTensorDesc& desc() const { return desc_; }
    const StorageShape& storage() const { return shape_; }
    StorageShape& mutableStorage() { return shape_; }

private:
    StorageShape shape_;
    CompileTimeTensorDesc desc_;
    void* address_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace gert

#endif
