// Gathers, spreads, index sequences and the transposition against plain loops, and the limits of what they take.
#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCases = 40;

/// Offsets count bytes from a base; the destination's stride counts blocks of 32 bytes.
template <typename T>
void Gathers(const std::string& type) {
    Always("Gather of " + type, kCases, 61, [](Chance& chance) {
        const Strided<T> s(chance);
        const uint32_t base = chance.From(0, 8), elements = 90, step = chance.From(8, 10);
        const auto x = Some<T>(chance, elements + base);
        auto z = Some<T>(chance, s.kElements);
        std::vector<uint32_t> offsets(3 * s.kLanes);
        for (auto& o : offsets) o = chance.From(0, elements - 1) * sizeof(T);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x), where = ub.Put(offsets);
        for (uint32_t r = 0; r < s.repeats; ++r)
            for (uint32_t i = 0; i < s.kLanes; ++i)
                if (s.Takes(r, i))
                    z[s.form == Form::kCount ? r * s.kLanes + i : r * step * s.kPerBlock + i] =
                        x[base + offsets[r * s.kLanes + i] / sizeof(T)];
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto to = u.At<T>(dst), from = u.At<T>(src);
            const auto at = u.At<uint32_t>(where);
            const auto bytes = static_cast<uint32_t>(base * sizeof(T));
            const auto repeats = static_cast<uint8_t>(s.repeats);
            if (s.form == Form::kCount) return Gather(to, from, at, bytes, s.total());
            if (s.form == Form::kFirst)
                return Gather(to, from, at, bytes, uint64_t{s.first}, repeats, static_cast<uint16_t>(step));
            if (s.form == Form::kBits) return Gather(to, from, at, bytes, s.bits, repeats, static_cast<uint16_t>(step));
            SetMaskCount();
            Gather(to, from, at, bytes, uint64_t{s.total()}, 1, static_cast<uint16_t>(step));
            SetMaskNorm();
            ResetMask();
        });
    });
}

template <typename T>
void BlockGathers(const std::string& type) {
    Always("Gatherb of " + type, kCases, 67, [](Chance& chance) {
        constexpr uint32_t kPerBlock = 32 / sizeof(T);
        const uint32_t repeats = chance.From(1, 3), blk = chance.From(1, 2), rep = chance.From(8, 16);
        const auto x = Some<T>(chance, 20 * kPerBlock);
        auto z = Some<T>(chance, 48 * kPerBlock);
        std::vector<uint32_t> offsets(repeats * 8);
        for (auto& o : offsets) o = chance.From(0, 19) * 32;
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x), where = ub.Put(offsets);
        for (uint32_t i = 0; i < repeats * 8; ++i)
            for (uint32_t e = 0; e < kPerBlock; ++e)
                z[(i / 8 * rep + i % 8 * blk) * kPerBlock + e] = x[offsets[i] / 32 * kPerBlock + e];
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            Gatherb(u.At<T>(dst), u.At<T>(src), u.At<uint32_t>(where), static_cast<uint8_t>(repeats),
                    GatherRepeatParams(blk, rep));
        });
    });
}

/// Patterns by number: every element of two, of four, or all; each repeat begins anew.
template <typename T>
void Patterns(const std::string& type) {
    const auto taken = [](uint32_t pattern, uint32_t i) {
        if (pattern <= 2) return i % 2 == pattern - 1;
        return pattern == 7 || i % 4 == pattern - 3;
    };
    Always("GatherMask of " + type + " by a pattern's number", 2 * kCases, 71, [&](Chance& chance) {
        constexpr uint32_t kPerBlock = 32 / sizeof(T), kLanes = 256 / sizeof(T);
        const uint32_t repeats = chance.From(1, 3), blk = chance.From(1, 2), rep = chance.From(0, 16),
                       pattern = chance.From(1, 7);
        const bool some = chance.Coin();
        const uint32_t lanes = some ? chance.From(1, kLanes) : kLanes;
        const auto x = Some<T>(chance, 48 * kPerBlock);
        auto z = Some<T>(chance, 3 * kLanes);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        uint64_t kept = 0, count = 0;
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < lanes; ++i)
                if (taken(pattern, i)) z[kept++] = x[(r * rep + i / kPerBlock * blk) * kPerBlock + i % kPerBlock];
        ub.Then(dst, z);
        uint64_t later = 0;
        const std::string wrong = ub.Wrong([&](Ub& u) {
            GatherMask(u.At<T>(dst), u.At<T>(src), static_cast<uint8_t>(pattern), some, some ? lanes : 0,
                       GatherMaskParams(blk, repeats, rep, 0), count);
            later = static_cast<uint64_t>(AscendCUtils::GetRsvdCnt());
        });
        return wrong.empty() && (count != kept || later != kept) ? "counts " + std::to_string(count) : wrong;
    });
}

