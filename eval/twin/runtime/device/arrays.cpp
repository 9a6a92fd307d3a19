// Arrays that a kernel declares in UB itself.
#include <algorithm>
#include <cstring>

#include "core.h"
#include "twin/ub_array.h"

namespace twin {

Local TakeArray(uint32_t bytes) {
    Note("__ubuf__ array");
    Core& c = core();
    const uint32_t rounded = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    uint32_t& top = c.memory.top[kUb];
    if (rounded > kUbBytes - std::min(top, kUbBytes)) {
        Broken("ub-overflow", "",
               Text("a __ubuf__ array of %u bytes brings what is in use of UB to %u; there are %u", bytes,
                    top + rounded, kUbBytes),
               "make the tile smaller");
    }
    Buffer buffer;
    buffer.name = Text("array at %u", top);
    buffer.begin = top;
    buffer.bytes = rounded;
    buffer.position = TPosition::VECCALC;
    buffer.state = State::kPlain;
    buffer.declared = true;
    Local view;
    view.data = c.memory.ub + top;
    view.bytes = bytes;
    view.buffer = static_cast<uint16_t>(c.tpipe.buffers.size());
    view.position = TPosition::VECCALC;
    std::memset(view.data, 0xff, rounded);
    std::fill_n(c.memory.defined.begin() + top, rounded, 0);
    top += rounded;
    c.tpipe.buffers.push_back(std::move(buffer));
    c.memory.used[kUb] = std::max(c.memory.used[kUb], top);
    launch().report.ubPeakBytes = std::max<uint64_t>(launch().report.ubPeakBytes, top);
    return view;
}

void GiveBackArray(const Local& array) {
    Core& c = core();
    if (c.tpipe.buffers.size() != array.buffer + 1u || !c.tpipe.buffers.back().declared)
        return;  // a TPipe began anew in between
    c.memory.top[kUb] = c.tpipe.buffers.back().begin;
    c.tpipe.buffers.pop_back();
}

/// A pointer's stores are not seen, and they show in bytes that no longer hold what the array began with.
void DefineStored(const Buffer& array) {
    Core& c = core();
    uint8_t* const known = c.memory.defined.data() + array.begin;
    if (std::memchr(known, 0, array.bytes) == nullptr) return;
    for (uint32_t i = 0; i < array.bytes; ++i) known[i] |= c.memory.ub[array.begin + i] != 0xff;
}

}  // namespace twin
