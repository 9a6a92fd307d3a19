// Reductions in their order of additions, fills, gathers, rows.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "expect.h"

using namespace AscendC;

namespace {

/// Runs `compute` on plain buffers: src holds the input, dst and work are free. Returns the first n elements of dst.
template <typename T>
std::vector<T> Reduce(const std::vector<T>& in, size_t n,
                      std::function<void(LocalTensor<T>, LocalTensor<T>, LocalTensor<T>)> compute) {
    std::vector<T> out(n);
    const uint32_t bytesIn = in.size() * sizeof(T), bytesOut = n * sizeof(T);
    Run({{"x", twin::Role::kInput, (uint8_t*)in.data(), bytesIn},
         {"y", twin::Role::kOutput, (uint8_t*)out.data(), bytesOut}},
        [&](uint8_t** args) {
            TPipe pipe;
            TBuf<> src, dst, work;
            pipe.InitBuffer(src, bytesIn);
            pipe.InitBuffer(dst, 16384);
            pipe.InitBuffer(work, 8192);
            GlobalTensor<T> x, y;
            x.SetGlobalBuffer((__gm__ T*)args[0]);
            y.SetGlobalBuffer((__gm__ T*)args[1]);
            DataCopyPad(src.Get<T>(), x, DataCopyExtParams(1, bytesIn, 0, 0, 0), DataCopyPadExtParams<T>());
            PipeBarrier<PIPE_ALL>();
            compute(dst.Get<T>(), src.Get<T>(), work.Get<T>());
            PipeBarrier<PIPE_ALL>();
            DataCopyPad(y, dst.Get<T>(), DataCopyExtParams(1, bytesOut, 0, 0, 0));
        });
    return out;
}

/// Sum of neighbours, then of neighbours of the sums, rounding to T each time.
template <typename T>
T TreeSum(std::vector<T> v) {
    while (v.size() > 1) {
        std::vector<T> next;
        for (size_t i = 0; i < v.size(); i += 2)
            next.push_back(i + 1 < v.size() ? T(static_cast<float>(v[i]) + static_cast<float>(v[i + 1])) : v[i]);
        v = next;
    }
    return v[0];
}

template <typename T>
std::vector<T> Ramp(size_t n) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = T(0.1f * static_cast<float>((i * 37) % 101) - 3.0f);
    return v;
}

template <typename T>
void Sums(const char* type) {
    const size_t lanes = 256 / sizeof(T), perBlock = 32 / sizeof(T);
    for (size_t n : {size_t(1), perBlock - 1, perBlock + 1, lanes, lanes + 3, 5 * lanes}) {
        const auto v = Ramp<T>(n);
        T expected = TreeSum(std::vector<T>(v.begin(), v.begin() + std::min(n, lanes)));
        for (size_t at = lanes; at < n; at += lanes) {
            expected =
                T(static_cast<float>(expected) +
                  static_cast<float>(TreeSum(std::vector<T>(v.begin() + at, v.begin() + std::min(n, at + lanes)))));
        }
        ExpectSame<T>(std::string("ReduceSum ") + type + " of " + std::to_string(n),
                      Reduce<T>(v, 1, [&](auto d, auto s, auto w) { ReduceSum(d, s, w, static_cast<int32_t>(n)); }),
                      {expected});
    }
    const auto v = Ramp<T>(2 * lanes);
    const std::vector<T> low(v.begin(), v.begin() + lanes), high(v.begin() + lanes, v.end());
    ExpectSame<T>(
        std::string("WholeReduceSum ") + type,
        Reduce<T>(v, 2, [&](auto d, auto s, auto) { WholeReduceSum(d, s, static_cast<int32_t>(lanes), 2, 1, 1, 8); }),
        {TreeSum(low), TreeSum(high)});
    std::vector<T> blocks, pairs;
    for (size_t b = 0; b < 16; ++b)
        blocks.push_back(TreeSum(std::vector<T>(v.begin() + b * perBlock, v.begin() + (b + 1) * perBlock)));
    for (size_t i = 0; i < lanes; i += 2) pairs.push_back(T(static_cast<float>(v[i]) + static_cast<float>(v[i + 1])));
    ExpectSame<T>(
        std::string("BlockReduceSum ") + type,
        Reduce<T>(v, 16, [&](auto d, auto s, auto) { BlockReduceSum(d, s, 2, static_cast<int32_t>(lanes), 1, 1, 8); }),
        blocks);
    ExpectSame<T>(
        std::string("PairReduceSum ") + type,
        Reduce<T>(v, lanes / 2,
                  [&](auto d, auto s, auto) { PairReduceSum(d, s, 1, static_cast<int32_t>(lanes), 1, 1, 8); }),
        pairs);
}

