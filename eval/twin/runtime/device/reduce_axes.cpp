// Reductions of a matrix along one axis.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "rows.h"
#include "twin/reduce_axes.h"

namespace twin {

namespace {

float Start(AxisReduction kind) {
    switch (kind) {
        case AxisReduction::kMax: return -INFINITY;
        case AxisReduction::kMin: return INFINITY;
        case AxisReduction::kProd:
        case AxisReduction::kAll: return 1;
        default: return 0;
    }
}

float Next(AxisReduction kind, float so_far, float x) {
    switch (kind) {
        case AxisReduction::kMax: return std::isnan(x) || x > so_far ? x : so_far;
        case AxisReduction::kMin: return std::isnan(x) || x < so_far ? x : so_far;
        case AxisReduction::kProd: return so_far * x;
        case AxisReduction::kAll: return so_far != 0 && x != 0 ? 1 : 0;
        case AxisReduction::kAny: return so_far != 0 || x != 0 ? 1 : 0;
        default: return so_far + x;
    }
}

struct Row {
    std::vector<float> values;
    bool known = true;
};

Row Take(Type type, const Local& src, const Local& dst, uint64_t from, uint32_t n) {
    Row row;
    if (type != Type::kUint8) {
        row.values = TakeValues(type, src, "srcTensor", from, n, dst, &row.known);
        return row;
    }
    const uint32_t at = Touch(src, "srcTensor", from, n, PIPE_V, Access::kRead);
    row.known = AllDefined(at, n);
    if (!row.known) NoteUnwritten(dst, src, "srcTensor", at);
    row.values.assign(core().memory.ub + at, core().memory.ub + at + n);
    return row;
}

void Put(Type type, const Local& dst, const Row& row) {
    const auto n = static_cast<uint32_t>(row.values.size());
    if (type != Type::kUint8) return PutValues(type, dst, "dstTensor", 0, row.values.data(), n, row.known);
    const uint32_t at = Touch(dst, "dstTensor", 0, n, PIPE_V, Access::kWrite);
    for (uint32_t i = 0; i < n; ++i) core().memory.ub[at + i] = static_cast<uint8_t>(row.values[i]);
    Define(at, n, row.known);
}

}  // namespace

void ReduceAxis(const char* api, AxisReduction kind, Type type, const Local& dst, const Local& src, const AxisShape& s,
                bool reuse) {
    Begin(api, PIPE_V);
    CheckAligned(dst, "dstTensor");
    CheckAligned(src, "srcTensor");
    if (s.first == 0 || s.last == 0) {
        Broken("reduce-shape", BufferName(src),
               Text("%s of %u x %u elements; neither axis is empty, and srcInnerPad is true on this device", api,
                    s.first, s.last),
               "pass both axes, and true");
    }
    const uint32_t bytes = TypeBytes(type),
                   stride = (s.last * bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes / bytes;
    const uint64_t whole = static_cast<uint64_t>(s.first) * stride * bytes,
                   results = static_cast<uint64_t>(s.inner ? s.first : s.last) * bytes;
    if (src.data < dst.data + results && dst.data < src.data + whole)
        Broken("partial-overlap", BufferName(dst), Text("dst of %s lies over its source", api),
               "give dst memory of its own");
    Row result;
    result.values.assign(s.inner ? s.first : s.last, Start(kind));
    for (uint32_t r = 0; r < s.first; ++r) {
        const Row row = Take(type, src, dst, static_cast<uint64_t>(r) * stride, s.last);
        result.known = result.known && row.known;
        for (uint32_t i = 0; i < s.last; ++i) {
            float& value = result.values[s.inner ? r : i];
            value = Next(kind, value, row.values[i]);
        }
    }
    if (kind == AxisReduction::kMean)
        for (float& value : result.values) value /= static_cast<float>(s.inner ? s.last : s.first);
    Put(type, dst, result);
    if (reuse) Define(Touch(src, "srcTensor", 0, whole, PIPE_V, Access::kWrite), whole, false);
}

void XorSum(const Local& dst, const Local& src0, const Local& src1, uint32_t count) {
    Begin("ReduceXorSum", PIPE_V);
    for (const Local* one : {&dst, &src0, &src1}) CheckAligned(*one, "an operand");
    if (count == 0) return;
    const uint64_t bytes = static_cast<uint64_t>(count) * 2;
    const uint32_t a = Touch(src0, "src0Tensor", 0, bytes, PIPE_V, Access::kRead),
                   b = Touch(src1, "src1Tensor", 0, bytes, PIPE_V, Access::kRead);
    const bool known = AllDefined(a, bytes) && AllDefined(b, bytes);
    if (!known) NoteUnwritten(dst, AllDefined(a, bytes) ? src1 : src0, "src", AllDefined(a, bytes) ? b : a);
    const auto* x = reinterpret_cast<const int16_t*>(core().memory.ub + a);
    const auto* y = reinterpret_cast<const int16_t*>(core().memory.ub + b);
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += static_cast<int16_t>(x[i] ^ y[i]);
    const auto result = static_cast<int16_t>(std::min<int64_t>(std::max<int64_t>(sum, INT16_MIN), INT16_MAX));
    const uint32_t to = Touch(dst, "dstTensor", 0, 2, PIPE_V, Access::kWrite);
    std::memcpy(core().memory.ub + to, &result, 2);
    Define(to, 2, known);
}

}  // namespace twin
