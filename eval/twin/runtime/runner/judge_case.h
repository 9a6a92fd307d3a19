// One case from its files to the line that says how it ended.
#ifndef TWIN_RUNNER_JUDGE_CASE_H
#define TWIN_RUNNER_JUDGE_CASE_H

#include <string>

namespace twin_host {

/// Plans the launch in one child, runs the kernel in another, writes the outputs. The files of the case are gone before
/// the first line of the candidate's code runs.
/// @returns JSON on one line
std::string judgeCase(const std::string& directory);

/// The line for a failure that is none of the candidate's.
std::string notJudged(const std::string& message);

}  // namespace twin_host

#endif
