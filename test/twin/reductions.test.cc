// Reductions in all their forms against plain loops, over masks, repeats and strides of chance: by count, by repeat,
// by block and by pair, with each order of value and index.
#include <cmath>

#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCases = 40;

/// A result and the lane that it came from.
struct Found {
    float value = 0;
    uint32_t index = 0;
    bool any = false;
};

/// Largest or smallest, the first of equal ones; or the sum.
void Take(Found& found, ReduceType kind, float value, uint32_t index) {
    if (kind == ReduceType::SUM) {
        found.value += value;
        found.any = true;
    } else if (!found.any || (kind == ReduceType::MAX ? value > found.value : value < found.value)) {
        found = {value, index, true};
    }
}

template <typename T>
const char* Name(ReduceType kind) {
    const bool half_ = sizeof(T) == 2;
    if (kind == ReduceType::SUM) return half_ ? "sum of half" : "sum of float";
    if (kind == ReduceType::MAX) return half_ ? "max of half" : "max of float";
    return half_ ? "min of half" : "min of float";
}

/// An index stands as bits in the type: uint16_t in a half, uint32_t in a float.
template <typename T>
T AsIndex(uint32_t index) {
    T bits;
    if constexpr (sizeof(T) == 2) bits.bits = static_cast<uint16_t>(index);
    else std::memcpy(&bits, &index, 4);
    return bits;
}

template <typename T>
Found InRepeat(const Strided<T>& s, const std::vector<T>& x, uint32_t r, ReduceType kind) {
    Found found;
    for (uint32_t i = 0; i < s.kLanes; ++i) {
        const uint32_t at =
            (r * s.strides.src0RepStride + i / s.kPerBlock * s.strides.src0BlkStride) * s.kPerBlock + i % s.kPerBlock;
        if (s.Takes(r, i)) Take(found, kind, static_cast<float>(x[at]), i);
    }
    return found;
}

/// The mask of a call; in counter mode the count, and a number of repeats that says nothing.
template <typename T>
void WithMask(const Strided<T>& s, const std::function<void(int32_t, int32_t)>& first,
              const std::function<void(const uint64_t*, int32_t)>& bits) {
    if (s.form == Form::kBits) return bits(s.bits, static_cast<int32_t>(s.repeats));
    if (s.form == Form::kFirst) return first(static_cast<int32_t>(s.first), static_cast<int32_t>(s.repeats));
    SetMaskCount();
    first(static_cast<int32_t>(s.total()), 1);
    SetMaskNorm();
    ResetMask();
}

/// One result for each repeat; strides of the destination count results.
template <typename T, ReduceType kind>
void Repeats() {
    for (const auto order : {ReduceOrder::ORDER_VALUE_INDEX, ReduceOrder::ORDER_INDEX_VALUE,
                             ReduceOrder::ORDER_ONLY_VALUE, ReduceOrder::ORDER_ONLY_INDEX}) {
        const bool sum = kind == ReduceType::SUM;
        if (sum && order != ReduceOrder::ORDER_ONLY_VALUE) continue;
        Always(
            std::string("each repeat's ") + Name<T>(kind) + ", order " + std::to_string(static_cast<int>(order)),
            kCases, 41, [&](Chance& chance) {
                const Strided<T> s(chance);
                const auto x = Some<T>(chance, s.kElements, -8, 8);
                const uint32_t step = chance.From(1, 3);
                std::vector<uint8_t> z(64, 0x77);
                Found best;
                for (uint32_t r = 0; r < s.repeats; ++r) {
                    const Found found = InRepeat(s, x, r, kind);
                    if (!sum || r + 1 == s.repeats) Take(best, kind, found.value, r * s.kLanes + found.index);
                    const T both[2] = {
                        order == ReduceOrder::ORDER_INDEX_VALUE ? AsIndex<T>(found.index) : static_cast<T>(found.value),
                        order == ReduceOrder::ORDER_INDEX_VALUE ? static_cast<T>(found.value)
                                                                : AsIndex<T>(found.index)};
                    if (order == ReduceOrder::ORDER_ONLY_INDEX) std::memcpy(&z[r * step * 4], &found.index, 4);
                    else if (order == ReduceOrder::ORDER_ONLY_VALUE)
                        std::memcpy(&z[r * step * sizeof(T)], both, sizeof(T));
                    else std::memcpy(&z[r * step * 2 * sizeof(T)], both, 2 * sizeof(T));
                }
                Ub ub;
                const size_t dst = ub.Put(std::vector<uint8_t>(64, 0x77)), src = ub.Put(x);
                ub.Then(dst, z);
                bool held = true;
                const std::string wrong = ub.Wrong([&](Ub& u) {
                    const auto to = u.At<T>(dst), from = u.At<T>(src);
                    const auto run = [&](auto mask, int32_t repeats) {
                        const int32_t blk = s.strides.src0BlkStride, rep = s.strides.src0RepStride;
                        if constexpr (sum)
                            return WholeReduceSum(to, from, mask, repeats, static_cast<int32_t>(step), blk, rep);
                        else if constexpr (kind == ReduceType::MAX)
                            return WholeReduceMax(to, from, mask, repeats, static_cast<int32_t>(step), blk, rep, order);
                        else
                            return WholeReduceMin(to, from, mask, repeats, static_cast<int32_t>(step), blk, rep, order);
                    };
                    WithMask<T>(s, run, run);
                    if constexpr (sum) return void(held = GetReduceRepeatSumSpr<T>() == static_cast<T>(best.value));
                    T value, index;
                    GetReduceRepeatMaxMinSpr<T>(value, index);
                    const T expected = AsIndex<T>(best.index);
                    held = value == static_cast<T>(best.value) && std::memcmp(&index, &expected, sizeof(T)) == 0;
                });
                return wrong.empty() && !held ? std::string("the register holds another value") : wrong;
            });
    }
}

