// Data types, numbers and messages of the host runtime (`acl/acl_base.h`).
#include "acl/acl_base.h"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "acl/acl_rt.h"
#include "device.h"
#include "twin/half.h"

namespace twin::direct {
namespace {

std::string message;    // of the last failure, until it is asked for
std::string handedOut;  // what the program may still read
int lastError = ACL_SUCCESS;

}  // namespace

int failed(int code, const char* api, const std::string& what) {
    lastError = code;
    message = std::string(api) + ": " + what + " (error " + std::to_string(code) + ")";
    std::fprintf(stderr, "device: %s\n", message.c_str());
    return code;
}

}  // namespace twin::direct

using namespace twin::direct;

extern "C" {

size_t aclDataTypeSize(aclDataType type) {
    switch (type) {
        case ACL_BOOL:
        case ACL_INT8:
        case ACL_UINT8: return 1;
        case ACL_FLOAT16:
        case ACL_BF16:
        case ACL_INT16:
        case ACL_UINT16: return 2;
        case ACL_FLOAT:
        case ACL_INT32:
        case ACL_UINT32:
        case ACL_COMPLEX32: return 4;
        case ACL_DOUBLE:
        case ACL_INT64:
        case ACL_UINT64:
        case ACL_COMPLEX64: return 8;
        case ACL_COMPLEX128: return 16;
        default: return 0;
    }
}

float aclFloat16ToFloat(aclFloat16 value) { return twin::HalfValue(value); }
aclFloat16 aclFloatToFloat16(float value) { return twin::HalfBits(value); }

const char* aclGetRecentErrMsg() {
    if (message.empty()) return nullptr;
    handedOut.swap(message);
    message.clear();
    return handedOut.c_str();
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel) { return lastError; }
aclError aclrtGetLastError(aclrtLastErrLevel) {
    const int code = lastError;
    lastError = ACL_SUCCESS;
    return code;
}

void aclAppLog(aclLogLevel level, const char* function, const char* file, uint32_t line, const char* format, ...) {
    static const char* const names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char* name = level >= 0 && level <= 3 ? names[level] : "LOG";
    std::fprintf(stderr, "[%s] %s:%u %s: %s\n", name, file, line, function, text);
}

}  // extern "C"