void LargestAndSmallest() {
    std::vector<float> v = Ramp<float>(300);
    v[17] = v[250] = 99;
    v[111] = -99;
    ExpectSame<uint32_t>(
        "ReduceMax gives the first index",
        [&] {
            const auto r = Reduce<float>(v, 2, [&](auto d, auto s, auto w) { ReduceMax(d, s, w, 300, true); });
            return std::vector<uint32_t>{static_cast<uint32_t>(r[0]), __builtin_bit_cast(uint32_t, r[1])};
        }(),
        {99, 17});
    ExpectSame<float>("ReduceMin", Reduce<float>(v, 1, [&](auto d, auto s, auto w) { ReduceMin(d, s, w, 300); }),
                      {-99});
    ExpectSame<float>(
        "WholeReduceMax, value alone",
        Reduce<float>(
            v, 2, [&](auto d, auto s, auto) { WholeReduceMax(d, s, 64, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE); }),
        {99, *std::max_element(v.begin() + 64, v.begin() + 128)});
    std::vector<float> late(300, 1.0f);
    late[5] = 0.5f, late[200] = -7, late[290] = 0.25f;
    const auto reached = [&](auto reduce) {
        float value = 0, index = 0;
        Reduce<float>(late, 1, [&](auto d, auto s, auto) {
            reduce(d, s);
            GetReduceMaxMinCount<float>(value, index);
        });
        return std::vector<uint32_t>{__builtin_bit_cast(uint32_t, value), __builtin_bit_cast(uint32_t, index)};
    };
    const uint32_t seven = __builtin_bit_cast(uint32_t, -7.0f), one = __builtin_bit_cast(uint32_t, 1.0f);
    ExpectSame<uint32_t>("the register holds the smallest of all repeats, with its index",
                         reached([](auto d, auto s) { WholeReduceMin(d, s, 64, 4, 1, 1, 8); }), {seven, 200});
    ExpectSame<uint32_t>("and the first of equal ones",
                         reached([](auto d, auto s) { WholeReduceMax(d, s, 64, 4, 1, 1, 8); }), {one, 0});
    std::vector<half> h(100, half(1));
    h[70] = 5;
    const auto r = Reduce<half>(h, 2, [&](auto d, auto s, auto w) { ReduceMax(d, s, w, 100, true); });
    Expect("the index of a half stands as uint16_t bits", static_cast<float>(r[0]) == 5 && r[1].bits == 70);
    ExpectSame<float>("GetValue of a reduction",
                      Reduce<float>(v, 1,
                                    [&](auto d, auto s, auto w) {
                                        ReduceMax(d, s, w, 300);
                                        const float m = d.GetValue(0);
                                        Duplicate(d, m + 1, 8);
                                    }),
                      {100});
}

