// The instructions of a traced launch one by one, and what each had to wait for.
#ifndef TWIN_DEVICE_STEPS_H
#define TWIN_DEVICE_STEPS_H

#include <array>
#include <vector>

#include "order.h"
#include "twin/launch.h"

namespace twin {

/// Instructions that are told of all cores of a launch together, and of each core at least.
constexpr size_t kMostSteps = 100'000, kFewestSteps = 2'000;

struct Steps {
    size_t most = 0;     // 0: the launch is not traced
    bool ended = false;  // there were more
    std::vector<Step> told;
    uint32_t place = 0;
    size_t lastVector = SIZE_MAX;
    /// What the account came to when the last one was closed.
    Step seen;
    /// Who raised `known` last, by the pipe that waits and the one that it waits for.
    std::array<std::array<Wait, kPipes>, kPipes> causes;
    /// What each pipe's last instruction has waited for.
    std::array<Clock, kPipes> waited{};
};

}  // namespace twin

#endif
