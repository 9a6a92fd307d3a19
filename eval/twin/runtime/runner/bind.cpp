#include "bind.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "graph/utils/type_utils.h"

namespace twin_host {
namespace {

using ops::AttrKind;

template <class T> std::string joined(const T& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text.empty() ? "none" : text;
}

gert::Shape shapeOf(const TensorLine& line) {
    gert::Shape shape;
    for (const int64_t size : line.shape) shape.AppendDim(size);
    return shape;
}

/// A tensor of PyTorch is NCHW or NCDHW by its dimensions where the definition takes such formats, and ND everywhere
/// else.
ge::Format formatOf(const ops::OpParamDef& parameter, size_t dimensions) {
    const std::vector<ge::Format>& declared = parameter.formats();
    const auto takes = [&](ge::Format format) { return std::find(declared.begin(), declared.end(), format) != declared.end(); };
    if (declared.empty() || takes(ge::FORMAT_ND)) return ge::FORMAT_ND;
    const ge::Format own = dimensions == 5 ? ge::FORMAT_NCDHW : ge::FORMAT_NCHW;
    return takes(own) ? own : declared[0];
}

std::vector<size_t> linesNamed(const std::vector<TensorLine>& lines, const std::string& name) {
    std::vector<size_t> found;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].name == name) found.push_back(i);
    }
    return found;
}

void checkCount(const char* kind, const ops::OpParamDef& parameter, size_t count) {
    const bool fits = parameter.paramType() == ops::DYNAMIC || count == 1 || (count == 0 && parameter.paramType() == ops::OPTIONAL);
    if (!fits) {
        throw LaunchFailure(std::string(kind) + " \"" + parameter.name() + "\" of the definition is " + (count == 0 ? "missing from" : "given more than once in") +
                            " the call; give it once, or declare it OPTIONAL or DYNAMIC");
    }
}

void checkNames(const char* kind, const std::vector<TensorLine>& lines, const std::deque<ops::OpParamDef>& parameters, const std::deque<ops::OpParamDef>& others) {
    for (const TensorLine& line : lines) {
        const auto named = [&](const ops::OpParamDef& parameter) { return parameter.name() == line.name; };
        if (std::any_of(parameters.begin(), parameters.end(), named) || std::any_of(others.begin(), others.end(), named)) continue;
        std::vector<std::string> names;
        for (const ops::OpParamDef& parameter : parameters) names.push_back(parameter.name());
        throw LaunchFailure(std::string(kind) + " \"" + line.name + "\" is not in the operator definition, which has: " + joined(names));
    }
}

/// Whether column `column` of the definition's type table allows every tensor of the call.
bool columnFits(const std::vector<Parameter>& bound, const std::deque<ops::OpParamDef>& parameters, size_t column) {
    for (size_t i = 0; i < parameters.size(); ++i) {
        const auto& types = parameters[i].types();
        if (types.empty()) continue;
        for (const gert::Tensor& tensor : bound[i].tensors) {
            if (parameters[i].typeList() || types.size() == 1) {
                if (std::find(types.begin(), types.end(), tensor.GetDataType()) == types.end()) return false;
            } else if (column >= types.size() || types[column] != tensor.GetDataType()) return false;
        }
    }
    return true;
}

void checkTypes(const OpCall& call, const ops::OpDef& definition) {
    size_t columns = 1;
    for (const auto* parameters : {&definition.inputs(), &definition.outputs()}) {
        for (const ops::OpParamDef& parameter : *parameters) columns = std::max(columns, parameter.types().size());
    }
    for (size_t column = 0; column < columns; ++column) {
        if (columnFits(call.inputs, definition.inputs(), column) && columnFits(call.outputs, definition.outputs(), column)) return;
    }
    std::string types;
    for (const auto* bound : {&call.inputs, &call.outputs}) {
        for (const Parameter& parameter : *bound) {
            for (const gert::Tensor& tensor : parameter.tensors) types += " " + parameter.name + "=" + ge::TypeUtils::DataTypeToSerialString(tensor.GetDataType());
        }
    }
    throw LaunchFailure("no column of DataType in the operator definition allows this call:" + types);
}

