// Crash signals: an access beside device memory is a broken rule with a name; anything else is a crash with a place.
#ifndef TWIN_RUNTIME_FAULTS_H
#define TWIN_RUNTIME_FAULTS_H

#include "bind.h"

namespace twin_host {

/// `allocations` is read when a signal arrives, so that it may grow until then; it must outlive the run.
void catchFaults(const std::vector<Allocation>& allocations);

}  // namespace twin_host

#endif
