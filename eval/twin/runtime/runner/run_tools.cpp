#include "run_tools.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>
#include <vector>

#include "../device/report.h"
#include "case.h"
#include "pipes.h"

namespace twin_host {
namespace {

using twin::jsonString;

struct ToolLimits {
    double cpuSeconds = 0, wallSeconds = 0;
    rlim_t memoryBytes = 0, fileBytes = 0;
    size_t stderrBytes = 0;
};

using Command = std::vector<std::string>;

struct Request {
    ToolLimits limits;
    std::vector<Command> commands = {{}};
};

Request parse(const std::string& text) {
    Request request;
    ToolLimits& limits = request.limits;
    std::istringstream fields(text);
    fields >> limits.cpuSeconds >> limits.wallSeconds >> limits.memoryBytes >> limits.fileBytes >> limits.stderrBytes;
    for (std::string word; fields >> word;) {
        if (word == ";") request.commands.emplace_back();
        else request.commands.back().push_back(unescape(word));
    }
    return request;
}

void limitTo(const ToolLimits& limits) {
    const rlimit memory = {limits.memoryBytes, limits.memoryBytes}, file = {limits.fileBytes, limits.fileBytes},
                 none = {0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &none);
    limitCpu(limits.cpuSeconds);
}

struct Running {
    explicit Running(const Command& command, const ToolLimits& limits) {
        process = fork();
        if (process == 0) start(command, limits);
        Pipe::closeEnd(print.write);
    }
    [[noreturn]] void start(const Command& command, const ToolLimits& limits) const {
        dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDIN_FILENO);
        dup2(print.write, STDERR_FILENO);
        dup2(STDIN_FILENO, STDOUT_FILENO);
        signal(SIGPIPE, SIG_DFL);
        limitTo(limits);
        std::vector<char*> words;
        for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execvp(words[0], words.data());
        dprintf(STDERR_FILENO, "%s: not found\n", words[0]);
        _exit(127);
    }
    Pipe print;
    pid_t process = -1;
    std::string text;
};

void listen(std::vector<Running>& tools, Clock::time_point deadline, size_t mostBytes) {
    const auto isOpen = [](const Running& tool) { return tool.print.read >= 0; };
    while (std::any_of(tools.begin(), tools.end(), isOpen) && Clock::now() < deadline) {
        std::vector<pollfd> ends;
        for (const Running& tool : tools) ends.push_back({tool.print.read, POLLIN, 0});
        if (poll(ends.data(), ends.size(), millisecondsTo(deadline)) <= 0) continue;
        for (size_t i = 0; i < tools.size(); ++i) {
            if (ends[i].revents != 0 && !drain(tools[i].print.read, tools[i].text)) Pipe::closeEnd(tools[i].print.read);
            if (tools[i].text.size() > mostBytes) tools[i].text.resize(mostBytes);
        }
    }
}

std::string endJson(const ProcessEnd& end, const std::string& text) {
    const bool signalled = WIFSIGNALED(end.status);
    std::string json = signalled ? "{\"signal\":" + std::to_string(WTERMSIG(end.status))
                                 : "{\"exit\":" + std::to_string(WEXITSTATUS(end.status));
    json += std::string(",\"overtime\":") + (end.pastCpu || end.pastWall ? "true" : "false");
    return json + ",\"cpuSeconds\":" + std::to_string(end.cpuSeconds) + ",\"stderr\":" + jsonString(text) + "}";
}

}  // namespace

std::string runTools(const std::string& request) {
    const auto [limits, commands] = parse(request);
    const Clock::time_point deadline = deadlineIn(limits.wallSeconds);
    std::vector<Running> tools;
    tools.reserve(commands.size());
    for (const Command& command : commands) tools.emplace_back(command, limits);
    listen(tools, deadline, limits.stderrBytes);
    std::string json;
    for (const Running& tool : tools)
        json += (json.empty() ? "" : ",") + endJson(awaitProcess(tool.process, deadline, limits.cpuSeconds), tool.text);
    return "{\"ends\":[" + json + "]}";
}

}  // namespace twin_host
