// The end of UB that some functions take for themselves.
#ifndef TWIN_DEVICE_RESERVED_H
#define TWIN_DEVICE_RESERVED_H

#include "core.h"

namespace twin {

constexpr uint32_t kReservedBytes = 8 * 1024;

/// The function takes the last `reserved` bytes of UB for itself and writes the first `bytes` of them. Violation:
/// ub-overflow, where a buffer reaches into them. Without one, reading what was there is "read-unwritten".
void OverwriteReserved(const char* api, uint32_t bytes, uint32_t reserved = kReservedBytes);

}  // namespace twin

#endif
