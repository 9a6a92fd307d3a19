// Elements in another order, against plain loops over coordinates.
#include "on_device.h"

using namespace AscendC;

namespace {

template <typename T>
std::vector<T> Counted(size_t n) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<float>(i % 2000));
    return v;
}

LocalTensor<uint8_t> Space(TPipe& pipe, uint32_t bytes) {
    TBuf<> buffer;
    pipe.InitBuffer(buffer, bytes);
    return buffer.Get<uint8_t>();
}

PadTiling PadOf(uint32_t height, uint32_t width, uint32_t used) {
    PadTiling t;
    t.srcHeight = height;
    t.srcWidth = width;
    t.srcOriWidth = used;
    return t;
}

template <typename T>
std::string PadBy(PadParams params, PadTiling tiling, uint32_t work, std::vector<T>* seen, size_t out) {
    Device<T> device({Counted<T>(tiling.srcHeight * tiling.srcWidth)}, {out});
    const std::string rule =
        device.Compute([&](auto in, auto to, TPipe& pipe) { Pad(to[0], in[0], params, Space(pipe, work), tiling); });
    *seen = device.outputs[0];
    return rule;
}

void Pads() {
    std::vector<half> seen;
    Expect("Pad on both sides breaks no rule", PadBy<half>({1, 2, 321}, PadOf(16, 13, 13), 1024, &seen, 256) == "");
    std::vector<half> expected(256, half(321));
    for (int r = 0; r < 16; ++r)
        for (int k = 0; k < 13; ++k) expected[r * 16 + 1 + k] = half(static_cast<float>(r * 13 + k));
    ExpectSame("Pad puts columns in front and behind", seen, expected);
    std::vector<float> wide;
    Expect("Pad of whole blocks breaks no rule", PadBy<float>({0, 2, -7}, PadOf(3, 16, 14), 32, &wide, 48) == "");
    auto rows = Counted<float>(48);
    for (int r = 0; r < 3; ++r) rows[r * 16 + 14] = rows[r * 16 + 15] = -7;
    ExpectSame("Pad of whole blocks sets the columns without values", wide, rows);
    Expect("operand-shape: Pad past the next block",
           PadBy<half>({1, 3, 0}, PadOf(16, 13, 13), 1024, &seen, 272) == "operand-shape");
    Expect("operand-shape: Pad of whole blocks in front",
           PadBy<float>({1, 0, 0}, PadOf(3, 16, 14), 1024, &wide, 48) == "operand-shape");
    Expect("operand-shape: a source of no whole blocks",
           PadBy<half>({0, 1, 0}, PadOf(3, 15, 15), 1024, &seen, 48) == "operand-shape");
    Expect("out-of-buffer: Pad with less than the query's minimum",
           PadBy<half>({0, 1, 0}, PadOf(16, 15, 15), 992, &seen, 256) == "out-of-buffer");
}

void UnPads() {
    UnPadTiling tiling;
    tiling.srcHeight = 4;
    tiling.srcWidth = 16;
    const auto drop = [&](uint16_t right, std::vector<float>* seen) {
        Device<float> device({Counted<float>(64)}, {64});
        const std::string rule = device.Compute([&](auto in, auto to, TPipe&) {
            Duplicate(to[0], -1.0f, 64);
            UnPadParams params{0, right};
            UnPad(to[0], in[0], params, tiling);
        });
        *seen = device.outputs[0];
        seen->resize(4 * 13);
        return rule;
    };
    std::vector<float> seen, expected;
    // What stands behind the result is as nobody wrote it, so the launch ends where it is copied out.
    Expect("UnPad leaves nothing behind its result", drop(3, &seen) == "read-unwritten" || seen.size() == 52);
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < 13; ++k) expected.push_back(static_cast<float>(r * 16 + k));
    ExpectSame("UnPad drops columns", seen, expected);
    Expect("operand-shape: UnPad of nothing", drop(0, &seen) == "operand-shape");
    Expect("operand-shape: UnPad of a block", drop(8, &seen) == "operand-shape");
}

/// Where [.., r, k] of `rows` x `columns` stands: plainly, or in fractals.
size_t Fractal(size_t rows, size_t, size_t r, size_t k) { return k / 16 * ((rows + 15) / 16 * 256) + r * 16 + k % 16; }

