// LoadData of feature maps: convolutions and plain matrices against plain loops, and its rules.
#include <cstdlib>

#include "expect.h"

using namespace AscendC;

namespace {

template <typename T>
std::vector<T> Numbers(size_t count, int seed) {
    std::vector<T> numbers(count);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = static_cast<T>(static_cast<float>(static_cast<int>((i * 7 + i / 5 * 3 + seed) % 17) - 8));
    return numbers;
}
uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

using Kernel = std::function<void(uint8_t**)>;
std::string RunCube(std::vector<twin::GmArg> args, Kernel kernel) {
    kernel_ = std::move(kernel);
    return RuleOfLaunch([&] { twin::Launch({1, 0, false, std::move(args), twin::Cores::kCube, Enter}, Enter); });
}

/// Memories of a cube core; the left matrix in the first half of L1, the right one in the second.
template <typename T>
struct Bench {
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
    LocalTensor<T> left, right, a, b;
    LocalTensor<float> c;
    Bench() {
        pipe.InitBuffer(l1, 512 * 1024);
        pipe.InitBuffer(l0a, 64 * 1024);
        pipe.InitBuffer(l0b, 64 * 1024);
        pipe.InitBuffer(l0c, 128 * 1024);
        left = l1.template Get<T>();
        right = l1.template Get<uint8_t>()[256 * 1024].template ReinterpretCast<T>();
        a = l0a.template Get<T>();
        b = l0b.template Get<T>();
        c = l0c.template Get<float>();
    }
};

/// Rows of GM to columns of 32 bytes in L1, their number rounded up to 16.
template <typename T>
void ToL1(const LocalTensor<T>& dst, uint8_t* address, uint32_t rows, uint32_t columns) {
    GlobalTensor<T> src;
    src.SetGlobalBuffer((__gm__ T*)address);
    DataCopy(dst, src, Nd2NzParams(1, rows, columns, 0, columns, Up(rows, 16), 1, 0));
}

/// A matrix of rows x columns in L1 as a map of one row of pixels.
template <typename T>
LoadData3DParamsV2<T> PlainMatrix(uint32_t rows, uint32_t columns, bool transpose) {
    LoadData3DParamsV2<T> p;
    p.l1H = 1;
    p.l1W = Up(rows, 16);
    p.channelSize = p.kExtension = Up(columns, 32 / sizeof(T));
    p.mExtension = Up(rows, 16);
    p.enTranspose = transpose;
    return p;
}

using Params = std::vector<twin::GmArg>;
template <typename T>
Params Arguments(std::vector<T>& a, std::vector<T>& b, std::vector<float>& c) {
    return {{"a", twin::Role::kInput, (uint8_t*)a.data(), a.size() * sizeof(T)},
            {"b", twin::Role::kInput, (uint8_t*)b.data(), b.size() * sizeof(T)},
            {"c", twin::Role::kOutput, (uint8_t*)c.data(), c.size() * 4}};
}

template <typename T>
void MultiplyOut(Bench<T>& bench, uint8_t* out, uint32_t m, uint32_t n, uint32_t k, bool wholeSquares = false) {
    PipeBarrier<PIPE_ALL>();
    MmadParams p(m, n, k, 0, false, true);
    p.kDirectionAlign = wholeSquares;
    Mmad(bench.c, bench.a, bench.b, p);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> c;
    c.SetGlobalBuffer((__gm__ float*)out);
    Fixpipe<float, float, CFG_ROW_MAJOR>(c, bench.c, FixpipeParamsV220(n, m, Up(m, 16), n, false));
}

/// m x n x k with A in memory as written or transposed, and B as k x n, both through LoadData of maps.
template <typename T>
void Product(const std::string& name, uint32_t m, uint32_t n, uint32_t k, bool transposed) {
    auto a = Numbers<T>(m * k, 1), b = Numbers<T>(k * n, 5);
    std::vector<float> c(m * n, 99), expected(m * n);
    for (uint32_t i = 0; i < m; ++i)
        for (uint32_t j = 0; j < n; ++j)
            for (uint32_t l = 0; l < k; ++l)
                expected[i * n + j] +=
                    static_cast<float>(transposed ? a[l * m + i] : a[i * k + l]) * static_cast<float>(b[l * n + j]);
    const std::string rule = RunCube(Arguments(a, b, c), [&](uint8_t** args) {
        Bench<T> bench;
        transposed ? ToL1(bench.left, args[0], k, m) : ToL1(bench.left, args[0], m, k);
        ToL1(bench.right, args[1], k, n);
        PipeBarrier<PIPE_ALL>();
        LoadData(bench.a, bench.left, transposed ? PlainMatrix<T>(k, m, true) : PlainMatrix<T>(m, k, false));
        LoadData(bench.b, bench.right, PlainMatrix<T>(k, n, false));
        // Transposed floats come in pairs of fractals along k.
        MultiplyOut(bench, args[2], m, n, k, transposed && sizeof(T) == 4);
    });
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, c, expected);
}

