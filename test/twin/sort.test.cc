// Sorting of whole rows against the C++ library's.
#include <algorithm>
#include <numeric>

#include "on_device.h"
#include "../runtime/host/registry.cpp"
#include "../runtime/host/sort_tiling.cpp"

using namespace AscendC;

namespace {

const platform_ascendc::PlatformAscendC kPlatform(nullptr);

/// Few different values, so that many are equal.
template <typename T>
std::vector<T> Scores(size_t n) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = T(static_cast<float>(static_cast<int>(i * 37 % 23) - 11) * 0.5f);
    return v;
}

template <typename T>
std::vector<uint32_t> Order(const T* values, size_t n, bool largest) {
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return largest ? values[a] > values[b] : values[a] < values[b]; });
    return order;
}

/// Room in UB for n elements of another type than the kernel's.
template <typename T>
LocalTensor<T> Room(TPipe& pipe, size_t n, uint8_t* = nullptr) {
    TBuf<> buffer;
    pipe.InitBuffer(buffer, static_cast<uint32_t>((n * sizeof(T) + 31) / 32 * 32));
    return buffer.Get<T>();
}

template <typename T>
void FullSort(const std::string& type) {
    const size_t n = 224;
    const auto scores = Scores<T>(n);
    const auto order = Order(scores.data(), n, true);
    std::vector<T> sorted;
    std::vector<float> where;
    for (const uint32_t i : order) {
        sorted.push_back(scores[i]);
        where.push_back(static_cast<float>(i));
    }
    std::vector<float> seenWhere(n);
    Device<T> device({scores}, {n});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        const uint32_t bytes = GetSortTmpSize(kPlatform, n, sizeof(T));
        LocalTensor<T> records = Room<T>(pipe, bytes / sizeof(T)), work = Room<T>(pipe, bytes / sizeof(T)), concat;
        LocalTensor<uint32_t> index = Room<uint32_t>(pipe, n), found = Room<uint32_t>(pipe, n);
        CreateVecIndex(index.template ReinterpretCast<int32_t>(), 0, n);
        Concat(concat, in[0], work, n / 16);
        Sort<T, true>(records, concat, index, work, n / 32);
        Extract(out[0], found, records, n / 32);
        for (uint32_t i = 0; i < n; ++i) seenWhere[i] = static_cast<float>(found.GetValue(i));
    });
    Expect("Sort of " + type + " breaks no rule", rule.empty(), rule);
    ExpectSame("Sort of " + type, device.outputs[0], sorted);
    ExpectSame("Sort of " + type + ": indices", seenWhere, where);
}

struct Choice {
    bool largest, small, init, finish;
};

