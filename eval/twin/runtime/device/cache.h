// The data cache of a core's scalar unit, as far as it differs from GM.
#ifndef TWIN_DEVICE_CACHE_H
#define TWIN_DEVICE_CACHE_H

#include <array>
#include <cstdint>
#include <vector>

#include "twin/runtime.h"

namespace twin {

struct Core;
struct GmState;
struct GmPlace;

// Tensors start at multiples of a line, as aclrtMalloc gives them.
constexpr uint64_t kLineBytes = 64;

/// Bits of `bytes` from the first on, as far as a line goes.
constexpr uint64_t BitsOf(uint64_t first, uint64_t bytes) {
    if (first >= kLineBytes) return 0;
    return (bytes >= kLineBytes ? ~0ull : (1ull << bytes) - 1) << first;
}
/// Bits of what other cores write in a line without a barrier between them and this one.
uint64_t WrittenByOthers(const GmPlace& line, uint64_t bytes);

/// A line in the cache of one core; each mask has a bit for every byte.
struct LineCopy {
    uint32_t core;
    bool ended = false;  // the core is at its end, where the compiler writes everything back
    uint64_t valid = 0;  // what the cache holds
    uint64_t dirty = 0;  // what a scalar changed and GM does not have yet
    uint64_t stale = 0;  // what GM has got since, or may have
};
/// A line of GM: the core whose scalar changed it last and since which barrier, and who holds it.
struct CacheLine {
    uint32_t core = 0;
    uint32_t epoch = 0;
    bool used = false;
    std::vector<LineCopy> copies;
};
using CacheLines = std::array<CacheLine, 256>;

/// A line that a core took into its cache.
struct HeldLine {
    GmState* state;
    uint64_t number;
    CacheLine* line;
};

/// What a pipe wrote into GM, by number of its instruction.
struct GmStore {
    const GmState* state;
    uint64_t begin, end;
    uint32_t sequence;
    pipe_t pipe;
};

/// A place in GM to which the kernel got a reference, and what was there: what is stored through it shows at the next
/// call.
struct Lent {
    uint8_t* address = nullptr;
    uint32_t bytes = 0;
    uint8_t before[16];
};
/// What a core keeps of its own cache.
struct ScalarCache {
    std::vector<HeldLine> held;
    std::vector<GmStore> stores;  // the last ones, in a ring
    size_t nextStore = 0;
    uint32_t heardOfMte3 = 0;  // how far MTE3 was when those waited for it for whom the scalar unit waited
    Lent lent;
};

/// A store through the reference is a scalar that was set.
void SettleLent(Core& c);

/// GetValue: of what the cache holds, or into the cache first. Violations: gm-cache-stale, gm-cache-dirty; pipe-hazard
/// on a cube core.
void ReadThroughCache(Core& c, const GmPlace& place, uint32_t bytes);
/// SetValue. Violations: gm-cache-line, pipe-hazard.
void WriteThroughCache(Core& c, const GmPlace& place, const uint8_t* value, uint32_t bytes);
/// Whoever goes past the caches reads what GM has. Violation: gm-cache-dirty.
void ReadPastCaches(const GmPlace& place, uint64_t bytes);
/// Whoever goes past the caches leaves their copies old. Violation: gm-cache-line.
void WritePastCaches(const GmPlace& place, uint64_t bytes);
/// A pipe has been told to write.
void NoteStore(Core& c, const GmPlace& place, uint64_t bytes, pipe_t pipe);
/// What the core changed is written back, and it holds nothing more. Violation: gm-cache-line.
void EndOfCache(Core& c);

}  // namespace twin

#endif
