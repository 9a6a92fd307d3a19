// Limits that the runner puts on itself before any code of a candidate runs.
#ifndef TWIN_RUNNER_CONFINE_H
#define TWIN_RUNNER_CONFINE_H

#include <cstddef>

namespace twin_host {

/// No new processes, no core files, no new privileges; and, where the kernel offers seccomp filters, sockets, process
/// creation, program execution and tracing end the process with SIGSYS, and no file can be made, changed or opened for
/// writing (EPERM): what is open stays open, and none grows past `fileBytes`. What the sandbox around the runner
/// forbids stays forbidden.
void confine(size_t fileBytes);

}  // namespace twin_host

#endif
