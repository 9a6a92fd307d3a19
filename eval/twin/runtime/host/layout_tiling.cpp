// Temporary memory and tilings of Pad, UnPad, Transpose and TransData. Figures: those of Atlas A2 in the SDK's tiling
// sources; pages Pad-Tiling, UnPad-Tiling, Transpose-Tiling, GetTransDataMaxMinTmpSize.
#include "twin_host/layout_tiling.h"

#include <algorithm>
#include <array>

namespace AscendC {

namespace {

constexpr uint32_t kBlock = 32;
constexpr uint32_t kFractal = 16;
constexpr uint32_t kMostRepeats = 255;
/// Brcb makes eight blocks a repeat; an even number of repeats keeps its source aligned.
constexpr uint32_t kBrcbRows = 8, kBrcbRepeats = 254;

uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
uint32_t Axis(const TensorShape& shape, size_t axis) {
    return axis < shape.GetDimNum() ? static_cast<uint32_t>(shape.GetDim(axis)) : 0;
}

/// Of what is spread to a block for each element, in two halves: blocks of sixteen rows, and elements of a half.
struct Spread {
    uint32_t blocks, rows, elements;
};
Spread SpreadOf(uint32_t stackBufferSize, uint32_t typeSize) {
    const uint32_t unit = kFractal * kBlock / typeSize;
    const uint32_t blocks = stackBufferSize / typeSize / unit / 2;
    return {blocks, blocks * kFractal, blocks * unit};
}

#define TWIN_STORE_FIELD(type, name) to->set_##name(from.name);
void Store(const tiling::PadTiling& from, optiling::PadTiling* to) { TWIN_PAD_TILING(TWIN_STORE_FIELD) }
void Store(const tiling::UnPadTiling& from, optiling::UnPadTiling* to) { TWIN_UNPAD_TILING(TWIN_STORE_FIELD) }
void Store(const tiling::ConfusionTransposeTiling& from, optiling::ConfusionTransposeTiling* to) {
    TWIN_TRANSPOSE_TILING(TWIN_STORE_FIELD)
}
#undef TWIN_STORE_FIELD

void FillUnaligned(tiling::PadTiling* t, uint32_t stackBufferSize, uint32_t typeSize) {
    const Spread s = SpreadOf(stackBufferSize, typeSize);
    t->tmpBuffer1BlockNum = s.blocks;
    t->tmpBuffer1RowNum = t->widthTiling = t->brcbTiling = s.rows;
    t->tmpBuffer2Offset = s.elements;
    if (s.rows == 0) return;
    const uint32_t all = t->srcHeight * t->srcWidth;
    t->widthFractal = t->srcWidth / s.rows;
    t->widthFractalTail = t->srcWidth % s.rows;
    t->widthFractalTailAlingned = RoundUp(t->widthFractalTail, kBlock / typeSize);
    t->brcbFractal = all / s.rows;
    t->brcbFractalTail = all % s.rows;
    t->maxRepeatTimes = kBrcbRepeats;
    t->brcbTilingRepeatTimes = s.rows / kBrcbRows / kBrcbRepeats;
    t->brcbTilingRepeatTimesTail = s.rows / kBrcbRows % kBrcbRepeats;
    t->brcbFractalTailRepeatTimes = t->brcbFractalTail / kBrcbRows / kBrcbRepeats;
    t->brcbFractalTailRepeatTimesTail = t->brcbFractalTail / kBrcbRows % kBrcbRepeats;
}

/// Numbers of TransposeType.
constexpr uint32_t kNz0213[] = {1, 2}, kNz012[] = {3, 4, 5, 6};
constexpr uint32_t kPlain = 7;
constexpr uint32_t kKinds[] = {1, 2, 3, 4, 5, 6, 7, 13, 14, 15};

template <size_t N>
bool Has(const uint32_t (&all)[N], uint32_t one) {
    return std::find(all, all + N, one) != all + N;
}

/// Five axes and the parts of sixteen of N and C.
struct Volume {
    uint32_t n, c, d, h, w;
    uint32_t Channels() const { return RoundUp(c, kFractal); }
    uint32_t Batches() const { return RoundUp(n, kFractal); }
    uint32_t Plane() const { return RoundUp(h * w, kFractal); }
};

Volume VolumeOf(const TensorShape& shape) {
    return {Axis(shape, 0), Axis(shape, 1), Axis(shape, 2), Axis(shape, 3), Axis(shape, 4)};
}

bool Is(const TensorShape& shape, std::initializer_list<uint32_t> axes) {
    if (shape.GetDimNum() != axes.size()) return false;
    size_t at = 0;
    return std::all_of(axes.begin(), axes.end(), [&](uint32_t axis) { return Axis(shape, at++) == axis; });
}

/// Whether `other` holds `v` in that format.
bool Holds(DataFormat format, const TensorShape& other, const Volume& v) {
    const uint32_t c1 = v.Channels() / kFractal, n1 = v.Batches() / kFractal;
    if (format == DataFormat::NDC1HWC0) return Is(other, {v.n, v.d, c1, v.h, v.w, kFractal});
    return format == DataFormat::FRACTAL_Z_3D && Is(other, {v.d, c1, v.h, v.w, n1, kFractal, kFractal});
}

uint32_t TransDataBytes(bool from, DataFormat format, const Volume& v) {
    const uint32_t padded = v.d * v.Channels() * v.Plane() * 2;
    if (format == DataFormat::NDC1HWC0) return from ? padded + v.d * v.Plane() * 2 : padded + 512;
    const uint32_t all = v.Batches() * padded;
    if (from) return all + std::max(v.c * v.d * v.Plane(), v.d * v.h * v.w * v.Batches()) * 2;
    return v.n == v.Batches() && v.c == v.Channels() ? all : 2 * all;
}

}  // namespace

void GetPadMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSize == 0) return;
    minValue = 2 * kFractal * (kBlock / typeSize) * typeSize;
    maxValue = RoundUp(Axis(srcShape, 0) * Axis(srcShape, 1), kFractal) / kFractal * minValue;
}

