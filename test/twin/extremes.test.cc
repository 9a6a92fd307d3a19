// The largest and the smallest of repeats of chance, with the work memory that they need, and sums of the instruction
// that accumulates, and the shapes that TopK takes.
#include "pieces.h"
#include "twin/sort.h"
#include "twin/vec_reduce.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

/// The size formula of ReduceMax and ReduceMin, block by block: each repeat leaves a value and an index, and with
/// calIndex those form repeats of their own, until one result is left.
uint32_t WorkBlocks(uint32_t repeats, uint32_t perBlock, bool withIndex) {
    const auto up = [](uint32_t count, uint32_t unit) { return count / unit + (count % unit != 0 ? 1 : 0); };
    uint32_t blocks = up(2 * repeats, perBlock);
    while (withIndex && repeats > 1) {
        repeats = up(2 * repeats, 8 * perBlock);
        blocks += up(2 * repeats, perBlock);
    }
    return blocks;
}

template <typename T>
std::string Extreme(Chance& c) {
    using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
    const bool smallest = c.Coin(), withIndex = c.Coin(), byCount = c.Coin();
    const uint32_t few = c.From(1, 5), repeats = c.Coin() ? few : c.From(kLanes / 2 - 1, kLanes / 2 + 3),
                   mask = c.From(1, kLanes), stride = byCount ? 8 : c.From(7, 9), count = (repeats - 1) * kLanes + mask;
    std::vector<T> x((static_cast<size_t>(repeats - 1) * stride + 8) * kPerBlock);
    const bool negative = c.Coin();
    for (T& v : x) v = static_cast<T>((negative ? -1.0f : 1.0f) * static_cast<float>(c.From(3, 900)));
    float best = 0;
    uint32_t index = 0, seen = 0;
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t i = 0; i < (byCount && r + 1 < repeats ? kLanes : mask); ++i) {
            const auto v = static_cast<float>(x[static_cast<size_t>(r) * stride * kPerBlock + i]);
            if (seen++ == 0 || (smallest ? v < best : v > best)) best = v, index = r * kLanes + i;
        }
    std::vector<T> z(kPerBlock, T(7));
    const uint32_t blocks = WorkBlocks(repeats, kPerBlock, withIndex);
    float value = 0;
    uint32_t told = 0;
    const auto run = [&](uint32_t least, bool wrong) {
        Pieces p;
        const size_t dst = p.Put(kUb, z), src = p.Put(kUb, x), work = p.Put(kUb, std::vector<uint8_t>(least * 32));
        auto after = z;
        after[0] = static_cast<T>(best);
        const auto bits = static_cast<Bits>(index);
        if (withIndex) std::memcpy(&after[1], &bits, sizeof bits);
        p.Then(dst, after);
        p.Any(work);
        const auto kernel = [&](Pieces& u) {
            const auto to = u.At<T>(dst), from = u.At<T>(src), room = u.At<T>(work);
            const auto m = static_cast<int32_t>(mask), n = static_cast<int32_t>(repeats),
                       s = static_cast<int32_t>(stride);
            if (byCount && smallest) ReduceMin(to, from, room, static_cast<int32_t>(count), withIndex);
            else if (byCount) ReduceMax(to, from, room, static_cast<int32_t>(count), withIndex);
            else if (smallest) ReduceMin(to, from, room, m, n, s, withIndex);
            else ReduceMax(to, from, room, m, n, s, withIndex);
            T v = T(0), i = T(0), alone = T(0);
            GetReduceMaxMinCount(v, i);
            GetReduceMaxMinCount(alone);
            Bits held;
            std::memcpy(&held, &i, sizeof held);
            value = static_cast<float>(v) == static_cast<float>(alone) ? static_cast<float>(v) : 0;
            told = held;
        };
        return wrong ? p.Wrong(kernel) : p.Rule(kernel);
    };
    const std::string wrong = run(blocks, true);
    if (!wrong.empty()) return wrong;
    if (value != best || told != index)
        return "the register holds " + std::to_string(value) + " of " + std::to_string(told);
    if (repeats > 1 && blocks > 1 && run(blocks - 1, false) != "reduce-work")
        return "a block less to work in is enough";
    return "";
}

template <typename T>
std::string Accumulated(Chance& c) {
    constexpr uint32_t kPerBlock = 32 / sizeof(T);
    const uint32_t repeats = c.From(1, 4), blockStride = c.From(1, 3), stride = c.From(0, 25);
    std::vector<T> x((static_cast<size_t>(repeats - 1) * stride + 7 * blockStride + 1) * kPerBlock);
    for (T& v : x) v = static_cast<T>(static_cast<float>(c.From(0, 3)));
    float sum = 0;
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t i = 0; i < 8 * kPerBlock; ++i)
            sum += static_cast<float>(x[(r * stride + i / kPerBlock * blockStride) * kPerBlock + i % kPerBlock]);
    const T narrow = static_cast<T>(sum);
    uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof narrow);
    Pieces p;
    const size_t src = p.Put(kUb, x);
    bool same = false;
    const std::string wrong = p.Wrong([&](Pieces& u) {
        twin::RawReduceSum(twin::typeOf<T>, nullptr, u.At<T>(src).data, static_cast<int>(repeats), 1,
                           static_cast<int>(blockStride), static_cast<int>(stride), true);
        same = twin::AccumulatedSum() == sum && twin::AccumulatedBits() == bits;
    });
    return wrong.empty() && !same ? "another sum" : wrong;
}

