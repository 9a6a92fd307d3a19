// Operations that go on from repeat to repeat, held against plain loops over shapes, strides and masks of chance.
#include "chance.h"
#include "on_device.h"

using namespace AscendC;

namespace {

constexpr uint32_t kRounds = 24;

template <typename T>
std::vector<T> Counted(size_t n, int first = 1) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<float>(first + static_cast<int>(i % 1900)));
    return v;
}

/// Elements of T whose bits are of chance.
template <typename T>
std::vector<T> Patterns(Chance& chance, size_t bytes) {
    std::vector<uint8_t> bits(bytes);
    for (auto& b : bits) b = static_cast<uint8_t>(chance.Bits());
    std::vector<T> v(bytes / sizeof(T));
    std::memcpy(v.data(), bits.data(), bytes);
    return v;
}

template <typename T>
bool Bit(const std::vector<T>& bits, size_t at) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(bits.data());
    return (bytes[at / 8] >> (at % 8) & 1) != 0;
}

/// Strides of GatherMask count blocks of 32 bytes, those of its pattern too.
template <typename T, typename U>
void Gathers(const std::string& type) {
    Chance chance(3);
    const uint32_t lanes = 256 / sizeof(T), perBlock = 32 / sizeof(T);
    for (uint32_t round = 0; round < kRounds; ++round) {
        const uint32_t repeats = chance.From(1, 5), block = chance.From(1, 2), step = chance.From(1, 16),
                       pattern = chance.From(0, 2);
        const bool some = chance.Coin();
        const uint32_t mask = some ? chance.From(1, lanes) : lanes;
        const auto x = Counted<T>((4 * 16 + 16) * perBlock), bits = Patterns<T>(chance, 320);
        std::vector<T> expected(x.size());
        size_t kept = 0;
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < mask; ++i)
                if (Bit(bits, r * pattern * 256 + i))
                    expected[kept++] = x[(r * step + i / perBlock * block) * perBlock + i % perBlock];
        uint64_t count = 0;
        Device<T> device({x, bits}, {x.size()});
        const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
            Duplicate(out[0], static_cast<T>(0), static_cast<int32_t>(x.size()));
            GatherMask(out[0], in[0], in[1].template ReinterpretCast<U>(), some, some ? mask : 0,
                       GatherMaskParams(block, repeats, step, pattern), count);
        });
        Expect("GatherMask counts what it keeps", count == kept,
               std::to_string(count) + " for " + std::to_string(kept) + rule);
        ExpectSame("GatherMask of " + type + ", case " + std::to_string(round), device.outputs[0], expected);
    }
}

enum class By { kRegister, kTensor, kScalar };

/// The mask register begins anew in each repeat; in the other modes the mask goes on.
template <typename T>
void SelectsByRepeat(const std::string& type, By by) {
    Chance chance(5);
    const uint32_t lanes = 256 / sizeof(T), perBlock = 32 / sizeof(T);
    for (uint32_t round = 0; round < kRounds; ++round) {
        const uint32_t repeats = chance.From(1, 4), active = chance.From(1, lanes);
        const uint32_t left = chance.From(0, 9), right = chance.From(0, 9), wide = chance.From(1, 2),
                       to = chance.From(8, 10);
        const auto x = Counted<T>(48 * perBlock), y = Counted<T>(48 * perBlock, -1900), bits = Patterns<T>(chance, 128);
        std::vector<T> expected(40 * perBlock, static_cast<T>(7.0f));
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < active; ++i) {
                const bool first = Bit(bits, by == By::kRegister ? i : r * lanes + i);
                const T other =
                    by == By::kScalar ? static_cast<T>(-3.0f) : y[(r * right + i / perBlock) * perBlock + i % perBlock];
                expected[(r * to + i / perBlock) * perBlock + i % perBlock] =
                    first ? x[(r * left + i / perBlock * wide) * perBlock + i % perBlock] : other;
            }
        Device<T> device({x, y, bits}, {expected.size()});
        const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
            const auto mask = in[2].template ReinterpretCast<uint8_t>();
            const BinaryRepeatParams strides(1, wide, 1, to, left, right);
            Duplicate(out[0], static_cast<T>(7.0f), static_cast<int32_t>(expected.size()));
            if (by == By::kTensor)
                return Select(out[0], mask, in[0], in[1], SELMODE::VSEL_TENSOR_TENSOR_MODE, uint64_t{active}, repeats,
                              strides);
            if (by == By::kScalar)
                return Select(out[0], mask, in[0], static_cast<T>(-3.0f), SELMODE::VSEL_TENSOR_SCALAR_MODE,
                              uint64_t{active}, repeats, strides);
            SetCmpMask(in[2]);
            PipeBarrier<PIPE_V>();
            SetVectorMask<T>(active);
            Select<T, SELMODE::VSEL_CMPMASK_SPR>(out[0], in[0], in[1], repeats, strides);
        });
        Expect("Select breaks no rule", rule.empty(), rule);
        ExpectSame("Select of " + type +
                       (by == By::kRegister ? " by the register"
                        : by == By::kScalar ? " and a scalar"
                                            : "") +
                       ", case " + std::to_string(round),
                   device.outputs[0], expected);
    }
}

