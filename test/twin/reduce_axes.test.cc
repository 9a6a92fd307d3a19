// Reductions of a matrix along one axis against plain loops.
#include <cmath>

#include "on_device.h"
#include "../runtime/host/reduce_tiling.cpp"

using namespace AscendC;

namespace {

constexpr uint32_t kRows = 5, kColumns = 77, kPadded = 80;

/// Rows of 77 of 80 elements; the padding holds what must not be read.
template <typename T>
std::vector<T> Matrix() {
    std::vector<T> v(kRows * kPadded, T(1e4f));
    for (uint32_t r = 0; r < kRows; ++r)
        for (uint32_t i = 0; i < kColumns; ++i)
            v[r * kPadded + i] = T(1.0f + 0.125f * static_cast<float>(static_cast<int>((r * 31 + i * 7) % 13) - 6));
    return v;
}

using Fold = double (*)(double, double);

template <typename T>
std::vector<double> Folded(bool inner, double start, Fold fold) {
    const auto m = Matrix<T>();
    std::vector<double> result(inner ? kRows : kColumns, start);
    for (uint32_t r = 0; r < kRows; ++r)
        for (uint32_t i = 0; i < kColumns; ++i) {
            double& value = result[inner ? r : i];
            value = fold(value, static_cast<double>(static_cast<float>(m[r * kPadded + i])));
        }
    return result;
}

template <typename T, typename Call>
void Along(const std::string& name, bool inner, const std::vector<double>& expected, Call call) {
    Device<T> device({Matrix<T>()}, {inner ? kRows : kColumns});
    const uint32_t shape[] = {kRows, kColumns};
    const std::string rule = device.Compute([&](auto in, auto out, TPipe&) { call(out[0], in[0], shape); });
    Expect(name + (inner ? " AR" : " RA") + " breaks no rule", rule.empty(), rule);
    ExpectNear(name + (inner ? " AR" : " RA"), device.outputs[0], expected, 1e-5);
}

double Plus(double a, double b) { return a + b; }
double Times(double a, double b) { return a * b; }
double Larger(double a, double b) { return a > b ? a : b; }
double Smaller(double a, double b) { return a < b ? a : b; }

#define BOTH(Name, T, START, FOLD)                                                                            \
    Along<T>(#Name, true, Folded<T>(true, START, FOLD),                                                       \
             [](auto d, auto s, const uint32_t* shape) { Name<T, Pattern::Reduce::AR>(d, s, shape, true); }); \
    Along<T>(#Name, false, Folded<T>(false, START, FOLD),                                                     \
             [](auto d, auto s, const uint32_t* shape) { Name<T, Pattern::Reduce::RA>(d, s, shape, true); })

/// Bytes of any value count as true; rows of 3 in blocks of 32.
void LogicalBytes() {
    std::vector<uint8_t> x(96, 9);
    const uint8_t rows[3][3] = {{1, 2, 128}, {0, 0, 0}, {0, 5, 0}};
    for (int r = 0; r < 3; ++r)
        for (int i = 0; i < 3; ++i) x[r * 32 + i] = rows[r][i];
    Device<uint8_t> device({x}, {3, 3});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        const uint32_t shape[] = {3, 3};
        ReduceAll<uint8_t, Pattern::Reduce::AR>(out[0], in[0], shape, true);
        ReduceAny<uint8_t, Pattern::Reduce::AR>(out[1], in[0], shape, true);
    });
    for (int r = 0; r < 3; ++r) {
        Expect("ReduceAll of bytes, row " + std::to_string(r) + rule, (device.outputs[0][r] != 0) == (r == 0),
               std::to_string(device.outputs[0][r]));
        Expect("ReduceAny of bytes, row " + std::to_string(r) + rule, (device.outputs[1][r] != 0) == (r != 1),
               std::to_string(device.outputs[1][r]));
    }
}

void Logical() {
    // Rows of 3 floats in blocks of 8: all, some and none other than 0.
    Device<float> device({{1, 2, 3, 0, 0, 0, 0, 0, 0, 5, 0, 9, 9, 9, 9, 9, 0, 0, 0, 9, 9, 9, 9, 9}}, {3, 3});
    device.Compute([](auto in, auto out, TPipe&) {
        const uint32_t shape[] = {3, 3};
        ReduceAll<float, Pattern::Reduce::AR>(out[0], in[0], shape, true);
        ReduceAny<float, Pattern::Reduce::AR>(out[1], in[0], shape, true);
    });
    ExpectSame<float>("ReduceAll AR", device.outputs[0], {1, 0, 0});
    ExpectSame<float>("ReduceAny AR", device.outputs[1], {1, 1, 0});
    Device<int16_t> sums({{0x7ff0, 0x0f0f, 3}, {0, 0x00ff, 1}}, {1, 1});
    sums.Compute([](auto in, auto out, TPipe&) {
        ReduceXorSum(out[0], in[0], in[1], 3);
        ReduceXorSum(out[1], in[0][0], in[1][0], 1);
    });
    ExpectSame<int16_t>("ReduceXorSum saturates", sums.outputs[0], {32767});
    ExpectSame<int16_t>("ReduceXorSum of one", sums.outputs[1], {0x7ff0});
}

void Rules() {
    const auto broken = [](uint32_t columns, uint32_t work, bool reuse, bool overlap) {
        Device<float> device({std::vector<float>(4 * 96, 1.0f)}, {4});
        return device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> shared;
            pipe.InitBuffer(shared, work);
            const uint32_t shape[] = {4, columns};
            const auto to = overlap ? in[0] : out[0];
            if (reuse) ReduceSum<float, Pattern::Reduce::AR, true>(to, in[0], shared.Get<uint8_t>(), shape, true);
            else ReduceSum<float, Pattern::Reduce::AR>(to, in[0], shared.Get<uint8_t>(), shape, true);
            if (reuse) Adds(out[0], in[0], 0.0f, 4);
        });
    };
    uint32_t most = 0, least = 0;
    GetReduceSumMaxMinTmpSize(ge::Shape({4, 96}), ge::DT_FLOAT, ReducePattern::AR, true, false, most, least);
    Expect("the host asks for half of the row's power of two", least == 4 * 64 * 4 && most == least);
    Expect("legal: that much", broken(96, least, false, false) == "", broken(96, least, false, false));
    Expect("out-of-buffer: 32 bytes less", broken(96, least - 32, false, false) == "out-of-buffer");
    Expect("reduce-shape: an empty axis", broken(0, least, false, false) == "reduce-shape");
    Expect("partial-overlap: the result over the source", broken(96, least, false, true) == "partial-overlap");
    Expect("read-unwritten: a source that was reused", broken(96, least, true, false) == "read-unwritten");
}

}  // namespace

int main() {
    BOTH(ReduceSum, float, 0, Plus);
    BOTH(ReduceProd, float, 1, Times);
    BOTH(ReduceMax, float, -1e30, Larger);
    BOTH(ReduceMin, half, 1e30, Smaller);
    std::vector<double> mean = Folded<float>(true, 0, Plus);
    for (double& v : mean) v /= kColumns;
    Along<float>("ReduceMean", true, mean, [](auto d, auto s, const uint32_t* shape) {
        ReduceMean<float, Pattern::Reduce::AR>(d, s, shape, true);
    });
    Logical();
    LogicalBytes();
    Rules();
    return Finish();
}
