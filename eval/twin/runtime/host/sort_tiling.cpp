// Temporary memory and tiling of the sorting functions. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "twin_host/sort_tiling.h"

#include <algorithm>

namespace AscendC {

namespace {

constexpr int32_t kUnit = 32;
constexpr int32_t kRecordBytes = 8;
constexpr int32_t kMaskBytes = 64;

bool ShapeFits(int32_t inner, int32_t outter, uint32_t dataTypeSize) {
    return inner > 0 && inner % kUnit == 0 && outter > 0 && (dataTypeSize == 2 || dataTypeSize == 4);
}

int32_t RoundUp(int32_t value, int32_t unit) { return (value + unit - 1) / unit * unit; }

/// `bits` ones, `stride` apart, starting at bit `first`.
uint32_t Ones(int32_t bits, int32_t stride, int32_t first) {
    uint32_t mask = 0;
    for (int32_t i = 0; i < bits; ++i) mask |= 1u << (i * stride + first);
    return mask;
}

void FillNormal(tiling::TopkTiling* t, int32_t inner, int32_t outter, int32_t k, int32_t bytes, bool isInitIndex) {
    const int32_t unit = 4 / bytes * 2;  // elements of a record
    t->kAlignTwoBytes = RoundUp(k, 16);
    t->innerDataSize = inner * unit;
    t->copyUbToUbBlockCount = static_cast<uint32_t>(inner * kRecordBytes / kUnit);
    t->sortRepeat = static_cast<uint32_t>(inner / kUnit);
    t->mrgSortRepeat = inner / 4;
    t->maskOffset = outter * (bytes == 2 ? t->kAlignTwoBytes : t->kAlignFourBytes);
    t->maskVreducev2FourBytes = 2 * k;
    t->maskVreducev2TwoBytes = 4 * k;
    t->mrgSortSrc1offset = t->mrgSortTwoQueueSrc1Offset = unit;
    t->mrgSortSrc2offset = 2 * unit;
    t->mrgSortSrc3offset = 3 * unit;
    t->mrgFourQueueTailPara1 = inner * 2;
    t->mrgFourQueueTailPara2 = 4 / bytes;
    t->tmpLocalSize = inner * 16 / bytes;
    if (isInitIndex) return;
    t->srcIndexOffset = t->tmpLocalSize;
    t->tmpLocalSize += inner * 4 / bytes;
}

void FillSmall(tiling::TopkTiling* t, int32_t inner, int32_t outter, int32_t k, int32_t bytes, bool isInitIndex,
               bool isLargest) {
    const int32_t all = inner * outter;
    t->sortRepeat = static_cast<uint32_t>(all / kUnit);
    t->innerDataSize = all * kRecordBytes / bytes;
    t->maskOffset = outter * k;
    t->topkMrgSrc1MaskSizeOffset = t->innerDataSize + (isLargest ? 0 : all);
    t->tmpLocalSize = t->topkMrgSrc1MaskSizeOffset + kMaskBytes / bytes;
    if (!isInitIndex) {
        t->topkNSmallSrcIndexOffset = t->tmpLocalSize;
        t->tmpLocalSize += all * 4 / bytes;
    }
    const auto part = [k](int32_t from, int32_t size) { return std::min(std::max(k - from, 0), size); };
    t->vreduceIdxMask0 = Ones(part(0, 16), 2, 1);
    t->vreduceIdxMask1 = Ones(part(16, 16), 2, 1);
    if (bytes == 4) {
        t->vreduceValMask0 = Ones(part(0, 16), 2, 0);
        t->vreduceValMask1 = Ones(part(16, 16), 2, 0);
        return;
    }
    uint16_t* const masks[] = {&t->vreducehalfValMask0, &t->vreducehalfValMask1, &t->vreducehalfValMask2,
                               &t->vreducehalfValMask3, &t->vreducehalfValMask4, &t->vreducehalfValMask5,
                               &t->vreducehalfValMask6, &t->vreducehalfValMask7};
    for (int32_t i = 0; i < 8; ++i) *masks[i] = static_cast<uint16_t>(Ones(part(i * 4, 4), 4, 0));
}

}  // namespace

uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t, const uint32_t) { return 0; }

uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount, const uint32_t) {
    return elemCount * kRecordBytes;
}

void GetSortMaxMinTmpSize(const ge::Shape&, ge::DataType, ge::DataType, bool, const SortConfig&, uint32_t& maxValue,
                          uint32_t& minValue) {
    maxValue = minValue = 0;
}

bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
                          const bool, const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                          const uint32_t dataTypeSize, uint32_t& maxValue, uint32_t& minValue) {
    if (!ShapeFits(inner, outter, dataTypeSize)) return false;
    const auto elements =
        static_cast<uint32_t>(inner) * static_cast<uint32_t>(mode == TopKMode::TOPK_NSMALL ? outter : 1);
    if (mode == TopKMode::TOPK_NORMAL) minValue = elements * (isInitIndex ? 16 : 20);
    else minValue = elements * (kRecordBytes + (isLargest ? 0 : 4) + (isInitIndex ? 0 : 4)) + kMaskBytes;
    maxValue = minValue;
    return true;
}

bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
                    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                    const bool isLargest, tiling::TopkTiling& topKTiling) {
    topKTiling = {};
    if (!ShapeFits(inner, outter, dataTypeSize) || k < 1 || k > inner) return false;
    topKTiling.allDataSize = inner * outter;
    topKTiling.kAlignFourBytes = RoundUp(k, 8);
    if (mode == TopKMode::TOPK_NORMAL)
        FillNormal(&topKTiling, inner, outter, k, static_cast<int32_t>(dataTypeSize), isInitIndex);
    else FillSmall(&topKTiling, inner, outter, k, static_cast<int32_t>(dataTypeSize), isInitIndex, isLargest);
    return true;
}

bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter,
                    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                    const bool isLargest, optiling::TopkTiling& topKTiling) {
    tiling::TopkTiling own;
    const bool done =
        TopKTilingFunc(ascendcPlatform, inner, outter, k, dataTypeSize, isInitIndex, mode, isLargest, own);
#define TWIN_STORE_FIELD(type, name) topKTiling.set_##name(own.name);
    TWIN_TOPK_TILING(TWIN_STORE_FIELD)
#undef TWIN_STORE_FIELD
    return done;
}

}  // namespace AscendC
