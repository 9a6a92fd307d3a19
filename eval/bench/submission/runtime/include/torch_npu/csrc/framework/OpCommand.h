// Stands in for torch_npu's header of the same name: what would wait in a queue is done at once.
#pragma once

#include <string>

#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace at_npu::native {

struct OpCommand {
    template <class Work> static void RunOpApi(const std::string&, Work work, bool = false) { work(); }
    template <class Work> static void RunOpApiV2(const std::string&, Work work, bool = false) { work(); }
};

}  // namespace at_npu::native
