// Reports of the operator repositories: each names an operator, a parameter, what was seen, and what was expected or why
// it is wrong. One line of the log each.
#ifndef TWIN_HOST_LOG_REPORTS_H
#define TWIN_HOST_LOG_REPORTS_H

#include <functional>
#include <vector>

#include "log/log.h"

namespace twin_host {

/// Text is text, as in the SDK; only the place of an input and a number of tensors are numbers.
inline std::string reportPart(const std::string& text) { return text; }
template <class T, class = std::enable_if_t<std::is_integral_v<T>>> std::string reportPart(T number) {
    return std::to_string(number);
}
template <class... Parts> void logParts(const char* kind, const std::string& name, const Parts&... parts) {
    std::string line = kind;
    ((line += " " + reportPart(parts)), ...);
    logLine("ERROR", name, line);
}

inline std::string listText(size_t count, const std::function<std::string(size_t)>& one) {
    std::string text = "[";
    for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + one(i);
    return text + "]";
}

}  // namespace twin_host

namespace Ops {
namespace Base {

inline std::string ToString(ge::DataType type) { return ge::TypeUtils::DataTypeToSerialString(type); }
inline std::string ToString(ge::Format format) { return ge::TypeUtils::FormatToSerialString(format); }
inline std::string ToString(const gert::Shape& shape) {
    return twin_host::listText(shape.GetDimNum(), [&](size_t i) { return std::to_string(shape.GetDim(i)); });
}
inline std::string ToString(const std::vector<const gert::Shape*>& shapes) {
    return twin_host::listText(shapes.size(), [&](size_t i) { return ToString(*shapes[i]); });
}

/// `type:name` of a context's node; names as they are.
inline const std::string& GetOpInfo(const std::string& name) { return name; }
inline const char* GetOpInfo(const char* name) { return name == nullptr ? "nil" : name; }
template <class C> auto GetOpInfo(const C* context) -> decltype(context->GetNodeType(), std::string()) {
    return context == nullptr ? "nil:nil" : std::string(context->GetNodeType()) + ":" + context->GetNodeName();
}
inline const char* GetSafeStr(const char* text) { return text; }
inline const char* GetSafeStr(const std::string& text) { return text.c_str(); }

}  // namespace Base
}  // namespace Ops

#define OP_LOGE_WITH_INVALID_INPUT_SHAPE(name, a, b, c) twin_host::logParts("invalid input shape", name, a, b, c)
#define OP_LOGE_WITH_INVALID_ATTR(name, a, b, c) twin_host::logParts("invalid attribute", name, a, b, c)
#define OP_LOGE_WITH_INVALID_ATTR_SIZE(name, a, b, c) twin_host::logParts("invalid attribute size", name, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT(name, a) twin_host::logParts("invalid input", name, a)
#define OP_LOGE_WITH_INVALID_INPUT_SHAPESIZE(name, a, b, c) twin_host::logParts("invalid input shape size", name, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT_FORMAT(name, a, b, c) twin_host::logParts("invalid input format", name, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(name, a, b, c) twin_host::logParts("invalid input dtype", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPE(name, a, b, c) twin_host::logParts("invalid shape", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shape", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shapes", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(name, a, b, c) twin_host::logParts("invalid shape dimensions", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shape dimensions", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shape dimensions", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZE(name, a, b, c) twin_host::logParts("invalid shape size", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shape size", name, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(name, a, b, c) twin_host::logParts("invalid shape sizes", name, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMAT(name, a, b, c) twin_host::logParts("invalid format", name, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMAT_WITH_REASON(name, a, b, c) twin_host::logParts("invalid format", name, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(name, a, b, c) twin_host::logParts("invalid formats", name, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPE(name, a, b, c) twin_host::logParts("invalid dtype", name, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(name, a, b, c) twin_host::logParts("invalid dtype", name, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(name, a, b, c) twin_host::logParts("invalid dtypes", name, a, b, c)
#define OP_LOGE_FOR_INVALID_TENSORNUM(name, a, b, c) twin_host::logParts("invalid number of tensors", name, a, b, c)
#define OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON(name, a, b, c) twin_host::logParts("invalid numbers of tensors", name, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUE(name, a, b, c) twin_host::logParts("invalid value", name, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(name, a, b, c) twin_host::logParts("invalid value", name, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(name, a, b, c) twin_host::logParts("invalid values", name, a, b, c)
#define OP_LOGE_FOR_INVALID_LISTSIZE(name, a, b, c) twin_host::logParts("invalid list size", name, a, b, c)
#define OP_LOGE_FOR_INVALID_LISTSIZE_WITH_REASON(name, a, b, c) twin_host::logParts("invalid list size", name, a, b, c)
#define OP_LOGE_FOR_INVALID_STRIDE(name, a, b, c) twin_host::logParts("invalid stride", name, a, b, c)
#define OP_LOGE_FOR_FILE_PATH(name, a, b) twin_host::logParts("invalid path", name, a, b)
#define OP_LOGE_FOR_FILE_OPEN(name, a, b) twin_host::logParts("file not opened", name, a, b)
#define OP_LOGE_FOR_FILE_PARSE(name, a, b) twin_host::logParts("file not parsed", name, a, b)
#define OP_LOGE_FOR_INVALID_CONFIG(name, a, b, c, d) twin_host::logParts("invalid configuration", name, a, b, c, d)
#define OP_LOGE_FOR_INVALID_CONFIG_WITH_REASON(name, a, b, c, d) twin_host::logParts("invalid configuration", name, a, b, c, d)
#define OP_LOGE_FOR_INVALID_CONFIGS_WITH_REASON(name, a, b, c, d) twin_host::logParts("invalid configuration", name, a, b, c, d)
#define OP_LOGE_FOR_INVALID_GRAPH_NODE(name, a) twin_host::logParts("invalid graph node", name, a)
#define OP_LOGE_FOR_INVALID_ARGUMENT_WITH_REASON(name, a, b) twin_host::logParts("invalid argument", name, a, b)

#endif
