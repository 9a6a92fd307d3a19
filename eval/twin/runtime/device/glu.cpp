// Gated linear units, running sums, quantisation to int8_t and dropout; computed in float, where not said otherwise,
// and rounded once.
#include <algorithm>
#include <cmath>

#include "numbers.h"
#include "reserved.h"
#include "rows.h"
#include "twin/glu.h"

namespace twin {

namespace {

void RequireApart(const Local& dst, uint64_t dstBytes, const Local& src, uint64_t srcBytes) {
    if (dst.data >= src.data + srcBytes || src.data >= dst.data + dstBytes) return;
    Broken("partial-overlap", BufferName(dst), Text("dst of %s shares memory with a source", core().account.api),
           "give dst memory of its own");
}

float Gated(Gate gate, float x, float scalar) {
    switch (gate) {
        case Gate::kSwish: return x / (1.0f + std::exp(-scalar * x));
        case Gate::kRelu: return std::isnan(x) ? x : std::max(x, 0.0f);
        default: return x / (1.0f + std::exp(-0.0713548162726f * (x * x * x + 22.363860002236f * x)));
    }
}

float RoundToHalf(float value) {
    uint16_t bits;
    FloatToHalf(&value, &bits, 1);
    HalfToFloat(&bits, &value, 1);
    return value;
}

std::vector<float> Bfloat16s(const Local& t, uint32_t n, const Local& dst, bool* known) {
    const uint32_t at = Touch(t, "srcTensor", 0, static_cast<uint64_t>(n) * 2, PIPE_V, Access::kRead);
    if (!AllDefined(at, static_cast<uint64_t>(n) * 2)) {
        NoteUnwritten(dst, t, "srcTensor", at);
        *known = false;
    }
    std::vector<float> values(n);
    Bfloat16ToFloat(reinterpret_cast<const uint16_t*>(core().memory.ub + at), values.data(), n);
    return values;
}

std::vector<float> Source(Type type, const Local& t, uint32_t n, const Local& dst, bool* known) {
    return type == Type::kBfloat16 ? Bfloat16s(t, n, dst, known) : TakeValues(type, t, "srcTensor", 0, n, dst, known);
}

}  // namespace

void GatedUnit(const char* api, Gate gate, Type type, const Local& dst, const Local& src0, const Local& src1,
               float scalar, uint32_t count) {
    Begin(api, PIPE_V);
    for (const Local* one : {&dst, &src0, &src1}) CheckAligned(*one, "an operand");
    const uint64_t bytes = static_cast<uint64_t>(count) * TypeBytes(type);
    RequireApart(dst, bytes, src0, bytes);
    RequireApart(dst, bytes, src1, bytes);
    bool known = true;
    std::vector<float> a = Source(type, src0, count, dst, &known);
    const std::vector<float> b = Source(type, src1, count, dst, &known);
    for (uint32_t i = 0; i < count; ++i) a[i] *= Gated(gate, b[i], scalar);
    if (type != Type::kBfloat16) return PutValues(type, dst, "dstTensor", 0, a.data(), count, known);
    const uint32_t to = Touch(dst, "dstTensor", 0, bytes, PIPE_V, Access::kWrite);
    FloatToBfloat16(a.data(), reinterpret_cast<uint16_t*>(core().memory.ub + to), count);
    Define(to, bytes, known);
}

void RunningSum(Type type, const Local& dst, const Local* lastRow, const Local& src, uint32_t rows, uint32_t columns,
                bool alongRow) {
    Begin("CumSum", PIPE_V);
    CheckAligned(dst, "dstTensor");
    CheckAligned(src, "srcTensor");
    if (rows == 0 || columns == 0 || static_cast<uint64_t>(columns) * TypeBytes(type) % kBlockBytes != 0) {
        Broken("reduce-shape", BufferName(src),
               Text("CumSum of %u x %u elements; a row is a multiple of 32 bytes", rows, columns), "pad the rows");
    }
    bool known = true;
    std::vector<float> sums(columns);
    for (uint32_t r = 0; r < rows; ++r) {
        std::vector<float> row =
            TakeValues(type, src, "srcTensor", static_cast<uint64_t>(r) * columns, columns, dst, &known);
        for (uint32_t i = 0; i < columns; ++i) {
            if (alongRow) row[i] += i == 0 ? 0 : row[i - 1];
            else row[i] = sums[i] += row[i];
        }
        PutValues(type, dst, "dstTensor", static_cast<uint64_t>(r) * columns, row.data(), columns, known);
        if (lastRow != nullptr && r + 1 == rows)
            PutValues(type, *lastRow, "lastRowTensor", 0, row.data(), columns, known);
    }
}

void QuantToInt8(Type type, const Local& dst, const Local& src, const QuantScale& by, uint32_t count) {
    Begin("AscendQuant", PIPE_V);
    CheckAligned(dst, "dstTensor");
    CheckAligned(src, "srcTensor");
    if (by.channels == 0 || count % by.channels != 0) {
        Broken("reduce-shape", BufferName(src),
               Text("AscendQuant of %u elements with %u scales; as many offsets, and whole rows", count, by.channels),
               "pass the row's length as scaleCount and offsetCount");
    }
    bool known = true;
    const std::vector<float> x = TakeValues(type, src, "srcTensor", 0, count, dst, &known);
    const std::vector<float> scales = by.scale != nullptr
                                          ? TakeValues(type, *by.scale, "scaleTensor", 0, by.channels, dst, &known)
                                          : std::vector<float>(by.channels, by.scaleValue);
    const std::vector<float> offsets = by.offset != nullptr
                                           ? TakeValues(type, *by.offset, "offsetTensor", 0, by.channels, dst, &known)
                                           : std::vector<float>(by.channels, by.offsetValue);
    const uint32_t to = Touch(dst, "dstTensor", 0, count, PIPE_V, Access::kWrite);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = i % by.channels;
        const float value =
            RoundToHalf(RoundToHalf(RoundToHalf(x[i]) * RoundToHalf(scales[channel])) + RoundToHalf(offsets[channel]));
        core().memory.ub[to + i] = static_cast<uint8_t>(
            static_cast<int8_t>(std::isnan(value) ? 0.0f : std::min(std::max(std::nearbyint(value), -128.0f), 127.0f)));
    }
    Define(to, count, known);
}

