#include "report.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace twin_host {
namespace {

int channel = -1;
char nonce[65];

std::string opening(const char* status) { return std::string("{\"nonce\":\"") + nonce + "\",\"status\":\"" + status + "\""; }

void say(std::string line) {
    line += "}\n";
    size_t done = 0;
    while (done < line.size()) {
        const ssize_t put = write(channel, line.data() + done, line.size() - done);
        if (put <= 0) break;
        done += static_cast<size_t>(put);
    }
}

[[noreturn]] void finish(const std::string& line) {
    say(line);
    _exit(0);
}

template <class Items, class Write> std::string list(const Items& items, Write write) {
    std::string text = "[";
    for (const auto& item : items) text += (text.size() > 1 ? "," : "") + write(item);
    return text + "]";
}

std::string hex(const uint8_t* bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < count; ++i) {
        text += digits[bytes[i] >> 4];
        text += digits[bytes[i] & 15];
    }
    return text;
}

std::string violationJson(const twin::Violation& violation) {
    return "{\"rule\":" + jsonString(violation.rule) + ",\"block\":" + std::to_string(violation.block) + ",\"api\":" + jsonString(violation.api) +
           ",\"tensor\":" + jsonString(violation.tensor) + ",\"message\":" + jsonString(violation.message) + ",\"fix\":" + jsonString(violation.fix) + "}";
}

double cpuSeconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

void openReport() {
    channel = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    size_t length = 0;
    while (length + 1 < sizeof(nonce)) {
        char c = 0;
        if (read(STDIN_FILENO, &c, 1) != 1 || c == '\n') break;
        nonce[length++] = c;
    }
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
}

void reportStarted() { say(opening("started")); }

void reportRan(const Binding& binding, const twin::LaunchReport& launch) {
    const OpCall& call = binding.call;
    size_t workspace = 0;
    for (const size_t bytes : call.workspaces) workspace += bytes;
    std::string line = opening("ran");
    line += ",\"blockDim\":" + std::to_string(call.blockDim) + ",\"tilingKey\":" + std::to_string(call.tilingKey);
    line += ",\"workspaceBytes\":" + std::to_string(workspace) + ",\"tilingClass\":" + jsonString(call.tilingClass);
    line += ",\"tiling\":\"" + hex(static_cast<const uint8_t*>(call.tiling.GetData()), call.tiling.GetDataSize()) + "\"";
    line += ",\"ubPeakBytes\":" + std::to_string(launch.ubPeakBytes);
    line += ",\"buffers\":" + list(launch.buffers, [](const twin::BufferFact& fact) {
        return "{\"name\":" + jsonString(fact.name) + ",\"position\":" + jsonString(fact.position) + ",\"count\":" + std::to_string(fact.count) +
               ",\"bytes\":" + std::to_string(fact.bytes) + ",\"kind\":\"" + (fact.queue ? "queue" : "buffer") + "\"}";
    });
    line += ",\"blocks\":" + list(launch.blocks, [](const twin::BlockFact& fact) {
        return "{\"index\":" + std::to_string(fact.index) + ",\"readBytes\":" + std::to_string(fact.readBytes) + ",\"writtenBytes\":" + std::to_string(fact.writtenBytes) + "}";
    });
    std::string calls;
    for (const auto& entry : launch.calls) calls += (calls.empty() ? "" : ",") + jsonString(entry.first) + ":" + std::to_string(entry.second);
    if (!launch.tolerated.rule.empty()) line += ",\"tolerated\":" + violationJson(launch.tolerated);
    line += ",\"calls\":{" + calls + "},\"cpuSeconds\":" + std::to_string(cpuSeconds());
    finish(line);
}

void reportLaunchFailure(const std::string& message) { finish(opening("launch-failed") + ",\"message\":" + jsonString(message)); }

void reportNotJudged(const std::string& message) {
    finish(opening("not-judged") + ",\"message\":" + jsonString(message));
}

void reportViolation(const twin::Violation& violation) {
    finish(opening("violated") + ",\"violation\":" + violationJson(violation));
}

}  // namespace twin_host
