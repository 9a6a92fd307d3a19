// Device memory of a launch: where a candidate may write, and what shows that it wrote elsewhere.
#ifndef TWIN_RUNNER_DEVICE_MEMORY_H
#define TWIN_RUNNER_DEVICE_MEMORY_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/types.h"
#include "twin/launch.h"

namespace twin_host {

/// A piece of device memory: what the crash handler looks an address up in.
struct Allocation {
    std::string name;
    uint8_t* data;
    size_t bytes;
    bool readOnly;
};

/// Inaccessible memory behind each tensor: an address that far behind its end is still told as the tensor's.
constexpr size_t kGuardBytes = 1024 * 1024;

struct OutOfDeviceMemory : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What a child writes to memory of the parent's is seen by the parent, or by itself alone.
enum class Writes { kSeen, kOwn };

/// Memory of one tensor: pages of its own between inaccessible ones, its end as near to the upper ones as 32-byte
/// alignment allows. What the pages hold beside it is marked. Freed with the process.
/// @throws OutOfDeviceMemory
uint8_t* allocateGuarded(size_t bytes, Writes writes);

/// Makes every page of the allocation read-only.
void protectReadOnly(uint8_t* data, size_t bytes);

/// Fills with signalling NaNs of the type, or with 0xFE bytes for integers.
void poison(uint8_t* data, size_t bytes, ge::DataType dtype);

/// A mark beside a tensor that is no longer what it was; the rule is empty when all stand.
twin::Violation findOverrun(const std::vector<Allocation>& allocations);

}  // namespace twin_host

#endif
