// Norms, their gradients and quantisation over numbers of chance whose means are not 0, against their formulas; and
// the shapes that they refuse.
#include "float_tensors.h"
#include "twin/antiquant.h"
#include "twin/dequant.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"

using namespace AscendC;

namespace {

struct Moments {
    double mean = 0, variance = 0;
    template <typename V>
    explicit Moments(const V& values) {
        for (const double v : values) mean += v / static_cast<double>(values.size());
        for (const double v : values) variance += (v - mean) * (v - mean) / static_cast<double>(values.size());
    }
};

void Norms() {
    InEachCase("LayerNorm, RmsNorm, DeepNorm and Normalize", 40, 347, [](Chance& c) {
        constexpr uint32_t rows = 8, columns = 16;
        const uint32_t kind = c.From(0, 3), used = c.From(1, columns);
        const auto x = Floats(c, rows * columns), more = Floats(c, rows * columns), gamma = Floats(c, columns),
                   beta = Floats(c, columns), means = Floats(c, rows), variances = Floats(c, rows);
        const bool scaled = c.Coin(), shifted = kind != 1 && c.Coin();
        Tensors t;
        t.Result(rows * columns), t.Result(rows), t.Result(rows);
        for (const auto& v : {x, more, gamma, beta, means, variances}) t.Add(v);
        const double epsilon = 0.01, alpha = 0.7;
        twin::NormCall call{"LayerNorm", F, F, F, rows, columns, used, used, static_cast<float>(epsilon)};
        call.rms = kind == 1;
        call.alpha = static_cast<float>(alpha);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::NormTensors n;
                n.dst = &l[0], n.x = &l[3];
                if (scaled) n.gamma = &l[5];
                if (shifted) n.beta = &l[6];
                if (kind == 2) n.residual = &l[4];
                if (kind == 3) n.givenMean = &l[7], n.givenVariance = &l[8];
                if (kind != 1) n.mean = &l[1], n.rstd = &l[2];
                twin::NormRows(call, n);
            },
            9);
        if (!wrong.empty()) return wrong;
        for (uint32_t r = 0; r < rows; ++r) {
            std::vector<double> row(used);
            for (uint32_t i = 0; i < used; ++i)
                row[i] = kind == 2 ? alpha * x[r * columns + i] + more[r * columns + i] : x[r * columns + i];
            Moments m(row);
            if (kind == 3) m.mean = means[r], m.variance = variances[r];
            if (kind == 1) {
                m.mean = m.variance = 0;
                for (const double v : row) m.variance += v * v / used;
            }
            const double rstd = 1 / std::sqrt(m.variance + epsilon);
            std::vector<double> expected(used);
            for (uint32_t i = 0; i < used; ++i)
                expected[i] = (row[i] - m.mean) * rstd * (scaled ? gamma[i] : 1) + (shifted ? beta[i] : 0);
            const auto seen = t.Of(0);
            const std::string bad =
                Near("output", {seen.begin() + r * columns, seen.begin() + r * columns + used}, expected);
            if (!bad.empty()) return bad;
            if (kind == 1) continue;
            const std::string statistics = Near("mean", {t.Of(1)[r]}, {m.mean}) + Near("rstd", {t.Of(2)[r]}, {rstd});
            if (!statistics.empty()) return statistics;
        }
        return std::string();
    });
    InEachCase("BatchNorm", 20, 349, [](Chance& c) {
        const uint32_t batches = c.From(1, 4) * 8, columns = c.From(1, 2) * 8;
        const auto x = Floats(c, batches * columns), gamma = Floats(c, batches), beta = Floats(c, batches);
        Tensors t;
        t.Result(batches * columns), t.Result(columns), t.Result(columns), t.Add(x), t.Add(gamma), t.Add(beta);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::NormTensors n;
                n.dst = &l[0], n.mean = &l[1], n.variance = &l[2], n.x = &l[3], n.gamma = &l[4], n.beta = &l[5];
                twin::NormBatches("BatchNorm", F, n, batches, columns, 0.01f);
            },
            6);
        if (!wrong.empty()) return wrong;
        std::vector<double> y(x.size()), means, variances;
        for (uint32_t i = 0; i < columns; ++i) {
            std::vector<double> column;
            for (uint32_t b = 0; b < batches; ++b) column.push_back(x[b * columns + i]);
            const Moments m(column);
            means.push_back(m.mean), variances.push_back(m.variance);
            for (uint32_t b = 0; b < batches; ++b)
                y[b * columns + i] = (column[b] - m.mean) / std::sqrt(m.variance + 0.01) * gamma[b] + beta[b];
        }
        return Near("output", t.Of(0), y) + Near("mean", t.Of(1), means) + Near("variance", t.Of(2), variances);
    });
    InEachCase("GroupNorm", 20, 353, [](Chance& c) {
        const uint32_t n = c.From(1, 2), groups = c.From(1, 3), channels = c.From(1, 3), columns = 16,
                       used = c.From(1, columns), all = groups * channels;
        const auto x = Floats(c, n * all * columns), gamma = Floats(c, all), beta = Floats(c, all);
        Tensors t;
        t.Result(x.size()), t.Result(n * groups), t.Result(n * groups), t.Add(x), t.Add(gamma), t.Add(beta);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::NormTensors r;
                r.dst = &l[0], r.mean = &l[1], r.variance = &l[2], r.x = &l[3], r.gamma = &l[4], r.beta = &l[5];
                twin::NormGroups("GroupNorm", F, r, {n, all, groups, used, columns}, 0.01f);
            },
            6);
        if (!wrong.empty()) return wrong;
        std::vector<double> means, variances;
        for (uint32_t g = 0; g < n * groups; ++g) {
            std::vector<double> group;
            for (uint32_t k = 0; k < channels * used; ++k)
                group.push_back(x[(g * channels + k / used) * columns + k % used]);
            const Moments m(group);
            means.push_back(m.mean), variances.push_back(m.variance);
            for (uint32_t k = 0; k < channels * used; ++k) {
                const uint32_t row = g * channels + k / used, channel = row % all;
                const std::string bad =
                    Near("output", {t.Of(0)[row * columns + k % used]},
                         {(group[k] - m.mean) / std::sqrt(m.variance + 0.01) * gamma[channel] + beta[channel]});
                if (!bad.empty()) return bad;
            }
        }
        return Near("mean", t.Of(1), means) + Near("variance", t.Of(2), variances);
    });
}

