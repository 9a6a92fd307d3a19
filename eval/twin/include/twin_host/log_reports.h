// Reports of the operator repositories: each names an operator, a parameter, what was seen, and what was expected or
// why it is wrong. One line of the log each.
#ifndef TWIN_HOST_LOG_REPORTS_H
#define TWIN_HOST_LOG_REPORTS_H

#include <functional>
#include <vector>

#include "log/log.h"

namespace twin_host {

/// Text is text, as in the SDK; only the place of an input and a number of tensors are numbers.
inline std::string reportPart(const std::string& text) { return text; }
template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
std::string reportPart(T number) {
    return std::to_string(number);
}
template <class... Parts>
void logParts(const char* kind, const std::string& name, const Parts&... parts) {
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
template <class C>
auto GetOpInfo(const C* context) -> decltype(context->GetNodeType(), std::string()) {
    return context == nullptr ? "nil:nil" : std::string(context->GetNodeType()) + ":" + context->GetNodeName();
}
inline const char* GetSafeStr(const char* text) { return text; }
inline const char* GetSafeStr(const std::string& text) { return text.c_str(); }

}  // namespace Base
}  // namespace Ops

#define TWIN_REPORT twin_host::logParts
#define OP_LOGE_WITH_INVALID_INPUT_SHAPE(n, a, b, c) TWIN_REPORT("invalid input shape", n, a, b, c)
#define OP_LOGE_WITH_INVALID_ATTR(n, a, b, c) TWIN_REPORT("invalid attribute", n, a, b, c)
#define OP_LOGE_WITH_INVALID_ATTR_SIZE(n, a, b, c) TWIN_REPORT("invalid attribute size", n, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT(n, a) TWIN_REPORT("invalid input", n, a)
#define OP_LOGE_WITH_INVALID_INPUT_SHAPESIZE(n, a, b, c) TWIN_REPORT("invalid input shape size", n, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT_FORMAT(n, a, b, c) TWIN_REPORT("invalid input format", n, a, b, c)
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(n, a, b, c) TWIN_REPORT("invalid input dtype", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPE(n, a, b, c) TWIN_REPORT("invalid shape", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shape", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shapes", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(n, a, b, c) TWIN_REPORT("invalid shape dimensions", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shape dimensions", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shape dimensions", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZE(n, a, b, c) TWIN_REPORT("invalid shape size", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shape size", n, a, b, c)
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid shape sizes", n, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMAT(n, a, b, c) TWIN_REPORT("invalid format", n, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMAT_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid format", n, a, b, c)
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid formats", n, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPE(n, a, b, c) TWIN_REPORT("invalid dtype", n, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid dtype", n, a, b, c)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid dtypes", n, a, b, c)
#define OP_LOGE_FOR_INVALID_TENSORNUM(n, a, b, c) TWIN_REPORT("invalid number of tensors", n, a, b, c)
#define OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid numbers of tensors", n, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUE(n, a, b, c) TWIN_REPORT("invalid value", n, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid value", n, a, b, c)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid values", n, a, b, c)
#define OP_LOGE_FOR_INVALID_LISTSIZE(n, a, b, c) TWIN_REPORT("invalid list size", n, a, b, c)
#define OP_LOGE_FOR_INVALID_LISTSIZE_WITH_REASON(n, a, b, c) TWIN_REPORT("invalid list size", n, a, b, c)
#define OP_LOGE_FOR_INVALID_STRIDE(n, a, b, c) TWIN_REPORT("invalid stride", n, a, b, c)
#define OP_LOGE_FOR_FILE_PATH(n, a, b) TWIN_REPORT("invalid path", n, a, b)
#define OP_LOGE_FOR_FILE_OPEN(n, a, b) TWIN_REPORT("file not opened", n, a, b)
#define OP_LOGE_FOR_FILE_PARSE(n, a, b) TWIN_REPORT("file not parsed", n, a, b)
#define OP_LOGE_FOR_INVALID_CONFIG(n, a, b, c, d) TWIN_REPORT("invalid configuration", n, a, b, c, d)
#define OP_LOGE_FOR_INVALID_CONFIG_WITH_REASON(n, a, b, c, d) TWIN_REPORT("invalid configuration", n, a, b, c, d)
#define OP_LOGE_FOR_INVALID_CONFIGS_WITH_REASON(n, a, b, c, d) TWIN_REPORT("invalid configuration", n, a, b, c, d)
#define OP_LOGE_FOR_INVALID_GRAPH_NODE(n, a) TWIN_REPORT("invalid graph node", n, a)
#define OP_LOGE_FOR_INVALID_ARGUMENT_WITH_REASON(n, a, b) TWIN_REPORT("invalid argument", n, a, b)

#endif
