// A count, a length or a number of repeats of 0 does nothing, whatever the operands are; 1 does the least.
#include "pieces.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/reduce_axes.h"
#include "twin/sort.h"
#include "twin/vec_fused_cast.h"
#include "twin/vec_sort.h"

using namespace AscendC;

namespace {

using twin::Global;
using twin::Local;
using twin::Mask;
using twin::Op;
using twin::Strides;
using twin::Type;
constexpr Type H = Type::kHalf, F = Type::kFloat, I = Type::kInt32;
constexpr Strides kPlain{1, 1, 1, 8, 8, 8};
const Mask kAll{Mask::kCount, 64, 0};

/// A call with a count; its operands have no memory.
void Nothing(const std::string& name, const std::function<void(const Local&, const Global&)>& call) {
    const std::string rule = RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        call(Local(), Global());
    });
    Expect(name + " of nothing", rule.empty(), rule + ": " + told_.message);
}

/// Reductions by repeats of which no lane takes part leave their results alone.
void NoLane() {
    using twin::ReduceOrder;
    const Mask none{Mask::kBits, 0, 0};
    const auto is = [](const std::string& name, const std::function<void(const Local&, const Local&)>& call) {
        Pieces p;
        const size_t dst = p.Put(TPosition::VECCALC, std::vector<float>(64, 7.0f)),
                     src = p.Put(TPosition::VECCALC, std::vector<float>(128, 3.0f));
        const std::string wrong = p.Wrong([&](Pieces& u) { call(u.At<float>(dst), u.At<float>(src)); });
        Expect(name + " without a lane", wrong.empty(), wrong);
    };
    for (const auto kind : {ReduceType::REDUCE_SUM, ReduceType::REDUCE_MAX, ReduceType::REDUCE_MIN}) {
        const std::string of = " of kind " + std::to_string(static_cast<int>(kind));
        for (const auto order : {ReduceOrder::ORDER_ONLY_VALUE, ReduceOrder::ORDER_ONLY_INDEX,
                                 ReduceOrder::ORDER_VALUE_INDEX, ReduceOrder::ORDER_INDEX_VALUE})
            is("a reduction of repeats" + of + " in order " + std::to_string(static_cast<int>(order)),
               [=](auto& t, auto& x) { twin::ReduceRepeats("WholeReduce", kind, F, t, x, none, 2, 1, 1, 8, order); });
        is("a reduction of blocks" + of,
           [=](auto& t, auto& x) { twin::ReduceBlocks("BlockReduce", kind, F, t, x, none, 2, 1, 1, 8); });
    }
    is("PairReduceSum", [=](auto& t, auto& x) { twin::ReducePairs("PairReduceSum", F, t, x, none, 2, 1, 1, 8); });
    is("Adds",
       [=](auto& t, auto& x) { twin::VectorRepeat("Adds", Op::kAdds, F, F, t, &x, nullptr, 1, none, 2, kPlain); });
}

