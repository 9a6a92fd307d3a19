// Each function of the vector core takes all of its operands' memory and not a byte beside it, and what it computes
// from a value that nobody wrote is unwritten.
#include "pieces.h"
#include "twin/antiquant.h"
#include "twin/dequant.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"
#include "twin/reduce_axes.h"
#include "twin/select_bytes.h"
#include "twin/softmax.h"
#include "twin/softmax_variants.h"
#include "twin/sort.h"
#include "twin/vec_fused_cast.h"

using namespace AscendC;

namespace {

using twin::Local;
using twin::Type;
constexpr Type H = Type::kHalf, F = Type::kFloat, B = Type::kInt8, I = Type::kInt32, S = Type::kInt16;

uint32_t SizeOf(Type type) { return type == F || type == I ? 4 : type == B ? 1 : 2; }

/// Memory of an operand. Values come in rows, `row` bytes from one to the next, of which the first `used` count; row 0:
/// nothing is said of rows. A single row belongs to all.
struct Operand {
    Type type;
    size_t bytes;
    bool output;
    size_t row = 0, used = 0;
    size_t Rows() const { return (bytes + row - 1) / row; }
};
Operand In(Type type, size_t count) { return {type, count * SizeOf(type), false}; }
Operand Out(Type type, size_t count) { return {type, count * SizeOf(type), true}; }
Operand In(Type type, size_t rows, size_t row, size_t used) {
    const size_t size = SizeOf(type);
    return {type, ((rows - 1) * row + used) * size, false, row * size, used * size};
}
Operand Out(Type type, size_t rows, size_t row, size_t used) {
    Operand o = In(type, rows, row, used);
    o.output = true;
    return o;
}
/// One value for each row, in a block of its own.
Operand BlockIn(Type type, size_t rows) { return {type, rows * 32, false, 32, SizeOf(type)}; }
Operand BlockOut(Type type, size_t rows) { return {type, rows * 32, true, 32, 32}; }
Operand All(Operand o) {
    o.row = o.used = o.bytes;
    return o;
}

std::vector<uint8_t> Filled(const Operand& o) {
    std::vector<uint8_t> bytes(o.bytes);
    for (size_t i = 0; i < o.bytes / SizeOf(o.type); ++i) {
        const float value = 1.0f + static_cast<float>(i * 7 % 5) / 4;
        const half narrow(value);
        const auto number = static_cast<int32_t>(i % 3 + 1);
        const void* from = o.type == F   ? static_cast<const void*>(&value)
                           : o.type == H ? static_cast<const void*>(&narrow)
                                         : &number;
        std::memcpy(bytes.data() + i * SizeOf(o.type), from, SizeOf(o.type));
    }
    return bytes;
}

using Call = std::function<void(const std::vector<Local>&)>;

std::string Follow(Pieces& p, const std::vector<Operand>& operands, const Pieces::Kernel& kernel) {
    for (size_t i = 0; i < operands.size(); ++i) {
        const Operand& in = operands[i];
        if (in.output || in.row == 0) continue;
        for (const bool last : {false, true}) {
            const size_t row = in.Rows() - 1, size = SizeOf(in.type), at = row * in.row + (last ? in.used - size : 0);
            p.Unhide();
            p.Hide(i, at, at + size);
            for (size_t o = 0; o < operands.size(); ++o) {
                const Operand& out = operands[o];
                if (!out.output || out.row == 0) continue;
                for (const size_t q : {size_t{0}, out.Rows() - 1})
                    for (const size_t byte : {q * out.row, q * out.row + out.used - 1}) {
                        const bool known = in.Rows() != 1 && out.Rows() != 1 && q != row;
                        if (p.Knows(o, kernel, byte) != (known ? '1' : '0'))
                            return "byte " + std::to_string(byte) + " of operand " + std::to_string(o) + " is " +
                                   (known ? "un" : "") + "written when byte " + std::to_string(at) + " of operand " +
                                   std::to_string(i) + " is unwritten";
                    }
            }
        }
    }
    p.Unhide();
    return "";
}

void Room(const std::string& name, const std::vector<Operand>& operands, const Call& call) {
    Pieces p;
    for (const Operand& o : operands) {
        const size_t piece = p.Put(TPosition::VECCALC, Filled(o));
        if (o.output) p.Any(piece);
    }
    const auto kernel = [&](Pieces& u) {
        std::vector<Local> tensors;
        for (size_t i = 0; i < operands.size(); ++i) tensors.push_back(u.At<uint8_t>(i));
        call(tensors);
    };
    const std::string wrong = p.Fits(kernel);
    Expect(name + " takes its operands and no more", wrong.empty(), wrong);
    const std::string unknown = Follow(p, operands, kernel);
    Expect(name + " of values that nobody wrote", unknown.empty(), unknown);
}

/// dst may begin where another operand ends and end where it begins, and nothing between.
void Apart(const std::string& name, uint32_t dstBytes, uint32_t otherBytes,
           const std::function<void(Local, Local, Local)>& call) {
    constexpr uint32_t kOther = 8192;
    const auto rule = [&](uint32_t dst) {
        Pieces p;
        const size_t all = p.Put(TPosition::VECCALC, Filled(In(H, 16384)));
        return p.Rule([&](Pieces& u) {
            const auto memory = u.At<uint8_t>(all);
            call(memory[dst], memory[kOther], memory[0]);
        });
    };
    const std::string seen = rule(kOther - dstBytes) + "," + rule(kOther - dstBytes + 32) + "," +
                             rule(kOther + otherBytes - 32) + "," + rule(kOther + otherBytes);
    Expect(name + " beside and on another operand", seen == ",partial-overlap,partial-overlap,", seen);
}

void SoftMaxes() {
    for (const Type t : {H, F}) {
        const uint32_t columns = t == H ? 32 : 16, used = columns / 2;
        const twin::RowShape s{3, columns, used};
        const Operand in = In(t, 3, columns, used), out = Out(t, 3, columns, used);
        const std::string of = t == H ? " of half" : " of float";
        Room("SoftMax" + of, {out, BlockOut(t, 3), BlockOut(t, 3), in},
             [=](auto& x) { twin::SoftMaxRows(t, x[0], &x[1], &x[2], x[3], s); });
        Room("SoftMax without its sums" + of, {out, in},
             [=](auto& x) { twin::SoftMaxRows(t, x[0], nullptr, nullptr, x[1], s); });
        Room("SimpleSoftMax" + of, {out, BlockIn(F, 3), BlockIn(F, 3), in},
             [=](auto& x) { twin::SimpleSoftMaxRows(t, F, x[0], x[1], x[2], x[3], s); });
        Room("LogSoftMax" + of, {out, BlockOut(t, 3), BlockOut(t, 3), in},
             [=](auto& x) { twin::LogSoftMaxRows(t, x[0], x[1], x[2], x[3], s); });
        for (const bool old : {false, true}) {
            const std::string name = (old ? "SoftmaxFlash" : "SoftmaxFlashV2") + of;
            const auto flash = [=](auto& x, bool update) {
                const twin::FlashTensors tensors{x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
                old ? twin::OldSoftMaxFlashRows(t, F, tensors, update, s)
                    : twin::SoftMaxFlashRows(t, F, tensors, update, s);
            };
            Room(name, {out, BlockOut(F, 3), BlockOut(F, 3), in, BlockOut(t, 3), BlockIn(F, 3), BlockIn(F, 3)},
                 [=](auto& x) { flash(x, true); });
            Room(name + " at first", {out, BlockOut(F, 3), BlockOut(F, 3), in}, [=](auto& x) {
                const Local none;
                const std::vector<Local> seven{x[0], x[1], x[2], x[3], none, none, none};
                flash(seven, false);
            });
        }
        Room("SoftmaxGrad" + of, {out, in, in},
             [=](auto& x) { twin::SoftMaxGradRows("SoftmaxGrad", t, x[0], x[1], x[2], false, s); });
        Room("SoftmaxGradFront" + of, {BlockOut(t, 3), in, in},
             [=](auto& x) { twin::SoftMaxGradRows("SoftmaxGradFront", t, x[0], x[1], x[2], true, s); });
    }
    Room("SoftmaxFlashV3",
         {Out(H, 8, 512, 512), BlockOut(F, 8), BlockOut(F, 8), BlockOut(F, 8), In(H, 8, 512, 512), BlockOut(H, 8),
          BlockIn(F, 8), BlockIn(F, 8), BlockIn(F, 8)},
         [=](auto& x) {
             AscendC::SoftMaxParams params;
             params.srcM = params.oriSrcM = 8;
             params.srcK = params.oriSrcK = 512;
             params.splitMeanCnt = 8;
             params.loopCnt = 2;
             params.alpha = 0.5f;
             twin::SoftMaxFlashV3Rows({x[0], x[2], x[3], x[4], x[5], x[7], x[8]}, {x[1], x[6]}, true, params);
         });
    Apart("LogSoftMax", 128, 128, [](Local dst, Local src, Local rest) {
        Local sum = rest, max = rest;
        max.data += 1024;
        twin::LogSoftMaxRows(F, dst, sum, max, src, {2, 16, 16});
    });
}

void Norms() {
    for (const Type t : {H, F}) {
        const std::string of = t == H ? " of half" : " of float";
        const Operand in = In(t, 16, 16, 16), out = Out(t, 16, 16, 16), scale = All(In(t, 16)), one = Out(t, 16, 1, 1);
        twin::NormCall call{"LayerNorm", t, t, t, 16, 16, 16, 16, 0.1f};
        Room("LayerNorm" + of, {out, one, one, in, scale, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.mean = &x[1], n.variance = &x[2], n.x = &x[3], n.gamma = &x[4], n.beta = &x[5];
            twin::NormRows(call, n);
        });
        auto rms = call;
        rms.rms = true;
        Room("RmsNorm" + of, {out, in, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.x = &x[1], n.gamma = &x[2];
            twin::NormRows(rms, n);
        });
        Room("DeepNorm" + of, {out, one, one, in, in, scale, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.mean = &x[1], n.rstd = &x[2], n.x = &x[3], n.residual = &x[4], n.gamma = &x[5],
            n.beta = &x[6];
            twin::NormRows(call, n);
        });
        const Operand given = In(F, 16, 1, 1), rstd = Out(F, 16, 1, 1);
        auto separate = call;
        separate.statType = F;
        Room("Normalize" + of, {out, rstd, given, given, in, scale, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.rstd = &x[1], n.givenMean = &x[2], n.givenVariance = &x[3], n.x = &x[4], n.gamma = &x[5],
            n.beta = &x[6];
            twin::NormRows(separate, n);
        });
        const Operand lot = All(In(t, 16 * 16)), column = All(Out(t, 16));
        Room("BatchNorm" + of, {All(Out(t, 16 * 16)), column, column, lot, scale, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.mean = &x[1], n.variance = &x[2], n.x = &x[3], n.gamma = &x[4], n.beta = &x[5];
            twin::NormBatches("BatchNorm", t, n, 16, 16, 0.1f);
        });
        const Operand group = In(t, 16, 32, 32), groups = Out(t, 16, 32, 32);
        Room("GroupNorm" + of, {groups, one, one, group, scale, scale}, [=](auto& x) {
            twin::NormTensors n;
            n.dst = &x[0], n.mean = &x[1], n.variance = &x[2], n.x = &x[3], n.gamma = &x[4], n.beta = &x[5];
            twin::NormGroups("GroupNorm", t, n, {2, 16, 8, 16, 16}, 0.1f);
        });
        const Operand each = All(In(t, 16));
        Room("LayerNormGrad" + of, {out, out, in, in, each, each, scale},
             [=](auto& x) { twin::NormGradRows(t, {x[0], x[1], x[2], x[3], x[4], x[5], x[6]}, 16, 16, 16, 0.1f); });
        Room("LayerNormGradBeta" + of, {column, column, lot, lot},
             [=](auto& x) { twin::NormGradScales(t, x[0], x[1], x[2], x[3], 16, 16); });
        const Operand sums = All(In(F, 16)), newer = All(Out(F, 16)), values = All(In(t, 16));
        Room("WelfordUpdate" + of, {newer, newer, sums, sums, values},
             [=](auto& x) { twin::WelfordStep(t, {x[0], x[1], x[2], x[3]}, x[4], 16, 16, 0.5f, false); });
        Room("WelfordUpdate in place" + of, {Out(F, 16), Out(F, 16), In(F, 16), In(F, 16), In(t, 16)},
             [=](auto& x) { twin::WelfordStep(t, {x[0], x[1], x[2], x[3]}, x[4], 16, 9, 0.5f, true); });
        const uint32_t bytes = 16 * 16 * SizeOf(t), scales = 16 * SizeOf(t);
        Apart("LayerNorm and gamma" + of, bytes, scales, [=](Local dst, Local gamma, Local rest) {
            twin::NormTensors n;
            n.dst = &dst, n.gamma = &gamma, n.x = &rest;
            twin::NormRows(call, n);
        });
        Apart("LayerNorm and beta" + of, bytes, scales, [=](Local dst, Local beta, Local rest) {
            twin::NormTensors n;
            n.dst = &dst, n.beta = &beta, n.x = &rest;
            twin::NormRows(call, n);
        });
        Apart("mean and x of LayerNorm" + of, 16 * SizeOf(t), bytes, [=](Local mean, Local x, Local rest) {
            twin::NormTensors n;
            n.dst = &rest, n.mean = &mean, n.x = &x;
            twin::NormRows(call, n);
        });
    }
}

void Quants() {
    for (const bool transposed : {false, true}) {
        const std::string of = transposed ? ", transposed" : "";
        // [K, N] of 32 x 16, a scale for each of N; with [N, K] a row of K for each.
        const twin::AntiQuantShape s{512, 32, transposed};
        Room("AscendAntiQuant" + of, {All(Out(H, 512)), All(In(B, 512)), All(In(H, 16)), All(In(H, 16))}, [=](auto& x) {
            const twin::AntiQuantOperand offset{&x[2], 0, transposed ? 16u : 1u, transposed ? 1u : 16u},
                scale{&x[3], 0, transposed ? 16u : 1u, transposed ? 1u : 16u};
            twin::AntiQuantRows(H, false, x[0], x[1], &offset, scale, nullptr, s);
        });
    }
    Room("AscendAntiQuant of 4 bits", {All(Out(H, 512)), All(In(B, 256)), All(In(H, 16))}, [](auto& x) {
        const twin::AntiQuantOperand scale{&x[2], 0, 1, 16};
        twin::AntiQuantRows(H, true, x[0], x[1], nullptr, scale, nullptr, {512, 32, false});
    });
    Apart("AscendAntiQuant", 1024, 512, [](Local dst, Local src, Local) {
        twin::AntiQuantRows(H, false, dst, src, nullptr, {nullptr, 1.0f, 1, 1}, nullptr, {512, 32, false});
    });
    for (const Type t : {H, F}) {
        const std::string of = t == H ? " to half" : " to float";
        Room("AscendDequant" + of, {Out(t, 3, 16, 16), In(I, 3, 16, 16), All(In(F, 16))},
             [=](auto& x) { twin::DequantRows(t, F, x[0], x[1], &x[2], 0, {3, 16, 16}); });
        Apart("AscendDequant" + of, 2 * 16 * SizeOf(t), 2 * 64,
              [=](Local dst, Local src, Local) { twin::DequantRows(t, F, dst, src, nullptr, 1.0f, {2, 16, 16}); });
        Room("AscendQuant of " + of, {All(Out(B, 64)), All(In(t, 64)), All(In(t, 16)), All(In(t, 16))},
             [=](auto& x) { twin::QuantToInt8(t, x[0], x[1], {&x[2], &x[3], 1, 0, 16}, 64); });
        for (const auto gate : {twin::Gate::kSwish, twin::Gate::kGelu, twin::Gate::kRelu})
            Room("a gated unit" + of, {All(Out(t, 32)), All(In(t, 32)), All(In(t, 32))},
                 [=](auto& x) { twin::GatedUnit("SwiGLU", gate, t, x[0], x[1], x[2], 1.0f, 32); });
        Apart("a gated unit" + of, 32 * SizeOf(t), 32 * SizeOf(t), [=](Local dst, Local src, Local rest) {
            twin::GatedUnit("SwiGLU", twin::Gate::kSwish, t, dst, rest, src, 1.0f, 32);
        });
        Room("CumSum of rows" + of, {Out(t, 64), Out(t, 16), In(t, 64)},
             [=](auto& x) { twin::RunningSum(t, x[0], &x[1], x[2], 4, 16, true); });
        Room("CumSum of columns" + of, {Out(t, 64), Out(t, 16), In(t, 64)},
             [=](auto& x) { twin::RunningSum(t, x[0], &x[1], x[2], 4, 16, false); });
        Room("DropOut by bytes" + of, {Out(t, 64), In(t, 64), In(B, 64)},
             [=](auto& x) { twin::DropByMask(t, x[0], x[1], x[2], 0.5f, 2, 32, 32, false); });
        Room("DropOut by bits" + of, {Out(t, 512), In(t, 512), In(B, 64)},
             [=](auto& x) { twin::DropByMask(t, x[0], x[1], x[2], 0.5f, 2, 256, 32, true); });
        Room("SelectWithBytesMask" + of, {Out(t, 64), In(t, 64), In(B, 64)},
             [=](auto& x) { twin::SelectBytes(t, x[0], x[1], 1.0, x[2], 1, 2, 32, 32, true); });
    }
    Room("ReGlu of bfloat16_t", {All(Out(S, 32)), All(In(S, 32)), All(In(S, 32))},
         [](auto& x) { twin::GatedUnit("ReGlu", twin::Gate::kRelu, Type::kBfloat16, x[0], x[1], x[2], 1.0f, 32); });
}

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
            Room(std::string(small ? "TopK of small rows" : "TopK") + of,
                 {Out(t, rows * k), Out(I, rows * k), In(t, rows * inner)}, [=](auto& x) {
                     twin::TopKRows(t, {&x[0], &x[1], &x[2], nullptr, nullptr}, {rows, inner, inner, k, small, true},
                                    k);
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
        Room("Sum" + of, {Out(t, rows, 1, 1), In(t, rows, columns, used)},
             [=](auto& x) { twin::SumRows("Sum", t, x[0], x[1], rows, columns, used, {nullptr, false, 4}); });
        Room("Mean" + of, {Out(t, rows, 1, 1), In(t, rows, columns, used)},
             [=](auto& x) { twin::SumRows("Mean", t, x[0], x[1], rows, columns, used, {nullptr, true, 4}); });
        const auto kind = twin::AxisReduction::kSum;
        Room("ReduceSum along rows" + of, {All(Out(t, rows)), All(In(t, rows * columns))},
             [=](auto& x) { twin::ReduceAxis("ReduceSum", kind, t, x[0], x[1], {rows, columns, true}, false); });
        Room("ReduceSum along columns" + of, {Out(t, columns), In(t, rows * columns)},
             [=](auto& x) { twin::ReduceAxis("ReduceSum", kind, t, x[0], x[1], {rows, columns, false}, false); });
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
    SoftMaxes();
    Norms();
    Quants();
    Sorts();
    Sums();
    Elements();
    return Finish();
}
