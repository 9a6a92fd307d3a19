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
inline __attribute__((always_inline)) uint8_t* Place(Core& c, const Local& t, uint64_t offset, uint32_t bytes,
                                                     bool write) {
    if (t.data == nullptr || t.buffer == 0 || t.buffer >= c.tpipe.buffers.size()) return nullptr;
    if (c.cube || c.memory.exposed != nullptr) return nullptr;
    const Buffer& buffer = c.tpipe.buffers[t.buffer];
    if (buffer.state == State::kFree || buffer.state == State::kEnqueued || buffer.overflows) return nullptr;
    const uint64_t at = static_cast<uint64_t>(t.data - c.memory.ub) + offset;
    if (at < buffer.begin || at + bytes > static_cast<uint64_t>(buffer.begin) + buffer.bytes) return nullptr;
    const uint64_t granule = at / kBlockBytes;
    if ((at + bytes - 1) / kBlockBytes != granule) return nullptr;
    Clock& known = c.order.known[PIPE_S];
    constexpr pipe_t kOthers[] = {PIPE_V, PIPE_MTE2, PIPE_MTE3};  // in the order of lastWrite
    for (int i = 0; i < 3; ++i) {
        uint32_t& seen = known[kOthers[i]];
        if (seen >= c.order.sequence[kOthers[i]]) continue;
        const uint32_t last = std::max(c.order.lastWrite[i][granule], write ? c.order.lastRead[i][granule] : 0);
        if (last <= seen) continue;
        seen = last;
        c.scalar.cache.heardOfMte3 = std::max(c.scalar.cache.heardOfMte3, c.order.known[kOthers[i]][PIPE_MTE3]);
        ++c.account.work.drains;
        if (c.steps.most != 0) ScalarWaits(c, kOthers[i], last);
    }
    c.memory.used[kUb] = std::max(c.memory.used[kUb], static_cast<uint32_t>(at + bytes));
    return c.memory.ub + at;
}

/// The argument that holds the bytes whole, aligned, when it is the one that was used last.
inline GmState* Known(LaunchState& l, const uint8_t* address, uint32_t bytes) {
    if (l.gm.empty()) return nullptr;
    GmState& last = l.gm[l.lastGm];
    const auto offset = static_cast<uint64_t>(address - last.arg->data);  // in front of it: beyond any size
    const bool inside = address != nullptr && offset < last.arg->bytes && bytes <= last.arg->bytes - offset;
    return inside && reinterpret_cast<uintptr_t>(address) % bytes == 0 ? &last : nullptr;
}

/// Whether anyone may write the tensor while the kernel runs; of all others the caches have what GM has.
inline bool Changes(const GmState& state) {
    return state.arg->role != Role::kInput && state.arg->role != Role::kTiling;
}

/// As Begin does it for the scalar unit.
inline __attribute__((always_inline)) Core& BeginScalar(const char* api) {
    Core& c = core();
    Count(c, api);
    ++c.order.sequence[PIPE_S];
    if (c.steps.most != 0) NextStep(c, api, PIPE_S);
    return c;
}

inline void StoreScalar(Core& c, uint8_t* to, const uint8_t* value, uint32_t bytes) {
    c.scalar.looks.clear();
    const GmPlace place = GmCheck(to, bytes, bytes, Access::kWrite, "the tensor");
    GmWrite(place, bytes, value, Way::kScalar);
    WriteThroughCache(c, place, value, bytes);
    std::memcpy(to, value, bytes);
}

__attribute__((noinline)) const void* ReadChecked(const Local& t, uint64_t offset, uint32_t bytes) {
    const uint32_t at = Touch(t, "the tensor", offset, bytes, PIPE_S, Access::kRead);
    RequireDefined(t, "the tensor", at, bytes);
    return core().memory.ub + at;
}