void Counts() {
    Nothing("Adds", [](auto& t, auto&) { twin::Vector("Adds", Op::kAdds, F, F, t, &t, nullptr, 1, 0); });
    Nothing("Adds by repeats",
            [](auto& t, auto&) { twin::VectorRepeat("Adds", Op::kAdds, F, F, t, &t, nullptr, 1, kAll, 0, kPlain); });
    Nothing("Sign", [](auto& t, auto&) { twin::MathUnary("Sign", Op::kSign, F, t, t, nullptr, 0); });
    Nothing("Power", [](auto& t, auto&) { twin::MathBinary("Power", Op::kPower, F, t, t, &t, 0, &t, 0); });
    Nothing("Cast", [](auto& t, auto&) { twin::CastCount(H, F, t, t, RoundMode::CAST_RINT, 0); });
    Nothing("Cast of 4 bits", [](auto& t, auto&) { twin::CastCount(Type::kInt4, H, t, t, RoundMode::CAST_RINT, 0); });
    Nothing("Compare", [](auto& t, auto&) { twin::CompareCount("Compare", F, t, t, &t, 0, CMPMODE::LT, 0); });
    Nothing("Compare by repeats",
            [](auto& t, auto&) { twin::CompareRepeat("Compare", F, t, t, &t, 0, CMPMODE::LT, 0, kPlain); });
    Nothing("Select",
            [](auto& t, auto&) { twin::SelectCount(F, t, t, t, &t, 0, SELMODE::VSEL_TENSOR_TENSOR_MODE, 0); });
    Nothing("WholeReduceSum", [](auto& t, auto&) {
        twin::ReduceRepeats("WholeReduceSum", ReduceType::REDUCE_SUM, F, t, t, kAll, 0, 1, 1, 8,
                            ReduceOrder::ORDER_VALUE_INDEX);
    });
    Nothing("BlockReduceSum", [](auto& t, auto&) {
        twin::ReduceBlocks("BlockReduceSum", ReduceType::REDUCE_SUM, F, t, t, kAll, 0, 1, 1, 8);
    });
    Nothing("PairReduceSum", [](auto& t, auto&) { twin::ReducePairs("PairReduceSum", F, t, t, kAll, 0, 1, 1, 8); });
    Nothing("Brcb", [](auto& t, auto&) { twin::BrcbRepeat(4, t, t, 0, 1, 8); });
    Nothing("Gather", [](auto& t, auto&) { twin::GatherCount(4, t, t, t, 0, 0); });
    Nothing("Gather by repeats", [](auto& t, auto&) { twin::GatherRepeat(4, t, t, t, 0, kAll, 0, 8); });
    Nothing("Gatherb", [](auto& t, auto&) { twin::GatherBlocks(4, t, t, t, 0, 1, 8); });
    Nothing("ArithProgression", [](auto& t, auto&) { twin::FillIndex("ArithProgression", F, t, 0, 1, 0); });
    Nothing("CreateVecIndex", [](auto& t, auto&) { twin::FillIndexRepeat(F, t, 0, kAll, 0, 1, 8); });
    Nothing("Sort32", [](auto& t, auto&) { twin::SortBlocks(F, t, t, t, 0); });
    Nothing("Extract", [](auto& t, auto&) { twin::SplitRecords(F, t, t, t, 0); });
    Nothing("a fused cast",
            [](auto& t, auto&) { twin::FusedCastCount("AddReluCast", twin::FusedCast::kAddRelu, H, F, t, t, t, 0); });
    Nothing("temporary memory", [](auto& t, auto&) { twin::UseAtLeast("Power", &t, 0); });
    Nothing("ReduceXorSum", [](auto& t, auto&) { twin::XorSum(t, t, t, 0); });
}

void Copies() {
    for (const DataCopyParams& p : {DataCopyParams(0, 1, 0, 0), DataCopyParams(1, 0, 0, 0)}) {
        const std::string of = p.blockCount == 0 ? ", no block" : ", no length";
        Nothing("DataCopy in" + of, [=](auto& t, auto& g) { twin::CopyIn(t, g, 4, p); });
        Nothing("DataCopy out" + of, [=](auto& t, auto& g) { twin::CopyOut(g, t, F, 4, p); });
        Nothing("DataCopy in UB" + of, [=](auto& t, auto&) { twin::CopyLocal(t, t, 4, p); });
        const twin::CopyShape s{p.blockCount, p.blockLen * 32u, 0, 0};
        Nothing("DataCopyPad in" + of, [=](auto& t, auto& g) { twin::CopyInPad(t, g, 4, s, {false, 0, 0, 0}); });
        Nothing("DataCopyPad out" + of, [=](auto& t, auto& g) { twin::CopyOutPad(g, t, F, 4, s); });
    }
    Nothing("DataCopy in by count", [](auto& t, auto& g) { twin::CopyIn(t, g, 4, uint64_t{0}); });
    Nothing("DataCopy in UB by count", [](auto& t, auto&) { twin::CopyLocal(t, t, 4, uint64_t{0}); });
    Nothing("DataCopy out by count", [](auto& t, auto& g) { twin::CopyOut(g, t, F, 4, uint64_t{0}); });
    Nothing("Fill of GM", [](auto&, auto& g) { twin::FillGlobal(g, 4, 0, 7, I); });
}

