// Joins a case with its operator's definition: parameters in the kernel's order, attributes, device memory.
#ifndef TWIN_RUNNER_BIND_H
#define TWIN_RUNNER_BIND_H

#include <stdexcept>
#include <string>
#include <vector>

#include "case.h"
#include "register/op_def_registry.h"
#include "twin/launch.h"
#include "twin_host/call.h"

namespace twin_host {

/// The operator cannot be launched with this case; the message is for the candidate's author.
struct LaunchFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A piece of device memory: what the crash handler looks an address up in.
struct Allocation {
    std::string name;
    uint8_t* data;
    size_t bytes;
    bool readOnly;
};

struct Binding {
    OpCall call;
    /// In the kernel's order; members of tensor lists follow after tiling.
    std::vector<twin::GmArg> args;
    std::vector<Allocation> allocations;
    /// Where each output of the case lies.
    std::vector<uint8_t*> outputs;
};

/// @throws LaunchFailure when names, counts, types or attributes do not fit the definition
Binding bind(const Case& operatorCase, const ops::OpDef& definition);

/// Appends workspace and tiling, which exist only after tiling ran, and the members of lists.
void bindAfterTiling(Binding& binding);

}  // namespace twin_host

#endif
