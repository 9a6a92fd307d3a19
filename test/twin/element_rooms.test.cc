// Sorts, sums and elementwise functions take all of their operands' memory and not a byte beside it.
#include "rooms.h"

namespace {

void Sorts() {
    for (const Type t : {H, F}) {
        const std::string of = t == H ? " of half" : " of float";
        Room("Sort32" + of, {Out(F, 128), In(t, 64), In(I, 64)},
             [=](auto& x) { twin::SortBlocks(t, x[0], x[1], x[2], 2); });
        const auto merge = [=](auto& x, uint16_t bits, int repeats) {
            const Local* queues[4] = {&x[1], &x[2], &x[3 % x.size()], &x[4 % x.size()]};
            const uint16_t lengths[4] = {4, 8, 4, 8}, same[4] = {4, 4, 4, 4};
            twin::MergeSorted(t, x[0], queues, bits == 15 && repeats > 1 ? same : lengths, false, bits, repeats);
        };
        Room("MrgSort of two queues" + of, {Out(F, 24), In(F, 8), In(F, 16)}, [=](auto& x) { merge(x, 3, 1); });
        Room("MrgSort of three queues" + of, {Out(F, 32), In(F, 8), In(F, 16), In(F, 8)},
             [=](auto& x) { merge(x, 7, 1); });
        Room("MrgSort of four queues" + of, {Out(F, 48), In(F, 8), In(F, 16), In(F, 8), In(F, 16)},
             [=](auto& x) { merge(x, 15, 1); });
        Apart("MrgSort" + of, 96, 64, [=](Local dst, Local queue, Local rest) {
            const Local* queues[4] = {&rest, &queue, &rest, &rest};
            const uint16_t lengths[4] = {4, 8, 0, 0};
            twin::MergeSorted(t, dst, queues, lengths, false, 3, 1);
        });
        Room("Extract" + of, {Out(t, 32, 1, 1), Out(I, 32), Operand{F, 256, false, 8, SizeOf(t)}},
             [=](auto& x) { twin::SplitRecords(t, x[0], x[1], x[2], 32); });
        Room("Sort of 64 records" + of, {Out(F, 128), Out(F, 128)},
             [=](auto& x) { twin::MergeRecords(t, x[0], x[1], 64); });
        for (const bool small : {false, true}) {
            const int32_t inner = small ? 32 : 64, k = 16, rows = 2;
            Room(
                std::string(small ? "TopK of small rows" : "TopK") + of,
                {Out(t, rows * k), Out(I, rows * k), In(t, rows * inner)}, [=](auto& x) {
                    twin::TopKRows(t, {&x[0], &x[1], &x[2], nullptr, nullptr}, {rows, inner, inner, k, small, true}, k);
                });
            Room(std::string(small ? "TopK of small rows" : "TopK") + " with indices" + of,
                 {Out(t, rows * k), Out(I, rows * k), In(t, rows * inner), In(I, small ? rows * inner : inner),
                  In(B, 32)},
                 [=](auto& x) {
                     twin::TopKRows(t, {&x[0], &x[1], &x[2], &x[3], small ? nullptr : &x[4]},
                                    {rows, inner, inner, k, small, true}, k);
                 });
        }
    }
}

void Sums() {
    for (const Type t : {H, F}) {
        const std::string of = t == H ? " of half" : " of float";
        const uint32_t columns = 64 / SizeOf(t), used = columns / 2, rows = 32 / SizeOf(t);
        Room("Sum" + of, {Out(t, rows, 1, 1), In(t, rows, columns, used)}, [=](auto& x) {
            twin::SumRows("Sum", t, x[0], x[1], rows, columns, used, {nullptr, false, 4});
        });
        Room("Mean" + of, {Out(t, rows, 1, 1), In(t, rows, columns, used)}, [=](auto& x) {
            twin::SumRows("Mean", t, x[0], x[1], rows, columns, used, {nullptr, true, 4});
        });
        const auto kind = twin::AxisReduction::kSum;
        Room("ReduceSum along rows" + of, {All(Out(t, rows)), All(In(t, rows * columns))}, [=](auto& x) {
            twin::ReduceAxis("ReduceSum", kind, t, x[0], x[1], {rows, columns, true}, false);
        });
        Room("ReduceSum along columns" + of, {Out(t, columns), In(t, rows * columns)}, [=](auto& x) {
            twin::ReduceAxis("ReduceSum", kind, t, x[0], x[1], {rows, columns, false}, false);
        });
        Room("BroadCast of a value for each row" + of, {Out(t, rows, columns, columns), In(t, rows, 1, 1)},
             [=](auto& x) { twin::BroadcastRows(SizeOf(t), x[0], x[1], rows, columns, true, false); });
        Room("BroadCast of a row" + of, {Out(t, rows * columns), In(t, columns)},
             [=](auto& x) { twin::BroadcastRows(SizeOf(t), x[0], x[1], rows, columns, true, true); });
        Room("BroadCast along a row" + of, {Out(t, rows * columns), In(t, columns)},
             [=](auto& x) { twin::BroadcastRows(SizeOf(t), x[0], x[1], rows, columns, false, false); });
    }
    Room("ReduceXorSum", {Out(S, 16), All(In(S, 16)), All(In(S, 16))}, [](auto& x) {
        Local to = x[0];
        to.bytes = 2;
        twin::XorSum(to, x[1], x[2], 16);
    });
}

/// dst[i] of src[i]: an unwritten element is one of the result.
void Elements() {
    struct Pair {
        Type dst, src;
        RoundMode mode;
    };
    for (const Pair& p : {Pair{F, H, RoundMode::CAST_NONE},
                          {H, F, RoundMode::CAST_RINT},
                          {F, I, RoundMode::CAST_RINT},
                          {I, F, RoundMode::CAST_RINT},
                          {S, H, RoundMode::CAST_RINT},
                          {B, H, RoundMode::CAST_RINT},
                          {H, B, RoundMode::CAST_NONE},
                          {H, S, RoundMode::CAST_RINT},
                          {I, H, RoundMode::CAST_RINT},
                          {S, I, RoundMode::CAST_NONE},
                          {F, S, RoundMode::CAST_NONE},
                          {F, F, RoundMode::CAST_RINT}})
        Room("Cast", {Out(p.dst, 160, 1, 1), In(p.src, 160, 1, 1)},
             [=](auto& x) { twin::CastCount(p.dst, p.src, x[0], x[1], p.mode, 160); });
    for (const Type t : {H, F}) {
        const Operand out = Out(t, 32, 1, 1), in = In(t, 32, 1, 1);
        Room("Add", {out, in, in},
             [=](auto& x) { twin::Vector("Add", twin::Op::kAdd, t, t, x[0], &x[1], &x[2], 0, 32); });
        Room("Adds", {out, in},
             [=](auto& x) { twin::Vector("Adds", twin::Op::kAdds, t, t, x[0], &x[1], nullptr, 2, 32); });
        Room("Relu", {out, in},
             [=](auto& x) { twin::Vector("Relu", twin::Op::kRelu, t, t, x[0], &x[1], nullptr, 0, 32); });
        Room("Duplicate", {Out(t, 32)},
             [=](auto& x) { twin::Vector("Duplicate", twin::Op::kDuplicate, t, t, x[0], nullptr, nullptr, 2, 32); });
        Room("MulAddDst", {out, in, in},
             [=](auto& x) { twin::Vector("MulAddDst", twin::Op::kMulAddDst, t, t, x[0], &x[1], &x[2], 0, 32); });
    }
    Room("Axpy of half into float", {Out(F, 32, 1, 1), In(H, 32, 1, 1)},
         [](auto& x) { twin::Vector("Axpy", twin::Op::kAxpy, F, H, x[0], &x[1], nullptr, 2, 32); });
    using twin::FusedCast;
    const auto fused = [](FusedCast kind, Type to, Type from) {
        return [=](auto& x) { twin::FusedCastCount("AddReluCast", kind, to, from, x[0], x[1], x[2], 320); };
    };
    for (const FusedCast kind : {FusedCast::kAddRelu, FusedCast::kSubRelu}) {
        Room("a fused cast of half", {Out(B, 320, 1, 1), In(H, 320, 1, 1), In(H, 320, 1, 1)}, fused(kind, B, H));
        Room("a fused cast of int16_t", {Out(B, 320, 1, 1), In(S, 320, 1, 1), In(S, 320, 1, 1)}, fused(kind, B, S));
        Room("a fused cast of float", {Out(H, 320, 1, 1), In(F, 320, 1, 1), In(F, 320, 1, 1)}, fused(kind, H, F));
    }
    Room("AddDeqRelu", {Out(H, 320, 1, 1), In(I, 320, 1, 1), In(I, 320, 1, 1)},
         fused(FusedCast::kAddDequantRelu, H, I));
    // Sixteen results fill the upper half of a block.
    Room("CastDequant", {Out(B, 64), In(S, 32)}, [](auto& x) {
        twin::SetDequantFactors(twin::DequantBits(1.0f, 0, true), nullptr);
        twin::CastDequantCount(x[0], x[1], true, false, true, 32);
    });
}

}  // namespace

int main() {
    Sorts();
    Sums();
    Elements();
    return Finish();
}
