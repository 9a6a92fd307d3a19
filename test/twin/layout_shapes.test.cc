// Shapes, axes and overlaps that functions of layouts refuse, with what they say.
#include <array>

#include "cube_limits.h"
#include "pieces.h"

namespace {

/// What a kernel of a vector core says over memory that is not filled.
void Speaks(const std::string& name, const std::string& expected,
            const std::function<void(LocalTensor<half>, LocalTensor<half>)>& kernel) {
    const std::string rule = RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        TBuf<> first, second;
        pipe.InitBuffer(first, 64 * 1024);
        pipe.InitBuffer(second, 64 * 1024);
        Duplicate(first.Get<half>(), half(0), 32768);
        Duplicate(second.Get<half>(), half(0), 32768);
        PipeBarrier<PIPE_ALL>();
        kernel(first.Get<half>(), second.Get<half>());
    });
    const std::string said = rule.empty() ? "" : rule + ": " + told_.message;
    Expect((expected.empty() ? "legal: " : "refused: ") + name, said == expected, said);
}

void PadShapes() {
    const auto pad = [](uint32_t rows, uint32_t columns, uint32_t used, uint16_t left, uint16_t right) {
        return [=](LocalTensor<half> z, LocalTensor<half> x) {
            PadParams params{left, right, 0};
            PadTiling tiling;
            tiling.srcHeight = rows;
            tiling.srcWidth = columns;
            tiling.srcOriWidth = used;
            Pad(z, x, params, tiling);
        };
    };
    const auto of = [](const std::string& shape) { return "operand-shape: Pad of " + shape; };
    Speaks("16 rows of 15", "", pad(16, 15, 15, 0, 1));
    Speaks("no rows", of("0 x 15 elements, 15 columns used, 0 in front and 1 behind"), pad(0, 15, 15, 0, 1));
    Speaks("no columns", of("16 x 0 elements, 0 columns used, 1 in front and 0 behind"), pad(16, 0, 0, 1, 0));
    Speaks("more columns used than there are", of("16 x 15 elements, 16 columns used, 0 in front and 1 behind"),
           pad(16, 15, 16, 0, 1));
    Speaks("one row of one block", "", pad(1, 16, 1, 0, 15));
    Speaks("a value set", of("1 x 16 elements, 1 columns used, 0 in front and 16 behind"), pad(1, 16, 1, 0, 16));
    Speaks("a column in front of whole blocks", of("1 x 16 elements, 1 columns used, 1 in front and 1 behind"),
           pad(1, 16, 1, 1, 1));
    Speaks("one column", "", pad(16, 1, 1, 7, 8));
    Speaks("one column more", of("16 x 1 elements, 1 columns used, 8 in front and 8 behind"), pad(16, 1, 1, 8, 8));
    Speaks("a source of no whole blocks", of("15 x 15 elements, 15 columns used, 0 in front and 1 behind"),
           pad(15, 15, 15, 0, 1));
    const auto unpad = [](uint32_t rows, uint32_t columns, uint16_t right) {
        return [=](LocalTensor<half> z, LocalTensor<half> x) {
            UnPadParams params{0, right};
            UnPadTiling tiling;
            tiling.srcHeight = rows;
            tiling.srcWidth = columns;
            UnPad(z, x, params, tiling);
        };
    };
    const auto un = [](const std::string& shape) { return "operand-shape: UnPad of " + shape + " columns dropped"; };
    Speaks("UnPad of one row", "", unpad(1, 16, 15));
    Speaks("UnPad of a block", un("1 x 16 elements, 16"), unpad(1, 16, 16));
    Speaks("UnPad of nothing", un("1 x 16 elements, 0"), unpad(1, 16, 0));
    Speaks("UnPad of no rows", un("0 x 16 elements, 1"), unpad(0, 16, 1));
    Speaks("UnPad of no columns", un("2 x 0 elements, 1"), unpad(2, 0, 1));
    Speaks("UnPad of half a block", un("2 x 24 elements, 1"), unpad(2, 24, 1));
}

