// JSON of what a launch did and how it ended.
#ifndef TWIN_RUNNER_REPORT_H
#define TWIN_RUNNER_REPORT_H

#include <string>

#include "twin/launch.h"

namespace twin_host {

std::string violationJson(const twin::Violation& violation);
std::string launchJson(const twin::LaunchReport& launch);

}  // namespace twin_host

#endif