struct Convolution {
    uint32_t channels, height, width, filterH, filterW, stride, dilation, pad, outputs;
    uint32_t rows(uint32_t size, uint32_t filter) const {
        return (size + 2 * pad - (filter - 1) * dilation - 1) / stride + 1;
    }
};

/// Loads of the rows of a convolution's matrix, in one call or as a call that repeats.
void Convolve(const std::string& name, const Convolution& s, uint32_t repeats) {
    const uint32_t k = s.channels * s.filterH * s.filterW, high = s.rows(s.height, s.filterH),
                   wide = s.rows(s.width, s.filterW), m = high * wide;
    auto map = Numbers<half>(s.channels * s.height * s.width, 1), filter = Numbers<half>(k * s.outputs, 5);
    std::vector<float> c(m * s.outputs, 99), expected(m * s.outputs);
    for (uint32_t i = 0; i < m; ++i)
        for (uint32_t j = 0; j < k; ++j) {
            const uint32_t c1 = j / (s.filterH * s.filterW * 16), at = j / 16 % (s.filterH * s.filterW);
            const int y = static_cast<int>(i / wide * s.stride + at / s.filterW * s.dilation) - static_cast<int>(s.pad),
                      x = static_cast<int>(i % wide * s.stride + at % s.filterW * s.dilation) - static_cast<int>(s.pad);
            const bool inside = y >= 0 && x >= 0 && y < static_cast<int>(s.height) && x < static_cast<int>(s.width);
            const float pixel =
                inside ? static_cast<float>(map[((c1 * s.height + y) * s.width + x) * 16 + j % 16]) : 3.0f;
            for (uint32_t o = 0; o < s.outputs; ++o)
                expected[i * s.outputs + o] += pixel * static_cast<float>(filter[j * s.outputs + o]);
        }
    const std::string rule = RunCube(Arguments(map, filter, c), [&](uint8_t** args) {
        Bench<half> bench;
        GlobalTensor<half> source;
        source.SetGlobalBuffer((__gm__ half*)args[0]);
        DataCopy(bench.left, source, static_cast<uint32_t>(map.size()));
        ToL1(bench.right, args[1], k, s.outputs);
        PipeBarrier<PIPE_ALL>();
        const auto pad = static_cast<uint8_t>(s.pad);
        const uint8_t pads[4] = {pad, pad, pad, pad};
        LoadData3DParamsV2<half> p(pads, s.height, s.width, s.channels, k / repeats, Up(m, 16), 0, 0, s.stride,
                                   s.stride, s.filterW, s.filterH, s.dilation, s.dilation, false, false, half(3.0f));
        SetLoadDataRepeat(LoadDataRepeatParam(k / repeats / 16, repeats, 1));
        LoadData(bench.a, bench.left, p);
        SetLoadDataRepeat(LoadDataRepeatParam());
        LoadData(bench.b, bench.right, PlainMatrix<half>(k, s.outputs, false));
        MultiplyOut(bench, args[2], m, s.outputs, k);
    });
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, c, expected);
}

/// A matrix that runs over the boundary goes on at the start of L1.
void Wraps() {
    auto a = Numbers<half>(32 * 16, 1), b = Numbers<half>(16 * 16, 5);
    std::vector<float> c(32 * 16, 99), expected(32 * 16);
    for (uint32_t i = 0; i < 32; ++i)
        for (uint32_t j = 0; j < 16; ++j)
            for (uint32_t l = 0; l < 16; ++l)
                expected[i * 16 + j] +=
                    static_cast<float>(a[(i + 16) % 32 * 16 + l]) * static_cast<float>(b[l * 16 + j]);
    const std::string rule = RunCube(Arguments(a, b, c), [&](uint8_t** args) {
        Bench<half> bench;
        ToL1(bench.left, args[0], 32, 16);
        ToL1(bench.right, args[1], 16, 16);
        PipeBarrier<PIPE_ALL>();
        LoadData(bench.b, bench.right, PlainMatrix<half>(16, 16, false));
        SetLoadDataBoundary(1024);
        LoadData(bench.a, bench.left[256], PlainMatrix<half>(32, 16, false));
        SetLoadDataBoundary(0);
        MultiplyOut(bench, args[2], 32, 16, 16);
    });
    Expect("a matrix over the boundary breaks no rule", rule.empty(), rule);
    ExpectSame("a matrix over the boundary", c, expected);
}

