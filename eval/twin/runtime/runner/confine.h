// What a process gives up before any code of a candidate runs in it.
#ifndef TWIN_RUNNER_CONFINE_H
#define TWIN_RUNNER_CONFINE_H

namespace twin_host {

/// Closes every file from this number on, whoever opened it.
void closeFilesFrom(int first);

/// Keeps the memory of this process from others of the same account.
void hideMemory();

/// For a child that still has to load the candidate's library. No new processes, no core files, no new privileges, no
/// growing files. Where the kernel offers seccomp filters, a list says which system calls there are: what a library and
/// the C++ runtime need, with files opened for reading alone. Sockets, processes, programs, signals to others and
/// tracing end the process with SIGSYS; every other call fails with EPERM. What the sandbox around forbids stays
/// forbidden.
void confineToLoad();

/// The same for a child that has loaded all it needs: no file is opened any more.
void confineToRun();

}  // namespace twin_host

#endif