ConfusionTransposeTiling TransposeOf(uint32_t kind, uint32_t b, uint32_t n, uint32_t s, uint32_t part) {
    ConfusionTransposeTiling t;
    t.param0 = kind;
    t.param1 = b;
    t.param2 = n;
    t.param3 = s;
    t.param4 = part;
    return t;
}

constexpr uint32_t kBatches = 2, kHeads = 16, kRows = 32, kPart = 16, kAll = kBatches * kHeads * kRows * kPart;

/// src and dst offsets of [b, n, s, k].
using Place = size_t (*)(size_t b, size_t n, size_t s, size_t k);
size_t ApartNz(size_t b, size_t n, size_t s, size_t k) {
    return (b * kHeads + n) * kRows * kPart + Fractal(kRows, kPart, s, k);
}
size_t JoinedNz(size_t b, size_t n, size_t s, size_t k) {
    return b * kHeads * kRows * kPart + Fractal(kRows, kHeads * kPart, s, n * kPart + k);
}
size_t SwappedNz(size_t b, size_t n, size_t s, size_t k) {
    return (b * kRows + s) * kHeads * kPart + Fractal(kHeads, kPart, n, k);
}
size_t SwappedNd(size_t b, size_t n, size_t s, size_t k) { return ((b * kRows + s) * kHeads + n) * kPart + k; }
size_t ApartNd(size_t b, size_t n, size_t s, size_t k) { return ((b * kHeads + n) * kRows + s) * kPart + k; }
size_t JoinedNd(size_t b, size_t n, size_t s, size_t k) { return (b * kRows + s) * kHeads * kPart + n * kPart + k; }

void Kind(uint32_t kind, Place from, Place to) {
    const auto x = Counted<int32_t>(kAll);
    std::vector<int32_t> expected(kAll);
    for (size_t b = 0; b < kBatches; ++b)
        for (size_t n = 0; n < kHeads; ++n)
            for (size_t s = 0; s < kRows; ++s)
                for (size_t k = 0; k < kPart; ++k) expected[to(b, n, s, k)] = x[from(b, n, s, k)];
    Device<int32_t> device({x}, {kAll});
    const std::string name = "Transpose of kind " + std::to_string(kind);
    const std::string rule = device.Compute([&](auto in, auto out, TPipe&) {
        auto tiling = TransposeOf(kind, kBatches, kHeads, kRows, kPart);
        Transpose(out[0], in[0], static_cast<TransposeType>(kind), tiling);
    });
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, device.outputs[0], expected);
}

std::string KindRule(uint32_t kind, ConfusionTransposeTiling tiling) {
    Device<half> device({Counted<half>(1024)}, {1024});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        Duplicate(out[0], half(0), 1024);
        Transpose(out[0], in[0], Space(pipe, 1024), static_cast<TransposeType>(kind), tiling);
    });
}

