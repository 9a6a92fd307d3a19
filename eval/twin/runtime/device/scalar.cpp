// What the scalar unit reads and writes, one value at a time. Kernels that compute with scalars do nothing else, so an
// access that no rule can say anything about takes a short way; all others go through the checks of every access.
#include <algorithm>
#include <cstring>

#include "core.h"

namespace twin {

namespace {

/// Whether each of 1 to 8 bytes was written by someone. Eight flags are read at a time: `defined` has as many to spare.
inline bool AllWritten(const uint8_t* flags, uint32_t bytes) {
    uint64_t word;
    std::memcpy(&word, flags, sizeof word);
    return (word ^ 0x0101010101010101ull) << (64 - 8 * bytes) == 0;
}

/// The place in UB when the tensor is the kernel's and the bytes lie inside it; else null, and the long way tells why.
/// The device's compiler lets the scalar unit wait for whoever works on the bytes, as CheckHazards does.
inline __attribute__((always_inline))
uint8_t* Place(Core& c, const Local& t, uint64_t offset, uint32_t bytes, bool write) {
    if (t.data == nullptr || t.buffer == 0 || t.buffer >= c.buffers.size()) return nullptr;
    if (c.cube || c.exposed != nullptr) return nullptr;
    const Buffer& buffer = c.buffers[t.buffer];
    if (buffer.state == State::kFree || buffer.state == State::kEnqueued || buffer.overflows) return nullptr;
    const uint64_t at = static_cast<uint64_t>(t.data - c.ub) + offset;
    if (at < buffer.begin || at + bytes > static_cast<uint64_t>(buffer.begin) + buffer.bytes) return nullptr;
    const uint64_t granule = at / kBlockBytes;
    if ((at + bytes - 1) / kBlockBytes != granule) return nullptr;
    Clock& known = c.known[PIPE_S];
    constexpr pipe_t kOthers[] = {PIPE_V, PIPE_MTE2, PIPE_MTE3};  // in the order of lastWrite
    for (int i = 0; i < 3; ++i) {
        uint32_t& seen = known[kOthers[i]];
        if (seen >= c.sequence[kOthers[i]]) continue;
        const uint32_t last = std::max(c.lastWrite[i][granule], write ? c.lastRead[i][granule] : 0);
        if (last <= seen) continue;
        seen = last;
        ++c.work.drains;
    }
    c.used[kUb] = std::max(c.used[kUb], static_cast<uint32_t>(at + bytes));
    return c.ub + at;
}

/// The argument that holds the bytes whole, aligned, when it is the one that was used last.
inline GmState* Known(LaunchState& l, const uint8_t* address, uint32_t bytes) {
    if (l.gm.empty()) return nullptr;
    GmState& last = l.gm[l.lastGm];
    const auto offset = static_cast<uint64_t>(address - last.arg->data);  // in front of it: beyond any size
    const bool inside = address != nullptr && offset < last.arg->bytes && bytes <= last.arg->bytes - offset;
    return inside && reinterpret_cast<uintptr_t>(address) % bytes == 0 ? &last : nullptr;
}

// Tensors start at multiples of a line, as aclrtMalloc gives them.
constexpr uint64_t kLineBytes = 64;

/// The scalar units write to GM through a data cache of each core, whole lines of 64 bytes at a time: of two cores that
/// change values in one line, one takes back what the other wrote (GlobalTensor SetValue, DataCacheCleanAndInvalid).
void ShareLine(Core& c, const GmPlace& place, const uint8_t* value, uint32_t bytes) {
    LaunchState& l = launch();
    constexpr uint64_t kLines = std::tuple_size_v<CacheLines>;
    const uint64_t number = place.offset / kLineBytes / kLines;
    auto& last = c.lastLines;
    if (last.state != place.state || last.number != number) {
        last = {place.state, number, place.state->lines[number].data()};
    }
    CacheLine* line = last.lines + place.offset / kLineBytes % kLines;
    if (line->used && line->core == c.index && line->epoch == l.epoch) return;
    if (line->used && line->epoch == l.epoch && !l.pairwiseSync) {
        // A flag that several cores set to the same value is the same whoever comes last.
        if (std::memcmp(place.state->arg->data + place.offset, value, bytes) == 0) return;
        Suspect("gm-cache-line", place.state->arg->name,
                Text("%s writes byte %llu of '%s', and %s has written in the same 64 bytes: each writes its whole "
                     "cache line, and the last one undoes the other's",
                     c.api, static_cast<unsigned long long>(place.offset), place.state->arg->name.c_str(),
                     CoreName(line->core).c_str()),
                "let blocks begin at multiples of 64 bytes, or copy results out of UB with DataCopyPad");
    }
    *line = {c.index, l.epoch, true};
}

/// As Begin does it for the scalar unit.
inline __attribute__((always_inline)) Core& BeginScalar(const char* api) {
    Core& c = core();
    Count(c, api);
    ++c.sequence[PIPE_S];
    return c;
}

__attribute__((noinline)) const void* ReadChecked(const Local& t, uint64_t offset, uint32_t bytes) {
    const uint32_t at = Touch(t, "the tensor", offset, bytes, PIPE_S, Access::kRead);
    RequireDefined(t, "the tensor", at, bytes);
    return core().ub + at;
}

__attribute__((noinline)) void* WriteChecked(const Local& t, uint64_t offset, uint32_t bytes) {
    const uint32_t at = Touch(t, "the tensor", offset, bytes, PIPE_S, Access::kWrite);
    Define(at, bytes);
    return core().ub + at;
}

}  // namespace

const void* ReadScalar(const Local& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("GetValue");
    const uint8_t* place = Place(c, t, offsetBytes, bytes, false);
    if (place != nullptr && AllWritten(c.defined.data() + (place - c.ub), bytes)) return place;
    return ReadChecked(t, offsetBytes, bytes);
}

void* WriteScalar(const Local& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("SetValue");
    uint8_t* place = Place(c, t, offsetBytes, bytes, true);
    if (place == nullptr) return WriteChecked(t, offsetBytes, bytes);
    c.buffers[t.buffer].writer = c.api;
    uint8_t* flags = c.defined.data() + (place - c.ub);
    for (uint32_t i = 0; i < bytes; ++i) flags[i] = 1;
    return place;
}

const void* ReadScalar(const Global& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("GetValue");
    const uint8_t* address = t.data == nullptr ? nullptr : t.data + offsetBytes;
    const GmState* state = Known(launch(), address, bytes);
    if (state != nullptr && state->written.empty() && c.inFlight.empty()) {
        c.readBytes += bytes;
        return address;
    }
    OrderAfterLook(address);
    GmRead(GmCheck(address, bytes, bytes, Access::kRead, "the tensor"), bytes);
    return address;
}

void WriteScalar(const Global& t, uint64_t offsetBytes, const void* value, uint32_t bytes) {
    Core& c = BeginScalar("SetValue");
    c.looks.clear();
    uint8_t* to = t.data == nullptr ? nullptr : t.data + offsetBytes;
    const GmPlace place = GmCheck(to, bytes, bytes, Access::kWrite, "the tensor");
    GmWrite(place, bytes, static_cast<const uint8_t*>(value), false);
    ShareLine(c, place, static_cast<const uint8_t*>(value), bytes);
    std::memcpy(to, value, bytes);
}

}  // namespace twin
