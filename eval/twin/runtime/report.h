// The one line of JSON that ends a run. It goes to what was stdout when the runner started; by then a candidate's prints go elsewhere.
#ifndef TWIN_RUNTIME_REPORT_H
#define TWIN_RUNTIME_REPORT_H

#include <string>

#include "bind.h"

namespace twin_host {

/// Takes stdout for the report and points the candidate's at stderr; reads the nonce, a line of stdin, that the report must carry.
void openReport();

/// Each writes the report and ends the process with status 0, without running the candidate's exit handlers.
[[noreturn]] void reportRan(const Binding& binding, const twin::LaunchReport& launch);
[[noreturn]] void reportLaunchFailure(const std::string& message);
[[noreturn]] void reportViolation(const twin::Violation& violation);

}  // namespace twin_host

#endif