/// Without accumulation each repeat leaves its sum.
std::string Sums(Chance& c) {
    const uint32_t repeats = c.From(1, 4), to = c.From(1, 3), blockStride = c.From(1, 2), stride = c.From(0, 9);
    std::vector<float> x(((repeats - 1) * stride + 7 * blockStride + 1) * 8), z(16, 5.0f);
    for (float& v : x) v = static_cast<float>(c.From(0, 9));
    Pieces p;
    const size_t dst = p.Put(kUb, z), src = p.Put(kUb, x);
    for (uint32_t r = 0; r < repeats; ++r) {
        z[r * to] = 0;
        for (uint32_t i = 0; i < 64; ++i) z[r * to] += x[(r * stride + i / 8 * blockStride) * 8 + i % 8];
    }
    p.Then(dst, z);
    return p.Wrong([&](Pieces& u) {
        twin::RawReduceSum(twin::Type::kFloat, u.At<float>(dst).data, u.At<float>(src).data, static_cast<int>(repeats),
                           static_cast<int>(to), static_cast<int>(blockStride), static_cast<int>(stride), false);
    });
}

/// Which shapes TopK takes: rows of whole 32 elements, at most 4096, in small mode exactly 32; 1 <= k <= n <= inner.
void Shapes() {
    struct Shape {
        int32_t rows, inner, n, k;
        bool small, legal;
    };
    for (const Shape& s : std::initializer_list<Shape>{
             {1, 32, 32, 8, false, true},  {1, 32, 32, 8, true, true},      {2, 32, 32, 8, true, true},
             {0, 32, 32, 8, false, false}, {-1, 32, 32, 8, false, false},   {1, 64, 64, 8, true, false},
             {1, 64, 64, 8, false, true},  {1, 48, 48, 8, false, false},    {1, 0, 0, 0, false, false},
             {1, -32, 8, 8, false, false}, {1, 4096, 4096, 8, false, true}, {1, 4128, 4128, 8, false, false},
             {1, 64, 64, 64, false, true}, {1, 64, 63, 63, false, true},    {1, 64, 63, 64, false, false},
             {1, 64, 65, 8, false, false}, {1, 64, 64, 1, false, true},     {1, 64, 64, 0, false, false},
             {1, 64, 0, 0, false, false},  {1, 64, 1, 1, false, true},      {1, 64, 64, 65, false, false}}) {
        Pieces p;
        const size_t value = p.Put(kUb, std::vector<float>(128)), index = p.Put(kUb, std::vector<int32_t>(128)),
                     src = p.Put(kUb, std::vector<float>(4128, 1.0f));
        const std::string rule = p.Rule([&](Pieces& u) {
            const twin::Local to = u.At<float>(value), where = u.At<int32_t>(index), from = u.At<float>(src);
            twin::TopKRows(twin::Type::kFloat, {&to, &where, &from, nullptr, nullptr},
                           {s.rows, s.inner, s.n, s.k, s.small, true}, s.k);
        });
        Expect("TopK of " + std::to_string(s.rows) + " rows of " + std::to_string(s.inner) + ", n " +
                   std::to_string(s.n) + ", k " + std::to_string(s.k) + (s.small ? ", small" : ""),
               rule == (s.legal ? "" : "sort-shape"), rule);
    }
}

/// A value and an index that end where the next begin: what lies behind stays unwritten.
void Ends() {
    Pieces p;
    const size_t value = p.Put(kUb, std::vector<float>(16)), index = p.Put(kUb, std::vector<int32_t>(16)),
                 src = p.Put(kUb, std::vector<float>(32, 1.0f));
    p.Hide(value, 0, 64);
    p.Hide(index, 0, 64);
    const auto kernel = [&](Pieces& u) {
        const twin::Local to = u.At<float>(value), where = u.At<int32_t>(index), from = u.At<float>(src);
        twin::TopKRows(twin::Type::kFloat, {&to, &where, &from, nullptr, nullptr}, {1, 32, 32, 8, false, true}, 8);
    };
    for (const size_t piece : {value, index}) {
        const std::string known = p.Known(piece, kernel, 28, 36);
        Expect("TopK writes k values and k indices", known == "11110000", known);
    }
}

}  // namespace

int main() {
    InEachCase("largest and smallest of half", 60, 701, Extreme<half>);
    InEachCase("largest and smallest of float", 60, 709, Extreme<float>);
    InEachCase("vcadd of half that accumulates", 40, 719, Accumulated<half>);
    InEachCase("vcadd of float that accumulates", 40, 727, Accumulated<float>);
    InEachCase("vcadd of float", 40, 733, Sums);
    Shapes();
    Ends();
    return Finish();
}
