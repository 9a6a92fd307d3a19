// Tiling data of the elementwise templates (atvoss).
#ifndef TWIN_ATVOSS_ELEWISE_BASE_STRUCT_H
#define TWIN_ATVOSS_ELEWISE_BASE_STRUCT_H

#include <cstdint>

namespace Ops {
namespace Base {

constexpr uint64_t ELEWISE_MAX_SCALAR_BYTES = 16;

struct EleBaseTilingData {
    int64_t dim0;
    int32_t coreNum;
    int32_t ubFormer;
    int64_t blockFormer;
    int64_t blockNum;
    int64_t ubLoopOfFormerBlock;
    int64_t ubLoopOfTailBlock;
    int64_t ubTailOfFormerBlock;
    int64_t ubTailOfTailBlock;
    int64_t elemNum;
    uint64_t scheMode;
};
using EleBaseTilingDataV2 = EleBaseTilingData;
struct EleBaseTilingData16B {
    int64_t dim0;
    int32_t coreNum;
    int32_t ubFormer;
};
struct EleBaseTilingData24B : EleBaseTilingData16B {
    char scalarData[8];
};
struct EleBaseTilingData32B : EleBaseTilingData16B {
    char scalarData[16];
};

}  // namespace Base
}  // namespace Ops

#endif
