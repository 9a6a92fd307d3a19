// What the vendor's tests of its parameter checker find around them: a check of a call is the call itself, which the
// twin takes or refuses. Of each it is told `K <interface>\t<parameters>\t<rule, or nothing>\t<what the twin said>`.
#ifndef CONFORMANCE_LEGALITY_H
#define CONFORMANCE_LEGALITY_H

#include "basic_tests.h"

namespace stand_in {

/// The calls are kernels of their own, so the test's body is none.
inline const bool plain = (around = nullptr, true);
/// A number, an enumerator or the address of a list, which is shown as one.
struct Word {
    uint64_t bits;
    std::string shown;
    template <typename T>
    Word(T value) {
        if constexpr (std::is_pointer_v<T>) bits = reinterpret_cast<uint64_t>(value), shown = "list";
        else bits = static_cast<uint64_t>(value), shown = std::to_string(bits);
    }
};
/// Parameters of a check in the order that the test gives them in.
struct Words {
    std::vector<uint64_t> all;
    std::string shown;
    AscendC::TransposeType transposeType = AscendC::TransposeType::TRANSPOSE_TYPE_NONE;
    template <typename A, typename B, typename... More>
    Words(A a, B b, More... more) {
        for (const Word& word : {Word(a), Word(b), Word(more)...})
            all.push_back(word.bits), shown += (shown.empty() ? "" : ",") + word.shown;
    }
    uint64_t operator[](size_t at) const { return all.at(at); }
    uint8_t byte(size_t at) const { return static_cast<uint8_t>(all.at(at)); }
};

struct Told {
    std::string rule, message;
};

/// Memory of its own in the kernel's TPipe.
template <AscendC::TPosition position>
twin::Local NewBuffer(AscendC::TPipe& pipe, uint32_t bytes) {
    AscendC::TBuf<position> buffer;
    pipe.InitBuffer(buffer, bytes);
    return buffer.template Get<uint8_t>();
}
inline twin::Local NewBuffer(AscendC::TPipe& pipe, uint32_t bytes, uint64_t position) {
    using AscendC::TPosition;
    switch (static_cast<TPosition>(position)) {
        case TPosition::A1: return NewBuffer<TPosition::A1>(pipe, bytes);
        case TPosition::B1: return NewBuffer<TPosition::B1>(pipe, bytes);
        case TPosition::A2: return NewBuffer<TPosition::A2>(pipe, bytes);
        case TPosition::VECCALC: return NewBuffer<TPosition::VECCALC>(pipe, bytes);
        default: twin::Fail({"wrong-position", -1, "", "", "no test has a tensor there", ""});
    }
}

/// One call in a kernel. Tests place every tensor at the start of its memory and their checker does not look at
/// overlaps, so each has a buffer of its own here and stands as far from the buffer's start as its address says.
class Call {
public:
    Call(std::string name, const Words& words, const std::vector<uint64_t>& mask)
        : name(std::move(name)), p(words), mask(mask) {}
    const std::string name;
    const Words& p;
    const std::vector<uint64_t>& mask;
    uint64_t bits[2] = {mask.empty() ? 0 : mask[0], mask.size() > 1 ? mask[1] : 0};

    /// Filled with zeros: the checker does not look at values, and the twin lets no kernel read what nobody wrote.
    template <typename T>
    AscendC::LocalTensor<T> Tensor(uint64_t address, uint64_t bytes, uint64_t position) {
        const auto offset = static_cast<uint32_t>(address % 32), all = static_cast<uint32_t>(offset + bytes);
        const AscendC::LocalTensor<uint8_t> whole(NewBuffer(*pipe, all, position));
        if (position == static_cast<uint64_t>(AscendC::TPosition::VECCALC))
            AscendC::Duplicate(whole.ReinterpretCast<uint16_t>(), uint16_t(0), static_cast<int32_t>((all + 1) / 2));
        AscendC::PipeBarrier<PIPE_ALL>();
        return whole[offset].template ReinterpretCast<T>();
    }
    /// The i-th of n tensors whose addresses come first, and whose sizes and positions stand side by side.
    template <typename T>
    AscendC::LocalTensor<T> At(size_t i, size_t n, size_t sizes) {
        return Tensor<T>(p[i], p[sizes + i], p[sizes + n + i]);
    }
    template <typename T>
    AscendC::GlobalTensor<T> Gm(uint64_t address) const {
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<T*>(gm + address));
        return tensor;
    }
    [[noreturn]] static void Refuse(const char* rule, const char* message) {
        twin::Fail({rule, -1, "", "", message, ""});
    }

