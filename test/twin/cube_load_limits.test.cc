// The limits of the ways into a cube core's memories: fields, places and starts, and a core of the other kind.
#include "cube_limits.h"
#include "pieces.h"

namespace {

constexpr uint32_t kFractal = 512;

/// Each field of Nd2NzParams at its limit and behind it.
void ColumnLimits() {
    const auto copy = [](Nd2NzParams p) {
        return [p](GlobalTensor<half> gm) { DataCopy(All<half>(TPosition::A1), gm, p); };
    };
    const auto over = [](const std::string& numbers) {
        return "copy-params: Nd2NzParams with " + numbers + "; ndNum is at most 4095, the others 16384";
    };
    Said("4095 matrices", "", copy({4095, 1, 1, 1, 1, 1, 1, 16}));
    Said("4096", over("ndNum 4096, nValue 1, dstNzC0Stride 2, dstNzNStride 3, dstNzMatrixStride 4"),
         copy({4096, 1, 1, 1, 1, 2, 3, 4}));
    Said("16384 rows", "", copy({1, 16384, 1, 0, 1, 1, 1, 0}));
    Said("16385", over("ndNum 1, nValue 16385, dstNzC0Stride 1, dstNzNStride 1, dstNzMatrixStride 0"),
         copy({1, 16385, 1, 0, 1, 1, 1, 0}));
    Said("columns 16384 blocks apart", "", copy({1, 1, 16, 0, 1, 16384, 1, 0}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 16385, dstNzNStride 1, dstNzMatrixStride 0"),
         copy({1, 1, 16, 0, 1, 16385, 1, 0}));
    Said("rows 16384 blocks apart", "", copy({1, 1, 16, 0, 1, 1, 16384, 0}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 1, dstNzNStride 16385, dstNzMatrixStride 0"),
         copy({1, 1, 16, 0, 1, 1, 16385, 0}));
    Said("matrices 16384 elements apart", "", copy({1, 1, 16, 0, 1, 1, 1, 16384}));
    Said("16385", over("ndNum 1, nValue 1, dstNzC0Stride 1, dstNzNStride 1, dstNzMatrixStride 16385"),
         copy({1, 1, 16, 0, 1, 1, 1, 16385}));
    const auto none = [](const std::string& numbers) {
        return "copy-params: Nd2NzParams with " + numbers + "; these are at least 1";
    };
    Said("no row of the source", none("srcDValue 0, dstNzC0Stride 1, dstNzNStride 2"), copy({1, 1, 16, 0, 0, 1, 2, 0}));
    Said("columns over each other", none("srcDValue 3, dstNzC0Stride 0, dstNzNStride 2"),
         copy({1, 1, 16, 0, 3, 0, 2, 0}));
    Said("rows over each other", none("srcDValue 3, dstNzC0Stride 1, dstNzNStride 0"), copy({1, 1, 16, 0, 3, 1, 0, 0}));
    Said("no matrix", "", copy({0, 1, 16, 0, 0, 0, 0, 0}));
    Said("no row", "", copy({1, 0, 16, 0, 0, 0, 0, 0}));
    Said("no column", "", copy({1, 1, 0, 0, 0, 0, 0, 0}));
}

/// The places that each way in leads between, and the others of the cube core.
void Positions() {
    const std::vector<std::pair<TPosition, std::string>> places = {
        {TPosition::A1, "A1"},   {TPosition::A2, "A2"}, {TPosition::B2, "B2"},
        {TPosition::CO1, "CO1"}, {TPosition::C2, "C2"}, {TPosition::C2PIPE2GM, "C2PIPE2GM"}};
    const auto wrong = [](const std::string& operand, const std::string& at, const std::string& where, bool right) {
        return right ? "" : "wrong-position: " + operand + " is at position " + at + "; it belongs in " + where;
    };
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    const LoadData2dTransposeParams square(0, 1, 0, 0, 0);
    for (const auto& [at, name] : places) {
        const auto where = at;
        const bool l1 = at == TPosition::A1, l0 = at == TPosition::A2 || at == TPosition::B2;
        Said("LoadData of GM to " + name, wrong("dst of LoadData", name, "A1, B1, A2 or B2", l1 || l0),
             [=](auto gm) { LoadData(All<half>(where), gm, one); });
        Said("LoadData to " + name, wrong("dst of LoadData", name, "A2 or B2", l0),
             [=](auto) { LoadData(All<half>(where), All<half>(TPosition::A1), one); });
        Said("LoadData from " + name, wrong("src of LoadData", name, "A1 or B1", l1),
             [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(where), one); });
        Said("LoadDataWithTranspose to " + name, wrong("dst of LoadDataWithTranspose", name, "A2 or B2", l0),
             [=](auto) { LoadDataWithTranspose(All<half>(where), All<half>(TPosition::A1), square); });
        Said("LoadDataWithSparse to " + name, wrong("dst of LoadDataWithSparse", name, "B2", at == TPosition::B2),
             [=](auto) {
                 LoadDataWithSparse(All<int8_t>(where), All<int8_t>(TPosition::A1), All<uint8_t>(TPosition::A1), one);
             });
        Said("LoadDataWithSparse from " + name, wrong("src of LoadDataWithSparse", name, "B1", l1), [=](auto) {
            LoadDataWithSparse(All<int8_t>(TPosition::B2), All<int8_t>(where), All<uint8_t>(TPosition::A1), one);
        });
        Said("indices from " + name, wrong("idx of LoadDataWithSparse", name, "B1", l1), [=](auto) {
            LoadDataWithSparse(All<int8_t>(TPosition::B2), All<int8_t>(TPosition::A1), All<uint8_t>(where), one);
        });
        Said("Nd2NzParams to " + name, wrong("dst of DataCopy", name, "A1, B1 or UB", l1),
             [=](auto gm) { DataCopy(All<half>(where), gm, Nd2NzParams(1, 1, 16, 0, 1, 1, 1, 0)); });
        Said("Fill of " + name, wrong("dst of Fill", name, "A1, B1, A2 or B2", l1 || l0),
             [=](auto) { Fill(All<half>(where), InitConstValueParams<half>(1, 1, 0, half(1.0f))); });
        Said("half to the table from " + name, wrong("src of DataCopy", name, "C1", l1),
             [=](auto) { DataCopy(All<float>(TPosition::C2), All<half>(where), DataCopyParams(1, 1, 0, 0)); });
        Said("half of L1 to " + name, wrong("dst of DataCopy", name, "C2", at == TPosition::C2),
             [=](auto) { DataCopy(All<float>(where), All<half>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
        Said("float to the table from " + name, wrong("src of DataCopy", name, "C1", l1), [=](auto) {
            DataCopy<float, float>(All<float>(TPosition::C2), All<float>(where), DataCopyParams(1, 1, 0, 0));
        });
        Said("L1 to " + name,
             wrong("dst of DataCopy", name, "C2 or C2PIPE2GM", at == TPosition::C2 || at == TPosition::C2PIPE2GM),
             [=](auto) { DataCopy(All<float>(where), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
    }
    const auto nibbles = [&](TPosition to) {
        return Says([=](auto) { LoadDataWithTranspose(All<int4b_t>(to), All<int4b_t>(TPosition::A1), square); });
    };
    Expect("4 bits go to B2", nibbles(TPosition::B2).empty());
    Expect("4 bits do not go to A2",
           nibbles(TPosition::A2) ==
               "wrong-position: dst of LoadDataWithTranspose is at position A2; it belongs in B2, as "
               "LoadDataWithTranspose of 4-bit types goes nowhere else",
           nibbles(TPosition::A2));
}

void Limits() {
    const auto down = [](uint16_t start, uint16_t stride) {
        return [=](auto) {
            LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1),
                     LoadData2DParams(start, 3, stride, 0, 0, false, 1));
        };
    };
    Said("fractals 4, 2 and 0", "", down(4, 2));
    Said("fractals 3, 1 and -1", "copy-params: LoadData counts down to fractal -1", down(3, 2));
    Said("a turned load of 32 bits", "unsupported-type: LoadData transposes 16-bit types only; this one has 4 bytes",
         [](auto) {
             LoadData(All<float>(TPosition::A2), All<float>(TPosition::A1), LoadData2DParams(0, 1, 0, 0, 0, true, 0));
         });
    Said("a turned load of GM", "copy-params: LoadData from GM cannot transpose",
         [](auto gm) { LoadData(All<half>(TPosition::A2), gm, LoadData2DParams(0, 1, 0, 0, 0, true, 0)); });
    const auto fill = [](uint16_t repeats, uint16_t blocks, uint16_t gap) {
        return
            [=](auto) { Fill(All<half>(TPosition::A1), InitConstValueParams<half>(repeats, blocks, gap, half(1.0f))); };
    };
    const std::string most = "; each is at most 32767";
    Said("32767 repeats of nothing", "", fill(32767, 0, 0));
    Said("32768", "copy-params: Fill with repeatTimes 32768, blockNum 1 and dstGap 2" + most, fill(32768, 1, 2));
    Said("a gap of 32767", "", fill(1, 1, 32767));
    Said("32768", "copy-params: Fill with repeatTimes 1, blockNum 2 and dstGap 32768" + most, fill(1, 2, 32768));
    Said("32767 blocks of a memory of 16384",
         "out-of-buffer: dst of Fill covers bytes 0 to 1048544 of a buffer of 524288 bytes", fill(1, 32767, 0));
    Said("32768", "copy-params: Fill with repeatTimes 1, blockNum 32768 and dstGap 2" + most, fill(1, 32768, 2));
    Said("no block", "", fill(1, 0, 0));
    const auto at = [](const std::string& memory, const std::string& operand, uint32_t from, uint32_t unit) {
        const std::string hex = from == 32 ? "0x20" : from == 64 ? "0x40" : "0x10";
        return "unaligned-ub: " + operand + " starts at " + memory + " address " + hex + ", " + std::to_string(from) +
               " bytes past a multiple of " + std::to_string(unit);
    };
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    Said("L0A from 32 bytes on", at("L0A", "dst of LoadData", 32, 512),
         [=](auto) { LoadData(All<half>(TPosition::A2, 32), All<half>(TPosition::A1), one); });
    Said("L1 from 16 bytes on", at("L1", "src of LoadData", 16, 32),
         [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1)[8], one); });
    Said("L1 from 32 bytes on", "",
         [=](auto) { LoadData(All<half>(TPosition::A2), All<half>(TPosition::A1, 32), one); });
    Said("scales 64 bytes into their buffer", at("FB", "dst of DataCopy", 64, 128), [](auto) {
        DataCopy(All<uint64_t>(TPosition::C2PIPE2GM, 64), All<uint64_t>(TPosition::A1), DataCopyParams(1, 1, 0, 0));
    });
    Said("the table from 64 bytes on", "",
         [](auto) { DataCopy(All<float>(TPosition::C2, 64), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
    Said("the table from 32 bytes on", at("BT", "dst of DataCopy", 32, 64),
         [](auto) { DataCopy(All<float>(TPosition::C2, 32), All<float>(TPosition::A1), DataCopyParams(1, 1, 0, 0)); });
}

/// A vector core has none of these memories, and the instructions are none of its own.
void OnVectorCore() {
    const std::vector<uint8_t> some(4096, 7);
    Pieces p;
    const size_t gm = p.Store(some), l1 = p.Put(TPosition::A1, some), l0a = p.Put(TPosition::A2, some),
                 l0b = p.Put(TPosition::B2, some), table = p.Put(TPosition::C2, std::vector<uint8_t>(256, 7)),
                 l0c = p.Put(TPosition::CO1, some);
    const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
    const auto idles = [&](const std::string& name, const Pieces::Kernel& kernel) {
        const std::string wrong = p.Idles(kernel);
        Expect(name + " on a vector core does nothing", wrong.empty(), wrong);
    };
    idles("LoadData", [&](Pieces& u) { LoadData(u.At<half>(l0a), u.At<half>(l1)[256], one); });
    idles("LoadData of GM", [&](Pieces& u) { LoadData(u.At<half>(l0a), u.Gm<half>(gm), one); });
    idles("LoadDataWithTranspose", [&](Pieces& u) {
        LoadDataWithTranspose(u.At<half>(l0b), u.At<half>(l1), LoadData2dTransposeParams(0, 1, 0, 0, 0));
    });
    idles("LoadDataWithSparse",
          [&](Pieces& u) { LoadDataWithSparse(u.At<int8_t>(l0b), u.At<int8_t>(l1), u.At<uint8_t>(l1), one); });
    idles("DataCopy with Nd2NzParams",
          [&](Pieces& u) { DataCopy(u.At<half>(l1), u.Gm<half>(gm), Nd2NzParams(1, 1, 15, 0, 15, 1, 1, 0)); });
    idles("Fill", [&](Pieces& u) { Fill(u.At<half>(l1), InitConstValueParams<half>(1, 1, 0, half(1.0f))); });
    idles("a copy to the bias table",
          [&](Pieces& u) { DataCopy(u.At<float>(table), u.At<half>(l1), DataCopyParams(1, 1, 0, 0)); });
    idles("Mmad", [&](Pieces& u) {
        Mmad(u.At<float>(l0c), u.At<half>(l0a), u.At<half>(l0b), MmadParams(16, 16, 16, 0, false, true));
    });
    idles("Fixpipe",
          [&](Pieces& u) { Fixpipe(u.Gm<float>(gm), u.At<float>(l0c), FixpipeParamsV220(16, 16, 16, 16, true)); });
    idles("Fixpipe to L1", [&](Pieces& u) {
        FixpipeParamsV220 params(16, 16, 16, 16, false);
        params.quantPre = F322F16;
        Fixpipe(u.At<half>(l1), u.At<float>(l0c), params);
    });
    idles("SetFixPipeConfig", [&](Pieces& u) { SetFixPipeConfig(u.At<uint64_t>(l1)); });
    idles("SetFixpipeNz2ndFlag", [](Pieces&) { SetFixpipeNz2ndFlag(0, 513, 0); });
    idles("LoadData with LoadData2DParamsV2", [&](Pieces& u) {
        LoadData(u.At<half>(l0a), u.At<half>(l1), LoadData2DParamsV2(0, 0, 1, 1, 1, 1, false, 0));
    });
    idles("LoadData of a map", [&](Pieces& u) {
        LoadData3DParamsV2<half> map;
        map.l1H = map.l1W = 4;
        map.channelSize = map.kExtension = map.mExtension = 16;
        LoadData(u.At<half>(l0a), u.At<half>(l1), map);
    });
}

}  // namespace

int main() {
    ColumnLimits();
    Positions();
    Limits();
    OnVectorCore();
    return Finish();
}
