// An element of a result is written exactly when all elements that it comes from are: by repeats, masks and strides.
#include "on_ub.h"
#include "pieces.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;
using twin::Local;
using twin::Type;

/// Sources with some elements that nobody wrote.
template <typename T>
struct Source {
    size_t piece;
    std::vector<bool> known;
    /// Of an element that is moved each byte is for itself; of one that is computed with one byte is enough.
    Source(Pieces& p, Chance& c, size_t count, bool moved = false)
        : piece(p.Put(kUb, std::vector<T>(count, T(1.0f)))), known(count, true) {
        for (uint32_t i = c.From(1, 6); i > 0; --i) {
            const size_t at = c.From(0, static_cast<uint32_t>(count) - 1);
            const size_t byte = at * sizeof(T) + (moved ? 0 : c.From(0, sizeof(T) - 1));
            p.Hide(piece, byte, byte + (moved ? sizeof(T) : 1));
            known[at] = false;
        }
    }
};

/// Some elements of the result, the ones at the edges of what differs among them.
template <typename T>
std::string Compare(Pieces& p, Chance& c, size_t dst, const std::vector<bool>& expected, const Pieces::Kernel& kernel) {
    std::vector<size_t> asked;
    for (size_t i = 0; i < expected.size(); ++i)
        if (!expected[i] && asked.size() < 24) {
            asked.push_back(i);
            if (i > 0) asked.push_back(i - 1);
            if (i + 1 < expected.size()) asked.push_back(i + 1);
        }
    for (int i = 0; i < 6; ++i) asked.push_back(c.From(0, static_cast<uint32_t>(expected.size()) - 1));
    for (const size_t i : asked)
        for (const size_t byte : {i * sizeof(T), i * sizeof(T) + sizeof(T) - 1})
            if ((p.Knows(dst, kernel, byte) == '1') != expected[i])
                return "element " + std::to_string(i) + " is " + (expected[i] ? "unwritten" : "written");
    return "";
}

template <typename T>
void Binaries(const std::string& type) {
    InEachCase("Add of " + type, 24, 271, [&](Chance& c) {
        const Strided<T> s(c);
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(s.kElements, T(1.0f)));
        const Source<T> a(p, c, s.kElements), b(p, c, s.kElements);
        std::vector<bool> known(s.kElements, true);
        s.Each([&](uint32_t to, uint32_t x, uint32_t y) { known[to] = a.known[x] && b.known[y]; });
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            const auto to = u.At<T>(dst), x = u.At<T>(a.piece), y = u.At<T>(b.piece);
            const auto repeats = static_cast<uint8_t>(s.repeats);
            uint64_t bits[2] = {s.bits[0], s.bits[1]};
            if (s.form == Form::kCount) return Add(to, x, y, static_cast<int32_t>(s.total()));
            if (s.form == Form::kFirst) return Add(to, x, y, uint64_t{s.first}, repeats, s.strides);
            if (s.form == Form::kBits) return Add(to, x, y, bits, repeats, s.strides);
            SetMaskCount();
            Add(to, x, y, uint64_t{s.total()}, 1, s.strides);
            SetMaskNorm();
            ResetMask();
        });
    });
}

/// Of a conversion a lane is an element of both sides, and a repeat has as many as the wider type.
template <typename T, typename U>
void Casts(const std::string& name, RoundMode mode) {
    InEachCase(name, 16, 277, [mode](Chance& c) {
        constexpr uint32_t kLanes = 256 / std::max(sizeof(T), sizeof(U));
        const uint32_t repeats = c.From(1, 3), first = c.From(1, kLanes), toRep = c.From(8, 9), fromRep = c.From(8, 9);
        const bool counted = c.Coin();
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(26 * 32 / sizeof(T), T(1.0f)));
        const Source<U> a(p, c, 26 * 32 / sizeof(U));
        std::vector<bool> known(26 * 32 / sizeof(T), true);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < (counted ? kLanes : first); ++i) {
                const uint32_t to = counted ? r * kLanes + i : r * toRep * (32 / sizeof(T)) + i,
                               from = counted ? r * kLanes + i : r * fromRep * (32 / sizeof(U)) + i;
                if (!counted || r * kLanes + i < (repeats - 1) * kLanes + first) known[to] = a.known[from];
            }
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            const auto to = u.At<T>(dst);
            const auto from = u.At<U>(a.piece);
            if (counted) return Cast(to, from, mode, (repeats - 1) * kLanes + first);
            Cast(to, from, mode, uint64_t{first}, static_cast<uint8_t>(repeats),
                 UnaryRepeatParams(1, 1, toRep, fromRep));
        });
    });
}