template <typename T>
void TopRows(const std::string& type, int32_t k, const Choice& choice) {
    const int32_t rows = 3, inner = choice.small ? 32 : 96, n = inner - 5;
    auto scores = Scores<T>(static_cast<size_t>(rows) * inner);
    for (int32_t r = 0; r < rows; ++r)
        std::fill(scores.begin() + r * inner + n, scores.begin() + (r + 1) * inner,
                  T(choice.largest ? -1000.0f : 1000.0f));
    tiling::TopkTiling tiling;
    const TopKMode mode = choice.small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL;
    uint32_t most = 0, least = 0;
    const bool fits = GetTopKMaxMinTmpSize(kPlatform, inner, rows, false, choice.init, mode, choice.largest, sizeof(T),
                                           most, least) &&
                      TopKTilingFunc(kPlatform, inner, rows, k, sizeof(T), choice.init, mode, choice.largest, tiling);
    const std::string name = std::string("TopK of ") + type + (choice.small ? ", small" : "") +
                             (choice.largest ? "" : ", smallest") + (choice.init ? ", own indices" : "") +
                             (choice.finish ? ", a row finished" : "");
    Expect(name + " has a tiling within its temporary memory",
           fits && tiling.tmpLocalSize * sizeof(T) <= least && least == most);
    const auto padded = [&](size_t size) {
        return choice.small ? static_cast<size_t>(k) : (k * size + 31) / 32 * 32 / size;
    };
    std::vector<T> values;
    std::vector<float> indices, seen;
    for (int32_t r = 0; r < rows; ++r) {
        const auto order = Order(scores.data() + r * inner, static_cast<size_t>(inner), choice.largest);
        for (int32_t i = 0; i < k; ++i) {
            values.push_back(scores[static_cast<size_t>(r) * inner + order[i]]);
            indices.push_back(choice.finish && r == 1 ? static_cast<float>(n)
                                                      : static_cast<float>(order[i] + (choice.init ? 7 : 0)));
        }
    }
    Device<T> device({scores}, {static_cast<size_t>(rows) * k});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        LocalTensor<T> top = Room<T>(pipe, rows * padded(sizeof(T)));
        LocalTensor<int32_t> found = Room<int32_t>(pipe, rows * padded(4)),
                             given = Room<int32_t>(pipe, static_cast<size_t>(rows) * inner);
        LocalTensor<bool> finished = Room<bool>(pipe, rows);
        LocalTensor<uint8_t> work = Room<uint8_t>(pipe, least);
        for (int32_t r = 0; r < rows; ++r) {
            for (int32_t i = 0; i < inner; ++i) given.SetValue(r * inner + i, i + 7);
            finished.SetValue(r, r == 1);
        }
        const TopKInfo info{rows, inner, n};
        if (choice.small && choice.init)
            TopK<T, true, false, false, TopKMode::TOPK_NSMALL>(top, found, in[0], given, finished, work, k, tiling,
                                                               info, choice.largest);
        else if (choice.small)
            TopK<T, false, false, false, TopKMode::TOPK_NSMALL>(top, found, in[0], given, finished, work, k, tiling,
                                                                info, choice.largest);
        else if (choice.finish)
            TopK<T, false, true>(top, found, in[0], given, finished, work, k, tiling, info, choice.largest);
        else if (choice.init) TopK<T, true>(top, found, in[0], given, finished, k, tiling, info, choice.largest);
        else TopK<T>(top, found, in[0], given, finished, work, k, tiling, info, choice.largest);
        for (int32_t r = 0; r < rows; ++r) {
            for (int32_t i = 0; i < k; ++i) {
                out[0].SetValue(r * k + i, top.GetValue(r * padded(sizeof(T)) + i));
                seen.push_back(static_cast<float>(found.GetValue(r * padded(4) + i)));
            }
        }
    });
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, device.outputs[0], values);
    ExpectSame(name + ": indices", seen, indices);
}

/// NaN comes before every number, and NaNs keep their order.
void TopOfNan() {
    std::vector<float> scores(32);
    for (int i = 0; i < 32; ++i) scores[i] = static_cast<float>(i * 7 % 32);
    for (const int i : {3, 0, 9}) scores[i] = NAN;
    tiling::TopkTiling tiling;
    uint32_t most = 0, least = 0;
    GetTopKMaxMinTmpSize(kPlatform, 32, 1, false, false, TopKMode::TOPK_NORMAL, true, 4, most, least);
    TopKTilingFunc(kPlatform, 32, 1, 8, 4, false, TopKMode::TOPK_NORMAL, true, tiling);
    std::vector<int32_t> seen, expected = {0, 3, 9};
    Device<float> device({scores}, {8});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        LocalTensor<int32_t> found = Room<int32_t>(pipe, 8), given = Room<int32_t>(pipe, 32);
        LocalTensor<bool> finished = Room<bool>(pipe, 32);
        TopK<float>(out[0], found, in[0], given, finished, Room<uint8_t>(pipe, least), 8, tiling, TopKInfo{1, 32, 32},
                    true);
        for (int i = 0; i < 3; ++i) seen.push_back(found.GetValue(i));
    });
    ExpectSame("TopK takes NaN first, in the order of its row" + rule, seen, expected);
    Expect("and the largest number next", device.outputs[0][3] == 30.0f, std::to_string(device.outputs[0][3]));
}