/// Eight elements a repeat, each spread over a block of its own.
template <typename T>
void Spreads(const std::string& type) {
    Always("Brcb of " + type, kCases, 73, [](Chance& chance) {
        constexpr uint32_t kPerBlock = 32 / sizeof(T);
        const uint32_t repeats = chance.From(1, 3), blk = chance.From(1, 2), rep = chance.From(8, 16);
        const auto x = Some<T>(chance, 24);
        auto z = Some<T>(chance, 48 * kPerBlock);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t i = 0; i < repeats * 8; ++i)
            for (uint32_t e = 0; e < kPerBlock; ++e) z[(i / 8 * rep + i % 8 * blk) * kPerBlock + e] = x[i];
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            Brcb(u.At<T>(dst), u.At<T>(src), static_cast<uint8_t>(repeats), BrcbRepeatParams(blk, rep));
        });
    });
}

/// Numbers one after the other; by repeats they go on from the end of a whole repeat.
template <typename T>
void Indices(const std::string& type) {
    Always("CreateVecIndex of " + type, kCases, 79, [](Chance& chance) {
        const Strided<T> s(chance);
        const int first = static_cast<int>(chance.From(0, 40)) - 20;
        const auto number = [&](int i) { return static_cast<T>(static_cast<float>(first + i)); };
        auto z = Some<T>(chance, s.kElements);
        Ub ub;
        const size_t dst = ub.Put(z);
        for (uint32_t r = 0; r < s.repeats; ++r)
            for (uint32_t i = 0; i < s.kLanes; ++i)
                if (s.Takes(r, i))
                    z[(r * s.strides.dstRepStride + i / s.kPerBlock * s.strides.dstBlkStride) * s.kPerBlock +
                      i % s.kPerBlock] = number(static_cast<int>(r * s.kLanes + i));
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            auto to = u.At<T>(dst);
            uint64_t bits[2] = {s.bits[0], s.bits[1]};
            const auto repeats = static_cast<uint8_t>(s.repeats);
            const T begin = number(0);
            if (s.form == Form::kCount) return CreateVecIndex(to, begin, s.total());
            if (s.form == Form::kFirst)
                return CreateVecIndex(to, begin, uint64_t{s.first}, repeats, s.strides.dstBlkStride,
                                      s.strides.dstRepStride);
            if (s.form == Form::kBits)
                return CreateVecIndex(to, begin, bits, repeats, s.strides.dstBlkStride, s.strides.dstRepStride);
            SetMaskCount();
            CreateVecIndex(to, begin, uint64_t{s.total()}, 1, s.strides.dstBlkStride, s.strides.dstRepStride);
            SetMaskNorm();
            ResetMask();
        });
    });
    Always("ArithProgression of " + type, kCases, 83, [](Chance& chance) {
        const uint32_t count = chance.From(0, 100);
        const int first = static_cast<int>(chance.From(0, 40)) - 20, step = static_cast<int>(chance.From(0, 10)) - 5;
        auto z = Some<T>(chance, 104);
        Ub ub;
        const size_t dst = ub.Put(z);
        for (uint32_t i = 0; i < count; ++i)
            z[i] = static_cast<T>(static_cast<float>(first + step * static_cast<int>(i)));
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto whole = [](int n) { return static_cast<T>(static_cast<float>(n)); };
            ArithProgression(u.At<T>(dst), whole(first), whole(step), static_cast<int32_t>(count));
        });
    });
}

void Transposes() {
    std::vector<int16_t> x(256), z(256);
    for (int i = 0; i < 256; ++i) x[i] = static_cast<int16_t>(i), z[i % 16 * 16 + i / 16] = static_cast<int16_t>(i);
    Ub ub;
    const size_t dst = ub.Put(std::vector<int16_t>(272, 7)), src = ub.Put(x);
    ub.Then(dst, z);
    const auto wrong = ub.Wrong([&](Ub& u) { Transpose(u.At<int16_t>(dst), u.At<int16_t>(src)); });
    Expect("Transpose exchanges rows and columns", wrong.empty(), wrong);
}

