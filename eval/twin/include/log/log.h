// Logging and checking macros of the operator repositories. Messages go to stderr, where the runner keeps the last of
// them.
#ifndef TWIN_LOG_LOG_H
#define TWIN_LOG_LOG_H

#include <cinttypes>
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
template <class C>
auto logName(const C* context) -> decltype(context->GetNodeName()) {
    return context == nullptr ? "" : context->GetNodeName();
}

/// One line; printf's format.
template <class Name, class... Args>
void logLine(const char* level, const Name& name, const char* format, Args... args) {
    std::fprintf(stderr, "[%s] %s: ", level, logName(name));
    if constexpr (sizeof...(Args) == 0) std::fputs(format, stderr);
    else std::fprintf(stderr, format, args...);
    std::fputc('\n', stderr);
}
template <class Name>
void logLine(const char* level, const Name& name) {
    logLine(level, name, "");
}
template <class Name>
void logLine(const char* level, const Name& name, const std::string& text) {
    logLine(level, name, "%s", text.c_str());
}

}  // namespace twin_host

#include "twin_host/log_reports.h"

#ifndef OP_SUBMOD_NAME
#define OP_SUBMOD_NAME "OPS_BASE"
#endif
#define likely(x) __builtin_expect((x), 1)
#define unlikely(x) __builtin_expect((x), 0)
// Reports to the user by error number; here one more line of the log.
#define REPORT_INNER_ERR_MSG(code, ...) twin_host::logLine("ERROR", code, __VA_ARGS__)
#define REPORT_INNER_ERROR REPORT_INNER_ERR_MSG
#define REPORT_USER_DEFINED_ERR_MSG REPORT_INNER_ERR_MSG
#define OP_LOGE(name, ...) twin_host::logLine("ERROR", name, ##__VA_ARGS__)
#define OP_LOGW(name, ...) twin_host::logLine("WARNING", name, ##__VA_ARGS__)
#define OP_LOGI(name, ...) ((void)(name))
#define OP_LOGD(name, ...) ((void)(name))
#define OP_LOGV(name, ...) ((void)(name))
#define OP_EVENT(name, ...) ((void)(name))
#define OP_LOGE_WITHOUT_REPORT OP_LOGE
#define D_OP_LOGE OP_LOGE
#define D_OP_LOGW OP_LOGW
#define D_OP_LOGI OP_LOGI
#define D_OP_LOGD OP_LOGD
#define OPS_LOG_E OP_LOGE
#define OPS_LOG_W OP_LOGW
#define OPS_LOG_I OP_LOGI
#define OPS_LOG_D OP_LOGD

// The host's log service, at its default level of errors: numbers of modules and levels as the SDK's headers have them.
enum { OP = 63 };
#define DLOG_DEBUG 0x0
#define DLOG_INFO 0x1
#define DLOG_WARN 0x2
#define DLOG_ERROR 0x3
inline int32_t CheckLogLevel(int32_t, int32_t level) { return level >= DLOG_ERROR ? 1 : 0; }
inline int32_t AlogCheckDebugLevel(uint32_t, int32_t level) { return CheckLogLevel(OP, level); }
enum { DLOG_TYPE_DEBUG = 0, DLOG_TYPE_RUN = 1 };
template <class... Args>
int32_t AlogRecord(uint32_t, uint32_t, int32_t level, const char* format, Args... args) {
    if (CheckLogLevel(OP, level) == 1) twin_host::logLine("ERROR", "", format, args...);
    return 0;
}
#define OpLogSub(module, level, name, ...) \
    (CheckLogLevel(module, level) == 1 ? OP_LOGE(name, __VA_ARGS__) : (void)(name))

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
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result)       \
    do {                                                               \
        if ((pointer) == nullptr) {                                    \
            OP_LOGE((context)->GetNodeName(), "%s is null", #pointer); \
            return result;                                             \
        }                                                              \
    } while (false)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT(context, pointer)
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result) \
    OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result)
#define OPS_CHECK(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OPS_LOG_E_IF(condition, context, result, ...) \
    OP_CHECK_IF(condition, OP_LOGE((context)->GetNodeName(), __VA_ARGS__), result)
#define OPS_LOG_E_IF_NULL(context, pointer, result) \
    OP_CHECK_IF((pointer) == nullptr, OP_LOGE((context)->GetNodeName(), "%s is null", #pointer), result)
#define OPS_ERR_IF(condition, log, result) OP_CHECK_IF(condition, log, result)
#define OPS_REPORT_VECTOR_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILIING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define CUBE_INNER_ERR_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)

#endif
