// Each function of the vector core takes all of its operands' memory and not a byte beside it, and what it computes
// from a value that nobody wrote is unwritten.
#include "rooms.h"

namespace {

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
                const Local none{};
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
        Room("LayerNormGrad" + of, {out, out, in, in, each, each, scale}, [=](auto& x) {
            twin::NormGradRows(t, {x[0], x[1], x[2], x[3], x[4], x[5], x[6]}, 16, 16, 16, 0.1f);
        });
        Room("LayerNormGradBeta" + of, {column, column, lot, lot},
             [=](auto& x) { twin::NormGradScales(t, x[0], x[1], x[2], x[3], 16, 16); });
        const Operand sums = All(In(F, 16)), newer = All(Out(F, 16)), values = All(In(t, 16));
        Room("WelfordUpdate" + of, {newer, newer, sums, sums, values}, [=](auto& x) {
            twin::WelfordStep(t, {x[0], x[1], x[2], x[3]}, x[4], 16, 16, 0.5f, false);
        });
        Room("WelfordUpdate in place" + of, {Out(F, 16), Out(F, 16), In(F, 16), In(F, 16), In(t, 16)}, [=](auto& x) {
            twin::WelfordStep(t, {x[0], x[1], x[2], x[3]}, x[4], 16, 9, 0.5f, true);
        });
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
        Room("AscendDequant" + of, {Out(t, 3, 16, 16), In(I, 3, 16, 16), All(In(F, 16))}, [=](auto& x) {
            twin::DequantRows(t, F, x[0], x[1], &x[2], 0, {3, 16, 16});
        });
        Apart("AscendDequant" + of, 2 * 16 * SizeOf(t), 2 * 64, [=](Local dst, Local src, Local) {
            twin::DequantRows(t, F, dst, src, nullptr, 1.0f, {2, 16, 16});
        });
        Room("AscendQuant of " + of, {All(Out(B, 64)), All(In(t, 64)), All(In(t, 16)), All(In(t, 16))}, [=](auto& x) {
            twin::QuantToInt8(t, x[0], x[1], {&x[2], &x[3], 1, 0, 16}, 64);
        });
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

}  // namespace

int main() {
    SoftMaxes();
    Norms();
    Quants();
    return Finish();
}
