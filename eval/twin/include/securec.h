// securec: functions on memory and strings that take the size of their destination, as the bounds checking library of
// the SDK documents them (openEuler libboundscheck).
#ifndef TWIN_SECUREC_H
#define TWIN_SECUREC_H

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

using errno_t = int;

#ifndef EOK
#define EOK 0
#endif
// An error after which the destination was cleared is that error's number and 128.
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

namespace twin_host {

/// What is wrong with a destination before its content matters; EOK when nothing is. `reset` clears it.
template <class Reset>
errno_t checkDestination(const void* dest, size_t size, const void* source, Reset reset) {
    if (size == 0 || size > SECUREC_MEM_MAX_LEN) return ERANGE;
    if (dest == nullptr) return EINVAL;
    if (source != nullptr) return EOK;
    reset();
    return EINVAL_AND_RESET;
}
inline bool overlap(const void* a, const void* b, size_t bytes) {
    const auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
    return first < second ? second - first < bytes : first - second < bytes;
}
inline size_t lengthOf(const char* text, size_t most) {
    const void* end = std::memchr(text, '\0', most);
    return end == nullptr ? most : static_cast<size_t>(static_cast<const char*>(end) - text);
}
/// Appends `count` characters of `source` and a NUL behind the `length` that `dest` has.
inline errno_t appendText(char* dest, size_t size, size_t length, const char* source, size_t count) {
    if (count >= size - length) {
        dest[0] = '\0';
        return ERANGE_AND_RESET;
    }
    if (source < dest + length + count + 1 && dest < source + count + 1) {
        dest[0] = '\0';
        return EOVERLAP_AND_RESET;
    }
    std::memcpy(dest + length, source, count);
    dest[length + count] = '\0';
    return EOK;
}

}  // namespace twin_host

/// More than `destMax` fills all of `dest` and is ERANGE_AND_RESET.
inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
    if (destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
    if (dest == nullptr) return destMax == 0 ? ERANGE : EINVAL;
    if (count > destMax && destMax == 0) return ERANGE;
    std::memset(dest, c, count <= destMax ? count : destMax);
    return count <= destMax ? EOK : ERANGE_AND_RESET;
}
/// More than `destMax`, and sources that overlap, clear all of `dest`.
inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
    const auto reset = [&] { std::memset(dest, 0, destMax); };
    const errno_t error = twin_host::checkDestination(dest, destMax, src, reset);
    if (error != EOK) return error;
    if (count > destMax) return reset(), ERANGE_AND_RESET;
    if (dest == src) return EOK;
    if (twin_host::overlap(dest, src, count)) return reset(), EOVERLAP_AND_RESET;
    std::memcpy(dest, src, count);
    return EOK;
}
inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
    const auto reset = [&] { std::memset(dest, 0, destMax); };
    const errno_t error = twin_host::checkDestination(dest, destMax, src, reset);
    if (error != EOK) return error;
    if (count > destMax) return reset(), ERANGE_AND_RESET;
    std::memmove(dest, src, count);
    return EOK;
}

// Of text, an error leaves an empty destination.
inline errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) {
    const errno_t error = twin_host::checkDestination(strDest, destMax, strSrc, [&] { strDest[0] = '\0'; });
    if (error != EOK || strDest == strSrc) return error;
    return twin_host::appendText(strDest, destMax, 0, strSrc, std::strlen(strSrc));
}
/// The first `count` characters of `strSrc` and a NUL.
inline errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
    const errno_t error = twin_host::checkDestination(strDest, destMax, strSrc, [&] { strDest[0] = '\0'; });
    if (error != EOK || strDest == strSrc) return error;
    return twin_host::appendText(strDest, destMax, 0, strSrc, twin_host::lengthOf(strSrc, count));
}
/// A destination without a NUL in its `destMax` bytes is EINVAL_AND_RESET.
inline errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
    const errno_t error = twin_host::checkDestination(strDest, destMax, strSrc, [&] { strDest[0] = '\0'; });
    if (error != EOK) return error;
    const size_t length = twin_host::lengthOf(strDest, destMax);
    if (length == destMax) {
        strDest[0] = '\0';
        return EINVAL_AND_RESET;
    }
    return twin_host::appendText(strDest, destMax, length, strSrc, twin_host::lengthOf(strSrc, count));
}
inline errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) {
    return strncat_s(strDest, destMax, strSrc, SECUREC_STRING_MAX_LEN);
}

/// Characters written, at most `count`; -1 when it did not fit. Text cut at `count` stays; other errors leave ''.
inline int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list argList) {
    if (strDest == nullptr || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return -1;
    const bool cut = count < destMax;
    const int length = format == nullptr ? -1 : std::vsnprintf(strDest, cut ? count + 1 : destMax, format, argList);
    if (length >= 0 && static_cast<size_t>(length) <= (cut ? count : destMax - 1)) return length;
    if (length < 0 || !cut) strDest[0] = '\0';
    return -1;
}
__attribute__((format(printf, 4, 5))) inline int snprintf_s(char* strDest, size_t destMax, size_t count,
                                                            const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf_s(strDest, destMax, count, format, arguments);
    va_end(arguments);
    return length;
}
inline int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList) {
    return vsnprintf_s(strDest, destMax, destMax, format, argList);
}
__attribute__((format(printf, 3, 4))) inline int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsprintf_s(strDest, destMax, format, arguments);
    va_end(arguments);
    return length;
}

#endif
