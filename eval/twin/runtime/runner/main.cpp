// Runs one case of a built operator: tiling, device memory, launch, outputs, report. Usage: twin-run CASE_DIRECTORY,
// nonce on stdin.
#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "bind.h"
#include "case.h"
#include "confine.h"
#include "faults.h"
#include "report.h"

namespace twin_host {
namespace {

gert::TilingKernelFunc tilingOf(const ops::OpDef& definition) {
    const OpFunctions& functions = functionsOf(definition.type().c_str());
    const gert::TilingKernelFunc tiling = definition.aicore().tiling() != nullptr ? definition.aicore().tiling() : functions.tiling;
    if (tiling == nullptr) throw LaunchFailure("no tiling function: the definition has no SetTiling, and there is no IMPL_OP_OPTILING(" + definition.type() + ")");
    return tiling;
}

void runParse(OpCall& call) {
    const OpFunctions& functions = functionsOf(call.opType.c_str());
    if (!functions.parse) return;
    call.compileInfo = functions.createCompileInfo();
    gert::TilingParseContext context(&call);
    if (functions.parse(&context) != ge::GRAPH_SUCCESS) throw LaunchFailure("the tiling parse function failed");
}

void runTiling(OpCall& call, const ops::OpDef& definition) {
    const gert::TilingKernelFunc tiling = tilingOf(definition);
    runParse(call);
    lastTilingClass().clear();
    gert::TilingContext context(&call);
    const ge::graphStatus status = tiling(&context);
    if (status != ge::GRAPH_SUCCESS) throw LaunchFailure("the tiling function returned " + std::to_string(status) + ", expected ge::GRAPH_SUCCESS (0)");
    call.tilingClass = lastTilingClass();
    constexpr uint32_t kMostBlocks = 65535;
    if (call.blockDim == 0 || call.blockDim > kMostBlocks) {
        throw LaunchFailure("the tiling function set " + std::to_string(call.blockDim) + " blocks; expected 1 to 65535 (SetBlockDim)");
    }
    if (call.tiling.GetDataSize() > call.tiling.GetCapacity()) {
        throw LaunchFailure("tiling data has " + std::to_string(call.tiling.GetDataSize()) + " bytes; the capacity is " + std::to_string(call.tiling.GetCapacity()));
    }
}

struct Kernel {
    twin::Entry entry;
    twin::Cores cores = twin::Cores::kVector;
    twin::Entry cubeEntry = nullptr;
};

void* open(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw LaunchFailure(std::string("the operator could not be loaded: ") + dlerror());
    return library;
}

twin::Entry entryOf(void* library) {
    void* entry = dlsym(library, "twin_kernel_entry");
    if (entry == nullptr) throw LaunchFailure("the operator has no kernel");
    return reinterpret_cast<twin::Entry>(entry);
}

/// A kernel with work for the cube core has a second library beside the first, compiled for that core.
Kernel load(const Case& operatorCase) {
    void* library = open(operatorCase.library);
    Kernel kernel{entryOf(library)};
    const void* cores = dlsym(library, "twin_kernel_cores");
    if (cores == nullptr) return kernel;
    kernel.cores = static_cast<twin::Cores>(*static_cast<const int*>(cores));
    kernel.cubeEntry = entryOf(open(operatorCase.library + ".cube"));
    return kernel;
}

/// What the runner itself needs of the file system, before the candidate's first instruction.
struct Opened {
    Case operatorCase;
    std::vector<int> outputs;
};

Opened openCase(const std::string& directory) {
    Opened opened = {readCase(directory), {}};
    for (const TensorLine& line : opened.operatorCase.outputs) opened.outputs.push_back(openToWrite(directory + "/" + line.file));
    return opened;
}

size_t largestOutput(const Case& operatorCase) {
    size_t most = 0;
    for (const TensorLine& line : operatorCase.outputs) most = std::max(most, line.bytes());
    return most;
}

/// "Ascend910B" to the name that AddConfig has for it.
std::string lowerCase(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

[[noreturn]] void run(const Opened& opened) {
    // Lives to the end of the process: the crash handler looks addresses up in it.
    static Binding binding;
    const Case& operatorCase = opened.operatorCase;
    catchFaults(binding.allocations, operatorCase.reverseOrder);
    const fe::PlatFormInfos* platform = fe::findPlatform(operatorCase.soc);
    if (platform == nullptr) throw LaunchFailure("unknown SoC " + operatorCase.soc);
    fe::currentSoc() = operatorCase.soc;
    reportStarted();
    const Kernel kernel = load(operatorCase);
    const auto creator = ops::OpDefFactory::find(operatorCase.opType);
    if (creator == nullptr) throw LaunchFailure("the host code defines no operator " + operatorCase.opType + ": OP_ADD(" + operatorCase.opType + ") is missing");
    ops::OpDef definition = creator(operatorCase.opType.c_str());
    definition.specialise(lowerCase(platform->shortSoc));

    binding = bind(operatorCase, definition);
    binding.call.platform = *platform;
    runTiling(binding.call, definition);
    bindAfterTiling(binding);
    const twin::LaunchReport launch = twin::Launch({binding.call.blockDim, binding.call.tilingKey, operatorCase.reverseOrder, binding.args, kernel.cores, kernel.cubeEntry, operatorCase.tolerant}, kernel.entry);
    for (size_t i = 0; i < operatorCase.outputs.size(); ++i) {
        const TensorLine& line = operatorCase.outputs[i];
        if (binding.outputs[i] == nullptr) throw LaunchFailure("output \"" + line.name + "\" is not in the operator definition");
        const int error = writeWhole(opened.outputs[i], binding.outputs[i], line.bytes());
        if (error == ENOSPC || error == EDQUOT || error == EIO) {
            reportNotJudged(std::string("an output could not be written: ") + std::strerror(error));
        }
        if (error != 0) throw LaunchFailure("cannot write an output");
    }
    reportRan(binding, launch);
}

}  // namespace
}  // namespace twin_host

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: twin-run CASE_DIRECTORY\n");
        return 2;
    }
    twin_host::openReport();
    twin::onViolation = [](const twin::Violation& violation) { twin_host::reportViolation(violation); };
    try {
        const twin_host::Opened opened = twin_host::openCase(argv[1]);
        twin_host::confine(twin_host::largestOutput(opened.operatorCase));
        twin_host::run(opened);
    } catch (const std::exception& error) {
        twin_host::reportLaunchFailure(error.what());
    }
}
