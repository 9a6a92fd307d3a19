// What a tolerant launch goes past, and what lies behind tensors.
#include <algorithm>
#include <cstdlib>

#include "rules.h"

using namespace AscendC;

namespace {

/// What a tolerant launch went past, y when it is told.
std::string Tolerated(std::vector<float>& x, std::vector<float>& y, std::function<void(Bench&)> kernel) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = [&](uint8_t** args) {
        Bench bench(args);
        kernel(bench);
    };
    twin::LaunchSpec spec{1,
                          0,
                          false,
                          {{"x", twin::Role::kInput, (uint8_t*)x.data(), kElements * 4},
                           {"y", twin::Role::kOutput, (uint8_t*)y.data(), kElements * 4}}};
    spec.tolerant = true;
    try {
        return twin::Launch(spec, Enter).tolerated.rule;
    } catch (const Broke& broke) { return "ended by " + broke.violation.rule; }
}

/// A tolerant launch goes on behind a tensor's end, with the bytes that are the tensor's, and tells of it.
void Tolerance() {
    std::vector<float> x(kElements, 3.0f), y(2 * kElements, 1.0f);
    const std::string behind = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.y[8], r, kElements);
        b.out.FreeTensor(r);
    });
    Expect("tolerated: writing behind the output", behind == "gm-out-of-range", behind);
    Expect("what is the output's was written, and no more",
           y[7] == 1.0f && y[8] == 4.0f && y[kElements - 1] == 4.0f && y[kElements] == 1.0f);
    const std::string twice = Tolerated(x, y, [](Bench&) {
        for (int i = 0; i < 2; ++i) SetFlag<HardEvent::MTE2_V>(0);
        for (int i = 0; i < 2; ++i) WaitFlag<HardEvent::MTE2_V>(0);
    });
    Expect("tolerated: a flag set twice counts", twice == "flag-set-twice", twice);
    const std::string thrice = Tolerated(x, y, [](Bench&) {
        for (int i = 0; i < 2; ++i) SetFlag<HardEvent::MTE2_V>(0);
        for (int i = 0; i < 3; ++i) WaitFlag<HardEvent::MTE2_V>(0);
    });
    Expect("not tolerated: a wait that nothing ends", thrice == "ended by wait-without-set", thrice);
    const std::string foreign = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        b.out.FreeTensor(t);
    });
    Expect("tolerated: freed into another queue", foreign == "foreign-tensor", foreign);
    const std::string unqueued = Tolerated(x, y, [](Bench& b) {
        auto t = b.temp.Get<float>();
        b.out.FreeTensor(t);
    });
    Expect("not tolerated: a tensor of no queue freed", unqueued == "ended by foreign-tensor", unqueued);
    const std::string enqueued = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        b.out.EnQue(t);
    });
    Expect("not tolerated: another queue's tensor enqueued", enqueued == "ended by foreign-tensor", enqueued);
    const std::string spare = Tolerated(x, y, [](Bench& b) {
        TBuf<> big;
        b.pipe.InitBuffer(big, 192 * 1024);
    });
    Expect("tolerated: a buffer that goes behind UB and is not used there", spare == "ub-overflow", spare);
    const std::string used = Tolerated(x, y, [](Bench& b) {
        TBuf<> big;
        b.pipe.InitBuffer(big, 192 * 1024);
        Duplicate(big.Get<float>(), 0.0f, 8);
    });
    Expect("not tolerated: one that is, in front of the end too", used == "ended by ub-overflow", used);
    const std::string scalar = Tolerated(x, y, [](Bench& b) {
        TBuf<> big;
        b.pipe.InitBuffer(big, 192 * 1024);
        big.Get<float>().SetValue(0, 1.0f);
    });
    Expect("not tolerated: a scalar in it", scalar == "ended by ub-overflow", scalar);
    const std::string queue = Tolerated(x, y, [](Bench& b) {
        TQue<QuePosition::VECIN, 1> q;
        b.pipe.InitBuffer(q, 2, 100 * 1024);
        auto t = q.AllocTensor<float>();
        DataCopy(t, b.x, 8);
        q.FreeTensor(t);
    });
    Expect("tolerated: the tensor of a queue that lies before the one that overflows", queue == "ub-overflow", queue);
    const std::string address = Tolerated(x, y, [](Bench& b) {
        TBuf<> big;
        b.pipe.InitBuffer(big, 192 * 1024);
        big.Get<float>().GetPhyAddr();
    });
    Expect("not tolerated: its address", address == "ended by ub-overflow", address);
    y.assign(y.size(), 1.0f);
    const std::string tail = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.y, r, 15);
        DataCopy(b.y[16], r, 7);
        b.out.FreeTensor(r);
    });
    Expect("tolerated: a copy of 15 floats, which moves 8, and one of 7, which moves none",
           tail == "unaligned-copy" && y[7] == 4.0f && y[8] == 1.0f && y[16] == 1.0f, tail);
    const std::string empty = Tolerated(x, y, [](Bench& b) {
        TBuf<> none;
        b.pipe.InitBuffer(none, 0);
    });
    Expect("tolerated: a buffer without length", empty == "init-buffer", empty);
}

/// A raw address takes a buffer out of the tracking: what lies behind an input then shows by differing between the
/// orders of blocks.
void BehindAnInput() {
    std::vector<float> x(kElements, 3.0f), seen[2];
    for (const bool reverse : {false, true}) {
        std::vector<float>& y = seen[reverse];
        y.assign(kElements, 1.0f);
        Run(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), kElements * 4},
             {"y", twin::Role::kOutput, (uint8_t*)y.data(), kElements * 4}},
            [](uint8_t** args) {
                Bench b(args);
                auto r = b.out.AllocTensor<float>();
                DataCopy(r, b.x[8], kElements);
                r.GetPhyAddr();
                SetFlag<HardEvent::MTE2_MTE3>(0);
                WaitFlag<HardEvent::MTE2_MTE3>(0);
                b.Store(r);
            },
            1, reverse);
    }
    Expect("values of the input are the same in both orders",
           std::equal(seen[0].begin(), seen[0].end() - 8, seen[1].begin()));
    for (uint32_t i = kElements - 8; i < kElements; ++i)
        Expect("value " + std::to_string(i) + " behind it is another", std::memcmp(&seen[0][i], &seen[1][i], 4) != 0);
}

}  // namespace

int main() {
    Tolerance();
    BehindAnInput();
    return Finish();
}
