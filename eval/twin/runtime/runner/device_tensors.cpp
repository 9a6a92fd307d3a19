// Tensors of a launch in device memory, as the kernel's arguments.
#include <algorithm>
#include <cstring>

#include "kernel.h"

namespace twin_host {
namespace {

/// System workspace is handed out cleared; the user's part holds whatever was there before.
constexpr size_t kSystemWorkspaceBytes = 16 * 1024 * 1024;
/// A rank and eight sizes.
constexpr size_t kShapeBytes = 9 * sizeof(uint64_t);

class Placing {
public:
    Placing(const Case& operatorCase, const LaunchPlan& plan, const std::vector<int>& files)
        : case_(operatorCase), plan_(plan), files_(files) {
        inputs_.assign(case_.inputs.size(), nullptr);
        memory_.outputs.assign(case_.outputs.size(), nullptr);
    }

    DeviceMemory all() {
        for (const PlannedParameter& parameter : plan_.inputs) placeInputs(parameter);
        for (const PlannedParameter& parameter : plan_.outputs) placeOutputs(parameter);
        for (const PlannedParameter& parameter : plan_.inputs) append(parameter, case_.inputs, inputs_);
        for (const PlannedParameter& parameter : plan_.outputs) append(parameter, case_.outputs, memory_.outputs);
        appendShapes();
        appendWorkspace();
        appendCopy("tiling", twin::Role::kTiling, plan_.tiling.data(), plan_.tiling.size());
        memory_.args.insert(memory_.args.end(), members_.begin(), members_.end());
        return std::move(memory_);
    }

private:
    /// Outputs of the case that bear the name: the parameter is written in place.
    std::vector<size_t> outputsNamed(const std::string& name) const {
        std::vector<size_t> found;
        for (size_t i = 0; i < case_.outputs.size(); ++i)
            if (case_.outputs[i].name == name) found.push_back(i);
        return found;
    }

    void placeInputs(const PlannedParameter& parameter) {
        const std::vector<size_t> written = outputsNamed(parameter.name);
        for (size_t i = 0; i < parameter.lines.size(); ++i) {
            const size_t line = parameter.lines[i];
            const TensorLine& tensor = case_.inputs[line];
            const bool inPlace = i < written.size();
            uint8_t* data = allocateGuarded(tensor.bytes(), inPlace ? Writes::kSeen : Writes::kOwn);
            readWhole(files_[line], data, tensor.bytes());
            if (inPlace) memory_.outputs[written[i]] = data;
            else protectReadOnly(data, tensor.bytes());
            inputs_[line] = data;
            memory_.allocations.push_back({tensor.name, data, tensor.bytes(), !inPlace});
        }
    }

    void placeOutputs(const PlannedParameter& parameter) {
        for (const size_t line : parameter.lines) {
            if (memory_.outputs[line] != nullptr) continue;
            const TensorLine& tensor = case_.outputs[line];
            uint8_t* data = allocateGuarded(tensor.bytes(), Writes::kSeen);
            if (!parameter.fill.empty()) {
                for (size_t i = 0; i < tensor.bytes(); ++i) data[i] = parameter.fill[i % parameter.fill.size()];
            } else if (!case_.poisonZero && !tensor.cleared) {
                poison(data, tensor.bytes(), tensor.dtype);
            }
            memory_.outputs[line] = data;
            memory_.allocations.push_back({tensor.name, data, tensor.bytes(), false});
        }
    }

    twin::Role roleOf(const uint8_t* data) const {
        const bool read = std::find(inputs_.begin(), inputs_.end(), data) != inputs_.end();
        const bool written = std::find(memory_.outputs.begin(), memory_.outputs.end(), data) != memory_.outputs.end();
        return !written ? twin::Role::kInput : read ? twin::Role::kInOut : twin::Role::kOutput;
    }

    void append(const PlannedParameter& parameter, const std::vector<TensorLine>& lines,
                const std::vector<uint8_t*>& data) {
        if (parameter.dynamic) return appendList(parameter, lines, data);
        if (parameter.lines.empty()) return memory_.args.push_back({parameter.name, twin::Role::kInput, nullptr, 0});
        const size_t line = parameter.lines[0];
        memory_.args.push_back({parameter.name, roleOf(data[line]), data[line], lines[line].bytes()});
    }

    /// A tensor list in device memory: word 0 is the byte offset of the pointer array; before it stand, per tensor, a
    /// word with the number of dimensions (low half) and the tensor's index (high half), and the dimensions.
    void appendList(const PlannedParameter& parameter, const std::vector<TensorLine>& lines,
                    const std::vector<uint8_t*>& data) {
        std::vector<uint64_t> words = {0};
        for (size_t i = 0; i < parameter.lines.size(); ++i) {
            const std::vector<int64_t>& shape = lines[parameter.lines[i]].shape;
            words.push_back(static_cast<uint64_t>(i) << 32 | shape.size());
            words.insert(words.end(), shape.begin(), shape.end());
        }
        words[0] = words.size() * 8;
        for (const size_t line : parameter.lines) {
            words.push_back(reinterpret_cast<uint64_t>(data[line]));
            members_.push_back({parameter.name, roleOf(data[line]), data[line], lines[line].bytes()});
        }
        appendCopy(parameter.name, twin::Role::kInput, reinterpret_cast<const uint8_t*>(words.data()),
                   words.size() * 8);
    }

    void appendCopy(const std::string& name, twin::Role role, const uint8_t* source, size_t bytes) {
        uint8_t* data = allocateGuarded(bytes, Writes::kOwn);
        if (bytes > 0) std::memcpy(data, source, bytes);
        protectReadOnly(data, bytes);
        memory_.allocations.push_back({name, data, bytes, true});
        memory_.args.push_back({name, role, data, bytes});
    }

    void appendWritable(const std::string& name, twin::Role role, size_t bytes) {
        uint8_t* data = allocateGuarded(bytes, Writes::kSeen);
        memory_.allocations.push_back({name, data, bytes, false});
        memory_.args.push_back({name, role, data, bytes});
    }

    /// Where the kernel writes the shapes of outputs that it finds out itself, in front of the workspace.
    void appendShapes() {
        if (plan_.shapesFromKernel > 0)
            appendWritable("shapes of outputs", twin::Role::kOutput, plan_.shapesFromKernel * kShapeBytes);
    }

    void appendWorkspace() {
        const size_t bytes = plan_.workspaceBytes();
        appendWritable("workspace", twin::Role::kWorkspace, bytes);
        const size_t kept = bytes >= kSystemWorkspaceBytes ? kSystemWorkspaceBytes : 0;
        poison(memory_.args.back().data + kept, bytes - kept, ge::DT_UINT8);
    }

    const Case& case_;
    const LaunchPlan& plan_;
    const std::vector<int>& files_;
    std::vector<uint8_t*> inputs_;
    DeviceMemory memory_;
    std::vector<twin::GmArg> members_;
};

}  // namespace

DeviceMemory placeTensors(const Case& operatorCase, const LaunchPlan& plan, const std::vector<int>& inputs) {
    return Placing(operatorCase, plan, inputs).all();
}

}  // namespace twin_host
