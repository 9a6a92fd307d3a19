// LogSoftMax, SoftmaxFlash, SoftmaxFlashV3 and AdjustSoftMaxRes against plain loops, and Digamma against known values.
#include <algorithm>
#include <limits>

#include "on_device.h"

using namespace AscendC;

namespace {

LocalTensor<uint8_t> Space(TPipe& pipe, uint32_t bytes) {
    TBuf<> buffer;
    pipe.InitBuffer(buffer, bytes);
    return buffer.Get<uint8_t>();
}

template <typename T>
void Logs(const std::string& type, double tolerance) {
    constexpr uint32_t rows = 3, columns = 32, block = 32 / sizeof(T);
    const auto x = Wave(rows * columns, 1, 4);
    std::vector<double> expected, sums;
    for (uint32_t r = 0; r < rows; ++r) {
        const auto from = x.begin() + r * columns;
        const double most =
            static_cast<double>(static_cast<float>(static_cast<T>(*std::max_element(from, from + columns))));
        double sum = 0;
        for (uint32_t k = 0; k < columns; ++k)
            sum += std::exp(static_cast<double>(static_cast<float>(static_cast<T>(from[k]))) - most);
        for (uint32_t k = 0; k < columns; ++k)
            expected.push_back(
                std::log10(std::exp(static_cast<double>(static_cast<float>(static_cast<T>(from[k]))) - most) / sum));
        for (uint32_t k = 0; k < block; ++k) sums.push_back(sum);
    }
    Device<T> device({As<T>(x)}, {rows * columns, rows * block, rows * block});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        const LogSoftMaxTiling tiling;
        LogSoftMax(out[0], out[1], out[2], in[0], Space(pipe, (block + columns + 64) * 4), tiling,
                   {rows, columns, rows, columns});
    });
    Expect("LogSoftMax of " + type + " breaks no rule", rule.empty(), rule);
    ExpectNear("LogSoftMax of " + type + " has base 10", device.outputs[0], expected, tolerance);
    ExpectNear("sums of LogSoftMax of " + type, device.outputs[1], sums, tolerance);
}

std::string LogsInPlace() {
    Device<float> device({Wave(32, 1)}, {8, 8});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        LogSoftMaxTiling tiling;
        tiling.srcM = 1;
        tiling.srcK = 32;
        LogSoftMax(in[0][8], out[0], out[1], in[0], Space(pipe, 1024), tiling, {1, 16, 1, 16});
    });
}

/// A filled tiling is no shape of the source.
std::string ShapeOfTilingAlone() {
    Device<float> device({Wave(32, 1)}, {32, 8, 8});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        LogSoftMaxTiling tiling;
        tiling.srcM = 1;
        tiling.srcK = 32;
        LogSoftMax(out[0], out[1], out[2], in[0], Space(pipe, 1024), tiling);
    });
}

void OldFlash() {
    constexpr uint32_t rows = 2, columns = 16;
    const auto x = Wave(rows * columns, 2);
    const float inMax = 0.5f, inSum = 3;
    std::vector<double> expected, shares;
    for (uint32_t r = 0; r < rows; ++r) {
        const double most =
            std::max<double>(inMax, *std::max_element(x.begin() + r * columns, x.begin() + (r + 1) * columns));
        double sum = std::exp(inMax - most) * inSum;
        const double carried = sum;
        for (uint32_t k = 0; k < columns; ++k) sum += std::exp(x[r * columns + k] - most);
        for (uint32_t k = 0; k < columns; ++k) expected.push_back(std::exp(x[r * columns + k] - most) / sum);
        for (uint32_t k = 0; k < 8; ++k) shares.push_back(carried / sum);
    }
    Device<float> device({x, std::vector<float>(16, inSum), std::vector<float>(16, inMax)},
                         {rows * columns, 16, 16, 16});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        const SoftMaxTiling tiling;
        SoftmaxFlash(out[0], out[1], out[2], in[0], out[3], in[1], in[2], Space(pipe, (8 * 4 + columns * 2) * 4),
                     tiling, true, {rows, columns, rows, columns});
    });
    Expect("SoftmaxFlash with an update breaks no rule", rule.empty(), rule);
    ExpectNear("SoftmaxFlash divides by the sum of both", device.outputs[0], expected, 1e-5);
    ExpectNear("and gives the share of what came before", device.outputs[3], shares, 1e-5);
}

