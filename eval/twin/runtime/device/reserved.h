// The end of UB that some functions take for themselves.
#ifndef TWIN_DEVICE_RESERVED_H
#define TWIN_DEVICE_RESERVED_H

#include "core.h"

namespace twin {

constexpr uint32_t kReservedBytes = 8 * 1024;

/// The function writes the first `bytes` of the last 8 KB of UB for itself. What a kernel keeps there is gone: reading
/// it is "read-unwritten".
void OverwriteReserved(const char* api, uint32_t bytes, uint32_t reserved = kReservedBytes);

}  // namespace twin

#endif
