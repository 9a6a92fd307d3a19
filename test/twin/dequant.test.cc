// Integers to floating numbers by a scale, against plain loops.
#include "on_device.h"

using namespace AscendC;

namespace {

constexpr uint32_t kRows = 3, kColumns = 8, kUsed = 5;

std::vector<int32_t> Numbers() {
    std::vector<int32_t> v(kRows * kColumns);
    for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int32_t>(i * 37) - 300;
    return v;
}

template <typename T>
void ByTensor(const std::string& type, double tolerance) {
    std::vector<float> scales = {0.5f, 2, -1, 0.25f, 3};
    const auto x = Numbers();
    std::vector<double> expected;
    for (uint32_t r = 0; r < kRows; ++r)
        for (uint32_t i = 0; i < kUsed; ++i) expected.push_back(x[r * kColumns + i] * static_cast<double>(scales[i]));
    std::vector<float> seen;
    Device<int32_t> device({x}, {kColumns});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> result, scale, work;
        pipe.InitBuffer(result, kRows * 32);
        pipe.InitBuffer(scale, 64);
        pipe.InitBuffer(work, (72 + 2 * kColumns) * 4);
        LocalTensor<T> to = result.Get<T>();
        LocalTensor<uint64_t> wide = scale.Get<uint64_t>();
        LocalTensor<float> narrow = scale.Get<float>();
        for (uint32_t i = 0; i < kUsed; ++i) {
            uint32_t bits;
            std::memcpy(&bits, &scales[i], 4);
            if constexpr (std::is_same_v<T, half>) wide.SetValue(i, bits | uint64_t(1) << 46);
            else narrow.SetValue(i, scales[i]);
        }
        if constexpr (std::is_same_v<T, half>)
            AscendDequant(to, in[0], wide, work.Get<uint8_t>(), {kRows, kColumns, kUsed});
        else AscendDequant(to, in[0], narrow, work.Get<uint8_t>(), {kRows, kColumns, kUsed});
        for (uint32_t r = 0; r < kRows; ++r)
            for (uint32_t i = 0; i < kUsed; ++i)
                seen.push_back(static_cast<float>(to.GetValue(r * 32 / sizeof(T) + i)));
        Duplicate(out[0], 0, kColumns);
    });
    Expect("AscendDequant to " + type + " breaks no rule", rule.empty(), rule);
    ExpectNear("AscendDequant to " + type, seen, expected, tolerance);
}

std::string ByScalar(DequantParams params, uint32_t readFrom, float* seen) {
    Device<int32_t> device({Numbers()}, {kColumns});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> result;
        pipe.InitBuffer(result, 128);
        LocalTensor<float> to = result.Get<float>();
        AscendDequant(to, in[0], 0.5f, params);
        *seen = to.GetValue(readFrom);
        Duplicate(out[0], 0, kColumns);
    });
}

}  // namespace

int main() {
    ByTensor<float>("float", 1e-6);
    ByTensor<half>("half", 1e-3);
    ByTensor<bfloat16_t>("bfloat16_t", 1e-2);
    float seen = 0;
    Expect("by a scalar", ByScalar({kRows, kColumns, kUsed}, 4, &seen) == "" && seen == -76.0f, std::to_string(seen));
    Expect("read-unwritten: what lies behind calCount",
           ByScalar({kRows, kColumns, kUsed}, 5, &seen) == "read-unwritten");
    Expect("a single row of two times calCount is two rows", ByScalar({1, 16, 8}, 15, &seen) == "" && seen == 127.5f,
           std::to_string(seen));
    Expect("reduce-shape: calCount over n", ByScalar({kRows, kColumns, 9}, 0, &seen) == "reduce-shape");
    return Finish();
}