std::vector<double> numbersIn(const std::string& text) {
    std::vector<double> numbers;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::stod(part));
    return numbers;
}

void appendGiven(gert::RuntimeAttrs& attributes, const ops::OpAttrDef& definition, const AttributeLine& given) {
    const bool list = given.kind == "list";
    const bool wantsList = definition.kind() == AttrKind::kListBool || definition.kind() == AttrKind::kListFloat || definition.kind() == AttrKind::kListInt;
    const bool wantsText = definition.kind() == AttrKind::kString;
    if (definition.kind() == AttrKind::kListListInt || list != wantsList || (given.kind == "string") != wantsText) {
        throw LaunchFailure("attribute \"" + definition.name() + "\" was given as a " + given.kind + ", which is not what the definition declares");
    }
    const std::vector<double> numbers = wantsText ? std::vector<double>() : numbersIn(given.value);
    switch (definition.kind()) {
        case AttrKind::kBool: return attributes.Append<bool>(numbers.at(0) != 0);
        case AttrKind::kFloat: return attributes.Append<float>(static_cast<float>(numbers.at(0)));
        case AttrKind::kInt: return attributes.Append<int64_t>(static_cast<int64_t>(numbers.at(0)));
        case AttrKind::kString: return attributes.AppendText(given.value);
        case AttrKind::kListFloat: return attributes.Append(gert::TypedContinuousVector<float>({numbers.begin(), numbers.end()}));
        case AttrKind::kListBool: {
            std::vector<uint8_t> flags;
            for (const double number : numbers) flags.push_back(number != 0);
            return attributes.Append(gert::TypedContinuousVector<uint8_t>(flags));
        }
        default: return attributes.Append(gert::TypedContinuousVector<int64_t>({numbers.begin(), numbers.end()}));
    }
}

void appendDefault(gert::RuntimeAttrs& attributes, const ops::OpAttrDef& definition) {
    const auto& integers = definition.integers();
    const auto& floats = definition.floats();
    switch (definition.kind()) {
        case AttrKind::kBool: return attributes.Append<bool>(!integers.empty() && integers[0] != 0);
        case AttrKind::kFloat: return attributes.Append<float>(floats.empty() ? 0.0f : floats[0]);
        case AttrKind::kInt: return attributes.Append<int64_t>(integers.empty() ? 0 : integers[0]);
        case AttrKind::kString: return attributes.AppendText(definition.text());
        case AttrKind::kListFloat: return attributes.Append(gert::TypedContinuousVector<float>(floats));
        case AttrKind::kListBool: return attributes.Append(gert::TypedContinuousVector<uint8_t>({integers.begin(), integers.end()}));
        default: return attributes.Append(gert::TypedContinuousVector<int64_t>(integers));
    }
}

void bindAttributes(const Case& operatorCase, const ops::OpDef& definition, gert::RuntimeAttrs& attributes) {
    for (const ops::OpAttrDef& attribute : definition.attributes()) {
        const auto given = operatorCase.attributes.find(attribute.name());
        if (given != operatorCase.attributes.end()) appendGiven(attributes, attribute, given->second);
        else if (attribute.hasDefault() || attribute.attrType() == ops::OPTIONAL) appendDefault(attributes, attribute);
        else throw LaunchFailure("attribute \"" + attribute.name() + "\" is REQUIRED, and the call does not give it");
    }
    for (const auto& given : operatorCase.attributes) {
        const auto& all = definition.attributes();
        if (std::none_of(all.begin(), all.end(), [&](const ops::OpAttrDef& attribute) { return attribute.name() == given.first; })) {
            throw LaunchFailure("attribute \"" + given.first + "\" is not in the operator definition");
        }
    }
}

}  // namespace

