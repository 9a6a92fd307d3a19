// The answer of the atvoss templates on Atlas A2.
#ifndef TWIN_ATVOSS_REFUSED_H
#define TWIN_ATVOSS_REFUSED_H

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"

namespace twin_host {

inline ge::graphStatus refuseTemplates(const gert::TilingContext* context, const char* kind) {
    OP_LOGE(context,
            "%s templates (atvoss) are for chips with vector registers, which Atlas A2 has not; the operator "
            "needs a tiling of its own for A2",
            kind);
    return ge::GRAPH_FAILED;
}

}  // namespace twin_host

#endif
