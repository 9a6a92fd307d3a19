#include "pipes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <stdexcept>

namespace twin_host {
namespace {

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

}  // namespace

Pipe::Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to be had");
    read = ends[0];
    write = ends[1];
}

Pipe::~Pipe() {
    closeEnd(read);
    closeEnd(write);
}

Pipe::Pipe(Pipe&& other) noexcept : read(other.read), write(other.write) { other.read = other.write = -1; }

void Pipe::closeEnd(int& end) {
    if (end >= 0) close(end);
    end = -1;
}

bool drain(int from, std::string& into) {
    char bytes[1 << 14];
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got > 0) into.append(bytes, static_cast<size_t>(got));
    return got > 0 || (got < 0 && errno == EINTR);
}

int millisecondsTo(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return left < 0 ? 0 : static_cast<int>(left > 1000 ? 1000 : left);
}

Clock::time_point deadlineIn(double seconds) {
    return Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

void limitCpu(double seconds) {
    const auto soft = static_cast<rlim_t>(std::ceil(seconds));
    const rlimit cpu = {soft, soft + 2};
    setrlimit(RLIMIT_CPU, &cpu);
}

ProcessEnd awaitProcess(pid_t process, Clock::time_point deadline, double cpuSeconds) {
    ProcessEnd end;
    rusage used{};
    while (wait4(process, &end.status, WNOHANG, &used) == 0) {
        if (Clock::now() >= deadline && !end.pastWall) {
            end.pastWall = true;
            kill(process, SIGKILL);
        }
        usleep(100);
    }
    end.cpuSeconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    const int by = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
    // No child can send SIGXCPU. SIGKILL may come from outside too; the limit counts whole ticks of the clock, which on
    // a busy machine are more than the time that was used.
    end.pastCpu = by == SIGXCPU || (by == SIGKILL && !end.pastWall && end.cpuSeconds >= cpuSeconds / 2);
    return end;
}

}  // namespace twin_host
