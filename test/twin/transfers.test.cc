// Copies in and out of UB and within it against plain loops, atomic ones too, and the limits of their parameters.
#include <algorithm>

#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCases = 40;

/// Bursts of whole blocks with gaps from the end of one to the start of the next, on both sides.
struct Bursts {
    uint32_t count, blocks, srcGap, dstGap;
    explicit Bursts(Chance& c)
        : count(c.From(0, 4)), blocks(c.From(0, 3)), srcGap(c.From(0, 3)), dstGap(c.From(0, 3)) {}
    static constexpr size_t kBytes = 28 * 32;
    DataCopyParams params() const { return DataCopyParams(count, blocks, srcGap, dstGap); }
    void Apply(const std::vector<uint8_t>& from, std::vector<uint8_t>& to) const {
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t b = 0; b < blocks * 32; ++b)
                to[i * (blocks + dstGap) * 32 + b] = from[i * (blocks + srcGap) * 32 + b];
    }
};

std::vector<uint8_t> Bytes(Chance& chance, size_t count) {
    std::vector<uint8_t> bytes(count);
    for (auto& b : bytes) b = static_cast<uint8_t>(chance.Bits());
    return bytes;
}

void Blocks() {
    for (const int way : {0, 1, 2}) {
        const char* names[] = {"DataCopy of bursts in", "DataCopy of bursts out", "DataCopy of bursts within UB"};
        Always(names[way], kCases, 89, [&](Chance& chance) {
            const Bursts bursts(chance);
            const auto x = Bytes(chance, Bursts::kBytes);
            auto z = Bytes(chance, Bursts::kBytes);
            Ub ub;
            const size_t dst = ub.Put(z), src = ub.Put(x);
            ub.Store(z);
            bursts.Apply(x, z);
            if (way == 1) ub.ThenStored(z);
            else ub.Then(dst, z);
            return ub.Wrong([&](Ub& u) {
                if (way == 0) DataCopy(u.At<float>(dst), u.Source<float>(src), bursts.params());
                else if (way == 1) DataCopy(u.Target<float>(), u.At<float>(src), bursts.params());
                else DataCopy(u.At<float>(dst), u.At<float>(src), bursts.params());
            });
        });
    }
    Always("DataCopy by count", kCases, 97, [](Chance& chance) {
        const uint32_t count = chance.From(0, 6) * 16;
        const auto x = Bytes(chance, 256);
        auto z = Bytes(chance, 256), w = z, stored = z;
        Ub ub;
        const size_t in = ub.Put(z), within = ub.Put(w), src = ub.Put(x);
        ub.Store(stored);
        for (auto* to : {&z, &w, &stored}) std::copy_n(x.begin(), count * 2, to->begin());
        ub.Then(in, z);
        ub.Then(within, w);
        ub.ThenStored(stored);
        return ub.Wrong([&](Ub& u) {
            DataCopy(u.At<half>(in), u.Source<half>(src), count);
            DataCopy(u.At<half>(within), u.At<half>(src), count);
            DataCopy(u.Target<half>(), u.At<half>(src), count);
        });
    });
}

/// Each piece begins on a block of UB. In front and behind come paddings of so many elements; what is left of the last
/// block holds the piece's first element when there is no padding at all, the padding's value otherwise.
template <typename T>
void PadsIn(const std::string& type) {
    Always("DataCopyPad of " + type + " in", 2 * kCases, 101, [](Chance& chance) {
        constexpr uint32_t kMost = 32 / sizeof(T);
        const uint32_t pieces = chance.From(0, 4), elements = chance.From(0, 40), gap = chance.From(0, 3) * sizeof(T),
                       blocks = chance.From(0, 2);
        const bool none = chance.Coin(), isPad = none || sizeof(T) == 8 || chance.Coin();
        const uint32_t left = none ? 0 : chance.From(0, kMost), right = none ? 0 : chance.From(0, kMost);
        const T value = static_cast<T>(sizeof(T) == 8 ? 0 : 9);
        const auto x = Some<T>(chance, 200);
        auto z = Some<T>(chance, 4 * (48 + 3 * kMost + 2 * kMost));
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        const uint32_t used = left + elements + right, whole = (used + kMost - 1) / kMost * kMost;
        for (uint32_t p = 0; p < pieces && elements > 0; ++p)
            for (uint32_t i = 0; i < whole; ++i) {
                const T* piece = &x[p * (elements + gap / sizeof(T))];
                const bool data = i >= left && i < left + elements;
                z[p * (whole + blocks * kMost) + i] = data                      ? piece[i - left]
                                                      : left == 0 && right == 0 ? piece[0]
                                                                                : value;
            }
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            if (!isPad) SetPadValue(value);
            DataCopyPad(u.At<T>(dst), u.Source<T>(src), DataCopyExtParams(pieces, elements * sizeof(T), gap, blocks, 0),
                        DataCopyPadExtParams<T>(isPad, left, right, isPad ? value : static_cast<T>(0)));
        });
    });
}

