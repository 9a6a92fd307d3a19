// Pipes between the runner and what it starts, and the ends of processes.
#ifndef TWIN_RUNNER_PIPES_H
#define TWIN_RUNNER_PIPES_H

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <string>

namespace twin_host {

using Clock = std::chrono::steady_clock;

/// @throws std::runtime_error when there is none to be had
struct Pipe {
    int read = -1, write = -1;
    Pipe();
    ~Pipe();
    Pipe(Pipe&& other) noexcept;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    static void closeEnd(int& end);
};

/// Appends what is there. False at the end of the stream.
bool drain(int from, std::string& into);

/// For poll, at most a second.
int millisecondsTo(Clock::time_point deadline);
Clock::time_point deadlineIn(double seconds);

/// Of the process that calls it: SIGXCPU at the limit, SIGKILL two seconds later.
void limitCpu(double seconds);

struct ProcessEnd {
    /// As waitpid gives it.
    int status = 0;
    double cpuSeconds = 0;
    bool pastCpu = false, pastWall = false;
};

/// Waits for a process, and ends it at the deadline.
ProcessEnd awaitProcess(pid_t process, Clock::time_point deadline, double cpuSeconds);

}  // namespace twin_host

#endif
