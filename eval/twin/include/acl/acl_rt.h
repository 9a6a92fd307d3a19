// Device, streams, events and memory of the host runtime. A stream runs what it is given at once, so everything that
// waits has nothing to wait for. Device memory is closed to the host between calls: a program that follows a device
// pointer ends with `host-access`.
#ifndef TWIN_ACL_ACL_RT_H
#define TWIN_ACL_ACL_RT_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST,
    ACL_MEM_MALLOC_HUGE_ONLY,
    ACL_MEM_MALLOC_NORMAL_ONLY,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000
} aclrtMemMallocPolicy;

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEFAULT,
    ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
    ACL_MEMCPY_INTER_DEVICE_TO_DEVICE
} aclrtMemcpyKind;

typedef enum aclrtMemAttr {
    ACL_DDR_MEM,
    ACL_HBM_MEM,
    ACL_DDR_MEM_HUGE,
    ACL_DDR_MEM_NORMAL,
    ACL_HBM_MEM_HUGE,
    ACL_HBM_MEM_NORMAL
} aclrtMemAttr;

typedef enum aclrtRunMode { ACL_DEVICE, ACL_HOST } aclrtRunMode;

typedef enum aclrtDevAttr {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201
} aclrtDevAttr;

typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;

#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U

/// One device, number 0; 107001 for another.
aclError aclrtSetDevice(int32_t deviceId);
/// Frees the device memory that the program left.
aclError aclrtResetDevice(int32_t deviceId);
aclError aclrtResetDeviceForce(int32_t deviceId);
aclError aclrtGetDevice(int32_t* deviceId);
aclError aclrtGetDeviceCount(uint32_t* count);
aclError aclrtGetRunMode(aclrtRunMode* runMode);
const char* aclrtGetSocName();
/// Of an installed package of CANN; none is here, so always 100000.
aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum);
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attribute, int64_t* value);
aclError aclrtSynchronizeDevice();
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
aclError aclrtGetLastError(aclrtLastErrLevel level);
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtGetCurrentContext(aclrtContext* context);

aclError aclrtCreateStream(aclrtStream* stream);
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtDestroyStreamForce(aclrtStream stream);
/// Null is the default stream.
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

aclError aclrtCreateEvent(aclrtEvent* event);
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
aclError aclrtSynchronizeEvent(aclrtEvent event);
/// Milliseconds of this machine between the two records: they say nothing of a device.
aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end);

/// At a multiple of 64 bytes; `size` is rounded up to 32 bytes, and 32 more. 100000 when it is 0. Not initialised: it
/// holds NaN.
aclError aclrtMalloc(void** devicePointer, size_t size, aclrtMemMallocPolicy policy);
/// The same without the 32 bytes more.
aclError aclrtMallocAlign32(void** devicePointer, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtMallocCached(void** devicePointer, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtFree(void* devicePointer);
aclError aclrtMallocHost(void** hostPointer, size_t size);
aclError aclrtFreeHost(void* hostPointer);
/// 100000 for a null pointer or an unknown kind; 107000 when `count` is above `destMax`, when a range of device memory
/// is shorter, or when pointer and kind do not fit.
aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind);
aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream);
/// `height` rows of `width` bytes, `dpitch` and `spitch` bytes from one to the next; 107000 when a row is wider than
/// its pitch.
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind);
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemset(void* devicePointer, size_t maxCount, int32_t value, size_t count);
aclError aclrtMemsetAsync(void* devicePointer, size_t maxCount, int32_t value, size_t count, aclrtStream stream);
aclError aclrtMemFlush(void* devicePointer, size_t size);
aclError aclrtMemInvalidate(void* devicePointer, size_t size);
aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t* free, size_t* total);

#ifdef __cplusplus
}
#endif

#endif
