// Compare and Select with operands of just their size, over values that nobody wrote, and what they say.
#include "on_ub.h"
#include "pieces.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCases = 30;
constexpr TPosition kUb = TPosition::VECCALC;

bool Holds(CMPMODE mode, float a, float b) {
    const bool all[] = {a<b, a> b, a == b, a <= b, a >= b, a != b};
    return all[static_cast<int>(mode)];
}

/// Steps between blocks and repeats of a source, and how much of it that needs.
struct Steps {
    uint32_t blk, rep;
    Steps(Chance& c, uint32_t least) : blk(c.From(1, 2)), rep(c.From(least, 9)) {}
    size_t Bytes(uint32_t repeats) const { return ((repeats - 1) * rep + 7 * blk + 1) * 32; }
    size_t At(uint32_t repeat, uint32_t lane, uint32_t perBlock) const {
        return (repeat * rep + lane / perBlock * blk) * perBlock + lane % perBlock;
    }
};

template <typename T>
void Compares(const std::string& type) {
    InEachCase("Compare of " + type, 3 * kCases, 211, [](Chance& chance) {
        constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
        const bool counted = chance.Coin(), scalar = chance.Coin();
        const CMPMODE mode = std::is_same<T, int32_t>::value ? CMPMODE::EQ : static_cast<CMPMODE>(chance.From(0, 5));
        const uint32_t repeats = chance.From(1, 9);
        Steps a(chance, 0), b(chance, 0);
        if (counted) a.blk = b.blk = 1, a.rep = b.rep = 8;
        const auto x = Some<T>(chance, a.Bytes(repeats) / sizeof(T), 0, 3),
                   y = Some<T>(chance, b.Bytes(repeats) / sizeof(T), 0, 3);
        std::vector<uint8_t> z(repeats * kLanes / 8);
        Pieces p;
        const size_t dst = p.Put(kUb, AnyBits<uint8_t>(chance, z.size())), src0 = p.Put(kUb, x),
                     src1 = scalar ? 0 : p.Put(kUb, y);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < kLanes; ++i) {
                const float other = scalar ? 2.0f : static_cast<float>(y[b.At(r, i, kPerBlock)]);
                if (Holds(mode, static_cast<float>(x[a.At(r, i, kPerBlock)]), other))
                    z[(r * kLanes + i) / 8] |= static_cast<uint8_t>(1u << i % 8);
            }
        p.Then(dst, z);
        return p.Fits([&](Pieces& u) {
            const auto to = u.At<uint8_t>(dst);
            const auto left = u.At<T>(src0);
            const auto two = static_cast<T>(2.0f);
            const auto count = repeats * kLanes;
            const auto times = static_cast<uint8_t>(repeats);
            if (counted && scalar) return CompareScalar(to, left, two, mode, count);
            if (counted) return Compare(to, left, u.At<T>(src1), mode, count);
            if (scalar)
                return CompareScalar(to, left, two, mode, uint64_t{kLanes}, times,
                                     UnaryRepeatParams(1, a.blk, 8, a.rep));
            Compare(to, left, u.At<T>(src1), mode, uint64_t{kLanes}, times,
                    BinaryRepeatParams(1, a.blk, b.blk, 8, a.rep, b.rep));
        });
    });
}

/// The register has 128 bits, of which float fills the first 64; a mask leaves bits as they are.
template <typename T>
void Registers(const std::string& type) {
    InEachCase("the compare register of " + type, kCases, 223, [](Chance& chance) {
        constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
        const Steps a(chance, 8), b(chance, 8);
        const auto x = Some<T>(chance, a.Bytes(1) / sizeof(T), 0, 3), y = Some<T>(chance, b.Bytes(1) / sizeof(T), 0, 3);
        const auto twice = AnyBits<uint8_t>(chance, 32);
        std::vector<uint8_t> bits(twice.begin() + 16, twice.end());
        uint64_t mask[2] = {static_cast<uint64_t>(chance.Bits()) << 32 | chance.Bits() | 1,
                            static_cast<uint64_t>(chance.Bits()) << 32 | chance.Bits()};
        if (kLanes == 64) mask[1] = 0;
        Pieces p;
        const size_t dst = p.Put(kUb, AnyBits<uint8_t>(chance, 32)), before = p.Put(kUb, twice), src0 = p.Put(kUb, x),
                     src1 = p.Put(kUb, y);
        for (uint32_t i = 0; i < kLanes; ++i) {
            if ((mask[i / 64] >> i % 64 & 1) == 0) continue;
            const auto one = static_cast<uint8_t>(1u << i % 8);
            const bool holds =
                static_cast<float>(x[a.At(0, i, kPerBlock)]) < static_cast<float>(y[b.At(0, i, kPerBlock)]);
            bits[i / 8] = static_cast<uint8_t>(holds ? bits[i / 8] | one : bits[i / 8] & ~one);
        }
        auto held = p.Before<uint8_t>(dst);
        std::copy(bits.begin(), bits.end(), held.begin() + 16);
        p.Then(dst, held);
        return p.Fits([&](Pieces& u) {
            constexpr uint32_t kHalf = 16 / sizeof(T);  // the last 16 bytes of 32
            SetCmpMask(u.At<T>(before)[kHalf]);
            Compare(u.At<T>(src0), u.At<T>(src1), CMPMODE::LT, mask,
                    BinaryRepeatParams(1, a.blk, b.blk, 8, a.rep, b.rep));
            GetCmpMask(u.At<T>(dst)[kHalf]);
        });
    });
}

