// Comparisons by repeats and into the register against plain loops: bits go on from one repeat to the next.
#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

bool Holds(CMPMODE mode, float a, float b) {
    const bool all[] = {a<b, a> b, a == b, a <= b, a >= b, a != b};
    return all[static_cast<int>(mode)];
}

enum class Against { kTensor, kScalar };

/// A mask has no effect on these; a repeat gives a bit for each of its elements, side by side with those before.
template <typename T>
void Repeats(const std::string& type, Against against) {
    Always("Compare of " + type + (against == Against::kScalar ? " with a scalar" : "") + " by repeats", 60, 137,
           [&](Chance& chance) {
               const Strided<T> s(chance);
               const bool integers = std::is_same_v<T, int32_t>, scalar = against == Against::kScalar;
               const CMPMODE mode = integers ? CMPMODE::EQ : kModes[chance.From(0, 5)];
               const auto x = Some<T>(chance, s.kElements, 0, 3), y = Some<T>(chance, s.kElements, 0, 3);
               const auto old = Some<uint8_t>(chance, 64, 0, 255);
               auto z = old;
               for (uint32_t r = 0; r < s.repeats; ++r)
                   for (uint32_t i = 0; i < s.kLanes; ++i) {
                       const uint32_t block = i / s.kPerBlock, in = i % s.kPerBlock, bit = r * s.kLanes + i;
                       const float a = static_cast<float>(
                           x[(r * s.strides.src0RepStride + block * s.strides.src0BlkStride) * s.kPerBlock + in]);
                       const float b =
                           scalar
                               ? 2.0f
                               : static_cast<float>(
                                     y[(r * s.strides.src1RepStride + block * s.strides.src1BlkStride) * s.kPerBlock +
                                       in]);
                       const auto one = static_cast<uint8_t>(1u << bit % 8);
                       z[bit / 8] = static_cast<uint8_t>(Holds(mode, a, b) ? z[bit / 8] | one : z[bit / 8] & ~one);
                   }
               Ub ub;
               const size_t dst = ub.Put(old), src0 = ub.Put(x), src1 = ub.Put(y);
               ub.Then(dst, z);
               return ub.Wrong([&](Ub& u) {
                   const auto to = u.At<uint8_t>(dst);
                   const auto a = u.At<T>(src0), b = u.At<T>(src1);
                   const auto repeats = static_cast<uint8_t>(s.repeats);
                   if (scalar) CompareScalar(to, a, static_cast<T>(2.0f), mode, uint64_t{s.first}, repeats, s.unary());
                   else if (s.form == Form::kBits) Compare(to, a, b, mode, s.bits, repeats, s.strides);
                   else Compare(to, a, b, mode, uint64_t{s.first}, repeats, s.strides);
               });
           });
}

/// The register's bits of lanes that the mask leaves out stay as they were.
template <typename T>
void Register(const std::string& type) {
    Always("Compare of " + type + " into the register", 40, 139, [](Chance& chance) {
        Strided<T> s(chance);
        if (s.form != Form::kBits) s.form = Form::kFirst;
        const CMPMODE mode = kModes[chance.From(0, 5)];
        const auto x = Some<T>(chance, s.kElements, 0, 3), y = Some<T>(chance, s.kElements, 0, 3);
        const auto before = Some<uint8_t>(chance, 32, 0, 255);
        auto z = std::vector<uint8_t>(before.begin(), before.begin() + 16);
        for (uint32_t i = 0; i < s.kLanes; ++i) {
            if (!s.Takes(0, i)) continue;
            const float a =
                static_cast<float>(x[i / s.kPerBlock * s.strides.src0BlkStride * s.kPerBlock + i % s.kPerBlock]);
            const float b =
                static_cast<float>(y[i / s.kPerBlock * s.strides.src1BlkStride * s.kPerBlock + i % s.kPerBlock]);
            const auto one = static_cast<uint8_t>(1u << i % 8);
            z[i / 8] = static_cast<uint8_t>(Holds(mode, a, b) ? z[i / 8] | one : z[i / 8] & ~one);
        }
        Ub ub;
        const size_t dst = ub.Put(std::vector<uint8_t>(32, 7)), src0 = ub.Put(x), src1 = ub.Put(y),
                     old = ub.Put(before);
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            SetCmpMask(u.At<uint8_t>(old));
            if (s.form == Form::kBits) Compare(u.At<T>(src0), u.At<T>(src1), mode, s.bits, s.strides);
            else Compare(u.At<T>(src0), u.At<T>(src1), mode, uint64_t{s.first}, s.strides);
            GetCmpMask(u.At<uint8_t>(dst));
        });
    });
}

/// Counts are whole repeats; nothing at all is one.
void Counts() {
    const auto rule = [](uint32_t count) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<uint8_t>(64)), src = ub.Put(std::vector<float>(128));
        ub.Wrong([&](Ub& u) { Compare(u.At<uint8_t>(dst), u.At<float>(src), u.At<float>(src), CMPMODE::LT, count); });
        return told_.rule;
    };
    Expect("legal: Compare of nothing", rule(0).empty());
    Expect("compare-count: 63 floats", rule(63) == "compare-count");
    Expect("legal: 64 floats", rule(64).empty());
    Expect("compare-count: 65 floats", rule(65) == "compare-count");
    Expect("legal: 128 floats", rule(128).empty());
}

/// A byte of bits is known as its first element is: what nobody wrote is found where it is used, and told from where.
template <typename T>
void Unwritten(const std::string& type) {
    constexpr uint32_t kLanes = 256 / sizeof(T);
    for (const bool second : {false, true})
        for (const uint32_t written : {8u, 16u, kLanes}) {
            Ub ub;
            const size_t dst = ub.Put(std::vector<T>(kLanes)),
                         src = ub.Put(std::vector<T>(kLanes, static_cast<T>(1.0f)));
            (void)dst;
            ub.Wrong([&](Ub& u) {
                TBuf<> hollow, bits;
                GetTPipePtr()->InitBuffer(hollow, 256);
                GetTPipePtr()->InitBuffer(bits, 32);
                const auto part = hollow.Get<T>();
                const auto whole = u.At<T>(src);
                Duplicate(part, static_cast<T>(1.0f), static_cast<int32_t>(written));
                Compare(bits.Get<uint8_t>(), second ? whole : part, second ? part : whole, CMPMODE::EQ,
                        uint64_t{kLanes}, 1, BinaryRepeatParams());
                PipeBarrier<PIPE_ALL>();
                bits.Get<uint8_t>().GetValue(1);
            });
            const std::string where =
                type + ", " + (second ? "second" : "first") + " source, " + std::to_string(written) + " elements";
            Expect("bits 8 to 15 of a comparison, " + where, told_.rule == (written > 8 ? "" : "read-unwritten"),
                   told_.rule);
            if (written > 8) continue;
            const std::string text = std::string("Compare read src") + (second ? "1" : "0") + " from byte " +
                                     std::to_string(8 * sizeof(T)) + " of VECCALC buffer";
            Expect("and the message says which byte, " + where, told_.message.find(text) != std::string::npos,
                   told_.message);
        }
}

}  // namespace

int main() {
    for (const Against against : {Against::kTensor, Against::kScalar}) {
        Repeats<half>("half", against);
        Repeats<float>("float", against);
        Repeats<int32_t>("int32_t", against);
    }
    Register<half>("half");
    Register<float>("float");
    Counts();
    Unwritten<half>("half");
    Unwritten<float>("float");
    return Finish();
}