/// The gradient of a LayerNorm of any mean and variance, also such that are not the row's.
void Gradients() {
    InEachCase("LayerNormGrad", 20, 359, [](Chance& c) {
        constexpr uint32_t rows = 8, h = 16;
        const auto dy = Floats(c, rows * h), x = Floats(c, rows * h), variance = Floats(c, rows),
                   mean = Floats(c, rows), gamma = Floats(c, h);
        Tensors t;
        t.Result(rows * h), t.Result(rows * h);
        for (const auto& v : {dy, x, variance, mean, gamma}) t.Add(v);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::NormGradRows(F, {l[0], l[1], l[2], l[3], l[4], l[5], l[6]}, rows, h, h, 0.01f);
            },
            7);
        if (!wrong.empty()) return wrong;
        std::vector<double> pdX(rows * h), res(rows * h);
        for (uint32_t r = 0; r < rows; ++r) {
            const double deviation = std::sqrt(variance[r] + 0.01);
            double dVariance = 0, dMean = 0, distances = 0;
            for (uint32_t i = r * h; i < r * h + h; ++i) {
                const double slope = dy[i] * gamma[i % h], distance = x[i] - mean[r];
                dVariance -= 0.5 * slope * distance / std::pow(deviation, 3);
                dMean -= slope / deviation;
                distances -= 2 * distance;
            }
            dMean += dVariance * distances / h;
            for (uint32_t i = r * h; i < r * h + h; ++i) {
                pdX[i] = dy[i] * gamma[i % h] / deviation + dVariance * 2 / h * (x[i] - mean[r]) + dMean / h;
                res[i] = (x[i] - mean[r]) / deviation;
            }
        }
        return Near("pdX", t.Of(0), pdX) + Near("resForGamma", t.Of(1), res);
    });
    InEachCase("LayerNormGradBeta", 10, 367, [](Chance& c) {
        const uint32_t rows = c.From(1, 5), h = 16;
        const auto res = Floats(c, rows * h), dy = Floats(c, rows * h);
        Tensors t;
        t.Result(h), t.Result(h), t.Add(res), t.Add(dy);
        const std::string wrong = t.Run([&](auto& l) { twin::NormGradScales(F, l[0], l[1], l[2], l[3], rows, h); }, 4);
        if (!wrong.empty()) return wrong;
        std::vector<double> gamma(h), beta(h);
        for (uint32_t i = 0; i < rows * h; ++i)
            gamma[i % h] += static_cast<double>(dy[i]) * res[i], beta[i % h] += dy[i];
        return Near("gamma", t.Of(0), gamma) + Near("beta", t.Of(1), beta);
    });
    InEachCase("WelfordUpdate", 30, 373, [](Chance& c) {
        constexpr uint32_t length = 16;
        const uint32_t count = c.From(1, length);
        const bool inPlace = c.Coin();
        const auto mean = Floats(c, length), variance = Floats(c, length), x = Floats(c, length);
        Tensors t;
        t.Result(length), t.Result(length), t.Add(mean), t.Add(variance), t.Add(x);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::WelfordStep(F, {l[0], l[1], l[2], l[3]}, l[4], length, count, 0.25f, inPlace);
            },
            5);
        if (!wrong.empty()) return wrong;
        std::vector<double> means(length, 77), variances(length, 77);
        for (uint32_t i = 0; i < length; ++i) {
            if (i >= count && !inPlace) continue;
            const double before = i < count ? x[i] - mean[i] : 0;
            means[i] = mean[i] + before * 0.25;
            variances[i] = variance[i] + (i < count ? before * (x[i] - means[i]) : 0);
        }
        return Near("mean", t.Of(0), means) + Near("variance", t.Of(1), variances);
    });
    InEachCase("WelfordFinalize", 40, 379, [](Chance& c) {
        constexpr uint32_t length = 16;
        const uint32_t form = c.From(0, 2), steps = c.From(1, 6), head = c.From(1, 6), tail = c.From(1, 6),
                       headLength = c.From(0, length);
        const auto mean = Floats(c, length), variance = Floats(c, length);
        std::vector<int32_t> counts(length);
        for (auto& n : counts) n = static_cast<int32_t>(c.From(1, 9));
        Tensors t;
        t.Result(8), t.Result(8), t.Add(mean), t.Add(variance);
        t.p.Put(kUb, counts);
        const float perLength = 1.0f / length, total = 0.02f;
        const std::string wrong = t.Run(
            [&](auto& l) {
                const twin::WelfordCounts by{form == 0 ? &l[4] : nullptr, head, headLength, form == 1 ? tail : 0};
                twin::WelfordEnd({l[0], l[1], l[2], l[3]}, by, length, steps, perLength, total);
            },
            5);
        if (!wrong.empty()) return wrong;
        double m = 0, v = 0;
        const auto count = [&](uint32_t i) {
            return form == 0 ? counts[i] : form == 2 ? static_cast<double>(steps) : i < headLength ? head : tail;
        };
        for (uint32_t i = 0; i < length; ++i)
            m += form == 2 ? mean[i] * perLength : mean[i] * count(i) * static_cast<double>(total);
        for (uint32_t i = 0; i < length; ++i)
            v += (variance[i] + count(i) * (mean[i] - m) * (mean[i] - m)) * static_cast<double>(total);
        const auto first = [](const std::vector<float>& all) { return std::vector<float>{all[0]}; };
        return Near("mean", first(t.Of(0)), {m}) + Near("variance", first(t.Of(1)), {v});
    });
}

