// Norms, their gradients, quantisation and softmax over numbers of chance whose means are not 0, against their
// formulas; and the shapes that they refuse.
#include <cmath>

#include "pieces.h"
#include "twin/antiquant.h"
#include "twin/dequant.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"
#include "twin/softmax.h"
#include "twin/softmax_variants.h"

using namespace AscendC;

namespace {

using twin::Local;
using twin::Type;
constexpr TPosition kUb = TPosition::VECCALC;
constexpr Type F = Type::kFloat, H = Type::kHalf;

std::vector<float> Floats(Chance& c, size_t count, float low = 0.5f, float high = 3) {
    std::vector<float> values(count);
    for (auto& v : values) v = low + (high - low) * static_cast<float>(c.From(0, 1000)) / 1000;
    return values;
}

std::string Near(const std::string& name, const std::vector<float>& seen, const std::vector<double>& expected,
                 double tolerance = 2e-4) {
    for (size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(static_cast<double>(seen[i]) - expected[i]) <= tolerance * (1 + std::abs(expected[i]))))
            return name + " " + std::to_string(i) + " is " + std::to_string(seen[i]) + ", expected " +
                   std::to_string(expected[i]);
    return "";
}

/// Tensors of floats by number, some of which the kernel writes.
struct Tensors {
    Pieces p;
    size_t Add(const std::vector<float>& values) { return p.Put(kUb, values); }
    size_t Result(size_t count) {
        const size_t piece = p.Put(kUb, std::vector<float>(count, 77));
        p.Any(piece);
        return piece;
    }
    std::string Run(const std::function<void(const std::vector<Local>&)>& call, size_t many) {
        return p.Wrong([&](Pieces& u) {
            std::vector<Local> t;
            for (size_t i = 0; i < many; ++i) t.push_back(u.At<uint8_t>(i));
            call(t);
        });
    }
    std::vector<float> Of(size_t piece) { return p.Seen<float>(piece); }
};

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
            [&](auto& l) { twin::NormGradRows(F, {l[0], l[1], l[2], l[3], l[4], l[5], l[6]}, rows, h, h, 0.01f); }, 7);
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
            [&](auto& l) { twin::WelfordStep(F, {l[0], l[1], l[2], l[3]}, l[4], length, count, 0.25f, inPlace); }, 5);
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
        const float perLength = 1.0f / length, total = 0.02f, perVariance = 0.03f;
        const std::string wrong = t.Run(
            [&](auto& l) {
                const twin::WelfordCounts by{form == 0 ? &l[4] : nullptr, head, headLength, form == 1 ? tail : 0};
                twin::WelfordEnd({l[0], l[1], l[2], l[3]}, by, length, steps, perLength, total, perVariance);
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
            v += (variance[i] + count(i) * (mean[i] - m) * (mean[i] - m)) * static_cast<double>(perVariance);
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

/// Of each row the exponentials, their sum and the largest; with an update those before are taken along.
void SoftMaxes() {
    InEachCase("SoftmaxFlash of both kinds", 40, 389, [](Chance& c) {
        constexpr uint32_t rows = 3, columns = 16;
        const bool update = c.Coin(), old = c.Coin();
        const auto x = Floats(c, rows * columns, -2, 2), inMax = Floats(c, rows, -2, 4), inSum = Floats(c, rows);
        std::vector<float> maxima(rows * 8), sums(rows * 8);
        for (uint32_t i = 0; i < rows * 8; ++i) maxima[i] = inMax[i / 8], sums[i] = inSum[i / 8];
        Tensors t;
        t.Result(rows * columns), t.Result(rows * 8), t.Result(rows * 8), t.Add(x), t.Result(rows * 8), t.Add(sums),
            t.Add(maxima);
        const std::string wrong = t.Run(
            [&](auto& l) {
                const twin::FlashTensors f{l[0], l[1], l[2], l[3], l[4], l[5], l[6]};
                old ? twin::OldSoftMaxFlashRows(F, F, f, update, {rows, columns, columns})
                    : twin::SoftMaxFlashRows(F, F, f, update, {rows, columns, columns});
            },
            7);
        if (!wrong.empty()) return wrong;
        std::vector<double> y, sum, largest, carried;
        for (uint32_t r = 0; r < rows; ++r) {
            double most = update ? inMax[r] : -1e30, total = 0;
            for (uint32_t i = 0; i < columns; ++i) most = std::max<double>(most, x[r * columns + i]);
            for (uint32_t i = 0; i < columns; ++i) total += std::exp(x[r * columns + i] - most);
            const double factor = std::exp(inMax[r] - most), before = update ? factor * inSum[r] : 0;
            total += before;
            for (uint32_t i = 0; i < columns; ++i) y.push_back(std::exp(x[r * columns + i] - most) / (old ? total : 1));
            for (int i = 0; i < 8; ++i)
                sum.push_back(total), largest.push_back(most), carried.push_back(old ? before / total : factor);
        }
        return Near("y", t.Of(0), y) + Near("sum", t.Of(1), sum) + Near("max", t.Of(2), largest) +
               (update ? Near("expMax", t.Of(4), carried) : "");
    });
    InEachCase("SoftmaxFlashV3", 12, 397, [](Chance& c) {
        const uint32_t rows = 8, columns = 512 + 64 * c.From(0, 1);
        const bool update = c.Coin();
        const double alpha = 0.4, scale = alpha / (1 - alpha), loops = c.From(1, 3);
        std::vector<half> x(rows * columns);
        for (auto& v : x) v = half(static_cast<float>(c.From(0, 64)) / 16 - 2);
        std::vector<float> means(rows * 8), sums(rows * 8), maxima(rows * 8);
        for (uint32_t i = 0; i < rows * 8; ++i)
            means[i] = i % 8 == 0 ? static_cast<float>(c.From(0, 16)) / 8 - 1 : means[i - 1],
            sums[i] = 1.0f + static_cast<float>(i / 8), maxima[i] = static_cast<float>(i / 8) / 2 - 1;
        Tensors t;
        t.p.Any(t.p.Put(kUb, std::vector<half>(rows * columns)));
        t.Result(rows * 8), t.Result(rows * 8), t.Result(rows * 8);
        t.p.Put(kUb, x);
        t.p.Any(t.p.Put(kUb, std::vector<half>(rows * 16)));
        t.Add(means), t.Add(sums), t.Add(maxima);
        AscendC::SoftMaxParams params;
        params.srcM = params.oriSrcM = rows;
        params.srcK = params.oriSrcK = columns;
        params.splitMeanCnt = 8;
        params.loopCnt = static_cast<uint32_t>(loops);
        params.alpha = static_cast<float>(alpha);
        const std::string wrong = t.Run(
            [&](auto& l) {
                twin::SoftMaxFlashV3Rows({l[0], l[2], l[3], l[4], l[5], l[7], l[8]}, {l[1], l[6]}, update, params);
            },
            9);
        if (!wrong.empty()) return wrong;
        std::vector<double> mean, total, largest, carried, y;
        for (uint32_t r = 0; r < rows; ++r) {
            // Eight means: of 64 in a row each in the first 512, of 8 in a row each in every 64 behind them.
            double parts[8] = {}, own = 0;
            for (uint32_t i = 0; i < columns; ++i)
                parts[i < 512 ? i / 64 : (i - 512) % 64 / 8] +=
                    static_cast<double>(static_cast<float>(x[r * columns + i])) / (columns / 8);
            for (const double part : parts) own += part / 8;
            std::vector<double> row(columns);
            double most = -1e30;
            for (uint32_t i = 0; i < columns; ++i) {
                row[i] = static_cast<double>(static_cast<float>(x[r * columns + i])) -
                         (own - parts[i / (columns / 8)]) * scale;
                most = std::max(most, row[i]);
            }
            const double all = update ? (own + means[r * 8] * (loops - 1)) / loops : own, now = (own - all) * scale,
                         before = (means[r * 8] - all) * scale;
            const double top = update ? std::max(now + most, before + maxima[r * 8]) : now + most,
                         factor = update ? std::exp(maxima[r * 8] - top + before) : 0;
            double sum = factor * sums[r * 8];
            for (uint32_t i = 0; i < columns; ++i)
                sum += std::exp(row[i] - (top - now)), y.push_back(std::exp(row[i] - (top - now)));
            for (int i = 0; i < 8; ++i) mean.push_back(all), total.push_back(sum), largest.push_back(top);
            for (int i = 0; i < 16; ++i) carried.push_back(factor);
        }
        const auto halves = [&](size_t piece) {
            const auto narrow = t.p.Seen<half>(piece);
            return std::vector<float>(narrow.begin(), narrow.end());
        };
        return Near("y", halves(0), y, 2e-3) + Near("mean", t.Of(1), mean) + Near("sum", t.Of(2), total, 1e-3) +
               Near("max", t.Of(3), largest) + (update ? Near("expMax", halves(5), carried, 2e-3) : "");
    });
}

/// What is refused, and the sentence.
void Refused(const std::string& name, const std::string& expected,
             const std::function<void(const Local&, const Local&)>& call) {
    Pieces p;
    const size_t a = p.Put(kUb, std::vector<float>(4096, 1)), b = p.Put(kUb, std::vector<float>(4096, 1));
    const std::string rule = p.Rule([&](Pieces& u) { call(u.At<uint8_t>(a), u.At<uint8_t>(b)); });
    const std::string seen = rule.empty() ? "" : rule + ": " + told_.message;
    Expect((expected.empty() ? "legal: " : "refused: ") + name, seen == expected, seen);
}

void NormShapes() {
    const auto norm = [](uint32_t rows, uint32_t columns, uint32_t used, uint32_t divisor) {
        return [=](const Local& dst, const Local& x) {
            twin::NormTensors n;
            n.dst = &dst, n.x = &x;
            twin::NormRows({"LayerNorm", F, F, F, rows, columns, used, divisor, 0.1f}, n);
        };
    };
    const auto of = [](const std::string& rows, const std::string& columns, const std::string& used) {
        return "reduce-shape: LayerNorm of " + rows + " rows of " + columns + " elements, " + used +
               " of them used; a row is a multiple of 32 bytes";
    };
    Refused("a row of one block, of one element", "", norm(1, 8, 1, 1));
    Refused("a row of all", "", norm(1, 8, 8, 8));
    Refused("no row", of("0", "8", "8"), norm(0, 8, 8, 8));
    Refused("no column", of("1", "0", "0"), norm(1, 0, 0, 1));
    Refused("half a block", of("1", "12", "8"), norm(1, 12, 8, 8));
    Refused("nothing used", of("1", "8", "0"), norm(1, 8, 0, 8));
    Refused("more used than there are", of("1", "8", "8"), norm(1, 8, 9, 8));
    Refused("no divisor", of("1", "8", "0"), norm(1, 8, 8, 0));
    Refused("a divisor of more", of("1", "8", "8"), norm(1, 8, 8, 9));
    Refused("groups of nothing",
            "reduce-shape: GroupNorm of 0 rows of 8 elements, 8 of them used; a row is a multiple of 32 bytes",
            [](const Local& dst, const Local& x) {
                twin::NormTensors n;
                n.dst = &dst, n.x = &x;
                twin::NormGroups("GroupNorm", F, n, {1, 4, 0, 8, 8}, 0.1f);
            });
    const auto grad = [](uint32_t rows, uint32_t columns, uint32_t divisor) {
        return [=](const Local& dst, const Local& x) {
            twin::NormGradRows(F, {dst, dst, x, x, x, x, x}, rows, columns, divisor, 0.1f);
        };
    };
    const auto no = [](const std::string& api, const std::string& rows, const std::string& columns) {
        return "reduce-shape: " + api + " of " + rows + " rows of " + columns +
               " elements; a row is a multiple of 32 bytes and not empty";
    };
    Refused("a gradient of one row", "", grad(1, 8, 1));
    Refused("a gradient of no row", no("LayerNormGrad", "0", "8"), grad(0, 8, 8));
    Refused("a gradient of no column", no("LayerNormGrad", "2", "0"), grad(2, 0, 8));
    Refused("a gradient of half a block", no("LayerNormGrad", "2", "12"), grad(2, 12, 8));
    Refused("a gradient without divisor", no("LayerNormGrad", "0", "8"), grad(2, 8, 0));
    const auto step = [](uint32_t length, uint32_t count) {
        return [=](const Local& dst, const Local& x) {
            twin::WelfordStep(F, {dst, dst, x, x}, x, length, count, 0.5f, false);
        };
    };
    Refused("one of eight", "", step(8, 1));
    Refused("eight of eight", "", step(8, 8));
    Refused("none of eight", no("WelfordUpdate", "0", "8"), step(8, 0));
    Refused("nine of eight", no("WelfordUpdate", "0", "8"), step(8, 9));
    Refused("twelve in a row", no("WelfordUpdate", "1", "12"), step(12, 8));
    Refused("an end of twelve", no("WelfordFinalize", "1", "12"), [](const Local& dst, const Local& x) {
        twin::WelfordEnd({dst, dst, x, x}, {nullptr, 0, 0, 0}, 12, 1, 1, 1, 1);
    });
}

void OtherShapes() {
    const auto rows = [](uint32_t many, uint32_t columns, uint32_t used) {
        return [=](const Local& dst, const Local& x) {
            twin::SoftMaxRows(F, dst, nullptr, nullptr, x, {many, columns, used});
        };
    };
    const auto of = [](const std::string& shape, const std::string& used) {
        return "reduce-shape: SoftMax of " + shape + " elements, " + used +
               " columns used; a row is a multiple of 32 bytes";
    };
    Refused("softmax of one element", "", rows(1, 8, 1));
    Refused("softmax of a whole row", "", rows(1, 8, 8));
    Refused("softmax of no row", of("0 x 8", "8"), rows(0, 8, 8));
    Refused("softmax of half a block", of("1 x 12", "8"), rows(1, 12, 8));
    Refused("softmax of nothing", of("1 x 8", "0"), rows(1, 8, 0));
    Refused("softmax of more", of("1 x 8", "9"), rows(1, 8, 9));
    const auto v3 = [](const std::function<void(AscendC::SoftMaxParams&)>& change) {
        return [=](const Local& dst, const Local& x) {
            AscendC::SoftMaxParams p;
            p.srcM = p.oriSrcM = 8;
            p.srcK = p.oriSrcK = 512;
            p.splitMeanCnt = 8;
            p.loopCnt = 1;
            p.alpha = 0.5f;
            change(p);
            Local sum = x, max = x, mean = x;
            sum.data += 8192, max.data += 8448, mean.data += 8704;
            twin::SoftMaxFlashV3Rows({dst, sum, max, x, mean, mean, mean}, {mean, mean}, false, p);
        };
    };
    const auto flash = [](const std::string& rest) { return "reduce-shape: SoftmaxFlashV3 of " + rest; };
    const std::string means = " of them used, with splitMeanCnt 8, loopCnt 1 and alpha 0.5";
    Refused("eight rows of 512", "", v3([](auto&) {}));
    Refused("rows of 448", flash("8 x 448 elements, 8 x 448" + means), v3([](auto& p) { p.srcK = p.oriSrcK = 448; }));
    Refused("rows of 544", flash("8 x 544 elements, 8 x 544" + means), v3([](auto& p) { p.srcK = p.oriSrcK = 544; }));
    Refused("four rows", flash("4 x 512 elements, 4 x 512" + means), v3([](auto& p) { p.srcM = p.oriSrcM = 4; }));
    Refused("rows not all used", flash("8 x 512 elements, 7 x 512" + means), v3([](auto& p) { p.oriSrcM = 7; }));
    Refused("columns not all used", flash("8 x 512 elements, 8 x 511" + means), v3([](auto& p) { p.oriSrcK = 511; }));
    Refused("four means", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 4, loopCnt 1 and alpha 0.5"),
            v3([](auto& p) { p.splitMeanCnt = 4; }));
    Refused("no loop", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 8, loopCnt 0 and alpha 0.5"),
            v3([](auto& p) { p.loopCnt = 0; }));
    Refused("alpha of 1", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 8, loopCnt 1 and alpha 1"),
            v3([](auto& p) { p.alpha = 1; }));
    const auto sum = [](uint32_t many, uint32_t columns) {
        return [=](const Local& dst, const Local& x) { twin::RunningSum(F, dst, nullptr, x, many, columns, true); };
    };
    Refused("CumSum of a block", "", sum(1, 8));
    Refused("CumSum of no row", "reduce-shape: CumSum of 0 x 8 elements; a row is a multiple of 32 bytes", sum(0, 8));
    Refused("CumSum of no column", "reduce-shape: CumSum of 2 x 0 elements; a row is a multiple of 32 bytes",
            sum(2, 0));
    Refused("CumSum of half a block", "reduce-shape: CumSum of 2 x 4 elements; a row is a multiple of 32 bytes",
            sum(2, 4));
    const auto quant = [](uint32_t count, uint32_t channels) {
        return [=](const Local& dst, const Local& x) {
            twin::QuantToInt8(F, dst, x, {nullptr, nullptr, 1, 0, channels}, count);
        };
    };
    Refused("scales of one row", "", quant(64, 64));
    Refused("one scale", "", quant(64, 1));
    Refused("no scale", "reduce-shape: AscendQuant of 64 elements with 0 scales; as many offsets, and whole rows",
            quant(64, 0));
    Refused("scales of no whole rows",
            "reduce-shape: AscendQuant of 64 elements with 24 scales; as many offsets, and whole rows", quant(64, 24));
    const auto drop = [](uint32_t many, uint32_t columns, uint32_t mask, bool bits, float keep) {
        return
            [=](const Local& dst, const Local& x) { twin::DropByMask(F, dst, x, x, keep, many, columns, mask, bits); };
    };
    const auto dropped = [](const std::string& rest) {
        return "reduce-shape: DropOut of " + rest +
               "; a row is a multiple of 32 bytes, the mask covers it, keepProb is between 0 and 1";
    };
    Refused("a mask of bytes", "", drop(1, 8, 8, false, 0.5f));
    Refused("a mask of a byte less", dropped("1 x 8 elements with 7 bytes of mask a row and keepProb 0.5"),
            drop(1, 8, 7, false, 0.5f));
    Refused("a mask of bits", "", drop(1, 72, 9, true, 0.5f));
    Refused("a mask of eight bits less", dropped("1 x 72 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 72, 8, true, 0.5f));
    Refused("no row to drop from", dropped("0 x 8 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(0, 8, 8, false, 0.5f));
    Refused("no column to drop from", dropped("1 x 0 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 0, 8, false, 0.5f));
    Refused("half a block to drop from", dropped("1 x 4 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 4, 8, false, 0.5f));
    Refused("nothing kept", dropped("1 x 8 elements with 8 bytes of mask a row and keepProb 0"),
            drop(1, 8, 8, false, 0));
    Refused("all kept", dropped("1 x 8 elements with 8 bytes of mask a row and keepProb 1"), drop(1, 8, 8, false, 1));
    const auto dequant = [](uint32_t many, uint32_t columns, uint32_t used) {
        return [=](const Local& dst, const Local& x) {
            twin::DequantRows(F, F, dst, x, nullptr, 1, {many, columns, used});
        };
    };
    const auto taken = [](const std::string& many, const std::string& columns, const std::string& used) {
        return "reduce-shape: AscendDequant of " + many + " rows of " + columns + " elements, " + used +
               " of them taken; a row is a multiple of 32 bytes, and 1 <= calCount <= n";
    };
    Refused("one of a row", "", dequant(1, 8, 1));
    Refused("all of a row", "", dequant(1, 8, 8));
    Refused("no row", taken("0", "8", "8"), dequant(0, 8, 8));
    Refused("half a row", taken("1", "12", "8"), dequant(1, 12, 8));
    Refused("none of a row", taken("1", "8", "0"), dequant(1, 8, 0));
    Refused("more than a row", taken("1", "8", "9"), dequant(1, 8, 9));
    const auto anti = [](uint32_t elements, uint32_t k, bool transposed, bool packed, uint32_t rows_,
                         uint32_t columns) {
        return [=](const Local& dst, const Local& x) {
            Local scale = x;
            scale.data += 8192;
            twin::AntiQuantRows(H, packed, dst, x, nullptr, {&scale, 0, rows_, columns}, nullptr,
                                {elements, k, transposed});
        };
    };
    const auto un = [](const std::string& rest) { return "operand-shape: AscendAntiQuant of " + rest; };
    Refused("K of 2 and N of 16", "", anti(32, 2, false, false, 1, 16));
    Refused("a scale for all", "", anti(32, 2, false, false, 1, 1));
    Refused("a scale for each part of K", "", anti(32, 2, false, false, 2, 16));
    Refused("three parts of two", un("scale of 3 x 16 for 2 x 16 elements"), anti(32, 2, false, false, 3, 16));
    Refused("no part", un("scale of 0 x 16 for 2 x 16 elements"), anti(32, 2, false, false, 0, 16));
    Refused("scales of another N", un("scale of 1 x 8 for 2 x 16 elements"), anti(32, 2, false, false, 1, 8));
    Refused("one scale for each part alone", un("scale of 2 x 1 for 2 x 16 elements"), anti(32, 2, false, false, 2, 1));
    Refused("no K", un("32 elements with k of 0"), anti(32, 0, false, false, 1, 16));
    Refused("no elements", un("0 elements with k of 2"), anti(0, 2, false, false, 1, 16));
    Refused("no whole rows", un("32 elements with k of 3"), anti(32, 3, false, false, 1, 16));
    Refused("half a block", un("16 elements with k of 2"), anti(16, 2, false, false, 1, 8));
    Refused("half a block of 4 bits", un("32 elements with k of 2"), anti(32, 2, false, true, 1, 16));
    Refused("transposed K of 16", un("k of 16"), anti(32, 16, true, false, 2, 1));
    Refused("transposed K of 32", "", anti(32, 32, true, false, 1, 1));
    Refused("transposed K of 32 in 4 bits", un("k of 32"), anti(64, 32, true, true, 2, 1));
    Refused("transposed K of 64 in 4 bits", "", anti(64, 64, true, true, 1, 1));
}

}  // namespace

int main() {
    Norms();
    Gradients();
    AntiQuants<half>("half");
    AntiQuants<bfloat16_t>("bfloat16_t");
    SoftMaxes();
    NormShapes();
    OtherShapes();
    return Finish();
}
