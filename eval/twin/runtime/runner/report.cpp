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
           ",\"bytes\":" + std::to_string(fact.bytes) + ",\"kind\":\"" + (fact.queue ? "queue" : "buffer") + "\"}";
}

std::string blockJson(const twin::BlockFact& fact) {
    return "{\"index\":" + std::to_string(fact.index) + ",\"readBytes\":" + std::to_string(fact.readBytes) +
           ",\"writtenBytes\":" + std::to_string(fact.writtenBytes) + "}";
}

}  // namespace

std::string violationJson(const twin::Violation& violation) {
    return "{\"rule\":" + jsonString(violation.rule) + ",\"block\":" + std::to_string(violation.block) + ",\"api\":" + jsonString(violation.api) +
           ",\"tensor\":" + jsonString(violation.tensor) + ",\"message\":" + jsonString(violation.message) + ",\"fix\":" + jsonString(violation.fix) + "}";
}

std::string launchJson(const twin::LaunchReport& launch) {
    std::string calls;
    for (const auto& entry : launch.calls) calls += (calls.empty() ? "" : ",") + jsonString(entry.first) + ":" + std::to_string(entry.second);
    std::string text = "{\"ubPeakBytes\":" + std::to_string(launch.ubPeakBytes);
    text += ",\"buffers\":" + list(launch.buffers, bufferJson) + ",\"blocks\":" + list(launch.blocks, blockJson);
    if (!launch.tolerated.rule.empty()) text += ",\"tolerated\":" + violationJson(launch.tolerated);
    return text + ",\"calls\":{" + calls + "}}";
}

}  // namespace twin_host
