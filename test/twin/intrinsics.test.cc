// Instructions named directly: the same results and checks as the functions of the API that stand for them.
#include "on_device.h"

using namespace AscendC;

namespace {

void Elementwise() {
    const auto a = Wave(128, 1), b = Wave(128, 2);
    Device<float> device({a, b}, {128, 128, 128, 128});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        __ubuf__ float *x = (__ubuf__ float*)in[0].GetPhyAddr(), *y = (__ubuf__ float*)in[1].GetPhyAddr();
        set_vector_mask(0, ~0ull);
        vadd((__ubuf__ float*)out[0].GetPhyAddr(), x, y, 2, 1, 1, 1, 8, 8, 8);
        vmuls((__ubuf__ float*)out[1].GetPhyAddr(), x, 3.0f, 2, 1, 1, 8, 8);
        vabs((__ubuf__ float*)out[2].GetPhyAddr(), x, 2, 1, 1, 8, 8);
        set_vector_mask(0, 0xff);
        vector_dup((__ubuf__ float*)out[3].GetPhyAddr(), 0.0f, 2, 1, 1, 8, 0);
        set_vector_mask(0, ~0ull);
        vmax((__ubuf__ float*)out[3].GetPhyAddr(), x, y, 2, 1, 1, 1, 8, 8, 8);
    });
    std::vector<float> sum, triple, size, larger;
    for (size_t i = 0; i < 128; ++i) {
        sum.push_back(a[i] + b[i]);
        triple.push_back(a[i] * 3.0f);
        size.push_back(std::abs(a[i]));
        larger.push_back(std::max(a[i], b[i]));
    }
    Expect("vadd, vmuls, vabs and vmax break no rule", rule.empty(), rule);
    ExpectSame("vadd", device.outputs[0], sum);
    ExpectSame("vmuls", device.outputs[1], triple);
    ExpectSame("vabs", device.outputs[2], size);
    ExpectSame("vmax", device.outputs[3], larger);
}

void Conversions() {
    const std::vector<float> x = {1.5f, 2.5f, -1.5f, -2.5f, 0.5f, 1e9f, 7, -0.5f};
    Device<float> device({x}, {8, 8});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        set_vector_mask(0, 0xff);
        vconv_f322s32r(reinterpret_cast<__ubuf__ int32_t*>(out[0].GetPhyAddr()), (__ubuf__ float*)in[0].GetPhyAddr(), 1,
                       1, 1, 8, 8);
        vconv_f322s32f(reinterpret_cast<__ubuf__ int32_t*>(out[1].GetPhyAddr()), (__ubuf__ float*)in[0].GetPhyAddr(), 1,
                       1, 1, 8, 8);
        set_vector_mask(~0ull, ~0ull);
    });
    std::vector<int32_t> nearest(8), down(8);
    std::memcpy(nearest.data(), device.outputs[0].data(), 32);
    std::memcpy(down.data(), device.outputs[1].data(), 32);
    Expect("vconv breaks no rule", rule.empty(), rule);
    ExpectSame<int32_t>("vconv_f322s32r", nearest, {2, 2, -2, -2, 0, 1000000000, 7, 0});
    ExpectSame<int32_t>("vconv_f322s32f", down, {1, 2, -2, -3, 0, 1000000000, 7, -1});
}

void Copies() {
    std::vector<uint16_t> x(40), y(40, 0);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint16_t>(i + 1);
    const auto copied = [&](uint32_t bytes, uint32_t gap) {
        return RuleBroken(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), 80}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 80}},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<> buffer;
                pipe.InitBuffer(buffer, 128);
                __ubuf__ half* ub = (__ubuf__ half*)buffer.Get<half>().GetPhyAddr();
                copy_gm_to_ubuf_align_b16(ub, (__gm__ half*)args[0], 0, 2, bytes, 0, 0, gap, 0);
                pipe_barrier(PIPE_ALL);
                copy_ubuf_to_gm_align_b16((__gm__ half*)args[1], ub, 0, 2, bytes, 0, 0, 0, 0);
            });
    };
    const std::string rule = copied(10, 6);
    Expect("copies of 10 bytes break no rule", rule.empty(), rule);
    Expect("and leave out the gap", y[0] == 1 && y[4] == 5 && y[5] == 9 && y[9] == 13 && y[10] == 0);
    Expect("gm-out-of-range: a copy far behind the input", copied(10, 600) == "gm-out-of-range", copied(10, 600));
    Expect("copy-params: half an element", copied(9, 6) == "copy-params", copied(9, 6));
}

}  // namespace

int main() {
    Elementwise();
    Conversions();
    Copies();
    return Finish();
}
