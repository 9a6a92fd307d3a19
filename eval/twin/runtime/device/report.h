// JSON of what a launch did and how it ended.
#ifndef TWIN_DEVICE_REPORT_H
#define TWIN_DEVICE_REPORT_H

#include <string>

#include "twin/launch.h"

namespace twin {

/// With its quotation marks.
std::string jsonString(const std::string& text);
std::string violationJson(const Violation& violation);
std::string launchJson(const LaunchReport& launch);

}  // namespace twin

#endif