/// The least of each: one element, one block.
void Least() {
    const auto one = [](const std::string& name, uint32_t bytes,
                        const std::function<void(Pieces&, size_t, size_t)>& call) {
        Pieces p;
        const size_t to = p.Put(TPosition::VECCALC, std::vector<float>(8, 9.0f)),
                     from = p.Put(TPosition::VECCALC, std::vector<float>(8, 9.0f));
        p.Any(to);
        p.Any(from);
        const auto wrong = p.Wrong([&](Pieces& u) { call(u, to, from); });
        Expect(name + " breaks no rule", wrong.empty(), wrong);
        p.Hide(to, 0, 32);
        const std::string known = p.Known(
            to, [&](Pieces& u) { call(u, to, from); }, 0, 32);
        Expect(name + " writes " + std::to_string(bytes) + " bytes",
               known == std::string(bytes, '1') + std::string(32 - bytes, '0'), known);
    };
    const auto t = [](Pieces& u, size_t piece) -> Local { return u.At<uint8_t>(piece); };
    one("Adds of one", 4, [=](auto& u, size_t to, size_t from) {
        const Local x = t(u, from);
        twin::Vector("Adds", Op::kAdds, F, F, t(u, to), &x, nullptr, 1, 1);
    });
    one("Adds of seven", 28, [=](auto& u, size_t to, size_t from) {
        const Local x = t(u, from);
        twin::Vector("Adds", Op::kAdds, F, F, t(u, to), &x, nullptr, 1, 7);
    });
    one("Cast of one", 4,
        [=](auto& u, size_t to, size_t from) { twin::CastCount(I, F, t(u, to), t(u, from), RoundMode::CAST_RINT, 1); });
    one("Cast of 4 bits", 1, [=](auto& u, size_t to, size_t from) {
        twin::CastCount(Type::kInt4, H, t(u, to), t(u, from), RoundMode::CAST_RINT, 2);
    });
    one("Cast of six of 4 bits", 3, [=](auto& u, size_t to, size_t from) {
        twin::CastCount(Type::kInt4, H, t(u, to), t(u, from), RoundMode::CAST_RINT, 6);
    });
    one("Cast from 4 bits", 8, [=](auto& u, size_t to, size_t from) {
        twin::CastCount(H, Type::kInt4, t(u, to), t(u, from), RoundMode::CAST_NONE, 4);
    });
    one("ArithProgression of one", 4,
        [=](auto& u, size_t to, size_t) { twin::FillIndex("ArithProgression", F, t(u, to), 3, 1, 1); });
    one("Gather of one", 4, [=](auto& u, size_t to, size_t from) {
        const Local offsets = u.template At<uint8_t>(from);
        u.template At<uint32_t>(from).SetValue(0, 4);
        twin::GatherCount(4, t(u, to), t(u, from), offsets, 0, 1);
    });
    one("DataCopy in UB of a block", 32,
        [=](auto& u, size_t to, size_t from) { twin::CopyLocal(t(u, to), t(u, from), 4, uint64_t{8}); });
    one("ReduceXorSum of one", 2,
        [=](auto& u, size_t to, size_t from) { twin::XorSum(t(u, to), t(u, from), t(u, from), 1); });
    one("AddReluCast of one", 2, [=](auto& u, size_t to, size_t from) {
        twin::FusedCastCount("AddReluCast", twin::FusedCast::kAddRelu, H, F, t(u, to), t(u, from), t(u, from), 1);
    });
    one("Sum of a row of one", 4, [=](auto& u, size_t to, size_t from) {
        twin::SumRows("Sum", F, t(u, to), t(u, from), 1, 8, 1, {nullptr, false, 4});
    });
}

/// Counts that are none.
void Wrong() {
    const auto said = [](const std::string& name, const std::string& expected,
                         const std::function<void(const Local&)>& call) {
        Pieces p;
        const size_t x = p.Put(TPosition::VECCALC, std::vector<float>(64, 1.0f));
        const std::string rule = p.Rule([&](Pieces& u) { call(u.At<uint8_t>(x)); });
        const std::string seen = rule.empty() ? "" : rule + ": " + told_.message;
        Expect(name, seen == expected, seen);
    };
    said("Adds of less than nothing", "count-limit: count -1 of Adds",
         [](auto& t) { twin::Vector("Adds", Op::kAdds, F, F, t, &t, nullptr, 1, -1); });
    said("ReduceSum of less than nothing", "count-limit: count -1 of ReduceSum",
         [](auto& t) { twin::ReduceCount("ReduceSum", ReduceType::REDUCE_SUM, F, t, t, t, -1, false); });
    for (const int64_t count : {-2, 3, 2 * 192 * 1024 + 2})
        said("Cast of " + std::to_string(count) + " of 4 bits",
             "count-limit: count " + std::to_string(count) + " of Cast with int4b_t",
             [=](auto& t) { twin::CastCount(Type::kInt4, H, t, t, RoundMode::CAST_RINT, count); });
    said("Adds of more than UB", "count-limit: count 196609 of Adds",
         [](auto& t) { twin::Vector("Adds", Op::kAdds, F, F, t, &t, nullptr, 1, 196609); });
    said("a pair shared by a mask",
         "mask-limit: the mask of Cast with int4b_t takes one of elements 2 and 3, which share a byte", [](auto& t) {
             Local far = t;
             far.data += 128;
             twin::CastRepeat(Type::kInt4, H, far, t, RoundMode::CAST_RINT, {Mask::kBits, 0x7, 0}, 1,
                              {1, 1, 1, 2, 8, 8});
         });
}

}  // namespace

int main() {
    NoLane();
    Counts();
    Copies();
    Least();
    Wrong();
    return Finish();
}
