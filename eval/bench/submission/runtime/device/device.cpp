// The memory and the cores of the NPU that a submission's model is given: a process of the judge, which answers one
// line with one. What the model asks reaches it through the judge; nothing of the submission is loaded into it, and each
// launch is a process of its own, which loads the kernels and ends with them.
//
//   begin nan|zero forward|reverse      what fresh memory holds, and the order of blocks
//   alloc BASE BYTES BEHIND, free DATA  an allocation as the model's process laid it out
//   write PLACE HEX                     bytes of the host
//   fill TENSOR HEX, copy TENSOR TENSOR one element everywhere; elements with their type changed
//   load TENSOR FILE, save TENSOR FILE  elements in order; only the judge says these
//   launch SITE KERNEL BLOCKS ARGUMENTS COUNT POINTER...
//
// A tensor is TYPE PLACE DIMENSIONS SIZE... STRIDE..., a file's elements lie without gaps.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "elements.h"
#include "runtime/device/report.h"
#include "runtime/direct/device.h"
#include "twin/direct_launch.h"

namespace {

using namespace elements;
using twin::direct::OpenMemory;

const char* kernels = nullptr;  // the library of a submission that launches its kernels itself
rlim_t cpuSeconds = 0;          // of a launch
int answers = -1;
int launchEnd = -1;  // of the pipe, in a launch's process
bool reverse = false;
std::unique_ptr<OpenMemory> opened;

void SayTo(int file, const std::string& text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t put = write(file, text.data() + done, text.size() - done);
        if (put <= 0) return;
        done += static_cast<size_t>(put);
    }
}

std::string Fault(const std::string& why) { return "{\"fault\":" + twin::jsonString(why) + "}"; }

struct Launched {
    std::string site, kernel;
    uint64_t blocks;
    std::vector<uint8_t> arguments;
    std::vector<const void*> pointers;
};

void OnBroken(const twin::Violation& violation) {
    SayTo(launchEnd, "{\"violation\":" + twin::violationJson(violation) + "}");
}

void RunSpec(const twin::LaunchSpec& given, twin::Entry entry) {
    twin::LaunchSpec spec = given;
    spec.reverseOrder = reverse;
    twin::onViolation = twin::direct::endWith;
    const std::string report = twin::launchJson(twin::Launch(spec, entry));
    SayTo(launchEnd, "{\"blockDim\":" + std::to_string(spec.blockDim) + ",\"launch\":" + report + "}");
    _exit(0);
}

[[noreturn]] void RunHere(const Launched& asked) {
    close(answers);
    close(0);
    const rlimit seconds = {cpuSeconds, cpuSeconds + 2};
    setrlimit(RLIMIT_CPU, &seconds);
    // What its library does while it is loaded finds no values either.
    opened.reset();
    if (kernels == nullptr || dlopen(kernels, RTLD_LAZY | RTLD_LOCAL) == nullptr) {
        SayTo(launchEnd, Fault(kernels == nullptr ? "there are no kernels" : dlerror()));
        _exit(0);
    }
    const auto body = twin::direct::bodyAt(asked.site);
    const OpenMemory open;
    twin::direct::hooks().broken = &OnBroken;
    if (body == nullptr) {
        twin::direct::endWith({"launch-failed", -1, asked.kernel, "", "the module has no kernel of this launch",
                               "launch kernels of the module itself"});
    }
    twin::direct::Launch({asked.kernel.c_str(), asked.site.c_str(), body, asked.blocks, nullptr,
                          asked.arguments.data(), asked.arguments.size(), asked.pointers.data(),
                          asked.pointers.size()});
    // It was refused before it ran, which is on standard error.
    _exit(3);
}

std::string HeardFrom(int file) {
    std::string said;
    char piece[4096];
    for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;) said.append(piece, static_cast<size_t>(got));
    close(file);
    return said;
}

