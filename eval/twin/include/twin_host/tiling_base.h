// A registry of tiling classes, which tries those of an operator in order. Repositories with one of their own bring it.
#ifndef TWIN_HOST_TILING_BASE_H
#define TWIN_HOST_TILING_BASE_H

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "twin_host/tiling_class.h"

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
using Ops::Base::CompileInfoCommon;
using Ops::Base::TilingBaseClass;
using twin_host::TilingRegistry;
}  // namespace optiling

#define TWIN_REGISTER_TILING_COUNTED(opType, className, priority, counter)                                  \
    static bool twin_tiling_template_##counter __attribute__((unused)) =                                    \
        ::twin_host::TilingRegistry::GetInstance().add(opType, priority, [](gert::TilingContext* context) { \
            return std::unique_ptr<::Ops::Base::TilingBaseClass>(new className(context));                   \
        });
#define TWIN_REGISTER_TILING(opType, className, priority, counter) \
    TWIN_REGISTER_TILING_COUNTED(opType, className, priority, counter)
#define REGISTER_TILING_TEMPLATE(opType, className, priority) \
    TWIN_REGISTER_TILING(opType, className, priority, __COUNTER__)
#define REGISTER_OPS_TILING_TEMPLATE(op, className, priority) \
    TWIN_REGISTER_TILING(#op, className, priority, __COUNTER__)

#endif
