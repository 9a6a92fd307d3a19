// Gather, GatherMask, Brcb, index sequences, transposition.
#include <algorithm>
#include <cstring>

#include "numbers.h"
#include "vector.h"

namespace twin {

namespace {

/// Moves one element or block with what is known of it.
void MoveKnown(const Local& dst, const Local& src, const char* operand, uint32_t to, uint32_t from, uint32_t bytes) {
    Core& c = core();
    if (!AllDefined(from, bytes)) NoteUnwritten(dst, src, operand, from);
    std::memmove(c.memory.ub + to, c.memory.ub + from, bytes);
    std::memmove(c.memory.defined.data() + to, c.memory.defined.data() + from, bytes);
}

uint32_t OffsetAt(const Local& offsets, uint64_t index) {
    const uint32_t at = Touch(offsets, "srcOffset", index * 4, 4, PIPE_V, Access::kRead);
    RequireDefined(offsets, "srcOffset", at, 4);
    uint32_t value;
    std::memcpy(&value, core().memory.ub + at, 4);
    return value;
}

void CheckOffset(uint64_t offset, uint32_t unit, const Local& src, uint64_t index) {
    if (offset % unit == 0 && offset + unit <= kUbBytes) return;
    Broken(
        "gather-offset", BufferName(src),
        Text("offset %llu at index %llu of %s; offsets count bytes, are multiples of %u and stay inside the source",
             static_cast<unsigned long long>(offset), static_cast<unsigned long long>(index), core().account.api, unit),
        "multiply element indices by sizeof(T)");
}

void GatherOne(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, uint32_t base,
               uint64_t index, uint64_t dstOffset) {
    const uint64_t offset = static_cast<uint64_t>(base) + OffsetAt(offsets, index);
    CheckOffset(offset, elementBytes, src, index);
    const uint32_t from = Touch(src, "src", offset, elementBytes, PIPE_V, Access::kRead);
    const uint32_t to = Touch(dst, "dst", dstOffset, elementBytes, PIPE_V, Access::kWrite);
    MoveKnown(dst, src, "src", to, from, elementBytes);
}

}  // namespace

void GatherCount(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, uint32_t base,
                 int64_t count) {
    Begin("Gather", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(offsets, "srcOffset");
    for (int64_t i = 0; i < count; ++i)
        GatherOne(elementBytes, dst, src, offsets, base, static_cast<uint64_t>(i),
                  static_cast<uint64_t>(i) * elementBytes);
}

void GatherRepeat(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, uint32_t base,
                  const Mask& mask, int repeatTime, int dstRepStride) {
    Begin("Gather", PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    const uint32_t lanes = kRepeatBytes / elementBytes;
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        for (uint32_t i = 0; i < lanes; ++i) {
            if (!active.test(i)) continue;
            GatherOne(elementBytes, dst, src, offsets, base, static_cast<uint64_t>(r) * lanes + i,
                      static_cast<uint64_t>(r) * dstRepStride * kBlockBytes + i * elementBytes);
        }
    }
}

void GatherBlocks(uint32_t, const Local& dst, const Local& src, const Local& offsets, int repeatTime, int dstBlk,
                  int dstRep) {
    Begin("Gatherb", PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    for (int r = 0; r < repeatTime; ++r) {
        for (int b = 0; b < 8; ++b) {
            const uint64_t index = static_cast<uint64_t>(r) * 8 + b;
            const uint32_t offset = OffsetAt(offsets, index);
            CheckOffset(offset, kBlockBytes, src, index);
            const uint32_t from = Touch(src, "src", offset, kBlockBytes, PIPE_V, Access::kRead);
            const uint32_t to =
                Touch(dst, "dst", (static_cast<uint64_t>(r) * dstRep + static_cast<uint64_t>(b) * dstBlk) * kBlockBytes,
                      kBlockBytes, PIPE_V, Access::kWrite);
            MoveKnown(dst, src, "src", to, from, kBlockBytes);
        }
    }
}

namespace {

bool PatternBit(int pattern, uint32_t lane) {
    switch (pattern) {
        case 1: return lane % 2 == 0;
        case 2: return lane % 2 == 1;
        case 3:
        case 4:
        case 5:
        case 6: return lane % 4 == static_cast<uint32_t>(pattern - 3);
        default: return true;
    }
}

}  // namespace

void GatherMaskRun(uint32_t elementBytes, const Local& dst, const Local& src, int pattern, const Local* patternTensor,
                   bool reduceMode, uint32_t mask, const AscendC::GatherMaskParams& params, uint64_t* kept) {
    Begin("GatherMask", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src0");
    if (patternTensor == nullptr && (pattern < 1 || pattern > 7)) {
        Broken("gather-pattern", BufferName(src), Text("src1Pattern %d of GatherMask is outside 1 to 7", pattern),
               "use a pattern tensor for other selections");
    }
    Core& c = core();
    const uint32_t lanes = kRepeatBytes / elementBytes, perBlock = kBlockBytes / elementBytes;
    const uint32_t active = reduceMode ? mask : lanes;
    *kept = 0;
    for (uint64_t r = 0; r < params.repeatTimes; ++r) {
        for (uint32_t i = 0; i < active; ++i) {
            bool take = PatternBit(pattern, i);
            if (patternTensor != nullptr) {
                const uint64_t bit = r * params.src1RepeatStride * kBlockBytes * 8 + i;
                const uint32_t at = Touch(*patternTensor, "src1Pattern", bit / 8, 1, PIPE_V, Access::kRead);
                RequireDefined(*patternTensor, "src1Pattern", at, 1);
                take = (c.memory.ub[at] >> (bit % 8) & 1) != 0;
            }
            if (!take) continue;
            const uint64_t block = i / perBlock;
            const uint32_t from =
                Touch(src, "src0",
                      r * params.src0RepeatStride * kBlockBytes + block * params.src0BlockStride * kBlockBytes +
                          (i % perBlock) * elementBytes,
                      elementBytes, PIPE_V, Access::kRead);
            const uint32_t to = Touch(dst, "dst", *kept * elementBytes, elementBytes, PIPE_V, Access::kWrite);
            MoveKnown(dst, src, "src0", to, from, elementBytes);
            ++*kept;
        }
    }
    c.registers.gathered = *kept;
    // The count comes back through the scalar unit, which has waited for the vector unit then.
    Join(PIPE_S, Snapshot(PIPE_V));
    c.registers.counterMode = false;
}

uint64_t GatheredCount() {
    Note("GetRsvdCnt");
    return core().registers.gathered;
}

void BrcbRepeat(uint32_t elementBytes, const Local& dst, const Local& src, int repeatTime, int dstBlk, int dstRep) {
    Begin("Brcb", PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    Core& c = core();
    for (int r = 0; r < repeatTime; ++r) {
        const uint32_t from =
            Touch(src, "src0", static_cast<uint64_t>(r) * 8 * elementBytes, 8 * elementBytes, PIPE_V, Access::kRead);
        uint8_t values[32], known[8];
        std::memcpy(values, c.memory.ub + from, 8 * elementBytes);
        for (int i = 0; i < 8; ++i) known[i] = AllDefined(from + i * elementBytes, elementBytes);
        for (int i = 0; i < 8; ++i) {
            const uint32_t to =
                Touch(dst, "dst", (static_cast<uint64_t>(r) * dstRep + static_cast<uint64_t>(i) * dstBlk) * kBlockBytes,
                      kBlockBytes, PIPE_V, Access::kWrite);
            for (uint32_t b = 0; b < kBlockBytes; b += elementBytes)
                std::memcpy(c.memory.ub + to + b, values + i * elementBytes, elementBytes);
            if (!known[i]) NoteUnwritten(dst, src, "src0", from);
            Define(to, kBlockBytes, known[i] != 0);
        }
    }
}

namespace {

void PutNumber(Type type, uint8_t* to, double value) {
    switch (type) {
        case Type::kHalf: {
            const uint16_t v = HalfBits(static_cast<float>(value));
            std::memcpy(to, &v, 2);
            break;
        }
        case Type::kFloat: {
            const auto v = static_cast<float>(value);
            std::memcpy(to, &v, 4);
            break;
        }
        case Type::kInt16: {
            const auto v = static_cast<int16_t>(static_cast<int64_t>(value));
            std::memcpy(to, &v, 2);
            break;
        }
        default: {
            const auto v = static_cast<int32_t>(static_cast<int64_t>(value));
            std::memcpy(to, &v, 4);
            break;
        }
    }
}

}  // namespace

void FillIndex(const char* api, Type type, const Local& dst, double first, double step, int64_t count) {
    Begin(api, PIPE_V);
    CheckAligned(dst, "dst");
    if (count <= 0) return;
    const uint32_t bytes = TypeBytes(type);
    const uint32_t at = Touch(dst, "dst", 0, static_cast<uint64_t>(count) * bytes, PIPE_V, Access::kWrite);
    for (int64_t i = 0; i < count; ++i)
        PutNumber(type, core().memory.ub + at + i * bytes, first + static_cast<double>(i) * step);
    Define(at, static_cast<uint64_t>(count) * bytes);
}

void FillIndexRepeat(Type type, const Local& dst, double first, const Mask& mask, int repeatTime, int dstBlk,
                     int dstRep) {
    Begin("CreateVecIndex", PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(dst, "dst");
    const uint32_t bytes = TypeBytes(type), lanes = kRepeatBytes / bytes, perBlock = kBlockBytes / bytes;
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        for (uint32_t i = 0; i < lanes; ++i) {
            if (!active.test(i)) continue;
            const uint64_t offset =
                (static_cast<uint64_t>(r) * dstRep + static_cast<uint64_t>(i / perBlock) * dstBlk) * kBlockBytes +
                (i % perBlock) * bytes;
            const uint32_t at = Touch(dst, "dst", offset, bytes, PIPE_V, Access::kWrite);
            PutNumber(type, core().memory.ub + at, first + static_cast<double>(r) * lanes + i);
            Define(at, bytes);
        }
    }
}

void Transpose16(const Local& dst, const Local& src) {
    Begin("Transpose", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    Core& c = core();
    const uint32_t from = Touch(src, "src", 0, 512, PIPE_V, Access::kRead);
    const uint32_t to = Touch(dst, "dst", 0, 512, PIPE_V, Access::kWrite);
    uint16_t in[256], out[256];
    uint16_t known[256], turned[256];  // a byte of flags for each byte
    std::memcpy(in, c.memory.ub + from, 512);
    std::memcpy(known, c.memory.defined.data() + from, 512);
    for (uint32_t i = 0; i < 256; ++i) {
        out[i % 16 * 16 + i / 16] = in[i];
        turned[i % 16 * 16 + i / 16] = known[i];
    }
    if (!AllDefined(from, 512)) NoteUnwritten(dst, src, "src", from);
    std::memcpy(c.memory.ub + to, out, 512);
    std::memcpy(c.memory.defined.data() + to, turned, 512);
}

}  // namespace twin
