// Device, contexts, streams and events of the host runtime (`acl/acl.h`, `acl/acl_rt.h`).
#include <chrono>
#include <memory>
#include <set>

#include "acl/acl.h"
#include "device.h"
#include "platform/platform_info.h"
#include "tiling/platform/platform_ascendc.h"

namespace twin::direct {
namespace {

struct Event {
    std::chrono::steady_clock::time_point recorded;
    bool isRecorded = false;
};

struct State {
    bool initialised = false;
    int devices = 0;  // how often the device was set
    std::set<const void*> contexts, streams;
    std::set<const void*> events;
    const void* context = nullptr;
};
State& state() {
    static State one;
    return one;
}

/// A handle that can be told from every other and is no address of memory that a program uses.
void* newHandle(std::set<const void*>& all) {
    void* handle = new char;
    all.insert(handle);
    return handle;
}

aclError destroy(const char* api, std::set<const void*>& all, const void* handle, const char* what) {
    if (handle == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, std::string(what) + " is null");
    if (all.erase(handle) > 0) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_PARAM_INVALID, api, std::string(what) + " does not exist, or was destroyed before");
}

aclError noDevice(const char* api) {
    return failed(ACL_ERROR_RT_CONTEXT_NULL, api, "there is no device; call aclrtSetDevice before");
}

aclError checkNumber(const char* api, int64_t deviceId) {
    if (deviceId == 0) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_INVALID_DEVICEID, api,
                  "device " + std::to_string(deviceId) + " does not exist; the only one is number 0");
}

aclError createStream(const char* api, aclrtStream* stream) {
    if (stream == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "stream is null");
    if (!hasDevice()) return noDevice(api);
    *stream = newHandle(state().streams);
    return ACL_SUCCESS;
}

aclError checkStream(const char* api, const void* stream) {
    if (!hasDevice()) return noDevice(api);
    if (isStream(stream)) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_STREAM_CONTEXT, api, "the stream does not exist; make one with aclrtCreateStream");
}

Event* eventOf(const void* event) {
    return state().events.count(event) > 0 ? static_cast<Event*>(const_cast<void*>(event)) : nullptr;
}

aclError createEvent(const char* api, aclrtEvent* event) {
    if (event == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "event is null");
    if (!hasDevice()) return noDevice(api);
    auto* made = new Event;
    state().events.insert(made);
    *event = made;
    return ACL_SUCCESS;
}

aclError checkEvent(const char* api, const void* event) {
    if (event == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "event is null");
    if (eventOf(event) != nullptr) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_PARAM_INVALID, api, "the event does not exist; make one with aclrtCreateEvent");
}

aclError checkBoth(const char* api, const void* event, const void* stream) {
    const aclError code = checkEvent(api, event);
    return code == ACL_SUCCESS ? checkStream(api, stream) : code;
}

aclError resetDevice(const char* api, int32_t deviceId) {
    const aclError code = checkNumber(api, deviceId);
    if (code != ACL_SUCCESS) return code;
    releaseAll();
    state().devices = 0;
    state().streams.clear();
    state().context = nullptr;
    return ACL_SUCCESS;
}

}  // namespace

bool hasDevice() { return state().devices > 0 || state().context != nullptr; }
bool isStream(const void* stream) { return stream == nullptr || state().streams.count(stream) > 0; }

}  // namespace twin::direct

using namespace twin::direct;

