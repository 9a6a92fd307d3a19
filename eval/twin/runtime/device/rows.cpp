// High-level functions that work on rows: Sum, Mean, BroadCast.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "numbers.h"
#include "rows.h"
#include "twin/temporary_sizes.h"

namespace twin {

std::vector<float> ReadRow(Type type, uint32_t ubOffset, uint32_t n) {
    std::vector<float> row(n);
    const uint8_t* from = core().memory.ub + ubOffset;
    if (type == Type::kHalf) HalfToFloat(reinterpret_cast<const uint16_t*>(from), row.data(), n);
    else std::memcpy(row.data(), from, n * sizeof(float));
    return row;
}

void WriteRow(Type type, uint32_t ubOffset, const float* row, uint32_t n) {
    uint8_t* to = core().memory.ub + ubOffset;
    if (type == Type::kHalf) FloatToHalf(row, reinterpret_cast<uint16_t*>(to), n);
    else std::memcpy(to, row, n * sizeof(float));
}

std::vector<float> TakeValues(Type type, const Local& t, const char* operand, uint64_t from, uint32_t n,
                              const Local& dst, bool* known) {
    const uint32_t bytes = TypeBytes(type);
    const uint32_t at = Touch(t, operand, from * bytes, static_cast<uint64_t>(n) * bytes, PIPE_V, Access::kRead);
    if (!AllDefined(at, static_cast<uint64_t>(n) * bytes)) {
        NoteUnwritten(dst, t, operand, at);
        *known = false;
    }
    return ReadRow(type, at, n);
}

void PutValues(Type type, const Local& t, const char* operand, uint64_t from, const float* values, uint32_t n,
               bool known) {
    const uint32_t bytes = TypeBytes(type);
    const uint32_t at = Touch(t, operand, from * bytes, static_cast<uint64_t>(n) * bytes, PIPE_V, Access::kWrite);
    WriteRow(type, at, values, n);
    Define(at, static_cast<uint64_t>(n) * bytes, known);
}

void PutPadding(Type type, const Local& t, const char* operand, uint64_t from, uint32_t n) {
    const std::vector<float> nothing(n, std::nanf(""));
    if (n != 0) PutValues(type, t, operand, from, nothing.data(), n, false);
}

void SumRows(const char* api, Type type, const Local& dst, const Local& src, uint32_t outer, uint32_t inner, uint32_t n,
             const SumMemory& memory) {
    const bool mean = memory.mean;
    if (n > 0)
        UseAtLeast(api, memory.work,
                   mean ? MeanTemporary(n, TypeBytes(type), memory.accumulated) : SumTemporary(n, TypeBytes(type)));
    Begin(api, PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const uint32_t bytes = TypeBytes(type);
    if (inner * bytes % kBlockBytes != 0 || n > inner || n == 0) {
        Broken("reduce-shape", BufferName(src),
               Text("%s of rows of %u elements, %u of them used; a row is a multiple of 32 bytes and n is 1 to inner",
                    api, inner, n),
               "pad the rows");
    }
    for (uint32_t r = 0; r < outer; ++r) {
        const uint32_t from = Touch(src, "src", static_cast<uint64_t>(r) * inner * bytes,
                                    static_cast<uint64_t>(n) * bytes, PIPE_V, Access::kRead);
        const std::vector<float> row = ReadRow(type, from, n);
        float sum = 0;
        for (float x : row) sum += x;
        if (mean) sum /= static_cast<float>(n);
        const uint32_t to = Touch(dst, "dst", static_cast<uint64_t>(r) * bytes, bytes, PIPE_V, Access::kWrite);
        const bool known = AllDefined(from, static_cast<uint64_t>(n) * bytes);
        if (!known) NoteUnwritten(dst, src, "src", from);
        WriteRow(type, to, &sum, 1);
        Define(to, bytes, known);
    }
}

void BroadcastRows(uint32_t elementBytes, const Local& dst, const Local& src, uint32_t rows, uint32_t columns,
                   bool perRow, bool sameRow) {
    Begin("BroadCast", PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    Core& c = core();
    const bool element = perRow && !sameRow;
    const uint64_t srcBytes = static_cast<uint64_t>(element ? rows : columns) * elementBytes;
    const uint32_t from = Touch(src, "src", 0, srcBytes, PIPE_V, Access::kRead);
    const uint64_t rowBytes = static_cast<uint64_t>(columns) * elementBytes;
    const uint32_t to = Touch(dst, "dst", 0, rowBytes * rows, PIPE_V, Access::kWrite);
    if (!AllDefined(from, srcBytes)) NoteUnwritten(dst, src, "src", from);
    for (uint64_t r = 0; r < rows; ++r) {
        for (uint64_t k = 0; k < columns; ++k) {
            const uint64_t source = from + (element ? r : k) * elementBytes,
                           target = to + r * rowBytes + k * elementBytes;
            std::memcpy(c.memory.ub + target, c.memory.ub + source, elementBytes);
            std::memcpy(c.memory.defined.data() + target, c.memory.defined.data() + source, elementBytes);
        }
    }
}

}  // namespace twin
