// UB as one piece of memory with values in it, read back whole: what an instruction leaves alone shows too.
#ifndef TWIN_TEST_ON_UB_H
#define TWIN_TEST_ON_UB_H

#include "chance.h"
#include "expect.h"

class Ub {
public:
    /// Values that stand in UB before; the tensor's number. The memory of each is a multiple of 32 bytes.
    template <typename T>
    size_t Put(const std::vector<T>& values) {
        const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
        starts_.push_back(before_.size());
        before_.insert(before_.end(), bytes, bytes + values.size() * sizeof(T));
        before_.resize((before_.size() + 31) / 32 * 32, 0x5a);
        after_ = before_;
        return starts_.size() - 1;
    }
    template <typename T>
    AscendC::LocalTensor<T> At(size_t tensor) const {
        return memory_[static_cast<uint32_t>(starts_[tensor])].template ReinterpretCast<T>();
    }
    /// What the tensor must hold afterwards; all others keep their values.
    template <typename T>
    void Then(size_t tensor, const std::vector<T>& values) {
        std::memcpy(after_.data() + starts_[tensor], values.data(), values.size() * sizeof(T));
    }
    /// Values that stand in GM before, in an argument that the kernel writes to.
    template <typename T>
    void Store(const std::vector<T>& values) {
        stored_.resize(values.size() * sizeof(T));
        std::memcpy(stored_.data(), values.data(), stored_.size());
        afterStore_ = stored_;
    }
    template <typename T>
    void ThenStored(const std::vector<T>& values) {
        std::memcpy(afterStore_.data(), values.data(), values.size() * sizeof(T));
    }
    /// The values of a tensor as they lie in GM, and the argument that the kernel writes to.
    template <typename T>
    AscendC::GlobalTensor<T> Source(size_t tensor) const {
        return InGm<T>(gm_[0] + starts_[tensor]);
    }
    template <typename T>
    AscendC::GlobalTensor<T> Target() const {
        return InGm<T>(gm_[2]);
    }
    /// Runs the kernel: what is wrong with it or with the memory, "" when nothing.
    std::string Wrong(const std::function<void(Ub&)>& kernel) {
        std::vector<uint8_t> seen(before_.size());
        std::vector<twin::GmArg> args = {{"in", twin::Role::kInput, before_.data(), before_.size()},
                                         {"out", twin::Role::kOutput, seen.data(), seen.size()}};
        if (!stored_.empty()) args.push_back({"stored", twin::Role::kInOut, stored_.data(), stored_.size()});
        const std::string rule = RuleBroken(args, [&](uint8_t** gm) { Kernel(gm, kernel); });
        if (!rule.empty()) return "broke " + rule + ": " + told_.message;
        seen_ = seen;
        for (size_t t = starts_.size(); t-- > 0;)
            for (size_t i = starts_[t]; i < (t + 1 < starts_.size() ? starts_[t + 1] : seen.size()); ++i)
                if (seen[i] != after_[i])
                    return "byte " + std::to_string(i - starts_[t]) + " of tensor " + std::to_string(t) + " is " +
                           std::to_string(seen[i]) + ", expected " + std::to_string(after_[i]);
        for (size_t i = 0; i < stored_.size(); ++i)
            if (stored_[i] != afterStore_[i])
                return "byte " + std::to_string(i) + " of GM is " + std::to_string(stored_[i]) + ", expected " +
                       std::to_string(afterStore_[i]);
        return "";
    }
    template <typename T>
    std::vector<T> Seen(size_t tensor, size_t count) const {
        std::vector<T> values(count);
        std::memcpy(values.data(), seen_.data() + starts_[tensor], count * sizeof(T));
        return values;
    }

private:
    template <typename T>
    static AscendC::GlobalTensor<T> InGm(uint8_t* address) {
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<T*>(address));
        return tensor;
    }
    void Kernel(uint8_t** gm, const std::function<void(Ub&)>& kernel) {
        gm_ = gm;
        AscendC::TPipe pipe;
        AscendC::TBuf<> first, all;
        pipe.InitBuffer(first, 32);  // no tensor lies at the first byte of UB, where address and offset are the same
        const auto bytes = static_cast<uint32_t>(before_.size());
        pipe.InitBuffer(all, bytes);
        memory_ = all.Get<uint8_t>();
        AscendC::DataCopy(memory_, InGm<uint8_t>(gm[0]), bytes);
        AscendC::PipeBarrier<PIPE_ALL>();
        kernel(*this);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(InGm<uint8_t>(gm[1]), memory_, bytes);
    }
    std::vector<size_t> starts_;
    std::vector<uint8_t> before_, after_, seen_, stored_, afterStore_;
    uint8_t** gm_ = nullptr;
    AscendC::LocalTensor<uint8_t> memory_;
};

