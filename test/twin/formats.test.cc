// Rows to columns of blocks (ND2NZ) against plain loops with the limits of its parameters, and the work memory that
// changes of format want: what the host's query names is enough, a block less is not.
#include "on_ub.h"

using namespace AscendC;

namespace {

/// Columns of 32 bytes follow one another, each with all its rows; what is left of the last one is filled with zeroes.
/// The stride of matrices counts elements on both sides, those of columns and rows count blocks.
template <typename T>
void RowsToColumns(const std::string& type) {
    Always("ND2NZ of " + type, 60, 149, [](Chance& chance) {
        constexpr uint32_t kC0 = 32 / sizeof(T);
        const uint32_t matrices = chance.From(0, 3), rows = chance.From(0, 5), used = chance.From(0, 2 * kC0 + 3),
                       step = chance.From(1, 2);
        const uint32_t rowLength = used + chance.From(1, 9), high = rows * step + chance.From(1, 2),
                       columns = (used + kC0 - 1) / kC0;
        const uint32_t from = rows * rowLength + chance.From(0, 5), to = columns * high * kC0 + kC0 * chance.From(0, 2);
        const auto x = Some<T>(chance, 3 * from + 64);
        auto z = Some<T>(chance, 3 * to + 16 * kC0);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t m = 0; m < matrices; ++m)
            for (uint32_t r = 0; r < rows; ++r)
                for (uint32_t c = 0; c < columns * kC0; ++c)
                    z[m * to + (c / kC0 * high + r * step) * kC0 + c % kC0] =
                        c < used ? x[m * from + r * rowLength + c] : static_cast<T>(0.0f);
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            DataCopy(u.At<T>(dst), u.Source<T>(src),
                     Nd2NzParams(matrices, rows, used, from, rowLength, high, step, to));
        });
    });
}

void Limits() {
    const auto rule = [](uint16_t Nd2NzParams::*field, uint32_t value) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<half>(64)), src = ub.Put(std::vector<half>(64));
        ub.Wrong([&](Ub& u) {
            Nd2NzParams params(1, 1, 16, 16, 16, 1, 1, 16);
            params.*field = static_cast<uint16_t>(value);
            DataCopy(u.At<half>(dst), u.Source<half>(src), params);
        });
        return told_.rule;
    };
    const auto most = [&](const std::string& name, uint16_t Nd2NzParams::*field, uint32_t value,
                          const std::string& beyond) {
        Expect(name + " of " + std::to_string(value) + " is no wrong parameter", rule(field, value) == beyond,
               rule(field, value));
        Expect("copy-params: " + name + " of " + std::to_string(value + 1), rule(field, value + 1) == "copy-params");
    };
    most("dstNzC0Stride", &Nd2NzParams::dstNzC0Stride, 16384, "");
    most("dstNzNStride", &Nd2NzParams::dstNzNStride, 16384, "");
    most("dstNzMatrixStride", &Nd2NzParams::dstNzMatrixStride, 16384, "");
    Expect("4095 matrices are more than the buffer, no wrong parameter",
           rule(&Nd2NzParams::ndNum, 4095) != "copy-params");
    Expect("copy-params: 4096 matrices", rule(&Nd2NzParams::ndNum, 4096) == "copy-params");
    Expect("16384 rows are more than the source, no wrong parameter",
           rule(&Nd2NzParams::nValue, 16384) != "copy-params");
    Expect("copy-params: 16385 rows", rule(&Nd2NzParams::nValue, 16385) == "copy-params");
    for (const auto field : {&Nd2NzParams::srcDValue, &Nd2NzParams::dstNzC0Stride, &Nd2NzParams::dstNzNStride}) {
        Expect("copy-params: a stride of 0", rule(field, 0) == "copy-params");
        Expect("legal: a stride of 1", rule(field, 1).empty(), rule(field, 1));
    }
    for (const auto field : {&Nd2NzParams::ndNum, &Nd2NzParams::nValue, &Nd2NzParams::dValue}) {
        Expect("legal: nothing to copy", rule(field, 0).empty());
    }
}

constexpr TransDataConfig kToBlocks = {DataFormat::NCDHW, DataFormat::NDC1HWC0},
                          kFromBlocks = {DataFormat::NDC1HWC0, DataFormat::NCDHW};
constexpr TransDataConfig kToFractals = {DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D},
                          kFromFractals = {DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};

