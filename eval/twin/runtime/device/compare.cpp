// Compare to bits, and Select by bits.
#include <algorithm>
#include <cstring>

#include "numbers.h"
#include "reserved.h"
#include "vector.h"

namespace twin {

namespace {

/// Elements as float, int32_t as double-exact comparison is only EQ and done on the bits.
void Widen(Type type, const uint8_t* from, float* to, uint32_t n) {
    if (type == Type::kHalf) return HalfToFloat(reinterpret_cast<const uint16_t*>(from), to, n);
    std::memcpy(to, from, n * sizeof(float));
}

bool Holds(CMPMODE mode, float a, float b) {
    switch (mode) {
        case CMPMODE::LT: return a < b;
        case CMPMODE::GT: return a > b;
        case CMPMODE::EQ: return a == b;
        case CMPMODE::LE: return a <= b;
        case CMPMODE::GE: return a >= b;
        default: return a != b;
    }
}

/// Bit i of byte i / 8, the lowest first (Compare.md).
void CompareBits(Type type, CMPMODE mode, const uint8_t* a, const uint8_t* b, double scalar, uint32_t n,
                 uint8_t* bits) {
    std::memset(bits, 0, (n + 7) / 8);
    if (type == Type::kInt32) {
        for (uint32_t i = 0; i < n; ++i) {
            int32_t x, y = static_cast<int32_t>(scalar);
            std::memcpy(&x, a + i * 4, 4);
            if (b != nullptr) std::memcpy(&y, b + i * 4, 4);
            if (x == y) bits[i / 8] |= static_cast<uint8_t>(1u << (i % 8));
        }
        return;
    }
    float x[128], y[128];
    std::fill_n(y, 128, static_cast<float>(scalar));
    for (uint32_t at = 0; at < n; at += 128) {
        const uint32_t m = std::min<uint32_t>(128, n - at);
        Widen(type, a + at * TypeBytes(type), x, m);
        if (b != nullptr) Widen(type, b + at * TypeBytes(type), y, m);
        for (uint32_t i = 0; i < m; ++i)
            if (Holds(mode, x[i], y[i])) bits[(at + i) / 8] |= static_cast<uint8_t>(1u << ((at + i) % 8));
    }
}

/// int32_t has CMPMODE::EQ only on Atlas A2 (Compare.md).
void CheckMode(Type type, CMPMODE mode, const Local& t) {
    if (type == Type::kInt32 && mode != CMPMODE::EQ) {
        Broken("unsupported-type", BufferName(t), Text("%s of int32_t knows CMPMODE::EQ only", core().account.api),
               "cast to float for the other modes");
    }
}

/// One repeat's bytes side by side, and which of them are defined.
struct Gathered {
    uint8_t bytes[kRepeatBytes], defined[kRepeatBytes];
    uint32_t at[8];  // where its blocks lie
};

Gathered Gather(const Local& t, const char* name, uint64_t offset, uint16_t blk) {
    const Core& c = core();
    Gathered g;
    for (uint32_t b = 0; b < 8; ++b) {
        g.at[b] =
            Touch(t, name, offset + static_cast<uint64_t>(b) * blk * kBlockBytes, kBlockBytes, PIPE_V, Access::kRead);
        std::memcpy(g.bytes + b * kBlockBytes, c.memory.ub + g.at[b], kBlockBytes);
        std::memcpy(g.defined + b * kBlockBytes, c.memory.defined.data() + g.at[b], kBlockBytes);
    }
    return g;
}

/// Whether the byte of bits that starts at `first` bytes of a repeat is known: as in the count form, by its first
/// element.
bool BitsKnown(const Local& dst, const Local& t, const char* name, const Gathered& g, uint32_t first) {
    if (g.defined[first]) return true;
    NoteUnwritten(dst, t, name, g.at[first / kBlockBytes] + first % kBlockBytes);
    return false;
}

}  // namespace

void CompareCount(const char* api, Type type, const Local& dst, const Local& src0, const Local* src1, double scalar,
                  CMPMODE mode, int64_t count) {
    Begin(api, PIPE_V);
    CheckMode(type, mode, src0);
    const uint64_t bytes = static_cast<uint64_t>(count) * TypeBytes(type);
    // The count form runs whole repeats and ignores the mask (Compare.md).
    if (count < 0 || bytes % kRepeatBytes != 0) {
        Broken("compare-count", BufferName(src0),
               Text("%s of %lld elements is %llu bytes, no multiple of 256", api, static_cast<long long>(count),
                    static_cast<unsigned long long>(bytes)),
               "round the count up to 256 bytes and allocate for it; use only the bits that matter");
    }
    if (count == 0) return;
    CheckAligned(dst, "dst");
    CheckAligned(src0, "src0");
    if (src1 != nullptr) CheckAligned(*src1, "src1");
    const uint32_t a = Touch(src0, "src0", 0, bytes, PIPE_V, Access::kRead);
    const uint32_t b = src1 != nullptr ? Touch(*src1, "src1", 0, bytes, PIPE_V, Access::kRead) : 0;
    const uint64_t outBytes = static_cast<uint64_t>(count) / 8;
    const uint32_t d = Touch(dst, "dst", 0, outBytes, PIPE_V, Access::kWrite);
    Core& c = core();
    std::vector<uint8_t> bits(outBytes), known(outBytes, 1);
    CompareBits(type, mode, c.memory.ub + a, src1 != nullptr ? c.memory.ub + b : nullptr, scalar,
                static_cast<uint32_t>(count), bits.data());
    // A byte of bits is unknown when all its elements are: elements past the data are usual, the count being rounded
    // up.
    const uint32_t group = 8 * TypeBytes(type);
    for (uint64_t i = 0; i < outBytes; ++i) {
        known[i] = c.memory.defined[a + i * group] && (src1 == nullptr || c.memory.defined[b + i * group]);
        if (!known[i]) NoteUnwritten(dst, src0, "src0", static_cast<uint32_t>(a + i * group));
    }
    std::memcpy(c.memory.ub + d, bits.data(), outBytes);
    std::memcpy(c.memory.defined.data() + d, known.data(), outBytes);
}

void CompareRepeat(const char* api, Type type, const Local& dst, const Local& src0, const Local* src1, double scalar,
                   CMPMODE mode, int repeatTime, const Strides& s) {
    Begin(api, PIPE_V);
    CheckMode(type, mode, src0);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    CheckAligned(src0, "src0");
    if (src1 != nullptr) CheckAligned(*src1, "src1");
    const uint32_t lanes = kRepeatBytes / TypeBytes(type), group = 8 * TypeBytes(type);
    uint8_t bits[16];
    for (int r = 0; r < repeatTime; ++r) {
        const Gathered a = Gather(src0, "src0", static_cast<uint64_t>(r) * s.src0Rep * kBlockBytes, s.src0Blk);
        const Gathered b = src1 != nullptr
                               ? Gather(*src1, "src1", static_cast<uint64_t>(r) * s.src1Rep * kBlockBytes, s.src1Blk)
                               : Gathered{};
        CompareBits(type, mode, a.bytes, src1 != nullptr ? b.bytes : nullptr, scalar, lanes, bits);
        const uint32_t d = Touch(dst, "dst", static_cast<uint64_t>(r) * lanes / 8, lanes / 8, PIPE_V, Access::kWrite);
        std::memcpy(core().memory.ub + d, bits, lanes / 8);
        for (uint32_t i = 0; i < lanes / 8; ++i) {
            Define(d + i, 1,
                   BitsKnown(dst, src0, "src0", a, i * group) &&
                       (src1 == nullptr || BitsKnown(dst, *src1, "src1", b, i * group)));
        }
    }
}

void CompareRegister(Type type, const Local& src0, const Local& src1, CMPMODE mode, const Mask& mask,
                     const Strides& s) {
    Begin("Compare", PIPE_V);
    const uint32_t lanes = kRepeatBytes / TypeBytes(type);
    const MaskPlan plan = PlanMask(mask, lanes, 1);
    uint8_t bits[16];
    const Gathered a = Gather(src0, "src0", 0, s.src0Blk), b = Gather(src1, "src1", 0, s.src1Blk);
    CompareBits(type, mode, a.bytes, b.bytes, 0, lanes, bits);
    for (uint32_t i = 0; i < lanes; ++i) {
        if (!plan.lanes.test(i)) continue;
        const auto bit = static_cast<uint8_t>(1u << (i % 8));
        uint8_t& byte = core().registers.compareMask[i / 8];
        byte = static_cast<uint8_t>(bits[i / 8] & bit ? byte | bit : byte & ~bit);
    }
}

void CmpMaskTo(const Local& dst) {
    Begin("GetCmpMask", PIPE_V);
    const uint32_t at = Touch(dst, "dst", 0, 16, PIPE_V, Access::kWrite);
    std::memcpy(core().memory.ub + at, core().registers.compareMask, 16);
    Define(at, 16);
}

void CmpMaskFrom(const Local& src) {
    Begin("SetCmpMask", PIPE_V);
    const uint32_t at = Touch(src, "src", 0, 16, PIPE_V, Access::kRead);
    RequireDefined(src, "src", at, 16);
    std::memcpy(core().registers.compareMask, core().memory.ub + at, 16);
}

namespace {

struct Selection {
    const uint8_t* bits;
    bool same;  // every repeat uses the first bits
    uint32_t lanes;
    bool test(uint64_t i) const {
        const uint64_t b = same ? i % lanes : i;
        return (bits[b / 8] >> (b % 8) & 1) != 0;
    }
};

uint64_t ScalarBits(Type type, double scalar) {
    if (type == Type::kHalf) return HalfBits(static_cast<float>(scalar));
    const auto value = static_cast<float>(scalar);
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}

const uint8_t* MaskBits(const Local* selMask, uint64_t bitCount) {
    if (selMask == nullptr) return core().registers.compareMask;
    const uint64_t bytes = (bitCount + 7) / 8;
    const uint32_t at = Touch(*selMask, "selMask", 0, bytes, PIPE_V, Access::kRead);
    RequireDefined(*selMask, "selMask", at, 1);
    return core().memory.ub + at;
}

}  // namespace

void SelectCount(Type type, const Local& dst, const Local& selMask, const Local& src0, const Local* src1, double scalar,
                 SELMODE mode, int64_t count) {
    Begin("Select", PIPE_V);
    if (count <= 0) return;
    if (mode != SELMODE::VSEL_CMPMASK_SPR) OverwriteReserved("Select", src1 == nullptr ? 32 * TypeBytes(type) : 128);
    CheckAligned(dst, "dst");
    CheckAligned(src0, "src0");
    CheckAligned(selMask, "selMask");
    const uint32_t bytes = TypeBytes(type);
    const uint64_t total = static_cast<uint64_t>(count) * bytes;
    const bool same = mode == SELMODE::VSEL_CMPMASK_SPR;
    const Selection sel{MaskBits(&selMask, same ? kRepeatBytes / bytes : static_cast<uint64_t>(count)), same,
                        kRepeatBytes / bytes};
    const uint32_t a = Touch(src0, "src0", 0, total, PIPE_V, Access::kRead);
    const uint32_t b = src1 != nullptr ? Touch(*src1, "src1", 0, total, PIPE_V, Access::kRead) : 0;
    const uint32_t d = Touch(dst, "dst", 0, total, PIPE_V, Access::kWrite);
    const uint64_t value = ScalarBits(type, scalar);
    Core& c = core();
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
        const uint64_t at = i * bytes;
        const bool first = sel.test(i);
        const uint8_t* from = first             ? c.memory.ub + a + at
                              : src1 != nullptr ? c.memory.ub + b + at
                                                : reinterpret_cast<const uint8_t*>(&value);
        const bool known = first ? c.memory.defined[a + at] : src1 == nullptr || c.memory.defined[b + at];
        if (!known)
            NoteUnwritten(dst, first ? src0 : *src1, first ? "src0" : "src1",
                          static_cast<uint32_t>(first ? a + at : b + at));
        std::memmove(c.memory.ub + d + at, from, bytes);
        Define(static_cast<uint32_t>(d + at), bytes, known);
    }
}