/// One check over many cases of chance: each says what is wrong, "" when nothing.
inline void Always(const std::string& name, uint32_t cases, uint64_t seed,
                   const std::function<std::string(Chance&)>& one) {
    Chance chance(seed);
    for (uint32_t i = 0; i < cases; ++i) {
        const std::string wrong = one(chance);
        if (!wrong.empty()) return Expect(name, false, "case " + std::to_string(i) + ": " + wrong);
    }
    Expect(name, true);
}

/// Small numbers of a type, integers in it, so that sums and products of two are exact.
template <typename T>
std::vector<T> Some(Chance& chance, size_t count, int low = -20, int high = 20) {
    std::vector<T> values(count);
    const auto span = static_cast<uint32_t>(high - low);
    for (auto& v : values) v = static_cast<T>(static_cast<float>(static_cast<int>(chance.From(0, span)) + low));
    return values;
}

enum class Form { kCount, kFirst, kBits, kCounter };

/// Which lanes of which repeats an instruction takes, and where they lie.
template <typename T>
struct Strided {
    static constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
    Form form;
    uint32_t repeats, first;
    uint64_t bits[2];
    AscendC::BinaryRepeatParams strides;
    /// Enough for every source and destination below.
    static constexpr size_t kElements = 48 * kPerBlock;

    explicit Strided(Chance& c)
        : form(static_cast<Form>(c.From(0, 3))), repeats(c.From(1, 3)), first(c.From(1, kLanes)) {
        for (auto& word : bits) word = static_cast<uint64_t>(c.Bits()) << 32 | c.Bits();
        if (c.Coin()) bits[c.From(0, 1)] = c.Coin() ? 0xff00 : ~0ull;
        bits[0] |= 1;
        if (kLanes <= 64) bits[1] = 0;
        const auto stride = [&](uint32_t low, uint32_t high) { return static_cast<uint8_t>(c.From(low, high)); };
        const bool plain = c.From(0, 3) == 0;
        if (form == Form::kCount) return;
        strides = AscendC::BinaryRepeatParams(plain ? 1 : stride(1, 2), plain ? 1 : stride(0, 2),
                                              plain ? 1 : stride(0, 2), stride(8, 16), stride(0, 16), stride(0, 16));
    }
    /// Elements in all, of the forms that count them through the repeats.
    uint32_t total() const { return (repeats - 1) * kLanes + first; }
    bool Takes(uint32_t repeat, uint32_t lane) const {
        if (form == Form::kFirst) return lane < first;
        if (form == Form::kBits) return (bits[lane / 64] >> lane % 64 & 1) != 0;
        return repeat * kLanes + lane < total();
    }
    /// For each element: where it lies in the destination and in the sources, in elements.
    void Each(const std::function<void(uint32_t, uint32_t, uint32_t)>& visit) const {
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < kLanes; ++i) {
                const uint32_t block = i / kPerBlock, in = i % kPerBlock;
                if (!Takes(r, i)) continue;
                visit((r * strides.dstRepStride + block * strides.dstBlkStride) * kPerBlock + in,
                      (r * strides.src0RepStride + block * strides.src0BlkStride) * kPerBlock + in,
                      (r * strides.src1RepStride + block * strides.src1BlkStride) * kPerBlock + in);
            }
    }
    AscendC::UnaryRepeatParams unary() const {
        return {strides.dstBlkStride, strides.src0BlkStride, strides.dstRepStride, strides.src0RepStride};
    }
};

#endif