    static constexpr size_t kGmBytes = 1 << 20;
    uint8_t* gm = nullptr;
    AscendC::TPipe* pipe = nullptr;
};

inline Call* running = nullptr;
inline void (*calling)(Call&) = nullptr;
inline void EnterCall(uint8_t** args) {
    AscendC::TPipe pipe;
    running->pipe = &pipe;
    running->gm = args[0];
    calling(*running);
}

/// Whether the twin takes the call.
inline bool Takes(const std::string& name, const Words& words, const std::vector<uint64_t>& mask, void (*call)(Call&)) {
    Call one(name, words, mask);
    running = &one;
    calling = call;
    twin::onViolation = [](const twin::Violation& v) { throw Told{v.rule, v.message}; };
    std::vector<uint8_t> gm(Call::kGmBytes);
    Told told;
    try {
        twin::Launch({1, 0, false, {{"gm", twin::Role::kInOut, gm.data(), gm.size()}}}, EnterCall);
    } catch (const Told& refused) { told = refused; }
    std::printf("K %s\t%s\t%s\t%s\n", name.c_str(), words.shown.c_str(), told.rule.c_str(), told.message.c_str());
    std::fflush(stdout);
    return told.rule.empty();
}

inline AscendC::BinaryRepeatParams BinaryStrides(const Call& c) {
    return {c.p.byte(4), c.p.byte(5), c.p.byte(6), c.p.byte(7), c.p.byte(8), c.p.byte(9)};
}
/// Of two tensors that every function of its kind may stand for, addition does.
inline void Binary(Call& c) {
    const size_t sizes = c.p.all.size() == 13 ? 6 : 13;
    const auto dst = c.At<half>(0, 3, sizes), a = c.At<half>(1, 3, sizes), b = c.At<half>(2, 3, sizes);
    const auto flags = dst.ReinterpretCast<uint8_t>();
    const bool compares = c.name != "test_intri";
    const auto less = AscendC::CMPMODE::LT;
    if (sizes == 6 && compares) AscendC::Compare(flags, a, b, less, static_cast<uint32_t>(c.p[12]));
    else if (sizes == 6) AscendC::Add(dst, a, b, static_cast<int32_t>(c.p[12]));
    else if (compares) AscendC::Compare(flags, a, b, less, c.bits, c.p.byte(3), BinaryStrides(c));
    else AscendC::Add(dst, a, b, c.bits, c.p.byte(3), BinaryStrides(c));
}
inline void BinaryScalar(Call& c) {
    const bool counted = c.p.all.size() == 9;
    const size_t sizes = counted ? 4 : 9;
    const auto dst = c.At<half>(0, 2, sizes), src = c.At<half>(1, 2, sizes);
    if (counted) AscendC::Adds(dst, src, half(1), static_cast<int32_t>(c.p[8]));
    else
        AscendC::Adds(dst, src, half(1), c.bits, c.p.byte(2),
                      AscendC::UnaryRepeatParams(c.p.byte(3), c.p.byte(4), c.p.byte(5), c.p.byte(6)));
}
inline void CopyCall(Call& c) {
    const auto dst = c.At<uint16_t>(0, 2, 9), src = c.At<uint16_t>(1, 2, 9);
    const AscendC::CopyRepeatParams strides(c.p[3], c.p[4], c.p[5], c.p[6]);
    if (c.mask.size() == 2) AscendC::Copy(dst, src, c.bits, c.p.byte(2), strides);
    else AscendC::Copy(dst, src, c.mask[0], c.p.byte(2), strides);
}
inline void Slices(Call& c) {
    const auto ub = c.Tensor<uint32_t>(c.p[0], c.p[4], c.p[5]);
    const auto gm = c.Gm<uint32_t>(0);
    const auto* dst = reinterpret_cast<const AscendC::SliceInfo*>(c.p[9]);
    const auto* src = reinterpret_cast<const AscendC::SliceInfo*>(c.p[10]);
    if (c.p[11] != 0) AscendC::DataCopy(ub, gm, dst, src, static_cast<uint32_t>(c.p[6]));
    else AscendC::DataCopy(gm, ub, dst, src, static_cast<uint32_t>(c.p[6]));
}
/// The test names memories, not positions, and no sizes: the tensor has all of its memory.
inline void DataCopyCall(Call& c) {
    const auto gm = c.Gm<float>(c.p[0]);
    const AscendC::LocalTensor<float> ub(AscendC::TPosition::VECCALC, static_cast<uint32_t>(c.p[1]), 1024);
    AscendC::DataCopy(gm, ub, AscendC::DataCopyParams(c.p[6], c.p[7], c.p[8], c.p[9]));
}
inline void MmadCall(Call&) {
    static_assert(!AscendC::twin_detail::canMultiply<half, half, half>);
    Call::Refuse("type", "Mmad of half and half gives float and not half");
}
inline void Duplicates(Call& c) {
    const bool counted = c.p.all.size() == 5;
    const auto dst = c.At<uint16_t>(0, 1, counted ? 2 : 5);
    if (counted) AscendC::Duplicate(dst, uint16_t(1), static_cast<int32_t>(c.p[4]));
    else AscendC::Duplicate(dst, uint16_t(1), c.mask[0], c.p.byte(1), c.p[2], c.p[3]);
}
inline void Broadcast(Call& c) {
    const auto dst = c.At<uint16_t>(0, 2, 7), src = c.At<uint16_t>(1, 2, 7);
    AscendC::Brcb(dst, src, c.p.byte(2), AscendC::BrcbRepeatParams(c.p[3], c.p[4]));
}
inline void GatherBlocks(Call& c) {
    const auto dst = c.At<uint16_t>(0, 3, 9), src = c.At<uint16_t>(1, 3, 9);
    AscendC::Gatherb(dst, src, c.At<uint32_t>(2, 3, 9), c.p.byte(3), AscendC::GatherRepeatParams(c.p[4], c.p[5]));
}
inline void Proposals(Call& c) {
    const bool merges = c.p.all.size() == 12;
    const size_t n = merges ? 2 : 3, sizes = merges ? 5 : 7;
    // The tests of MrgSort state one list of the four; the others are like it.
    const auto src = c.At<float>(1, n, sizes), like1 = c.At<float>(1, n, sizes), like2 = c.At<float>(1, n, sizes),
               like3 = c.At<float>(1, n, sizes), dst = c.At<float>(0, n, sizes);
    const auto repeat = static_cast<int32_t>(c.p[n]);
    if (c.name == "Sort32") return AscendC::Sort32(dst, src, c.At<uint32_t>(2, n, sizes), repeat);
    if (c.name == "ProposalConcat") return AscendC::ProposalConcat(dst, src, repeat, 0);
    if (c.name == "ProposalExtract") return AscendC::ProposalExtract(dst, src, repeat, 0);
    if (c.name == "RpSort16") return AscendC::RpSort16(dst, src, repeat);
    const AscendC::MrgSortSrcList<float> lists(src, like1, like2, like3);
    const auto* lengths = reinterpret_cast<const uint16_t*>(c.p[10]);
    const AscendC::MrgSort4Info info(lengths, false, c.p[9], repeat);
    if (c.name == "MrgSort4") AscendC::MrgSort4(dst, lists, info);
    else AscendC::MrgSort(dst, lists, info);
}
/// Forms of two types do not compile.
inline void CheckTypes(const Call& c, size_t first, size_t second) {
    const auto takes = [](auto d, auto s) -> decltype(AscendC::WholeReduceSum(d, s, 128, 1, 1, 1, 8)) {};
    const auto extreme = [](auto d, auto s) -> decltype(AscendC::WholeReduceMax(d, s, 128, 1, 1, 1, 8)) {};
    const auto sums = [](auto d, auto s) -> decltype(AscendC::ReduceSum(d, s, s, 1)) {};
    using To = AscendC::LocalTensor<float>;
    using From = AscendC::LocalTensor<half>;
    static_assert(!std::is_invocable_v<decltype(takes), To, From> && !std::is_invocable_v<decltype(sums), From, To> &&
                  !std::is_invocable_v<decltype(extreme), To, From>);
    if (c.p[first] != c.p[second]) Call::Refuse("type", "source and result of a reduction are of one type");
}
/// 9 parameters: a sum without work memory. 14 of a sum and 15 of an extreme: with a mask, when there is one, or by a
/// count, which then stands before the choice of an index.
inline void Reduce(Call& c) {
    const bool bare = c.p.all.size() == 9, sum = c.name == "ReduceSum", masked = !c.mask.empty();
    CheckTypes(c, bare ? 2 : 3, bare ? 3 : 4);
    const size_t sizes = masked ? (sum ? 7 : 8) : (sum ? 8 : 9);
    const auto dst = c.At<half>(0, 3, sizes), src = c.At<half>(1, 3, sizes), work = c.At<half>(2, 3, sizes);
    const auto repeat = static_cast<int32_t>(c.p[6]), count = static_cast<int32_t>(c.p[7]);
    const bool index = !sum && c.p[masked ? 7 : 8] != 0;
    const auto lanes = masked ? static_cast<int32_t>(c.mask[0]) : 0, stride = static_cast<int32_t>(c.p.all.back());
    if (sum && masked) AscendC::ReduceSum(dst, src, work, lanes, repeat, stride);
    else if (sum) AscendC::ReduceSum(dst, src, work, count);
    else if (c.name == "ReduceMax" && masked) AscendC::ReduceMax(dst, src, work, lanes, repeat, stride, index);
    else if (c.name == "ReduceMax") AscendC::ReduceMax(dst, src, work, count, index);
    else if (masked) AscendC::ReduceMin(dst, src, work, lanes, repeat, stride, index);
    else AscendC::ReduceMin(dst, src, work, count, index);
}
/// 12 parameters; 13 with what a result is made of.
template <typename T>
void ReduceEach(Call& c) {
    CheckTypes(c, 2, 3);
    const bool ordered = c.p.all.size() == 13;
    const size_t sizes = ordered ? 9 : 8;
    const auto order = ordered ? static_cast<AscendC::ReduceOrder>(c.p[8]) : AscendC::ReduceOrder::ORDER_VALUE_INDEX;
    const auto dst = c.At<T>(0, 2, sizes), src = c.At<T>(1, 2, sizes);
    const auto m = static_cast<int32_t>(c.mask.empty() ? 256 / sizeof(T) : c.mask[0]);
    const auto repeat = static_cast<int32_t>(c.p.byte(4)), to = static_cast<int32_t>(c.p[5]),
               block = static_cast<int32_t>(c.p[6]), from = static_cast<int32_t>(c.p[7]);
    if (c.name == "WholeReduceSum") AscendC::WholeReduceSum(dst, src, m, repeat, to, block, from);
    else if (c.name == "WholeReduceMax") AscendC::WholeReduceMax(dst, src, m, repeat, to, block, from, order);
    else if (c.name == "WholeReduceMin") AscendC::WholeReduceMin(dst, src, m, repeat, to, block, from, order);
    else if (c.name == "BlockReduceSum") AscendC::BlockReduceSum(dst, src, repeat, m, to, block, from);
    else if (c.name == "BlockReduceMax") AscendC::BlockReduceMax(dst, src, repeat, m, to, block, from);
    else if (c.name == "BlockReduceMin") AscendC::BlockReduceMin(dst, src, repeat, m, to, block, from);
    else AscendC::PairReduceSum(dst, src, repeat, m, to, block, from);
}
inline void ReduceOther(Call& c) { c.p[3] == 4 ? ReduceEach<float>(c) : ReduceEach<half>(c); }
inline void TransposeCall(Call& c) {
    const auto dst = c.At<uint16_t>(0, 2, 7), src = c.At<uint16_t>(1, 2, 7);
    AscendC::Transpose(dst, src, c.Tensor<uint8_t>(0, 1024, 11), {0, 0, 16, 16, c.p.transposeType});
}
inline void NotDeclared(Call&) { Call::Refuse("unsupported-api", "Atlas A2 has no such instruction"); }

}  // namespace stand_in

