// Memory of the host runtime (`acl/acl_rt.h`). Codes are those of its pages: 100000 for arguments that are none, 107000
// for sizes and places that do not fit.
#include <cstdlib>
#include <cstring>

#include "acl/acl_rt.h"
#include "device.h"

using namespace twin::direct;

namespace {

struct Copy {
    const char* api;
    void* dst;
    const void* src;
    aclrtMemcpyKind kind;
};

enum class Side { kHost, kDevice, kEither };
struct Sides {
    Side src, dst;
};

Sides sidesOf(aclrtMemcpyKind kind) {
    switch (kind) {
        case ACL_MEMCPY_HOST_TO_HOST: return {Side::kHost, Side::kHost};
        case ACL_MEMCPY_HOST_TO_DEVICE:
        case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: return {Side::kHost, Side::kDevice};
        case ACL_MEMCPY_DEVICE_TO_HOST: return {Side::kDevice, Side::kHost};
        case ACL_MEMCPY_DEFAULT: return {Side::kEither, Side::kEither};
        default: return {Side::kDevice, Side::kDevice};
    }
}

std::string sizeText(size_t bytes) { return std::to_string(bytes) + " bytes"; }

/// A range on the side that the kind of copy says, inside of its allocation when it is device memory.
aclError checkRange(const Copy& copy, const char* which, const void* begin, size_t bytes, Side side) {
    const Allocation* one = allocationOf(begin);
    const std::string name(which);
    if (one == nullptr && side == Side::kDevice)
        return failed(ACL_ERROR_RT_PARAM_INVALID, copy.api, name + " is no device memory, as the kind of copy says");
    if (one != nullptr && side == Side::kHost)
        return failed(ACL_ERROR_RT_PARAM_INVALID, copy.api, name + " is device memory; the kind of copy says host");
    if (one == nullptr) return ACL_SUCCESS;
    const size_t left = one->bytes - static_cast<size_t>(static_cast<const uint8_t*>(begin) - one->data);
    if (bytes <= left) return ACL_SUCCESS;
    return failed(
        ACL_ERROR_RT_PARAM_INVALID, copy.api,
        sizeText(bytes) + " at " + name + " do not fit; its allocation has " + sizeText(left) + " from there on");
}

aclError checkCopy(const Copy& copy, size_t srcBytes, size_t dstBytes) {
    if (copy.dst == nullptr) return failed(ACL_ERROR_INVALID_PARAM, copy.api, "dst is null");
    if (copy.src == nullptr) return failed(ACL_ERROR_INVALID_PARAM, copy.api, "src is null");
    if (copy.kind < ACL_MEMCPY_HOST_TO_HOST || copy.kind > ACL_MEMCPY_INTER_DEVICE_TO_DEVICE)
        return failed(ACL_ERROR_INVALID_PARAM, copy.api, "kind " + std::to_string(copy.kind) + " is none");
    if (!hasDevice())
        return failed(ACL_ERROR_RT_CONTEXT_NULL, copy.api, "there is no device; call aclrtSetDevice before");
    const Sides sides = sidesOf(copy.kind);
    const aclError dst = checkRange(copy, "dst", copy.dst, dstBytes, sides.dst);
    if (dst != ACL_SUCCESS) return dst;
    const bool reads = allocationOf(copy.src) != nullptr && allocationOf(copy.dst) == nullptr;
    if (reads && remote() != nullptr) remote()->read(copy.api);
    return checkRange(copy, "src", copy.src, srcBytes, sides.src);
}

/// Both ranges are inside of what they lie in.
void transfer(void* dst, const void* src, size_t count) {
    const bool to = remote() != nullptr && allocationOf(dst) != nullptr;
    const bool from = remote() != nullptr && allocationOf(src) != nullptr;
    if (to && from) return remote()->move(dst, src, count);
    if (to) return remote()->write(dst, src, count);
    if (from) return;
    const OpenMemory open;
    std::memmove(dst, src, count);
}

aclError checkStream(const char* api, const void* stream) {
    if (isStream(stream)) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_STREAM_CONTEXT, api, "the stream does not exist; make one with aclrtCreateStream");
}

aclError copyBytes(const Copy& copy, size_t destMax, size_t count) {
    if (count > destMax) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, copy.api,
                      "count is " + sizeText(count) + ", above destMax, " + sizeText(destMax));
    }
    const aclError code = checkCopy(copy, count, count);
    if (code != ACL_SUCCESS) return code;
    transfer(copy.dst, copy.src, count);
    return ACL_SUCCESS;
}

aclError copyRows(const Copy& copy, size_t dpitch, size_t spitch, size_t width, size_t height) {
    if (width == 0 || height == 0 || width > dpitch || width > spitch) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, copy.api,
                      std::to_string(height) + " rows of " + sizeText(width) + " do not fit pitches of " +
                          sizeText(dpitch) + " and " + sizeText(spitch));
    }
    const size_t before = height - 1;
    if (before > (SIZE_MAX - width) / (dpitch > spitch ? dpitch : spitch))
        return failed(ACL_ERROR_RT_PARAM_INVALID, copy.api, "the rows do not fit into memory");
    const aclError code = checkCopy(copy, before * spitch + width, before * dpitch + width);
    if (code != ACL_SUCCESS) return code;
    auto* dst = static_cast<uint8_t*>(copy.dst);
    const auto* src = static_cast<const uint8_t*>(copy.src);
    for (size_t row = 0; row < height; ++row) transfer(dst + row * dpitch, src + row * spitch, width);
    return ACL_SUCCESS;
}

