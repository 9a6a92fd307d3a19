// The host side of an operator, run in a process that holds no tensor's values but those that the host may see.
#ifndef TWIN_RUNNER_TILING_H
#define TWIN_RUNNER_TILING_H

#include "case.h"
#include "child.h"
#include "device_memory.h"
#include "plan.h"

namespace twin_host {

/// What the host side gave: a plan, or why there is none.
struct TilingEnd {
    ChildEnd child;
    bool planned = false;
    LaunchPlan plan;
};

/// Loads the host library and runs its tiling in a child. @param inputs open files of the case's inputs, in its order
TilingEnd planLaunch(const Case& operatorCase, const std::vector<int>& inputs, std::string& log);

}  // namespace twin_host

#endif
