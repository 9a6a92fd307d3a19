// What the host side of an operator decides about a launch, as one process tells it to another.
#ifndef TWIN_RUNNER_PLAN_H
#define TWIN_RUNNER_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace twin_host {

/// One parameter of the definition, with its tensors as lines of the case (inputs or outputs).
struct PlannedParameter {
    std::string name;
    /// A list in device memory, whatever the number of its tensors.
    bool dynamic = false;
    std::vector<size_t> lines;
    /// Bytes that the tensors are full of before the launch, again and again; none: nobody fills them.
    std::vector<uint8_t> fill;
};

/// All that the kernel's process learns of the host's: which argument is which, and what tiling computed.
struct LaunchPlan {
    std::vector<PlannedParameter> inputs, outputs;
    /// Outputs whose shape the kernel finds out itself.
    size_t shapesFromKernel = 0;
    uint32_t blockDim = 0;
    uint64_t tilingKey = 0;
    std::vector<size_t> workspaces;
    /// The structure that tiling wrote, by its class name; '' when it wrote bytes.
    std::string tilingClass;
    std::vector<uint8_t> tiling;

    size_t workspaceBytes() const;
};

/// One line a fact.
std::string writePlan(const LaunchPlan& plan);
/// @param inputs, outputs how many lines the case has of each
/// @throws std::runtime_error when the text is no plan for such a case
LaunchPlan readPlan(const std::string& text, size_t inputs, size_t outputs);

std::string hex(const uint8_t* bytes, size_t count);

}  // namespace twin_host

#endif