extern "C" {

aclError aclInit(const char*) {
    if (state().initialised) return failed(ACL_ERROR_REPEAT_INITIALIZE, "aclInit", "was called before");
    state().initialised = true;
    return ACL_SUCCESS;
}
aclError aclFinalize() {
    if (!state().initialised)
        return failed(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize", "was called before, or aclInit was not");
    state().initialised = false;
    return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) {
    const aclError code = checkNumber("aclrtSetDevice", deviceId);
    if (code != ACL_SUCCESS) return code;
    if (state().devices++ == 0) catchFaults();
    return ACL_SUCCESS;
}
aclError aclrtResetDevice(int32_t deviceId) { return resetDevice("aclrtResetDevice", deviceId); }
aclError aclrtResetDeviceForce(int32_t deviceId) { return resetDevice("aclrtResetDeviceForce", deviceId); }
aclError aclrtGetDevice(int32_t* deviceId) {
    if (deviceId == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice", "deviceId is null");
    if (!hasDevice()) return noDevice("aclrtGetDevice");
    *deviceId = 0;
    return ACL_SUCCESS;
}
aclError aclrtGetDeviceCount(uint32_t* count) {
    if (count == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount", "count is null");
    *count = 1;
    return ACL_SUCCESS;
}
aclError aclrtGetRunMode(aclrtRunMode* mode) {
    if (mode == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetRunMode", "runMode is null");
    *mode = ACL_HOST;
    return ACL_SUCCESS;
}
aclError aclsysGetVersionNum(char* pkgName, int32_t*) {
    const std::string name = pkgName == nullptr ? "(null)" : pkgName;
    return failed(ACL_ERROR_INVALID_PARAM, "aclsysGetVersionNum", "package " + name + " is not installed");
}
const char* aclrtGetSocName() { return fe::currentSoc().c_str(); }
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attribute, int64_t* value) {
    const aclError code = checkNumber("aclrtGetDeviceInfo", deviceId);
    if (code != ACL_SUCCESS) return code;
    if (value == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceInfo", "value is null");
    const auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance();
    switch (attribute) {
        case ACL_DEV_ATTR_AICORE_CORE_NUM:
        case ACL_DEV_ATTR_CUBE_CORE_NUM: *value = platform->GetCoreNumAic(); return ACL_SUCCESS;
        case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = platform->GetCoreNumAiv(); return ACL_SUCCESS;
        default:
            return failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclrtGetDeviceInfo",
                          "attribute " + std::to_string(attribute) + " is not covered");
    }
}
aclError aclrtSynchronizeDevice() {
    return hasDevice() ? static_cast<aclError>(ACL_SUCCESS) : noDevice("aclrtSynchronizeDevice");
}
aclError aclrtSynchronizeDeviceWithTimeout(int32_t) { return aclrtSynchronizeDevice(); }

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
    if (context == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtCreateContext", "context is null");
    const aclError code = checkNumber("aclrtCreateContext", deviceId);
    if (code != ACL_SUCCESS) return code;
    catchFaults();
    *context = newHandle(state().contexts);
    state().context = *context;
    return ACL_SUCCESS;
}
aclError aclrtDestroyContext(aclrtContext context) {
    const aclError code = destroy("aclrtDestroyContext", state().contexts, context, "context");
    if (code == ACL_SUCCESS && state().context == context) state().context = nullptr;
    return code;
}
aclError aclrtSetCurrentContext(aclrtContext context) {
    if (state().contexts.count(context) == 0)
        return failed(ACL_ERROR_INVALID_PARAM, "aclrtSetCurrentContext", "the context does not exist");
    state().context = context;
    return ACL_SUCCESS;
}
aclError aclrtGetCurrentContext(aclrtContext* context) {
    if (context == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext", "context is null");
    if (!hasDevice()) return noDevice("aclrtGetCurrentContext");
    if (state().context == nullptr) state().context = newHandle(state().contexts);
    *context = const_cast<void*>(state().context);
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream* stream) { return createStream("aclrtCreateStream", stream); }
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
    return createStream("aclrtCreateStreamWithConfig", stream);
}
aclError aclrtDestroyStream(aclrtStream stream) {
    return destroy("aclrtDestroyStream", state().streams, stream, "stream");
}
aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return destroy("aclrtDestroyStreamForce", state().streams, stream, "stream");
}
aclError aclrtSynchronizeStream(aclrtStream stream) { return checkStream("aclrtSynchronizeStream", stream); }
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
    return checkStream("aclrtSynchronizeStreamWithTimeout", stream);
}

aclError aclrtCreateEvent(aclrtEvent* event) { return createEvent("aclrtCreateEvent", event); }
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
    return createEvent("aclrtCreateEventWithFlag", event);
}
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t) {
    return createEvent("aclrtCreateEventExWithFlag", event);
}
aclError aclrtDestroyEvent(aclrtEvent event) {
    const std::unique_ptr<Event> owned(eventOf(event));
    return destroy("aclrtDestroyEvent", state().events, event, "event");
}
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    const aclError code = checkBoth("aclrtRecordEvent", event, stream);
    if (code == ACL_SUCCESS) *eventOf(event) = {std::chrono::steady_clock::now(), true};
    return code;
}
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    const aclError code = checkBoth("aclrtResetEvent", event, stream);
    if (code == ACL_SUCCESS) *eventOf(event) = {};
    return code;
}
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return checkBoth("aclrtStreamWaitEvent", event, stream);
}
aclError aclrtSynchronizeEvent(aclrtEvent event) { return checkEvent("aclrtSynchronizeEvent", event); }
aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end) {
    if (milliseconds == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtEventElapsedTime", "ms is null");
    const Event *from = eventOf(start), *to = eventOf(end);
    if (from == nullptr || to == nullptr || !from->isRecorded || !to->isRecorded)
        return failed(ACL_ERROR_RT_PARAM_INVALID, "aclrtEventElapsedTime", "an event was not recorded");
    *milliseconds = std::chrono::duration<float, std::milli>(to->recorded - from->recorded).count();
    return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
    if (free == nullptr || total == nullptr)
        return failed(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo", "free or total is null");
    uint64_t bytes = 0;
    platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreMemSize(platform_ascendc::CoreMemType::HBM, bytes);
    *total = bytes;
    for (const auto& [data, one] : allocations()) bytes -= one.bytes < bytes ? one.bytes : bytes;
    *free = bytes;
    return ACL_SUCCESS;
}

}  // extern "C"
