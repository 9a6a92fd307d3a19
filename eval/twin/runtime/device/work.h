// What a cost model asks of a core, beside bytes and how many instructions each pipe got.
#ifndef TWIN_DEVICE_WORK_H
#define TWIN_DEVICE_WORK_H

#include <array>
#include <cstdint>

#include "twin/runtime.h"

namespace twin {

constexpr uint32_t kRepeatBytes = 256;
constexpr int kPipes = 11;  // values of pipe_t up to PIPE_FIX

/// Calls of an API, and the 256-byte repeats that they came to on the vector unit.
struct Tally {
    uint64_t calls = 0, repeats = 0;
};

struct Work {
    std::array<uint64_t, kPipes> pieces{};  // contiguous stretches that the instructions of a pipe work on
    uint64_t repeats = 0, waits = 0, drains = 0, tiles = 0, drained = 0, synced = 0;
    uint64_t meetings = 0;  // SyncAll
    /// The vector instruction whose operands are being touched: bytes of each, and the repeats that its mask form
    /// names.
    struct {
        const char* name;
        bool written;
        uint64_t bytes;
    } operands[4] = {};
    uint64_t named = 0;
    Tally* tally = nullptr;  // of its API; null between instructions
};

/// Of an operand that comes in pieces the bytes add up, read and written apart; of more than four operands the last
/// ones share a place.
void CountPiece(Work& w, const char* operand, bool written, uint64_t bytes, pipe_t pipe);
/// Adds up the repeats of the vector instruction that was touching operands. What is touched from here on until the
/// next one begins belongs to none.
void EndVector(Work& w);

}  // namespace twin

#endif
