// Shapes that norms, softmax and quantisation refuse, with what they say.
#include "pieces.h"
#include "twin/antiquant.h"
#include "twin/dequant.h"
#include "twin/glu.h"
#include "twin/norm.h"
#include "twin/norm_grad.h"
#include "twin/softmax.h"
#include "twin/softmax_variants.h"

using namespace AscendC;

namespace {

using twin::Local;
using twin::Type;
constexpr TPosition kUb = TPosition::VECCALC;
constexpr Type F = Type::kFloat, H = Type::kHalf;

/// What is refused, and the sentence.
void Refused(const std::string& name, const std::string& expected,
             const std::function<void(const Local&, const Local&)>& call) {
    Pieces p;
    const size_t a = p.Put(kUb, std::vector<float>(4096, 1)), b = p.Put(kUb, std::vector<float>(4096, 1));
    const std::string rule = p.Rule([&](Pieces& u) { call(u.At<uint8_t>(a), u.At<uint8_t>(b)); });
    const std::string seen = rule.empty() ? "" : rule + ": " + told_.message;
    Expect((expected.empty() ? "legal: " : "refused: ") + name, seen == expected, seen);
}

void NormShapes() {
    const auto norm = [](uint32_t rows, uint32_t columns, uint32_t used, uint32_t divisor) {
        return [=](const Local& dst, const Local& x) {
            twin::NormTensors n;
            n.dst = &dst, n.x = &x;
            twin::NormRows({"LayerNorm", F, F, F, rows, columns, used, divisor, 0.1f}, n);
        };
    };
    const auto of = [](const std::string& rows, const std::string& columns, const std::string& used) {
        return "reduce-shape: LayerNorm of " + rows + " rows of " + columns + " elements, " + used +
               " of them used; a row is a multiple of 32 bytes";
    };
    Refused("a row of one block, of one element", "", norm(1, 8, 1, 1));
    Refused("a row of all", "", norm(1, 8, 8, 8));
    Refused("no row", of("0", "8", "8"), norm(0, 8, 8, 8));
    Refused("no column", of("1", "0", "0"), norm(1, 0, 0, 1));
    Refused("half a block", of("1", "12", "8"), norm(1, 12, 8, 8));
    Refused("nothing used", of("1", "8", "0"), norm(1, 8, 0, 8));
    Refused("more used than there are", of("1", "8", "8"), norm(1, 8, 9, 8));
    Refused("no divisor", of("1", "8", "0"), norm(1, 8, 8, 0));
    Refused("a divisor of more", of("1", "8", "8"), norm(1, 8, 8, 9));
    Refused("groups of nothing",
            "reduce-shape: GroupNorm of 0 rows of 8 elements, 8 of them used; a row is a multiple of 32 bytes",
            [](const Local& dst, const Local& x) {
                twin::NormTensors n;
                n.dst = &dst, n.x = &x;
                twin::NormGroups("GroupNorm", F, n, {1, 4, 0, 8, 8}, 0.1f);
            });
    const auto grad = [](uint32_t rows, uint32_t columns, uint32_t divisor) {
        return [=](const Local& dst, const Local& x) {
            twin::NormGradRows(F, {dst, dst, x, x, x, x, x}, rows, columns, divisor, 0.1f);
        };
    };
    const auto no = [](const std::string& api, const std::string& rows, const std::string& columns) {
        return "reduce-shape: " + api + " of " + rows + " rows of " + columns +
               " elements; a row is a multiple of 32 bytes and not empty";
    };
    Refused("a gradient of one row", "", grad(1, 8, 1));
    Refused("a gradient of no row", no("LayerNormGrad", "0", "8"), grad(0, 8, 8));
    Refused("a gradient of no column", no("LayerNormGrad", "2", "0"), grad(2, 0, 8));
    Refused("a gradient of half a block", no("LayerNormGrad", "2", "12"), grad(2, 12, 8));
    Refused("a gradient without divisor", no("LayerNormGrad", "0", "8"), grad(2, 8, 0));
    const auto step = [](uint32_t length, uint32_t count) {
        return [=](const Local& dst, const Local& x) {
            twin::WelfordStep(F, {dst, dst, x, x}, x, length, count, 0.5f, false);
        };
    };
    Refused("one of eight", "", step(8, 1));
    Refused("eight of eight", "", step(8, 8));
    Refused("none of eight", no("WelfordUpdate", "0", "8"), step(8, 0));
    Refused("nine of eight", no("WelfordUpdate", "0", "8"), step(8, 9));
    Refused("twelve in a row", no("WelfordUpdate", "1", "12"), step(12, 8));
    Refused("an end of twelve", no("WelfordFinalize", "1", "12"), [](const Local& dst, const Local& x) {
        twin::WelfordEnd({dst, dst, x, x}, {nullptr, 0, 0, 0}, 12, 1, 1, 1);
    });
}

void OtherShapes() {
    const auto rows = [](uint32_t many, uint32_t columns, uint32_t used) {
        return [=](const Local& dst, const Local& x) {
            twin::SoftMaxRows(F, dst, nullptr, nullptr, x, {many, columns, used});
        };
    };
    const auto of = [](const std::string& shape, const std::string& used) {
        return "reduce-shape: SoftMax of " + shape + " elements, " + used +
               " columns used; a row is a multiple of 32 bytes";
    };
    Refused("softmax of one element", "", rows(1, 8, 1));
    Refused("softmax of a whole row", "", rows(1, 8, 8));
    Refused("softmax of no row", of("0 x 8", "8"), rows(0, 8, 8));
    Refused("softmax of half a block", of("1 x 12", "8"), rows(1, 12, 8));
    Refused("softmax of nothing", of("1 x 8", "0"), rows(1, 8, 0));
    Refused("softmax of more", of("1 x 8", "9"), rows(1, 8, 9));
    const auto v3 = [](const std::function<void(AscendC::SoftMaxParams&)>& change) {
        return [=](const Local& dst, const Local& x) {
            AscendC::SoftMaxParams p;
            p.srcM = p.oriSrcM = 8;
            p.srcK = p.oriSrcK = 512;
            p.splitMeanCnt = 8;
            p.loopCnt = 1;
            p.alpha = 0.5f;
            change(p);
            Local sum = x, max = x, mean = x;
            sum.data += 8192, max.data += 8448, mean.data += 8704;
            twin::SoftMaxFlashV3Rows({dst, sum, max, x, mean, mean, mean}, {mean, mean}, false, p);
        };
    };
    const auto flash = [](const std::string& rest) { return "reduce-shape: SoftmaxFlashV3 of " + rest; };
    const std::string means = " of them used, with splitMeanCnt 8, loopCnt 1 and alpha 0.5";
    Refused("eight rows of 512", "", v3([](auto&) {}));
    Refused("rows of 448", flash("8 x 448 elements, 8 x 448" + means), v3([](auto& p) { p.srcK = p.oriSrcK = 448; }));
    Refused("rows of 544", flash("8 x 544 elements, 8 x 544" + means), v3([](auto& p) { p.srcK = p.oriSrcK = 544; }));
    Refused("four rows", flash("4 x 512 elements, 4 x 512" + means), v3([](auto& p) { p.srcM = p.oriSrcM = 4; }));
    Refused("rows not all used", flash("8 x 512 elements, 7 x 512" + means), v3([](auto& p) { p.oriSrcM = 7; }));
    Refused("columns not all used", flash("8 x 512 elements, 8 x 511" + means), v3([](auto& p) { p.oriSrcK = 511; }));
    Refused("four means", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 4, loopCnt 1 and alpha 0.5"),
            v3([](auto& p) { p.splitMeanCnt = 4; }));
    Refused("no loop", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 8, loopCnt 0 and alpha 0.5"),
            v3([](auto& p) { p.loopCnt = 0; }));
    Refused("alpha of 1", flash("8 x 512 elements, 8 x 512 of them used, with splitMeanCnt 8, loopCnt 1 and alpha 1"),
            v3([](auto& p) { p.alpha = 1; }));
    const auto sum = [](uint32_t many, uint32_t columns) {
        return [=](const Local& dst, const Local& x) { twin::RunningSum(F, dst, nullptr, x, many, columns, true); };
    };
    Refused("CumSum of a block", "", sum(1, 8));
    Refused("CumSum of no row", "reduce-shape: CumSum of 0 x 8 elements; a row is a multiple of 32 bytes", sum(0, 8));
    Refused("CumSum of no column", "reduce-shape: CumSum of 2 x 0 elements; a row is a multiple of 32 bytes",
            sum(2, 0));
    Refused("CumSum of half a block", "reduce-shape: CumSum of 2 x 4 elements; a row is a multiple of 32 bytes",
            sum(2, 4));
    const auto quant = [](uint32_t count, uint32_t channels) {
        return [=](const Local& dst, const Local& x) {
            twin::QuantToInt8(F, dst, x, {nullptr, nullptr, 1, 0, channels}, count);
        };
    };
    Refused("scales of one row", "", quant(64, 64));
    Refused("one scale", "", quant(64, 1));
    Refused("no scale", "reduce-shape: AscendQuant of 64 elements with 0 scales; as many offsets, and whole rows",
            quant(64, 0));
    Refused("scales of no whole rows",
            "reduce-shape: AscendQuant of 64 elements with 24 scales; as many offsets, and whole rows", quant(64, 24));
    const auto drop = [](uint32_t many, uint32_t columns, uint32_t mask, bool bits, float keep) {
        return
            [=](const Local& dst, const Local& x) { twin::DropByMask(F, dst, x, x, keep, many, columns, mask, bits); };
    };
    const auto dropped = [](const std::string& rest) {
        return "reduce-shape: DropOut of " + rest +
               "; a row is a multiple of 32 bytes, the mask covers it, keepProb is between 0 and 1";
    };
    Refused("a mask of bytes", "", drop(1, 8, 8, false, 0.5f));
    Refused("a mask of a byte less", dropped("1 x 8 elements with 7 bytes of mask a row and keepProb 0.5"),
            drop(1, 8, 7, false, 0.5f));
    Refused("a mask of bits", "", drop(1, 72, 9, true, 0.5f));
    Refused("a mask of eight bits less", dropped("1 x 72 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 72, 8, true, 0.5f));
    Refused("no row to drop from", dropped("0 x 8 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(0, 8, 8, false, 0.5f));
    Refused("no column to drop from", dropped("1 x 0 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 0, 8, false, 0.5f));
    Refused("half a block to drop from", dropped("1 x 4 elements with 8 bytes of mask a row and keepProb 0.5"),
            drop(1, 4, 8, false, 0.5f));
    Refused("nothing kept", dropped("1 x 8 elements with 8 bytes of mask a row and keepProb 0"),
            drop(1, 8, 8, false, 0));
    Refused("all kept", dropped("1 x 8 elements with 8 bytes of mask a row and keepProb 1"), drop(1, 8, 8, false, 1));
    const auto dequant = [](uint32_t many, uint32_t columns, uint32_t used) {
        return [=](const Local& dst, const Local& x) {
            twin::DequantRows(F, F, dst, x, nullptr, 1, {many, columns, used});
        };
    };
    const auto taken = [](const std::string& many, const std::string& columns, const std::string& used) {
        return "reduce-shape: AscendDequant of " + many + " rows of " + columns + " elements, " + used +
               " of them taken; a row is a multiple of 32 bytes, and 1 <= calCount <= n";
    };
    Refused("one of a row", "", dequant(1, 8, 1));
    Refused("all of a row", "", dequant(1, 8, 8));
    Refused("no row", taken("0", "8", "8"), dequant(0, 8, 8));
    Refused("half a row", taken("1", "12", "8"), dequant(1, 12, 8));
    Refused("none of a row", taken("1", "8", "0"), dequant(1, 8, 0));
    Refused("more than a row", taken("1", "8", "9"), dequant(1, 8, 9));
    const auto anti = [](uint32_t elements, uint32_t k, bool transposed, bool packed, uint32_t rows_,
                         uint32_t columns) {
        return [=](const Local& dst, const Local& x) {
            Local scale = x;
            scale.data += 8192;
            twin::AntiQuantRows(H, packed, dst, x, nullptr, {&scale, 0, rows_, columns}, nullptr,
                                {elements, k, transposed});
        };
    };
    const auto un = [](const std::string& rest) { return "operand-shape: AscendAntiQuant of " + rest; };
    Refused("K of 2 and N of 16", "", anti(32, 2, false, false, 1, 16));
    Refused("a scale for all", "", anti(32, 2, false, false, 1, 1));
    Refused("a scale for each part of K", "", anti(32, 2, false, false, 2, 16));
    Refused("three parts of two", un("scale of 3 x 16 for 2 x 16 elements"), anti(32, 2, false, false, 3, 16));
    Refused("no part", un("scale of 0 x 16 for 2 x 16 elements"), anti(32, 2, false, false, 0, 16));
    Refused("scales of another N", un("scale of 1 x 8 for 2 x 16 elements"), anti(32, 2, false, false, 1, 8));
    Refused("one scale for each part alone", un("scale of 2 x 1 for 2 x 16 elements"), anti(32, 2, false, false, 2, 1));
    Refused("no K", un("32 elements with k of 0"), anti(32, 0, false, false, 1, 16));
    Refused("no elements", un("0 elements with k of 2"), anti(0, 2, false, false, 1, 16));
    Refused("no whole rows", un("32 elements with k of 3"), anti(32, 3, false, false, 1, 16));
    Refused("half a block", un("16 elements with k of 2"), anti(16, 2, false, false, 1, 8));
    Refused("half a block of 4 bits", un("32 elements with k of 2"), anti(32, 2, false, true, 1, 16));
    Refused("transposed K of 16", un("k of 16"), anti(32, 16, true, false, 2, 1));
    Refused("transposed K of 32", "", anti(32, 32, true, false, 1, 1));
    Refused("transposed K of 32 in 4 bits", un("k of 32"), anti(64, 32, true, true, 2, 1));
    Refused("transposed K of 64 in 4 bits", "", anti(64, 64, true, true, 1, 1));
}

}  // namespace

int main() {
    NormShapes();
    OtherShapes();
    return Finish();
}
