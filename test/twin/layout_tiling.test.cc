// Tilings and sizes of Pad, UnPad, Transpose and TransData on the host, and sizes of queries that stand in headers.
#include "../runtime/host/layout_tiling.cpp"
#include "../runtime/host/registry.cpp"
#include "twin_host/size_queries.h"
#include "expect.h"

namespace {

const auto kPlatform = platform_ascendc::PlatformAscendC(nullptr);

ge::Shape Of(std::initializer_list<int64_t> axes) { return ge::Shape(std::vector<int64_t>(axes)); }

void Pads() {
    uint32_t most = 0, least = 0;
    AscendC::GetPadMaxMinTmpSize(Of({32, 31}), 4, most, least);
    Expect("Pad spreads sixteen elements to blocks, twice", least == 1024 && most == 62 * 1024, std::to_string(most));
    optiling::PadTiling stored;
    AscendC::PadTilingFunc(Of({300, 31}), Of({300, 31}), 8192, 4, stored);
    AscendC::tiling::PadTiling t;
    stored.SaveToBuffer(&t, sizeof(t));
    Expect("Pad's tiling has the kernel's layout",
           stored.GetDataSize() == sizeof(t) && t.srcHeight == 300 && t.srcWidth == 31 && t.srcOriWidth == 31);
    Expect("eight blocks of rows fit each half of 8 KiB",
           t.tmpBuffer1BlockNum == 8 && t.tmpBuffer1RowNum == 128 && t.tmpBuffer2Offset == 1024 &&
               t.widthFractalTailAlingned == 32,
           std::to_string(t.tmpBuffer1BlockNum));
    Expect("rows go in 255 at most", t.heightFractal == 1 && t.heightFractalTail == 45 && t.mainLoopOffset == 255 * 31);
    AscendC::GetUnPadMaxMinTmpSize(kPlatform, Of({32, 32}), 4, most, least);
    AscendC::tiling::UnPadTiling u;
    AscendC::UnPadTilingFunc(Of({32, 40}), 0, 4, u);
    Expect("UnPad wants no memory on this device",
           most == 0 && least == 0 && u.srcHeight == 32 && u.srcWidth == 40 && u.widthTiling == 0);
    AscendC::UnPadTilingFunc(Of({32, 40}), 2048, 4, u);
    Expect("and divides a row by what it is given",
           u.widthTiling == 32 && u.widthFractal == 2 && u.widthFractalTail == 8, std::to_string(u.widthTiling));
}

void Transposes() {
    uint32_t most = 0, least = 0;
    AscendC::GetTransposeMaxMinTmpSize(Of({1, 2, 60, 32}), 2, 1, most, least);
    Expect("exchanged axes want one fractal at least, and S of them at most", least == 512 && most == 64 * 16 * 2,
           std::to_string(most));
    AscendC::GetConfusionTransposeMaxMinTmpSize(Of({1, 2, 60, 32}), 4, 3, most, least);
    Expect("a split last axis wants two", least == 2048 && most == 2048);
    AscendC::GetTransposeMaxMinTmpSize(Of({32, 32}), 4, 7, most, least);
    Expect("[H, W] wants none", least == 0 && most == 0);
    optiling::ConfusionTransposeTiling stored;
    AscendC::GetTransposeTilingInfo(Of({1, 2, 64, 32}), 4096, 2, 1, stored);
    Expect("the tiling tells the kernel kind and axes", stored.get_param0() == 1 && stored.get_param3() == 64 &&
                                                            stored.get_param4() == 32 &&
                                                            stored.GetDataSize() == sizeof(ConfusionTransposeTiling));
    AscendC::GetTransposeTilingInfo(Of({32, 32}), 0, 2, 8, stored);
    Expect("a kind that is for no device fills nothing", stored.get_param0() == 0);
}

bool Query(std::initializer_list<int64_t> src, std::initializer_list<int64_t> dst, AscendC::TransDataConfig config,
           uint32_t expected) {
    uint32_t most = 1, least = 2;
    return AscendC::GetTransDataMaxMinTmpSize(kPlatform, Of(src), Of(dst), ge::DT_FLOAT16, config, most, least) &&
           most == expected && least == expected;
}

void Formats() {
    using AscendC::DataFormat;
    const AscendC::TransDataConfig to{DataFormat::NCDHW, DataFormat::NDC1HWC0},
        back{DataFormat::NDC1HWC0, DataFormat::NCDHW};
    const AscendC::TransDataConfig fractals{DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D},
        from{DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};
    Expect("to blocks of channels: the padded tensor and a plane",
           Query({2, 17, 3, 3, 3}, {2, 3, 2, 3, 3, 16}, to, 3 * 32 * 16 * 2 + 3 * 16 * 2));
    Expect("from them: the padded tensor and 512 bytes",
           Query({2, 3, 2, 3, 3, 16}, {2, 17, 3, 3, 3}, back, 3 * 32 * 16 * 2 + 512));
    Expect("to fractals: all of N besides",
           Query({2, 17, 3, 3, 3}, {3, 2, 3, 3, 1, 16, 16}, fractals, 16 * 3 * 32 * 16 * 2 + 17 * 3 * 16 * 2));
    Expect("from fractals with padding: twice",
           Query({3, 2, 3, 3, 1, 16, 16}, {2, 17, 3, 3, 3}, from, 2 * 16 * 3 * 32 * 16 * 2));
    Expect("from whole fractals: once", Query({3, 2, 3, 3, 1, 16, 16}, {16, 32, 3, 3, 3}, from, 16 * 3 * 32 * 16 * 2));
    Expect("shapes that do not match are refused", !Query({2, 17, 3, 3, 3}, {2, 3, 1, 3, 3, 16}, to, 0));
    uint32_t most = 0, least = 0;
    Expect("elements of four bytes are refused",
           !AscendC::GetTransDataMaxMinTmpSize(kPlatform, Of({2, 17, 3, 3, 3}), Of({2, 3, 2, 3, 3, 16}), ge::DT_FLOAT,
                                               to, most, least));
}

void Sizes() {
    uint32_t most = 0, least = 0, extra = 9;
    AscendC::GetSelectMaxMinTmpSize(Of({1, 8192}), Of({1}), 2, Of({1, 8192}), 1, false, most, least);
    Expect("Select wants the source as halves and 512 bytes, or 4096 elements of it",
           most == 8192 * 2 + 512 && least == 4096 * 2 + 512, std::to_string(least));
    AscendC::GetSelectMaxMinTmpSize(Of({1}), Of({4, 64}), 2, Of({4, 96}), 1, false, most, least);
    Expect("and the mask once more when its rows are longer", most == 1024 + 256 && least == most,
           std::to_string(most));
    AscendC::GetAscendAntiQuantMaxMinTmpSize(Of({64, 128}), Of({1, 128}), false, ge::DT_INT8, ge::DT_BF16, most, least);
    Expect("AscendAntiQuant to bfloat16_t wants scale, offset and 64 columns as floats",
           most == (128 * 2 + 64 * 64) * 4 && least == most, std::to_string(most));
    AscendC::GetAscendAntiQuantMaxMinTmpSize(Of({64, 128}), Of({1}), false, ge::DT_INT8, ge::DT_BF16, most, least);
    Expect("with one scale all of it, or 1 KiB", most == 64 * 128 * 4 && least == 1024);
    AscendC::GetAscendAntiQuantMaxMinTmpSize(Of({64, 128}), Of({1, 128}), false, ge::DT_INT8, ge::DT_FLOAT16, most,
                                             least);
    Expect("and to half none", most == 0 && least == 0);
    AscendC::GetLgammaTmpBufferFactorSize(2, most, extra);
    AscendC::GetLgammaMaxMinTmpSize(Of({16}), 2, false, least, extra);
    Expect("the factor of Lgamma of half counts floats, its sizes halves", most == 13 && extra == 26 * 256,
           std::to_string(most));
    AscendC::GetDigammaMaxMinTmpSize(Of({512}), 4, true, most, least);
    Expect("Digamma of float spares a buffer when it may overwrite its source", most == 6 * 2048 && least == 6 * 256);
    AscendC::GetAxpyMaxMinTmpSize(Of({512}), 2, false, most, least);
    Expect("Axpy of half into float wants four", most == 4 * 1024 && least == 1024);
    AscendC::GetReduceXorSumMaxMinTmpSize(Of({512}), 2, false, most, least);
    Expect("ReduceXorSum wants three of its source", most == 3 * 1024 && least == most);
}

}  // namespace

int main() {
    Pads();
    Transposes();
    Formats();
    Sizes();
    return Finish();
}
