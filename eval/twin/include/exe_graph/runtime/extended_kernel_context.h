// gert::ExtendedKernelContext: what every host function can ask of the node it works for.
#ifndef TWIN_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H
#define TWIN_EXE_GRAPH_EXTENDED_KERNEL_CONTEXT_H

#include "twin_host/call.h"

namespace gert {

struct AnchorInstanceInfo {
    size_t start = 0, count = 0;
    size_t GetInstanceNum() const { return count; }
    size_t GetInstanceStart() const { return start; }
};

/// Node facts beyond the context's own: here a thin view of the same call.
class ComputeNodeInfo {
public:
    explicit ComputeNodeInfo(const twin_host::OpCall* call) : call_(call) {}
    const char* GetNodeType() const { return call_->opType.c_str(); }
    const char* GetNodeName() const { return call_->opType.c_str(); }
    size_t GetIrInputsNum() const { return call_->inputs.size(); }
    size_t GetIrOutputsNum() const { return call_->outputs.size(); }
    size_t GetInputsNum() const { return twin_host::OpCall::count(call_->inputs); }
    size_t GetOutputsNum() const { return twin_host::OpCall::count(call_->outputs); }
    const RuntimeAttrs* GetAttrs() const { return &call_->attributes; }
    const AnchorInstanceInfo* GetInputInstanceInfo(size_t parameter) const {
        return instance(call_->inputs, parameter);
    }
    const AnchorInstanceInfo* GetOutputInstanceInfo(size_t parameter) const {
        return instance(call_->outputs, parameter);
    }

private:
    const AnchorInstanceInfo* instance(const std::vector<twin_host::Parameter>& parameters, size_t parameter) const {
        if (parameter >= parameters.size()) return nullptr;
        scratch_ = AnchorInstanceInfo();
        for (size_t i = 0; i < parameter; ++i) scratch_.start += parameters[i].tensors.size();
        scratch_.count = parameters[parameter].tensors.size();
        return &scratch_;
    }
    const twin_host::OpCall* call_;
    mutable AnchorInstanceInfo scratch_;
};

class ExtendedKernelContext {
public:
    explicit ExtendedKernelContext(twin_host::OpCall* call) : call_(call), node_(call) {}
    const char* GetNodeName() const { return call_->opType.c_str(); }
    const char* GetNodeType() const { return call_->opType.c_str(); }
    const char* GetKernelName() const { return call_->opType.c_str(); }
    const RuntimeAttrs* GetAttrs() const { return &call_->attributes; }
    const ComputeNodeInfo* GetComputeNodeInfo() const { return &node_; }
    size_t GetComputeNodeInputNum() const { return twin_host::OpCall::count(call_->inputs); }
    size_t GetComputeNodeOutputNum() const { return twin_host::OpCall::count(call_->outputs); }
    const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return descOf(call_->input(index)); }
    const CompileTimeTensorDesc* GetOutputDesc(size_t index) const { return descOf(call_->output(index)); }
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t parameter) const {
        return descOf(call_->input(parameter, 0));
    }
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t parameter) const {
        return descOf(call_->input(parameter, 0));
    }
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t parameter, size_t relative) const {
        return descOf(call_->input(parameter, relative));
    }
    const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t parameter) const {
        return node_.GetInputInstanceInfo(parameter);
    }
    const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t parameter) const {
        return node_.GetOutputInstanceInfo(parameter);
    }
    twin_host::OpCall* call() { return call_; }
    const twin_host::OpCall* call() const { return call_; }

protected:
    static const CompileTimeTensorDesc* descOf(const Tensor* tensor) {
        return tensor == nullptr ? nullptr : &tensor->desc();
    }
    static const StorageShape* shapeOf(const Tensor* tensor) {
        return tensor == nullptr ? nullptr : &tensor->storage();
    }
    twin_host::OpCall* call_;
    ComputeNodeInfo node_;
};

}  // namespace gert

#endif
