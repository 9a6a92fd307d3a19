#include "report.h"

#include "case.h"

namespace twin_host {
namespace {

template <class Items, class Write> std::string list(const Items& items, Write write) {
    std::string text = "[";
    for (const auto& item : items) text += (text.size() > 1 ? "," : "") + write(item);
    return text + "]";
}

std::string bufferJson(const twin::BufferFact& fact) {
    return "{\"name\":" + jsonString(fact.name) + ",\"position\":" + jsonString(fact.position) + ",\"count\":" + std::to_string(fact.count) +
           ",\"bytes\":" + std::to_string(fact.bytes) + ",\"kind\":\"" + (fact.queue ? "queue" : "buffer") + "\"" +
           (fact.queue ? ",\"filled\":" + std::to_string(fact.filled) : "") + "}";
}

std::string blockJson(const twin::BlockFact& fact) {
    const std::pair<const char*, uint64_t> work[] = {
        {"copiesIn", fact.copiesIn}, {"copiesOut", fact.copiesOut}, {"burstsIn", fact.burstsIn}, {"burstsOut", fact.burstsOut},
        {"vectorInstructions", fact.vectorInstructions}, {"vectorRepeats", fact.vectorRepeats}, {"scalarAccesses", fact.scalarAccesses},
        {"waits", fact.waits}, {"drains", fact.drains}, {"tiles", fact.tiles}};
    std::string text = "{\"index\":" + std::to_string(fact.index) + ",\"readBytes\":" + std::to_string(fact.readBytes) +
                       ",\"writtenBytes\":" + std::to_string(fact.writtenBytes) + ",\"work\":{";
    for (const auto& [name, value] : work) text += (text.back() == '{' ? "" : ",") + jsonString(name) + ":" + std::to_string(value);
    return text + "}}";
}

std::string countsJson(const std::map<std::string, uint64_t>& counts) {
    std::string text;
    for (const auto& [name, value] : counts) text += (text.empty() ? "" : ",") + jsonString(name) + ":" + std::to_string(value);
    return "{" + text + "}";
}

}  // namespace

std::string violationJson(const twin::Violation& violation) {
    return "{\"rule\":" + jsonString(violation.rule) + ",\"block\":" + std::to_string(violation.block) + ",\"api\":" + jsonString(violation.api) +
           ",\"tensor\":" + jsonString(violation.tensor) + ",\"message\":" + jsonString(violation.message) + ",\"fix\":" + jsonString(violation.fix) + "}";
}

std::string launchJson(const twin::LaunchReport& launch) {
    std::string text = "{\"ubPeakBytes\":" + std::to_string(launch.ubPeakBytes);
    text += ",\"buffers\":" + list(launch.buffers, bufferJson) + ",\"blocks\":" + list(launch.blocks, blockJson);
    if (!launch.tolerated.rule.empty()) text += ",\"tolerated\":" + violationJson(launch.tolerated);
    return text + ",\"calls\":" + countsJson(launch.calls) + ",\"repeats\":" + countsJson(launch.repeats) + "}";
}

}  // namespace twin_host
