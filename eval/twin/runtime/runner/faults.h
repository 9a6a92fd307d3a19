// Crash signals: an access beside device memory is a broken rule with a name; what the device would survive goes on;
// anything else is a crash with a place.
#ifndef TWIN_RUNNER_FAULTS_H
#define TWIN_RUNNER_FAULTS_H

#include "bind.h"

namespace twin_host {

/// `allocations` is read when a signal arrives, so that it may grow until then; it must outlive the run. A kernel goes
/// on after a division by zero, with a result that is another one in the reverse order of blocks.
void catchFaults(const std::vector<Allocation>& allocations, bool reverseOrder);

}  // namespace twin_host

#endif