/// Out of UB a piece begins on a block and ends with its last byte.
template <typename T>
void PadsOut(const std::string& type) {
    Always("DataCopyPad of " + type + " out", kCases, 103, [](Chance& chance) {
        constexpr uint32_t kMost = 32 / sizeof(T);
        const uint32_t pieces = chance.From(0, 4), elements = chance.From(0, 40), gap = chance.From(0, 3) * sizeof(T),
                       blocks = chance.From(0, 2);
        const auto x = Some<T>(chance, 4 * (48 + 3 * kMost));
        auto z = Some<T>(chance, 200);
        Ub ub;
        const size_t src = ub.Put(x);
        ub.Store(z);
        const uint32_t whole = (elements + kMost - 1) / kMost * kMost + blocks * kMost;
        for (uint32_t p = 0; p < pieces; ++p)
            for (uint32_t i = 0; i < elements; ++i) z[p * (elements + gap / sizeof(T)) + i] = x[p * whole + i];
        ub.ThenStored(z);
        return ub.Wrong([&](Ub& u) {
            DataCopyPad(u.Target<T>(), u.At<T>(src), DataCopyExtParams(pieces, elements * sizeof(T), blocks, gap, 0));
        });
    });
}

/// Writes that add to what is there, or keep the larger or the smaller of the two; integers wrap.
template <typename T>
void Atomics(const std::string& type) {
    for (const int op : {0, 1, 2}) {
        const char* names[] = {"SetAtomicAdd of ", "SetAtomicMax of ", "SetAtomicMin of "};
        Always(names[op] + type, 12, 107, [&](Chance& chance) {
            const uint32_t count = chance.From(1, 64);
            const auto x = Some<T>(chance, 64, -100, 100);
            auto z = Some<T>(chance, 64, -100, 100);
            Ub ub;
            const size_t src = ub.Put(x);
            ub.Store(z);
            for (uint32_t i = 0; i < count; ++i) {
                const float a = static_cast<float>(z[i]), b = static_cast<float>(x[i]);
                const float kept = op == 0 ? a + b : op == 1 ? std::max(a, b) : std::min(a, b);
                if constexpr (std::is_integral_v<T>) z[i] = static_cast<T>(static_cast<int>(kept));
                else z[i] = static_cast<T>(kept);
            }
            ub.ThenStored(z);
            return ub.Wrong([&](Ub& u) {
                if (op == 0) SetAtomicAdd<T>();
                else if (op == 1) SetAtomicMax<T>();
                else SetAtomicMin<T>();
                DataCopyPad(u.Target<T>(), u.At<T>(src), DataCopyExtParams(1, count * sizeof(T), 0, 0, 0));
                SetAtomicNone();
            });
        });
    }
}

template <typename T>
void Fills(const std::string& type) {
    Always("InitOutput of " + type, 8, 109, [](Chance& chance) {
        const uint32_t count = chance.From(0, 50);
        auto z = Some<T>(chance, 50);
        Ub ub;
        ub.Put(z);
        ub.Store(z);
        std::fill_n(z.begin(), count, static_cast<T>(3.0f));
        ub.ThenStored(z);
        return ub.Wrong([&](Ub& u) { InitOutput(u.Target<T>(), count, static_cast<T>(3.0f)); });
    });
}

/// The rule that a copy breaks, out of 4 KB of UB or into it.
std::string Rule(const std::function<void(Ub&, LocalTensor<uint8_t>)>& copy) {
    Ub ub;
    const size_t tensor = ub.Put(std::vector<uint8_t>(4096));
    ub.Store(std::vector<uint8_t>(4096));
    ub.Wrong([&](Ub& u) { copy(u, u.At<uint8_t>(tensor)); });
    return told_.rule;
}

