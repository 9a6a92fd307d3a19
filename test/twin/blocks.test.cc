// Transposition, sorting, the SoftMax family, Select by bytes and raw instructions, against plain loops.
#include <algorithm>
#include <cmath>

#include "expect.h"

using namespace AscendC;

namespace {

/// Copies a in, lets `compute` fill the output, copies that out. The kernel has a spare 32 KB buffer.
template <typename In, typename Out>
struct Job {
    std::vector<In> in;
    std::vector<Out> out;
    using Compute = std::function<void(LocalTensor<Out>, LocalTensor<In>, LocalTensor<uint8_t>)>;

    std::string rule(const Compute& compute) {
        return RuleBroken(args(), [&](uint8_t** a) { run(a, compute); });
    }
    std::vector<Out> go(const Compute& compute) {
        Run(args(), [&](uint8_t** a) { run(a, compute); });
        return out;
    }

private:
    std::vector<twin::GmArg> args() {
        return {{"x", twin::Role::kInput, (uint8_t*)in.data(), in.size() * sizeof(In)},
                {"y", twin::Role::kOutput, (uint8_t*)out.data(), out.size() * sizeof(Out)}};
    }
    void run(uint8_t** a, const Compute& compute) {
        TPipe pipe;
        TQue<QuePosition::VECIN, 1> inQueue;
        TQue<QuePosition::VECOUT, 1> outQueue;
        TBuf<TPosition::VECCALC> spare;
        pipe.InitBuffer(inQueue, 1, in.size() * sizeof(In));
        pipe.InitBuffer(outQueue, 1, out.size() * sizeof(Out));
        pipe.InitBuffer(spare, 32768);
        GlobalTensor<In> x;
        GlobalTensor<Out> y;
        x.SetGlobalBuffer((__gm__ In*)a[0]);
        y.SetGlobalBuffer((__gm__ Out*)a[1]);
        LocalTensor<In> from = inQueue.template AllocTensor<In>();
        DataCopy(from, x, in.size());
        inQueue.EnQue(from);
        from = inQueue.template DeQue<In>();
        LocalTensor<Out> to = outQueue.template AllocTensor<Out>();
        compute(to, from, spare.Get<uint8_t>());
        outQueue.EnQue(to);
        to = outQueue.template DeQue<Out>();
        DataCopy(y, to, out.size());
        outQueue.FreeTensor(to);
        inQueue.FreeTensor(from);
    }
};

template <typename T>
std::vector<T> Counting(size_t n, int step = 7) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = T(static_cast<float>(static_cast<int>(i * step % 101) - 50) * 0.5f);
    return v;
}

template <typename T>
void Transposes(const std::string& type) {
    const size_t columns = 32 / sizeof(T);
    const auto x = Counting<T>(16 * columns);
    std::vector<T> expected(x.size());
    for (size_t r = 0; r < 16; ++r) {
        for (size_t c = 0; c < columns; ++c) expected[c * 16 + r] = x[r * columns + c];
    }
    const auto seen =
        Job<T, T>{x, std::vector<T>(x.size())}.go([&](LocalTensor<T> y, LocalTensor<T> a, LocalTensor<uint8_t>) {
            LocalTensor<T> dst[16], src[16];
            for (size_t i = 0; i < 16; ++i) {
                dst[i] = y[i * columns];
                src[i] = a[i * columns];
            }
            TransDataTo5HD<T>(dst, src, TransDataTo5HDParams(false, false, 1, 0, 0));
        });
    ExpectSame("TransDataTo5HD turns 16 rows of " + type + " into columns", seen, expected);
}

