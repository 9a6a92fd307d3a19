// Softmax in pieces, against its formula row by row.
#include "float_tensors.h"
#include "twin/softmax.h"
#include "twin/softmax_variants.h"

using namespace AscendC;

namespace {

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

}  // namespace

int main() {
    SoftMaxes();
    return Finish();
}
