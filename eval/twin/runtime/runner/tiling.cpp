#include "tiling.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <exception>
#include <iostream>
#include <list>
#include <stdexcept>

#include "bind.h"
#include "confine.h"
#include "faults.h"
#include "../device/report.h"

namespace twin_host {
namespace {

gert::TilingKernelFunc tilingOf(const ops::OpDef& definition) {
    const OpFunctions& functions = functionsOf(definition.type().c_str());
    const gert::TilingKernelFunc tiling =
        definition.aicore().tiling() != nullptr ? definition.aicore().tiling() : functions.tiling;
    if (tiling == nullptr)
        throw LaunchFailure("no tiling function: the definition has no SetTiling, and there is no IMPL_OP_OPTILING(" +
                            definition.type() + ")");
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
    if (status != ge::GRAPH_SUCCESS)
        throw LaunchFailure("the tiling function returned " + std::to_string(status) +
                            ", expected ge::GRAPH_SUCCESS (0)");
    call.tilingClass = lastTilingClass();
    if (call.tiling.GetDataSize() > call.tiling.GetCapacity()) {
        throw LaunchFailure("tiling data has " + std::to_string(call.tiling.GetDataSize()) +
                            " bytes; the capacity is " + std::to_string(call.tiling.GetCapacity()));
    }
}

/// "Ascend910B" to the name that AddConfig has for it.
std::string lowerCase(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

ops::OpDef define(const Case& operatorCase, const fe::PlatFormInfos& platform) {
    const auto creator = ops::OpDefFactory::find(operatorCase.opType);
    if (creator == nullptr)
        throw LaunchFailure("the host code defines no operator " + operatorCase.opType + ": OP_ADD(" +
                            operatorCase.opType + ") is missing");
    ops::OpDef definition = creator(operatorCase.opType.c_str());
    definition.specialise(lowerCase(platform.shortSoc));
    return definition;
}

/// What the parent hands over of each input: all of it, or nothing.
std::vector<std::vector<uint8_t>> receiveValues(const Case& operatorCase, const Line& line) {
    std::vector<std::vector<uint8_t>> values;
    for (const TensorLine& input : operatorCase.inputs) {
        values.emplace_back(input.hostValue ? input.bytes() : 0);
        if (!line.read(values.back().data(), values.back().size()))
            throw std::runtime_error("the values of an input did not come");
    }
    return values;
}

LaunchPlan planOf(const Binding& binding) {
    const OpCall& call = binding.call;
    const auto* tiling = static_cast<const uint8_t*>(call.tiling.GetData());
    LaunchPlan plan;
    plan.inputs = binding.inputs;
    plan.outputs = binding.outputs;
    // Values of the definition take effect when tiling asks for it (InitValue.md).
    if (!call.needAtomic) {
        for (PlannedParameter& output : plan.outputs) output.fill.clear();
    }
    plan.shapesFromKernel = binding.shapesFromKernel;
    plan.blockDim = call.blockDim;
    plan.tilingKey = call.tilingKey;
    plan.workspaces = call.workspaces;
    plan.tilingClass = call.tilingClass;
    plan.tiling.assign(tiling, tiling + call.tiling.GetDataSize());
    return plan;
}

void openHost(const std::string& path) {
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw LaunchFailure(std::string("the operator could not be loaded: ") + dlerror());
}

/// What tiling says is told of its first call alone.
void endPrinting() {
    std::cout.flush();
    std::fflush(nullptr);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
}

LaunchPlan planInChild(const Case& operatorCase, const fe::PlatFormInfos& platform, const Line& line) {
    std::vector<std::vector<uint8_t>> values = receiveValues(operatorCase, line);
    openHost(operatorCase.hostLibrary);
    confineToRun();
    const ops::OpDef definition = define(operatorCase, platform);
    // One process makes many calls, where state that tiling keeps counts: the plan that runs is that of a later call.
    std::list<Binding> calls;
    for (int earlier = operatorCase.reverseOrder ? 2 : 1;; --earlier) {
        Binding& binding = calls.emplace_back(bind(operatorCase, definition, values));
        binding.call.platform = platform;
        runTiling(binding.call, definition);
        if (earlier == 0) return planOf(binding);
        endPrinting();
    }
}

[[noreturn]] void work(const Case& operatorCase, const fe::PlatFormInfos& platform, const Line& line) {
    static const std::vector<Allocation> none;
    catchFaults(line, none, operatorCase.reverseOrder);
    confineToLoad();
    try {
        line.say("plan\n" + writePlan(planInChild(operatorCase, platform, line)));
    } catch (const std::exception& error) { line.say("refused " + escape(error.what()) + "\n"); }
    _exit(0);
}

std::vector<uint8_t> valuesFor(const Case& operatorCase, const std::vector<int>& inputs) {
    std::vector<uint8_t> all;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (!operatorCase.inputs[i].hostValue) continue;
        const size_t bytes = operatorCase.inputs[i].bytes();
        all.resize(all.size() + bytes);
        readWhole(inputs[i], all.data() + all.size() - bytes, bytes);
    }
    return all;
}

/// A text that is no plan is the candidate's doing, as all that comes from its process.
void readEnd(const Case& operatorCase, TilingEnd& end) {
    const size_t start = end.child.said.find("plan\n");
    if (end.child.status != 0 || start == std::string::npos) return;
    try {
        end.plan = readPlan(end.child.said.substr(start + 5), operatorCase.inputs.size(), operatorCase.outputs.size());
        end.planned = true;
    } catch (const std::exception& error) { end.child.said = "refused " + escape(error.what()) + "\n"; }
}

}  // namespace

TilingEnd planLaunch(const Case& operatorCase, const std::vector<int>& inputs, std::string& log) {
    const fe::PlatFormInfos* platform = fe::findPlatform(operatorCase.soc);
    if (platform == nullptr) throw std::runtime_error("unknown SoC " + operatorCase.soc);
    fe::currentSoc() = operatorCase.soc;
    const ChildLimits limits = {operatorCase.cpuSeconds, operatorCase.wallSeconds, size_t{1} << 20};
    TilingEnd end;
    end.child = runChild(limits, valuesFor(operatorCase, inputs), log,
                         [&](const Line& line) { work(operatorCase, *platform, line); });
    readEnd(operatorCase, end);
    return end;
}

}  // namespace twin_host
