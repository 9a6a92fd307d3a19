// Compilers and linkers, started inside the sandbox that the runner is in.
#ifndef TWIN_RUNNER_RUN_TOOLS_H
#define TWIN_RUNNER_RUN_TOOLS_H

#include <string>

namespace twin_host {

/// @param request seconds of CPU, seconds by the clock, bytes of address space, bytes of a file, bytes of stderr that
///   are kept; then the words of each command, escaped, with `;` between commands, which run at the same time
/// @returns JSON on one line: how each command ended, in their order
std::string runTools(const std::string& request);

}  // namespace twin_host

#endif
