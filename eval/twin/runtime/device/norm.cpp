// Normalisations. Everything is computed in float and rounded once to the tensor's type.
#include <algorithm>
#include <cmath>

#include "reserved.h"
#include "rows.h"
#include "twin/norm.h"

namespace twin {

namespace {

constexpr const char* kName[] = {"output", "mean", "variance", "rstd", "inputX", "gx", "gamma", "beta"};

void RequireRows(const NormCall& call, const Local& x) {
    const bool aligned = static_cast<uint64_t>(call.columns) * TypeBytes(call.type) % kBlockBytes == 0;
    if (call.rows != 0 && call.columns != 0 && aligned && call.used != 0 && call.used <= call.columns &&
        call.divisor != 0 && call.divisor <= call.columns)
        return;
    Broken("reduce-shape", BufferName(x),
           Text("%s of %u rows of %u elements, %u of them used; a row is a multiple of 32 bytes", call.api, call.rows,
                call.columns, std::min(call.used, call.divisor)),
           "pad the rows, and fill the tiling on the host with the query of this function");
}

void RequireApart(const char* api, const Local& dst, uint64_t dstBytes, const Local* other, uint64_t bytes,
                  const char* name) {
    if (other == nullptr || dst.data >= other->data + bytes || other->data >= dst.data + dstBytes) return;
    Broken("partial-overlap", BufferName(dst), Text("output of %s shares memory with %s", api, name),
           "give the output memory of its own");
}

/// How many elements each statistic, and gamma and beta, have.
struct Lengths {
    uint64_t statistics, scale;
};

void CheckMemory(const NormCall& call, const NormTensors& t, uint64_t dstElements, const Lengths& n) {
    Begin(call.api, PIPE_V);
    const Local* all[] = {t.dst, t.mean, t.variance, t.rstd, t.x, t.residual, t.gamma, t.beta};
    for (int i = 0; i < 8; ++i)
        if (all[i] != nullptr) CheckAligned(*all[i], kName[i]);
    RequireRows(call, *t.x);
    const uint64_t bytes = dstElements * TypeBytes(call.type), row = n.scale * TypeBytes(call.scaleType);
    CheckOverlap(*t.dst, bytes, *t.x, bytes, "inputX");
    RequireApart(call.api, *t.dst, bytes, t.gamma, row, "gamma");
    RequireApart(call.api, *t.dst, bytes, t.beta, row, "beta");
    const uint64_t statistics = n.statistics * TypeBytes(call.statType);
    for (int i = 1; i < 4; ++i)
        if (all[i] != nullptr) RequireApart(call.api, *all[i], statistics, t.x, bytes, kName[4]);
}

struct Statistics {
    float mean, variance;
};

Statistics Measure(const NormCall& call, const std::vector<float>& x) {
    float sum = 0, squares = 0;
    if (!call.rms)
        for (uint32_t i = 0; i < call.used; ++i) sum += x[i];
    const float mean = sum / static_cast<float>(call.divisor);
    for (uint32_t i = 0; i < call.used; ++i) squares += (x[i] - mean) * (x[i] - mean);
    return {mean, squares / static_cast<float>(call.divisor)};
}

/// One element for each row, where that output is wanted.
void PutStatistic(const NormCall& call, const Local* t, const char* name, uint32_t row, float value, bool known) {
    if (t != nullptr) PutValues(call.statType, *t, name, row, &value, 1, known);
}

void NormRow(const NormCall& call, const NormTensors& t, uint32_t r, const std::vector<float>& gamma,
             const std::vector<float>& beta, bool known) {
    const uint64_t from = static_cast<uint64_t>(r) * call.columns;
    std::vector<float> x = TakeValues(call.type, *t.x, "inputX", from, call.used, *t.dst, &known);
    if (t.residual != nullptr) {
        const std::vector<float> more = TakeValues(call.type, *t.residual, "gx", from, call.used, *t.dst, &known);
        for (uint32_t i = 0; i < call.used; ++i) x[i] = x[i] * call.alpha + more[i];
    }
    Statistics s;
    if (t.givenMean != nullptr) {
        s.mean = TakeValues(call.statType, *t.givenMean, "inputMean", r, 1, *t.dst, &known).front();
        s.variance = TakeValues(call.statType, *t.givenVariance, "inputVariance", r, 1, *t.dst, &known).front();
    } else {
        s = Measure(call, x);
    }
    const float rstd = 1.0f / std::sqrt(s.variance + call.epsilon);
    for (uint32_t i = 0; i < call.used; ++i) x[i] = (x[i] - s.mean) * rstd * gamma[i] + beta[i];
    PutValues(call.type, *t.dst, "output", from, x.data(), call.used, known);
    PutPadding(call.type, *t.dst, "output", from + call.used, call.columns - call.used);
    PutStatistic(call, t.mean, "mean", r, s.mean, known);
    PutStatistic(call, t.variance, "variance", r, s.variance, known);
    PutStatistic(call, t.rstd, "rstd", r, rstd, known);
}

std::vector<float> Scale(Type type, const Local* t, const char* name, uint32_t n, const Local& dst, float absent,
                         bool* known) {
    return t == nullptr ? std::vector<float>(n, absent) : TakeValues(type, *t, name, 0, n, dst, known);
}

}  // namespace

void NormRows(const NormCall& call, const NormTensors& t) {
    CheckMemory(call, t, static_cast<uint64_t>(call.rows) * call.columns, {call.rows, call.used});
    if (!call.rms && t.residual == nullptr && t.givenMean == nullptr) OverwriteReserved(call.api, 128);
    bool known = true;
    const std::vector<float> gamma = Scale(call.scaleType, t.gamma, "gamma", call.used, *t.dst, 1, &known),
                             beta = Scale(call.scaleType, t.beta, "beta", call.used, *t.dst, 0, &known);
    for (uint32_t r = 0; r < call.rows; ++r) NormRow(call, t, r, gamma, beta, known);
}

void NormBatches(const char* api, Type type, const NormTensors& t, uint32_t batches, uint32_t columns, float epsilon) {
    CheckMemory({api, type, type, type, batches, columns, columns, columns, epsilon}, t,
                static_cast<uint64_t>(batches) * columns, {columns, batches});
    bool known = true;
    const std::vector<float> gamma = Scale(type, t.gamma, "gamm", batches, *t.dst, 1, &known),
                             beta = Scale(type, t.beta, "beta", batches, *t.dst, 0, &known);
    const uint32_t all = batches * columns;
    std::vector<float> x = TakeValues(type, *t.x, "inputX", 0, all, *t.dst, &known), means(columns), variances(columns);
    for (uint32_t i = 0; i < columns; ++i) {
        float sum = 0, squares = 0;
        for (uint32_t b = 0; b < batches; ++b) sum += x[b * columns + i];
        means[i] = sum / static_cast<float>(batches);
        for (uint32_t b = 0; b < batches; ++b)
            squares += (x[b * columns + i] - means[i]) * (x[b * columns + i] - means[i]);
        variances[i] = squares / static_cast<float>(batches);
        for (uint32_t b = 0; b < batches; ++b) {
            float& value = x[b * columns + i];
            value = (value - means[i]) / std::sqrt(variances[i] + epsilon) * gamma[b] + beta[b];
        }
    }
    PutValues(type, *t.dst, "output", 0, x.data(), all, known);
    PutValues(type, *t.mean, "outputMean", 0, means.data(), columns, known);
    PutValues(type, *t.variance, "outputVariance", 0, variances.data(), columns, known);
}

void NormGroups(const char* api, Type type, const NormTensors& t, const GroupShape& s, float epsilon) {
    const uint32_t channels = s.groups == 0 ? 0 : s.c / s.groups;
    NormCall call{api, type, type, type, channels, s.columns, s.used, s.used, epsilon};
    CheckMemory(call, t, static_cast<uint64_t>(s.n) * s.c * s.columns, {s.n * s.groups, s.c});
    bool known = true;
    const std::vector<float> gamma = Scale(type, t.gamma, "gamma", s.c, *t.dst, 1, &known),
                             beta = Scale(type, t.beta, "beta", s.c, *t.dst, 0, &known);
    call.used = call.divisor = channels * s.used;
    for (uint32_t group = 0; group < s.n * s.groups; ++group) {
        std::vector<float> x;
        const uint64_t first = static_cast<uint64_t>(group) * channels * s.columns;
        for (uint32_t c = 0; c < channels; ++c) {
            const std::vector<float> row =
                TakeValues(type, *t.x, "inputX", first + c * s.columns, s.used, *t.dst, &known);
            x.insert(x.end(), row.begin(), row.end());
        }
        const Statistics m = Measure(call, x);
        for (uint32_t c = 0; c < channels; ++c) {
            const uint32_t channel = group % s.groups * channels + c;
            float* row = x.data() + c * s.used;
            for (uint32_t i = 0; i < s.used; ++i)
                row[i] = (row[i] - m.mean) / std::sqrt(m.variance + epsilon) * gamma[channel] + beta[channel];
            PutValues(type, *t.dst, "output", first + c * s.columns, row, s.used, known);
            PutPadding(type, *t.dst, "output", first + c * s.columns + s.used, s.columns - s.used);
        }
        PutStatistic(call, t.mean, "outputMean", group, m.mean, known);
        PutStatistic(call, t.variance, "outputVariance", group, m.variance, known);
    }
}

}  // namespace twin