void ImageShapes() {
    const auto image = [](uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type) {
        return [=](LocalTensor<half> z, LocalTensor<half> x) {
            TBuf<> work;
            GetTPipePtr()->InitBuffer(work, 32 * 1024);
            Transpose(z, x, work.Get<uint8_t>(), TransposeParamsExt(n, c, h, w, type));
        };
    };
    const auto to = TransposeType::TRANSPOSE_NCHW2NHWC;
    const auto of = [](const std::string& sizes) { return "operand-shape: Transpose of N, C, H, W of " + sizes; };
    Speaks("one pixel row", "", image(1, 1, 1, 16, to));
    Speaks("a plane of 4080", "", image(1, 1, 4080 / 16, 16, to));
    Speaks("a plane of 4096", of("1, 1, 256, 16"), image(1, 1, 256, 16, to));
    Speaks("4096 channels", of("1, 4096, 1, 16"), image(1, 4096, 1, 16, to));
    Speaks("4095 channels, whose work memory is not there",
           "out-of-buffer: sharedTmpBuffer of Transpose covers bytes 0 to 2097664 of a buffer of 32768 bytes",
           image(1, 4095, 1, 16, to));
    Speaks("a plane of 8", of("1, 2, 1, 8"), image(1, 2, 1, 8, to));
    for (const auto& axes : {std::array<uint16_t, 4>{0, 3, 1, 1}, {3, 0, 1, 1}, {3, 3, 0, 1}, {3, 3, 1, 0}})
        Speaks("an axis without elements", "", image(axes[0], axes[1], axes[2], axes[3], to));
    Speaks("no kind", "", image(1, 1, 1, 1, TransposeType::TRANSPOSE_TYPE_NONE));
    Speaks("no kind, out of L1", "wrong-position: src of Transpose is at position A1; it belongs in UB",
           [](LocalTensor<half> z, LocalTensor<half> x) {
               TBuf<TPosition::A1> l1;
               GetTPipePtr()->InitBuffer(l1, 512);
               Transpose(z, l1.Get<half>(), x.ReinterpretCast<uint8_t>(),
                         TransposeParamsExt(1, 1, 16, 16, TransposeType::TRANSPOSE_TYPE_NONE));
           });
    Speaks("a kind with a tiling", "unsupported-api: Transpose with parameters of kind 1",
           image(1, 1, 16, 16, TransposeType::TRANSPOSE_NZ2ND_0213));
    Speaks("14 rows of 16", "operand-shape: Transpose of 14 x 16 elements of 2 bytes",
           image(1, 1, 14, 16, TransposeType::TRANSPOSE_ND2ND_B16));
    const auto kind = [](uint32_t number, uint32_t told, uint32_t h, uint32_t w) {
        return [=](LocalTensor<half> z, LocalTensor<half> x) {
            ConfusionTransposeTiling t;
            t.param0 = told;
            t.param1 = h;
            t.param2 = w;
            Transpose(z, x, static_cast<TransposeType>(number), t);
        };
    };
    Speaks("kind 7", "", kind(7, 7, 16, 32));
    Speaks("kind 8", "unsupported-api: Transpose of kind 8", kind(8, 8, 16, 16));
    Speaks("kind 0", "unsupported-api: Transpose of kind 0", kind(0, 0, 16, 16));
    Speaks("another tiling's kind", "operand-shape: Transpose of kind 7 with a tiling of kind 6", kind(7, 6, 16, 16));
    Speaks("8 rows", "operand-shape: Transpose of 8 x 16 elements", kind(7, 7, 8, 16));
    Speaks("8 columns", "operand-shape: Transpose of 16 x 8 elements", kind(7, 7, 16, 8));
}

/// dst may lie right behind its source or before it, and nowhere on it.
void Overlaps() {
    const auto turned = [](int shift) {
        return [=](LocalTensor<half> z, LocalTensor<half>) {
            ConfusionTransposeTiling t;
            t.param0 = 7;
            t.param1 = t.param2 = 16;
            Transpose(z[1024 + shift], z[1024], TransposeType::TRANSPOSE_ND2ND_ONLY, t);
        };
    };
    for (const int shift : {-256, 256}) Speaks("right beside its source", "", turned(shift));
    for (const int shift : {-240, -16, 0, 16, 240})
        Speaks("on its source", "partial-overlap: dst of Transpose lies over its source", turned(shift));
}

