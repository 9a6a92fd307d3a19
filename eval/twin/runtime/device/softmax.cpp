// The SoftMax family. Everything is computed in float and rounded once to the tensor's type.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "rows.h"
#include "twin/softmax_variants.h"

namespace twin {

namespace {

struct RowRead {
    std::vector<float> values;
    bool known;
    uint32_t at;
};

void CheckRows(const char* api, Type type, const Local& src, const RowShape& s) {
    if (s.rows != 0 && s.columns * TypeBytes(type) % kBlockBytes == 0 && s.used <= s.columns && s.used != 0) return;
    if (s.rows == 0 && s.columns == 0)
        Broken("reduce-shape", BufferName(src), Text("%s of a tensor without a shape; the tiling gives none", api),
               "pass SoftMaxShapeInfo, or call SetShapeInfo on the source tensor");
    Broken("reduce-shape", BufferName(src),
           Text("%s of %u x %u elements, %u columns used; a row is a multiple of 32 bytes", api, s.rows, s.columns,
                s.used),
           "pad the rows, and pass SoftMaxShapeInfo");
}

RowRead Read(Type type, const Local& t, const char* name, uint32_t row, const RowShape& s) {
    const uint64_t bytes = static_cast<uint64_t>(s.used) * TypeBytes(type);
    const uint32_t at =
        Touch(t, name, static_cast<uint64_t>(row) * s.columns * TypeBytes(type), bytes, PIPE_V, Access::kRead);
    return {ReadRow(type, at, s.used), AllDefined(at, bytes), at};
}

void Write(Type type, const Local& dst, uint32_t row, const RowShape& s, const std::vector<float>& values, bool known) {
    const uint64_t bytes = static_cast<uint64_t>(s.used) * TypeBytes(type);
    const uint32_t at =
        Touch(dst, "dst", static_cast<uint64_t>(row) * s.columns * TypeBytes(type), bytes, PIPE_V, Access::kWrite);
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

/// x to exp(x - shift); their sum, rounded once: in a row it would be off by more than the device's tree of sums is.
float Exponentials(std::vector<float>* row, float shift) {
    double total = 0;
    for (float& x : *row) total += static_cast<double>(x = std::exp(x - shift));
    return static_cast<float>(total);
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

void SimpleSoftMaxRows(Type type, Type sumType, const Local& dst, const Local& sum, const Local& max, const Local& src,
                       const RowShape& s) {
    Start("SimpleSoftMax", type, dst, src, s);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s);
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        const float largest = ReadBlock(sumType, max, "inMaxTensor", r, &row.known),
                    total = ReadBlock(sumType, sum, "inSumTensor", r, &row.known);
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

void SoftMaxGradRows(const char* api, Type type, const Local& dst, const Local& grad, const Local& src, bool front,
                     const RowShape& s) {
    Start(api, type, dst, src, s);
    CheckAligned(grad, "grad");
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s), slope = Read(type, grad, "grad", r, s);
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        if (!slope.known) NoteUnwritten(dst, grad, "grad", slope.at);
        const bool known = row.known && slope.known;
        double exact = 0;
        for (uint32_t i = 0; i < s.used; ++i) exact += static_cast<double>(slope.values[i] * row.values[i]);
        const auto dot = static_cast<float>(exact);
        if (front) {
            WriteBlock(type, dst, "dst", r, dot, known);
            continue;
        }
        for (uint32_t i = 0; i < s.used; ++i) row.values[i] = (slope.values[i] - dot) * row.values[i];
        Write(type, dst, r, s, row.values, known);
    }
}

void LogSoftMaxRows(Type type, const Local& dst, const Local& sum, const Local& max, const Local& src,
                    const RowShape& s) {
    Start("LogSoftMax", type, dst, src, s);
    CheckOverlap(dst, static_cast<uint64_t>(s.rows) * s.columns * TypeBytes(type), src,
                 static_cast<uint64_t>(s.rows) * s.columns * TypeBytes(type), "src");
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, src, "src", r, s);
        if (!row.known) NoteUnwritten(dst, src, "src", row.at);
        const float largest = *std::max_element(row.values.begin(), row.values.end());
        double exact = 0;
        for (const float x : row.values) exact += static_cast<double>(std::exp(x - largest));
        const auto total = static_cast<float>(exact);
        for (float& x : row.values) x = (x - largest - std::log(total)) * 0.4342944819f;
        Write(type, dst, r, s, row.values, row.known);
        WriteBlock(type, sum, "sum", r, total, row.known);
        WriteBlock(type, max, "max", r, largest, row.known);
    }
}

void OldSoftMaxFlashRows(Type type, Type sumType, const FlashTensors& t, bool update, const RowShape& s) {
    Start("SoftmaxFlash", type, t.dst, t.src, s);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(type, t.src, "src", r, s);
        if (!row.known) NoteUnwritten(t.dst, t.src, "src", row.at);
        float largest = *std::max_element(row.values.begin(), row.values.end()), carried = 0;
        if (update) {
            const float before = ReadBlock(sumType, t.inMax, "inMaxTensor", r, &row.known);
            largest = std::max(largest, before);
            carried = std::exp(before - largest) * ReadBlock(sumType, t.inSum, "inSumTensor", r, &row.known);
        }
        const float total = Exponentials(&row.values, largest) + carried;
        for (float& x : row.values) x /= total;
        Write(type, t.dst, r, s, row.values, row.known);
        WriteBlock(sumType, t.sum, "sumTensor", r, total, row.known);
        WriteBlock(sumType, t.max, "maxTensor", r, largest, row.known);
        if (update) WriteBlock(type, t.expMax, "expMaxTensor", r, carried / total, row.known);
    }
}

