// Ops::Base: what tiling functions of the operator repositories ask of the chip and of a shape.
#ifndef TWIN_HOST_PLATFORM_QUERIES_H
#define TWIN_HOST_PLATFORM_QUERIES_H

#include <type_traits>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace twin_host {

/// `query(platform)`, or 0 with a line in the log where the context has no platform.
template <class C, class Query>
auto askPlatform(const C* context, const char* api, Query query) -> uint32_t {
    static_assert(std::is_same_v<C, gert::TilingContext> || std::is_same_v<C, gert::TilingParseContext>,
                  "context should be gert::TilingParseContext or gert::TilingContext");
    if (context == nullptr || context->GetPlatformInfo() == nullptr) {
        OP_LOGE(api, "the context is null or has no platform");
        return 0;
    }
    return static_cast<uint32_t>(query(platform_ascendc::PlatformAscendC(context->GetPlatformInfo())));
}

}  // namespace twin_host

namespace Ops {
namespace Base {

using platform_ascendc::PlatformAscendC;

template <class C>
uint32_t GetAivCoreNum(const C* context) {
    return twin_host::askPlatform(context, "GetAivCoreNum", [](const PlatformAscendC& p) { return p.GetCoreNumAiv(); });
}
template <class C>
uint32_t GetAicCoreNum(const C* context) {
    return twin_host::askPlatform(context, "GetAicCoreNum", [](const PlatformAscendC& p) { return p.GetCoreNumAic(); });
}
/// Bytes that a kernel may use.
template <class C>
uint32_t GetUbSize(const C* context) {
    return twin_host::askPlatform(context, "GetUbSize", [](const PlatformAscendC& p) {
        uint64_t bytes = 0;
        p.GetCoreMemSize(platform_ascendc::CoreMemType::UB, bytes);
        return bytes;
    });
}
/// Bytes that the high-level API keeps for itself.
template <class C>
uint32_t GetWorkspaceSize(const C* context) {
    return twin_host::askPlatform(context, "GetWorkspaceSize",
                                  [](const PlatformAscendC& p) { return p.GetLibApiWorkSpaceSize(); });
}

// Bytes, the same on every chip. The last three are of cores that Atlas A2 has not; the SDK answers for it all the
// same.
template <class C>
uint32_t GetUbBlockSize(const C*) {
    return 32;
}
template <class C>
uint32_t GetVRegSize(const C*) {
    return 256;
}
template <class C>
uint32_t GetCacheLineSize(const C*) {
    return 256;
}
template <class C>
uint32_t GetSectorCacheLineSize(const C*) {
    return 128;
}
template <class C>
uint32_t GetSimtMaxThreadNum(const C*) {
    return 2048;
}
template <class C>
uint32_t GetSimtMaxDCacheSize(const C*) {
    return 128 * 1024;
}
template <class C>
uint32_t GetNddmaDcacheSize(const C*) {
    return 8192;
}

/// Whether the vector unit computes on registers, as that of Atlas A2 does not.
template <class C>
bool IsRegbaseSocVersion(const C* context) {
    const NpuArch arch = PlatformAscendC(context->GetPlatformInfo()).GetCurNpuArch();
    return arch == NpuArch::DAV_3510 || arch == NpuArch::DAV_5102;
}
/// The shape itself, or one of a single element in place of a scalar's.
inline const gert::Shape& EnsureNotScalar(const gert::Shape& inShape) {
    static const gert::Shape one = {1};
    return inShape.IsScalar() ? one : inShape;
}

}  // namespace Base
}  // namespace Ops

#endif
