// What probes on a 910B4 showed (AscendKernelBench, pyasc-device-evidence.md): write-backs of 4 and 16 bytes vanish
// while 32 and 64 are exact (R9), and a copy behind the wrong event writes UB as it was before (R10).
#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kElements = 256;

/// The rule that ends a launch, or after "past " what a tolerant one went past; "" when none. y is set to -1 before.
std::string Outcome(std::vector<float>& y, bool tolerant,
                    std::function<void(GlobalTensor<float>, GlobalTensor<float>, LocalTensor<float>)> body) {
    static std::vector<float> x(kElements);
    for (uint32_t i = 0; i < kElements; ++i) x[i] = static_cast<float>(i);
    y.assign(kElements, -1);
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = [&](uint8_t** gm) {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, kElements * 4);
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float*)gm[0]);
        to.SetGlobalBuffer((__gm__ float*)gm[1]);
        body(from, to, buffer.Get<float>());
    };
    twin::LaunchSpec spec{1,
                          0,
                          false,
                          {{"x", twin::Role::kInput, (uint8_t*)x.data(), kElements * 4},
                           {"y", twin::Role::kWorkspace, (uint8_t*)y.data(), kElements * 4}}};
    spec.tolerant = tolerant;
    try {
        const std::string rule = twin::Launch(spec, Enter).tolerated.rule;
        return rule.empty() ? "" : "past " + rule;
    } catch (const Broke& broke) { return broke.violation.rule; }
}

template <HardEvent event>
void Through(GlobalTensor<float> x, GlobalTensor<float> y, LocalTensor<float> t, uint32_t count) {
    DataCopy(t, x, kElements);
    SetFlag<event>(0);
    WaitFlag<event>(0);
    DataCopy(y, t, count);
}

void WriteBacks() {
    std::vector<float> y;
    for (const uint32_t count : {1u, 4u, 8u, 16u}) {
        const auto body = [count](auto from, auto to, auto t) { Through<HardEvent::MTE2_MTE3>(from, to, t, count); };
        const std::string name = "a write-back of " + std::to_string(count * 4) + " bytes";
        const bool whole = count % 8 == 0;
        const std::string strict = Outcome(y, false, body);
        Expect(name + (whole ? " is legal" : " is refused"), strict == (whole ? "" : "unaligned-copy"), strict);
        const std::string tolerated = Outcome(y, true, body);
        Expect(name + (whole ? " is exact" : " vanishes where it is tolerated"),
               tolerated == (whole ? "" : "past unaligned-copy") && y[0] == (whole ? 0.0f : -1.0f) &&
                   y[count - 1] == (whole ? static_cast<float>(count - 1) : -1.0f) && y[count] == -1,
               tolerated);
    }
}

void Events() {
    std::vector<float> y;
    const std::string right =
        Outcome(y, false, [](auto from, auto to, auto t) { Through<HardEvent::MTE2_MTE3>(from, to, t, kElements); });
    Expect("MTE2_MTE3 between copying in and out", right.empty() && y[255] == 255, right);
    const auto wrong = [](auto from, auto to, auto t) { Through<HardEvent::MTE2_V>(from, to, t, kElements); };
    Expect("pipe-hazard: MTE2_V there, which holds back another pipe", Outcome(y, false, wrong) == "pipe-hazard");
    const std::string past = Outcome(y, true, wrong);
    Expect("and a launch that tolerates it tells so", past == "past pipe-hazard", past);
    const auto other = [](auto from, auto to, auto t) {
        DataCopy(t, from, kElements);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(1);
        DataCopy(to, t, kElements);
    };
    Expect("wait-without-set: the right event with another id",
           Outcome(y, false, other) == "wait-without-set" && Outcome(y, true, other) == "wait-without-set");
}

}  // namespace

int main() {
    WriteBacks();
    Events();
    return Finish();
}
