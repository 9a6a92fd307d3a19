// Temporary memory of Broadcast. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include <string>

#include "log/log.h"
#include "twin_host/size_queries.h"

namespace AscendC {

namespace {

constexpr uint32_t kBlock = 32;
constexpr uint32_t kRowsOfBrcb = 8;

uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// What is wrong with the shapes; '' when nothing is.
std::string Fault(const TensorShape& src, const TensorShape& dst, uint32_t typeSize) {
    if (typeSize != 1 && typeSize != 2 && typeSize != 4) return "typeSize should be 1, 2 or 4";
    if (src.GetDimNum() != dst.GetDimNum()) return "srcShape and dstShape should have as many axes";
    if (dst.GetDimNum() != 1 && dst.GetDimNum() != 2) return "shapes should have one or two axes";
    for (size_t i = 0; i < dst.GetDimNum(); ++i) {
        const bool matches = src.GetDim(i) == dst.GetDim(i) || src.GetDim(i) == 1;
        if (!matches) return "an axis of srcShape is neither 1 nor dstShape's";
    }
    return src.GetShapeSize() > 0 ? "" : "srcShape should have elements";
}

}  // namespace

void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
                               const TensorShape& dstShape, uint32_t typeSize, const bool, uint32_t& maxValue,
                               uint32_t& minValue) {
    const std::string fault = Fault(srcShape, dstShape, typeSize);
    if (!fault.empty()) {
        OP_LOGE("GetBroadCastMaxMinTmpSize", "%s", fault.c_str());
        return;
    }
    const auto from = static_cast<uint32_t>(srcShape.GetShapeSize());
    const auto to = static_cast<uint32_t>(dstShape.GetShapeSize());
    // Bytes are widened to half, both what is read and what comes of it.
    const uint32_t cast = typeSize == 1 ? (RoundUp(from, 16) + RoundUp(to, 16)) * 2 : 0;
    if (from == to || from == 1) {
        minValue = maxValue = typeSize == 1 ? cast + kBlock : 0;
        return;
    }
    const uint32_t size = typeSize == 1 ? 2 : typeSize, block = kBlock / size;
    const auto rows = static_cast<uint32_t>(dstShape.GetDim(0)), columns = static_cast<uint32_t>(dstShape.GetDim(1));
    if (srcShape.GetDim(1) != 1) {
        if (columns % block != 0) {
            OP_LOGE("GetBroadCastMaxMinTmpSize", "the last axis of dstShape is no multiple of 32 bytes");
            return;
        }
        minValue = maxValue = kBlock + cast;
        return;
    }
    const uint32_t width = RoundUp(columns, block), padded = width != columns ? width : 0;
    minValue = (block * block + block * padded) * size + cast;
    maxValue = (RoundUp(rows, kRowsOfBrcb) * block + rows * padded) * size + cast;
}

}  // namespace AscendC