void TransposesBytesAndRepeats() {
    std::vector<uint8_t> x(512), expected(512, 9);
    for (size_t i = 0; i < 512; ++i) x[i] = static_cast<uint8_t>(i * 31);
    for (size_t r = 0; r < 16; ++r) {
        for (size_t c = 0; c < 16; ++c) expected[c * 32 + 16 + r] = x[r * 32 + c];
    }
    const auto seen = Job<uint8_t, uint8_t>{x, std::vector<uint8_t>(512)}.go(
        [&](LocalTensor<uint8_t> y, LocalTensor<uint8_t> a, LocalTensor<uint8_t>) {
            Duplicate(y.ReinterpretCast<int16_t>(), int16_t(0x0909), 256);
            uint64_t dst[16], src[16];
            for (int i = 0; i < 16; ++i) {
                dst[i] = (uint64_t)y[i * 32].GetPhyAddr();
                src[i] = (uint64_t)a[i * 32].GetPhyAddr();
            }
            TransDataTo5HD<uint8_t>(dst, src, TransDataTo5HDParams(true, false, 1, 0, 0));
        });
    ExpectSame("TransDataTo5HD of bytes takes one half of a block and fills the other", seen, expected);

    const auto wide = Counting<half>(16 * 48);
    std::vector<half> turned(wide.size());
    for (size_t r = 0; r < 16; ++r) {
        for (size_t c = 0; c < 48; ++c) turned[c * 16 + r] = wide[r * 48 + c];
    }
    const auto repeats = Job<half, half>{wide, std::vector<half>(wide.size())}.go(
        [&](LocalTensor<half> y, LocalTensor<half> a, LocalTensor<uint8_t>) {
            __ubuf__ half *dst[16], *src[16];
            for (int i = 0; i < 16; ++i) {
                dst[i] = (__ubuf__ half*)y[i * 16].GetPhyAddr();
                src[i] = (__ubuf__ half*)a[i * 48].GetPhyAddr();
            }
            TransDataTo5HDImpl(dst, src, TransDataTo5HDParams(false, false, 3, 16, 1));
        });
    ExpectSame("TransDataTo5HD steps by its strides over three repeats", repeats, turned);
    const auto rule = Job<half, half>{wide, std::vector<half>(wide.size())}.rule(
        [&](LocalTensor<half> y, LocalTensor<half> a, LocalTensor<uint8_t>) {
            LocalTensor<half> dst[16], src[16];
            for (int i = 0; i < 16; ++i) {
                dst[i] = y[i * 16];
                src[i] = a[i * 16 + 1];
            }
            TransDataTo5HD<half>(dst, src, TransDataTo5HDParams());
        });
    Expect("TransDataTo5HD wants blocks at multiples of 32 bytes", rule == "unaligned-ub", rule);
}

void RawInstructions() {
    const auto x = Counting<int16_t>(256);
    std::vector<int16_t> expected(256);
    for (size_t r = 0; r < 16; ++r) {
        for (size_t c = 0; c < 16; ++c) expected[r * 16 + c] = static_cast<int16_t>(x[r * 16 + c] | 1);
    }
    const auto seen = Job<int16_t, int16_t>{x, std::vector<int16_t>(256)}.go(
        [&](LocalTensor<int16_t> y, LocalTensor<int16_t> a, LocalTensor<uint8_t> spare) {
            auto* turned = (__ubuf__ int16_t*)spare.GetPhyAddr();
            auto* ones = turned + 512;
            auto* out = (__ubuf__ int16_t*)y.GetPhyAddr();
            vector_dup(ones, int16_t(1), 1, 1, 1, (uint8_t)8, (uint8_t)8);
            vtranspose((__ubuf__ uint16_t*)turned, (__ubuf__ uint16_t*)a.GetPhyAddr());
            vor(turned, turned, ones, 2, 1, 1, 1, 8, 8, 0);
            uint64_t src[16], dst[16];
            for (int i = 0; i < 16; ++i) {
                src[i] = (uint64_t)(turned + i * 16);
                dst[i] = (uint64_t)(turned + 1024 + i * 16);
            }
            set_va_reg_sb(VA0, dst);
            set_va_reg_sb(VA1, dst + 8);
            set_va_reg_sb(VA2, src);
            set_va_reg_sb(VA3, src + 8);
            scatter_vnchwconv_b16(VA0, VA2, 1, 0, 0);
            copy_ubuf_to_ubuf(out, turned + 1024, 0, 1, 16, 0, 0);
        });
    ExpectSame("vector_dup, vtranspose, vor, scatter_vnchwconv_b16 and copy_ubuf_to_ubuf by address", seen, expected);
    const auto rule = Job<int16_t, int16_t>{x, std::vector<int16_t>(256)}.rule(
        [&](LocalTensor<int16_t>, LocalTensor<int16_t> a, LocalTensor<uint8_t>) {
            int16_t outside[256];
            vtranspose((__ubuf__ int16_t*)outside, (__ubuf__ int16_t*)a.GetPhyAddr());
        });
    Expect("an address that is not in UB is refused", rule == "out-of-buffer", rule);
}