__attribute__((noinline)) void* WriteChecked(const Local& t, uint64_t offset, uint32_t bytes) {
    const uint32_t at = Touch(t, "the tensor", offset, bytes, PIPE_S, Access::kWrite);
    Define(at, bytes);
    return core().memory.ub + at;
}

}  // namespace

const void* ReadScalar(const Local& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("GetValue");
    const uint8_t* place = Place(c, t, offsetBytes, bytes, false);
    if (place != nullptr && AllWritten(c.memory.defined.data() + (place - c.memory.ub), bytes)) return place;
    return ReadChecked(t, offsetBytes, bytes);
}

void* WriteScalar(const Local& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("SetValue");
    uint8_t* place = Place(c, t, offsetBytes, bytes, true);
    if (place == nullptr) return WriteChecked(t, offsetBytes, bytes);
    c.tpipe.buffers[t.buffer].writer = c.account.api;
    uint8_t* flags = c.memory.defined.data() + (place - c.memory.ub);
    for (uint32_t i = 0; i < bytes; ++i) flags[i] = 1;
    return place;
}

const void* ReadScalar(const Global& t, uint64_t offsetBytes, uint32_t bytes) {
    Core& c = BeginScalar("GetValue");
    const uint8_t* address = t.data == nullptr ? nullptr : t.data + offsetBytes;
    GmState* state = Known(launch(), address, bytes);
    if (state != nullptr && state->written.empty() && c.matmul.inFlight.empty()) {
        c.account.readBytes += bytes;
        Look(*state, static_cast<uint64_t>(address - state->arg->data), bytes);
        if (Changes(*state)) ReadThroughCache(c, {state, static_cast<uint64_t>(address - state->arg->data)}, bytes);
        return address;
    }
    OrderAfterLook(address);
    const GmPlace place = GmCheck(address, bytes, bytes, Access::kRead, "the tensor");
    GmRead(place, bytes, Way::kScalar);
    if (Changes(*place.state)) ReadThroughCache(c, place, bytes);
    return address;
}

void WriteScalar(const Global& t, uint64_t offsetBytes, const void* value, uint32_t bytes) {
    Core& c = BeginScalar("SetValue");
    StoreScalar(c, t.data == nullptr ? nullptr : t.data + offsetBytes, static_cast<const uint8_t*>(value), bytes);
}

void* LendScalar(const Global& t, uint64_t offsetBytes, uint32_t bytes) {
    ReadScalar(t, offsetBytes, bytes);
    Lent& lent = core().scalar.cache.lent;
    lent.address = t.data + offsetBytes;
    lent.bytes = std::min<uint32_t>(bytes, sizeof lent.before);
    std::memcpy(lent.before, lent.address, lent.bytes);
    return lent.address;
}

void SettleLent(Core& c) {
    const Lent lent = c.scalar.cache.lent;
    c.scalar.cache.lent.bytes = 0;
    if (std::memcmp(lent.address, lent.before, lent.bytes) == 0) return;
    uint8_t now[sizeof lent.before];
    std::memcpy(now, lent.address, lent.bytes);
    std::memcpy(lent.address, lent.before, lent.bytes);  // the checks compare with what was there
    c.account.api = "operator()";
    StoreScalar(c, lent.address, now, lent.bytes);
}

const void* ReadPastCache(const Global& t, uint32_t bytes) {
    BeginScalar("ReadGmByPassDCache");
    LookAt(t.data, true);
    GmRead(GmCheck(t.data, bytes, bytes, Access::kRead, "addr"), bytes);
    return t.data;
}

void WritePastCache(const Global& t, const void* value, uint32_t bytes) {
    BeginScalar("WriteGmByPassDCache").scalar.looks.clear();
    const GmPlace place = GmCheck(t.data, bytes, bytes, Access::kWrite, "addr");
    GmWrite(place, bytes, static_cast<const uint8_t*>(value), Way::kPast);
    std::memcpy(t.data, value, bytes);
}

}  // namespace twin
