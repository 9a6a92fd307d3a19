// gert::TilingContext and TilingParseContext: what a tiling function reads, and where its answer goes.
#ifndef TWIN_EXE_GRAPH_TILING_CONTEXT_H
#define TWIN_EXE_GRAPH_TILING_CONTEXT_H

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/stride.h"

namespace gert {

class TilingContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const StorageShape* GetInputShape(size_t index) const { return shapeOf(call_->input(index)); }
    const StorageShape* GetRequiredInputShape(size_t parameter) const { return shapeOf(call_->input(parameter, 0)); }
    const StorageShape* GetOptionalInputShape(size_t parameter) const { return shapeOf(call_->input(parameter, 0)); }
    const StorageShape* GetDynamicInputShape(size_t parameter, size_t relative) const {
        return shapeOf(call_->input(parameter, relative));
    }
    const StorageShape* GetOutputShape(size_t index) const { return shapeOf(call_->output(index)); }
    const StorageShape* GetDynamicOutputShape(size_t parameter, size_t relative) const {
        return shapeOf(call_->output(parameter, relative));
    }
    const Tensor* GetInputTensor(size_t index) const { return call_->input(index); }
    const Tensor* GetRequiredInputTensor(size_t parameter) const { return call_->input(parameter, 0); }
    const Tensor* GetOptionalInputTensor(size_t parameter) const { return call_->input(parameter, 0); }
    const Tensor* GetDynamicInputTensor(size_t parameter, size_t relative) const {
        return call_->input(parameter, relative);
    }
    // No tensor of the twin is a view: each is contiguous from its address on.
    bool InputIsView(size_t) const { return false; }
    bool OutputIsView(size_t) const { return false; }
    bool RequiredInputIsView(size_t) const { return false; }
    bool OptionalInputIsView(size_t) const { return false; }
    bool DynamicInputIsView(size_t, size_t) const { return false; }
    const Stride* GetInputStride(size_t) const { return nullptr; }
    const Stride* GetOutputStride(size_t) const { return nullptr; }
    const Stride* GetRequiredInputStride(size_t) const { return nullptr; }
    const Stride* GetOptionalInputStride(size_t) const { return nullptr; }
    const Stride* GetDynamicInputStride(size_t, size_t) const { return nullptr; }
    int64_t GetInputOffset(size_t) const { return -1; }
    int64_t GetOutputOffset(size_t) const { return -1; }
    int64_t GetRequiredInputOffset(size_t) const { return -1; }
    int64_t GetOptionalInputOffset(size_t) const { return -1; }
    int64_t GetDynamicInputOffset(size_t, size_t) const { return -1; }

    /// Results that may differ from run to run are allowed.
    int32_t GetDeterministic() const { return 0; }
    int32_t GetDeterministicLevel() const { return 0; }

    template <class T>
    const T* GetCompileInfo() const {
        return static_cast<const T*>(call_->compileInfo.get());
    }
    const void* GetCompileInfo() const { return call_->compileInfo.get(); }
    fe::PlatFormInfos* GetPlatformInfo() const { return &call_->platform; }

    ge::graphStatus SetBlockDim(uint32_t blockDim) {
        call_->blockDim = blockDim;
        return ge::GRAPH_SUCCESS;
    }
    /// Of the AI CPU, which serves communication between devices.
    ge::graphStatus SetAicpuBlockDim(uint32_t) { return ge::GRAPH_SUCCESS; }
    uint32_t GetBlockDim() const { return call_->blockDim; }
    ge::graphStatus SetNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
    uint32_t GetNumBlocks() const { return call_->blockDim; }
    ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
    uint32_t GetSimdNumBlocks() const { return call_->blockDim; }
    ge::graphStatus SetTilingKey(uint64_t key) {
        call_->tilingKey = key;
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const { return call_->tilingKey; }
    ge::graphStatus SetScheduleMode(uint32_t mode) {
        call_->scheduleMode = mode;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetScheduleMode() const { return call_->scheduleMode; }
    ge::graphStatus SetLocalMemorySize(uint32_t bytes) {
        call_->localMemoryBytes = bytes;
        return ge::GRAPH_SUCCESS;
    }
    uint32_t GetLocalMemorySize() const { return call_->localMemoryBytes; }
    ge::graphStatus SetDynUBufSize(uint32_t bytes) { return SetLocalMemorySize(bytes); }
    uint32_t GetDynUBufSize() const { return call_->localMemoryBytes; }
    ge::graphStatus SetNeedAtomic(bool atomic) {
        call_->needAtomic = atomic;
        return ge::GRAPH_SUCCESS;
    }
    bool NeedAtomic() const { return call_->needAtomic; }
    ge::graphStatus SetTilingCond(int32_t) { return ge::GRAPH_SUCCESS; }
    size_t* GetWorkspaceSizes(size_t count) {
        call_->workspaces.resize(count);
        return call_->workspaces.data();
    }
    size_t GetWorkspaceNum() const { return call_->workspaces.size(); }
    TilingData* GetRawTilingData() { return &call_->tiling; }
    /// The raw bytes as a plain structure; null when it does not fit.
    template <class T>
    T* GetTilingData() {
        if (sizeof(T) > call_->tiling.GetCapacity()) return nullptr;
        call_->tiling.SetDataSize(sizeof(T));
        twin_host::lastTilingClass() = twin_host::typeName<T>();
        return static_cast<T*>(call_->tiling.GetData());
    }
};

class TilingParseContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const char* GetCompiledJson() const { return "{}"; }
    template <class T>
    T* GetCompiledInfo() {
        return static_cast<T*>(call_->compileInfo.get());
    }
    fe::PlatFormInfos* GetPlatformInfo() const { return &call_->platform; }
};

}  // namespace gert

#endif
