// Counts what instructions work on, as their operands are checked.
#include "work.h"

#include <algorithm>

namespace twin {

void CountPiece(Work& w, const char* operand, uint64_t bytes, pipe_t pipe) {
    ++w.pieces[pipe];
    if (pipe != PIPE_V) return;
    int i = 0;
    while (i < 3 && w.operands[i].name != nullptr && w.operands[i].name != operand) ++i;
    w.operands[i].name = operand;
    w.operands[i].bytes += bytes;
}

void EndVector(Work& w) {
    if (w.tally != nullptr) {
        uint64_t widest = 0;
        for (const auto& operand : w.operands) widest = std::max(widest, operand.bytes);
        const uint64_t repeats = std::max(w.named, (widest + kRepeatBytes - 1) / kRepeatBytes);
        w.repeats += repeats;
        w.tally->repeats += repeats;
    }
    for (auto& operand : w.operands) operand = {};
    w.named = 0;
    w.tally = nullptr;
}

}  // namespace twin