/// One result for each block of a repeat, side by side; the destination's stride counts eight results.
template <typename T, ReduceType kind>
void Blocks() {
    Always(std::string("each block's ") + Name<T>(kind), kCases, 43, [&](Chance& chance) {
        const Strided<T> s(chance);
        const auto x = Some<T>(chance, s.kElements, -8, 8);
        const uint32_t step = chance.From(1, 3);
        auto z = Some<T>(chance, 64);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t r = 0; r < s.repeats; ++r)
            for (uint32_t b = 0; b < 8; ++b) {
                Found found;
                for (uint32_t i = 0; i < s.kPerBlock; ++i)
                    if (s.Takes(r, b * s.kPerBlock + i))
                        Take(found, kind,
                             static_cast<float>(
                                 x[(r * s.strides.src0RepStride + b * s.strides.src0BlkStride) * s.kPerBlock + i]),
                             i);
                if (found.any) z[r * step * 8 + b] = static_cast<T>(found.value);
            }
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto run = [&](auto mask, int32_t repeats) {
                const auto to = u.At<T>(dst), from = u.At<T>(src);
                const int32_t blk = s.strides.src0BlkStride, rep = s.strides.src0RepStride;
                if constexpr (kind == ReduceType::SUM)
                    BlockReduceSum(to, from, repeats, mask, static_cast<int32_t>(step), blk, rep);
                else if constexpr (kind == ReduceType::MAX)
                    BlockReduceMax(to, from, repeats, mask, static_cast<int32_t>(step), blk, rep);
                else BlockReduceMin(to, from, repeats, mask, static_cast<int32_t>(step), blk, rep);
            };
            WithMask<T>(s, run, run);
        });
    });
}

/// Sums of neighbours, of which one may be off; a pair that is off leaves its place alone. The stride counts 128 bytes.
template <typename T>
void Pairs() {
    Always(std::string("each pair's ") + Name<T>(ReduceType::SUM), kCases, 47, [&](Chance& chance) {
        const Strided<T> s(chance);
        const auto x = Some<T>(chance, s.kElements);
        const uint32_t step = chance.From(1, 3);
        auto z = Some<T>(chance, 7 * 128 / sizeof(T));
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t r = 0; r < s.repeats; ++r)
            for (uint32_t i = 0; i < s.kLanes; i += 2) {
                Found found;
                for (const uint32_t lane : {i, i + 1})
                    if (s.Takes(r, lane))
                        Take(found, ReduceType::SUM,
                             static_cast<float>(
                                 x[(r * s.strides.src0RepStride + lane / s.kPerBlock * s.strides.src0BlkStride) *
                                       s.kPerBlock +
                                   lane % s.kPerBlock]),
                             0);
                if (found.any) z[r * step * 128 / sizeof(T) + i / 2] = static_cast<T>(found.value);
            }
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto run = [&](auto mask, int32_t repeats) {
                PairReduceSum(u.At<T>(dst), u.At<T>(src), repeats, mask, static_cast<int32_t>(step),
                              s.strides.src0BlkStride, s.strides.src0RepStride);
            };
            WithMask<T>(s, run, run);
        });
    });
}

