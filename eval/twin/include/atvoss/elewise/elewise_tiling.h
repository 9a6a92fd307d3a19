// Tiling of the elementwise templates (atvoss). Their kernels compute on vector registers, which Atlas A2 has not:
// operators for several chips name these classes, and on this one a call is refused.
#ifndef TWIN_ATVOSS_ELEWISE_TILING_H
#define TWIN_ATVOSS_ELEWISE_TILING_H

#include "atvoss/elewise/elewise_base_struct.h"
#include "atvoss/refused.h"
#include "register/tilingdata_base.h"

namespace Ops {
namespace Base {

struct ElewiseCompileInfo {
    uint64_t coreNum = 0;
    uint64_t ubSize = 0;
};

class ElewiseBaseTiling {
public:
    explicit ElewiseBaseTiling(gert::TilingContext* context) : context_(context) {}
    template <class OpDag, bool CheckShape = true>
    ge::graphStatus DoTiling(EleBaseTilingData&, int64_t = 0, int64_t = 0) {
        return refuse();
    }
    template <class OpDag, bool CheckShape = true>
    ge::graphStatus DoTiling(EleBaseTilingData16B&, int64_t = 0, int64_t = 0) {
        return refuse();
    }
    template <class OpDag, bool CheckShape = true>
    ge::graphStatus DoTiling24B(int64_t = 0, int64_t = 0) {
        return refuse();
    }
    template <class OpDag, bool CheckShape = true>
    ge::graphStatus DoTiling32B(int64_t = 0, int64_t = 0) {
        return refuse();
    }

private:
    ge::graphStatus refuse() const { return twin_host::refuseTemplates(context_, "elementwise"); }
    gert::TilingContext* context_;
};

}  // namespace Base
}  // namespace Ops

#endif
