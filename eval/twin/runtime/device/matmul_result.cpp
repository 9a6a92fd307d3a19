// Where the high-level Matmul puts C: rounded or scaled on the way, in rows or in columns of 32 bytes, to GM or UB.
#include <algorithm>
#include <cstring>

#include "cube.h"
#include "matmul.h"
#include "numbers.h"

namespace twin {

namespace {

uint64_t Up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Columns of C that lie next to each other in NZ.
uint32_t ColumnWidth(const MatmulTarget& t) { return t.type == Type::kInt8 ? 32 : t.channelSplit ? 8 : 16; }

QuantMode_t ModeOf(const MatmulTarget& t) {
    const bool fromFloat = t.numbers == Type::kFloat;
    switch (t.type) {
        case Type::kHalf: return fromFloat ? F322F16 : DEQF16;
        case Type::kBfloat16: return F322BF16;
        case Type::kInt8: return fromFloat ? QF322B8_PRE : REQ8;
        default: return NoQuant;
    }
}

void Convert(const MatmulTarget& t, uint32_t column, const uint8_t* from, uint32_t count, uint8_t* to) {
    const uint32_t size = TypeBytes(t.type);
    const QuantMode_t mode = ModeOf(t);
    if (!t.relu && mode == NoQuant) return void(std::memcpy(to, from, count * 4ull));
    if (!t.relu && mode == F322F16)
        return FloatToHalf(reinterpret_cast<const float*>(from), reinterpret_cast<uint16_t*>(to), count);
    if (!t.relu && mode == F322BF16)
        return FloatToBfloat16(reinterpret_cast<const float*>(from), reinterpret_cast<uint16_t*>(to), count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t scale = t.scales.empty() ? 0 : t.scales[t.scales.size() > 1 ? column + i : 0];
        ConvertResult(from + i * 4ull, to + static_cast<uint64_t>(i) * size, t.type, t.numbers, mode, t.relu, scale);
    }
}

/// Elements from the start of the destination.
uint64_t PlaceOf(const MatmulTarget& t, uint32_t row, uint32_t column) {
    const uint64_t r = row - t.firstRow, c = column - t.firstColumn;
    if (t.format != CubeFormat::NZ) return t.offset + r * t.stride + c;
    const uint32_t c0 = ColumnWidth(t);
    return t.offset + c / c0 * t.stride * c0 + r * c0 + c % c0;
}

void StoreGlobal(const MatmulTarget& t, uint64_t place, const uint8_t* bytes, uint64_t count, const uint8_t* unknown,
                 uint64_t computed) {
    const Core& c = core();
    const uint32_t size = TypeBytes(t.type);
    uint8_t* to = t.result->global->data == nullptr ? nullptr : t.result->global->data + place * size;
    const GmPlace at = GmCheck(to, count * size, size, Access::kWrite, "C");
    const int atomic = t.result->atomic != 0 ? t.result->atomic : c.cube ? c.registers.atomicOp : 0;
    GmWrite(at, count * size, bytes, atomic != 0 ? Way::kAtomic : Way::kPast);
    if (atomic == 0) std::memcpy(to, bytes, count * size);
    else AtomicInto(t.type, atomic, to, bytes, count);
    for (uint64_t i = 0; i < computed;) {
        uint64_t end = i;
        while (end < computed && unknown[end] != 0) ++end;
        if (end > i)
            GmUndefined({at.state, at.offset + i * size}, (end - i) * size,
                        Text("%s calculated them from values of A or B that nothing had written", c.account.api));
        i = end + 1;
    }
}

void StoreLocal(const MatmulTarget& t, uint64_t place, const uint8_t* bytes, uint64_t count, const uint8_t* unknown,
                uint64_t computed) {
    const Local& to = *t.result->local;
    const uint32_t size = TypeBytes(t.type);
    if (to.data != nullptr && (place + count) * size > to.bytes) {
        Broken("out-of-buffer", BufferName(to),
               Text("C of %s covers bytes %llu to %llu of a tensor of %u bytes", core().account.api,
                    static_cast<unsigned long long>(place * size),
                    static_cast<unsigned long long>((place + count) * size), to.bytes),
               "the tensor holds baseM x baseN elements for GetTensorC with enSequentialWrite, and all of C up to the "
               "tile without");
    }
    const uint32_t at = Touch(to, "C", place * size, count * size, PIPE_MTE2, Access::kWrite);
    std::memcpy(core().memory.ub + at, bytes, count * size);
    for (uint64_t i = 0; i < count; ++i)
        Define(static_cast<uint32_t>(at + i * size), size, i >= computed || unknown[i] == 0);
}

void StoreBoth(const MatmulTarget& t, uint64_t place, const uint8_t* bytes, uint64_t count, const uint8_t* unknown,
               uint64_t computed) {
    if (t.result->global != nullptr) StoreGlobal(t, place, bytes, count, unknown, computed);
    if (t.result->local != nullptr) StoreLocal(t, place, bytes, count, unknown, computed);
}

/// Elements behind a row's last, which ends at column `end`, that are written as 0.
uint32_t PaddingOf(const MatmulTarget& t, uint32_t end) {
    const uint32_t unit = t.format == CubeFormat::NZ         ? ColumnWidth(t)
                          : t.format == CubeFormat::ND_ALIGN ? 32 / TypeBytes(t.type)
                                                             : 1;
    return static_cast<uint32_t>(Up(end, unit) - end);
}

}  // namespace

void Store(const MatmulTarget& t, const MatmulRange& range, const uint8_t* values, const uint8_t* unknownRows,
           const uint8_t* unknownColumns) {
    const uint32_t step = ColumnWidth(t);
    std::vector<uint8_t> bytes, unknown;
    for (uint32_t r = 0; r < range.rows; ++r) {
        for (uint32_t c = 0, many = 0; c < range.columns; c += many) {
            const uint32_t at = range.column + c - t.firstColumn;
            many = t.format == CubeFormat::NZ ? std::min(step - at % step, range.columns - c) : range.columns;
            const uint32_t padding = PaddingOf(t, at + many);
            bytes.assign(static_cast<size_t>(many + padding) * std::max(4u, TypeBytes(t.type)), 0);
            Convert(t, range.column + c, values + 4ull * (static_cast<uint64_t>(r) * range.columns + c), many,
                    bytes.data());
            unknown.assign(unknownColumns + c, unknownColumns + c + many);
            if (unknownRows[r] != 0) std::fill(unknown.begin(), unknown.end(), 1);
            StoreBoth(t, PlaceOf(t, range.row + r, range.column + c), bytes.data(), many + padding, unknown.data(),
                      many);
        }
    }
}

std::vector<MatrixArea> AreasOf(const MatmulTarget& t, const MatmulRange& range) {
    if (t.result->global == nullptr) return {};
    const uint32_t size = TypeBytes(t.type);
    const uint8_t* base = t.result->global->data;
    if (t.format != CubeFormat::NZ)
        return {{base + PlaceOf(t, range.row, range.column) * size, static_cast<uint64_t>(range.columns) * size,
                 t.stride * size, range.rows}};
    std::vector<MatrixArea> areas;
    const uint64_t bytes = static_cast<uint64_t>(range.rows) * ColumnWidth(t) * size;
    for (uint32_t c = 0; c < range.columns; c += ColumnWidth(t))
        areas.push_back({base + PlaceOf(t, range.row, range.column + c) * size, bytes, bytes, 1});
    return areas;
}

}  // namespace twin