/// Sums, maxima and their indices of repeats, blocks and pairs.
template <typename T>
void Reductions(const std::string& type) {
    constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
    const auto strided = [](uint32_t r, uint32_t i, uint32_t blk, uint32_t rep) {
        return (r * rep + i / kPerBlock * blk) * kPerBlock + i % kPerBlock;
    };
    InEachCase("WholeReduce of " + type, 24, 281, [&](Chance& c) {
        const uint32_t repeats = c.From(1, 4), mask = c.From(1, kLanes), blk = c.From(1, 2), rep = c.From(0, 9);
        const bool sum = c.Coin();
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(32, T(1.0f)));
        const Source<T> a(p, c, 48 * kPerBlock);
        std::vector<bool> known(32, true);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < mask; ++i)
                if (!a.known[strided(r, i, blk, rep)]) {
                    known[sum ? r : 2 * r] = false;
                    if (!sum) known[2 * r + 1] = false;
                }
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            const auto to = u.At<T>(dst), x = u.At<T>(a.piece);
            const auto m = static_cast<int32_t>(mask), n = static_cast<int32_t>(repeats), b = static_cast<int32_t>(blk),
                       s = static_cast<int32_t>(rep);
            if (sum) WholeReduceSum(to, x, m, n, 1, b, s);
            else WholeReduceMax(to, x, m, n, 1, b, s);
        });
    });
    InEachCase("BlockReduce and PairReduce of " + type, 24, 283, [&](Chance& c) {
        const uint32_t repeats = c.From(1, 3), mask = c.From(1, kLanes / 2) * 2, blk = c.From(1, 2), rep = c.From(0, 9);
        const bool pairs = c.Coin();
        const uint32_t group = pairs ? 2 : kPerBlock, results = kLanes / group;
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(3 * kLanes / 2, T(1.0f)));
        const Source<T> a(p, c, 48 * kPerBlock);
        std::vector<bool> known(3 * kLanes / 2, true);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < mask; ++i)
                if (!a.known[strided(r, i, blk, rep)]) known[r * results + i / group] = false;
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            const auto to = u.At<T>(dst), x = u.At<T>(a.piece);
            const auto m = static_cast<int32_t>(mask), n = static_cast<int32_t>(repeats), b = static_cast<int32_t>(blk),
                       s = static_cast<int32_t>(rep);
            if (pairs) PairReduceSum(to, x, n, m, 1, b, s);
            else BlockReduceSum(to, x, n, m, 1, b, s);
        });
    });
    InEachCase("ReduceSum and ReduceMax of " + type, 24, 293, [&](Chance& c) {
        const uint32_t count = c.From(1, 3 * kLanes);
        const uint32_t kind = c.From(0, 2);
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(kPerBlock, T(1.0f))), work = p.Put(kUb, std::vector<T>(256));
        const Source<T> a(p, c, 3 * kLanes);
        bool all = true;
        for (uint32_t i = 0; i < count; ++i) all = all && a.known[i];
        std::vector<bool> known(kPerBlock, true);
        known[0] = all;
        if (kind == 2) known[1] = all;
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            const auto to = u.At<T>(dst), x = u.At<T>(a.piece), w = u.At<T>(work);
            if (kind == 0) ReduceSum(to, x, w, static_cast<int32_t>(count));
            else ReduceMax(to, x, w, static_cast<int32_t>(count), kind == 2);
        });
    });
}