void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, tiling::PadTiling& tiling) {
    tiling = {};
    if (typeSize == 0) return;
    tiling.srcHeight = Axis(srcShape, 0);
    tiling.srcWidth = Axis(srcShape, 1);
    tiling.srcOriWidth = Axis(oriSrcShape, 1);
    tiling.widthWithoutLastBlock = tiling.srcWidth - kBlock / typeSize;
    tiling.blocksPerRow = tiling.srcWidth * typeSize / kBlock;
    tiling.heightTiling = kMostRepeats;
    tiling.heightFractal = tiling.srcHeight / kMostRepeats;
    tiling.heightFractalTail = tiling.srcHeight % kMostRepeats;
    tiling.mainLoopOffset = kMostRepeats * tiling.srcWidth;
    tiling.tailBlockOffset = tiling.heightFractal * tiling.mainLoopOffset + tiling.widthWithoutLastBlock;
    if (stackBufferSize != 0) FillUnaligned(&tiling, stackBufferSize, typeSize);
}

void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, optiling::PadTiling& tiling) {
    tiling::PadTiling own;
    PadTilingFunc(srcShape, oriSrcShape, stackBufferSize, typeSize, own);
    Store(own, &tiling);
}

void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape&, const uint32_t,
                           uint32_t& maxValue, uint32_t& minValue) {
    maxValue = minValue = 0;
}

void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     tiling::UnPadTiling& tiling) {
    tiling = {};
    tiling.srcHeight = Axis(srcShape, 0);
    tiling.srcWidth = Axis(srcShape, 1);
    if (stackBufferSize == 0 || typeSize == 0) return;
    const Spread s = SpreadOf(stackBufferSize, typeSize);
    tiling.tmpBuffer1BlockNum = s.blocks;
    tiling.tmpBuffer1RowNum = tiling.widthTiling = s.rows;
    tiling.tmpBuffer2Offset = s.elements;
    if (s.rows == 0) return;
    tiling.widthFractal = (tiling.srcWidth + s.rows - 1) / s.rows;
    tiling.widthFractalTail = tiling.srcWidth % s.rows == 0 ? s.rows : tiling.srcWidth % s.rows;
}

void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     optiling::UnPadTiling& tiling) {
    tiling::UnPadTiling own;
    UnPadTilingFunc(srcShape, stackBufferSize, typeSize, own);
    Store(own, &tiling);
}

void GetTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const uint32_t transposeTypeIn,
                               uint32_t& maxValue, uint32_t& minValue) {
    if (!Has(kKinds, transposeTypeIn)) return;
    const uint32_t fractal = kFractal * kFractal * typeSize;
    maxValue = minValue = Has(kNz012, transposeTypeIn) ? 2 * fractal : 0;
    if (!Has(kNz0213, transposeTypeIn)) return;
    minValue = fractal;
    maxValue = RoundUp(Axis(srcShape, 2), kFractal) * kFractal * typeSize;
}

void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                            const uint32_t transposeTypeIn, tiling::ConfusionTransposeTiling& tiling) {
    tiling = {};
    if (!Has(kKinds, transposeTypeIn)) return;
    tiling.param0 = transposeTypeIn;
    tiling.param1 = Axis(srcShape, 0);
    tiling.param2 = Axis(srcShape, 1);
    tiling.param3 = Axis(srcShape, 2);
    tiling.param4 = Axis(srcShape, 3);
    tiling.param5 = typeSize;
    tiling.param6 = stackBufferSize;
}

void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                            const uint32_t transposeTypeIn, optiling::ConfusionTransposeTiling& tiling) {
    tiling::ConfusionTransposeTiling own;
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, own);
    Store(own, &tiling);
}

void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                        const uint32_t transposeTypeIn, uint32_t& maxValue, uint32_t& minValue) {
    GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}

void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}

void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     optiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}

void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, kPlain, tiling);
}

void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, optiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, kPlain, tiling);
}

bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
                               const TensorShape& dstShape, const TensorDataType dataType,
                               const TransDataConfig& config, uint32_t& maxValue, uint32_t& minValue) {
    constexpr std::array<TensorDataType, 4> kTypes{ge::DT_FLOAT16, ge::DT_BF16, ge::DT_UINT16, ge::DT_INT16};
    if (std::find(kTypes.begin(), kTypes.end(), dataType) == kTypes.end()) return false;
    const bool from = config.srcFormat == DataFormat::NCDHW;
    if (!from && config.dstFormat != DataFormat::NCDHW) return false;
    const TensorShape& plain = from ? srcShape : dstShape;
    const DataFormat other = from ? config.dstFormat : config.srcFormat;
    if (plain.GetDimNum() != 5 || !Holds(other, from ? dstShape : srcShape, VolumeOf(plain))) return false;
    maxValue = minValue = TransDataBytes(from, other, VolumeOf(plain));
    return true;
}

}  // namespace AscendC