Binding bind(const Case& operatorCase, const ops::OpDef& definition) {
    Binding binding;
    OpCall& call = binding.call;
    call.opType = operatorCase.opType;
    checkNames("input", operatorCase.inputs, definition.inputs(), {});
    checkNames("output", operatorCase.outputs, definition.outputs(), definition.inputs());
    binding.outputs.assign(operatorCase.outputs.size(), nullptr);

    for (const ops::OpParamDef& parameter : definition.inputs()) {
        const std::vector<size_t> given = linesNamed(operatorCase.inputs, parameter.name());
        const std::vector<size_t> written = linesNamed(operatorCase.outputs, parameter.name());
        checkCount("input", parameter, given.size());
        Parameter bound{parameter.name(), {}};
        for (size_t i = 0; i < given.size(); ++i) {
            const TensorLine& line = operatorCase.inputs[given[i]];
            uint8_t* data = allocateGuarded(line.bytes());
            readInto(operatorCase.directory + "/" + line.file, data, line.bytes());
            const bool inPlace = i < written.size();
            if (inPlace) binding.outputs[written[i]] = data;
            else protectReadOnly(data, line.bytes());
            binding.allocations.push_back({line.name, data, line.bytes(), !inPlace});
            bound.tensors.emplace_back(shapeOf(line), line.dtype, data, line.bytes(), formatOf(parameter, line.shape.size()));
        }
        call.inputs.push_back(std::move(bound));
    }
    for (const ops::OpParamDef& parameter : definition.outputs()) {
        const std::vector<size_t> given = linesNamed(operatorCase.outputs, parameter.name());
        checkCount("output", parameter, given.size());
        Parameter bound{parameter.name(), {}};
        for (const size_t index : given) {
            const TensorLine& line = operatorCase.outputs[index];
            uint8_t* data = binding.outputs[index];
            if (data == nullptr) {
                data = allocateGuarded(line.bytes());
                if (!operatorCase.poisonZero && !line.cleared) poison(data, line.bytes(), line.dtype);
                binding.outputs[index] = data;
                binding.allocations.push_back({line.name, data, line.bytes(), false});
            }
            bound.tensors.emplace_back(shapeOf(line), line.dtype, data, line.bytes(), formatOf(parameter, line.shape.size()));
        }
        call.outputs.push_back(std::move(bound));
    }
    checkTypes(call, definition);
    bindAttributes(operatorCase, definition, call.attributes);
    return binding;
}

namespace {

/// A tensor list in device memory: word 0 is the byte offset of the pointer array; before it stand, per tensor, a word
/// with the number of dimensions (low half) and the tensor's index (high half), and the dimensions.
std::vector<uint64_t> listDescriptor(const Parameter& parameter) {
    std::vector<uint64_t> words = {0};
    for (size_t i = 0; i < parameter.tensors.size(); ++i) {
        const gert::Shape& shape = parameter.tensors[i].GetStorageShape();
        words.push_back(static_cast<uint64_t>(i) << 32 | shape.GetDimNum());
        for (size_t d = 0; d < shape.GetDimNum(); ++d) words.push_back(static_cast<uint64_t>(shape.GetDim(d)));
    }
    words[0] = words.size() * 8;
    for (const gert::Tensor& tensor : parameter.tensors) words.push_back(reinterpret_cast<uint64_t>(tensor.GetAddr()));
    return words;
}

uint8_t* copyToDevice(Binding& binding, const std::string& name, const void* source, size_t bytes) {
    uint8_t* data = allocateGuarded(bytes);
    if (bytes > 0) std::memcpy(data, source, bytes);
    protectReadOnly(data, bytes);
    binding.allocations.push_back({name, data, bytes, true});
    return data;
}

/// System workspace is handed out cleared; the user's part holds whatever was there before.
constexpr size_t kSystemWorkspaceBytes = 16 * 1024 * 1024;

void appendWorkspace(Binding& binding) {
    size_t bytes = 0;
    for (const size_t size : binding.call.workspaces) bytes += size;
    constexpr size_t kMostBytes = size_t{8} << 30;
    if (bytes > kMostBytes) throw LaunchFailure("tiling asked for " + std::to_string(bytes) + " bytes of workspace; the twin gives at most 8 GiB");
    uint8_t* data = allocateGuarded(bytes);
    if (bytes > kSystemWorkspaceBytes) poison(data + kSystemWorkspaceBytes, bytes - kSystemWorkspaceBytes, ge::DT_UINT8);
    else if (bytes < kSystemWorkspaceBytes) poison(data, bytes, ge::DT_UINT8);
    binding.allocations.push_back({"workspace", data, bytes, false});
    binding.args.push_back({"workspace", twin::Role::kWorkspace, data, bytes});
}

/// Where the kernel writes the shapes of outputs that it finds out itself: a rank and eight sizes each, in front of the
/// workspace.
void appendShapes(Binding& binding, const ops::OpDef& definition) {
    const auto& outputs = definition.outputs();
    const auto count = static_cast<size_t>(std::count_if(outputs.begin(), outputs.end(), [](const ops::OpParamDef& output) { return output.shapeFromKernel(); }));
    if (count == 0) return;
    constexpr size_t kShapeBytes = 9 * sizeof(uint64_t);
    uint8_t* data = allocateGuarded(count * kShapeBytes);
    binding.allocations.push_back({"shapes of outputs", data, count * kShapeBytes, false});
    binding.args.push_back({"shapes of outputs", twin::Role::kOutput, data, count * kShapeBytes});
}

twin::Role roleOf(const Binding& binding, const gert::Tensor& tensor) {
    const auto* address = static_cast<const uint8_t*>(tensor.GetAddr());
    return std::find(binding.outputs.begin(), binding.outputs.end(), address) == binding.outputs.end() ? twin::Role::kInput : twin::Role::kInOut;
}

}  // namespace