constexpr uint32_t kRows = 8, kColumns = 1024;

SoftMaxParams Params(uint32_t loops) { return {kRows, kColumns, kRows, kColumns, loops, 8, 0.9375f}; }

/// One call over rows of `x`, whose earlier mean, sum and maximum are given as 0.5.
std::string FlashV3(const std::vector<half>& x, bool update, SoftMaxParams params, std::vector<float>* result,
                    std::vector<float>* blocks) {
    Device<half> device({x}, {kRows * kColumns});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 7 * 256);
        LocalTensor<float> all = buffer.Get<float>(), before = all[192];
        LocalTensor<half> expMax = all[256].template ReinterpretCast<half>();
        Duplicate(before, 0.5f, 64);
        PipeBarrier<PIPE_V>();
        SoftMaxTiling tiling;
        const auto work = Space(pipe, (8 * 5 + kColumns * 2 + 64) * 4);
        if (update)
            SoftmaxFlashV3<half, float, true>(out[0], all, all[64], all[128], in[0], expMax, before, before, before,
                                              work, tiling, params);
        else
            SoftmaxFlashV3<half, float>(out[0], all, all[64], all[128], in[0], expMax, before, before, before, work,
                                        tiling, params);
        for (uint32_t r = 0; r < 24; ++r) blocks->push_back(all.GetValue(r * 8 + 3));
        if (update)
            for (uint32_t r = 0; r < 8; ++r) blocks->push_back(static_cast<float>(expMax.GetValue(r * 16 + 7)));
        for (uint32_t i = 0; i < kRows * kColumns; ++i) result->push_back(static_cast<float>(out[0].GetValue(i)));
    });
}

void CheckV3(bool update) {
    const auto x = As<half>(Wave(kRows * kColumns, 3, 2));
    std::vector<float> seen, blocks;
    const std::string rule = FlashV3(x, update, Params(3), &seen, &blocks),
                      name = update ? "SoftmaxFlashV3 with an update" : "SoftmaxFlashV3";
    Expect(name + " breaks no rule", rule.empty(), rule);
    std::vector<double> expected, means, sums, largest, shares;
    for (uint32_t r = 0; r < kRows; ++r) {
        double part[8] = {}, row[kColumns], mean = 0;
        for (uint32_t i = 0; i < kColumns; ++i) row[i] = static_cast<double>(static_cast<float>(x[r * kColumns + i]));
        for (uint32_t i = 0; i < 512; ++i) part[i / 64] += row[i] / 128;
        for (uint32_t i = 512; i < kColumns; ++i) part[i % 64 / 8] += row[i] / 128;
        for (const double one : part) mean += one / 8;
        const double scale = 15, shared = update ? (mean + 0.5 * 2) / 3 : mean;
        for (uint32_t i = 0; i < kColumns; ++i) row[i] -= (mean - part[i / 128]) * scale;
        const double now = (mean - shared) * scale, before = (0.5 - shared) * scale;
        double most = now + *std::max_element(row, row + kColumns), sum = 0;
        if (update) most = std::max(most, before + 0.5);
        for (uint32_t i = 0; i < kColumns; ++i) expected.push_back(std::exp(row[i] - (most - now)));
        for (uint32_t i = 0; i < kColumns; ++i) sum += expected[r * kColumns + i];
        const double share = update ? std::exp(0.5 - most + before) : 0;
        means.push_back(shared);
        sums.push_back(sum + share * 0.5);
        largest.push_back(most);
        shares.push_back(share);
    }
    ExpectNear(name, seen, expected, 2e-3);
    ExpectNear("means of " + name, std::vector<float>(blocks.begin(), blocks.begin() + 8), means, 1e-4);
    ExpectNear("sums of " + name, std::vector<float>(blocks.begin() + 8, blocks.begin() + 16), sums, 1e-3);
    ExpectNear("maxima of " + name, std::vector<float>(blocks.begin() + 16, blocks.begin() + 24), largest, 1e-3);
    if (update)
        ExpectNear("what goes on of " + name, std::vector<float>(blocks.begin() + 24, blocks.end()), shares, 2e-3);
}