void TopTilings() {
    tiling::TopkTiling tiling;
    TopKTilingFunc(kPlatform, 64, 2, 10, 4, true, TopKMode::TOPK_NORMAL, true, tiling);
    Expect("TopK's tiling in normal mode counts all elements",
           tiling.allDataSize == 128 && tiling.kAlignFourBytes == 16 && tiling.innerDataSize == 128);
    TopKTilingFunc(kPlatform, 32, 2, 10, 4, true, TopKMode::TOPK_NSMALL, true, tiling);
    Expect("and in small mode rounds k as well",
           tiling.allDataSize == 64 && tiling.kAlignFourBytes == 16 && tiling.maskOffset == 20);
}

std::string TopRule(std::function<void(TopKInfo*, int32_t*, tiling::TopkTiling*)> change, bool vecin = false) {
    Device<float> device({Scores<float>(2 * 64)}, {2 * 8});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        tiling::TopkTiling tiling;
        TopKTilingFunc(kPlatform, 64, 2, 8, 4, false, TopKMode::TOPK_NORMAL, true, tiling);
        TopKInfo info{2, 64, 64};
        int32_t k = 8;
        change(&info, &k, &tiling);
        TBuf<TPosition::VECIN> other;
        pipe.InitBuffer(other, 64 * 20);
        LocalTensor<uint8_t> work = vecin ? other.Get<uint8_t>() : Room<uint8_t>(pipe, 64 * 20);
        LocalTensor<bool> none;
        LocalTensor<int32_t> unused;
        TopK<float>(out[0], Room<int32_t>(pipe, 16), in[0], unused, none, work, k, tiling, info);
    });
}

void Rules() {
    using Info = TopKInfo*;
    using Tiling = tiling::TopkTiling*;
    Expect("legal: rows of 64, the first 8", TopRule([](Info, int32_t*, Tiling) {}) == "",
           TopRule([](Info, int32_t*, Tiling) {}));
    Expect("sort-shape: rows of 40", TopRule([](Info i, int32_t*, Tiling) { i->inner = i->n = 40; }) == "sort-shape");
    Expect("sort-shape: k over n", TopRule([](Info i, int32_t*, Tiling) { i->n = 7; }) == "sort-shape");
    Expect("sort-shape: a tiling for another k", TopRule([](Info, int32_t* k, Tiling) { *k = 4; }) == "sort-shape");
    Expect("temporary-memory: no tiling", TopRule([](Info, int32_t*, Tiling t) { *t = {}; }) == "temporary-memory");
    Expect("wrong-position: temporary memory in VECIN",
           TopRule([](Info, int32_t*, Tiling) {}, true) == "wrong-position",
           TopRule([](Info, int32_t*, Tiling) {}, true));
    Expect("read-unwritten: padding that nobody wrote decides", [] {
        Device<float> device({Scores<float>(32)}, {8});
        return device.Compute([&](auto in, auto out, TPipe& pipe) {
            tiling::TopkTiling tiling;
            TopKTilingFunc(kPlatform, 64, 1, 8, 4, false, TopKMode::TOPK_NORMAL, true, tiling);
            LocalTensor<float> wide = Room<float>(pipe, 64);
            LocalTensor<bool> none;
            LocalTensor<int32_t> unused;
            Adds(wide, in[0], 0.0f, 32);
            TopK<float>(out[0], Room<int32_t>(pipe, 8), wide, unused, none, Room<uint8_t>(pipe, 64 * 20), 8, tiling,
                        {1, 64, 32});
        });
    }() == "read-unwritten");
}

}  // namespace

int main() {
    TopOfNan();
    TopTilings();
    FullSort<float>("float");
    FullSort<half>("half");
    for (const bool largest : {true, false}) {
        for (const bool small : {false, true}) {
            for (const bool init : {false, true}) {
                TopRows<float>("float", 5, {largest, small, init, false});
                TopRows<half>("half", 17, {largest, small, init, false});
            }
        }
    }
    TopRows<float>("float", 9, {true, false, false, true});
    Rules();
    return Finish();
}