aclError fill(const char* api, void* place, size_t maxCount, int32_t value, size_t count) {
    if (place == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "devPtr is null");
    if (count > maxCount) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, api,
                      "count is " + sizeText(count) + ", above maxCount, " + sizeText(maxCount));
    }
    const aclError code = checkRange({api, place, place, ACL_MEMCPY_DEFAULT}, "devPtr", place, count, Side::kEither);
    if (code != ACL_SUCCESS) return code;
    if (remote() != nullptr && allocationOf(place) != nullptr) {
        remote()->set(place, value, count);
        return ACL_SUCCESS;
    }
    const OpenMemory open;
    std::memset(place, value, count);
    return ACL_SUCCESS;
}

aclError allocateFor(const char* api, void** pointer, size_t size, size_t behind) {
    if (pointer == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "devPtr is null");
    if (size == 0) return failed(ACL_ERROR_INVALID_PARAM, api, "size is 0");
    if (!hasDevice()) return failed(ACL_ERROR_RT_CONTEXT_NULL, api, "there is no device; call aclrtSetDevice before");
    const Allocation* one = allocate(size, behind);
    if (one == nullptr) return failed(ACL_ERROR_RT_MEMORY_ALLOCATION, api, "no memory for " + sizeText(size));
    *pointer = one->data;
    return ACL_SUCCESS;
}

}  // namespace

extern "C" {

aclError aclrtMalloc(void** pointer, size_t size, aclrtMemMallocPolicy) {
    return allocateFor("aclrtMalloc", pointer, size, 32);
}
aclError aclrtMallocCached(void** pointer, size_t size, aclrtMemMallocPolicy) {
    return allocateFor("aclrtMallocCached", pointer, size, 32);
}
aclError aclrtMallocAlign32(void** pointer, size_t size, aclrtMemMallocPolicy) {
    return allocateFor("aclrtMallocAlign32", pointer, size, 0);
}

aclError aclrtFree(void* pointer) {
    if (pointer == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtFree", "devPtr is null");
    if (allocations().count(static_cast<const uint8_t*>(pointer)) == 0)
        return failed(ACL_ERROR_RT_PARAM_INVALID, "aclrtFree",
                      "devPtr is no start of device memory, or was freed before");
    release(static_cast<const uint8_t*>(pointer));
    return ACL_SUCCESS;
}

aclError aclrtMallocHost(void** pointer, size_t size) {
    if (pointer == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost", "hostPtr is null");
    if (size == 0) return failed(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost", "size is 0");
    *pointer = std::malloc(size);
    if (*pointer != nullptr) return ACL_SUCCESS;
    return failed(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMallocHost", "no memory for " + sizeText(size));
}

aclError aclrtFreeHost(void* pointer) {
    if (pointer == nullptr) return failed(ACL_ERROR_INVALID_PARAM, "aclrtFreeHost", "hostPtr is null");
    if (allocationOf(pointer) != nullptr)
        return failed(ACL_ERROR_RT_PARAM_INVALID, "aclrtFreeHost", "hostPtr is device memory; aclrtFree frees it");
    std::free(pointer);
    return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind) {
    return copyBytes({"aclrtMemcpy", dst, src, kind}, destMax, count);
}
aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
    const aclError code = checkStream("aclrtMemcpyAsync", stream);
    return code == ACL_SUCCESS ? copyBytes({"aclrtMemcpyAsync", dst, src, kind}, destMax, count) : code;
}
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
    return copyRows({"aclrtMemcpy2d", dst, src, kind}, dpitch, spitch, width, height);
}
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream) {
    const aclError code = checkStream("aclrtMemcpy2dAsync", stream);
    return code == ACL_SUCCESS ? copyRows({"aclrtMemcpy2dAsync", dst, src, kind}, dpitch, spitch, width, height) : code;
}

aclError aclrtMemset(void* pointer, size_t maxCount, int32_t value, size_t count) {
    return fill("aclrtMemset", pointer, maxCount, value, count);
}
aclError aclrtMemsetAsync(void* pointer, size_t maxCount, int32_t value, size_t count, aclrtStream stream) {
    const aclError code = checkStream("aclrtMemsetAsync", stream);
    return code == ACL_SUCCESS ? fill("aclrtMemsetAsync", pointer, maxCount, value, count) : code;
}

// Host and device see the same memory at once here.
aclError aclrtMemFlush(void*, size_t) { return ACL_SUCCESS; }
aclError aclrtMemInvalidate(void*, size_t) { return ACL_SUCCESS; }

}  // extern "C"
