// A process of its own for a candidate's code: confined, limited, heard through one pipe.
#ifndef TWIN_RUNNER_CHILD_H
#define TWIN_RUNNER_CHILD_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pipes.h"

namespace twin_host {

struct ChildLimits {
    double cpuSeconds = 0, wallSeconds = 0;
    /// How much a child may say; more ends it.
    size_t mostBytes = 0;
};

/// How a child ended. `said` is all that it wrote to its pipe: the candidate's word, to be read with suspicion.
struct ChildEnd : ProcessEnd {
    std::string said;
    bool saidTooMuch = false;
};

/// The child's ends of its two pipes, open in the child alone.
class Line {
public:
    Line(int from, int to) : from_(from), to_(to) {}
    /// False when the other end is gone.
    bool say(const std::string& text) const;
    /// False when fewer bytes come.
    bool read(void* data, size_t bytes) const;

private:
    int from_, to_;
};

/// Forks and runs `work`, which must not return (_exit). The child sees stderr, nothing on stdin, and none of the
/// parent's other files. What it prints goes to `log`, whose last `kMostLogBytes` are kept.
/// @param given what the child can read from its line
/// @throws std::runtime_error when there is no process or pipe to be had
ChildEnd runChild(const ChildLimits& limits, const std::vector<uint8_t>& given, std::string& log,
                  const std::function<void(const Line&)>& work);

constexpr size_t kMostLogBytes = 64 * 1024;

}  // namespace twin_host

#endif
