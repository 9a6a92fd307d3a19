// The twin's device as a process with PyTorch has it: tensors lie in device memory, which host code cannot reach, and
// every launch runs in a process of its own, so that a kernel that breaks a rule ends nothing but itself.
#include <c10/core/Allocator.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "runtime/device/report.h"
#include "runtime/direct/device.h"

namespace {

using twin::direct::OpenMemory;

rlim_t cpuSeconds = 0;  // of a launch
int questions = -1;
int launchEnd = -1;  // of the pipe, in a launch's process
bool reverse = false;
std::string launches, failure, hostRead;

class DeviceMemory final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override {
        const c10::Device device(c10::DeviceType::CPU);
        if (bytes == 0) return {nullptr, nullptr, &Free, device};
        const auto* one = twin::direct::allocate(bytes, 32);
        if (one == nullptr) throw std::bad_alloc();
        return {one->data, one->data, &Free, device};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &Free; }
    void copy_data(void* to, const void* from, size_t count) const override {
        const OpenMemory open;
        default_copy_data(to, from, count);
    }

private:
    static void Free(void* data) {
        const auto* begin = static_cast<const uint8_t*>(data);
        // A program may reset the device, which frees all it has.
        if (twin::direct::allocations().count(begin) > 0) twin::direct::release(begin);
    }
};
DeviceMemory memory;

void SayTo(int file, const std::string& text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t put = write(file, text.data() + done, text.size() - done);
        if (put <= 0) return;
        done += static_cast<size_t>(put);
    }
}

/// The host's code may not go on either: it ends here as it would on a board.
void OnBroken(const twin::Violation& violation) {
    const std::string json = twin::violationJson(violation);
    if (launchEnd >= 0) SayTo(launchEnd, "{\"violation\":" + json + "}");
    else SayTo(questions, "{\"violated\":" + json + "}\n");
}

[[noreturn]] void RunHere(twin::LaunchSpec spec, twin::Entry entry) {
    close(questions);
    const rlimit seconds = {cpuSeconds, cpuSeconds + 2};
    setrlimit(RLIMIT_CPU, &seconds);
    spec.reverseOrder = reverse;
    twin::onViolation = twin::direct::endWith;
    const OpenMemory open;
    const std::string report = twin::launchJson(twin::Launch(spec, entry));
    SayTo(launchEnd, "{\"blockDim\":" + std::to_string(spec.blockDim) + ",\"launch\":" + report + "}");
    _exit(0);
}

std::string HeardFrom(int file) {
    std::string said;
    char piece[4096];
    for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;) said.append(piece, static_cast<size_t>(got));
    close(file);
    return said;
}

std::string Fault(const std::string& why) { return "{\"fault\":" + twin::jsonString(why) + "}"; }

std::string EndOf(int status, const rusage& used, const std::string& said) {
    if (WIFEXITED(status) && !said.empty()) return said;
    if (!WIFSIGNALED(status)) return "{\"exit\":" + std::to_string(WEXITSTATUS(status)) + "}";
    const int signal = WTERMSIG(status);
    // Nothing that a kernel does leads to it before its time is up, but the machine's want of memory does.
    const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (signal == SIGKILL && seconds < cpuSeconds) return Fault("the kernel's process was killed");
    return "{\"signal\":" + std::to_string(signal) + "}";
}

/// The host's code may go on, but what it comes to says nothing.
[[noreturn]] void Stop(const std::string& how, const char* why) {
    if (failure.empty()) failure = how;
    throw std::runtime_error(why);
}

void LaunchApart(const twin::LaunchSpec& spec, twin::Entry entry) {
    int ends[2];
    if (pipe(ends) != 0) Stop(Fault("no pipe to be had"), "no pipe to be had");
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        Stop(Fault("no process to be had"), "no process to be had");
    }
    if (child == 0) {
        close(ends[0]);
        launchEnd = ends[1];
        RunHere(spec, entry);
    }
    close(ends[1]);
    const std::string said = HeardFrom(ends[0]);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !said.empty()) {
        launches += (launches.empty() ? "" : ",") + said;
        return;
    }
    Stop(EndOf(status, used, said), "the kernel did not come to its end");
}

std::vector<std::unique_ptr<OpenMemory>>& opened() {
    static std::vector<std::unique_ptr<OpenMemory>> all;
    return all;
}

}  // namespace

extern "C" {

/// From now on tensors are device memory. What breaks a rule of the host is said to `file`; a launch has `seconds`.
void twin_begin(int file, int seconds) {
    questions = file;
    cpuSeconds = static_cast<rlim_t>(seconds);
    twin::direct::hooks() = {&LaunchApart, &OnBroken, [](const char* api) { hostRead = api; }};
    aclrtSetDevice(0);
    c10::SetAllocator(c10::DeviceType::CPU, &memory, 1);
}
void twin_open() { opened().push_back(std::make_unique<OpenMemory>()); }
void twin_close() { opened().pop_back(); }
void twin_next(bool inReverse) {
    reverse = inReverse;
    launches.clear();
    failure.clear();
    hostRead.clear();
}
/// What was launched since, and what went wrong, as JSON.
const char* twin_said() {
    static std::string said;
    said = "{\"launches\":[" + launches + "]";
    if (!failure.empty()) said += ",\"failure\":" + failure;
    if (!hostRead.empty()) said += ",\"hostRead\":" + twin::jsonString(hostRead);
    said += "}";
    return said.c_str();
}

}  // extern "C"
