// Counts what instructions work on, as their operands are checked.
#include "work.h"

#include <algorithm>

#include "core.h"

namespace twin {

void CountPiece(Work& w, const char* operand, bool written, uint64_t bytes, pipe_t pipe) {
    ++w.pieces[pipe];
    if (pipe != PIPE_V) return;
    int i = 0;
    const auto isOther = [&](const auto& known) { return known.name != operand || known.written != written; };
    while (i < 3 && w.operands[i].name != nullptr && isOther(w.operands[i])) ++i;
    w.operands[i].name = operand;
    w.operands[i].written = written;
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

void AtLine(uint32_t place) { core().steps.place = place; }

void CloseStep(Core& c) {
    Steps& s = c.steps;
    if (s.ended) return;
    const Work& work = c.account.work;
    const Step now = {"",
                      0,
                      0,
                      0,
                      c.account.readBytes,
                      c.account.writtenBytes,
                      work.pieces[PIPE_MTE2],
                      work.pieces[PIPE_MTE3],
                      work.repeats};
    if (!s.told.empty()) {
        Step& last = s.told.back();
        last.readBytes += now.readBytes - s.seen.readBytes;
        last.writtenBytes += now.writtenBytes - s.seen.writtenBytes;
        last.burstsIn += now.burstsIn - s.seen.burstsIn;
        last.burstsOut += now.burstsOut - s.seen.burstsOut;
    }
    // A vector instruction's repeats are known when the next one begins.
    if (s.lastVector != SIZE_MAX) s.told[s.lastVector].repeats += now.repeats - s.seen.repeats;
    s.seen = now;
}

void NextStep(Core& c, const char* api, pipe_t pipe) {
    Steps& s = c.steps;
    CloseStep(c);
    s.ended = s.told.size() >= s.most;
    if (s.ended) return;
    Step step = {api, pipe, c.order.sequence[pipe], s.place};
    for (int q = 0; q < kPipes; ++q) {
        const uint32_t number = c.order.known[pipe][q];
        if (q == pipe || number <= s.waited[pipe][q]) continue;
        s.waited[pipe][q] = number;
        step.waits.push_back(s.causes[pipe][q]);
        step.waits.back().pipe = q;
        step.waits.back().number = number;
    }
    if (pipe == PIPE_V) s.lastVector = s.told.size();
    s.told.push_back(std::move(step));
}

void ScalarWaits(Core& c, pipe_t other, uint32_t number) {
    Steps& s = c.steps;
    const Wait wait = {other, number, c.account.api, "", s.place};
    s.causes[PIPE_S][other] = wait;
    if (s.told.empty() || s.told.back().pipe != PIPE_S || s.ended) return;
    s.waited[PIPE_S][other] = number;
    s.told.back().waits.push_back(wait);
}

}  // namespace twin