/// One result of all repeats, with the index where it is asked for; work memory is at the instruction's disposal.
template <typename T, ReduceType kind>
void Totals() {
    Always(std::string("all repeats' ") + Name<T>(kind), kCases, 53, [&](Chance& chance) {
        Strided<T> s(chance);
        s.strides.src0BlkStride = 1;
        const auto x = Some<T>(chance, s.kElements, -8, 8);
        const bool index = kind != ReduceType::SUM && chance.Coin();
        Found best;
        for (uint32_t r = 0; r < s.repeats; ++r) {
            const Found found = InRepeat(s, x, r, kind);
            Take(best, kind, found.value, r * s.kLanes + found.index);
        }
        const std::vector<T> old = Some<T>(chance, s.kPerBlock);
        auto z = old;
        z[0] = static_cast<T>(best.value);
        if (index) z[1] = AsIndex<T>(best.index);
        Ub ub;
        const size_t dst = ub.Put(old), src = ub.Put(x);
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            TBuf<> memory;
            GetTPipePtr()->InitBuffer(memory, 256);
            const auto to = u.At<T>(dst), from = u.At<T>(src), work = memory.Get<T>();
            const auto run = [&](auto mask, int32_t repeats) {
                const int32_t rep = s.strides.src0RepStride;
                if constexpr (kind == ReduceType::SUM) ReduceSum(to, from, work, mask, repeats, rep);
                else if constexpr (kind == ReduceType::MAX) ReduceMax(to, from, work, mask, repeats, rep, index);
                else ReduceMin(to, from, work, mask, repeats, rep, index);
            };
            if (s.form != Form::kCount) return WithMask<T>(s, run, run);
            const auto count = static_cast<int32_t>(s.total());
            if constexpr (kind == ReduceType::SUM) ReduceSum(to, from, work, count);
            else if constexpr (kind == ReduceType::MAX) ReduceMax(to, from, work, count, index);
            else ReduceMin(to, from, work, count, index);
        });
    });
}

template <typename T>
void All() {
    Repeats<T, ReduceType::SUM>();
    Repeats<T, ReduceType::MAX>();
    Repeats<T, ReduceType::MIN>();
    Blocks<T, ReduceType::SUM>();
    Blocks<T, ReduceType::MAX>();
    Blocks<T, ReduceType::MIN>();
    Pairs<T>();
    Totals<T, ReduceType::SUM>();
    Totals<T, ReduceType::MAX>();
    Totals<T, ReduceType::MIN>();
}

/// The largest of values with a NaN among them is the first NaN, and so is the smallest.
void Nans() {
    for (const auto& [first, second] : {std::pair<uint32_t, uint32_t>{3, 9}, {8, 70}, {64, 65}}) {
        std::vector<float> x(80, 1.0f);
        x[first] = x[second] = NAN;
        x[1] = 5;
        for (const bool largest : {true, false}) {
            Ub ub;
            const size_t dst = ub.Put(std::vector<float>(8)), src = ub.Put(x);
            ub.Wrong([&](Ub& u) {
                TBuf<> work;
                GetTPipePtr()->InitBuffer(work, 64);
                if (largest) ReduceMax(u.At<float>(dst), u.At<float>(src), work.Get<float>(), 80, true);
                else ReduceMin(u.At<float>(dst), u.At<float>(src), work.Get<float>(), 80, true);
            });
            const auto seen = ub.Seen<float>(dst, 2);
            uint32_t index;
            std::memcpy(&index, &seen[1], 4);
            Expect("the first NaN, at " + std::to_string(first), std::isnan(seen[0]) && index == first,
                   std::to_string(index));
        }
    }
}

}  // namespace

int main() {
    All<half>();
    All<float>();
    Nans();
    return Finish();
}
