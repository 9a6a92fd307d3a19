// Tiling of the broadcast templates (atvoss): named by operators for several chips, refused on Atlas A2.
#ifndef TWIN_ATVOSS_BROADCAST_TILING_H
#define TWIN_ATVOSS_BROADCAST_TILING_H

#include "atvoss/refused.h"

namespace Ops {
namespace Base {

template <class OpDag>
class BroadcastBaseTiling {
public:
    explicit BroadcastBaseTiling(gert::TilingContext* context, uint32_t = 0) : context_(context) {}
    ge::graphStatus DoTiling(int64_t = 0, int64_t = 0, bool = false) {
        return twin_host::refuseTemplates(context_, "broadcast");
    }

private:
    gert::TilingContext* context_;
};

}  // namespace Base
}  // namespace Ops

#endif
