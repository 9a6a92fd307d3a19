// Lines of JSON: that the candidate starts, and how it ended. They go to what was stdout when the runner started; by
// then a candidate's prints go elsewhere.
#ifndef TWIN_RUNNER_REPORT_H
#define TWIN_RUNNER_REPORT_H

#include <string>

#include "bind.h"

namespace twin_host {

/// Takes stdout for the report and points the candidate's at stderr; reads the nonce, a line of stdin, that the report
/// must carry.
void openReport();

/// Says that what comes next is the candidate's doing: what ends before it is no fault of the candidate.
void reportStarted();

/// Each writes the report and ends the process with status 0, without running the candidate's exit handlers.
[[noreturn]] void reportRan(const Binding& binding, const twin::LaunchReport& launch);
[[noreturn]] void reportLaunchFailure(const std::string& message);
/// The machine failed, not the candidate: no room for an output.
[[noreturn]] void reportNotJudged(const std::string& message);
[[noreturn]] void reportViolation(const twin::Violation& violation);

}  // namespace twin_host

#endif