template <typename T>
void Sorts(const std::string& type) {
    const size_t n = 128, per = 8 / sizeof(T);
    const auto x = Counting<T>(n, 37);
    std::vector<uint32_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return static_cast<float>(x[a]) > static_cast<float>(x[b]); });
    const auto seen =
        Job<T, T>{x, std::vector<T>(n * per)}.go([&](LocalTensor<T> y, LocalTensor<T> a, LocalTensor<uint8_t> spare) {
            LocalTensor<T> sorted = spare.ReinterpretCast<T>();
            LocalTensor<int32_t> index = spare[4096].ReinterpretCast<int32_t>();
            CreateVecIndex(index, int32_t(0), n);
            Sort32(sorted, a, index.ReinterpretCast<uint32_t>(), 4);
            const uint16_t lengths[4] = {32, 32, 32, 32};
            const uint32_t step = GetSortLen<T>(32);
            MrgSort(y, MrgSortSrcList<T>(sorted, sorted[step], sorted[2 * step], sorted[3 * step]),
                    MrgSort4Info(lengths, false, 15, 1));
        });
    std::vector<T> scores(n), expected(n);
    std::vector<uint32_t> indices(n);
    for (size_t i = 0; i < n; ++i) {
        scores[i] = seen[i * per];
        std::memcpy(&indices[i], reinterpret_cast<const uint8_t*>(seen.data()) + i * 8 + 4, 4);
        expected[i] = x[order[i]];
    }
    ExpectSame("Sort32 and MrgSort order 128 scores of " + type + ", largest first", scores, expected);
    ExpectSame("equal scores of " + type + " keep their order", indices, order);
}

void SortRules() {
    const auto x = Counting<float>(64);
    using Float = Job<float, float>;
    const uint16_t lengths[4] = {32, 32, 0, 0}, long4[4] = {4096, 1, 0, 0};
    const auto sorted = [](LocalTensor<float> a, LocalTensor<uint8_t> spare) {
        LocalTensor<float> records = spare.ReinterpretCast<float>();
        LocalTensor<int32_t> index = spare[4096].ReinterpretCast<int32_t>();
        CreateVecIndex(index, int32_t(0), 64);
        Sort32(records, a, index.ReinterpretCast<uint32_t>(), 2);
        return records;
    };
    uint16_t taken[4];
    Float{x, std::vector<float>(128)}.go([&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
        LocalTensor<float> r = sorted(a, spare);
        Duplicate(y, 0.0f, 128);
        MrgSort(y, MrgSortSrcList<float>(r, r[64], r, r), MrgSort4Info(lengths, true, 3, 1));
        GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    });
    Expect("a suspended MrgSort stops when one queue is empty",
           (taken[0] == 32) != (taken[1] == 32) && taken[0] + taken[1] < 64,
           std::to_string(taken[0]) + " and " + std::to_string(taken[1]));
    const auto rule = [&](const MrgSort4Info& info, bool over) {
        return Float{x, std::vector<float>(128)}.rule(
            [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
                LocalTensor<float> r = sorted(a, spare);
                Duplicate(y, 0.0f, 128);
                MrgSort(over ? r[32] : y, MrgSortSrcList<float>(r, r[64], r, r), info);
            });
    };
    Expect("MrgSort of two queues breaks no rule", rule(MrgSort4Info(lengths, false, 3, 1), false).empty());
    Expect("merge-sort: validBit 5", rule(MrgSort4Info(lengths, false, 5, 1), false) == "merge-sort");
    Expect("merge-sort: 4096 records", rule(MrgSort4Info(long4, false, 3, 1), false) == "merge-sort");
    Expect("merge-sort: repeats of unequal queues", rule(MrgSort4Info(lengths, false, 15, 2), false) == "merge-sort");
    for (const int queue : {0, 1}) {
        const auto over = Float{x, std::vector<float>(128)}.rule(
            [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
                LocalTensor<float> r = sorted(a, spare);
                Duplicate(y, 0.0f, 128);
                const LocalTensor<float> other = queue == 0 ? r[1024] : r, own = queue == 0 ? r : r[1024];
                Duplicate(r[1024], 0.0f, 64);
                MrgSort(r[8], MrgSortSrcList<float>(own, other, r, r), MrgSort4Info(lengths, false, 3, 1));
            });
        Expect(
            "MrgSort names the queue that its result lies over",
            over == "partial-overlap" && told_.message.find("queue " + std::to_string(queue + 1)) != std::string::npos,
            over + told_.message);
    }
    const uint16_t four[4] = {8, 8, 8, 8};
    const auto merge = [&](bool stop, uint16_t valid, int repeats) {
        return Float{x, std::vector<float>(128)}.rule(
            [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
                LocalTensor<float> r = sorted(a, spare);
                Duplicate(y, 0.0f, 128);
                MrgSort(y, MrgSortSrcList<float>(r, r[16], r[32], r[48]), MrgSort4Info(four, stop, valid, repeats));
            });
    };
    Expect("legal: two repeats of four equal queues", merge(false, 15, 2) == "", merge(false, 15, 2));
    Expect("merge-sort: two repeats of three queues", merge(false, 7, 2) == "merge-sort", merge(false, 7, 2));
    Expect("merge-sort: two repeats that stop", merge(true, 15, 2) == "merge-sort", merge(true, 15, 2));
    Expect("legal: one repeat of three queues that stops", merge(true, 7, 1) == "", merge(true, 7, 1));
    Expect("partial-overlap: MrgSort into one of its queues",
           rule(MrgSort4Info(lengths, false, 3, 1), true) == "partial-overlap");
    const auto old = Float{x, std::vector<float>(128)}.rule(
        [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t>) { RpSort16(y, a, 1); });
    Expect("unsupported-api: RpSort16 belongs to another device", old == "unsupported-api", old);
}