/// Several repeats by count: the mask register's bits serve each of them.
void SelectsByCount() {
    const auto x = Counted<float>(200), y = Counted<float>(200, -1900);
    Chance chance(7);
    const auto bits = Patterns<float>(chance, 32);
    std::vector<float> expected(200);
    for (uint32_t i = 0; i < 200; ++i) expected[i] = Bit(bits, i % 64) ? x[i] : y[i];
    Device<float> device({x, y, bits}, {200});
    const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
        Select(out[0], in[2].template ReinterpretCast<uint8_t>(), in[0], in[1], SELMODE::VSEL_CMPMASK_SPR, 200);
    });
    ExpectSame("Select of 200 floats by the register's 64 bits" + rule, device.outputs[0], expected);
}

/// The mask's rows may be longer than the source's; what lies behind is ignored.
template <typename T, typename M>
void SelectsByBytes(const std::string& types) {
    Chance chance(11);
    for (uint32_t round = 0; round < kRounds; ++round) {
        const uint32_t rows = chance.From(1, 5), columns = chance.From(1, 3) * 32,
                       masks = columns + chance.From(0, 2) * 32;
        const bool swapped = chance.Coin();
        const auto x = Counted<T>(static_cast<size_t>(rows) * columns);
        std::vector<M> mask(static_cast<size_t>(rows) * masks);
        for (auto& m : mask)
            m = static_cast<M>(chance.Coin() ? static_cast<uint64_t>(chance.From(1, 255)) << (sizeof(M) * 8 - 8) : 0);
        std::vector<T> expected(x.size()), held(mask.size() * sizeof(M) / sizeof(T));
        std::memcpy(held.data(), mask.data(), mask.size() * sizeof(M));
        for (uint32_t r = 0; r < rows; ++r)
            for (uint32_t i = 0; i < columns; ++i)
                expected[r * columns + i] =
                    (mask[r * masks + i] != 0) == swapped ? x[r * columns + i] : static_cast<T>(-5.0f);
        Device<T> device({x, held}, {x.size()});
        const auto rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> work;
            pipe.InitBuffer(work, 4096);
            SelectWithBytesMaskShapeInfo info;
            info.firstAxis = rows;
            info.srcLastAxis = columns;
            info.maskLastAxis = masks;
            const auto where = in[1].template ReinterpretCast<M>();
            if (swapped) SelectWithBytesMask(out[0], static_cast<T>(-5.0f), in[0], where, work.Get<uint8_t>(), info);
            else SelectWithBytesMask(out[0], in[0], static_cast<T>(-5.0f), where, work.Get<uint8_t>(), info);
        });
        ExpectSame("SelectWithBytesMask of " + types + rule + ", case " + std::to_string(round), device.outputs[0],
                   expected);
    }
}

/// Bit i tells of element i, over more elements than one repeat holds; int32_t knows equality only.
template <typename T>
void Compares(const std::string& type, bool onlyEqual) {
    Chance chance(17);
    const CMPMODE modes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};
    for (uint32_t round = 0; round < kRounds; ++round) {
        const uint32_t count = chance.From(1, 6) * (256 / sizeof(T));
        const CMPMODE mode = onlyEqual ? CMPMODE::EQ : modes[round % 6];
        const bool scalar = chance.Coin();
        std::vector<T> x(count), y(count), held((count / 8 + 31) / 32 * 32 / sizeof(T), T(0));
        for (auto& v : x) v = static_cast<T>(static_cast<float>(chance.From(0, 3)));
        for (auto& v : y) v = scalar ? static_cast<T>(2.0f) : static_cast<T>(static_cast<float>(chance.From(0, 3)));
        std::vector<uint8_t> bits(count / 8);
        for (uint32_t i = 0; i < count; ++i) {
            const float a = static_cast<float>(x[i]), b = static_cast<float>(y[i]);
            const bool holds[] = {a<b, a> b, a == b, a <= b, a >= b, a != b};
            if (holds[onlyEqual ? 2 : round % 6]) bits[i / 8] |= static_cast<uint8_t>(1 << i % 8);
        }
        Device<T> device({x, y}, {held.size()});
        const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
            const auto to = out[0].template ReinterpretCast<uint8_t>();
            Duplicate(out[0], static_cast<T>(0.0f), static_cast<int32_t>(held.size()));
            if (scalar) CompareScalar(to, in[0], static_cast<T>(2.0f), mode, count);
            else Compare(to, in[0], in[1], mode, count);
        });
        std::vector<uint8_t> seen(bits.size());
        std::memcpy(seen.data(), device.outputs[0].data(), seen.size());
        ExpectSame("Compare of " + std::to_string(count) + " " + type + rule + ", mode " +
                       std::to_string(static_cast<int>(mode)),
                   seen, bits);
    }
}

}  // namespace

int main() {
    Compares<float>("float", false);
    Compares<half>("half", false);
    Compares<int32_t>("int32_t", true);
    Gathers<float, uint32_t>("float");
    Gathers<half, uint16_t>("half");
    for (const By by : {By::kRegister, By::kTensor, By::kScalar}) {
        SelectsByRepeat<float>("float", by);
        SelectsByRepeat<half>("half", by);
    }
    SelectsByCount();
    SelectsByBytes<float, uint8_t>("float and bytes");
    SelectsByBytes<half, uint32_t>("half and words");
    return Finish();
}