void Trips(const std::string& rule, const std::string& name, std::function<void(LoadData3DParamsV2<half>&)> change,
           bool settled = true, bool swapped = false) {
    auto a = Numbers<half>(64 * 64, 1), b = a;
    std::vector<float> c(1);
    const std::string seen = RunCube(Arguments(a, b, c), [&](uint8_t** args) {
        Bench<half> bench;
        ToL1(bench.left, args[0], 64, 64);
        if (settled) PipeBarrier<PIPE_ALL>();
        auto p = PlainMatrix<half>(64, 64, false);
        change(p);
        swapped ? LoadData(bench.left, bench.a, p) : LoadData(bench.a, bench.left, p);
    });
    Expect((rule.empty() ? "legal: " : rule + ": ") + name, seen == rule,
           seen.empty() ? "no rule broken" : "broke " + seen);
}

}  // namespace

int main() {
    Product<half>("half", 48, 32, 64, false);
    Product<half>("half with tails", 30, 40, 50, false);
    Product<half>("half, A transposed", 48, 32, 64, true);
    Product<float>("float", 32, 32, 24, false);
    Product<float>("float, A transposed", 32, 48, 40, true);
    Convolve("a filter of 3 x 3 with stride, padding and two columns of channels", {32, 7, 9, 3, 3, 2, 1, 1, 16}, 1);
    Convolve("a dilated filter of 2 x 3", {16, 8, 8, 2, 3, 1, 2, 0, 32}, 1);
    Convolve("the same in repeats along k", {16, 8, 8, 2, 3, 1, 2, 0, 32}, 3);
    Wraps();
    Trips("", "a whole matrix", [](auto&) {});
    Trips(
        "pipe-hazard", "L1 is read while MTE2 fills it", [](auto&) {}, false);
    Trips(
        "wrong-position", "from L0A to L1", [](auto&) {}, true, true);
    Trips("copy-params", "a stride of 0", [](auto& p) { p.strideW = 0; });
    Trips("copy-params", "a stride of 64", [](auto& p) { p.strideW = 64; });
    Trips("copy-params", "a vertical stride of 0", [](auto& p) { p.strideH = 0; });
    Trips("copy-params", "a vertical stride of 64", [](auto& p) { p.strideH = 64; });
    Trips("", "a vertical stride of 63", [](auto& p) { p.strideH = 63; });
    Trips("", "a stride of 63 over two pixels", [](auto& p) {
        p.strideW = 63;
        p.mExtension = 16;
        p.l1W = 64 * 15;
        p.channelSize = p.kExtension = 16;
    });
    Trips("copy-params", "a dilation of 0", [](auto& p) { p.dilationFilterW = 0; });
    Trips("copy-params", "a vertical dilation of 0", [](auto& p) { p.dilationFilterH = 0; });
    Trips("copy-params", "a map of 32768 pixels", [](auto& p) { p.l1W = 32768; });
    Trips("copy-params", "a map of 32768 rows", [](auto& p) { p.l1H = 32768; });
    Trips("copy-params", "more columns than the map unfolds to", [](auto& p) { p.kExtension = 80; });
    Trips("copy-params", "columns from 8 on", [](auto& p) { p.kStartPt = 8; });
    Trips("out-of-buffer", "more rows than L0A holds", [](auto& p) { p.mExtension = 2048; });
    Trips("", "l1W of 0 does nothing", [](auto& p) {
        p.l1W = 0;
        p.strideW = 0;
    });
    Trips("copy-params", "a boundary of 512 bytes", [](auto&) { SetLoadDataBoundary(512); });
    Trips("not-covered", "4 channels", [](auto& p) { p.channelSize = p.kExtension = 4; });
    return Finish();
}