std::string EndOf(int status, const rusage& used, const std::string& said) {
    if (WIFEXITED(status) && !said.empty()) return said;
    if (!WIFSIGNALED(status)) return "{\"exit\":" + std::to_string(WEXITSTATUS(status)) + "}";
    const int signal = WTERMSIG(status);
    // Nothing that a kernel does leads to it before its time is up, but the machine's want of memory does.
    const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (signal == SIGKILL && seconds < cpuSeconds) return Fault("the kernel's process was killed");
    return "{\"signal\":" + std::to_string(signal) + "}";
}

std::string Launch(Words& words) {
    Launched asked;
    asked.site = Next<std::string>(words);
    const auto name = NextBytes(words);
    asked.kernel.assign(name.begin(), name.end());
    asked.blocks = Next<uint64_t>(words);
    asked.arguments = NextBytes(words);
    const auto count = Next<size_t>(words);
    for (size_t i = 0; i < count; ++i) asked.pointers.push_back(reinterpret_cast<void*>(Next<uint64_t>(words)));
    int ends[2];
    if (pipe(ends) != 0) return Fault("no pipe to be had");
    const pid_t child = fork();
    if (child < 0) return Fault("no process to be had");
    if (child == 0) {
        close(ends[0]);
        launchEnd = ends[1];
        RunHere(asked);
    }
    close(ends[1]);
    const std::string said = HeardFrom(ends[0]);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    return EndOf(status, used, said);
}

void Begin(Words& words) {
    setenv("TWIN_FRESH_MEMORY", Next<std::string>(words).c_str(), 1);
    reverse = Next<std::string>(words) == "reverse";
}

void Release(Words& words) {
    const auto* data = reinterpret_cast<uint8_t*>(Next<uint64_t>(words));
    if (twin::direct::allocations().count(data) == 0) throw Wrong{"what is freed is no start of device memory"};
    twin::direct::release(data);
}

void Allocate(Words& words) {
    const auto base = Next<uint64_t>(words);
    const auto bytes = Next<size_t>(words), behind = Next<size_t>(words);
    if (base == 0 || twin::direct::allocateAt(reinterpret_cast<uint8_t*>(base), bytes, behind) == nullptr)
        throw std::runtime_error("no memory for " + std::to_string(bytes) + " bytes of the device");
}

std::string Answer(const std::string& line) {
    Words words(line);
    const auto what = Next<std::string>(words);
    if (what == "launch") return Launch(words);
    if (what == "begin") Begin(words);
    else if (what == "alloc") Allocate(words);
    else if (what == "free") Release(words);
    else if (what == "write") {
        const auto place = Next<uint64_t>(words);
        const auto bytes = NextBytes(words);
        std::memcpy(Place(place, bytes.size()), bytes.data(), bytes.size());
    } else if (what == "fill") {
        const auto to = NextTensor(words);
        Fill(to, NextBytes(words));
    } else if (what == "copy") {
        const auto to = NextTensor(words);
        CopyElements(to, NextTensor(words));
    } else if (what == "load" || what == "save") {
        const auto with = NextTensor(words);
        Exchange(with, Next<std::string>(words), what == "load");
    } else throw Wrong{"the device is asked for " + what};
    return "{\"ok\":true}";
}

std::string AnswerOrWhy(const std::string& line) {
    try {
        return Answer(line);
    } catch (const Wrong& wrong) {
        return "{\"wrong\":" + twin::jsonString(wrong.what) + "}";
    } catch (const std::exception& error) {
        return Fault(error.what());
    }
}

}  // namespace

/// SECONDS of CPU time for a launch, and the library of kernels, if there is one.
int main(int count, char** given) {
    if (count < 2) return 2;
    // What kernels print stays apart from the answers.
    answers = dup(1);
    dup2(2, 1);
    cpuSeconds = static_cast<rlim_t>(std::atoi(given[1]));
    kernels = count > 2 ? given[2] : nullptr;
    twin::direct::hooks().launch = &RunSpec;
    aclrtSetDevice(0);
    opened = std::make_unique<OpenMemory>();
    for (std::string line; std::getline(std::cin, line);) SayTo(answers, AnswerOrWhy(line) + "\n");
}
