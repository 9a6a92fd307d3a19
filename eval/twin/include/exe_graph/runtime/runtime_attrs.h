// gert::RuntimeAttrs: attribute values of one call, by their position in the operator definition.
#ifndef TWIN_EXE_GRAPH_RUNTIME_ATTRS_H
#define TWIN_EXE_GRAPH_RUNTIME_ATTRS_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gert {

class ContinuousVector {
public:
    size_t GetSize() const { return size_; }
    size_t GetCapacity() const { return size_; }
    const void* GetData() const { return data_; }

protected:
    ContinuousVector(const void* data, size_t size) : data_(data), size_(size) {}

private:
    const void* data_;
    size_t size_;
};

/// A list attribute. `GetData()[i]` for i in [0, GetSize()).
template <class T>
class TypedContinuousVector : public ContinuousVector {
public:
    explicit TypedContinuousVector(std::vector<T> values)
        : TypedContinuousVector(std::make_shared<std::vector<T>>(std::move(values))) {}
    const T* GetData() const { return kept_->data(); }

private:
    explicit TypedContinuousVector(std::shared_ptr<std::vector<T>> kept)
        : ContinuousVector(kept->data(), kept->size()), kept_(std::move(kept)) {}
    std::shared_ptr<std::vector<T>> kept_;
};

/// Integers are stored as int64_t, floats as float, booleans as bool, strings as NUL-ended text.
class RuntimeAttrs {
public:
    size_t GetAttrNum() const { return values_.size(); }
    template <class T>
    const T* GetAttrPointer(size_t index) const {
        return index < values_.size() ? static_cast<const T*>(values_[index].address) : nullptr;
    }
    const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
    const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
    const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
    const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
        return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
    }
    const TypedContinuousVector<float>* GetListFloat(size_t index) const {
        return GetAttrPointer<TypedContinuousVector<float>>(index);
    }

    template <class T>
    void Append(T value) {
        auto kept = std::make_shared<T>(std::move(value));
        values_.push_back({kept.get(), kept});
    }
    void AppendText(std::string text) {
        auto kept = std::make_shared<std::string>(std::move(text));
        values_.push_back({kept->c_str(), kept});
    }

private:
    struct Value {
        const void* address;
        std::shared_ptr<void> owner;
    };
    std::vector<Value> values_;
};

}  // namespace gert

#endif