void Limits() {
    const auto bursts = [](uint32_t count) {
        return [=](Ub& u, auto t) { DataCopy(t, u.Source<uint8_t>(0), DataCopyParams(count, 0, 0, 0)); };
    };
    Expect("legal: 4095 bursts of nothing", Rule(bursts(4095)).empty());
    Expect("copy-params: 4096 bursts", Rule(bursts(4096)) == "copy-params");
    const auto out = [](uint32_t count) {
        return [=](Ub& u, auto t) { DataCopy(u.Target<uint8_t>(), t, DataCopyParams(count, 0, 0, 0)); };
    };
    Expect("legal: 4095 bursts of nothing out", Rule(out(4095)).empty());
    Expect("copy-params: 4096 bursts out", Rule(out(4096)) == "copy-params");
    const auto within = [](uint32_t count) {
        return [=](Ub&, auto t) { DataCopy(t, t, DataCopyParams(count, 0, 0, 0)); };
    };
    Expect("legal: 4095 bursts of nothing within UB", Rule(within(4095)).empty());
    Expect("copy-params: 4096 bursts within UB", Rule(within(4096)) == "copy-params");
    const auto long_ = [](uint32_t bytes) {
        return [=](Ub& u, auto t) { DataCopyPad(u.Target<uint8_t>(), t, DataCopyExtParams(1, bytes, 0, 0, 0)); };
    };
    Expect("a piece of 2097151 bytes is more than the buffer, no more than a piece may be",
           Rule(long_(2097151)) == "out-of-buffer");
    Expect("copy-params: a piece of 2097152 bytes", Rule(long_(2097152)) == "copy-params");
    const auto odd = [](uint32_t bytes) {
        return [=](Ub& u, auto t) {
            DataCopyPad(u.Target<float>(), t.template ReinterpretCast<float>(), DataCopyExtParams(1, bytes, 0, 0, 0));
        };
    };
    Expect("legal: two floats", Rule(odd(8)).empty());
    Expect("copy-params: one float and a half", Rule(odd(6)) == "copy-params");
    const auto pad = [](uint32_t left, uint32_t right) {
        return [=](Ub& u, auto t) {
            DataCopyPad(t, u.Source<uint8_t>(0), DataCopyExtParams(1, 8, 0, 0, 0),
                        DataCopyPadExtParams<uint8_t>(true, left, right, 1));
        };
    };
    Expect("legal: 32 bytes of padding on both sides", Rule(pad(32, 32)).empty());
    Expect("copy-params: 33 bytes in front", Rule(pad(33, 0)) == "copy-params");
    Expect("copy-params: 33 bytes behind", Rule(pad(0, 33)) == "copy-params");
    const auto short_ = [](uint32_t count) { return [=](Ub& u, auto t) { DataCopy(t, u.Source<uint8_t>(0), count); }; };
    Expect("legal: nothing", Rule(short_(0)).empty());
    Expect("unaligned-copy: a byte", Rule(short_(1)) == "unaligned-copy");
    Expect("unaligned-copy: a byte over a block", Rule(short_(33)) == "unaligned-copy");
    const auto atomic = [](auto set) {
        return [=](Ub& u, auto t) {
            set();
            DataCopy(u.Target<float>(), t.template ReinterpretCast<float>(), 8);
            SetAtomicNone();
        };
    };
    Expect("legal: atomic words of the copy's size", Rule(atomic([] { SetAtomicAdd<int32_t>(); })).empty());
    Expect("atomic-type: half words and a copy of words",
           Rule(atomic([] { SetAtomicAdd<int16_t>(); })) == "atomic-type");
}

}  // namespace

int main() {
    Blocks();
    PadsIn<uint8_t>("uint8_t");
    PadsIn<half>("half");
    PadsIn<float>("float");
    PadsIn<int64_t>("int64_t");
    PadsOut<uint8_t>("uint8_t");
    PadsOut<half>("half");
    PadsOut<float>("float");
    PadsOut<int64_t>("int64_t");
    Atomics<float>("float");
    Atomics<half>("half");
    Atomics<bfloat16_t>("bfloat16_t");
    Atomics<int32_t>("int32_t");
    Atomics<int16_t>("int16_t");
    Atomics<int8_t>("int8_t");
    Fills<float>("float");
    Fills<half>("half");
    Fills<int32_t>("int32_t");
    Limits();
    return Finish();
}
