// Limits that the runner puts on itself before any code of a candidate runs.
#ifndef TWIN_RUNTIME_CONFINE_H
#define TWIN_RUNTIME_CONFINE_H

namespace twin_host {

/// No new processes, no core files, no new privileges; and, where the kernel offers seccomp filters, sockets, process creation, program
/// execution and tracing end the process with SIGSYS. What the sandbox around the runner forbids stays forbidden.
void confine();

}  // namespace twin_host

#endif
