// Launches out of host code: each runs at once, on the device memory that the program has at the moment.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "acl/acl_base.h"
#include "device.h"
#include "platform/platform_info.h"
#include "twin/direct_facts.h"
#include "twin/direct_launch.h"

namespace twin::direct {
namespace {

// As GetLibApiWorkSpaceSize says; the device's runtime hands it to every launch.
constexpr size_t kSystemWorkspaceBytes = 16 * 1024 * 1024;
// The field of the launch that holds it (runtime API, numBlocks: 1 to 65535).
constexpr uint64_t kMostBlocks = 65535;

using Bodies = std::map<std::string, Body>;
Bodies& cubeBodies() {
    static Bodies all;
    return all;
}
Bodies& vectorBodies() {
    static Bodies all;
    return all;
}
struct Described {
    Cores cores;
    std::vector<std::string> parameters;
};
std::map<std::string, Described>& described() {
    static std::map<std::string, Described> all;
    return all;
}
const Request* running = nullptr;
Body runningOnCube = nullptr;

/// `ns::kernel<half, 3>` as `kernel`.
std::string plainName(const char* written) {
    std::string name(written);
    name = name.substr(0, name.find('<'));
    const size_t colon = name.rfind(':');
    if (colon != std::string::npos) name = name.substr(colon + 1);
    const size_t begin = name.find_first_not_of(" \t\n"), end = name.find_last_not_of(" \t\n");
    return begin == std::string::npos ? "" : name.substr(begin, end - begin + 1);
}

/// The program or module as compiled for the cube core lies beside the one that launches.
void loadCubeProgram(Body body) {
    static const bool loaded = [body] {
        Dl_info from{};
        if (dladdr(reinterpret_cast<const void*>(body), &from) == 0) return false;
        const std::string path = std::string(from.dli_fname) + ".cube";
        if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return true;
        std::fprintf(stderr, "device: %s\n", dlerror());
        return false;
    }();
    static_cast<void>(loaded);
}

/// As the kernel's own parameters are called, where a launch passes the start of the allocation or a place in it.
std::string nameOf(const Allocation& one, const Request& request, const Described* kernel) {
    for (size_t i = 0; i < request.count && kernel != nullptr && i < kernel->parameters.size(); ++i) {
        const auto* given = static_cast<const uint8_t*>(request.pointers[i]);
        if (given >= one.data && given < one.data + one.bytes) return kernel->parameters[i];
    }
    return "allocation " + std::to_string(one.number);
}

/// A launch through a pointer to a function names no kernel: of a program whose kernels all run on the same cores.
Cores coresOfAll() {
    const auto& all = described();
    const auto differs = [&](const auto& one) { return one.second.cores != all.begin()->second.cores; };
    if (all.empty() || std::any_of(all.begin(), all.end(), differs)) return Cores::kVector;
    return all.begin()->second.cores;
}

Body cubeBodyOf(const Request& request) {
    const auto find = [&] { return cubeBodies().find(request.site); };
    if (find() == cubeBodies().end()) loadCubeProgram(request.body);
    const auto found = find();
    if (found != cubeBodies().end()) return found->second;
    endWith({"launch-failed", -1, request.kernel, "", "the kernel was not compiled for the cube core",
             "declare what it runs on, with __cube__ or __mix__(1, 2), where the kernel is defined"});
}

void run(const Request& request) {
    const auto found = described().find(plainName(request.kernel));
    const Described* kernel = found == described().end() ? nullptr : &found->second;
    LaunchSpec spec{};
    spec.blockDim = static_cast<uint32_t>(request.blocks);
    spec.cores = kernel != nullptr ? kernel->cores : coresOfAll();
    if (const fe::PlatFormInfos* chip = fe::findPlatform(fe::currentSoc())) spec.chipCubeCores = chip->aicCores;
    // The first workspace is the system's. The program's own memory is one too: what lies behind a result in it may be
    // anything, and the program's own check reads the rest.
    static std::vector<uint8_t> system(kSystemWorkspaceBytes);
    spec.args.push_back({"system workspace", Role::kWorkspace, system.data(), system.size()});
    for (const auto& [data, one] : allocations())
        spec.args.push_back({nameOf(one, request, kernel), Role::kWorkspace, one.data, one.bytes});
    running = &request;
    runningOnCube = spec.cores == Cores::kVector ? nullptr : cubeBodyOf(request);
    spec.cubeEntry = [](uint8_t**) { runningOnCube(running->arguments); };
    const Entry entry = [](uint8_t**) { running->body(running->arguments); };
    if (hooks().launch != nullptr) return hooks().launch(spec, entry);
    onViolation = endWith;
    const OpenMemory open;
    twin::Launch(spec, entry);
}

}  // namespace

bool Register(const char* site, Body body, bool cube) {
    return (cube ? cubeBodies() : vectorBodies()).emplace(site, body).second;
}

Body bodyAt(const std::string& site) {
    for (const Bodies* all : {&vectorBodies(), &cubeBodies()}) {
        const auto found = all->find(site);
        if (found != all->end()) return found->second;
    }
    return nullptr;
}

bool Describe(const KernelFact* facts, size_t count, const char* soc) {
    fe::currentSoc() = soc;
    for (size_t i = 0; i < count; ++i) {
        std::vector<std::string> names(1);
        for (const char* c = facts[i].parameters; *c != '\0'; ++c) {
            if (*c == ',') names.emplace_back();
            else names.back() += *c;
        }
        described()[facts[i].name] = {static_cast<Cores>(facts[i].cores), names};
    }
    return true;
}

void Launch(const Request& request) {
    if (!hasDevice()) {
        failed(ACL_ERROR_RT_CONTEXT_NULL, request.kernel, "was launched without a device; call aclrtSetDevice before");
    } else if (request.blocks == 0 || request.blocks > kMostBlocks) {
        failed(ACL_ERROR_RT_PARAM_INVALID, request.kernel,
               "was launched with " + std::to_string(request.blocks) + " blocks; a launch has 1 to 65535");
    } else if (!isStream(request.stream)) {
        failed(ACL_ERROR_RT_STREAM_CONTEXT, request.kernel,
               "was launched on a stream that does not exist; make one with aclrtCreateStream");
    } else if (remote() != nullptr) {
        remote()->launch(request);
    } else {
        run(request);
    }
}

}  // namespace twin::direct
