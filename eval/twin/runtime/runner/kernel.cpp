#include "kernel.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <vector>

#include "../device/report.h"
#include "confine.h"
#include "faults.h"
#include "platform/platform_info.h"

namespace twin_host {
namespace {

struct Kernel {
    twin::Entry entry;
    twin::Cores cores = twin::Cores::kVector;
    twin::Entry cubeEntry = nullptr;
};

void* open(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("the kernel could not be loaded: ") + dlerror());
    return library;
}

twin::Entry entryOf(void* library) {
    void* entry = dlsym(library, "twin_kernel_entry");
    if (entry == nullptr) throw std::runtime_error("the operator has no kernel");
    return reinterpret_cast<twin::Entry>(entry);
}

/// A kernel with work for the cube core has a second library beside the first, compiled for that core.
Kernel load(const Case& operatorCase) {
    void* library = open(operatorCase.kernelLibrary);
    Kernel kernel{entryOf(library)};
    const void* cores = dlsym(library, "twin_kernel_cores");
    if (cores == nullptr) return kernel;
    kernel.cores = static_cast<twin::Cores>(*static_cast<const int*>(cores));
    kernel.cubeEntry = entryOf(open(operatorCase.kernelLibrary + ".cube"));
    return kernel;
}

/// What kernels keep in GM outlives a launch, and a process launches an operator many times: the tensors are put back,
/// and what no tensor holds stays.
void launchBefore(const twin::LaunchSpec& spec, twin::Entry entry) {
    std::vector<std::vector<uint8_t>> before;
    for (const twin::GmArg& arg : spec.args) before.emplace_back(arg.data, arg.data + arg.bytes);
    twin::Launch(spec, entry);
    for (size_t i = 0; i < before.size(); ++i) {
        const twin::GmArg& arg = spec.args[i];
        if (arg.role != twin::Role::kInput && arg.role != twin::Role::kTiling)
            std::copy(before[i].begin(), before[i].end(), arg.data);
    }
}

[[noreturn]] void work(const Case& operatorCase, const LaunchPlan& plan, const DeviceMemory& memory, const Line& line) {
    static Line channel = line;
    twin::onViolation = [](const twin::Violation& violation) {
        channel.say("violated " + violationJson(violation) + "\n");
        _exit(0);
    };
    catchFaults(line, memory.allocations, operatorCase.reverseOrder);
    confineToLoad();
    try {
        const Kernel kernel = load(operatorCase);
        confineToRun();
        const fe::PlatFormInfos* chip = fe::findPlatform(operatorCase.soc);
        if (chip == nullptr) throw std::runtime_error("unknown SoC " + operatorCase.soc);
        const twin::LaunchSpec spec = {plan.blockDim,         plan.tilingKey, operatorCase.reverseOrder,
                                       memory.args,           kernel.cores,   kernel.cubeEntry,
                                       operatorCase.tolerant, chip->aicCores, operatorCase.traced};
        if (operatorCase.twice) launchBefore(spec, kernel.entry);
        line.say("ran " + launchJson(twin::Launch(spec, kernel.entry)) + "\n");
    } catch (const std::exception& error) { line.say("refused " + escape(error.what()) + "\n"); }
    _exit(0);
}

}  // namespace

ChildEnd runKernel(const Case& operatorCase, const LaunchPlan& plan, const DeviceMemory& memory, std::string& log) {
    const ChildLimits limits = {operatorCase.cpuSeconds, operatorCase.wallSeconds, size_t{16} << 20};
    return runChild(limits, {}, log, [&](const Line& line) { work(operatorCase, plan, memory, line); });
}

}  // namespace twin_host