namespace AscendC {

struct ConstDefiner {
    static ConstDefiner& Instance() {
        static ConstDefiner instance;
        return instance;
    }
    uint8_t* GetHardwareBaseAddr(Hardware) const { return nullptr; }
};
struct MaskSetter {
    static MaskSetter& Instance() {
        static MaskSetter instance;
        return instance;
    }
    void SetMask(bool) {}
};

namespace check {

/// Every way to check is the one call; the parameters say which of its forms.
class Check {
public:
    Check(std::string name, const stand_in::Words& words, void (*call)(stand_in::Call&))
        : name_(std::move(name)), words_(words), call_(call) {}
    bool CheckAllLowLevel(const std::vector<stand_in::Word>& mask = {}) const {
        std::vector<uint64_t> lanes;
        for (const auto& word : mask) lanes.push_back(word.bits);
        return stand_in::Takes(name_, words_, lanes, call_);
    }
    bool CheckAllHighLevel() const { return CheckAllLowLevel(); }
    bool CheckAllHighLevelMode2() const { return CheckAllLowLevel(); }
    bool CheckAddrAlign() const { return CheckAllLowLevel(); }

private:
    std::string name_;
    stand_in::Words words_;
    void (*call_)(stand_in::Call&);
};

#define STAND_IN_CHECKED(Checked, Class, Function)                                          \
    struct Checked##ApiParams : stand_in::Words {                                                  \
        using Words::Words;                                                                        \
    };                                                                                             \
    struct Tikcpp##Class##Check : Check {                                                          \
        Tikcpp##Class##Check(std::string name, const Checked##ApiParams& parameters)               \
            : Check(std::move(name), parameters, stand_in::Function) {}        \
    };
