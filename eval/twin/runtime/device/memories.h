// The memories of a core: where each lies, and what stands in it.
#ifndef TWIN_DEVICE_MEMORIES_H
#define TWIN_DEVICE_MEMORIES_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace twin {

constexpr uint32_t kUbBytes = 192 * 1024;
// Sizes are those of every part with this core, Atlas A2 and A3 alike (platform_config of CANN 8.1); alignments are
// those of the table of positions in the general constraints of the SIMD API.
/// Memories of a core, in one range of addresses with a page without access between them. Offsets count from the start
/// of UB.
enum SpaceId : uint8_t { kUb, kL1, kL0a, kL0b, kL0c, kBias, kFixpipe, kSpaces };
struct Space {
    const char* name;
    uint32_t begin, bytes;
    uint32_t alignment;  // of a tensor's start
};
constexpr Space kSpace[kSpaces] = {{"UB", 0, kUbBytes, 32},          {"L1", 0x31000, 512 * 1024, 32},
                                   {"L0A", 0xb2000, 64 * 1024, 512}, {"L0B", 0xc3000, 64 * 1024, 512},
                                   {"L0C", 0xd4000, 128 * 1024, 64}, {"BT", 0xf5000, 1024, 64},
                                   {"FB", 0xf7000, 7 * 1024, 64}};
constexpr uint32_t kLocalBytes = 0xf9000;
// Vector instructions work on blocks of 32 bytes, eight of them a repeat.
constexpr uint32_t kBlockBytes = 32;

/// UB as instructions left it, where the kernel has addresses of it. The parts that it has, and within them what the
/// instruction of the last call writes.
struct Exposed {
    std::vector<uint8_t> copy = std::vector<uint8_t>(kUbBytes);
    std::vector<bool> watched = std::vector<bool>(kUbBytes / kBlockBytes);
    uint32_t begin = kUbBytes, end = 0;
    uint32_t writtenBegin = kUbBytes, writtenEnd = 0;
};

struct Memories {
    uint8_t* ub = nullptr;                 // start of them all, see kSpace
    std::array<uint32_t, kSpaces> used{};  // high-water mark of what any access or InitBuffer reached
    std::array<uint32_t, kSpaces> top{};   // what InitBuffer has given out
    std::vector<uint8_t> defined;          // per byte: 1 when it holds a value that someone wrote
    std::unique_ptr<Exposed> exposed;      // null while no address was asked for
};

}  // namespace twin

#endif
