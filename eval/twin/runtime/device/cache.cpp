// The data caches of the scalar units. GM is always as the last one to write a byte left it, so a cache is no memory
// here but a note of what it would hold otherwise: whoever would meet an old value on the device breaks a rule.
//
// asc-devkit, docs/zh, "缓存一致性": every core has a cache of its own in lines of 64 bytes; a scalar that is set
// stays there until DataCacheCleanAndInvalid, the line's replacement or the end of the operator, and copies go past it.
// When a line is replaced is the hardware's affair, so no kernel can count on it and none is excused by it.
#include "cache.h"

#include <algorithm>
#include <cstring>

#include "core.h"

namespace twin {

namespace {

constexpr uint64_t kLines = std::tuple_size_v<CacheLines>;
// A queue of instructions is short, so what lies further back has been done.
constexpr size_t kStores = 256;

CacheLine& LineAt(Core& c, const GmPlace& place) {
    const uint64_t number = place.offset / kLineBytes / kLines;
    auto& last = c.scalar.lastLines;
    if (last.state != place.state || last.number != number) {
        last = {place.state, number, place.state->lines[number].data()};
    }
    return last.lines[place.offset / kLineBytes % kLines];
}

LineCopy* CopyOf(CacheLine& line, const Core& c) {
    for (LineCopy& copy : line.copies)
        if (copy.core == c.index) return &copy;
    return nullptr;
}

/// Calls `each` with every line in the range that anyone has used, the first byte of the range in it and their bits.
template <typename F>
void EachLine(const GmPlace& place, uint64_t bytes, F&& each) {
    const uint64_t end = place.offset + bytes;
    for (uint64_t at = place.offset; at < end;) {
        const uint64_t page = at / kLineBytes / kLines, pageEnd = (page + 1) * kLines * kLineBytes;
        const auto found = place.state->lines.find(page);
        for (; at < std::min(end, pageEnd) && found != place.state->lines.end();) {
            const uint64_t next = std::min(end, (at / kLineBytes + 1) * kLineBytes);
            CacheLine& line = found->second[at / kLineBytes % kLines];
            if (line.used || !line.copies.empty()) each(line, at, BitsOf(at % kLineBytes, next - at));
            at = next;
        }
        at = std::max(at, std::min(end, pageEnd));
    }
}

std::string Bytes(const GmPlace& place, uint64_t bytes) {
    return Text("bytes %llu to %llu of '%s'", static_cast<unsigned long long>(place.offset),
                static_cast<unsigned long long>(place.offset + bytes), place.state->arg->name.c_str());
}

const char* const kCleanBefore = "call DataCacheCleanAndInvalid for the line after SetValue and before this";

void Dirty(const GmPlace& place, uint64_t bytes, uint32_t who) {
    Suspect("gm-cache-dirty", place.state->arg->name,
            Text("%s reads %s, and what %s has set there with SetValue is still in its data cache", core().account.api,
                 Bytes(place, bytes).c_str(), CoreName(who).c_str()),
            "call DataCacheCleanAndInvalid after SetValue, before anyone else reads what was set");
}

/// What is changed in a cache counts until it is written back. The end of a kernel does so too, but a core that reads
/// without looking again cannot have waited for it.
bool Withholds(const LineCopy& copy, uint64_t bits, bool looked) {
    return (copy.dirty & bits) != 0 && !(copy.ended && looked);
}

bool HasLooked(const GmPlace& place) { return HasLookedAt(place.state->arg->data + place.offset); }

/// What holds the address, if a tensor does: the device flushes and loads at any.
GmPlace PlaceOf(const uint8_t* address) {
    GmPlace place{nullptr, 0};
    for (GmState& state : launch().gm)
        if (address >= state.arg->data && address < state.arg->data + state.arg->bytes)
            place = {&state, static_cast<uint64_t>(address - state.arg->data)};
    return place;
}

bool Ordered(const Core& c, const GmStore& store) {
    const uint32_t heard = store.pipe == PIPE_MTE3 ? c.scalar.cache.heardOfMte3 : 0;
    return store.sequence <= std::max(c.order.known[PIPE_S][store.pipe], heard);
}

/// A line comes into the cache while a pipe may still be writing it. For GetValue the compiler of vector cores lets the
/// scalar unit wait; for SetValue, which carries no pipe in the vendor's header, and on cube cores it does not.
uint64_t Unfinished(Core& c, const GmPlace& line, uint64_t asked, bool set) {
    uint64_t bits = 0;
    for (const GmStore& store : c.scalar.cache.stores) {
        if (store.state != line.state || store.begin >= line.offset + kLineBytes || store.end <= line.offset) continue;
        if (Ordered(c, store)) continue;
        if (!set && !c.cube) {
            c.order.known[PIPE_S][store.pipe] = store.sequence;
            ++c.account.work.drains;
            if (c.steps.most != 0) ScalarWaits(c, store.pipe, store.sequence);
            continue;
        }
        const uint64_t from = std::max(store.begin, line.offset), to = std::min(store.end, line.offset + kLineBytes);
        const uint64_t written = BitsOf(from - line.offset, to - from);
        bits |= written;
        if (!set && (written & asked) == 0) continue;
        Suspect("pipe-hazard", line.state->arg->name,
                Text("%s takes %s into the data cache while %s still writes %s there: nothing orders the two, as the "
                     "compiler %s",
                     c.account.api, Bytes(line, kLineBytes).c_str(), PipeName(store.pipe),
                     Bytes({line.state, from}, to - from).c_str(),
                     set ? "does not wait for SetValue" : "orders nothing on a cube core"),
                Text("SetFlag and WaitFlag <HardEvent::%s_S> between copy and %s", PipeName(store.pipe) + 5,
                     c.account.api));
        return bits;
    }
    return bits;
}

/// Takes into the cache what it does not hold of the line.
LineCopy& Fill(Core& c, CacheLine& line, const GmPlace& place, uint64_t asked, bool set) {
    const uint64_t first = place.offset / kLineBytes * kLineBytes;
    uint64_t stale = Unfinished(c, {place.state, first}, asked, set);
    stale |= WrittenByOthers({place.state, first}, kLineBytes);
    for (const LineCopy& other : line.copies)
        if (other.core != c.index && Withholds(other, other.dirty, HasLooked(place))) stale |= other.dirty;
    LineCopy* own = CopyOf(line, c);
    if (own == nullptr) {
        line.copies.push_back({c.index});
        own = &line.copies.back();
        c.scalar.cache.held.push_back({place.state, first / kLineBytes, &line});
    }
    own->stale |= stale & ~own->valid;
    own->valid = ~0ull;
    return *own;
}

LineCopy& Held(Core& c, CacheLine& line, const GmPlace& place, uint64_t bits, bool set) {
    LineCopy* own = CopyOf(line, c);
    return own != nullptr && (own->valid & bits) == bits ? *own : Fill(c, line, place, bits, set);
}

/// Of two cores that change values in one line, one takes back what the other wrote (GlobalTensor SetValue,
/// DataCacheCleanAndInvalid).
void ShareLine(Core& c, const CacheLine& line, const GmPlace& place, const uint8_t* value, uint32_t bytes) {
    const LaunchState& l = launch();
    const auto theirs = std::find_if(line.copies.begin(), line.copies.end(),
                                     [&](const LineCopy& copy) { return copy.core != c.index && copy.dirty != 0; });
    const bool changed = theirs != line.copies.end();
    const bool unordered = line.used && line.core != c.index && line.epoch == l.epoch && !l.pairwiseSync;
    if (!changed && !unordered) return;
    // A flag that several cores set to the same value is the same whoever comes last.
    if (std::memcmp(place.state->arg->data + place.offset, value, bytes) == 0) return;
    Suspect("gm-cache-line", place.state->arg->name,
            Text("%s writes byte %llu of '%s', and %s has written in the same 64 bytes: each writes its whole "
                 "cache line, and the last one undoes the other's",
                 c.account.api, static_cast<unsigned long long>(place.offset), place.state->arg->name.c_str(),
                 CoreName(changed ? theirs->core : line.core).c_str()),
            "let blocks begin at multiples of 64 bytes, or copy results out of UB with DataCopyPad; one behind the "
            "other needs DataCacheCleanAndInvalid before SyncAll");
}

/// Writes the bits back, whole, so that what came into GM since the line was taken is gone; holds them no more.
void Clean(Core& c, const HeldLine& held, uint64_t bits) {
    LineCopy* own = CopyOf(*held.line, c);
    if (own == nullptr) return;
    const uint64_t changed = own->dirty & bits, lost = own->stale & bits;
    if (changed != 0 && lost != 0) {
        const auto byte = held.number * kLineBytes + static_cast<uint64_t>(__builtin_ctzll(lost));
        Suspect("gm-cache-line", held.state->arg->name,
                Text("SetValue has changed the 64 bytes at %llu of '%s' in a copy older than what was written at byte "
                     "%llu: the line is written back whole and undoes it",
                     static_cast<unsigned long long>(held.number * kLineBytes), held.state->arg->name.c_str(),
                     static_cast<unsigned long long>(byte)),
                "call DataCacheCleanAndInvalid for the line before SetValue, behind a barrier when another block "
                "writes there");
    }
    own->valid &= ~bits;
    own->dirty &= ~bits;
    own->stale &= ~bits;
    if (own->valid == 0) held.line->copies.erase(held.line->copies.begin() + (own - held.line->copies.data()));
}

}  // namespace

void ReadThroughCache(Core& c, const GmPlace& place, uint32_t bytes) {
    CacheLine& line = LineAt(c, place);
    const uint64_t bits = BitsOf(place.offset % kLineBytes, bytes);
    LineCopy& own = Held(c, line, place, bits, false);
    if ((own.stale & bits) == 0) return;
    own.stale &= ~bits;
    for (const LineCopy& other : line.copies)
        if (other.core != c.index && (other.dirty & bits) != 0) return Dirty(place, bytes, other.core);
    Suspect("gm-cache-stale", place.state->arg->name,
            Text("%s reads %s out of its data cache, which has the line from before they were written", c.account.api,
                 Bytes(place, bytes).c_str()),
            "call DataCacheCleanAndInvalid for the line before GetValue");
}

void WriteThroughCache(Core& c, const GmPlace& place, const uint8_t* value, uint32_t bytes) {
    CacheLine& line = LineAt(c, place);
    const uint64_t bits = BitsOf(place.offset % kLineBytes, bytes);
    LineCopy& own = Held(c, line, place, bits, true);
    own.stale &= ~bits;
    own.dirty |= bits;
    if (line.copies.size() > 1 || line.core != c.index) ShareLine(c, line, place, value, bytes);
    for (LineCopy& other : line.copies)
        if (other.core != c.index) other.stale |= bits & other.valid;
    line.core = c.index;
    line.epoch = launch().epoch;
    line.used = true;
}

void ReadPastCaches(const GmPlace& place, uint64_t bytes) {
    EachLine(place, bytes, [&](const CacheLine& line, uint64_t at, uint64_t bits) {
        for (const LineCopy& copy : line.copies)
            if (Withholds(copy, bits, HasLooked({place.state, at}))) return Dirty(place, bytes, copy.core);
    });
}

void WritePastCaches(const GmPlace& place, uint64_t bytes) {
    const LaunchState& l = launch();
    const Core& c = core();
    EachLine(place, bytes, [&](CacheLine& line, uint64_t at, uint64_t bits) {
        bool changed = line.used && line.core != c.index && line.epoch == l.epoch && !l.pairwiseSync;
        uint32_t who = line.core;
        for (LineCopy& copy : line.copies) {
            copy.stale |= bits & copy.valid;
            if (copy.dirty == 0) continue;
            changed = true;
            who = copy.core;
        }
        if (!changed) return;
        Suspect("gm-cache-line", place.state->arg->name,
                Text("%s writes %s, and %s has changed the 64 bytes around byte %llu with SetValue: its data cache "
                     "writes the line back whole, over what comes now",
                     c.account.api, Bytes(place, bytes).c_str(), CoreName(who).c_str(),
                     static_cast<unsigned long long>(at)),
                who == c.index ? kCleanBefore
                               : "let blocks write in different 64 bytes, or one behind the other with "
                                 "DataCacheCleanAndInvalid and SyncAll between");
    });
}

void NoteStore(Core& c, const GmPlace& place, uint64_t bytes, pipe_t pipe) {
    if (bytes == 0) return;
    const GmStore store{place.state, place.offset, place.offset + bytes, c.order.sequence[pipe], pipe};
    if (c.scalar.cache.stores.size() < kStores) {
        c.scalar.cache.stores.push_back(store);
        return;
    }
    c.scalar.cache.stores[c.scalar.cache.nextStore] = store;
    c.scalar.cache.nextStore = (c.scalar.cache.nextStore + 1) % kStores;
}

void PreloadCache(const Global& tensor, uint64_t offsetBytes) {
    Note("DataCachePreload");
    const GmPlace place = PlaceOf(tensor.data + offsetBytes);
    if (place.state == nullptr) return;
    Held(core(), LineAt(core(), place), place, ~0ull, false);
}

void CleanCache(const Global& tensor, bool everywhere, AscendC::DcciDst destination) {
    Note("DataCacheCleanAndInvalid");
    if (destination == AscendC::DcciDst::CACHELINE_UB) return;
    if (destination == AscendC::DcciDst::CACHELINE_ATOMIC) {
        Suspect("unsupported-api", "", "DcciDst::CACHELINE_ATOMIC is for other devices; Atlas A2 does not have it yet",
                "use DcciDst::CACHELINE_OUT");
    }
    Core& c = core();
    if (everywhere) {
        for (const HeldLine& held : c.scalar.cache.held) Clean(c, held, ~0ull);
        c.scalar.cache.held.clear();
    } else if (const GmPlace place = PlaceOf(tensor.data); place.state != nullptr && !c.scalar.cache.held.empty()) {
        const uint64_t number = place.offset / kLineBytes;
        Clean(c, {place.state, number, &LineAt(c, place)}, ~0ull << place.offset % kLineBytes);
    }
    LookAt(tensor.data, false);
}

void EndOfCache(Core& c) {
    for (const HeldLine& held : c.scalar.cache.held) {
        LineCopy* own = CopyOf(*held.line, c);
        if (own == nullptr || own->ended) continue;
        const LineCopy before = *own;
        Clean(c, held, ~0ull);
        if (before.dirty == 0) continue;
        held.line->copies.push_back(before);
        held.line->copies.back().ended = true;
        held.line->copies.back().stale = 0;
    }
    c.scalar.cache.held.clear();
}

}  // namespace twin
