#include "reserved.h"

#include <cstring>

#include "exposed.h"

namespace twin {

void OverwriteReserved(const char* api, uint32_t bytes, uint32_t reserved) {
    Core& c = core();
    if (c.cube) return;
    const uint32_t begin = kUbBytes - reserved;
    for (size_t i = 1; i < c.tpipe.buffers.size(); ++i) {
        const Buffer& b = c.tpipe.buffers[i];
        if (b.begin >= kUbBytes || b.begin + b.bytes <= begin) continue;
        c.account.api = api;
        Suspect("ub-overflow", b.name,
                Text("%s takes the last %u bytes of UB for itself, from byte %u on, and %s lies in bytes %u to %u", api,
                     reserved, begin, b.name.c_str(), b.begin, b.begin + b.bytes),
                Text("let all buffers together take %u bytes at most: make the tile smaller, or share buffers", begin));
    }
    std::memset(c.memory.ub + begin, 0xff, bytes);
    Define(begin, bytes, false);
    if (c.memory.exposed != nullptr && c.memory.top[kUb] > begin) WriteExposed(c, begin, bytes);
}

}  // namespace twin
