// Stands in for torch_npu's header of the same name, as far as a binding needs it to launch a kernel: the twin's
// streams run what they are given at once, and null is the default one.
#pragma once

#include <c10/core/Device.h>

#include "acl/acl_base.h"

namespace c10_npu {

class NPUStream {
public:
    aclrtStream stream() const { return nullptr; }
    /// @param needEmpty whether what was queued before has to be given to the device first
    aclrtStream stream(bool needEmpty) const { return static_cast<void>(needEmpty), nullptr; }
    operator aclrtStream() const { return nullptr; }
    c10::DeviceIndex device_index() const { return 0; }
    void synchronize() const {}
};

inline NPUStream getCurrentNPUStream(c10::DeviceIndex = -1) { return {}; }
inline NPUStream getDefaultNPUStream(c10::DeviceIndex = -1) { return {}; }

}  // namespace c10_npu