constexpr uint32_t kRows = 5, kColumns = 24, kUsed = 19;
const SoftMaxShapeInfo kShape = {kRows, kColumns, kRows, kUsed};

bool Near(float a, float b) { return std::fabs(a - b) <= 1e-5f * std::max(1.0f, std::fabs(b)); }

template <typename Expected>
void ExpectRows(const std::string& name, const std::vector<float>& seen, Expected expected) {
    for (uint32_t r = 0; r < kRows; ++r) {
        for (uint32_t k = 0; k < kUsed; ++k) {
            const float want = expected(r, k);
            if (!Near(seen[r * kColumns + k], want))
                return Expect(name, false,
                              "row " + std::to_string(r) + " column " + std::to_string(k) + " is " +
                                  std::to_string(seen[r * kColumns + k]) + ", expected " + std::to_string(want));
        }
    }
    Expect(name, true);
}

void SoftMaxFamily() {
    const auto x = Counting<float>(kRows * kColumns, 13);
    const auto at = [&](uint32_t r, uint32_t k) { return x[r * kColumns + k] * 0.1f; };
    const auto largest = [&](uint32_t r) {
        float m = at(r, 0);
        for (uint32_t k = 1; k < kUsed; ++k) m = std::max(m, at(r, k));
        return m;
    };
    const auto total = [&](uint32_t r) {
        float s = 0;
        for (uint32_t k = 0; k < kUsed; ++k) s += std::exp(at(r, k) - largest(r));
        return s;
    };
    using Float = Job<float, float>;
    const SoftMaxTiling tiling{};
    const auto soft = [&](uint32_t r, uint32_t k) { return std::exp(at(r, k) - largest(r)) / total(r); };
    const auto scaled = [](LocalTensor<float> y, LocalTensor<float> a) { Muls(y, a, 0.1f, kRows * kColumns); };

    ExpectRows("SoftMax without sum and max",
               Float{x, std::vector<float>(x.size())}.go(
                   [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t>) {
                       scaled(y, a);
                       SoftMax<float>(y, y, tiling, kShape);
                   }),
               soft);
    ExpectRows("SimpleSoftMax with the sum and max of SoftMax",
               Float{x, std::vector<float>(x.size())}.go([&](LocalTensor<float> y, LocalTensor<float> a,
                                                             LocalTensor<uint8_t> spare) {
                   LocalTensor<float> sum = spare.ReinterpretCast<float>(), max = spare[4096].ReinterpretCast<float>(),
                                      other = spare[8192].ReinterpretCast<float>();
                   scaled(y, a);
                   SoftMax<float>(other, sum, max, y, spare[16384], tiling, kShape);
                   SimpleSoftMax<float>(y, sum, max, y, tiling, kShape);
               }),
               soft);
    ExpectRows("SoftmaxFlashV2 over two parts carries sum and max on",
               Float{x, std::vector<float>(x.size())}.go([&](LocalTensor<float> y, LocalTensor<float> a,
                                                             LocalTensor<uint8_t> spare) {
                   LocalTensor<float> sum = spare.ReinterpretCast<float>(), max = spare[4096].ReinterpretCast<float>(),
                                      scale = spare[8192].ReinterpretCast<float>(),
                                      part = spare[12288].ReinterpretCast<float>();
                   scaled(y, a);
                   Adds(part, y, -1.0f, kRows * kColumns);
                   SoftmaxFlashV2<float, false>(part, sum, max, part, scale, sum, max, tiling, kShape);
                   SoftmaxFlashV2<float, true>(y, sum, max, y, scale, sum, max, tiling, kShape);
                   for (uint32_t r = 0; r < kRows; ++r)
                       Muls(y[r * kColumns], y[r * kColumns], 1.0f / sum.GetValue(r * 8), kColumns);
               }),
               [&](uint32_t r, uint32_t k) { return soft(r, k) / (1.0f + std::exp(-1.0f)); });
    const auto dot = [&](uint32_t r) {
        float s = 0;
        for (uint32_t k = 0; k < kUsed; ++k) s += x[r * kColumns + k] * at(r, k);
        return s;
    };
    ExpectRows("SoftmaxGrad",
               Float{x, std::vector<float>(x.size())}.go(
                   [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t>) {
                       scaled(y, a);
                       SoftmaxGrad<float>(y, a, y, tiling, false, kShape);
                   }),
               [&](uint32_t r, uint32_t k) { return (x[r * kColumns + k] - dot(r)) * at(r, k); });
    const auto front = Float{x, std::vector<float>(kRows * 8)}.go(
        [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
            LocalTensor<float> b = spare.ReinterpretCast<float>();
            scaled(b, a);
            SoftmaxGradFront<float>(y, a, b, tiling, kShape);
        });
    Expect("SoftmaxGradFront fills a block a row with the sum", Near(front[8], dot(1)) && Near(front[15], dot(1)),
           std::to_string(front[8]));
    const auto rule = Float{x, std::vector<float>(x.size())}.rule(
        [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t>) {
            SoftMax<float>(y, a, tiling, {kRows, 23, kRows, 23});
        });
    Expect("reduce-shape: SoftMax of rows of 92 bytes", rule == "reduce-shape", rule);
}