template <typename T>
void Selects(const std::string& type) {
    InEachCase("Select of " + type, 4 * kCases, 227, [](Chance& chance) {
        constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
        const auto mode = static_cast<SELMODE>(chance.From(0, 2));
        const bool counted = chance.Coin(), scalar = mode == SELMODE::VSEL_TENSOR_SCALAR_MODE,
                   same = mode == SELMODE::VSEL_CMPMASK_SPR;
        const uint32_t repeats = chance.From(1, 5);
        Steps d(chance, 8), a(chance, 0), b(chance, 0);
        if (d.blk == 2) d.rep = 16;
        if (counted) d.blk = a.blk = b.blk = 1, d.rep = a.rep = b.rep = 8;
        const auto x = AnyBits<T>(chance, a.Bytes(repeats) / sizeof(T)),
                   y = AnyBits<T>(chance, b.Bytes(repeats) / sizeof(T));
        auto z = AnyBits<T>(chance, d.Bytes(repeats) / sizeof(T));
        const auto bits = AnyBits<uint8_t>(chance, (same ? kLanes : repeats * kLanes) / 8);
        Pieces p;
        const size_t dst = p.Put(kUb, z), sel = p.Put(kUb, bits), src0 = p.Put(kUb, x),
                     src1 = scalar ? 0 : p.Put(kUb, y);
        const T other = static_cast<T>(-2.5f);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < kLanes; ++i) {
                const uint32_t bit = same ? i : r * kLanes + i;
                const bool first = (bits[bit / 8] >> bit % 8 & 1) != 0;
                z[d.At(r, i, kPerBlock)] = first ? x[a.At(r, i, kPerBlock)] : scalar ? other : y[b.At(r, i, kPerBlock)];
            }
        p.Then(dst, z);
        const auto select = [&](Pieces& u) {
            const auto to = u.At<T>(dst), left = u.At<T>(src0);
            const auto mask = u.At<uint8_t>(sel);
            const auto times = static_cast<uint8_t>(repeats);
            const BinaryRepeatParams steps(d.blk, a.blk, b.blk, d.rep, a.rep, b.rep);
            if (counted && scalar) return Select(to, mask, left, other, mode, repeats * kLanes);
            if (counted) return Select(to, mask, left, u.At<T>(src1), mode, repeats * kLanes);
            if (scalar) return Select(to, mask, left, other, mode, uint64_t{kLanes}, times, steps);
            Select(to, mask, left, u.At<T>(src1), mode, uint64_t{kLanes}, times, steps);
        };
        // What no bit chooses is not read by repeats, so only the count form needs all of its sources.
        return counted ? p.Fits(select) : p.Wrong(select);
    });
}

