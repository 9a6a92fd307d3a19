// Crash signals: an access beside device memory is a broken rule with a name; what the device would survive goes on;
// anything else is a crash with a place.
#ifndef TWIN_RUNNER_FAULTS_H
#define TWIN_RUNNER_FAULTS_H

#include "child.h"
#include "device_memory.h"

namespace twin_host {

/// `allocations` must outlive the run. What is found goes to `line`. A kernel goes on after a division by zero, with a
/// result that is another one in the reverse order of blocks.
void catchFaults(const Line& line, const std::vector<Allocation>& allocations, bool reverseOrder);

}  // namespace twin_host

#endif
