// Cast between half and 4-bit integers, of which two share a byte, the first its low half (Cast.md).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "vector.h"

namespace twin {

namespace {

constexpr uint32_t kLanes = kRepeatBytes / 2;     // of a repeat, counted in half
constexpr uint32_t kHalfBlock = kBlockBytes / 2;  // elements of a block of half
constexpr uint32_t kPairBlock = kBlockBytes * 2;  // elements of a block of int4b_t

struct Side {
    const Local& t;
    const char* name;
    bool pairs;
    uint32_t blk, rep;
    uint32_t perBlock() const { return pairs ? kPairBlock : kHalfBlock; }
    uint64_t bytes(uint64_t elements) const { return pairs ? elements / 2 : elements * 2; }
};

/// Saturates to -8 to 7; NaN becomes 0, as in every cast to integers.
uint8_t Nibble(float x, RoundMode mode) {
    if (x != x) return 0;
    switch (mode) {
        case RoundMode::CAST_FLOOR: x = std::floor(x); break;
        case RoundMode::CAST_CEIL: x = std::ceil(x); break;
        case RoundMode::CAST_ROUND: x = std::round(x); break;
        case RoundMode::CAST_TRUNC: x = std::trunc(x); break;
        default: x = std::nearbyint(x);
    }
    return static_cast<uint8_t>(static_cast<int>(std::min(std::max(x, -8.0f), 7.0f)) & 0xf);
}

void Pack(const uint8_t* from, uint8_t* to, uint32_t n, RoundMode mode) {
    for (uint32_t i = 0; i < n; ++i) {
        uint16_t bits;
        std::memcpy(&bits, from + 2 * i, 2);
        const uint8_t nibble = Nibble(HalfValue(bits), mode);
        to[i / 2] = static_cast<uint8_t>(i % 2 == 0 ? nibble : to[i / 2] | nibble << 4);
    }
}

void Unpack(const uint8_t* from, uint8_t* to, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        const int nibble = from[i / 2] >> i % 2 * 4 & 0xf;
        const uint16_t bits = HalfBits(static_cast<float>((nibble ^ 8) - 8));
        std::memcpy(to + 2 * i, &bits, 2);
    }
}

/// n elements, whole pairs, side by side on either side.
void Convert(const Side& dst, uint32_t to, const Side& src, uint32_t from, uint32_t n, RoundMode mode) {
    Core& c = core();
    std::vector<uint8_t> result(dst.bytes(n)), known(n / 2, 1);
    if (dst.pairs) Pack(c.memory.ub + from, result.data(), n, mode);
    else Unpack(c.memory.ub + from, result.data(), n);
    if (!AllDefined(from, src.bytes(n))) {
        NoteUnwritten(dst.t, src.t, src.name, from);
        const uint64_t each = src.bytes(2);
        for (uint32_t i = 0; i < n / 2; ++i)
            known[i] = AllDefined(static_cast<uint32_t>(from + i * each), each) ? 1 : 0;
    }
    std::memcpy(c.memory.ub + to, result.data(), result.size());
    const uint64_t each = dst.bytes(2);
    for (uint32_t i = 0; i < n / 2; ++i) Define(static_cast<uint32_t>(to + i * each), each, known[i] != 0);
}

void CheckCall(const Local& dst, const Local& src, bool narrow, RoundMode mode) {
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const bool legal = mode == RoundMode::CAST_NONE || (narrow && mode < RoundMode::CAST_ODD);
    if (legal) return;
    Broken(
        "round-mode", BufferName(dst),
        Text("Cast %s int4b_t with rounding mode %d", narrow ? "from half to" : "to half from", static_cast<int>(mode)),
        narrow ? "CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND and CAST_TRUNC are there"
               : "nothing is lost in this conversion: use CAST_NONE");
}

}  // namespace

void CastPairsCount(const Local& dst, const Local& src, bool narrow, RoundMode mode, int64_t count) {
    Begin("Cast", PIPE_V);
    CheckCall(dst, src, narrow, mode);
    if (count < 0 || count > static_cast<int64_t>(2 * kUbBytes) || count % 2 != 0) {
        Broken("count-limit", BufferName(dst), Text("count %lld of Cast with int4b_t", static_cast<long long>(count)),
               "two elements share a byte: a count is even, and 0 to what the buffer holds");
    }
    if (count == 0) return;
    const Side to{dst, "dst", narrow, 1, 8}, from{src, "src", !narrow, 1, 8};
    const auto n = static_cast<uint64_t>(count);
    CheckOverlap(dst, to.bytes(n), src, from.bytes(n), "src");
    const uint32_t at = Touch(src, "src", 0, from.bytes(n), PIPE_V, Access::kRead);
    Convert(to, Touch(dst, "dst", 0, to.bytes(n), PIPE_V, Access::kWrite), from, at, static_cast<uint32_t>(n), mode);
    Core& c = core();
    c.registers.counterMode = false;
    c.registers.maskLow = c.registers.maskHigh = ~0ull;
}

void CastPairsRepeat(const Local& dst, const Local& src, bool narrow, RoundMode mode, const Mask& mask, int repeatTime,
                     const Strides& s) {
    Begin("Cast", PIPE_V);
    CheckRepeat(repeatTime);
    CheckCall(dst, src, narrow, mode);
    const MaskPlan plan = PlanMask(mask, kLanes, repeatTime);
    const Side to{dst, "dst", narrow, s.dstBlk, s.dstRep}, from{src, "src", !narrow, s.src0Blk, s.src0Rep};
    const auto offset = [](const Side& side, int repeat, uint32_t lane) {
        return (static_cast<uint64_t>(repeat) * side.rep + static_cast<uint64_t>(lane / side.perBlock()) * side.blk) *
                   kBlockBytes +
               side.bytes(lane % side.perBlock());
    };
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, kLanes, r);
        for (uint32_t lane = 0; lane < kLanes; lane += 2) {
            if (active.test(lane) != active.test(lane + 1)) {
                Broken("mask-limit", BufferName(dst),
                       Text("the mask of Cast with int4b_t takes one of elements %u and %u, which share a byte", lane,
                            lane + 1),
                       "let bits be equal in pairs, and a mask that counts be even");
            }
            if (!active.test(lane)) continue;
            const uint32_t at = Touch(src, "src", offset(from, r, lane), from.bytes(2), PIPE_V, Access::kRead);
            Convert(to, Touch(dst, "dst", offset(to, r, lane), to.bytes(2), PIPE_V, Access::kWrite), from, at, 2, mode);
        }
    }
}

}  // namespace twin
