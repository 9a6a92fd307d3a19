// gert: contexts of shape, shape-range and type inference.
#ifndef TWIN_EXE_GRAPH_INFER_SHAPE_CONTEXT_H
#define TWIN_EXE_GRAPH_INFER_SHAPE_CONTEXT_H

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const Shape* GetInputShape(size_t index) const { return origin(call_->input(index)); }
    const Shape* GetRequiredInputShape(size_t parameter) const { return origin(call_->input(parameter, 0)); }
    const Shape* GetOptionalInputShape(size_t parameter) const { return origin(call_->input(parameter, 0)); }
    const Shape* GetDynamicInputShape(size_t parameter, size_t relative) const {
        return origin(call_->input(parameter, relative));
    }
    const Tensor* GetInputTensor(size_t index) const { return call_->input(index); }
    const Tensor* GetRequiredInputTensor(size_t parameter) const { return call_->input(parameter, 0); }
    const Tensor* GetOptionalInputTensor(size_t parameter) const { return call_->input(parameter, 0); }
    const Tensor* GetDynamicInputTensor(size_t parameter, size_t relative) const {
        return call_->input(parameter, relative);
    }
    Shape* GetOutputShape(size_t index) { return mutableOrigin(call_->output(index)); }
    Shape* GetDynamicOutputShape(size_t parameter, size_t relative) {
        return mutableOrigin(call_->output(parameter, relative));
    }

private:
    static const Shape* origin(const Tensor* tensor) { return tensor == nullptr ? nullptr : &tensor->GetOriginShape(); }
    static Shape* mutableOrigin(const Tensor* tensor) {
        return tensor == nullptr ? nullptr : &const_cast<Tensor*>(tensor)->mutableStorage().MutableOriginShape();
    }
};

template <class T>
class Range {
public:
    Range() = default;
    Range(T* low, T* high) : low_(low), high_(high) {}
    const T* GetMin() const { return low_; }
    const T* GetMax() const { return high_; }
    T* GetMin() { return low_; }
    T* GetMax() { return high_; }
    void SetMin(T* low) { low_ = low; }
    void SetMax(T* high) { high_ = high; }

private:
    T* low_ = nullptr;
    T* high_ = nullptr;
};

/// Declared so that range inference compiles; the twin runs with known shapes only and never calls it.
class InferShapeRangeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const Range<Shape>* GetInputShapeRange(size_t) const { return nullptr; }
    const Range<Tensor>* GetInputTensorRange(size_t) const { return nullptr; }
    Range<Shape>* GetOutputShapeRange(size_t) { return nullptr; }
};

class InferDataTypeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    ge::DataType GetInputDataType(size_t index) const { return typeOf(call_->input(index)); }
    ge::DataType GetRequiredInputDataType(size_t parameter) const { return typeOf(call_->input(parameter, 0)); }
    ge::DataType GetOptionalInputDataType(size_t parameter) const { return typeOf(call_->input(parameter, 0)); }
    ge::DataType GetDynamicInputDataType(size_t parameter, size_t relative) const {
        return typeOf(call_->input(parameter, relative));
    }
    ge::DataType GetOutputDataType(size_t index) const {
        return index < types_.size() ? types_[index] : typeOf(call_->output(index));
    }
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
        if (index >= types_.size()) types_.resize(index + 1, ge::DT_UNDEFINED);
        types_[index] = type;
        return ge::GRAPH_SUCCESS;
    }

private:
    static ge::DataType typeOf(const Tensor* tensor) {
        return tensor == nullptr ? ge::DT_UNDEFINED : tensor->GetDataType();
    }
    std::vector<ge::DataType> types_;
};

}  // namespace gert

#endif
