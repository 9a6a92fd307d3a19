// What the host runtime of a program that launches its kernels itself keeps: whether there is a device, its memory, and
// the last error. One program, one thread, one device.
#ifndef TWIN_DIRECT_DEVICE_H
#define TWIN_DIRECT_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "twin/launch.h"

namespace twin::direct {

/// Device memory between pages without access. `bytes` is what the program asked for.
struct Allocation {
    uint8_t* data;
    size_t bytes;
    uint8_t* pages;  // where access begins
    size_t pageBytes;
    uint8_t* reserved;
    size_t reservedBytes;
    uint32_t number;  // of all that the program asked for, from 1
};

/// By address.
using Allocations = std::map<const uint8_t*, Allocation>;
Allocations& allocations();
/// The allocation that has this address; null when none does.
const Allocation* allocationOf(const void* address);
/// Null when the system has no memory left.
const Allocation* allocate(size_t bytes, size_t behind);
/// As `allocate` of another process laid it out from `base` on; null where that is no room of this process.
const Allocation* allocateAt(uint8_t* base, size_t bytes, size_t behind);
void release(const uint8_t* data);
void releaseAll();

/// While one lives, device memory can be read and written; kernels and the copies of the host runtime need it.
class OpenMemory {
public:
    OpenMemory();
    ~OpenMemory();
    OpenMemory(const OpenMemory&) = delete;
    OpenMemory& operator=(const OpenMemory&) = delete;
};

/// What a process that goes on after its launches has done otherwise than a program; null where it is done as there.
struct Hooks {
    /// In place of a launch at once in this process; device memory is then shared with processes that are started.
    void (*launch)(const LaunchSpec& spec, Entry entry) = nullptr;
    /// Before the process ends for a broken rule.
    void (*broken)(const Violation& violation) = nullptr;
};
Hooks& hooks();

struct Request;

/// A device that another process has. It is told in order what is asked of it and gives nothing back: its memory has
/// addresses here, and no bytes.
struct Remote {
    void (*allocate)(const uint8_t* base, size_t bytes, size_t behind);
    void (*release)(const uint8_t* data);
    void (*write)(const void* dst, const void* host, size_t bytes);
    void (*move)(const void* dst, const void* src, size_t bytes);
    void (*set)(const void* dst, int32_t value, size_t bytes);
    void (*launch)(const Request& request);
    /// A copy from the device to the host, which is not made.
    void (*read)(const char* api);
};
/// Null where the device is this process's own.
const Remote*& remote();
/// What runs the kernel of a launch, by the launch's name; null where none of that name was loaded.
void (*bodyAt(const std::string& site))(const void* arguments);

bool hasDevice();
bool isStream(const void* stream);

/// Remembers a failed call for aclGetRecentErrMsg and says it on standard error. @returns `code`
int failed(int code, const char* api, const std::string& what);

/// Ends the program: the text on standard error, and the violation as JSON in the file that TWIN_VIOLATION names.
[[noreturn]] void endWith(const Violation& violation);
/// Turns accesses to memory that is closed or not there into violations.
void catchFaults();

}  // namespace twin::direct

#endif
