// Tiling templates of the operator repositories: a base class with steps, and a registry that tries the classes of an operator in order.
#ifndef TWIN_HOST_TILING_BASE_H
#define TWIN_HOST_TILING_BASE_H

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops {
namespace Base {

struct AiCoreParams {
    uint64_t ubSize = 0;
    uint64_t blockDim = 0;
    uint64_t aicNum = 0;
    uint64_t l1Size = 0;
    uint64_t l0aSize = 0;
    uint64_t l0bSize = 0;
    uint64_t l0cSize = 0;
};

class TilingBaseClass {
public:
    explicit TilingBaseClass(gert::TilingContext* context) : context_(context) {}
    virtual ~TilingBaseClass() = default;

    /// GRAPH_PARAM_INVALID means that this class does not serve the call, and the next one is tried.
    ge::graphStatus DoTiling() {
        for (const auto step : {&TilingBaseClass::GetShapeAttrsInfo, &TilingBaseClass::GetPlatformInfo}) {
            const ge::graphStatus status = (this->*step)();
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        if (!IsCapable()) return ge::GRAPH_PARAM_INVALID;
        for (const auto step : {&TilingBaseClass::DoOpTiling, &TilingBaseClass::DoLibApiTiling, &TilingBaseClass::GetWorkspaceSize, &TilingBaseClass::PostTiling}) {
            const ge::graphStatus status = (this->*step)();
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        context_->SetTilingKey(GetTilingKey());
        DumpTilingInfo();
        return ge::GRAPH_SUCCESS;
    }
    virtual void Reset(gert::TilingContext* context) { context_ = context; }

protected:
    virtual bool IsCapable() = 0;
    virtual ge::graphStatus GetPlatformInfo() = 0;
    virtual ge::graphStatus GetShapeAttrsInfo() = 0;
    virtual ge::graphStatus DoOpTiling() = 0;
    virtual ge::graphStatus DoLibApiTiling() = 0;
    virtual uint64_t GetTilingKey() const = 0;
    virtual ge::graphStatus GetWorkspaceSize() = 0;
    virtual ge::graphStatus PostTiling() = 0;
    virtual void DumpTilingInfo() {}
    static uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) {
        return platform_ascendc::PlatformAscendC(nullptr).CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
    }

    gert::TilingContext* context_ = nullptr;
    std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_;
    uint32_t blockDim_ = 0;
    uint64_t workspaceSize_ = 0;
    uint64_t tilingKey_ = 0;
    AiCoreParams aicoreParams_;
};

}  // namespace Base
}  // namespace Ops

namespace twin_host {

class TilingRegistry {
public:
    using Creator = std::function<std::unique_ptr<Ops::Base::TilingBaseClass>(gert::TilingContext*)>;
    static TilingRegistry& GetInstance() {
        static TilingRegistry registry;
        return registry;
    }
    /// Smaller priorities are tried first.
    bool add(const std::string& opType, int priority, Creator creator) {
        classes_[opType][priority] = std::move(creator);
        return true;
    }
    ge::graphStatus DoTilingImpl(gert::TilingContext* context) {
        for (auto& entry : classes_[context->GetNodeType()]) {
            const ge::graphStatus status = entry.second(context)->DoTiling();
            if (status != ge::GRAPH_PARAM_INVALID) return status;
        }
        OP_LOGE(context->GetNodeName(), "no tiling template serves this call");
        return ge::GRAPH_FAILED;
    }
    ge::graphStatus DoTilingImpl(gert::TilingContext* context, const std::vector<int32_t>& priorities) {
        for (const int32_t priority : priorities) {
            const auto& classes = classes_[context->GetNodeType()];
            const auto found = classes.find(priority);
            if (found == classes.end()) continue;
            const ge::graphStatus status = found->second(context)->DoTiling();
            if (status != ge::GRAPH_PARAM_INVALID) return status;
        }
        return ge::GRAPH_FAILED;
    }

private:
    std::map<std::string, std::map<int, Creator>> classes_;
};

}  // namespace twin_host

namespace optiling {
using Ops::Base::AiCoreParams;
using Ops::Base::TilingBaseClass;
using twin_host::TilingRegistry;
}  // namespace optiling
namespace Ops {
namespace Math {
namespace OpTiling {
using Ops::Base::AiCoreParams;
using Ops::Base::TilingBaseClass;
using twin_host::TilingRegistry;
}  // namespace OpTiling
}  // namespace Math
}  // namespace Ops

#define TWIN_REGISTER_TILING_COUNTED(opType, className, priority, counter)                                                          \
    static bool twin_tiling_template_##counter __attribute__((unused)) = ::twin_host::TilingRegistry::GetInstance().add(            \
        opType, priority, [](gert::TilingContext* context) { return std::unique_ptr<::Ops::Base::TilingBaseClass>(new className(context)); });
#define TWIN_REGISTER_TILING(opType, className, priority, counter) TWIN_REGISTER_TILING_COUNTED(opType, className, priority, counter)
#define REGISTER_TILING_TEMPLATE(opType, className, priority) TWIN_REGISTER_TILING(opType, className, priority, __COUNTER__)
#define REGISTER_OPS_TILING_TEMPLATE(op, className, priority) TWIN_REGISTER_TILING(#op, className, priority, __COUNTER__)

#endif
