// The device's compiler drops instructions of the other kind of core: on a cube core those of UB, on a vector core
// those of L1 and L0. They are not counted, move nothing and break nothing.
#include "cube_kernels.h"

namespace {

std::vector<half> x_(1024, half(1.0f)), y_(1024, half(7.0f));

using Instruction = std::function<void(GlobalTensor<half>, GlobalTensor<half>)>;

/// The instruction on one kind of core alone, in a kernel of both kinds.
void Drops(const std::string& name, bool onCube, const Instruction& run) {
    const auto kernel = [=](uint8_t** args) {
        GlobalTensor<half> from, to;
        from.SetGlobalBuffer((__gm__ half*)args[0]);
        to.SetGlobalBuffer((__gm__ half*)args[1]);
        run(from, to);
    };
    const auto nothing = [](uint8_t**) {};
    kernel_ = onCube ? Kernel(nothing) : Kernel(kernel);
    cubeKernel_ = onCube ? Kernel(kernel) : Kernel(nothing);
    auto y = y_;
    uint64_t calls = 0;
    std::string called;
    const std::string rule = RuleOfLaunch([&] {
        const auto report = twin::Launch({1,
                                          0,
                                          false,
                                          {Input("x", x_), {"y", twin::Role::kInOut, (uint8_t*)y.data(), 2048}},
                                          twin::Cores::kMix11,
                                          EnterCube},
                                         Enter);
        for (const auto& [api, count] : report.calls) calls += api == "LocalTensor" ? 0 : count, called += " " + api;
    });
    const std::string of = std::string(onCube ? "a cube" : "a vector") + " core drops " + name;
    Expect(of, rule.empty() && calls == 0, rule + " after" + called);
    Expect(of + ": nothing moves", std::memcmp(y.data(), y_.data(), 2048) == 0);
}

template <typename T = half>
LocalTensor<T> In(TPosition position, uint32_t address = 0) {
    return LocalTensor<T>(position, address, 256);
}

void OnCube() {
    const auto ub = [] { return In(TPosition::VECIN, 1024); };
    const DataCopyParams bursts(1, 4, 0, 0);
    Drops("DataCopy in", true, [=](auto x, auto) { DataCopy(ub(), x, 64); });
    Drops("DataCopy out", true, [=](auto, auto y) { DataCopy(y, ub(), 64); });
    Drops("DataCopy of bursts in", true, [=](auto x, auto) { DataCopy(ub(), x, bursts); });
    Drops("DataCopy of bursts out", true, [=](auto, auto y) { DataCopy(y, ub(), bursts); });
    Drops("DataCopy within UB", true, [=](auto, auto) { DataCopy(ub(), In(TPosition::VECOUT, 4096), 64); });
    Drops("DataCopy of bursts within UB", true,
          [=](auto, auto) { DataCopy(ub(), In(TPosition::VECOUT, 4096), bursts); });
    Drops("DataCopyPad in", true, [=](auto x, auto) {
        DataCopyPad(ub(), x, DataCopyExtParams(1, 128, 0, 0, 0), DataCopyPadExtParams<half>());
    });
    Drops("DataCopyPad out", true, [=](auto, auto y) { DataCopyPad(y, ub(), DataCopyExtParams(1, 128, 0, 0, 0)); });
    Drops("ND2NZ", true, [=](auto x, auto) { DataCopy(ub(), x, Nd2NzParams(1, 4, 16, 64, 16, 4, 1, 64)); });
    Drops("InitOutput", true, [](auto, auto y) { InitOutput(y, 64, half(0.0f)); });
    SliceInfo slices[] = {{0, 15, 0, 1, 16}};
    Drops("DataCopy of slices in", true, [=](auto x, auto) mutable { DataCopy(ub(), x, slices, slices, 1); });
    Drops("DataCopy of slices out", true, [=](auto, auto y) mutable { DataCopy(y, ub(), slices, slices, 1); });
}

void OnVector() {
    const auto l1 = [] { return In(TPosition::A1, 1024); };
    const auto l0a = [] { return In(TPosition::A2); };
    const auto l0b = [] { return In(TPosition::B2); };
    const auto l0c = [] { return In<float>(TPosition::CO1); };
    Drops("DataCopy to L1", false, [=](auto x, auto) { DataCopy(l1(), x, 64); });
    Drops("ND2NZ to L1", false, [=](auto x, auto) { DataCopy(l1(), x, Nd2NzParams(1, 4, 16, 64, 16, 4, 1, 64)); });
    Drops("LoadData", false, [=](auto, auto) { LoadData(l0a(), l1(), LoadData2DParams(0, 1, 1, 0, 0, false, 0)); });
    Drops("LoadData out of GM", false,
          [=](auto x, auto) { LoadData(l0a(), x, LoadData2DParams(0, 1, 1, 0, 0, false, 0)); });
    Drops("LoadDataWithTranspose", false,
          [=](auto, auto) { LoadDataWithTranspose(l0b(), l1(), LoadData2dTransposeParams(0, 1, 1, 0, 0)); });
    Drops("InitConstValue", false,
          [=](auto, auto) { InitConstValue(l1(), InitConstValueParams<half>(1, 1, 0, half(0.0f))); });
    Drops("Fixpipe", false, [=](auto, auto y) {
        FixpipeParamsV220 params(16, 16, 16, 16, false);
        params.quantPre = QuantMode_t::F322F16;
        Fixpipe(y, l0c(), params);
    });
    Drops("Mmad", false, [=](auto, auto) { Mmad(l0c(), l0a(), l0b(), MmadParams(16, 16, 16, 0, false, true)); });
    Drops("DataCopy to the bias table", false,
          [=](auto, auto) { DataCopy(In(TPosition::C2), l1(), DataCopyParams(1, 2, 0, 0)); });
}

}  // namespace

int main() {
    OnCube();
    OnVector();
    return Finish();
}
