// Products of the cube core beside plain ones: 4-bit numbers, sparse matrices, and what later devices have.
#include <cstring>

#include "cube_kernels.h"

namespace {

/// Numbers of 4 bits, two to a byte, in fractals of 16 rows and 64 columns; of the last byte only the first.
void FourBits() {
    constexpr uint32_t m = 32, n = 16, k = 128;
    const auto left = [](uint32_t row, uint32_t at) { return static_cast<int32_t>((row * 3 + at) % 16) - 8; };
    const auto right = [](uint32_t at, uint32_t column) {
        return static_cast<int32_t>((column * 5 + at * 3) % 16) - 8;
    };
    std::vector<uint8_t> a(m * k / 2), b(n * k / 2);
    const auto put = [](std::vector<uint8_t>& to, uint32_t place, int32_t value) {
        to[place / 2] |= static_cast<uint8_t>((value & 0xf) << place % 2 * 4);
    };
    for (uint32_t at = 0; at < k; ++at) {
        for (uint32_t row = 0; row < m; ++row)
            put(a, (row / 16 * (k / 64) + at / 64) * 1024 + row % 16 * 64 + at % 64, left(row, at));
        for (uint32_t column = 0; column < n; ++column)
            put(b, at / 64 * 1024 + column * 64 + at % 64, right(at, column));
    }
    std::vector<int32_t> c(m * n), expected(m * n);
    for (uint32_t row = 0; row < m; ++row)
        for (uint32_t column = 0; column < n; ++column)
            for (uint32_t at = 0; at + 1 < k; ++at) expected[row * n + column] += left(row, at) * right(at, column);
    const std::string rule =
        RunCores({Input("a", a), Input("b", b), Output("c", c)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
            Bench bench;
            GlobalTensor<int4b_t> x, y;
            GlobalTensor<int32_t> z;
            x.SetGlobalBuffer((__gm__ int4b_t*)args[0]);
            y.SetGlobalBuffer((__gm__ int4b_t*)args[1]);
            z.SetGlobalBuffer((__gm__ int32_t*)args[2]);
            LoadData(bench.l0a.Get<int4b_t>(), x, LoadData2DParams(0, 4, 1, 0, 0, false, 0));
            LoadData(bench.l0b.Get<int4b_t>(), y, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
            PipeBarrier<PIPE_ALL>();
            Mmad(bench.l0c.Get<int32_t>(), bench.l0a.Get<int4b_t>(), bench.l0b.Get<int4b_t>(),
                 MmadParams(m, n, k - 1, 0, false, true));
            PipeBarrier<PIPE_ALL>();
            Fixpipe(z, bench.l0c.Get<int32_t>(), FixpipeParamsV220(n, m, m, n, false));
        });
    ExpectSame("Mmad of int4b_t" + rule, c, expected);
}

/// 64 x 64 numbers of 4 bits in four fractals, rows and columns swapped on the way to L0B.
void FourBitsTransposed() {
    std::vector<uint8_t> in(2048), out(2048), expected(2048);
    for (uint32_t i = 0; i < 4096; ++i) {
        const uint8_t value = (i * 7 + i / 64 * 3) % 16;
        in[i / 2] |= static_cast<uint8_t>(value << i % 2 * 4);
        const uint32_t place = i % 64 * 64 + i / 64;
        expected[place / 2] |= static_cast<uint8_t>(value << place % 2 * 4);
    }
    const auto run = [&](bool toLeft) {
        return RunCores({Input("in", in), Output("out", out)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
            Bench bench;
            GlobalTensor<int8_t> x;
            x.SetGlobalBuffer((__gm__ int8_t*)args[0]);
            DataCopy(bench.l1.Get<int8_t>(), x, 2048);
            PipeBarrier<PIPE_ALL>();
            const auto to = toLeft ? bench.l0a.Get<int4b_t>() : bench.l0b.Get<int4b_t>();
            LoadDataWithTranspose(to, bench.l1.Get<int4b_t>(), LoadData2dTransposeParams(0, 1, 1, 0, 0));
            std::memcpy(out.data(), (const void*)to.GetPhyAddr(), out.size());
        });
    };
    run(false);
    ExpectSame("LoadDataWithTranspose of int4b_t", out, expected);
    Expect("wrong-position: to L0A", run(true) == "wrong-position");
}

/// Two of every four rows of B, and indices that tell which.
void Sparse(uint32_t change, const std::string& broken) {
    constexpr uint32_t m = 16, n = 16, k = 64;
    const int32_t first[] = {0, 1, 0, 2, 1, 0}, second[] = {0, 1, 2, 2, 2, 1};
    std::vector<int8_t> a(m * k), dense(k / 2 * n);
    std::vector<uint8_t> index(k / 2 * n / 4);
    std::vector<int32_t> c(m * n), expected(m * n);
    for (uint32_t i = 0; i < a.size(); ++i) a[i] = static_cast<int8_t>(i * 7 % 23) - 11;
    for (uint32_t column = 0; column < n; ++column) {
        for (uint32_t half = 0; half < k / 2; ++half) {
            const uint32_t pattern = (column + half / 2) % 6, place = column * 32 + half;
            const int32_t number = half % 2 == 0 ? first[pattern] : second[pattern];
            dense[place] = static_cast<int8_t>(place * 5 % 19) - 9;
            index[place / 4] |= static_cast<uint8_t>(number << place % 4 * 2);
            const uint32_t at = half / 2 * 4 + half % 2 + static_cast<uint32_t>(number);
            for (uint32_t row = 0; row < m; ++row)
                expected[row * n + column] += a[at / 32 * 512 + row * 32 + at % 32] * dense[place];
        }
    }
    if (change == 1) index[3] |= 3;
    const std::string rule = RunCores(
        {Input("a", a), Input("b", dense), Input("index", index), Output("c", c)}, twin::Cores::kCube, 1,
        [&](uint8_t** args) {
            Bench bench;
            GlobalTensor<int8_t> x, y;
            GlobalTensor<uint8_t> i;
            GlobalTensor<int32_t> z;
            x.SetGlobalBuffer((__gm__ int8_t*)args[0]);
            y.SetGlobalBuffer((__gm__ int8_t*)args[1]);
            i.SetGlobalBuffer((__gm__ uint8_t*)args[2]);
            z.SetGlobalBuffer((__gm__ int32_t*)args[3]);
            const auto numbers = bench.l1.Get<uint8_t>()[4096];
            LoadData(bench.l0a.Get<int8_t>(), x, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
            DataCopy(bench.l1.Get<int8_t>(), y, 512);
            DataCopy(numbers, i, 128);
            PipeBarrier<PIPE_ALL>();
            if (change != 2)
                LoadDataWithSparse(bench.l0b.Get<int8_t>(), bench.l1.Get<int8_t>(), numbers,
                                   LoadData2DParams(0, 1, 0, 0, 0, false, 0));
            else LoadData(bench.l0b.Get<int8_t>(), bench.l1.Get<int8_t>(), LoadData2DParams(0, 1, 1, 0, 0, false, 0));
            PipeBarrier<PIPE_ALL>();
            MmadWithSparse(bench.l0c.Get<int32_t>(), bench.l0a.Get<int8_t>(), bench.l0b.Get<int8_t>(),
                           MmadParams(m, n, change == 3 ? 32 : k, 0, false, true));
            PipeBarrier<PIPE_ALL>();
            Fixpipe(z, bench.l0c.Get<int32_t>(), FixpipeParamsV220(n, m, m, n, false));
        });
    Expect("MmadWithSparse " + (broken.empty() ? "breaks no rule" : "breaks " + broken), rule == broken, rule);
    if (broken.empty()) ExpectSame("MmadWithSparse", c, expected);
}

void OfLaterDevices() {
    const std::string rule = RunCores({}, twin::Cores::kCube, 1, [](uint8_t**) {
        Bench bench;
        LoadData(bench.l0a.Get<half>(), bench.l1.Get<half>(), LoadData2DParamsV2(0, 0, 1, 1, 1, 1, false, 0));
    });
    Expect("unsupported-api: LoadData with LoadData2DParamsV2", rule == "unsupported-api", rule);
}

}  // namespace

int main() {
    FourBits();
    FourBitsTransposed();
    Sparse(0, "");
    Sparse(1, "mmad-limit");
    Sparse(2, "read-unwritten");
    Sparse(3, "mmad-limit");
    OfLaterDevices();
    return Finish();
}