/// A byte of bits is as known as the first of its eight elements, in each of the sources.
template <typename T>
void KnownBits(const std::string& type) {
    constexpr uint32_t kLanes = 256 / sizeof(T);
    for (const bool counted : {false, true})
        for (const uint32_t behind : {0u, 1u}) {
            Pieces p;
            const size_t dst = p.Put(kUb, std::vector<uint8_t>(64)), src0 = p.Put(kUb, std::vector<T>(2 * kLanes)),
                         src1 = p.Put(kUb, std::vector<T>(2 * kLanes));
            const uint32_t from = kLanes + 16;  // elements that are there
            p.Hide(dst, 0, 64);
            p.Hide(behind == 0 ? src0 : src1, from * sizeof(T), 512);
            const std::string expected = std::string(from / 8, '1') + std::string(64 - from / 8, '0');
            const std::string name = "Compare of " + type + (counted ? " by count" : " by repeats") +
                                     ", unwritten src" + std::to_string(behind);
            const auto compare = [&](Pieces& u) {
                if (counted) Compare(u.At<uint8_t>(dst), u.At<T>(src0), u.At<T>(src1), CMPMODE::LT, 2 * kLanes);
                else
                    Compare(u.At<uint8_t>(dst), u.At<T>(src0), u.At<T>(src1), CMPMODE::LT, uint64_t{kLanes}, 2,
                            BinaryRepeatParams());
            };
            const std::string known = p.Known(dst, compare, 0, 64);
            Expect(name, known == expected, known);
            const auto scalar = [&](Pieces& u) {
                if (counted) CompareScalar(u.At<uint8_t>(dst), u.At<T>(src0), T(1.0f), CMPMODE::LT, 2 * kLanes);
                else
                    CompareScalar(u.At<uint8_t>(dst), u.At<T>(src0), T(1.0f), CMPMODE::LT, uint64_t{kLanes}, 2,
                                  UnaryRepeatParams());
            };
            const std::string alone =
                behind == 0 ? expected : std::string(kLanes / 4, '1') + std::string(64 - kLanes / 4, '0');
            const std::string seen = p.Known(dst, scalar, 0, 64);
            Expect(name + " with a scalar", seen == alone, seen);
            if (behind == 1 && counted) continue;  // the count form tells of its first source only
            const std::string rule = p.Rule([&](Pieces& u) {
                compare(u);
                u.At<uint8_t>(dst).GetValue(from / 8);
            });
            Expect(name + " tells of the first that is missing",
                   told_.message.find("Compare read src" + std::to_string(behind) + " from byte " +
                                      std::to_string(from * sizeof(T)) + " of ") != std::string::npos,
                   rule + told_.message);
        }
}

/// An element that comes from an unwritten one is unwritten.
template <typename T>
void KnownElements(const std::string& type) {
    constexpr uint32_t kCount = 64 / sizeof(T);
    for (const bool counted : {false, true})
        for (const bool scalar : {false, true}) {
            Pieces p;
            const size_t dst = p.Put(kUb, std::vector<uint8_t>(256)), src0 = p.Put(kUb, std::vector<T>(128)),
                         src1 = p.Put(kUb, std::vector<T>(128)), sel = p.Put(kUb, std::vector<uint8_t>(32, 0x35));
            p.Hide(dst, 0, 256);
            p.Hide(src0, 5 * sizeof(T), 256);
            p.Hide(src1, 0, 4 * sizeof(T));
            std::string expected;
            for (uint32_t i = 0; i < 96 / sizeof(T); ++i) {
                const bool first = (0x35 >> i % 8 & 1) != 0;
                const bool known = i < kCount && (first ? i < 5 : scalar || i >= 4);
                expected += std::string(sizeof(T), known ? '1' : '0');
            }
            const auto select = [&](Pieces& u) {
                const auto to = u.At<T>(dst), left = u.At<T>(src0), right = u.At<T>(src1);
                const auto mask = u.At<uint8_t>(sel);
                if (counted && scalar) return Select(to, mask, left, T(1.0f), SELMODE::VSEL_TENSOR_SCALAR_MODE, kCount);
                if (counted) return Select(to, mask, left, right, SELMODE::VSEL_TENSOR_TENSOR_MODE, kCount);
                if (scalar)
                    return Select(to, mask, left, T(1.0f), SELMODE::VSEL_TENSOR_SCALAR_MODE, uint64_t{kCount}, 1,
                                  BinaryRepeatParams());
                Select(to, mask, left, right, SELMODE::VSEL_TENSOR_TENSOR_MODE, uint64_t{kCount}, 1,
                       BinaryRepeatParams());
            };
            const std::string name =
                "Select of " + type + (counted ? " by count" : " by repeats") + (scalar ? " with a scalar" : "");
            const std::string known = p.Known(dst, select, 0, 96);
            Expect(name + " of unwritten values", known == expected, known);
            p.Rule([&](Pieces& u) {
                select(u);
                u.At<T>(dst).GetValue(scalar ? 5 : 1);
            });
            const std::string from = scalar ? "src0 from byte " + std::to_string(5 * sizeof(T))
                                            : "src1 from byte " + std::to_string(sizeof(T));
            Expect(name + " tells of the first",
                   told_.message.find("Select read " + from + " of ") != std::string::npos, told_.message);
        }
}

