#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "confine.h"

namespace twin_host {
namespace {

/// Where the child finds its ends: the lowest numbers after the standard ones.
constexpr int kFrom = 3, kTo = 4;

/// Leaves stdin empty, stdout and stderr in the log, the two ends of the line, and nothing else.
void takeFiles(const Pipe& down, const Pipe& up, const Pipe& log) {
    // First out of the way of the numbers that are given out next.
    const int from = fcntl(down.read, F_DUPFD, 100), to = fcntl(up.write, F_DUPFD, 100),
              out = fcntl(log.write, F_DUPFD, 100);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    dup2(from, kFrom);
    dup2(to, kTo);
    closeFilesFrom(kTo + 1);
}

void keepTail(std::string& log) {
    if (log.size() > 2 * kMostLogBytes) log.erase(0, log.size() - kMostLogBytes);
}

/// Everything a child says and prints, until it closes both or its time is over. What it is given goes out in pieces,
/// so that a child which does not read it stops nothing but itself.
class Conversation {
public:
    Conversation(Pipe& down, Pipe& up, Pipe& print, const std::vector<uint8_t>& given, std::string& log)
        : down_(down), up_(up), print_(print), given_(given), log_(log) {}

    /// False when the deadline came first, or more was said than may be.
    bool hold(Clock::time_point deadline, size_t mostBytes) {
        while (up_.read >= 0 || print_.read >= 0) {
            if (Clock::now() >= deadline || said.size() > mostBytes) return false;
            if (sent_ == given_.size()) Pipe::closeEnd(down_.write);
            pollfd ends[3] = {{up_.read, POLLIN, 0}, {print_.read, POLLIN, 0}, {down_.write, POLLOUT, 0}};
            if (poll(ends, 3, millisecondsTo(deadline)) <= 0) continue;
            if (ends[0].revents != 0 && !drain(up_.read, said)) Pipe::closeEnd(up_.read);
            if (ends[1].revents != 0 && !drain(print_.read, log_)) Pipe::closeEnd(print_.read);
            keepTail(log_);
            if (ends[2].revents != 0) send();
        }
        return true;
    }
    std::string said;

private:
    void send() {
        const ssize_t put = write(down_.write, given_.data() + sent_, given_.size() - sent_);
        if (put > 0) sent_ += static_cast<size_t>(put);
        else if (errno != EAGAIN && errno != EINTR) sent_ = given_.size();
    }

    Pipe& down_;
    Pipe& up_;
    Pipe& print_;
    const std::vector<uint8_t>& given_;
    std::string& log_;
    size_t sent_ = 0;
};

}  // namespace

bool Line::say(const std::string& text) const {
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t put = write(to_, text.data() + done, text.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        done += static_cast<size_t>(put);
    }
    return true;
}

bool Line::read(void* data, size_t bytes) const {
    size_t done = 0;
    while (done < bytes) {
        const ssize_t got = ::read(from_, static_cast<uint8_t*>(data) + done, bytes - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += static_cast<size_t>(got);
    }
    return true;
}

ChildEnd runChild(const ChildLimits& limits, const std::vector<uint8_t>& given, std::string& log,
                  const std::function<void(const Line&)>& work) {
    Pipe down, up, print;
    const auto deadline = deadlineIn(limits.wallSeconds);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process to be had");
    if (child == 0) {
        takeFiles(down, up, print);
        // What a kernel prints comes line by line, also when it does not end well.
        setvbuf(stdout, nullptr, _IOLBF, 0);
        limitCpu(limits.cpuSeconds);
        work(Line(kFrom, kTo));
        _exit(1);
    }
    for (int* end : {&down.read, &up.write, &print.write}) Pipe::closeEnd(*end);
    fcntl(down.write, F_SETFL, O_NONBLOCK);
    Conversation conversation(down, up, print, given, log);
    const bool whole = conversation.hold(deadline, limits.mostBytes);
    const bool late = !whole && Clock::now() >= deadline;
    if (!whole) kill(child, SIGKILL);
    // One that closes its files and lives on gets until the deadline.
    ChildEnd end{awaitProcess(child, deadline, limits.cpuSeconds), std::move(conversation.said), !whole && !late};
    end.pastWall = end.pastWall || late;
    return end;
}

}  // namespace twin_host