void Transposes() {
    Kind(1, ApartNz, SwappedNd);
    Kind(2, ApartNz, SwappedNz);
    Kind(3, JoinedNz, ApartNz);
    Kind(4, JoinedNz, ApartNd);
    Kind(5, ApartNz, JoinedNd);
    Kind(6, ApartNz, JoinedNz);
    const auto x = Counted<half>(32 * 16);
    std::vector<half> expected(x.size());
    for (int r = 0; r < 32; ++r)
        for (int k = 0; k < 16; ++k) expected[k * 32 + r] = x[r * 16 + k];
    Device<half> device({x}, {x.size()});
    Expect("Transpose of [H, W] breaks no rule", device.Compute([&](auto in, auto out, TPipe&) {
        auto tiling = TransposeOf(7, 32, 16, 0, 0);
        Transpose(out[0], in[0], TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
    }) == "");
    ExpectSame("Transpose of [H, W]", device.outputs[0], expected);
    Expect("operand-shape: [H, W] that are no multiples of 16",
           KindRule(7, TransposeOf(7, 24, 16, 0, 0)) == "operand-shape");
    Expect("operand-shape: a tiling of another kind", KindRule(7, TransposeOf(1, 1, 1, 32, 16)) == "operand-shape");
    Expect("unsupported-api: a kind of another device",
           KindRule(13, TransposeOf(13, 32, 16, 0, 0)) == "unsupported-api");
    Expect("out-of-buffer: the last axis split with less temporary memory than the query says",
           KindRule(3, TransposeOf(3, 1, 2, 16, 16)) == "" && KindRule(3, TransposeOf(3, 1, 1, 16, 16)) == "");
}

/// Both sizes and the width of an element decide whether ND2ND_B16 fits.
void Squares() {
    const auto rule = [](uint16_t h, uint16_t w) {
        Device<uint16_t> device({std::vector<uint16_t>(1024, 3)}, {1024});
        return device.Compute([&](auto in, auto out, TPipe& pipe) {
            Duplicate(out[0], uint16_t(0), 1024);
            Transpose(out[0], in[0], Space(pipe, 1024),
                      TransposeParamsExt(1, 1, h, w, TransposeType::TRANSPOSE_ND2ND_B16));
        });
    };
    for (const uint16_t h : {15, 16, 32})
        for (const uint16_t w : {15, 16, 32}) {
            const std::string expected = h == 16 && w == 16 ? "" : "operand-shape";
            Expect("ND2ND_B16 of " + std::to_string(h) + " x " + std::to_string(w), rule(h, w) == expected, rule(h, w));
        }
}

/// Each kind reads all of its matrices, and no byte more.
void Sources() {
    for (const uint32_t kind : {1u, 2u, 3u, 4u, 5u, 6u})
        for (const bool less : {false, true}) {
            Device<int32_t> device({Counted<int32_t>(8)}, {8});
            const auto rule = device.Compute([&](auto, auto out, TPipe& pipe) {
                Duplicate(out[0], 0, 8);
                TBuf<> from, to;
                const uint32_t bytes = kAll * 4 - (less ? 32 : 0);
                pipe.InitBuffer(to, kAll * 4);
                pipe.InitBuffer(from, bytes);
                Duplicate(from.Get<int32_t>(), 1, static_cast<int32_t>(bytes / 4));
                PipeBarrier<PIPE_ALL>();
                auto tiling = TransposeOf(kind, kBatches, kHeads, kRows, kPart);
                Transpose(to.Get<int32_t>(), from.Get<int32_t>(), static_cast<TransposeType>(kind), tiling);
            });
            const std::string name = "Transpose of kind " + std::to_string(kind);
            Expect(name + (less ? " of a block less" : " of just its source"), rule == (less ? "out-of-buffer" : ""),
                   rule);
        }
}

/// Each kind wants room for all of its matrices.
void Rooms() {
    for (const uint32_t kind : {1u, 2u, 3u, 4u, 5u, 6u})
        for (const bool less : {false, true}) {
            Device<int32_t> device({Counted<int32_t>(kAll)}, {8});
            const auto rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
                Duplicate(out[0], 0, 8);
                auto tiling = TransposeOf(kind, kBatches, kHeads, kRows, kPart);
                TBuf<> to;
                pipe.InitBuffer(to, kAll * 4 - (less ? 32 : 0));
                Transpose(to.Get<int32_t>(), in[0], static_cast<TransposeType>(kind), tiling);
            });
            Expect("Transpose of kind " + std::to_string(kind) + (less ? " with a block less" : " with just the room"),
                   rule == (less ? "out-of-buffer" : ""), rule);
        }
}

/// Matrices in columns of 16 in UB to rows in GM, with every stride at its least and at more.
void ToRows() {
    struct Case {
        uint16_t nd, n, d, matrix, column, row, step;
        const char* rule;
    };
    const std::vector<Case> cases = {
        {1, 16, 32, 1, 16, 32, 1, ""},
        {2, 16, 32, 2, 16, 40, 640, ""},
        {3, 8, 16, 1, 16, 16, 128, ""},
        {2, 5, 48, 2, 20, 48, 240, ""},
        {1, 16, 16, 512, 16, 16, 1, ""},
        {1, 16, 32, 0, 16, 32, 1, "copy-params"},
        {1, 16, 32, 513, 16, 32, 1, "copy-params"},
        {1, 16, 32, 1, 4097, 32, 1, "copy-params"},
        {1, 16, 32, 1, 16, 15, 1, "copy-params"},
        {1, 16, 32, 1, 16, 32, 0, "copy-params"},
        {1, 0, 32, 1, 16, 32, 1, "copy-params"},
        {1, 16, 24, 1, 16, 32, 1, "copy-params"},
        {1, 16, 0, 1, 16, 32, 1, "copy-params"},
    };
    for (const Case& p : cases) {
        std::vector<half> x(2048), y(2048, half(-1)), expected = y;
        for (size_t i = 0; i < x.size(); ++i) x[i] = half(static_cast<float>(i));
        for (uint32_t i = 0; i < p.nd && *p.rule == 0; ++i)
            for (uint32_t n = 0; n < p.n; ++n)
                for (uint32_t d = 0; d < p.d; ++d)
                    expected[i * p.step + n * p.row + d] = x[(i * p.matrix * 16 + d / 16 * p.column + n) * 16 + d % 16];
        const std::string rule = RuleBroken(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), x.size() * 2},
             {"y", twin::Role::kInOut, (uint8_t*)y.data(), y.size() * 2}},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<TPosition::VECOUT> buffer;
                pipe.InitBuffer(buffer, 4096);
                GlobalTensor<half> from, to;
                from.SetGlobalBuffer((__gm__ half*)args[0]);
                to.SetGlobalBuffer((__gm__ half*)args[1]);
                DataCopy(buffer.Get<half>(), from, 2048);
                PipeBarrier<PIPE_ALL>();
                DataCopy(to, buffer.Get<half>(), Nz2NdParamsFull(p.nd, p.n, p.d, p.matrix, p.column, p.row, p.step));
            });
        const std::string name = "columns to rows, case " + std::to_string(&p - cases.data());
        Expect(name + (*p.rule == 0 ? " breaks no rule" : " breaks copy-params"), rule == p.rule, rule);
        if (*p.rule == 0) ExpectSame(name, y, expected);
    }
}

