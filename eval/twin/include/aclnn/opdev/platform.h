// op: chips as the single-operator interface counts them. Tiling files include it; they ask the tiling's own platform.
#ifndef TWIN_ACLNN_OPDEV_PLATFORM_H
#define TWIN_ACLNN_OPDEV_PLATFORM_H

#include "platform/platform_info.h"

namespace op {
enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND910_93,
    ASCEND910_95,
    ASCEND950 = ASCEND910_95,
    ASCEND910E,
    ASCEND310,
    ASCEND310P,
    ASCEND310B,
    ASCEND310C,
    ASCEND610LITE,
    KIRINX90,
    KIRIN9030,
    ASCEND350,
    RESERVED_VERSION = 99999
};
}  // namespace op

#endif