/// Elements that are moved keep what is known of them.
template <typename T>
void Moves(const std::string& type) {
    constexpr uint32_t kPerBlock = 32 / sizeof(T), kLanes = 256 / sizeof(T);
    InEachCase("Brcb of " + type, 8, 307, [&](Chance& c) {
        const uint32_t repeats = c.From(1, 3), rep = c.From(8, 9);
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(32 * kPerBlock, T(1.0f)));
        const Source<T> a(p, c, 32, true);
        std::vector<bool> known(32 * kPerBlock, true);
        for (uint32_t i = 0; i < repeats * 8; ++i)
            for (uint32_t e = 0; e < kPerBlock; ++e) known[(i / 8 * rep + i % 8) * kPerBlock + e] = a.known[i];
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            Brcb(u.At<T>(dst), u.At<T>(a.piece), static_cast<uint8_t>(repeats), BrcbRepeatParams(1, rep));
        });
    });
    InEachCase("Gather of " + type, 8, 311, [&](Chance& c) {
        std::vector<uint32_t> offsets(kLanes);
        for (auto& o : offsets) o = c.From(0, kLanes - 1) * sizeof(T);
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(kLanes, T(1.0f))), where = p.Put(kUb, offsets);
        const Source<T> a(p, c, kLanes, true);
        std::vector<bool> known(kLanes, true);
        for (uint32_t i = 0; i < kLanes; ++i) known[i] = a.known[offsets[i] / sizeof(T)];
        const bool counted = c.Coin();
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            if (counted) Gather(u.At<T>(dst), u.At<T>(a.piece), u.At<uint32_t>(where), 0, kLanes);
            else Gather(u.At<T>(dst), u.At<T>(a.piece), u.At<uint32_t>(where), 0, uint64_t{kLanes}, 1, 8);
        });
    });
    InEachCase("GatherMask of " + type, 8, 313, [&](Chance& c) {
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(kLanes, T(1.0f)));
        const Source<T> a(p, c, kLanes, true);
        std::vector<bool> known(kLanes, true);
        for (uint32_t i = 0; i < kLanes / 2; ++i) known[i] = a.known[2 * i + 1];
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            uint64_t kept = 0;
            GatherMask(u.At<T>(dst), u.At<T>(a.piece), 2, false, 0, GatherMaskParams(1, 1, 8, 0), kept);
        });
    });
    InEachCase("DataCopy in UB of " + type, 8, 317, [&](Chance& c) {
        const uint32_t count = c.From(1, 3), length = c.From(1, 2), from = c.From(0, 2), to = c.From(0, 2);
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<T>(12 * kPerBlock, T(1.0f)));
        const Source<T> a(p, c, 12 * kPerBlock, true);
        std::vector<bool> known(12 * kPerBlock, true);
        for (uint32_t i = 0; i < count * length * kPerBlock; ++i) {
            const uint32_t block = i / (length * kPerBlock), in = i % (length * kPerBlock);
            known[block * (length + to) * kPerBlock + in] = a.known[block * (length + from) * kPerBlock + in];
        }
        return Compare<T>(p, c, dst, known, [&](Pieces& u) {
            DataCopy(u.At<T>(dst), u.At<T>(a.piece), DataCopyParams(count, length, from, to));
        });
    });
}

void Squares() {
    InEachCase("Transpose of 16 x 16", 8, 331, [&](Chance& c) {
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<int16_t>(256, 1));
        const Source<int16_t> a(p, c, 256, true);
        std::vector<bool> known(256, true);
        for (uint32_t i = 0; i < 256; ++i) known[i % 16 * 16 + i / 16] = a.known[i];
        return Compare<int16_t>(p, c, dst, known,
                                [&](Pieces& u) { Transpose(u.At<int16_t>(dst), u.At<int16_t>(a.piece)); });
    });
}

/// Padding is known when its value is: given with isPad, or set before. Without any, the first element fills up a
/// block.
void Pads() {
    struct Case {
        bool isPad, set;
        uint8_t left, right;
        const char* known;
    };
    // Of six elements of two bytes: what stands before and behind them in a block of sixteen.
    for (const Case& k : {Case{false, false, 0, 0, "1111111111111111"},
                          {true, false, 2, 1, "1111111111111111"},
                          {false, false, 2, 1, "0011111100000000"},
                          {false, true, 2, 1, "1111111111111111"},
                          {false, false, 2, 0, "0011111100000000"},
                          {false, false, 0, 3, "1111110000000000"},
                          {true, false, 0, 3, "1111111111111111"}}) {
        Pieces p;
        const size_t dst = p.Put(kUb, std::vector<half>(16)), src = p.Store(std::vector<half>(6, half(2.0f)));
        p.Hide(dst, 0, 32);
        const std::string known = p.Known(
            dst,
            [&](Pieces& u) {
                if (k.set) SetPadValue(half(5.0f));
                DataCopyPad(u.At<half>(dst), u.Gm<half>(src), DataCopyExtParams(1, 12, 0, 0, 0),
                            DataCopyPadExtParams<half>(k.isPad, k.left, k.right, half(3.0f)));
            },
            0, 32);
        std::string expected;
        for (const char* e = k.known; *e != 0; ++e) expected += std::string(2, *e);
        Expect(std::string("DataCopyPad") + (k.isPad ? " with a value" : "") + (k.set ? " set before" : "") + ", " +
                   std::to_string(k.left) + " and " + std::to_string(k.right),
               known == expected, known);
    }
}

}  // namespace

int main() {
    Binaries<half>("half");
    Binaries<float>("float");
    Casts<float, half>("Cast of half to float", RoundMode::CAST_NONE);
    Casts<half, float>("Cast of float to half", RoundMode::CAST_RINT);
    Casts<int32_t, float>("Cast of float to int32_t", RoundMode::CAST_RINT);
    Casts<int16_t, half>("Cast of half to int16_t", RoundMode::CAST_RINT);
    Reductions<half>("half");
    Reductions<float>("float");
    Moves<half>("half");
    Moves<float>("float");
    Squares();
    Pads();
    return Finish();
}