std::string Image(TransposeParamsExt params, uint32_t work, std::vector<float>* seen) {
    Device<float> device({Counted<float>(2 * 3 * 16)}, {2 * 3 * 16});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        Duplicate(out[0], 5.0f, 96);
        PipeBarrier<PIPE_V>();
        Transpose(out[0], in[0], Space(pipe, work), params);
    });
    *seen = device.outputs[0];
    return rule;
}

void Images() {
    const auto x = Counted<float>(96);
    std::vector<float> last(96), first(96), seen;
    for (int n = 0; n < 2; ++n)
        for (int c = 0; c < 3; ++c)
            for (int p = 0; p < 16; ++p) {
                last[(n * 16 + p) * 3 + c] = x[(n * 3 + c) * 16 + p];
                first[(n * 3 + c) * 16 + p] = x[(n * 16 + p) * 3 + c];
            }
    Expect("NCHW to NHWC breaks no rule",
           Image({2, 3, 2, 8, TransposeType::TRANSPOSE_NCHW2NHWC}, 5 * 16 * 32, &seen) == "");
    ExpectSame("NCHW to NHWC", seen, last);
    Expect("NHWC to NCHW breaks no rule",
           Image({2, 3, 4, 4, TransposeType::TRANSPOSE_NHWC2NCHW}, 7 * 16 * 32, &seen) == "");
    ExpectSame("NHWC to NCHW", seen, first);
    Expect("an empty axis writes nothing",
           Image({2, 0, 4, 4, TransposeType::TRANSPOSE_NHWC2NCHW}, 512, &seen) == "" && seen[0] == 5.0f);
    Expect("out-of-buffer: temporary memory of one block less",
           Image({2, 3, 4, 4, TransposeType::TRANSPOSE_NHWC2NCHW}, 7 * 16 * 32 - 32, &seen) == "out-of-buffer");
    Expect("operand-shape: a plane of no whole blocks",
           Image({2, 3, 2, 7, TransposeType::TRANSPOSE_NCHW2NHWC}, 4096, &seen) == "operand-shape");
}

constexpr TransDataConfig kToBlocks = {DataFormat::NCDHW, DataFormat::NDC1HWC0};
constexpr TransDataConfig kFromBlocks = {DataFormat::NDC1HWC0, DataFormat::NCDHW};
constexpr TransDataConfig kToFractals = {DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D};
constexpr TransDataConfig kFromFractals = {DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};

constexpr int kN = 3, kC = 18, kD = 2, kH = 3, kW = 5, kPlane = 16, kBlocks = 2;

size_t PlainAt(int n, int c, int d, int p) { return ((n * kC + c) * kD + d) * kPlane + p; }
size_t BlocksAt(int n, int c, int d, int p) { return (((n * kD + d) * kBlocks + c / 16) * kH * kW + p) * 16 + c % 16; }
size_t FractalsAt(int n, int c, int d, int p) {
    return (((d * kBlocks + c / 16) * kH * kW + p) * 16 + n) * 16 + c % 16;
}

