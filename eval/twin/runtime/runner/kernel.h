// The kernel of an operator, run in a process that has its arguments and nothing of the host side.
#ifndef TWIN_RUNNER_KERNEL_H
#define TWIN_RUNNER_KERNEL_H

#include "case.h"
#include "child.h"
#include "device_memory.h"
#include "plan.h"

namespace twin_host {

/// Device memory of a launch, held by the parent: the child's writes to outputs and workspace are seen here.
struct DeviceMemory {
    /// In the kernel's order; members of tensor lists follow after tiling.
    std::vector<twin::GmArg> args;
    std::vector<Allocation> allocations;
    /// Where each output of the case lies; null for one that the operator does not have.
    std::vector<uint8_t*> outputs;
};

/// @param inputs open files of the case's inputs, in its order
/// @throws OutOfDeviceMemory when there is not enough, which is for tiling's workspace to answer for
DeviceMemory placeTensors(const Case& operatorCase, const LaunchPlan& plan, const std::vector<int>& inputs);

/// Loads the kernel's libraries and launches in a child.
ChildEnd runKernel(const Case& operatorCase, const LaunchPlan& plan, const DeviceMemory& memory, std::string& log);

}  // namespace twin_host

#endif