/// (src + offset) * scale, of half with the sum rounded; one factor for all, for each of N, or for parts of K.
template <typename T>
void AntiQuants(const std::string& type) {
    InEachCase("AscendAntiQuant to " + type, 60, 383, [](Chance& c) {
        const bool transposed = c.Coin(), packed = c.Coin(), shifted = c.Coin();
        const uint32_t groups = c.From(1, 2), n = transposed ? c.From(1, 4) : c.From(1, 2) * 16,
                       k = transposed ? 64 : c.From(1, 3) * 4 * groups;
        const uint32_t elements = n * k, form = c.From(0, 2);
        if ((packed ? elements / 2 : elements) % 32 != 0) return std::string();
        const auto x = AnyBits<uint8_t>(c, packed ? elements / 2 : elements);
        const uint32_t many = form == 0 ? 1 : n * (form == 2 ? groups : 1), g = form == 2 ? groups : 1;
        std::vector<T> scale(many), offset(many);
        for (auto& s : scale) s = T(static_cast<float>(c.From(1, 8)) / 4);
        for (auto& o : offset) o = T(static_cast<float>(static_cast<int>(c.From(0, 16)) - 8));
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(elements)), src = p.Put(kUb, x), by = p.Put(kUb, scale),
                     shift = p.Put(kUb, offset);
        std::vector<T> z(elements);
        for (uint32_t i = 0; i < elements; ++i) {
            const uint32_t channel = transposed ? i / k : i % n, at = transposed ? i % k : i / n, group = at / (k / g);
            const uint32_t place = form == 0 ? 0 : transposed ? channel * g + group : group * n + channel;
            int value = static_cast<int8_t>(x[packed ? 0 : i]);
            if (packed)
                value =
                    (x[i / 2] >> i % 2 * 4 & 15) < 8 ? x[i / 2] >> i % 2 * 4 & 15 : (x[i / 2] >> i % 2 * 4 & 15) - 16;
            z[i] = T((static_cast<float>(value) + (shifted ? static_cast<float>(offset[place]) : 0)) *
                     static_cast<float>(scale[place]));
        }
        p.Then(dst, z);
        return p.Wrong([&](Pieces& u) {
            const Local s = u.At<uint8_t>(by), o = u.At<uint8_t>(shift);
            const uint32_t rows = form == 0 ? 1 : transposed ? n : g, columns = form == 0 ? 1 : transposed ? g : n;
            const twin::AntiQuantOperand scales{&s, 0, rows, columns}, offsets{&o, 0, rows, columns};
            twin::AntiQuantRows(sizeof(T) == 2 && std::is_same<T, half>::value ? H : Type::kBfloat16, packed,
                                u.At<T>(dst), u.At<uint8_t>(src), shifted ? &offsets : nullptr, scales, nullptr,
                                {elements, k, transposed});
        });
    });
}

}  // namespace

int main() {
    Norms();
    Gradients();
    AntiQuants<half>("half");
    AntiQuants<bfloat16_t>("bfloat16_t");
    return Finish();
}