/// Modes 1 and 2 keep values of their own in the last 8 KB of UB, so what lies there is lost.
template <typename T>
void EndOfUb(const std::string& type) {
    constexpr uint32_t kBegin = 184 * 1024 - 32, kBytes = 192;
    for (const bool counted : {false, true})
        for (const uint32_t mode : {0u, 1u, 2u}) {
            Pieces p;
            const size_t all = p.Put(kUb, std::vector<uint8_t>(8192, 1));
            const size_t lost = mode == 0 ? 0 : mode == 1 ? 32 * sizeof(T) : 128;
            std::string known(kBytes, '0');
            for (uint32_t i = 0; i < kBytes; ++i) {
                const std::string rule = p.Rule([&](Pieces& u) {
                    const LocalTensor<uint8_t> end(TPosition::VECCALC, kBegin, kBytes);
                    Duplicate(end.ReinterpretCast<uint16_t>(), uint16_t(1), kBytes / 2);
                    const auto x = u.At<T>(all);
                    const auto selMode = static_cast<SELMODE>(mode);
                    const auto mask = u.At<uint8_t>(all)[4096];
                    const BinaryRepeatParams plain;
                    const uint64_t lanes = 256 / sizeof(T);
                    if (mode == 1 && counted) Select(x, mask, x, T(1.0f), selMode, 64);
                    else if (mode == 1) Select(x, mask, x, T(1.0f), selMode, lanes, 1, plain);
                    else if (counted) Select(x, mask, x, x, selMode, 64);
                    else Select(x, mask, x, x, selMode, lanes, 1, plain);
                    AscendC::PipeBarrier<PIPE_ALL>();
                    end.GetValue(i);
                });
                if (rule.empty()) known[i] = '1';
                else Expect("the end of UB is read", rule == "read-unwritten", rule + ": " + told_.message);
            }
            Expect("Select of mode " + std::to_string(mode) + " of " + type + (counted ? " by count" : " by repeats") +
                       " at the end of UB",
                   known == std::string(32, '1') + std::string(lost, '0') + std::string(160 - lost, '1'), known);
        }
}

void Said(const std::string& name, const std::string& expected,
          const std::function<void(LocalTensor<int32_t>, LocalTensor<uint8_t>)>& kernel) {
    Pieces p;
    const size_t x = p.Put(kUb, std::vector<int32_t>(1024, 1)), bits = p.Put(kUb, std::vector<uint8_t>(1024, 255));
    const std::string rule = p.Rule([&](Pieces& u) { kernel(u.At<int32_t>(x), u.At<uint8_t>(bits)); });
    const std::string said = rule.empty() ? "" : rule + ": " + told_.message;
    Expect((expected.empty() ? "legal: " : "refused: ") + name, said == expected, said);
}

void Limits() {
    for (int mode = 0; mode < 6; ++mode) {
        const auto one = static_cast<CMPMODE>(mode);
        const std::string only =
            one == CMPMODE::EQ ? "" : "unsupported-type: Compare of int32_t knows CMPMODE::EQ only";
        Said("int32_t of mode " + std::to_string(mode), only, [=](auto x, auto bits) { Compare(bits, x, x, one, 64); });
        Said("its repeats", only,
             [=](auto x, auto bits) { Compare(bits, x, x, one, uint64_t{64}, 1, BinaryRepeatParams()); });
        Said("halves of mode " + std::to_string(mode), "", [=](auto x, auto bits) {
            Compare(bits, x.template ReinterpretCast<half>(), x.template ReinterpretCast<half>(), one, 128);
        });
    }
    Said("no element", "", [](auto x, auto bits) { Compare(bits, x, LocalTensor<int32_t>(), CMPMODE::EQ, 0); });
    Said("half a repeat", "compare-count: Compare of 32 elements is 128 bytes, no multiple of 256",
         [](auto x, auto bits) { Compare(bits, x, x, CMPMODE::EQ, 32); });
    Said("a destination 16 bytes into a block",
         "unaligned-ub: dst of Compare starts at UB address 0x1070, 16 bytes past a multiple of 32",
         [](auto x, auto bits) { Compare(bits[16], x, x, CMPMODE::EQ, 64); });
    Said("no repeat", "",
         [](auto x, auto bits) { Compare(bits, x, x, CMPMODE::EQ, uint64_t{64}, 0, BinaryRepeatParams()); });
    Said("nothing selected", "", [](auto x, auto bits) {
        const auto h = x.template ReinterpretCast<half>();
        Select(LocalTensor<half>(), bits, h, h, SELMODE::VSEL_TENSOR_TENSOR_MODE, 0);
    });
    Said("one selected", "", [](auto x, auto bits) {
        const auto h = x.template ReinterpretCast<half>();
        Select(h, bits, h, h, SELMODE::VSEL_TENSOR_TENSOR_MODE, 1);
    });
}

}  // namespace

int main() {
    Compares<half>("half");
    Compares<float>("float");
    Compares<int32_t>("int32_t");
    Registers<half>("half");
    Registers<float>("float");
    Selects<half>("half");
    Selects<float>("float");
    KnownBits<half>("half");
    KnownBits<float>("float");
    KnownElements<half>("half");
    KnownElements<float>("float");
    EndOfUb<half>("half");
    EndOfUb<float>("float");
    Limits();
    return Finish();
}