STAND_IN_CHECKED(VecBinary, VecBinary, Binary)
STAND_IN_CHECKED(VecBinaryScalar, VecBinaryScalar, BinaryScalar)
STAND_IN_CHECKED(Copy, Copy, CopyCall)
STAND_IN_CHECKED(DataCopySlice, DataCopySlice, Slices)
STAND_IN_CHECKED(DataCopy, DataCopy, DataCopyCall)
STAND_IN_CHECKED(Mmad, Mmad, MmadCall)
STAND_IN_CHECKED(VecDup, VecDup, Duplicates)
STAND_IN_CHECKED(VecBroadCast, VecBroadCast, Broadcast)
STAND_IN_CHECKED(VecGather, VecGatherb, GatherBlocks)
STAND_IN_CHECKED(VecProposal, VecProposal, Proposals)
STAND_IN_CHECKED(VecReduce, VecReduce, Reduce)
STAND_IN_CHECKED(VecReduceWhl, VecReduceOtherWhl, ReduceOther)
STAND_IN_CHECKED(VecTranspose, VecTranspose, TransposeCall)
STAND_IN_CHECKED(VecBroadCastToMM, BroadCastToMM, NotDeclared)
struct TikcppVecReduceOtherCheck : Check {
    TikcppVecReduceOtherCheck(std::string name, const VecReduceApiParams& parameters)
        : Check(std::move(name), parameters, stand_in::ReduceOther) {}
};

