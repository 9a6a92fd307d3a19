#include "bind.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "graph/utils/type_utils.h"
#include "twin/half.h"

namespace twin_host {
namespace {

using ops::AttrKind;

template <class T>
std::string joined(const T& parts) {
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
    const auto takes = [&](ge::Format format) {
        return std::find(declared.begin(), declared.end(), format) != declared.end();
    };
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
    const bool fits =
        parameter.paramType() == ops::DYNAMIC || count == 1 || (count == 0 && parameter.paramType() == ops::OPTIONAL);
    if (!fits) {
        throw LaunchFailure(std::string(kind) + " \"" + parameter.name() + "\" of the definition is " +
                            (count == 0 ? "missing from" : "given more than once in") +
                            " the call; give it once, or declare it OPTIONAL or DYNAMIC");
    }
}

void checkNames(const char* kind, const std::vector<TensorLine>& lines, const std::deque<ops::OpParamDef>& parameters,
                const std::deque<ops::OpParamDef>& others) {
    for (const TensorLine& line : lines) {
        const auto named = [&](const ops::OpParamDef& parameter) { return parameter.name() == line.name; };
        if (std::any_of(parameters.begin(), parameters.end(), named) ||
            std::any_of(others.begin(), others.end(), named))
            continue;
        std::vector<std::string> names;
        for (const ops::OpParamDef& parameter : parameters) names.push_back(parameter.name());
        throw LaunchFailure(std::string(kind) + " \"" + line.name +
                            "\" is not in the operator definition, which has: " + joined(names));
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

/// @returns the column of the table of types that the call is
size_t checkTypes(const OpCall& call, const ops::OpDef& definition) {
    size_t columns = 1;
    for (const auto* parameters : {&definition.inputs(), &definition.outputs()}) {
        for (const ops::OpParamDef& parameter : *parameters) columns = std::max(columns, parameter.types().size());
    }
    for (size_t column = 0; column < columns; ++column) {
        if (columnFits(call.inputs, definition.inputs(), column) &&
            columnFits(call.outputs, definition.outputs(), column))
            return column;
    }
    std::string types;
    for (const auto* bound : {&call.inputs, &call.outputs}) {
        for (const Parameter& parameter : *bound) {
            for (const gert::Tensor& tensor : parameter.tensors)
                types += " " + parameter.name + "=" + ge::TypeUtils::DataTypeToSerialString(tensor.GetDataType());
        }
    }
    throw LaunchFailure("no column of DataType in the operator definition allows this call:" + types);
}

template <class Number>
std::vector<uint8_t> bytesOf(Number number) {
    std::vector<uint8_t> bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

std::vector<uint8_t> bytesOf(const std::string& output, const ops::ScalarVar& initial) {
    using ops::ScalarType;
    const long double value = initial.value;
    switch (initial.scalar_type) {
        case ScalarType::UINT64: return bytesOf(static_cast<uint64_t>(value));
        case ScalarType::INT64: return bytesOf(static_cast<int64_t>(value));
        case ScalarType::UINT32: return bytesOf(static_cast<uint32_t>(value));
        case ScalarType::INT32: return bytesOf(static_cast<int32_t>(value));
        case ScalarType::UINT16: return bytesOf(static_cast<uint16_t>(value));
        case ScalarType::INT16: return bytesOf(static_cast<int16_t>(value));
        case ScalarType::UINT8: return bytesOf(static_cast<uint8_t>(value));
        case ScalarType::INT8: return bytesOf(static_cast<int8_t>(value));
        case ScalarType::FLOAT32: return bytesOf(static_cast<float>(value));
        case ScalarType::FLOAT16: return bytesOf(twin::HalfBits(static_cast<float>(value)));
        default:
            throw LaunchFailure("InitValue of output \"" + output +
                                "\" is neither 0 nor a number with a type that the page lists");
    }
}

/// What an output is full of before a launch; nothing for one without InitValue.
std::vector<uint8_t> fillOf(const ops::OpParamDef& output, size_t column) {
    const std::vector<ops::ScalarVar>& initial = output.initial();
    if (initial.empty()) return {};
    if (initial.size() > 1 && initial.size() != output.types().size()) {
        throw LaunchFailure("InitValue of output \"" + output.name() + "\" has " + std::to_string(initial.size()) +
                            " values, and DataType " + std::to_string(output.types().size()));
    }
    return bytesOf(output.name(), initial.size() > 1 ? initial[column] : initial[0]);
}

std::vector<double> numbersIn(const std::string& text) {
    std::vector<double> numbers;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) numbers.push_back(std::stod(part));
    return numbers;
}

void appendGiven(gert::RuntimeAttrs& attributes, const ops::OpAttrDef& definition, const AttributeLine& given) {
    const bool list = given.kind == "list";
    const bool wantsList = definition.kind() == AttrKind::kListBool || definition.kind() == AttrKind::kListFloat ||
                           definition.kind() == AttrKind::kListInt;
    const bool wantsText = definition.kind() == AttrKind::kString;
    if (definition.kind() == AttrKind::kListListInt || list != wantsList || (given.kind == "string") != wantsText) {
        throw LaunchFailure("attribute \"" + definition.name() + "\" was given as a " + given.kind +
                            ", which is not what the definition declares");
    }
    const std::vector<double> numbers = wantsText ? std::vector<double>() : numbersIn(given.value);
    switch (definition.kind()) {
        case AttrKind::kBool: return attributes.Append<bool>(numbers.at(0) != 0);
        case AttrKind::kFloat: return attributes.Append<float>(static_cast<float>(numbers.at(0)));
        case AttrKind::kInt: return attributes.Append<int64_t>(static_cast<int64_t>(numbers.at(0)));
        case AttrKind::kString: return attributes.AppendText(given.value);
        case AttrKind::kListFloat:
            return attributes.Append(gert::TypedContinuousVector<float>({numbers.begin(), numbers.end()}));
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
        case AttrKind::kListBool:
            return attributes.Append(gert::TypedContinuousVector<uint8_t>({integers.begin(), integers.end()}));
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
        if (std::none_of(all.begin(), all.end(),
                         [&](const ops::OpAttrDef& attribute) { return attribute.name() == given.first; })) {
            throw LaunchFailure("attribute \"" + given.first + "\" is not in the operator definition");
        }
    }
}

/// Binds one side's parameters to the case's lines; `tensorOf` makes a tensor of a line.
template <class TensorOf>
std::vector<PlannedParameter> bindSide(const char* kind, const std::deque<ops::OpParamDef>& parameters,
                                       const std::vector<TensorLine>& lines, std::vector<Parameter>& bound,
                                       const TensorOf& tensorOf) {
    std::vector<PlannedParameter> planned;
    for (const ops::OpParamDef& parameter : parameters) {
        const std::vector<size_t> given = linesNamed(lines, parameter.name());
        checkCount(kind, parameter, given.size());
        bound.push_back({parameter.name(), {}});
        for (const size_t line : given) bound.back().tensors.push_back(tensorOf(parameter, line));
        planned.push_back({parameter.name(), parameter.paramType() == ops::DYNAMIC, given});
    }
    return planned;
}

gert::Tensor tensorOf(const TensorLine& line, const ops::OpParamDef& parameter, void* values) {
    return gert::Tensor(shapeOf(line), line.dtype, values, line.bytes(), formatOf(parameter, line.shape.size()));
}

}  // namespace

Binding bind(const Case& operatorCase, const ops::OpDef& definition, std::vector<std::vector<uint8_t>>& values) {
    Binding binding;
    OpCall& call = binding.call;
    call.opType = operatorCase.opType;
    checkNames("input", operatorCase.inputs, definition.inputs(), {});
    checkNames("output", operatorCase.outputs, definition.outputs(), definition.inputs());
    const auto input = [&](const ops::OpParamDef& parameter, size_t line) {
        return tensorOf(operatorCase.inputs[line], parameter, values[line].empty() ? nullptr : values[line].data());
    };
    const auto output = [&](const ops::OpParamDef& parameter, size_t line) {
        return tensorOf(operatorCase.outputs[line], parameter, nullptr);
    };
    binding.inputs = bindSide("input", definition.inputs(), operatorCase.inputs, call.inputs, input);
    binding.outputs = bindSide("output", definition.outputs(), operatorCase.outputs, call.outputs, output);
    const auto fromKernel = [](const ops::OpParamDef& parameter) { return parameter.shapeFromKernel(); };
    binding.shapesFromKernel =
        static_cast<size_t>(std::count_if(definition.outputs().begin(), definition.outputs().end(), fromKernel));
    const size_t column = checkTypes(call, definition);
    for (size_t i = 0; i < binding.outputs.size(); ++i)
        binding.outputs[i].fill = fillOf(definition.outputs()[i], column);
    bindAttributes(operatorCase, definition, call.attributes);
    return binding;
}

}  // namespace twin_host
