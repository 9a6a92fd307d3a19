// The SoftMax family. Everything is computed in float and rounded once to the tensor's type.
#include <algorithm>
#include <cmath>

#include "rows.h"
#include "twin/softmax.h"

namespace twin {

namespace {

struct RowRead {
    std::vector<float> values;
    bool known;
    uint32_t at;
};

void CheckRows(const char* api, Type type, const Local& src, const RowShape& s) {
    if (s.rows != 0 && s.columns * TypeBytes(type) % kBlockBytes == 0 && s.used <= s.columns && s.used != 0) return;
    Broken("reduce-shape", BufferName(src), Text("%s of %u x %u elements, %u columns used; a row is a multiple of 32 bytes", api, s.rows, s.columns, s.used),
           "pad the rows, and give SoftMaxShapeInfo or a filled tiling");
}

RowRead Read(Type type, const Local& t, const char* name, uint32_t row, const RowShape& s) {
    const uint64_t bytes = static_cast<uint64_t>(s.used) * TypeBytes(type);
    const uint32_t at = Touch(t, name, static_cast<uint64_t>(row) * s.columns * TypeBytes(type), bytes, PIPE_V, Access::kRead);
    return {ReadRow(type, at, s.used), AllDefined(at, bytes), at};
}

void Write(Type type, const Local& dst, uint32_t row, const RowShape& s, const std::vector<float>& values, bool known) {
    const uint64_t bytes = static_cast<uint64_t>(s.used) * TypeBytes(type);
    const uint32_t at = Touch(dst, "dst", static_cast<uint64_t>(row) * s.columns * TypeBytes(type), bytes, PIPE_V, Access::kWrite);
    WriteRow(type, at, values.data(), s.used);
    Define(at, bytes, known);
}

/// The value of a row's 32-byte block.
float ReadBlock(Type type, const Local& t, const char* name, uint32_t row, bool* known) {
    const uint32_t at = Touch(t, name, static_cast<uint64_t>(row) * kBlockBytes, kBlockBytes, PIPE_V, Access::kRead);
    *known = *known && AllDefined(at, TypeBytes(type));
    return ReadRow(type, at, 1).front();
}

void WriteBlock(Type type, const Local& t, const char* name, uint32_t row, float value, bool known) {
    const uint32_t n = kBlockBytes / TypeBytes(type);
    const uint32_t at = Touch(t, name, static_cast<uint64_t>(row) * kBlockBytes, kBlockBytes, PIPE_V, Access::kWrite);
    const std::vector<float> block(n, value);
    WriteRow(type, at, block.data(), n);
    Define(at, kBlockBytes, known);
}

void Start(const char* api, Type type, const Local& dst, const Local& src, const RowShape& s) {
    Begin(api, PIPE_V);
    CheckAligned(dst, "dst");
    CheckAligned(src, "src");
    CheckRows(api, type, src, s);
}

/// x to exp(x - shift); their sum.
float Exponentials(std::vector<float>* row, float shift) {
    float total = 0;
    for (float& x : *row) total += x = std::exp(x - shift);
    return total;
}

}  // namespace

void SoftMaxRows(Type type, const Local& dst, const Local* sum, const Local* max, const Local& src, const RowShape& s) {
    Start("SoftMax", type, dst, src, s);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s);
        const float largest = *std::max_element(row.values.begin(), row.values.end());
        const float total = Exponentials(&row.values, largest);
        for (float& x : row.values) x /= total;
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        Write(type, dst, r, s, row.values, row.known);
        if (sum != nullptr) WriteBlock(type, *sum, "sumTensor", r, total, row.known);
        if (max != nullptr) WriteBlock(type, *max, "maxTensor", r, largest, row.known);
    }
}

void SimpleSoftMaxRows(Type type, Type sumType, const Local& dst, const Local& sum, const Local& max, const Local& src, const RowShape& s) {
    Start("SimpleSoftMax", type, dst, src, s);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s);
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        const float largest = ReadBlock(sumType, max, "inMaxTensor", r, &row.known), total = ReadBlock(sumType, sum, "inSumTensor", r, &row.known);
        Exponentials(&row.values, largest);
        for (float& x : row.values) x /= total;
        Write(type, dst, r, s, row.values, row.known);
    }
}

void SoftMaxFlashRows(Type type, Type sumType, const FlashTensors& t, bool update, const RowShape& s) {
    Start("SoftmaxFlashV2", type, t.dst, t.src, s);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, t.src, "src", r, s);
        if (!row.known) NoteUnwritten(t.dst, t.src, "src", row.at);
        float largest = *std::max_element(row.values.begin(), row.values.end());
        float before = 0, carried = 0;
        if (update) {
            before = ReadBlock(sumType, t.inMax, "inMaxTensor", r, &row.known);
            largest = std::max(largest, before);
            carried = std::exp(before - largest) * ReadBlock(sumType, t.inSum, "inExpSumTensor", r, &row.known);
        }
        const float total = Exponentials(&row.values, largest) + carried;
        Write(type, t.dst, r, s, row.values, row.known);
        WriteBlock(sumType, t.sum, "expSumTensor", r, total, row.known);
        WriteBlock(sumType, t.max, "maxTensor", r, largest, row.known);
        if (update) WriteBlock(type, t.expMax, "expMaxTensor", r, std::exp(before - largest), row.known);
    }
}

void SoftMaxGradRows(const char* api, Type type, const Local& dst, const Local& grad, const Local& src, bool front, const RowShape& s) {
    Start(api, type, dst, src, s);
    CheckAligned(grad, "grad");
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s), slope = Read(type, grad, "grad", r, s);
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        if (!slope.known) NoteUnwritten(dst, grad, "grad", slope.at);
        const bool known = row.known && slope.known;
        float dot = 0;
        for (uint32_t i = 0; i < s.used; ++i) dot += slope.values[i] * row.values[i];
        if (front) {
            WriteBlock(type, dst, "dst", r, dot, known);
            continue;
        }
        for (uint32_t i = 0; i < s.used; ++i) row.values[i] = (slope.values[i] - dot) * row.values[i];
        Write(type, dst, r, s, row.values, known);
    }
}

}  // namespace twin