inline bool CheckFuncCopyImpl(const CopyApiParams& p, uint64_t mask, const char* name) {
    return TikcppCopyCheck(name, p).CheckAllLowLevel({mask});
}
inline bool CheckFuncCopyImplForMaskArray(const CopyApiParams& p, const uint64_t mask[], const char* name) {
    return TikcppCopyCheck(name, p).CheckAllLowLevel({mask[0], mask[1]});
}
inline bool CheckFuncDataCopySliceImpl(const DataCopySliceApiParams& p, const char* name) {
    return TikcppDataCopySliceCheck(name, p).CheckAllLowLevel();
}
inline bool CheckFuncDataCopyImpl(const DataCopyApiParams& p, const char* name) {
    return TikcppDataCopyCheck(name, p).CheckAllLowLevel();
}
inline bool CheckFuncBroadCastToMMImpl(const VecBroadCastToMMApiParams& p, const char* name) {
    return TikcppBroadCastToMMCheck(name, p).CheckAllHighLevel();
}
inline bool CheckFunReduceOtherWhlImpl(const VecReduceWhlApiParams& p, uint64_t mask, const char* name) {
    return TikcppVecReduceOtherWhlCheck(name, p).CheckAllLowLevel({mask});
}

}  // namespace check
}  // namespace AscendC

#undef EXPECT_EQ
#define EXPECT_EQ(a, b) STAND_IN_EXPECT((a) == (b))

#endif