void DropByMask(Type type, const Local& dst, const Local& src, const Local& mask, float keep, uint32_t rows,
                uint32_t columns, uint32_t maskColumns, bool bits) {
    Begin("DropOut", PIPE_V);
    OverwriteReserved("DropOut", 128);
    for (const Local* one : {&dst, &src, &mask}) CheckAligned(*one, "an operand");
    const uint32_t wanted = bits ? (columns + 7) / 8 : columns;
    if (rows == 0 || columns == 0 || maskColumns < wanted ||
        static_cast<uint64_t>(columns) * TypeBytes(type) % kBlockBytes != 0 || keep <= 0 || keep >= 1) {
        Broken("reduce-shape", BufferName(src),
               Text("DropOut of %u x %u elements with %u bytes of mask a row and keepProb %g; a row is a multiple of "
                    "32 bytes, the mask covers it, keepProb is between 0 and 1",
                    rows, columns, maskColumns, keep),
               "give srcLastAxis in elements and maskLastAxis in bytes of the mask");
    }
    for (uint32_t r = 0; r < rows; ++r) {
        const uint32_t at =
            Touch(mask, "maskLocal", static_cast<uint64_t>(r) * maskColumns, wanted, PIPE_V, Access::kRead);
        RequireDefined(mask, "maskLocal", at, wanted);
        bool known = true;
        std::vector<float> row =
            TakeValues(type, src, "srcLocal", static_cast<uint64_t>(r) * columns, columns, dst, &known);
        for (uint32_t i = 0; i < columns; ++i) {
            const bool kept = bits ? (core().memory.ub[at + i / 8] >> (i % 8) & 1) != 0 : core().memory.ub[at + i] != 0;
            row[i] = kept ? row[i] * (1.0f / keep) : 0.0f;
        }
        PutValues(type, dst, "dstLocal", static_cast<uint64_t>(r) * columns, row.data(), columns, known);
    }
}

}  // namespace twin
