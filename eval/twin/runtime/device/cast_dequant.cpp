// CastDequant of int16_t: sixteen elements of a block become sixteen bytes, in one half of a block.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core.h"
#include "twin/vec_fused_cast.h"

namespace twin {

namespace {

constexpr uint32_t kLanesOfBlock = 16, kLanes = 128, kSetBytes = 128;

struct Factor {
    float scale;
    int offset;
    bool isSigned;
};

/// Bits 0 to 31 scale, 37 to 45 offset, 46 sign (table of SetDeqScale); of the scale ten bits of fraction count.
Factor FactorOf(uint64_t bits) {
    const uint32_t scale = static_cast<uint32_t>(bits) & ~0x1fffu;
    Factor f{};
    std::memcpy(&f.scale, &scale, sizeof(scale));
    f.offset = static_cast<int>((bits >> 37) & 0x1ff);
    if (f.offset > 255) f.offset -= 512;
    f.isSigned = ((bits >> 46) & 1) != 0;
    return f;
}

std::vector<Factor> Factors(bool vector) {
    Core& c = core();
    if (!vector) return {FactorOf(c.registers.dequantBits)};
    if (c.registers.dequantSet.data == nullptr)
        Broken("read-unwritten", "", "CastDequant with isVecDeq and no 16 factors set",
               "call SetDeqScale with a tensor and VdeqInfo first");
    const uint32_t at = Touch(c.registers.dequantSet, "vdeq", 0, kSetBytes, PIPE_V, Access::kRead);
    RequireDefined(c.registers.dequantSet, "vdeq", at, kSetBytes);
    std::vector<Factor> all;
    for (uint32_t i = 0; i < kLanesOfBlock; ++i) {
        uint64_t bits;
        std::memcpy(&bits, c.memory.ub + at + i * 8, 8);
        all.push_back(FactorOf(bits));
    }
    return all;
}

uint8_t Quantised(int16_t value, const Factor& f) {
    const float exact = std::nearbyint(static_cast<float>(value) * f.scale + static_cast<float>(f.offset));
    const float low = f.isSigned ? -128.0f : 0.0f, high = f.isSigned ? 127.0f : 255.0f;
    return static_cast<uint8_t>(static_cast<int>(std::min(std::max(exact, low), high)));
}

void Block(const Local& dst, const Local& src, uint64_t dstAt, uint64_t srcAt, const Lanes& active, uint32_t first,
           const std::vector<Factor>& by, bool lower) {
    for (uint32_t i = 0; i < kLanesOfBlock; ++i) {
        if (!active.test(first + i)) continue;
        const uint32_t from = Touch(src, "src", srcAt + i * 2, 2, PIPE_V, Access::kRead);
        const uint32_t to = Touch(dst, "dst", dstAt + (lower ? kLanesOfBlock : 0) + i, 1, PIPE_V, Access::kWrite);
        const bool known = AllDefined(from, 2);
        if (!known) NoteUnwritten(dst, src, "src", from);
        int16_t value;
        std::memcpy(&value, core().memory.ub + from, 2);
        core().memory.ub[to] = Quantised(value, by[by.size() == 1 ? 0 : i]);
        Define(to, 1, known);
    }
}

void CheckType(const std::vector<Factor>& by, bool isSigned, const Local& dst) {
    for (const Factor& f : by)
        if (f.isSigned != isSigned)
            Broken("unsupported-type", BufferName(dst),
                   Text("CastDequant to %s with signMode %s", isSigned ? "int8_t" : "uint8_t",
                        f.isSigned ? "true" : "false"),
                   "signMode of SetDeqScale is true for int8_t and false for uint8_t");
}

}  // namespace

void SetDequantFactors(uint64_t bits, const Local* set) {
    core().registers.dequantBits = bits;
    if (set != nullptr) core().registers.dequantSet = *set;
}

void CastDequantRepeat(const Local& dst, const Local& src, bool isSigned, bool vector, bool lower, const Mask& mask,
                       int repeatTime, const Strides& s) {
    Begin("CastDequant", PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const std::vector<Factor> by = Factors(vector);
    CheckType(by, isSigned, dst);
    const MaskPlan plan = PlanMask(mask, kLanes, repeatTime);
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, kLanes, r);
        for (uint64_t b = 0; b < kLanes / kLanesOfBlock; ++b)
            Block(dst, src, (static_cast<uint64_t>(r) * s.dstRep + b * s.dstBlk) * kBlockBytes,
                  (static_cast<uint64_t>(r) * s.src0Rep + b * s.src0Blk) * kBlockBytes, active,
                  static_cast<uint32_t>(b) * kLanesOfBlock, by, lower);
    }
}

void CastDequantCount(const Local& dst, const Local& src, bool isSigned, bool vector, bool lower, uint32_t count) {
    Begin("CastDequant", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const std::vector<Factor> by = Factors(vector);
    CheckType(by, isSigned, dst);
    for (uint64_t at = 0; at < count; at += kLanesOfBlock) {
        const uint64_t n = std::min<uint64_t>(kLanesOfBlock, count - at);
        Block(dst, src, at * 2, at * 2, {(1ull << n) - 1, 0}, 0, by, lower);
    }
}

}  // namespace twin
