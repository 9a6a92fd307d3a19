// Gradients of LayerNorm, and Welford's mean and variance.
#include <cmath>

#include "rows.h"
#include "twin/norm_grad.h"

namespace twin {

namespace {

void RequireWholeBlocks(const char* api, Type type, const Local& t, uint64_t rows, uint64_t columns) {
    if (rows != 0 && columns != 0 && columns * TypeBytes(type) % kBlockBytes == 0) return;
    Broken("reduce-shape", BufferName(t),
           Text("%s of %llu rows of %llu elements; a row is a multiple of 32 bytes and not empty", api,
                static_cast<unsigned long long>(rows), static_cast<unsigned long long>(columns)),
           "pad the rows, and fill the parameters with lengths in elements");
}

/// pdX and resForGamma of one row, in place of dy and x.
void GradRow(std::vector<float>* dy, std::vector<float>* x, const std::vector<float>& gamma, float mean,
             float deviation, uint32_t divisor) {
    const float h = static_cast<float>(divisor);
    float dVariance = 0, dMean = 0, distances = 0;
    for (size_t i = 0; i < x->size(); ++i) {
        float& slope = (*dy)[i];
        float& distance = (*x)[i];
        slope *= gamma[i];
        distance -= mean;
        dVariance += -0.5f * slope * distance / (deviation * deviation * deviation);
        dMean -= slope / deviation;
        distances += -2.0f * distance;
    }
    dMean += dVariance / h * distances;
    for (size_t i = 0; i < x->size(); ++i) {
        float& slope = (*dy)[i];
        float& distance = (*x)[i];
        slope = slope / deviation + dVariance * (2.0f / h) * distance + dMean / h;
        distance /= deviation;
    }
}

float CountAt(const WelfordCounts& counts, const std::vector<float>& given, uint32_t i, uint32_t steps) {
    if (counts.tensor != nullptr) return given[i];
    if (counts.tail == 0) return static_cast<float>(steps);
    return static_cast<float>(i < counts.headLength ? counts.head : counts.tail);
}

std::vector<float> GivenCounts(const WelfordCounts& counts, uint32_t length, const Local& dst, bool* known) {
    std::vector<float> result(counts.tensor == nullptr ? 0 : length);
    if (result.empty()) return result;
    // Bits of int32_t travel through the float reader unchanged.
    const std::vector<float> bits = TakeValues(Type::kFloat, *counts.tensor, "counts", 0, length, dst, known);
    for (uint32_t i = 0; i < length; ++i) {
        int32_t count;
        __builtin_memcpy(&count, &bits[i], sizeof(count));
        result[i] = static_cast<float>(count);
    }
    return result;
}

}  // namespace

void NormGradRows(Type type, const NormGradTensors& t, uint32_t rows, uint32_t columns, uint32_t divisor,
                  float epsilon) {
    Begin("LayerNormGrad", PIPE_V);
    for (const Local* one : {&t.pdX, &t.resForGamma, &t.dy, &t.x, &t.variance, &t.mean, &t.gamma})
        CheckAligned(*one, "an operand");
    RequireWholeBlocks("LayerNormGrad", type, t.x, divisor == 0 ? 0 : rows, columns);
    bool known = true;
    const std::vector<float> gamma = TakeValues(type, t.gamma, "inputGamma", 0, columns, t.pdX, &known);
    const std::vector<float> means = TakeValues(type, t.mean, "inputMean", 0, rows, t.pdX, &known),
                             variances = TakeValues(type, t.variance, "inputVariance", 0, rows, t.pdX, &known);
    for (uint32_t r = 0; r < rows; ++r) {
        const uint64_t from = static_cast<uint64_t>(r) * columns;
        bool rowKnown = known;
        std::vector<float> dy = TakeValues(type, t.dy, "inputDy", from, columns, t.pdX, &rowKnown),
                           x = TakeValues(type, t.x, "inputX", from, columns, t.pdX, &rowKnown);
        GradRow(&dy, &x, gamma, means[r], std::sqrt(variances[r] + epsilon), divisor);
        PutValues(type, t.pdX, "outputPdX", from, dy.data(), columns, rowKnown);
        PutValues(type, t.resForGamma, "resForGamma", from, x.data(), columns, rowKnown);
    }
}

void NormGradScales(Type type, const Local& pdGamma, const Local& pdBeta, const Local& resForGamma, const Local& dy,
                    uint32_t rows, uint32_t columns) {
    Begin("LayerNormGradBeta", PIPE_V);
    for (const Local* one : {&pdGamma, &pdBeta, &resForGamma, &dy}) CheckAligned(*one, "an operand");
    RequireWholeBlocks("LayerNormGradBeta", type, dy, rows, columns);
    bool known = true;
    std::vector<float> gamma(columns), beta(columns);
    for (uint32_t r = 0; r < rows; ++r) {
        const uint64_t from = static_cast<uint64_t>(r) * columns;
        const std::vector<float> slope = TakeValues(type, dy, "inputDy", from, columns, pdGamma, &known),
                                 res = TakeValues(type, resForGamma, "resForGamma", from, columns, pdGamma, &known);
        for (uint32_t i = 0; i < columns; ++i) {
            gamma[i] += slope[i] * res[i];
            beta[i] += slope[i];
        }
    }
    PutValues(type, pdGamma, "outputPdGamma", 0, gamma.data(), columns, known);
    PutValues(type, pdBeta, "outputPdBeta", 0, beta.data(), columns, known);
}

void WelfordStep(Type type, const WelfordTensors& t, const Local& x, uint32_t length, uint32_t count, float reciprocal,
                 bool inPlace) {
    Begin("WelfordUpdate", PIPE_V);
    for (const Local* one : {&t.outMean, &t.outVariance, &t.mean, &t.variance, &x}) CheckAligned(*one, "an operand");
    RequireWholeBlocks("WelfordUpdate", type, x, count != 0 && count <= length ? 1 : 0, length);
    CheckOverlap(t.outMean, uint64_t(length) * 4, t.mean, uint64_t(length) * 4, "inputMean");
    CheckOverlap(t.outVariance, uint64_t(length) * 4, t.variance, uint64_t(length) * 4, "inputVariance");
    bool known = true;
    std::vector<float> mean = TakeValues(Type::kFloat, t.mean, "inputMean", 0, count, t.outMean, &known),
                       variance = TakeValues(Type::kFloat, t.variance, "inputVariance", 0, count, t.outMean, &known);
    const std::vector<float> values = TakeValues(type, x, "inputX", 0, count, t.outMean, &known);
    for (uint32_t i = 0; i < count; ++i) {
        const float before = values[i] - mean[i];
        mean[i] += before * reciprocal;
        variance[i] += before * (values[i] - mean[i]);
    }
    PutValues(Type::kFloat, t.outMean, "outputMean", 0, mean.data(), count, known);
    PutValues(Type::kFloat, t.outVariance, "outputVariance", 0, variance.data(), count, known);
    if (!inPlace || count == length) return;
    mean = TakeValues(Type::kFloat, t.mean, "inputMean", count, length - count, t.outMean, &known);
    variance = TakeValues(Type::kFloat, t.variance, "inputVariance", count, length - count, t.outMean, &known);
    PutValues(Type::kFloat, t.outMean, "outputMean", count, mean.data(), length - count, known);
    PutValues(Type::kFloat, t.outVariance, "outputVariance", count, variance.data(), length - count, known);
}

void WelfordEnd(const WelfordTensors& t, const WelfordCounts& counts, uint32_t length, uint32_t steps,
                float lengthReciprocal, float totalReciprocal) {
    Begin("WelfordFinalize", PIPE_V);
    for (const Local* one : {&t.outMean, &t.outVariance, &t.mean, &t.variance}) CheckAligned(*one, "an operand");
    RequireWholeBlocks("WelfordFinalize", Type::kFloat, t.mean, 1, length);
    bool known = true;
    const std::vector<float> means = TakeValues(Type::kFloat, t.mean, "inputMean", 0, length, t.outMean, &known),
                             variances =
                                 TakeValues(Type::kFloat, t.variance, "inputVariance", 0, length, t.outMean, &known);
    const std::vector<float> given = GivenCounts(counts, length, t.outMean, &known);
    const bool weighted = counts.tensor != nullptr || counts.tail != 0;
    float mean = 0, variance = 0;
    for (uint32_t i = 0; i < length; ++i)
        mean += weighted ? means[i] * CountAt(counts, given, i, steps) * totalReciprocal : means[i] * lengthReciprocal;
    for (uint32_t i = 0; i < length; ++i)
        variance +=
            (variances[i] + CountAt(counts, given, i, steps) * (means[i] - mean) * (means[i] - mean)) * totalReciprocal;
    PutValues(Type::kFloat, t.outMean, "outputMean", 0, &mean, 1, known);
    PutValues(Type::kFloat, t.outVariance, "outputVariance", 0, &variance, 1, known);
}

}  // namespace twin
