// Logging and checking macros of the operator repositories. Messages go to stderr, where the runner keeps the last of them.
#ifndef TWIN_LOG_LOG_H
#define TWIN_LOG_LOG_H

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <type_traits>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "graph/utils/type_utils.h"

namespace twin_host {

inline const char* logName(const char* name) { return name == nullptr ? "" : name; }
inline const char* logName(const std::string& name) { return name.c_str(); }
template <class C> auto logName(const C* context) -> decltype(context->GetNodeName()) { return context == nullptr ? "" : context->GetNodeName(); }

/// One line; printf's format.
template <class Name, class... Args> void logLine(const char* level, const Name& name, const char* format, Args... args) {
    std::fprintf(stderr, "[%s] %s: ", level, logName(name));
    if constexpr (sizeof...(Args) == 0) std::fputs(format, stderr);
    else std::fprintf(stderr, format, args...);
    std::fputc('\n', stderr);
}
template <class Name> void logLine(const char* level, const Name& name, const std::string& text) { logLine(level, name, "%s", text.c_str()); }

/// The reports that name an operator, a parameter, a value and what was expected: printed one after another.
template <class Name, class... Parts> void logParts(const char* kind, const Name& name, const Parts&... parts) {
    std::ostringstream line;
    line << kind;
    ((line << " " << parts), ...);
    logLine("ERROR", name, line.str());
}

}  // namespace twin_host

namespace Ops {
namespace Base {

inline std::string ToString(ge::DataType type) { return ge::TypeUtils::DataTypeToSerialString(type); }
inline std::string ToString(ge::Format format) { return ge::TypeUtils::FormatToSerialString(format); }
inline std::string ToString(const gert::Shape& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape.GetDim(i));
    return text + "]";
}
inline std::string ToString(const gert::StorageShape& shape) { return ToString(shape.GetStorageShape()); }

}  // namespace Base
}  // namespace Ops

#define OP_LOGE_FOR_INVALID_VALUE(name, ...) twin_host::logParts("invalid value", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(name, ...) twin_host::logParts("invalid value", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(name, ...) twin_host::logParts("invalid values", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPE(name, ...) twin_host::logParts("invalid dtype", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(name, ...) twin_host::logParts("invalid dtype", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(name, ...) twin_host::logParts("invalid dtypes", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPE(name, ...) twin_host::logParts("invalid shape", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(name, ...) twin_host::logParts("invalid shape", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(name, ...) twin_host::logParts("invalid shapes", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZE(name, ...) twin_host::logParts("invalid shape size", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(name, ...) twin_host::logParts("invalid shape size", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(name, ...) twin_host::logParts("invalid shape sizes", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(name, ...) twin_host::logParts("invalid shape dimensions", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(name, ...) twin_host::logParts("invalid shape dimensions", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(name, ...) twin_host::logParts("invalid shape dimensions", name, __VA_ARGS__)
#define OP_LOGE_FOR_INVALID_TENSORNUM(name, ...) twin_host::logParts("invalid number of tensors", name, __VA_ARGS__)
#define OP_LOGE_WITH_INVALID_ATTR(name, ...) twin_host::logParts("invalid attribute", name, __VA_ARGS__)
#define OP_LOGE(name, ...) twin_host::logLine("ERROR", name, __VA_ARGS__)
#define OP_LOGW(name, ...) twin_host::logLine("WARNING", name, __VA_ARGS__)
#define OP_LOGI(name, ...) ((void)(name))
#define OP_LOGD(name, ...) ((void)(name))
#define OP_LOGV(name, ...) ((void)(name))
#define OP_EVENT(name, ...) ((void)(name))
#define OPS_LOG_E OP_LOGE
#define OPS_LOG_W OP_LOGW
#define OPS_LOG_I OP_LOGI
#define OPS_LOG_D OP_LOGD
#define OP_LOGE_IF(condition, result, name, ...) \
    do {                                         \
        if (condition) {                         \
            OP_LOGE(name, __VA_ARGS__);          \
            return result;                       \
        }                                        \
    } while (false)
#define OP_CHECK_IF(condition, log, result) \
    do {                                    \
        if (condition) {                    \
            log;                            \
            result;                         \
        }                                   \
    } while (false)
#define OP_CHECK(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OP_TILING_CHECK(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result)         \
    do {                                                                 \
        if ((pointer) == nullptr) {                                      \
            OP_LOGE((context)->GetNodeName(), "%s is null", #pointer);   \
            return result;                                               \
        }                                                                \
    } while (false)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT(context, pointer)
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result) OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result)
#define OPS_CHECK(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OPS_LOG_E_IF(condition, context, result, ...) OP_CHECK_IF(condition, OP_LOGE((context)->GetNodeName(), __VA_ARGS__), result)
#define OPS_LOG_E_IF_NULL(context, pointer, result) \
    OP_CHECK_IF((pointer) == nullptr, OP_LOGE((context)->GetNodeName(), "%s is null", #pointer), result)
#define OPS_ERR_IF(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OPS_REPORT_VECTOR_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILIING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define CUBE_INNER_ERR_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)

#endif