/// An offset is a multiple of the element's size and stays inside of UB; of Gatherb it is a multiple of a block.
void Limits() {
    const auto gather = [](uint32_t offset, uint32_t base, bool blocks) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<uint32_t>(64)), src = ub.Put(std::vector<uint32_t>(64)),
                     where = ub.Put(std::vector<uint32_t>(8, offset));
        ub.Wrong([&](Ub& u) {
            const auto to = u.At<uint32_t>(dst), from = u.At<uint32_t>(src), at = u.At<uint32_t>(where);
            if (blocks) Gatherb(to, from, at, 1, GatherRepeatParams(1, 8));
            else Gather(to, from, at, base, 1);
        });
        return told_.rule;
    };
    Expect("legal: the last element of the source", gather(252, 0, false).empty());
    Expect("legal: the same by its base", gather(0, 252, false).empty());
    Expect("gather-offset: within an element", gather(6, 0, false) == "gather-offset");
    Expect("gather-offset: a base within an element", gather(0, 2, false) == "gather-offset");
    Expect("gather-offset: at the end of UB", gather(192 * 1024, 0, false) == "gather-offset");
    Expect("out-of-buffer: the last element of UB, counted from the source",
           gather(192 * 1024 - 4, 0, false) == "out-of-buffer");
    Expect("legal: the last block", gather(224, 0, true).empty());
    Expect("gather-offset: within a block", gather(16, 0, true) == "gather-offset");
    Expect("gather-offset: a block at the end of UB", gather(192 * 1024, 0, true) == "gather-offset");
    const auto masked = [](uint8_t pattern) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<float>(64)), src = ub.Put(std::vector<float>(64));
        uint64_t count = 0;
        ub.Wrong([&](Ub& u) {
            GatherMask(u.At<float>(dst), u.At<float>(src), pattern, false, 0, GatherMaskParams(1, 1, 8, 0), count);
        });
        return told_.rule;
    };
    Expect("gather-pattern: 0", masked(0) == "gather-pattern");
    Expect("legal: pattern 1", masked(1).empty());
    Expect("legal: pattern 7", masked(7).empty());
    Expect("gather-pattern: 8", masked(8) == "gather-pattern");
}

/// A record is a score and its index; an index that nobody wrote leaves the scores beside it as they are.
void Records() {
    const auto read = [](uint32_t word) {
        Ub ub;
        std::vector<float> scores(32);
        for (size_t i = 0; i < 32; ++i) scores[i] = 100.0f - static_cast<float>(i);
        const size_t dst = ub.Put(std::vector<float>(64)), score = ub.Put(scores);
        ub.Wrong([&](Ub& u) {
            TBuf<> indices;
            GetTPipePtr()->InitBuffer(indices, 128);
            const auto index = indices.Get<uint32_t>();
            Duplicate(index, 5u, 16);
            Sort32(u.At<float>(dst), u.At<float>(score), index, 1);
            u.At<float>(dst).GetValue(word);
            Duplicate(u.At<float>(dst), 0.0f, 64);  // all of it goes back to GM
        });
        return told_.rule;
    };
    Expect("legal: the last index that was written", read(31).empty(), read(31));
    Expect("legal: the score of an index that nobody wrote", read(32).empty(), read(32));
    Expect("read-unwritten: that index", read(33) == "read-unwritten", read(33));
    Expect("legal: the score behind it", read(34).empty(), read(34));
    Expect("read-unwritten: the last index", read(63) == "read-unwritten", read(63));
}

}  // namespace

int main() {
    Gathers<half>("half");
    Gathers<float>("float");
    BlockGathers<uint16_t>("uint16_t");
    BlockGathers<uint32_t>("uint32_t");
    Patterns<half>("half");
    Patterns<float>("float");
    Spreads<half>("half");
    Spreads<uint32_t>("uint32_t");
    Indices<half>("half");
    Indices<float>("float");
    Indices<int16_t>("int16_t");
    Indices<int32_t>("int32_t");
    Transposes();
    Limits();
    Records();
    return Finish();
}
