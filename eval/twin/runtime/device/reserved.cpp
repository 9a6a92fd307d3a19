#include "reserved.h"

#include <cstring>

#include "exposed.h"

namespace twin {

void OverwriteReserved(const char* api, uint32_t bytes, uint32_t reserved) {
    Core& c = core();
    const uint32_t begin = kUbBytes - reserved;
    if (c.cube || c.memory.top[kUb] <= begin) return;
    std::memset(c.memory.ub + begin, 0xff, bytes);
    Define(begin, bytes, false);
    if (c.memory.exposed != nullptr) WriteExposed(c, begin, bytes);
    for (size_t i = 1; i < c.tpipe.buffers.size(); ++i) {
        Buffer& b = c.tpipe.buffers[i];
        const bool touched = b.begin < begin + bytes && begin < b.begin + b.bytes;
        if (!touched) continue;
        b.unwritten = Text("%s keeps its own values in the last %.4g KB of UB, from byte %u on, and overwrote %s there",
                           api, reserved / 1024.0, begin, b.name.c_str());
    }
}

}  // namespace twin
