// What instructions of a core leave behind for later ones.
#ifndef TWIN_DEVICE_REGISTERS_H
#define TWIN_DEVICE_REGISTERS_H

#include <cstdint>
#include <vector>

#include "twin/load3d.h"
#include "twin/runtime.h"

namespace twin {

/// What the calls around LoadData of feature maps have set.
struct UnfoldRegisters {
    FeatureMap map{};
    uint64_t padding = 0;
    uint32_t stride = 0, times = 1, mode = 0;
    uint32_t boundary = 0;
};

struct Registers {
    uint64_t maskLow = ~0ull, maskHigh = ~0ull;
    bool counterMode = false;
    bool saturating = false;
    Type atomicType = Type::kOther;
    int atomicOp = 0;  // 0 none, 1 add, 2 max, 3 min
    float dequantScale = 1.0f;
    uint64_t dequantBits = 0;
    Local dequantSet;
    uint64_t padding = 0;
    bool paddingSet = false;
    uint8_t compareMask[16] = {};
    float accumulated = 0;
    Type accumulatedType = Type::kFloat;
    uint32_t reducedValue = 0, reducedIndex = 0;
    uint64_t gathered = 0;  // elements that the last GatherMask kept
    UnfoldRegisters unfold;
    struct {
        std::vector<uint8_t> bytes, defined;  // a quarter of L0B; empty before the first LoadDataWithSparse
    } sparse;
    struct {
        uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
        uint64_t scale = 0;
        Local scales;  // one for each column, in the fixpipe buffer
    } result;          // what SetFixpipe... left to copies out of L0C
};

}  // namespace twin

#endif