void Fills() {
    const auto v = Ramp<float>(16);
    std::vector<float> copies(64), picked(8), kept, index(40);
    for (size_t i = 0; i < 64; ++i) copies[i] = v[i / 8];
    for (size_t i = 0; i < 8; ++i) picked[i] = v[15 - i];
    for (size_t i = 1; i < 16; i += 2) kept.push_back(v[i]);
    std::iota(index.begin(), index.end(), 5.0f);
    ExpectSame<float>("Brcb fills a block with each element",
                      Reduce<float>(v, 64, [](auto d, auto s, auto) { Brcb(d, s, 1, BrcbRepeatParams(1, 8)); }),
                      copies);
    ExpectSame<float>("Gather by byte offsets",
                      Reduce<float>(v, 8,
                                    [](auto d, auto s, auto w) {
                                        auto o = w.template ReinterpretCast<uint32_t>();
                                        for (uint32_t i = 0; i < 8; ++i) o.SetValue(i, (15 - i) * 4);
                                        Gather(d, s, o, 0, 8);
                                    }),
                      picked);
    uint64_t count = 0;
    ExpectSame<float>("GatherMask packs every odd element",
                      Reduce<float>(v, 8,
                                    [&](auto d, auto s, auto) {
                                        GatherMask(d, s, uint8_t(2), true, 16, GatherMaskParams(1, 1, 8, 0), count);
                                    }),
                      kept);
    Expect("GatherMask counts what it kept", count == 8);
    const auto row = Ramp<float>(80);
    std::vector<float> rows(160);
    for (size_t i = 0; i < 160; ++i) rows[i] = i % 80 < 75 ? row[i % 80] : 0;
    ExpectSame<float>("Copy in counter mode: the mask counts the elements of a repeat, and repeatTime holds",
                      Reduce<float>(row, 160,
                                    [](auto d, auto s, auto) {
                                        Duplicate(d, 0.0f, 160);
                                        SetMaskCount();
                                        SetVectorMask<float, MaskMode::COUNTER>(75);
                                        Copy<float, false>(d, s, MASK_PLACEHOLDER, 2, {1, 1, 10, 0});
                                        SetMaskNorm();
                                        ResetMask();
                                    }),
                      rows);
    ExpectSame<float>("CreateVecIndex", Reduce<float>(v, 40, [](auto d, auto, auto) { CreateVecIndex(d, 5.0f, 40); }),
                      index);
}

void Pads() {
    const std::vector<float> in = {1, 2, 3, 4, 5, 6};
    std::vector<float> out(16);
    Run({{"x", twin::Role::kInput, (uint8_t*)in.data(), 24}, {"y", twin::Role::kOutput, (uint8_t*)out.data(), 64}},
        [&](uint8_t** args) {
            TPipe pipe;
            TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
            pipe.InitBuffer(through, 1, 64);
            GlobalTensor<float> x, y;
            x.SetGlobalBuffer((__gm__ float*)args[0]);
            y.SetGlobalBuffer((__gm__ float*)args[1]);
            auto t = through.AllocTensor<float>();
            DataCopyPad(t, x, DataCopyExtParams(2, 12, 0, 0, 0), DataCopyPadExtParams<float>(true, 1, 2, 9.0f));
            through.EnQue(t);
            t = through.DeQue<float>();
            DataCopy(y, t, 16);
            through.FreeTensor(t);
        });
    ExpectSame<float>("DataCopyPad surrounds each row", out, {9, 1, 2, 3, 9, 9, 9, 9, 9, 4, 5, 6, 9, 9, 9, 9});
}

void Rows() {
    const SoftMaxTiling tiling;
    const std::vector<float> v = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0};
    const uint32_t shape[] = {2, 1, 8};
    const auto soft = Reduce<float>(v, 16, [&](auto d, auto s, auto w) {
        s.SetShapeInfo(ShapeInfo(3, shape));
        SoftMax<float>(d, w, w[64], s, tiling);
    });
    float total = 0;
    for (int i = 0; i < 8; ++i) total += soft[i];
    Expect("rows of SoftMax sum to 1",
           std::fabs(total - 1) < 1e-6f && soft[9] == 0.125f && std::fabs(soft[7] / soft[6] - std::exp(1.0f)) < 1e-5f);
    ExpectSame<float>("Sum and Mean of rows",
                      Reduce<float>(v, 2,
                                    [](auto d, auto s, auto) {
                                        Sum<float>(d, s, SumParams{2, 8, 4});
                                    }),
                      {10, 0});
    const uint32_t to[2] = {2, 8}, row[2] = {1, 8}, column[2] = {2, 1};
    ExpectSame<float>("BroadCast of a row",
                      Reduce<float>(v, 16, [&](auto d, auto s, auto) { BroadCast<float, 2, 0>(d, s, to, row); }),
                      {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8});
    ExpectSame<float>("BroadCast of a column",
                      Reduce<float>(v, 16, [&](auto d, auto s, auto) { BroadCast<float, 2, 1>(d, s, to, column); }),
                      {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2});
}

}  // namespace

int main() {
    Sums<half>("half");
    Sums<float>("float");
    LargestAndSmallest();
    Fills();
    Pads();
    Rows();
    return Finish();
}