/// The rule that a change of format breaks with so many bytes to work in; both tensors are as large as they must be.
template <const TransDataConfig& config, bool kFractals>
std::string With(uint32_t work, uint32_t n, uint32_t c, uint32_t d, uint32_t h, uint32_t w, uint32_t less = 0) {
    const uint32_t plane = (h * w + 15) / 16 * 16, c1 = (c + 15) / 16, n1 = (n + 15) / 16;
    const uint32_t plainBytes = n * c * d * plane * 2, otherBytes = d * c1 * 16 * h * w * (kFractals ? n1 * 16 : n) * 2;
    return RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        TBuf<> plainBuffer, otherBuffer, workBuffer;
        pipe.InitBuffer(plainBuffer, plainBytes - (less == 1 ? 32 : 0));
        pipe.InitBuffer(workBuffer, work);  // between the two, so that neither runs into the other
        pipe.InitBuffer(otherBuffer, otherBytes - (less == 2 ? 32 : 0));
        const auto plainTensor = plainBuffer.Get<half>(), otherTensor = otherBuffer.Get<half>();
        Duplicate(plainTensor, half(1.0f), static_cast<int32_t>(plainTensor.GetSize()));
        Duplicate(otherTensor, half(1.0f), static_cast<int32_t>(otherTensor.GetSize()));
        const auto plain = MakeLayout(MakeShape(n, c, d, h, w), MakeStride());
        const auto run = [&](const auto& other) {
            if constexpr (config.srcFormat == DataFormat::NCDHW) {
                TransDataParams<decltype(plain), std::decay_t<decltype(other)>> params{plain, other};
                TransData<config>(otherTensor, plainTensor, workBuffer.Get<uint8_t>(), params);
            } else {
                TransDataParams<std::decay_t<decltype(other)>, decltype(plain)> params{other, plain};
                TransData<config>(plainTensor, otherTensor, workBuffer.Get<uint8_t>(), params);
            }
        };
        if constexpr (kFractals) run(MakeLayout(MakeShape(d, c1, h, w, n1, 16u, 16u), MakeStride()));
        else run(MakeLayout(MakeShape(n, d, c1, h, w, 16u), MakeStride()));
    });
}

template <const TransDataConfig& config, bool kFractals>
void Wants(const std::string& name, uint32_t work, uint32_t n, uint32_t c, uint32_t d, uint32_t h, uint32_t w) {
    const auto with = [&](uint32_t bytes, uint32_t less = 0) {
        return With<config, kFractals>(bytes, n, c, d, h, w, less);
    };
    Expect("legal: " + name + " with " + std::to_string(work) + " bytes", with(work).empty(),
           with(work) + ": " + told_.message);
    Expect("out-of-buffer: " + name + " with a block less", with(work - 32) == "out-of-buffer", with(work - 32));
    Expect("out-of-buffer: " + name + " with a plain tensor that is a block shorter", with(work, 1) == "out-of-buffer");
    Expect("out-of-buffer: " + name + " with the other tensor a block shorter", with(work, 2) == "out-of-buffer");
}

void WorkMemory() {
    // A batch padded to whole channels and planes, twice two bytes: 2 x 2 x 16 x 32 x 2; and a plane of each depth, or
    // 512.
    Wants<kToBlocks, false>("NCDHW to NDC1HWC0", 4096 + 2 * 32 * 2, 3, 20, 2, 3, 6);
    Wants<kFromBlocks, false>("NDC1HWC0 to NCDHW", 4096 + 512, 3, 20, 2, 3, 6);
    // Sixteen batches of it, and the larger of a plain batch and of a channel of the result; or all of it twice, once
    // where batches and channels are whole.
    Wants<kToFractals, true>("NCDHW to FRACTAL_Z_3D", 16 * 4096 + 20 * 2 * 32 * 2, 3, 20, 2, 3, 6);
    Wants<kToFractals, true>("NCDHW to FRACTAL_Z_3D with few channels", 16 * 1024 + 1 * 16 * 18 * 2, 3, 1, 1, 3, 6);
    Wants<kFromFractals, true>("FRACTAL_Z_3D to NCDHW", 2 * 16 * 1024, 3, 20, 1, 2, 4);
    Wants<kFromFractals, true>("FRACTAL_Z_3D to NCDHW of whole batches", 16 * 1024, 16, 32, 1, 2, 4);
    Wants<kFromFractals, true>("FRACTAL_Z_3D to NCDHW of whole channels", 2 * 16 * 1024, 3, 32, 1, 2, 4);
}

/// Channels behind the plane or in front of it; the work memory is as large as the page asks for.
template <typename T>
void Images(const std::string& type) {
    Always("Transpose of images of " + type, 30, 151, [](Chance& chance) {
        constexpr uint32_t kC0 = 32 / sizeof(T);
        const uint32_t n = chance.From(1, 3), c = chance.From(1, 5), h = chance.From(1, 2), w = kC0 * chance.From(1, 2),
                       plane = h * w;
        const bool last = chance.Coin();
        const auto x = Some<T>(chance, n * c * plane);
        auto z = Some<T>(chance, n * c * plane + kC0);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t k = 0; k < c; ++k)
                for (uint32_t at = 0; at < plane; ++at) {
                    const uint32_t front = (i * c + k) * plane + at, behind = (i * plane + at) * c + k;
                    z[last ? behind : front] = x[last ? front : behind];
                }
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            TBuf<> work;
            GetTPipePtr()->InitBuffer(work, (last ? c + 2 : 2 * c + 1) * (sizeof(T) == 1 ? 32 : 16) * 32);
            const TransposeType kind = last ? TransposeType::TRANSPOSE_NCHW2NHWC : TransposeType::TRANSPOSE_NHWC2NCHW;
            Transpose(u.At<T>(dst), u.At<T>(src), work.Get<uint8_t>(), TransposeParamsExt(n, c, h, w, kind));
        });
    });
}

}  // namespace

int main() {
    Images<uint8_t>("uint8_t");
    Images<half>("half");
    Images<float>("float");
    RowsToColumns<half>("half");
    RowsToColumns<float>("float");
    RowsToColumns<int8_t>("int8_t");
    Limits();
    WorkMemory();
    return Finish();
}
