// One call of an operator as the host side sees it: what the contexts of gert are views of.
#ifndef TWIN_HOST_CALL_H
#define TWIN_HOST_CALL_H

#include <memory>
#include <string>
#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform/platform_info.h"

namespace twin_host {

/// One parameter of the definition: no tensor when an optional one is absent, several when it is a list.
struct Parameter {
    std::string name;
    std::vector<gert::Tensor> tensors;
};

struct OpCall {
    std::string opType;
    std::vector<Parameter> inputs, outputs;
    gert::RuntimeAttrs attributes;
    fe::PlatFormInfos platform;
    /// The object that TilingParse fills; may be null.
    std::shared_ptr<void> compileInfo;

    uint32_t blockDim = 0;
    uint64_t tilingKey = 0;
    uint32_t scheduleMode = 0;
    uint32_t localMemoryBytes = 0;
    bool needAtomic = false;
    std::vector<size_t> workspaces;
    gert::TilingData tiling{kTilingCapacity};
    /// The structure that tiling wrote, by its class name; '' when it wrote bytes.
    std::string tilingClass;

    /// CANN refuses tiling data that does not fit; ours is the largest that its runtime allows.
    static constexpr size_t kTilingCapacity = 16 * 1024;

    const gert::Tensor* input(size_t instance) const { return instanceOf(inputs, instance); }
    const gert::Tensor* output(size_t instance) const { return instanceOf(outputs, instance); }
    const gert::Tensor* input(size_t parameter, size_t relative) const { return at(inputs, parameter, relative); }
    const gert::Tensor* output(size_t parameter, size_t relative) const { return at(outputs, parameter, relative); }
    static size_t count(const std::vector<Parameter>& parameters) {
        size_t total = 0;
        for (const Parameter& parameter : parameters) total += parameter.tensors.size();
        return total;
    }

private:
    static const gert::Tensor* at(const std::vector<Parameter>& parameters, size_t parameter, size_t relative) {
        if (parameter >= parameters.size() || relative >= parameters[parameter].tensors.size()) return nullptr;
        return &parameters[parameter].tensors[relative];
    }
    static const gert::Tensor* instanceOf(const std::vector<Parameter>& parameters, size_t instance) {
        for (const Parameter& parameter : parameters) {
            if (instance < parameter.tensors.size()) return &parameter.tensors[instance];
            instance -= parameter.tensors.size();
        }
        return nullptr;
    }
};

/// Class name of the structure that `SaveToBuffer` wrote last in this thread; cleared before tiling runs.
std::string& lastTilingClass();

/// `name` out of a compiler's spelling of a type in __PRETTY_FUNCTION__, without namespaces.
std::string typeNameIn(const char* prettyFunction);
template <class T>
std::string typeName() {
    return typeNameIn(__PRETTY_FUNCTION__);
}

}  // namespace twin_host

#endif
