// Checks on global memory: bounds, roles, and what different blocks write and read between two barriers.
#include <algorithm>
#include <cstring>

#include "core.h"

namespace twin {

namespace {

GmState* Find(const uint8_t* address) {
    LaunchState& l = launch();
    if (l.gm.empty()) return nullptr;
    GmState& last = l.gm[l.lastGm];
    if (address >= last.arg->data && address < last.arg->data + last.arg->bytes) return &last;
    size_t best = l.gm.size();
    for (size_t i = 0; i < l.gm.size(); ++i)
        if (l.gm[i].arg->data <= address && l.gm[i].arg->data != nullptr) best = i;
    if (best == l.gm.size()) return nullptr;
    l.lastGm = best;
    return &l.gm[best];
}

/// Device memory of a tensor: aclrtMalloc rounds its size up to 32 bytes and adds 32, and torch_npu's allocator gives
/// no less (hiascend.com, aclrtMalloc; torch_npu, NPUCachingAllocator round_size). Tiling data is the launcher's own.
uint64_t AllocatedBytes(const GmArg& arg) {
    if (arg.role == Role::kTiling || arg.bytes == 0) return arg.bytes;
    return (arg.bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes + kBlockBytes;
}

/// First interval that ends behind `begin`.
template <typename M>
typename M::iterator FirstBehind(M& map, uint64_t begin) {
    auto it = map.upper_bound(begin);
    if (it != map.begin()) {
        auto before = std::prev(it);
        if (before->second.end > begin) return before;
    }
    return it;
}

/// Takes [begin, end) out of the intervals, splitting those at the edges.
template <typename M>
void Cut(M& map, uint64_t begin, uint64_t end) {
    auto it = FirstBehind(map, begin);
    while (it != map.end() && it->first < end) {
        const uint64_t from = it->first;
        auto value = it->second;
        it = map.erase(it);
        if (from < begin) {
            auto left = value;
            left.end = begin;
            map.emplace(from, left);
        }
        if (value.end > end) {
            it = map.emplace(end, value).first;
            break;
        }
    }
}

void Insert(std::map<uint64_t, Written>& map, uint64_t begin, Written w) {
    auto next = map.lower_bound(begin);
    if (next != map.end() && next->first == w.end && next->second.block == w.block && next->second.epoch == w.epoch &&
        next->second.atomic == w.atomic) {
        w.end = next->second.end;
        next = map.erase(next);
    }
    if (next != map.begin()) {
        auto& before = *std::prev(next);
        if (before.second.end == begin && before.second.block == w.block && before.second.epoch == w.epoch &&
            before.second.atomic == w.atomic) {
            before.second.end = w.end;
            return;
        }
    }
    map.emplace_hint(next, begin, w);
}

/// torch_npu takes device memory in pieces of 2 MiB, so a copy that runs on behind an allocation usually meets mapped
/// memory.
constexpr uint64_t kMappedBehind = 512 * 1024;

void OutOfRange(const GmArg& arg, uint64_t offset, uint64_t bytes, Access access, const char* operand) {
    // So far behind the tensor that lies next before it, an address says nothing of which one was meant.
    if (offset > AllocatedBytes(arg) + 2 * kMappedBehind)
        Broken("gm-out-of-range", "", Text("%s of %s lies outside of every tensor", operand, core().account.api),
               "an unsigned index that falls below 0 becomes a very large one");
    const bool goesOn =
        (access == Access::kFetch || access == Access::kStore) && offset + bytes <= AllocatedBytes(arg) + kMappedBehind;
    (goesOn ? Suspect : Broken)(
        "gm-out-of-range", arg.name,
        {"gm-out-of-range",
         std::string("{operand} of {api} covers bytes {from} to {to} of '{tensor}', which has {has}") +
             (access == Access::kFetch ? "; its allocation ends at {end}" : ""),
         {operand, core().account.api, offset, offset + bytes, arg.name, arg.bytes, AllocatedBytes(arg)}},
        "the last tile of the last block is shorter: copy what is left, with DataCopyPad when that is no multiple of "
        "32 bytes");
}

}  // namespace

uint64_t GmPlace::present(uint64_t bytes) const {
    const uint64_t size = state->arg->bytes;
    return std::min(bytes, size - std::min(size, offset));
}

GmPlace GmCheck(const uint8_t* address, uint64_t bytes, uint32_t elementBytes, Access access, const char* operand) {
    const char* api = core().account.api;
    if (address == nullptr) {
        Broken("null-tensor", "", Text("%s of %s has no address", operand, api), "call SetGlobalBuffer first");
    }
    GmState* state = Find(address);
    if (state == nullptr) {
        Broken("gm-out-of-range", "", Text("%s of %s is no address of any argument", operand, api),
               "derive every GM address from the kernel's arguments");
    }
    const GmArg& arg = *state->arg;
    const auto offset = static_cast<uint64_t>(address - arg.data);
    if (offset + bytes > (access == Access::kFetch ? AllocatedBytes(arg) : arg.bytes))
        OutOfRange(arg, offset, bytes, access, operand);
    if (elementBytes > 1 && reinterpret_cast<uintptr_t>(address) % elementBytes != 0) {
        Broken("unaligned-gm", arg.name,
               {"unaligned-gm",
                "{operand} of {api} starts at byte {byte} of '{tensor}', no multiple of the element size {size}",
                {operand, api, offset, arg.name, elementBytes}},
               "compute offsets in elements");
    }
    if ((access == Access::kWrite || access == Access::kStore) &&
        (arg.role == Role::kInput || arg.role == Role::kTiling)) {
        Broken("write-to-input", arg.name,
               {"write-to-input",
                "{api} writes bytes {from} to {to} of '{tensor}', which is an input",
                {api, offset, offset + bytes, arg.name}},
               "write to the output argument; check the order of the kernel's parameters");
    }
    return {state, offset};
}

void GmRead(const GmPlace& place, uint64_t bytes, Way way) {
    Core& c = core();
    LaunchState& l = launch();
    c.account.readBytes += bytes;
    Look(*place.state, place.offset, bytes);
    if (!c.matmul.inFlight.empty() && !c.matmul.calculating)
        CheckInFlight(place.state->arg->data + place.offset, bytes, Access::kRead);
    if (way != Way::kScalar && !place.state->lines.empty()) ReadPastCaches(place, bytes);
    auto& written = place.state->written;
    if (written.empty() || l.pairwiseSync || bytes == 0) return;
    const uint64_t end = place.offset + bytes;
    for (auto it = FirstBehind(written, place.offset); it != written.end() && it->first < end; ++it) {
        if (it->second.block == c.index || it->second.epoch != l.epoch) continue;
        Suspect("gm-race", place.state->arg->name,
                Text("%s reads bytes %llu to %llu of '%s', which block %u writes without a barrier between",
                     c.account.api, static_cast<unsigned long long>(place.offset), static_cast<unsigned long long>(end),
                     place.state->arg->name.c_str(), it->second.block),
                "call SyncAll between the write and the read, or let each block read what it wrote");
    }
}

namespace {

void NoteWritten(const GmPlace& place, uint64_t bytes, const uint8_t* source, bool atomic) {
    Core& c = core();
    LaunchState& l = launch();
    c.account.writtenBytes += bytes;
    if (!c.matmul.inFlight.empty() && !c.matmul.calculating)
        CheckInFlight(place.state->arg->data + place.offset, bytes, Access::kWrite);
    const uint64_t begin = place.offset, end = begin + bytes;
    auto& written = place.state->written;
    const auto own = [&](const Written& w) { return w.block == c.index && w.epoch == l.epoch && w.atomic == atomic; };
    auto first = FirstBehind(written, begin);
    // Scalar results add up in the same place.
    if (first != written.end() && first->first <= begin && first->second.end >= end && own(first->second)) {
        if (!place.state->undefined.empty()) Cut(place.state->undefined, begin, end);
        return;
    }
    bool cut = false;
    for (auto it = first; it != written.end() && it->first < end; ++it) {
        cut = true;
        const Written& w = it->second;
        if (w.block == c.index || w.epoch != l.epoch || (w.atomic && atomic) || l.pairwiseSync) continue;
        const uint64_t from = std::max(begin, it->first), to = std::min(end, w.end);
        // Tiles shifted back over a neighbour's end write the same values twice, which the device does not mind.
        if (!atomic && !w.atomic && source != nullptr &&
            std::memcmp(place.state->arg->data + from, source + (from - begin), to - from) == 0)
            continue;
        Suspect("gm-overlap", place.state->arg->name,
                {"gm-overlap",
                 "{api} writes bytes {from} to {to} of '{tensor}', which block {block} has written with other values",
                 {c.account.api, from, to, place.state->arg->name, w.block}},
                "give each block a range of its own, use SetAtomicAdd to add up, or SyncAll between the writes");
    }
    if (cut) Cut(written, begin, end);
    Insert(written, begin, {end, c.index, l.epoch, atomic});
    if (!place.state->undefined.empty()) Cut(place.state->undefined, begin, end);
}

}  // namespace

void GmWrite(const GmPlace& place, uint64_t bytes, const uint8_t* source, Way way) {
    if (bytes == 0) return;
    NoteWritten(place, bytes, source, way == Way::kAtomic);
    if (way != Way::kScalar && !place.state->lines.empty()) WritePastCaches(place, bytes);
}

uint64_t WrittenByOthers(const GmPlace& place, uint64_t bytes) {
    const LaunchState& l = launch();
    auto& written = place.state->written;
    uint64_t bits = 0;
    if (written.empty() || l.pairwiseSync) return bits;
    const uint64_t end = place.offset + bytes;
    for (auto it = FirstBehind(written, place.offset); it != written.end() && it->first < end; ++it) {
        if (it->second.block == core().index || it->second.epoch != l.epoch) continue;
        const uint64_t from = std::max(it->first, place.offset), to = std::min(it->second.end, end);
        bits |= BitsOf(from - place.offset, to - from);
    }
    return bits;
}

void GmUndefined(const GmPlace& place, uint64_t bytes, const std::string& note, int64_t copied) {
    const Role role = place.state->arg->role;
    if (role != Role::kOutput && role != Role::kInOut) return;
    place.state->undefined.emplace(place.offset,
                                   Undefined{place.offset + bytes, core().index, core().account.api, note, copied});
}

void EndOfLaunch(LaunchState& l) {
    for (const GmState& state : l.gm) {
        if (state.undefined.empty()) continue;
        const auto& [begin, what] = *state.undefined.begin();
        Violation v = ViolationOf("read-unwritten", state.arg->name,
                                  {"unwritten-output",
                                   "bytes {from} to {to} of '{tensor}' hold values that nothing computed: {note}",
                                   {begin, what.end, state.arg->name, what.note}},
                                  "write the tensor before it is read or copied out, and copy out no more than was "
                                  "computed");
        v.block = static_cast<int>(what.block);
        v.api = what.api;
        if (what.copied >= 0) v.seen.values.emplace_back("copied", std::to_string(what.copied));
        if (!l.spec->tolerant) Fail(std::move(v));
        if (l.report.tolerated.rule.empty()) l.report.tolerated = std::move(v);
    }
}

void CopyTiling(void* to, const uint8_t* from, size_t bytes) { std::memcpy(to, TilingPointer(from, bytes), bytes); }

const uint8_t* TilingPointer(const uint8_t* from, size_t bytes) {
    Note("GET_TILING_DATA");
    const GmState* state = from != nullptr ? Find(from) : nullptr;
    const uint64_t offset = state != nullptr ? static_cast<uint64_t>(from - state->arg->data) : 0;
    if (state == nullptr || offset + bytes > state->arg->bytes) {
        Broken("tiling-size", "tiling",
               Text("the kernel reads %zu bytes of tiling data, the host wrote %llu", bytes,
                    static_cast<unsigned long long>(
                        state != nullptr ? state->arg->bytes - std::min<uint64_t>(offset, state->arg->bytes) : 0)),
               "use the same structure on both sides, and pass the kernel's tiling argument");
    }
    return from;
}

}  // namespace twin
