#include "device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace twin_host {
namespace {

/// No number that a kernel writes by habit: neither zero nor all ones, and another byte at every place of a word.
constexpr uint8_t kMark[] = {0xB5, 0x3C, 0x96, 0x6A, 0x5D, 0xC3, 0x79, 0xA1};

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
uint8_t markAt(const uint8_t* place) { return kMark[reinterpret_cast<uintptr_t>(place) % sizeof kMark]; }

struct Pages {
    uint8_t *begin, *end;
};
Pages pagesOf(uint8_t* data, size_t bytes) {
    const uintptr_t page = pageBytes();
    const uintptr_t begin = reinterpret_cast<uintptr_t>(data) / page * page;
    const uintptr_t end = roundUp(reinterpret_cast<uintptr_t>(data) + (bytes == 0 ? 1 : bytes), page);
    return {reinterpret_cast<uint8_t*>(begin), reinterpret_cast<uint8_t*>(end)};
}

const uint8_t* overrunIn(const uint8_t* from, const uint8_t* to) {
    for (const uint8_t* place = from; place < to; ++place)
        if (*place != markAt(place)) return place;
    return nullptr;
}

}  // namespace

uint8_t* allocateGuarded(size_t bytes, Writes writes) {
    const size_t page = pageBytes();
    const size_t used = roundUp(bytes == 0 ? 1 : bytes, 32);
    const size_t body = roundUp(used, page);
    void* base =
        mmap(nullptr, page + body + kGuardBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint8_t* begin = static_cast<uint8_t*>(base) + page;
    const int flags = (writes == Writes::kSeen ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    if (base == MAP_FAILED || mmap(begin, body, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) {
        throw OutOfDeviceMemory("out of memory: " + std::to_string(bytes) + " bytes of device memory");
    }
    uint8_t* data = begin + body - used;
    for (uint8_t* place = begin; place < data; ++place) *place = markAt(place);
    for (uint8_t* place = data + bytes; place < data + used; ++place) *place = markAt(place);
    return data;
}

void protectReadOnly(uint8_t* data, size_t bytes) {
    const Pages pages = pagesOf(data, bytes);
    mprotect(pages.begin, static_cast<size_t>(pages.end - pages.begin), PROT_READ);
}

void poison(uint8_t* data, size_t bytes, ge::DataType dtype) {
    // Exponent all ones, quiet bit clear, rest of the mantissa set apart: a NaN that no arithmetic produces.
    const auto fill = [&](const auto pattern) {
        for (size_t i = 0; i + sizeof(pattern) <= bytes; i += sizeof(pattern))
            std::memcpy(data + i, &pattern, sizeof(pattern));
    };
    switch (dtype) {
        case ge::DT_FLOAT16: return fill(uint16_t{0x7D55});
        case ge::DT_BF16: return fill(uint16_t{0x7FA5});
        case ge::DT_FLOAT:
        case ge::DT_COMPLEX64: return fill(uint32_t{0x7FA5A5A5});
        case ge::DT_DOUBLE: return fill(uint64_t{0x7FF5A5A5A5A5A5A5});
        default: std::memset(data, 0xFE, bytes);
    }
}

twin::Violation findOverrun(const std::vector<Allocation>& allocations) {
    for (const Allocation& allocation : allocations) {
        if (allocation.readOnly || allocation.data == nullptr) continue;
        const Pages pages = pagesOf(allocation.data, allocation.bytes);
        const uint8_t* before = overrunIn(pages.begin, allocation.data);
        const uint8_t* seen = before != nullptr ? before : overrunIn(allocation.data + allocation.bytes, pages.end);
        if (seen == nullptr) continue;
        const std::string offset = std::to_string(seen - allocation.data);
        return {"gm-out-of-range",
                -1,
                "",
                allocation.name,
                "byte " + offset + " of \"" + allocation.name + "\" was written through a pointer; it has " +
                    std::to_string(allocation.bytes) + " bytes",
                "check the index against the length of this block's share"};
    }
    return {};
}

}  // namespace twin_host