template <const TransDataConfig& config, typename Other>
void Between(const std::string& name, const Other& other, size_t size, size_t (*at)(int, int, int, int),
             uint32_t work) {
    const auto plain = MakeLayout(MakeShape(kN, kC, kD, kH, kW), MakeStride());
    const size_t plainSize = kN * kC * kD * kPlane;
    constexpr bool from = config.srcFormat == DataFormat::NCDHW;
    const auto x = Counted<half>(from ? plainSize : size);
    Device<half> device({x}, {from ? size : plainSize});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        if constexpr (from) {
            TransDataParams<decltype(plain), Other> params{plain, other};
            TransData<config>(out[0], in[0], Space(pipe, work), params);
        } else {
            // Padding of planes is as nobody wrote it.
            TBuf<> result;
            pipe.InitBuffer(result, static_cast<uint32_t>(plainSize) * 2);
            TransDataParams<Other, decltype(plain)> params{other, plain};
            TransData<config>(result.Get<half>(), in[0], Space(pipe, work), params);
            for (int i = 0; i < kN * kC * kD; ++i)
                for (int p = 0; p < kPlane; ++p)
                    out[0].SetValue(i * kPlane + p,
                                    p < kH * kW ? result.Get<half>().GetValue(i * kPlane + p) : half(0));
        }
    });
    Expect(name + " breaks no rule", rule.empty(), rule);
    std::vector<half> expected(from ? size : plainSize, half(0));
    for (int n = 0; n < kN; ++n)
        for (int c = 0; c < kC; ++c)
            for (int d = 0; d < kD; ++d)
                for (int p = 0; p < kH * kW; ++p) {
                    const size_t a = PlainAt(n, c, d, p), b = at(n, c, d, p);
                    expected[from ? b : a] = x[from ? a : b];
                }
    ExpectSame(name, device.outputs[0], expected);
}

void Formats() {
    const auto blocks = MakeLayout(MakeShape(kN, kD, kBlocks, kH, kW, 16), MakeStride());
    const auto fractals = MakeLayout(MakeShape(kD, kBlocks, kH, kW, 1, 16, 16), MakeStride());
    const uint32_t padded = kD * kBlocks * 16 * kPlane * 2;
    Between<kToBlocks>("NCDHW to NDC1HWC0", blocks, kN * kD * kBlocks * kH * kW * 16, BlocksAt,
                       padded + kD * kPlane * 2);
    Between<kFromBlocks>("NDC1HWC0 to NCDHW", blocks, kN * kD * kBlocks * kH * kW * 16, BlocksAt, padded + 512);
    Between<kToFractals>("NCDHW to FRACTAL_Z_3D", fractals, kD * kBlocks * kH * kW * 256, FractalsAt,
                         16 * padded + kC * kD * kPlane * 2);
    Between<kFromFractals>("FRACTAL_Z_3D to NCDHW", fractals, kD * kBlocks * kH * kW * 256, FractalsAt,
                           2 * 16 * padded);
    const auto plain = MakeLayout(MakeShape(kN, kC, kD, kH, kW), MakeStride()),
               wrong = MakeLayout(MakeShape(kN, 1, kD, kH, kW), MakeStride());
    Device<half> device({Counted<half>(2048)}, {3072});
    Expect("operand-shape: axes of another tensor", device.Compute([&](auto in, auto out, TPipe& pipe) {
        Duplicate(out[0], half(0), 3072);
        TransDataParams<decltype(wrong), decltype(blocks)> params{wrong, blocks};
        TransData<kToBlocks>(out[0], in[0], Space(pipe, 8192), params);
    }) == "operand-shape");
    (void)plain;
}

void Coordinates() {
    const auto layout = MakeLayout(MakeShape(10, 20, 3), MakeStride(60, 3, 1));
    const Coord<int, int, int> coord = MakeCoord(2, 5, 1);
    Expect("a Layout gives the place of a Coord", layout(coord) == 136 && Crd2Idx(coord, layout) == 136);
    Expect("Get gives a number of a Coord", Get<1>(coord) == 5);
    const auto known = MakeLayout(MakeShape(Std::Int<4>{}, Std::Int<6>{}), MakeStride(Std::Int<10>{}, Std::Int<1>{}));
    Expect("sizes may be constants of their types", Crd2Idx(MakeCoord(Std::Int<3>{}, Std::Int<2>{}), known) == 32);
}

}  // namespace

int main() {
    Pads();
    UnPads();
    Transposes();
    Squares();
    Sources();
    Rooms();
    ToRows();
    Images();
    Formats();
    Coordinates();
    return Finish();
}
