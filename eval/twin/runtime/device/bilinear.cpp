// Weighted sums of gathered blocks, each step in half.
#include "twin/bilinear.h"

#include <cstring>

#include "numbers.h"
#include "rows.h"

namespace twin {

namespace {

constexpr uint32_t kBlocks = 8, kLanesOfBlock = 16, kLanes = kBlocks * kLanesOfBlock;

/// What one repeat reads: eight blocks and their weights.
struct Repeat {
    std::vector<float> values, weights;
    bool known = true;
};

uint32_t OffsetOf(const Local& offsets, uint64_t index, const Local& src) {
    const uint32_t at = Touch(offsets, "src0Offset", index * 4, 4, PIPE_V, Access::kRead);
    RequireDefined(offsets, "src0Offset", at, 4);
    uint32_t offset;
    std::memcpy(&offset, core().memory.ub + at, 4);
    if (offset % kBlockBytes != 0 || offset + kBlockBytes > kUbBytes)
        Broken("gather-offset", BufferName(src),
               Text("offset %u at index %llu of BilinearInterpolation", offset, static_cast<unsigned long long>(index)),
               "offsets count bytes, are multiples of 32 and stay inside the source");
    return offset;
}

Repeat Take(uint64_t repeat, const Local& src, const Local& offsets, const Local& weights, bool each,
            const Local& dst) {
    Repeat r;
    for (uint32_t b = 0; b < kBlocks; ++b) {
        const auto block = TakeValues(Type::kHalf, src, "src0", OffsetOf(offsets, repeat * kBlocks + b, src) / 2,
                                      kLanesOfBlock, dst, &r.known);
        r.values.insert(r.values.end(), block.begin(), block.end());
    }
    r.weights =
        TakeValues(Type::kHalf, weights, "src1", each ? repeat * kBlocks : repeat, each ? kBlocks : 1, dst, &r.known);
    return r;
}

float Half(float value) {
    uint16_t bits;
    FloatToHalf(&value, &bits, 1);
    HalfToFloat(&bits, &value, 1);
    return value;
}

}  // namespace

void Bilinear(const Local& dst, const Local& src, const Local& offsets, const Local& weights, const Mask& mask,
              const BilinearShape& s, const Local& work, uint32_t workBytes) {
    UseAtLeast("BilinearInterpolation", &work, workBytes);
    Begin("BilinearInterpolation", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src0");
    CheckAligned(offsets, "src0Offset");
    CheckAligned(weights, "src1");
    if (s.across == 0 || s.down == 0)
        Broken("repeat-limit", "", Text("hRepeat %u and vRepeat %u of BilinearInterpolation", s.across, s.down),
               "both are 1 to 255");
    if (s.next < kLanes || s.next % kLanesOfBlock != 0)
        Broken("copy-params", "", Text("vROffset %u of BilinearInterpolation", s.next),
               "it counts elements: 128 at least, in multiples of 16");
    const Lanes active = LanesOfRepeat(PlanMask(mask, kLanes, 1), kLanes, 0);
    for (uint64_t v = 0; v < s.down; ++v) {
        float sums[kLanes] = {};
        bool known = true;
        for (uint64_t h = 0; h < s.across; ++h) {
            const Repeat r = Take(v * s.across + h, src, offsets, weights, s.each, dst);
            known = known && r.known;
            for (uint32_t i = 0; i < kLanes; ++i) {
                const float product = Half(r.values[i] * r.weights[s.each ? i / kLanesOfBlock : 0]);
                sums[i] = h == 0 ? product : Half(sums[i] + product);
            }
        }
        for (uint32_t i = 0; i < kLanes; ++i) {
            if (!active.test(i)) continue;
            const uint64_t to =
                v * s.next + static_cast<uint64_t>(i / kLanesOfBlock) * s.dstBlock * kLanesOfBlock + i % kLanesOfBlock;
            PutValues(Type::kHalf, dst, "dst", to, &sums[i], 1, known);
        }
    }
}

}  // namespace twin
