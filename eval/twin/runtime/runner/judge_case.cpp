#include "judge_case.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "../device/report.h"
#include "kernel.h"
#include "tiling.h"

namespace twin_host {
namespace {

using twin::jsonString;

struct OpenCase {
    Case description;
    std::vector<int> inputs, outputs;
};

int openOrThrow(const std::string& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
    return file;
}

/// Inputs have no names any more once a candidate could look for them; outputs are open, and no one else can open one.
OpenCase openCase(const std::string& directory) {
    OpenCase opened = {readCase(directory), {}, {}};
    for (const TensorLine& line : opened.description.inputs) {
        opened.inputs.push_back(openOrThrow(directory + "/" + line.file, O_RDONLY));
        unlink((directory + "/" + line.file).c_str());
    }
    for (const TensorLine& line : opened.description.outputs) {
        opened.outputs.push_back(openOrThrow(directory + "/" + line.file, O_WRONLY | O_CREAT | O_TRUNC));
    }
    return opened;
}

/// The last whole line that starts with `word`, without it; '' when there is none.
std::string lastSaid(const std::string& said, const std::string& word) {
    std::string found;
    size_t start = 0;
    for (size_t end = said.find('\n'); end != std::string::npos; start = end + 1, end = said.find('\n', start)) {
        if (said.compare(start, word.size(), word) == 0)
            found = said.substr(start + word.size(), end - start - word.size());
    }
    return found;
}

std::string field(const char* name, const std::string& json) { return std::string(",\"") + name + "\":" + json; }

class Judging {
public:
    explicit Judging(const std::string& directory) : case_(openCase(directory)) {}

    std::string all() {
        const TilingEnd tiling = planLaunch(case_.description, case_.inputs, log_);
        cpuSeconds_ = tiling.child.cpuSeconds;
        if (!tiling.planned) return ended(tiling.child);
        const std::string refused = refusal(tiling.plan);
        if (!refused.empty()) return line("launch-failed", field("message", jsonString(refused)));
        try {
            return launch(tiling.plan, placeTensors(case_.description, tiling.plan, case_.inputs));
        } catch (const OutOfDeviceMemory& error) {
            return line("launch-failed", field("message", jsonString(error.what())));
        }
    }

private:
    std::string launch(const LaunchPlan& plan, const DeviceMemory& memory) {
        for (size_t i = 0; i < memory.outputs.size(); ++i) {
            if (memory.outputs[i] != nullptr) continue;
            const std::string& name = case_.description.outputs[i].name;
            return line("launch-failed",
                        field("message", jsonString("output \"" + name + "\" is not in the operator definition")));
        }
        const ChildEnd kernel = runKernel(case_.description, plan, memory, log_);
        cpuSeconds_ += kernel.cpuSeconds;
        const std::string report = kernel.status == 0 ? lastSaid(kernel.said, "ran ") : "";
        if (report.empty()) return ended(kernel);
        const int error = writeOutputs(memory);
        if (error != 0) return notJudged(std::string("an output could not be written: ") + std::strerror(error));
        return ran(plan, memory, report);
    }

    std::string line(const char* status, const std::string& fields) const {
        return std::string("{\"status\":\"") + status + "\"" + fields +
               field("cpuSeconds", std::to_string(cpuSeconds_)) + field("log", jsonString(log_)) + "}";
    }

    /// Why a plan cannot be launched; '' when it can.
    std::string refusal(const LaunchPlan& plan) const {
        constexpr uint32_t kMostBlocks = 65535;
        constexpr size_t kMostBytes = size_t{8} << 30;
        if (plan.blockDim == 0 || plan.blockDim > kMostBlocks) {
            return "the tiling function set " + std::to_string(plan.blockDim) +
                   " blocks; expected 1 to 65535 (SetBlockDim)";
        }
        if (plan.workspaceBytes() > kMostBytes) {
            return "tiling asked for " + std::to_string(plan.workspaceBytes()) +
                   " bytes of workspace; at most 8 GiB are given";
        }
        return "";
    }

    /// The line for a child that did not do what it was to do.
    std::string ended(const ChildEnd& child) const {
        if (child.pastWall || child.pastCpu)
            return line("timed-out", field("limit", child.pastWall ? "\"wall\"" : "\"cpu\""));
        const std::string violation = lastSaid(child.said, "violated "), refused = lastSaid(child.said, "refused ");
        if (child.status == 0 && !violation.empty()) return line("violated", field("violation", jsonString(violation)));
        if (child.status == 0 && !refused.empty())
            return line("launch-failed", field("message", jsonString(unescape(refused))));
        if (child.saidTooMuch)
            return line("launch-failed", field("message", "\"the process wrote into the pipe of the runner\""));
        if (!WIFSIGNALED(child.status))
            return line("crashed", field("exit", std::to_string(WEXITSTATUS(child.status))));
        const int signal = WTERMSIG(child.status);
        // No code in the child can send it.
        if (signal == SIGKILL)
            return notJudged("the run was ended from outside by SIGKILL, most often for lack of memory");
        return line("crashed", field("signal", std::to_string(signal)) +
                                   field("place", jsonString(lastSaid(child.said, "fault "))));
    }

    int writeOutputs(const DeviceMemory& memory) const {
        for (size_t i = 0; i < case_.outputs.size(); ++i) {
            const int error = writeWhole(case_.outputs[i], memory.outputs[i], case_.description.outputs[i].bytes());
            if (error != 0) return error;
        }
        return 0;
    }

    std::string ran(const LaunchPlan& plan, const DeviceMemory& memory, const std::string& report) const {
        const twin::Violation overrun = findOverrun(memory.allocations);
        std::string fields =
            field("blockDim", std::to_string(plan.blockDim)) + field("tilingKey", std::to_string(plan.tilingKey));
        fields += field("workspaceBytes", std::to_string(plan.workspaceBytes())) +
                  field("tilingClass", jsonString(plan.tilingClass));
        fields += field("tiling", "\"" + hex(plan.tiling.data(), plan.tiling.size()) + "\"") +
                  field("launch", jsonString(report));
        if (!overrun.rule.empty()) fields += field("overrun", violationJson(overrun));
        return line("ran", fields);
    }

    OpenCase case_;
    std::string log_;
    double cpuSeconds_ = 0;
};

}  // namespace

std::string notJudged(const std::string& message) {
    return "{\"status\":\"not-judged\",\"message\":" + jsonString(message) + "}";
}

std::string judgeCase(const std::string& directory) {
    try {
        return Judging(directory).all();
    } catch (const std::exception& error) { return notJudged(error.what()); }
}

}  // namespace twin_host
