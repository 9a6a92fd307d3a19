// Stores through an address of UB (GetPhyAddr) are the scalar unit's, and the device's compiler orders those before
// other pipes only when they go through a tensor: GetValue, SetValue and operator() (synchronisation within a core, key
// features: constraints of cce-auto-sync). The twin does not see such a store, but what it changed: it keeps a copy of
// the bytes as instructions left them. A store of the value that is there already shows in nothing, nor does one
// between an instruction and the next call when the instruction wrote the same bytes.
#include "exposed.h"

#include <algorithm>
#include <cstring>

namespace twin {

void WatchExposed(Core& c, uint32_t begin, uint32_t end) {
    if (launch().spec->cores != Cores::kVector || begin >= end) return;
    if (c.memory.exposed == nullptr) c.memory.exposed = std::make_unique<Exposed>();
    Exposed& x = *c.memory.exposed;
    for (uint32_t g = begin / kBlockBytes; g < (end + kBlockBytes - 1) / kBlockBytes; ++g) {
        if (x.watched[g]) continue;
        x.watched[g] = true;
        std::memcpy(x.copy.data() + g * kBlockBytes, c.memory.ub + g * kBlockBytes, kBlockBytes);
    }
    x.begin = std::min(x.begin, begin / kBlockBytes * kBlockBytes);
    x.end = std::max(x.end, end);
}

void FlushExposed(Core& c) {
    Exposed& x = *c.memory.exposed;
    const uint32_t from = std::max(x.begin, x.writtenBegin), to = std::min(x.end, x.writtenEnd);
    if (from < to) std::memcpy(x.copy.data() + from, c.memory.ub + from, to - from);
    x.writtenBegin = kUbBytes;
    x.writtenEnd = 0;
}

void CheckExposed(Core& c, const Local& t, const char* operand, uint32_t begin, uint64_t bytes, pipe_t pipe) {
    Exposed& x = *c.memory.exposed;
    const uint32_t from = std::max(begin, x.begin);
    const auto to = static_cast<uint32_t>(std::min<uint64_t>(begin + bytes, x.end));
    if (from >= to) return;
    // A tensor's scalar access makes the compiler wait, and the scalar unit's own stores come in order.
    if (pipe == PIPE_S) return SettleExposed(c);
    if (begin < x.writtenEnd && x.writtenBegin < begin + bytes) return;  // a later repeat of the same instruction
    for (uint32_t at = from; at < to;) {
        const uint32_t next = std::min(to, (at / kBlockBytes + 1) * kBlockBytes);
        if (x.watched[at / kBlockBytes] && std::memcmp(x.copy.data() + at, c.memory.ub + at, next - at) != 0) {
            SettleExposed(c);
            Suspect("pipe-hazard", BufferName(t),
                    Text("%s takes %s on %s, and values were stored in it through the address that GetPhyAddr gave: "
                         "nothing orders the two, as the compiler waits for scalar accesses to tensors only",
                         c.account.api, operand, PipeName(pipe)),
                    Text("store with SetValue, or SetFlag and WaitFlag <HardEvent::S_%s> behind the last store",
                         PipeName(pipe) + 5));
            return;
        }
        at = next;
    }
}

void WriteExposed(Core& c, uint32_t begin, uint64_t bytes) {
    Exposed& x = *c.memory.exposed;
    x.writtenBegin = std::min(x.writtenBegin, begin);
    x.writtenEnd = std::max(x.writtenEnd, static_cast<uint32_t>(begin + bytes));
}

void SettleExposed(Core& c) {
    Exposed& x = *c.memory.exposed;
    if (x.begin < x.end) std::memcpy(x.copy.data() + x.begin, c.memory.ub + x.begin, x.end - x.begin);
}

}  // namespace twin
