// Registries of the host side, and the buffer layout of macro-declared tiling structures.
#include "register/op_def_registry.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace {

/// Atlas A2 and A3 have the same AI Core, and a kernel built for one is the kernel of the other.
const std::vector<std::string> kSiblings = {"ascend910b", "ascend910_93"};

std::string configFor(const std::string& soc) { return "AddConfig(\"" + soc + "\")"; }

std::map<std::string, ops::OpDefFactory::Creator>& creators() {
    static std::map<std::string, ops::OpDefFactory::Creator> all;
    return all;
}

size_t alignUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

template class std::vector<ge::DataType>;
template class std::vector<ge::Format>;

namespace ops {

OpDef::OpDef(const char* type) : type_(type) {}
OpDef::OpDef(const OpDef&) = default;
OpDef::~OpDef() = default;

void OpDef::specialise(const std::string& soc) {
    const std::vector<std::string>& declared = aicore_.socs();
    std::vector<std::string> fitting = {soc};
    if (std::find(kSiblings.begin(), kSiblings.end(), soc) != kSiblings.end()) {
        fitting.insert(fitting.end(), kSiblings.begin(), kSiblings.end());
    }
    const auto chosen = std::find_if(fitting.begin(), fitting.end(), [&](const std::string& one) {
        return std::find(declared.begin(), declared.end(), one) != declared.end();
    });
    if (chosen == fitting.end()) {
        std::string names;
        for (const std::string& one : declared) names += (names.empty() ? "" : ", ") + configFor(one);
        const std::string sibling = soc == kSiblings[0] ? kSiblings[1] : kSiblings[0];
        throw std::runtime_error("the definition of " + type_ + " has " + (names.empty() ? "no AddConfig" : names) +
                                 "; expected " + configFor(soc) +
                                 (fitting.size() > 1 ? " or " + configFor(sibling) + ", which has the same core" : ""));
    }
    const auto config = aicore_.configs().find(*chosen);
    if (config == aicore_.configs().end()) return;
    for (const OpParamDef& own : config->second.parameters()) {
        for (auto* parameters : {&inputs_, &outputs_}) {
            for (OpParamDef& parameter : *parameters) {
                if (parameter.name() == own.name()) parameter.retype(own);
            }
        }
    }
}

int OpDefFactory::OpDefRegister(const char* type, Creator creator) {
    creators()[type] = creator;
    return 0;
}

OpDefFactory::Creator OpDefFactory::find(const std::string& type) {
    const auto found = creators().find(type);
    return found == creators().end() ? nullptr : found->second;
}

std::vector<std::string> OpDefFactory::types() {
    std::vector<std::string> names;
    for (const auto& entry : creators()) names.push_back(entry.first);
    return names;
}

}  // namespace ops

namespace twin_host {

OpFunctions& functionsOf(const char* opType) {
    static std::map<std::string, OpFunctions> all;
    return all[opType];
}

std::string& lastTilingClass() {
    static thread_local std::string name;
    return name;
}

std::string typeNameIn(const char* prettyFunction) {
    const std::string text = prettyFunction;
    size_t start = text.find("T = ");
    if (start == std::string::npos) return "";
    start += 4;
    std::string name = text.substr(start, text.find_first_of(";]", start) - start);
    const size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace twin_host

namespace optiling {

TilingDef::TilingDef() = default;
TilingDef::TilingDef(const TilingDef&) = default;
TilingDef& TilingDef::operator=(const TilingDef&) = default;
TilingDef::~TilingDef() = default;

void TilingDef::addField(const void* member, size_t bytes, size_t alignment, bool nested) {
    const auto offset = static_cast<const uint8_t*>(member) - reinterpret_cast<const uint8_t*>(this);
    fields_.push_back({static_cast<size_t>(offset), bytes, alignment, nested});
}

size_t TilingDef::layout(uint8_t* buffer) const {
    size_t end = 0;
    for (const Field& field : fields_) {
        const uint8_t* member = reinterpret_cast<const uint8_t*>(this) + field.offset;
        const size_t start = alignUp(end, field.alignment);
        const size_t bytes =
            field.nested
                ? reinterpret_cast<const TilingDef*>(member)->layout(buffer == nullptr ? nullptr : buffer + start)
                : field.bytes;
        if (buffer != nullptr && !field.nested) std::memcpy(buffer + start, member, bytes);
        end = start + bytes;
    }
    return alignUp(end, 8);
}

void TilingDef::SetDataPtr(void* data) {
    data_ = static_cast<uint8_t*>(data);
    size_t end = 0;
    for (const Field& field : fields_) {
        const size_t start = alignUp(end, field.alignment);
        end = start + field.bytes;
        if (!field.nested) continue;
        auto* nested = reinterpret_cast<TilingDef*>(reinterpret_cast<uint8_t*>(this) + field.offset);
        nested->SetDataPtr(data == nullptr ? nullptr : data_ + start);
        end = start + nested->GetDataSize();
    }
    Changed();
    twin_host::lastTilingClass() = className_;
}

void TilingDef::SaveToBuffer(void* buffer, size_t capacity) {
    if (buffer == nullptr || layout(nullptr) > capacity) return;
    layout(static_cast<uint8_t*>(buffer));
    twin_host::lastTilingClass() = className_;
}

}  // namespace optiling
