// Integers to floating numbers by a scale, computed in float and rounded once.
#include <cstring>

#include "numbers.h"
#include "rows.h"
#include "twin/dequant.h"

namespace twin {

namespace {

uint32_t Read(const Local& t, const char* operand, uint64_t from, uint64_t bytes, const Local& dst, bool* known) {
    const uint32_t at = Touch(t, operand, from, bytes, PIPE_V, Access::kRead);
    if (!AllDefined(at, bytes)) {
        NoteUnwritten(dst, t, operand, at);
        *known = false;
    }
    return at;
}

std::vector<float> Scales(Type type, const Local& t, uint32_t n, const Local& dst, bool* known) {
    std::vector<float> scales(n);
    const uint32_t bytes = TypeBytes(type);
    const uint8_t* from = core().memory.ub + Read(t, "deqScale", 0, static_cast<uint64_t>(n) * bytes, dst, known);
    if (type == Type::kBfloat16) Bfloat16ToFloat(reinterpret_cast<const uint16_t*>(from), scales.data(), n);
    else
        for (uint32_t i = 0; i < n; ++i) std::memcpy(&scales[i], from + i * bytes, sizeof(float));
    return scales;
}

void WriteFloats(Type type, uint32_t at, const std::vector<float>& values) {
    const auto n = static_cast<uint32_t>(values.size());
    if (type == Type::kBfloat16) FloatToBfloat16(values.data(), reinterpret_cast<uint16_t*>(core().memory.ub + at), n);
    else WriteRow(type, at, values.data(), n);
}

}  // namespace

void DequantRows(Type dstType, Type scaleType, const Local& dst, const Local& src, const Local* scales, float scale,
                 const DequantShape& s) {
    Begin("AscendDequant", PIPE_V);
    CheckAligned(dst, "dstTensor");
    CheckAligned(src, "srcTensor");
    if (scales != nullptr) CheckAligned(*scales, "deqScale");
    if (s.rows == 0 || s.columns % 8 != 0 || s.used == 0 || s.used > s.columns) {
        Broken("reduce-shape", BufferName(src),
               Text("AscendDequant of %u rows of %u elements, %u of them taken; a row is a multiple of 32 bytes, and 1 "
                    "<= calCount <= n",
                    s.rows, s.columns, s.used),
               "pad the rows");
    }
    const uint32_t bytes = TypeBytes(dstType),
                   stride = (s.columns * bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    const uint64_t srcBytes = static_cast<uint64_t>(s.rows) * s.columns * 4,
                   dstBytes = static_cast<uint64_t>(s.rows) * stride;
    if (dst.data < src.data + srcBytes && src.data < dst.data + dstBytes)
        Broken("partial-overlap", BufferName(dst), "dst of AscendDequant shares memory with its source",
               "give dst memory of its own");
    bool known = true;
    const std::vector<float> by =
        scales != nullptr ? Scales(scaleType, *scales, s.used, dst, &known) : std::vector<float>(s.used, scale);
    for (uint32_t r = 0; r < s.rows; ++r) {
        bool rowKnown = known;
        const uint32_t from = Read(src, "srcTensor", static_cast<uint64_t>(r) * s.columns * 4,
                                   static_cast<uint64_t>(s.used) * 4, dst, &rowKnown);
        std::vector<float> row(s.used);
        for (uint32_t i = 0; i < s.used; ++i) {
            int32_t value;
            std::memcpy(&value, core().memory.ub + from + i * 4, sizeof(value));
            row[i] = static_cast<float>(value) * by[i];
        }
        const uint32_t to = Touch(dst, "dstTensor", static_cast<uint64_t>(r) * stride, stride, PIPE_V, Access::kWrite);
        WriteFloats(dstType, to, row);
        Define(to, stride, false);
        Define(to, static_cast<uint64_t>(s.used) * bytes, rowKnown);
    }
}

}  // namespace twin