void bindAfterTiling(Binding& binding) {
    std::vector<twin::GmArg> members;
    const auto append = [&](const Parameter& parameter, bool dynamic, const auto& role) {
        if (dynamic) {
            for (const gert::Tensor& tensor : parameter.tensors) {
                members.push_back({parameter.name, role(tensor), const_cast<uint8_t*>(tensor.GetData<uint8_t>()), tensor.GetSize()});
            }
            const std::vector<uint64_t> words = listDescriptor(parameter);
            uint8_t* data = copyToDevice(binding, parameter.name, words.data(), words.size() * 8);
            binding.args.push_back({parameter.name, twin::Role::kInput, data, words.size() * 8});
        } else if (parameter.tensors.empty()) {
            binding.args.push_back({parameter.name, twin::Role::kInput, nullptr, 0});
        } else {
            const gert::Tensor& tensor = parameter.tensors[0];
            binding.args.push_back({parameter.name, role(tensor), const_cast<uint8_t*>(tensor.GetData<uint8_t>()), tensor.GetSize()});
        }
    };
    const auto creator = ops::OpDefFactory::find(binding.call.opType);
    const ops::OpDef definition = creator(binding.call.opType.c_str());
    for (size_t i = 0; i < binding.call.inputs.size(); ++i) {
        append(binding.call.inputs[i], definition.inputs()[i].paramType() == ops::DYNAMIC, [&](const gert::Tensor& tensor) { return roleOf(binding, tensor); });
    }
    for (size_t i = 0; i < binding.call.outputs.size(); ++i) {
        const bool alsoInput = std::any_of(definition.inputs().begin(), definition.inputs().end(),
                                           [&](const ops::OpParamDef& input) { return input.name() == binding.call.outputs[i].name; });
        const twin::Role role = alsoInput ? twin::Role::kInOut : twin::Role::kOutput;
        append(binding.call.outputs[i], definition.outputs()[i].paramType() == ops::DYNAMIC, [&](const gert::Tensor&) { return role; });
    }
    appendShapes(binding, definition);
    appendWorkspace(binding);
    const size_t tilingBytes = binding.call.tiling.GetDataSize();
    uint8_t* tiling = copyToDevice(binding, "tiling", binding.call.tiling.GetData(), tilingBytes);
    binding.args.push_back({"tiling", twin::Role::kTiling, tiling, tilingBytes});
    binding.args.insert(binding.args.end(), members.begin(), members.end());
}

}  // namespace twin_host
