#include "plan.h"

#include <sstream>
#include <stdexcept>

#include "case.h"

namespace twin_host {
namespace {

std::string numbers(const std::vector<size_t>& all) {
    std::string text;
    for (const size_t number : all) text += " " + std::to_string(number);
    return text;
}

std::vector<size_t> readNumbers(std::istringstream& fields, size_t limit) {
    std::vector<size_t> all;
    for (size_t number; fields >> number;) {
        if (number >= limit) throw std::runtime_error("a number of the plan is too large: " + std::to_string(number));
        all.push_back(number);
    }
    return all;
}

std::string readText(std::istringstream& fields) {
    std::string field;
    fields >> field;
    if (field.empty() || field[0] != '=') throw std::runtime_error("a text of the plan is missing");
    return unescape(field.substr(1));
}

PlannedParameter readParameter(std::istringstream& fields, size_t lines) {
    PlannedParameter parameter;
    parameter.name = readText(fields);
    fields >> parameter.dynamic;
    parameter.lines = readNumbers(fields, lines);
    return parameter;
}

std::vector<uint8_t> readBytes(const std::string& text) {
    std::vector<uint8_t> bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
    return bytes;
}

void readFill(std::istringstream& fields, std::vector<PlannedParameter>& outputs) {
    size_t number = outputs.size();
    std::string bytes;
    fields >> number >> bytes;
    if (number >= outputs.size() || bytes.empty() || bytes.size() > 16)
        throw std::runtime_error("a fill of the plan is none");
    outputs[number].fill = readBytes(bytes);
}

}  // namespace

size_t LaunchPlan::workspaceBytes() const {
    size_t total = 0;
    for (const size_t bytes : workspaces) total += bytes;
    return total;
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

std::string writePlan(const LaunchPlan& plan) {
    std::string text;
    for (const auto& [key, parameters] : {std::pair("input", &plan.inputs), std::pair("output", &plan.outputs)}) {
        for (const PlannedParameter& parameter : *parameters) {
            text += std::string(key) + " =" + escape(parameter.name) + (parameter.dynamic ? " 1" : " 0") +
                    numbers(parameter.lines) + "\n";
        }
    }
    for (size_t i = 0; i < plan.outputs.size(); ++i) {
        const std::vector<uint8_t>& fill = plan.outputs[i].fill;
        if (!fill.empty()) text += "fill " + std::to_string(i) + " " + hex(fill.data(), fill.size()) + "\n";
    }
    text += "shapes " + std::to_string(plan.shapesFromKernel) + "\n";
    text += "blocks " + std::to_string(plan.blockDim) + "\n";
    text += "key " + std::to_string(plan.tilingKey) + "\n";
    text += "workspaces" + numbers(plan.workspaces) + "\n";
    text += "class =" + escape(plan.tilingClass) + "\n";
    return text + "tiling " + hex(plan.tiling.data(), plan.tiling.size()) + "\n";
}

LaunchPlan readPlan(const std::string& text, size_t inputs, size_t outputs) {
    constexpr size_t kMostBytes = size_t{1} << 40;
    LaunchPlan plan;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string key, bytes;
        fields >> key;
        if (key == "input") plan.inputs.push_back(readParameter(fields, inputs));
        else if (key == "output") plan.outputs.push_back(readParameter(fields, outputs));
        else if (key == "fill") readFill(fields, plan.outputs);
        else if (key == "shapes") fields >> plan.shapesFromKernel;
        else if (key == "blocks") fields >> plan.blockDim;
        else if (key == "key") fields >> plan.tilingKey;
        else if (key == "workspaces") plan.workspaces = readNumbers(fields, kMostBytes);
        else if (key == "class") plan.tilingClass = readText(fields);
        else if (key == "tiling") {
            fields >> bytes;
            plan.tiling = readBytes(bytes);
        } else throw std::runtime_error("unknown line of the plan: " + line.substr(0, 80));
    }
    return plan;
}

}  // namespace twin_host
