// What is computed from memory that nobody wrote is unwritten too, whichever operand and whichever repeat brought it.
#include "on_device.h"

using namespace AscendC;

namespace {

constexpr uint32_t kElements = 128;  // two repeats of float
using Tensors = std::vector<LocalTensor<float>>;

struct Family {
    std::string name;
    size_t operands;
    std::function<void(LocalTensor<float> out, const Tensors& in, TPipe& pipe)> compute;
    bool inPlace = false;  // reads its output too
};

LocalTensor<uint8_t> Bytes(const LocalTensor<float>& t) { return t.ReinterpretCast<uint8_t>(); }

/// Operand `missing` is written up to `written` elements only; -1: all of them are there.
std::string Computed(const Family& family, int missing, uint32_t written) {
    std::vector<std::vector<float>> inputs(family.operands, std::vector<float>(kElements, 0.0f));
    Device<float> device(inputs, {kElements});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        Tensors operands = in;
        if (missing >= 0) {
            TBuf<> buffer;
            pipe.InitBuffer(buffer, kElements * 4);
            operands[missing] = buffer.Get<float>();
            if (written > 0) Duplicate(operands[missing], 0.0f, written);
        }
        Duplicate(out[0], 0.0f, kElements);
        family.compute(out[0], operands, pipe);
    });
}

void Check(const Family& family) {
    const std::string whole = Computed(family, -1, 0);
    Expect("legal: " + family.name + " of written operands", whole.empty(), whole);
    for (size_t i = 0; i < family.operands; ++i) {
        for (const uint32_t written : {0u, kElements / 2, kElements - 8}) {
            const std::string rule = Computed(family, static_cast<int>(i), written);
            Expect("read-unwritten: " + family.name + ", operand " + std::to_string(i) +
                       (written > 0 ? " from element " + std::to_string(written) + " on" : ""),
                   rule == "read-unwritten", rule.empty() ? "no rule broken" : rule);
        }
    }
}

}  // namespace

int main() {
    const SoftMaxTiling tiling{};
    const SoftMaxShapeInfo rows{2, 64, 2, 64};
    const BinaryRepeatParams binary(1, 1, 1, 8, 8, 8);
    const UnaryRepeatParams unary(1, 1, 8, 8);
    const std::vector<Family> families = {
        {"Add", 2, [](auto out, auto& in, auto&) { Add(out, in[0], in[1], kElements); }},
        {"Add by repeats", 2, [=](auto out, auto& in, auto&) { Add(out, in[0], in[1], uint64_t(64), 2, binary); }},
        {"AddRelu", 2, [](auto out, auto& in, auto&) { AddRelu(out, in[0], in[1], kElements); }},
        {"MulAddDst", 2, [](auto out, auto& in, auto&) { MulAddDst(out, in[0], in[1], kElements); }},
        {"FusedMulAdd", 2, [](auto out, auto& in, auto&) { FusedMulAdd(out, in[0], in[1], kElements); }},
        {"Axpy", 1, [](auto out, auto& in, auto&) { Axpy(out, in[0], 2.0f, kElements); }},
        {"Adds", 1, [](auto out, auto& in, auto&) { Adds(out, in[0], 1.0f, kElements); }},
        {"Muls by repeats", 1, [=](auto out, auto& in, auto&) { Muls(out, in[0], 2.0f, uint64_t(64), 2, unary); }},
        {"Exp", 1, [](auto out, auto& in, auto&) { Exp(out, in[0], kElements); }},
        {"Cast", 1,
         [](auto out, auto& in, auto&) {
             Cast(out.template ReinterpretCast<int32_t>(), in[0], RoundMode::CAST_RINT, kElements);
         }},
        {"DataCopy", 1, [](auto out, auto& in, auto&) { DataCopy(out, in[0], kElements); }},
        {"Copy", 1, [](auto out, auto& in, auto&) { Copy(out, in[0], uint64_t(64), 2, CopyRepeatParams(1, 1, 8, 8)); }},
        {"WholeReduceSum", 1, [](auto out, auto& in, auto&) { WholeReduceSum(out, in[0], 64, 2, 1, 1, 8); }},
        {"ReduceSum", 1,
         [](auto out, auto& in, TPipe& pipe) {
             TBuf<> work;
             pipe.InitBuffer(work, 512);
             ReduceSum(out, in[0], work.Get<float>(), kElements);
         }},
        {"ReduceMax", 1,
         [](auto out, auto& in, TPipe& pipe) {
             TBuf<> work;
             pipe.InitBuffer(work, 512);
             ReduceMax(out, in[0], work.Get<float>(), kElements);
         }},
        {"BlockReduceMax", 1, [](auto out, auto& in, auto&) { BlockReduceMax(out, in[0], 2, 64, 1, 1, 8); }},
        {"PairReduceSum", 1, [](auto out, auto& in, auto&) { PairReduceSum(out, in[0], 2, 64, 1, 1, 8); }},
        {"Brcb", 1, [](auto out, auto& in, auto&) { Brcb(out, in[0][kElements - 16], 2, BrcbRepeatParams(1, 8)); }},
        {"GatherMask", 1,
         [](auto out, auto& in, auto&) {
             uint64_t kept = 0;
             GatherMask(out, in[0], uint8_t(7), false, 0, GatherMaskParams(1, 2, 8, 0), kept);
         }},
        {"Select of a scalar", 1,
         [](auto out, auto& in, TPipe& pipe) {
             TBuf<> bits;
             pipe.InitBuffer(bits, 32);
             Duplicate(bits.Get<int16_t>(), int16_t(-1), 16);
             Select(out, bits.Get<uint8_t>(), in[0], 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kElements);
         }},
        {"Select of two by repeats", 2,
         [=](auto out, auto& in, TPipe& pipe) {
             TBuf<> bits;
             pipe.InitBuffer(bits, 32);
             Duplicate(bits.Get<int16_t>(), int16_t(0x5555), 16);
             Select(out, bits.Get<uint8_t>(), in[0], in[1], SELMODE::VSEL_TENSOR_TENSOR_MODE, uint64_t(64), 2, binary);
         }},
        {"SelectWithBytesMask", 2,
         [](auto out, auto& in, TPipe& pipe) {
             TBuf<> work;
             pipe.InitBuffer(work, 1024);
             SelectWithBytesMaskShapeInfo info;
             info.firstAxis = 2;
             info.srcLastAxis = info.maskLastAxis = 64;
             SelectWithBytesMask(out, in[0], 3.0f, in[1].template ReinterpretCast<int32_t>(), work.Get<uint8_t>(),
                                 info);
         }},
        {"SoftMax", 1, [=](auto out, auto& in, auto&) { SoftMax<float>(out, in[0], tiling, rows); }},
        {"SoftmaxGrad", 2,
         [=](auto out, auto& in, auto&) { SoftmaxGrad<float>(out, in[0], in[1], tiling, false, rows); }},
        {"SoftmaxGradFront", 2,
         [=](auto out, auto& in, auto&) { SoftmaxGradFront<float>(out, in[0], in[1], tiling, rows); }},
    };
    for (const Family& family : families) Check(family);
    return Finish();
}
