#include "report.h"

#include <cstdio>

#include "core.h"

namespace twin {
namespace {

template <class Items, class Write>
std::string list(const Items& items, Write write) {
    std::string text = "[";
    for (const auto& item : items) text += (text.size() > 1 ? "," : "") + write(item);
    return text + "]";
}

std::string bufferJson(const BufferFact& fact) {
    return "{\"name\":" + jsonString(fact.name) + ",\"position\":" + jsonString(fact.position) +
           ",\"count\":" + std::to_string(fact.count) + ",\"bytes\":" + std::to_string(fact.bytes) + ",\"kind\":\"" +
           (fact.queue ? "queue" : "buffer") + "\"" + (fact.queue ? ",\"filled\":" + std::to_string(fact.filled) : "") +
           "}";
}

std::string waitJson(const Wait& wait) {
    return "[\"" + std::string(PipeName(wait.pipe) + 5) + "\"," + std::to_string(wait.number) + "," +
           jsonString(wait.api) + "," + jsonString(wait.name) + "," + std::to_string(wait.place) + "]";
}

/// A list, as there are many of them.
std::string stepJson(const Step& step) {
    std::string text = "[\"" + std::string(PipeName(step.pipe) + 5) + "\"," + jsonString(step.api);
    for (const uint64_t value : {uint64_t{step.number}, uint64_t{step.place}, step.readBytes, step.writtenBytes,
                                 step.burstsIn, step.burstsOut, step.repeats})
        text += "," + std::to_string(value);
    return text + "," + list(step.waits, waitJson) + "]";
}

std::string blockJson(const BlockFact& fact) {
    const std::pair<const char*, uint64_t> work[] = {{"copiesIn", fact.copiesIn},
                                                     {"copiesOut", fact.copiesOut},
                                                     {"burstsIn", fact.burstsIn},
                                                     {"burstsOut", fact.burstsOut},
                                                     {"vectorInstructions", fact.vectorInstructions},
                                                     {"vectorRepeats", fact.vectorRepeats},
                                                     {"scalarAccesses", fact.scalarAccesses},
                                                     {"waits", fact.waits},
                                                     {"drains", fact.drains},
                                                     {"tiles", fact.tiles},
                                                     {"drained", fact.drained},
                                                     {"synced", fact.synced}};
    std::string text = "{\"index\":" + std::to_string(fact.index) + ",\"readBytes\":" + std::to_string(fact.readBytes) +
                       ",\"writtenBytes\":" + std::to_string(fact.writtenBytes) + ",\"work\":{";
    for (const auto& [name, value] : work)
        text += (text.back() == '{' ? "" : ",") + jsonString(name) + ":" + std::to_string(value);
    return text + "}" + (fact.steps.empty() ? "" : ",\"steps\":" + list(fact.steps, stepJson)) + "}";
}

std::string inputJson(const InputFact& fact) {
    return "{\"name\":" + jsonString(fact.name) + ",\"readBytes\":" + std::to_string(fact.readBytes) + "}";
}

std::string countsJson(const std::map<std::string, uint64_t>& counts) {
    std::string text;
    for (const auto& [name, value] : counts)
        text += (text.empty() ? "" : ",") + jsonString(name) + ":" + std::to_string(value);
    return "{" + text + "}";
}

std::string seenJson(const Seen& seen) {
    std::string values;
    for (const auto& [name, value] : seen.values)
        values += (values.empty() ? "" : ",") + jsonString(name) + ":" + value;
    return "{\"situation\":" + jsonString(seen.situation) + ",\"values\":{" + values + "}}";
}

}  // namespace

std::string jsonString(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof(escape), "\\u%04x", byte);
            quoted += escape;
        } else quoted += c;
    }
    return quoted + "\"";
}

std::string violationJson(const Violation& violation) {
    return "{\"rule\":" + jsonString(violation.rule) + ",\"block\":" + std::to_string(violation.block) +
           ",\"api\":" + jsonString(violation.api) + ",\"tensor\":" + jsonString(violation.tensor) +
           ",\"message\":" + jsonString(violation.message) + ",\"fix\":" + jsonString(violation.fix) +
           (violation.seen.situation.empty() ? "" : ",\"seen\":" + seenJson(violation.seen)) + "}";
}

std::string launchJson(const LaunchReport& launch) {
    std::string text = "{\"ubPeakBytes\":" + std::to_string(launch.ubPeakBytes);
    text += ",\"buffers\":" + list(launch.buffers, bufferJson) + ",\"blocks\":" + list(launch.blocks, blockJson);
    text += ",\"inputs\":" + list(launch.inputs, inputJson);
    if (!launch.tolerated.rule.empty()) text += ",\"tolerated\":" + violationJson(launch.tolerated);
    return text + ",\"calls\":" + countsJson(launch.calls) + ",\"repeats\":" + countsJson(launch.repeats) + "}";
}

}  // namespace twin