void SelectRepeat(Type type, const Local& dst, const Local* selMask, const Local& src0, const Local* src1,
                  double scalar, SELMODE mode, const Mask& mask, int repeatTime, const Strides& s) {
    Begin("Select", PIPE_V);
    CheckRepeat(repeatTime);
    const uint32_t bytes = TypeBytes(type), lanes = kRepeatBytes / bytes, perBlock = kBlockBytes / bytes;
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    const bool same = mode == SELMODE::VSEL_CMPMASK_SPR || selMask == nullptr;
    if (!same && plan.repeats > 0) OverwriteReserved("Select", src1 == nullptr ? 32 * bytes : 128);
    const Selection sel{MaskBits(selMask, same ? lanes : static_cast<uint64_t>(lanes) * plan.repeats), same, lanes};
    const uint64_t value = ScalarBits(type, scalar);
    Core& c = core();
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        for (uint32_t i = 0; i < lanes; ++i) {
            if (!active.test(i)) continue;
            const uint64_t inBlock = (i % perBlock) * bytes, block = i / perBlock;
            const bool first = sel.test(static_cast<uint64_t>(r) * lanes + i);
            uint64_t kept = value;
            bool known = true;
            if (first || src1 != nullptr) {
                const Local& src = first ? src0 : *src1;
                const uint64_t rep = first ? s.src0Rep : s.src1Rep, blk = first ? s.src0Blk : s.src1Blk;
                const uint32_t at = Touch(src, first ? "src0" : "src1", (r * rep + block * blk) * kBlockBytes + inBlock,
                                          bytes, PIPE_V, Access::kRead);
                std::memcpy(&kept, c.memory.ub + at, bytes);
                known = c.memory.defined[at] != 0;
                if (!known) NoteUnwritten(dst, src, first ? "src0" : "src1", at);
            }
            const uint32_t d =
                Touch(dst, "dst", (static_cast<uint64_t>(r) * s.dstRep + block * s.dstBlk) * kBlockBytes + inBlock,
                      bytes, PIPE_V, Access::kWrite);
            std::memcpy(c.memory.ub + d, &kept, bytes);
            Define(d, bytes, known);
        }
    }
}

}  // namespace twin