void RefusesV3() {
    const auto x = As<half>(Wave(kRows * kColumns, 3));
    std::vector<float> a, b;
    auto few = Params(1);
    few.srcK = few.oriSrcK = 448;
    Expect("reduce-shape: SoftmaxFlashV3 of short rows", FlashV3(x, false, few, &a, &b) == "reduce-shape");
    auto split = Params(1);
    split.splitMeanCnt = 4;
    Expect("reduce-shape: SoftmaxFlashV3 with four means", FlashV3(x, false, split, &a, &b) == "reduce-shape");
    Expect("reduce-shape: SoftmaxFlashV3 without a loop", FlashV3(x, true, Params(0), &a, &b) == "reduce-shape");
}

void Adjusts() {
    std::vector<float> x(32), max(32);
    for (int i = 0; i < 32; ++i) x[i] = static_cast<float>(i), max[i] = static_cast<float>(i / 8 == 2 ? 1 : i / 8);
    bool found[3] = {};
    Device<float> device({x, max}, {32});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe&) {
        Adds(out[0], in[0], 0.0f, 32);
        PipeBarrier<PIPE_ALL>();
        found[0] = AdjustSoftMaxRes<float, float>(out[0], in[1], 0x3f800000, 9.0f, {4, 8, 4, 8});
        found[1] = AdjustSoftMaxRes<float, float>(out[0], in[1], 0x41800000, 9.0f, {4, 8, 4, 8});
        // Element r of the maxima stands for row r: all of the first four are 0.
        found[2] = AdjustSoftMaxRes<float, float, false, 1>(out[0], in[1], 0, 4.0f, {1, 8, 1, 8});
    });
    Expect("AdjustSoftMaxRes breaks no rule", rule.empty(), rule);
    Expect("AdjustSoftMaxRes tells whether there was one", found[0] && !found[1] && found[2]);
    for (int i = 0; i < 32; ++i) x[i] = i < 8 ? 4.0f : i < 24 ? 9.0f : static_cast<float>(i);
    ExpectSame("AdjustSoftMaxRes sets the rows", device.outputs[0], x);
    Device<float> unknown({}, {8});
    Expect("read-unwritten: a maximum that nobody wrote decides", unknown.Compute([&](auto, auto out, TPipe& pipe) {
        Duplicate(out[0], 0.0f, 8);
        AdjustSoftMaxRes<float, float>(out[0], Space(pipe, 32).ReinterpretCast<float>(), 0, 1.0f, {1, 8, 1, 8});
    }) == "read-unwritten");
}

void Digammas() {
    const std::vector<float> x = {1, 0.5f, 2, 10, -0.5f, 100, 0.25f, -2.872628f};
    const std::vector<double> expected = {-0.57721566, -1.96351003, 0.42278434,  2.25175259,
                                          0.03648998,  4.60016185,  -4.22745353, -6.2081366};
    Device<float> device({x}, {8});
    const std::string rule =
        device.Compute([&](auto in, auto out, TPipe& pipe) { Digamma(out[0], in[0], Space(pipe, 7 * 256), 8); });
    Expect("Digamma breaks no rule", rule.empty(), rule);
    ExpectNear("Digamma", device.outputs[0], expected, 2e-6);
    Device<half> halves({As<half>(x)}, {16});
    Expect("out-of-buffer: Digamma of half with the memory of float",
           halves.Compute([&](auto in, auto out, TPipe& pipe) {
               Duplicate(out[0], half(0), 16);
               Digamma(out[0], in[0], Space(pipe, 7 * 256), 8);
           }) == "out-of-buffer");
}

}  // namespace

int main() {
    Logs<float>("float", 1e-5);
    Logs<half>("half", 2e-3);
    Expect("reduce-shape: a shape that only the tiling has", ShapeOfTilingAlone() == "reduce-shape");
    Expect("partial-overlap: LogSoftMax over its source", LogsInPlace() == "partial-overlap");
    OldFlash();
    CheckV3(false);
    CheckV3(true);
    RefusesV3();
    Adjusts();
    Digammas();
    return Finish();
}