namespace {

constexpr uint32_t kParts = 8;       // means of a row
constexpr uint32_t kFirst = 64 * 8;  // elements that the first reduction takes, 64 for each mean

/// Which mean an element counts for: 64 in a row for each in the first 512, then eight in a row for each of every 64.
uint32_t PartOf(uint32_t at) { return at < kFirst ? at / 64 : (at - kFirst) % 64 / kParts; }

struct Shifted {
    float mean, largest;
};

/// The row's mean; the row becomes itself less the distance of its parts' means to that.
Shifted Shift(std::vector<float>* row, float scale) {
    const auto n = static_cast<uint32_t>(row->size());
    float parts[kParts] = {}, mean = 0;
    for (uint32_t i = 0; i < n; ++i) parts[PartOf(i)] += (*row)[i];
    for (float& part : parts) mean += part /= static_cast<float>(n / kParts);
    mean /= kParts;
    for (uint32_t i = 0; i < n; ++i) (*row)[i] -= (mean - parts[i / (n / kParts)]) * scale;
    return {mean, *std::max_element(row->begin(), row->end())};
}

void CheckV3(const Local& src, const AscendC::SoftMaxParams& p) {
    const bool fits = p.srcK >= kFirst && p.srcK % 64 == 0 && p.srcM % 8 == 0 && p.srcM != 0;
    if (fits && p.srcM == p.oriSrcM && p.srcK == p.oriSrcK && p.splitMeanCnt == kParts && p.alpha < 1 && p.loopCnt >= 1)
        return;
    Broken(
        "reduce-shape", BufferName(src),
        Text("SoftmaxFlashV3 of %u x %u elements, %u x %u of them used, with splitMeanCnt %u, loopCnt %u and alpha %g",
             p.srcM, p.srcK, p.oriSrcM, p.oriSrcK, p.splitMeanCnt, p.loopCnt, static_cast<double>(p.alpha)),
        "rows are a multiple of 64 elements and at least 512, a multiple of eight of them, all used; splitMeanCnt is "
        "8, "
        "loopCnt at least 1 and alpha less than 1");
}

}  // namespace

void SoftMaxFlashV3Rows(const FlashTensors& t, const FlashMeans& m, bool update, const AscendC::SoftMaxParams& p) {
    const RowShape s{p.srcM, p.srcK, p.srcK};
    Start("SoftmaxFlashV3", Type::kHalf, t.dst, t.src, s);
    CheckV3(t.src, p);
    const float scale = p.alpha / (1 - p.alpha);
    for (uint32_t r = 0; r < s.rows; ++r) {
        RowRead row = Read(Type::kHalf, t.src, "src", r, s);
        if (!row.known) NoteUnwritten(t.dst, t.src, "src", row.at);
        const Shifted shifted = Shift(&row.values, scale);
        float mean = shifted.mean, inMean = 0, inMax = 0, inSum = 0;
        if (update) {
            inMean = ReadBlock(Type::kFloat, m.inMean, "inMeanTensor", r, &row.known);
            inMax = ReadBlock(Type::kFloat, t.inMax, "inMaxTensor", r, &row.known);
            inSum = ReadBlock(Type::kFloat, t.inSum, "inExpSumTensor", r, &row.known);
            mean = (shifted.mean + inMean * (static_cast<float>(p.loopCnt) - 1)) / static_cast<float>(p.loopCnt);
        }
        const float now = (shifted.mean - mean) * scale, before = (inMean - mean) * scale;
        const float largest = update ? std::max(now + shifted.largest, before + inMax) : now + shifted.largest;
        const float carried = update ? std::exp(inMax - largest + before) : 0;
        const float total = Exponentials(&row.values, largest - now) + carried * inSum;
        Write(Type::kHalf, t.dst, r, s, row.values, row.known);
        WriteBlock(Type::kFloat, m.mean, "meanTensor", r, mean, row.known);
        WriteBlock(Type::kFloat, t.sum, "expSumTensor", r, total, row.known);
        WriteBlock(Type::kFloat, t.max, "maxTensor", r, largest, row.known);
        if (update) WriteBlock(Type::kHalf, t.expMax, "expMaxTensor", r, carried, row.known);
    }
}

bool AdjustSoftMaxRows(Type type, Type maxType, const Local& result, const Local& max, uint32_t from, float to,
                       bool each, const RowShape& s) {
    Start("AdjustSoftMaxRes", type, result, max, s);
    bool found = false;
    for (uint32_t r = 0; r < s.rows; ++r) {
        const uint32_t bytes = TypeBytes(maxType), step = each ? bytes : kBlockBytes;
        const uint32_t at = Touch(max, "maxTensor", static_cast<uint64_t>(r) * step, bytes, PIPE_S, Access::kRead);
        RequireDefined(max, "maxTensor", at, bytes);
        uint32_t bits = 0;
        std::memcpy(&bits, core().memory.ub + at, bytes);
        if (bits != (bytes == 2 ? from & 0xffff : from)) continue;
        found = true;
        Write(type, result, r, s, std::vector<float>(s.used, to), true);
    }
    return found;
}

}  // namespace twin
