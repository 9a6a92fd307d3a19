// What is known of the order of a core's pipes.
#ifndef TWIN_DEVICE_ORDER_H
#define TWIN_DEVICE_ORDER_H

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "work.h"

namespace twin {

/// Pipes whose accesses are remembered; a vector core uses the first three.
constexpr int kTrackedPipes = 6;

/// How far each pipe has come, as one pipe knows it.
using Clock = std::array<uint32_t, kPipes>;

struct Flag {
    uint32_t set = 0;  // more than once only in a tolerant launch
    Clock clock{};
};

struct Order {
    // Sequence number of the last write and read of each 32-byte granule, by V, MTE2, MTE3, MTE1, M, FIX.
    std::array<std::vector<uint32_t>, kTrackedPipes> lastWrite, lastRead;
    Clock sequence{};
    /// The last one too small for the hardware to order the next behind it.
    struct {
        uint32_t begin = 0, end = 0, sequence = 0;
    } smallMmad;
    std::array<Clock, kPipes> known{};
    std::map<uint32_t, Flag> flags;            // key: src << 16 | dst << 8 | id
    std::array<uint8_t, 40> reservedEvents{};  // bit per id, by HardEvent
};

}  // namespace twin

#endif
