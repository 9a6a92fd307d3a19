// Small integers to floating numbers with an offset and a scale: to half in half, each step rounded, and to bfloat16 in
// float, as the page of AscendAntiQuant describes both.
#include "twin/antiquant.h"

#include "numbers.h"
#include "rows.h"

namespace twin {

namespace {

float Rounded(float value) {
    uint16_t half;
    FloatToHalf(&value, &half, 1);
    HalfToFloat(&half, &value, 1);
    return value;
}

[[noreturn]] void Wrong(const Local& t, const std::string& seen, const char* fix) {
    Broken("operand-shape", BufferName(t), "AscendAntiQuant of " + seen, fix);
}

struct Sides {
    uint32_t rows, columns;
};

/// Offsets or scales as floats, one for each element that shares none.
struct Factors {
    std::vector<float> values;
    uint32_t rows, columns;
    bool known = true;
    float At(const Sides& s, uint32_t r, uint32_t k) const {
        if (values.size() == 1) return values[0];
        return values[static_cast<uint64_t>(r / (s.rows / rows)) * columns + k / (s.columns / columns)];
    }
};

Factors Take(const char* name, const AntiQuantOperand& from, Type type, const Sides& s, bool transposed,
             const Local& dst) {
    if (from.tensor == nullptr) return {{from.value}, 1, 1};
    // One for each channel; along K they may be shared.
    const uint32_t channels = transposed ? from.rows : from.columns, groups = transposed ? from.columns : from.rows;
    const uint32_t n = transposed ? s.rows : s.columns, k = transposed ? s.columns : s.rows;
    if ((channels != n && !(channels == 1 && groups == 1)) || groups == 0 || k % groups != 0)
        Wrong(*from.tensor,
              Text("%s of %u x %u for %u x %u elements", name, from.rows, from.columns, s.rows, s.columns),
              "pass AntiQuantShapeInfo, or SetShapeInfo on the tensor: one value for each of N, for the whole of K or "
              "equal parts");
    Factors f{{}, from.rows, from.columns};
    const uint32_t count = from.rows * from.columns;
    CheckAligned(*from.tensor, name);
    const uint32_t at = Touch(*from.tensor, name, 0, count * 2ull, PIPE_V, Access::kRead);
    f.known = AllDefined(at, count * 2ull);
    if (!f.known) NoteUnwritten(dst, *from.tensor, name, at);
    f.values.resize(count);
    const auto* bits = reinterpret_cast<const uint16_t*>(core().memory.ub + at);
    if (type == Type::kHalf) HalfToFloat(bits, f.values.data(), count);
    else Bfloat16ToFloat(bits, f.values.data(), count);
    return f;
}

float Integer(const uint8_t* from, uint32_t index, bool packed) {
    if (!packed) return static_cast<int8_t>(from[index]);
    return static_cast<float>(static_cast<int8_t>(from[index / 2] << (index % 2 == 0 ? 4 : 0)) >> 4);
}

uint32_t Needs(Type type, const AntiQuantOperand& scale, const Sides& s, bool transposed) {
    if (type == Type::kHalf) return 0;
    const uint32_t count = scale.rows * scale.columns;
    return count == 1 ? kAntiQuantOne : AntiQuantTemporary(count, s.rows, transposed);
}

}  // namespace

void AntiQuantRows(Type type, bool packed, const Local& dst, const Local& src, const AntiQuantOperand* offset,
                   const AntiQuantOperand& scale, const Local* work, const AntiQuantShape& shape) {
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    const uint64_t from = packed ? shape.elements / 2 : shape.elements, to = shape.elements * 2ull;
    if (shape.k == 0 || shape.elements == 0 || shape.elements % shape.k != 0 || from % kBlockBytes != 0)
        Wrong(src, Text("%u elements with k of %u", shape.elements, shape.k),
              "src is K x N elements, a multiple of 32 bytes");
    if (shape.transposed && (packed ? shape.k / 2 : shape.k) % kBlockBytes != 0)
        Wrong(src, Text("k of %u", shape.k), "a transposed input has K of a multiple of 32 bytes");
    if (dst.data < src.data + from && src.data < dst.data + to)
        Broken("partial-overlap", BufferName(dst), "dst of AscendAntiQuant shares memory with its source",
               "give dst memory of its own");
    // The shipped example tells the offset's shape alone.
    AntiQuantOperand scaled = scale;
    if (scale.tensor != nullptr && scale.columns == 0 && offset != nullptr) {
        scaled.rows = offset->rows;
        scaled.columns = offset->columns;
    }
    const uint32_t n = shape.elements / shape.k;
    const Sides s = shape.transposed ? Sides{n, shape.k} : Sides{shape.k, n};
    UseAtLeast("AscendAntiQuant", work, Needs(type, scaled, s, shape.transposed));
    Begin("AscendAntiQuant", PIPE_V);
    const Factors by = Take("scale", scaled, type, s, shape.transposed, dst);
    const Factors shift =
        offset == nullptr ? Factors{{0.0f}, 1, 1} : Take("offset", *offset, type, s, shape.transposed, dst);
    const uint32_t a = Touch(src, "src", 0, from, PIPE_V, Access::kRead),
                   b = Touch(dst, "dst", 0, to, PIPE_V, Access::kWrite);
    const bool known = AllDefined(a, from);
    if (!known) NoteUnwritten(dst, src, "src", a);
    std::vector<float> values(shape.elements);
    for (uint32_t i = 0; i < shape.elements; ++i) {
        const uint32_t r = i / s.columns, k = i % s.columns;
        float x = Integer(core().memory.ub + a, i, packed);
        if (offset != nullptr) x += shift.At(s, r, k);
        if (type == Type::kHalf) x = Rounded(x);
        values[i] = x * by.At(s, r, k);
    }
    auto* bits = reinterpret_cast<uint16_t*>(core().memory.ub + b);
    if (type == Type::kHalf) FloatToHalf(values.data(), bits, shape.elements);
    else FloatToBfloat16(values.data(), bits, shape.elements);
    Define(b, to, known && by.known && shift.known);
}

}  // namespace twin
