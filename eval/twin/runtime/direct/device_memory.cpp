// Device memory of a program that launches its kernels itself.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "device.h"

namespace twin::direct {
namespace {

// aclrtMalloc gives memory at multiples of 64 bytes (hiascend.com, aclrtMalloc).
constexpr size_t kAlignment = 64;
// A kernel that goes on behind an allocation by an index of its own is caught for half a megabyte.
constexpr size_t kGuardBytes = 512 * 1024;
uint32_t allocated = 0;
int opened = 0;

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

void protectAll(int access) {
    for (const auto& [data, one] : allocations()) mprotect(one.pages, one.pageBytes, access);
}

}  // namespace

Hooks& hooks() {
    static Hooks all;
    return all;
}

Allocations& allocations() {
    static Allocations all;
    return all;
}

const Allocation* allocationOf(const void* address) {
    const auto* place = static_cast<const uint8_t*>(address);
    auto behind = allocations().upper_bound(place);
    if (behind == allocations().begin()) return nullptr;
    const Allocation& one = std::prev(behind)->second;
    return place < one.data + one.bytes ? &one : nullptr;
}

const Allocation* allocate(size_t bytes, size_t behind) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t used = roundUp(roundUp(bytes, 32) + behind, kAlignment);
    const size_t body = roundUp(used, page);
    const size_t whole = page + body + kGuardBytes;
    if (used < bytes || whole < used) return nullptr;
    const int sharing = hooks().launch != nullptr ? MAP_SHARED : MAP_PRIVATE;
    void* base = mmap(nullptr, whole, PROT_NONE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    auto* reserved = static_cast<uint8_t*>(base);
    uint8_t* pages = reserved + page;
    if (mprotect(pages, body, PROT_READ | PROT_WRITE) != 0) {
        munmap(base, whole);
        return nullptr;
    }
    uint8_t* data = pages + body - used;
    // Fresh device memory is not initialised (aclrtMalloc); all ones is NaN in every floating type.
    const char* fresh = std::getenv("TWIN_FRESH_MEMORY");
    std::memset(pages, fresh != nullptr && std::strcmp(fresh, "zero") == 0 ? 0 : 0xff, body);
    if (opened == 0) mprotect(pages, body, PROT_NONE);
    return &(allocations()[data] = {data, bytes, pages, body, reserved, whole, ++allocated});
}

void release(const uint8_t* data) {
    const auto found = allocations().find(data);
    munmap(found->second.reserved, found->second.reservedBytes);
    allocations().erase(found);
}

void releaseAll() {
    while (!allocations().empty()) release(allocations().begin()->first);
}

OpenMemory::OpenMemory() {
    if (opened++ == 0) protectAll(PROT_READ | PROT_WRITE);
}
OpenMemory::~OpenMemory() {
    if (--opened == 0) protectAll(PROT_NONE);
}

}  // namespace twin::direct
