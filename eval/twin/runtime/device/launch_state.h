// State of a launch: its cores, and GM as they left it.
#ifndef TWIN_DEVICE_LAUNCH_STATE_H
#define TWIN_DEVICE_LAUNCH_STATE_H

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cache.h"
#include "twin/launch.h"
#include "work.h"

namespace twin {

struct Core;

/// Flags between cores, of one core: what it has set that no complete set was made of yet, by mode, and what has come
/// for it.
struct CrossFlags {
    uint32_t set[3][16] = {};
    uint32_t arrived[16] = {};
};

/// Bytes of a GM argument that some block wrote, since the last barrier or before it.
struct Written {
    uint64_t end;
    uint32_t block;
    uint32_t epoch;
    bool atomic;
};
struct Undefined {
    uint64_t end;
    uint32_t block;
    const char* api;
    std::string note;
    int64_t copied;  // the byte of a buffer that was copied here; -1 for values of another origin
};
struct GmState {
    const GmArg* arg;
    std::map<uint64_t, Written> written;
    std::map<uint64_t, Undefined> undefined;
    std::unordered_map<uint64_t, CacheLines> lines;  // by 16 KiB
    std::vector<uint64_t> seen;                      // of an input: a bit for each kSeenBytes that a core has read
};

constexpr uint64_t kSeenBytes = 4;

/// Notes that bytes of an input are read. Where all of them were before, nothing is written.
inline void Look(GmState& state, uint64_t offset, uint64_t bytes) {
    if (state.seen.empty() || bytes == 0) return;
    const uint64_t end = std::min((offset + bytes - 1) / kSeenBytes + 1, state.seen.size() * 64);
    for (uint64_t at = offset / kSeenBytes; at < end;) {
        const uint64_t bit = at % 64, count = std::min(64 - bit, end - at);
        state.seen[at / 64] |= (count == 64 ? ~0ull : (1ull << count) - 1) << bit;
        at += count;
    }
}

struct LaunchState {
    const LaunchSpec* spec = nullptr;
    Entry entry = nullptr;
    std::vector<uint8_t*> args;
    std::vector<GmState> gm;  // sorted by address
    size_t lastGm = 0;
    uint32_t epoch = 0;
    bool pairwiseSync = false;  // the kernel orders blocks by flags of its own, so who reads or overwrites what another
                                // wrote is not judged
    uint32_t cores = 0;         // vector and cube cores of all blocks
    std::vector<CrossFlags> crossFlags;    // by core; empty until the first is set
    std::map<uint64_t, uint32_t> signals;  // from block to block, by the address in GM that stands for them
    std::vector<std::unique_ptr<Core>> live;
    LaunchReport report;
    std::unordered_map<const char*, Tally> calls;
    ucontext_t scheduler;
    bool failed = false;
    Violation violation;
};

}  // namespace twin

#endif