void RowShapes() {
    const auto rows = [](uint16_t nd, uint16_t n, uint16_t d, uint16_t matrix, uint16_t column, uint16_t pitch,
                         uint16_t step) {
        return [=](LocalTensor<half> z, LocalTensor<half>) {
            DataCopy(GlobalTensor<half>(), z, Nz2NdParamsFull(nd, n, d, matrix, column, pitch, step));
        };
    };
    const auto of = [](const std::string& fields) { return "copy-params: Nz2NdParamsFull{" + fields + "}"; };
    Speaks("nothing", "", rows(0, 1, 16, 1, 1, 16, 1));
    Speaks("all at their most, of no matrix", "", rows(0, 8192, 8192, 512, 4096, 65535, 65535));
    Speaks("4096 matrices", of("4096, 1, 16, 1, 1, 16, 1"), rows(4096, 1, 16, 1, 1, 16, 1));
    Speaks("4095 of nowhere", "null-tensor: dst of DataCopyPad has no address", rows(4095, 1, 16, 1, 1, 16, 1));
    Speaks("no rows", of("0, 0, 16, 1, 1, 16, 1"), rows(0, 0, 16, 1, 1, 16, 1));
    Speaks("8193 rows", of("0, 8193, 16, 1, 1, 16, 1"), rows(0, 8193, 16, 1, 1, 16, 1));
    Speaks("no columns", of("0, 1, 0, 1, 1, 16, 1"), rows(0, 1, 0, 1, 1, 16, 1));
    Speaks("8208 columns", of("0, 1, 8208, 1, 1, 16, 1"), rows(0, 1, 8208, 1, 1, 16, 1));
    Speaks("17 columns", of("0, 1, 17, 1, 1, 16, 1"), rows(0, 1, 17, 1, 1, 16, 1));
    Speaks("matrices on each other", of("0, 1, 16, 0, 1, 16, 1"), rows(0, 1, 16, 0, 1, 16, 1));
    Speaks("matrices far apart", of("0, 1, 16, 513, 1, 16, 1"), rows(0, 1, 16, 513, 1, 16, 1));
    Speaks("columns far apart", of("0, 1, 16, 1, 4097, 16, 1"), rows(0, 1, 16, 1, 4097, 16, 1));
    Speaks("rows on each other", of("0, 1, 16, 1, 1, 15, 1"), rows(0, 1, 16, 1, 1, 15, 1));
    Speaks("all in one place", of("0, 1, 16, 1, 1, 16, 0"), rows(0, 1, 16, 1, 1, 16, 0));
}

void Axes() {
    const auto formats = [](twin::Axes plain, twin::Axes other, bool three) {
        return [=](LocalTensor<half> z, LocalTensor<half> x) {
            const TransDataConfig config{DataFormat::NCDHW, three ? DataFormat::FRACTAL_Z_3D : DataFormat::NDC1HWC0};
            twin::TransformFormat(z, x, nullptr, config, plain, other);
        };
    };
    const twin::Axes plain{{2, 17, 3, 4, 5}, 5};
    Speaks("N, D, C1, H, W, C0", "", formats(plain, {{2, 3, 2, 4, 5, 16}, 6}, false));
    Speaks("four axes", "operand-shape: TransData of NCDHW of axes (2, 17, 3, 4)",
           formats({{2, 17, 3, 4}, 4}, {{2, 3, 2, 4, 5, 16}, 6}, false));
    const uint32_t right[] = {2, 3, 2, 4, 5, 16}, wider[] = {3, 2, 4, 5, 1, 16, 16};
    for (int i = 0; i < 7; ++i) {
        twin::Axes other{{}, 6}, fractals{{}, 7};
        std::string text, longer;
        for (int at = 0; at < 7; ++at) {
            if (at < 6)
                other.of[at] = right[at] + (at == i ? 1 : 0),
                text += (at == 0 ? "" : ", ") + std::to_string(other.of[at]);
            fractals.of[at] = wider[at] + (at == i ? 1 : 0),
            longer += (at == 0 ? "" : ", ") + std::to_string(fractals.of[at]);
        }
        if (i < 6)
            Speaks("axis " + std::to_string(i) + " of another size",
                   "operand-shape: TransData of NDC1HWC0 of axes (" + text + ")", formats(plain, other, false));
        Speaks("axis " + std::to_string(i) + " of another size",
               "operand-shape: TransData of FRACTAL_Z_3D of axes (" + longer + ")", formats(plain, fractals, true));
    }
}

}  // namespace

int main() {
    PadShapes();
    ImageShapes();
    Overlaps();
    RowShapes();
    Axes();
    return Finish();
}
