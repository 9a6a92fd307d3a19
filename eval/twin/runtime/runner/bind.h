// Joins a case with its operator's definition: parameters in the kernel's order, attributes, what the host may see.
#ifndef TWIN_RUNNER_BIND_H
#define TWIN_RUNNER_BIND_H

#include <stdexcept>
#include <string>
#include <vector>

#include "case.h"
#include "plan.h"
#include "register/op_def_registry.h"
#include "twin_host/call.h"

namespace twin_host {

/// The operator cannot be launched with this case; the message is for the candidate's author.
struct LaunchFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The call as the host side sees it, and where its tensors stand in the case.
struct Binding {
    OpCall call;
    std::vector<PlannedParameter> inputs, outputs;
    size_t shapesFromKernel = 0;
};

/// @param values of each input of the case; empty where tiling may not see them, and the tensor has no address
/// @throws LaunchFailure when names, counts, types or attributes do not fit the definition
Binding bind(const Case& operatorCase, const ops::OpDef& definition, std::vector<std::vector<uint8_t>>& values);

}  // namespace twin_host

#endif