void Selects() {
    const auto x = Counting<float>(64, 3);
    std::vector<float> expected(64);
    for (size_t i = 0; i < 64; ++i) expected[i] = i % 3 == 0 ? x[i] : -7.0f;
    const auto masked = [&](bool swapped, uint32_t maskColumns) {
        Job<float, float> job{x, std::vector<float>(64)};
        const auto compute = [&](LocalTensor<float> y, LocalTensor<float> a, LocalTensor<uint8_t> spare) {
            LocalTensor<uint8_t> mask = spare, work = spare[4096];
            for (uint32_t i = 0; i < 2 * maskColumns; ++i) mask.SetValue(i, 1);
            for (uint32_t i = 0; i < 64; ++i)
                mask.SetValue(i / 32 * maskColumns + i % 32, (i % 3 == 0) == swapped ? 2 : 0);
            SelectWithBytesMaskShapeInfo info;
            info.firstAxis = 2;
            info.srcLastAxis = 32;
            info.maskLastAxis = maskColumns;
            if (swapped) SelectWithBytesMask(y, -7.0f, a, mask, work, info);
            else SelectWithBytesMask(y, a, -7.0f, mask, work, info);
        };
        const std::string rule = job.rule(compute);
        return rule.empty() ? job.out : std::vector<float>();
    };
    ExpectSame("SelectWithBytesMask takes the tensor where the mask is 0", masked(false, 32), expected);
    ExpectSame("the scalar first takes the tensor where the mask is not 0, and ignores the mask's extra columns",
               masked(true, 64), expected);
    Expect("reduce-shape: a mask row of 40 bytes", masked(false, 40).empty());
}

}  // namespace

int main() {
    Transposes<half>("half");
    Transposes<int16_t>("int16_t");
    Transposes<float>("float");
    Transposes<uint32_t>("uint32_t");
    TransposesBytesAndRepeats();
    RawInstructions();
    Sorts<half>("half");
    Sorts<float>("float");
    SortRules();
    SoftMaxFamily();
    Selects();
    return Finish();
}
