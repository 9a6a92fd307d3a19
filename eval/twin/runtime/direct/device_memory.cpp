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
// Far from where Linux maps anything by itself.
constexpr uintptr_t kRemoteMemory = 0x100000000000;
// The smallest memory among the chips of Atlas A2 (Ascend910B4). That a machine has less says nothing of the model.
constexpr size_t kRemoteBytes = size_t{32} << 30;
uint32_t allocated = 0;
int opened = 0;

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/// Sizes of an allocation, with its number; false of more than there can be.
bool layOut(Allocation& one, size_t bytes, size_t behind) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t used = roundUp(roundUp(bytes, 32) + behind, kAlignment);
    one.bytes = bytes;
    one.pageBytes = roundUp(used, page);
    one.reservedBytes = roundUp(page + one.pageBytes + kGuardBytes, page);
    one.data = reinterpret_cast<uint8_t*>(page + one.pageBytes - used);
    one.pages = reinterpret_cast<uint8_t*>(page);
    one.number = ++allocated;
    return used >= bytes && one.reservedBytes > used;
}

void moveTo(Allocation& one, uint8_t* base) {
    one.reserved = base;
    one.pages = base + reinterpret_cast<uintptr_t>(one.pages);
    one.data = base + reinterpret_cast<uintptr_t>(one.data);
}

size_t allocatedBytes() {
    size_t sum = 0;
    for (const auto& [data, one] : allocations()) sum += one.pageBytes;
    return sum;
}

void protectAll(int access) {
    if (remote() != nullptr) return;
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

const Remote*& remote() {
    static const Remote* one = nullptr;
    return one;
}

const Allocation* allocateAt(uint8_t* base, size_t bytes, size_t behind) {
    Allocation one{};
    if (!layOut(one, bytes, behind)) return nullptr;
    const int sharing = hooks().launch != nullptr ? MAP_SHARED : MAP_PRIVATE;
    const int place = base != nullptr ? MAP_FIXED_NOREPLACE : 0;
    void* got = mmap(base, one.reservedBytes, PROT_NONE, sharing | MAP_ANONYMOUS | MAP_NORESERVE | place, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    moveTo(one, static_cast<uint8_t*>(got));
    if ((base != nullptr && got != base) || mprotect(one.pages, one.pageBytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(got, one.reservedBytes);
        return nullptr;
    }
    // Fresh device memory is not initialised (aclrtMalloc); all ones is NaN in every floating type.
    const char* fresh = std::getenv("TWIN_FRESH_MEMORY");
    std::memset(one.pages, fresh != nullptr && std::strcmp(fresh, "zero") == 0 ? 0 : 0xff, one.pageBytes);
    if (opened == 0) mprotect(one.pages, one.pageBytes, PROT_NONE);
    return &(allocations()[one.data] = one);
}

const Allocation* allocate(size_t bytes, size_t behind) {
    if (remote() == nullptr) return allocateAt(nullptr, bytes, behind);
    // No address is given twice, so that one that was freed is told from all others.
    static uintptr_t next = kRemoteMemory;
    Allocation one{};
    if (!layOut(one, bytes, behind) || one.reservedBytes > 2 * kRemoteMemory - next) return nullptr;
    if (one.pageBytes > kRemoteBytes - allocatedBytes()) return nullptr;
    moveTo(one, reinterpret_cast<uint8_t*>(next));
    next += one.reservedBytes;
    remote()->allocate(one.reserved, bytes, behind);
    return &(allocations()[one.data] = one);
}

void release(const uint8_t* data) {
    const auto found = allocations().find(data);
    if (remote() != nullptr) remote()->release(data);
    else munmap(found->second.reserved, found->second.reservedBytes);
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
