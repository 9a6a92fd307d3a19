// Small functions on the scalar unit, names that came from other headers, and a TPipe that is assigned.
#include "on_device.h"

using namespace AscendC;

namespace {

std::string Rule(std::function<void()> body, bool tolerant = false) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = [&](uint8_t**) { body(); };
    twin::LaunchSpec spec{1, 0, false, {}};
    spec.tolerant = tolerant;
    try {
        const std::string rule = twin::Launch(spec, Enter).tolerated.rule;
        return rule.empty() ? "" : "past " + rule;
    } catch (const Broke& broke) { return broke.violation.rule; }
}

void Casts() {
    const std::string broke = Rule([] {
        const float x[] = {2.5f, -2.5f, 3.5f, 1e20f};
        const int32_t nearest[] = {2, -2, 4, INT32_MAX}, away[] = {3, -3, 4, INT32_MAX}, down[] = {2, -3, 3, INT32_MAX},
                      up[] = {3, -2, 4, INT32_MAX};
        bool right = true;
        for (int i = 0; i < 4; ++i) {
            right = right && Cast<float, int32_t, RoundMode::CAST_RINT>(x[i]) == nearest[i] &&
                    ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(x[i]) == away[i];
            right = right && Cast<float, int32_t, RoundMode::CAST_FLOOR>(x[i]) == down[i] &&
                    Cast<float, int32_t, RoundMode::CAST_CEIL>(x[i]) == up[i];
        }
        Expect("Cast of a float to int32_t", right);
        // 1 + 2^-10 is a half; what lies just above it becomes the odd neighbour, on either side of the middle.
        Expect("CAST_ODD to half keeps the odd one",
               float(Cast<float, half, RoundMode::CAST_ODD>(1.0f + 0x1p-13f)) == 1.0f + 0x1p-10f &&
                   float(Cast<float, half, RoundMode::CAST_ODD>(1.0f + 0x1.8p-10f)) == 1.0f + 0x1p-10f &&
                   float(Cast<float, half, RoundMode::CAST_ODD>(1.0f)) == 1.0f);
        Expect("bfloat16_t to float and back",
               Cast(bfloat16_t(1.5f)) == 1.5f && Cast(0.1f).bits == bfloat16_t(0.1f).bits);
    });
    Expect("the launch ends well", broke.empty(), broke);
}

void Library() {
    Expect("Std::min and Std::max of two types", Std::min(3, 4u) == 3u && Std::max(int64_t(5), 7) == 7 &&
                                                     Std::abs(-4) == 4 && Std::ceil_align(33, 32u) == 64u);
    auto values = Std::make_tuple(1, 2.5f, half(3.0f));
    Std::get<0>(values) = 7;
    Expect("Std::tuple", Std::get<0>(values) == 7 && Std::get<1>(values) == 2.5f &&
                             float(Std::get<2>(values)) == 3.0f && Std::tuple_size<decltype(values)>::value == 3);
    Expect("Std::IsSame and Std::IsNotSame", Std::IsSame<half, half>::value && !Std::IsSame<half, float>::value &&
                                                 Std::IsNotSame<half, float>::value &&
                                                 !Std::IsNotSame<int, int>::value);
    Expect("bits of a scalar", GetScalarBitcodeValue(1.0f) == 0x3f800000u &&
                                   GetScalarBitcodeValue(half(-1.0f)) == 0xbc00u &&
                                   GetScalarBitcodeValue<uint16_t, half>(0x7bff) == half(65504.0f));
    Expect("abs, and bytes of a block", abs(int64_t(-3)) == 3 && abs(-0.5f) == 0.5f && GetDataBlockSizeInBytes() == 32);
}

void Vectors() {
    Device<float> power({{0, 1, 2, 3, -1, 0.5f, 4, 10}}, {8});
    Expect("Power of a scalar by a tensor without a count",
           power.Compute([](auto x, auto y, TPipe&) { Power<float>(y[0], 2.0f, x[0]); }).empty());
    ExpectNear("its values", power.outputs[0], {1, 2, 4, 8, 0.5, std::sqrt(2.0), 16, 1024}, 1e-6);
    Device<float> gather({Wave(64, 1)}, {64});
    int64_t first = -1, second = -1;
    const std::string broke = gather.Compute([&](auto x, auto y, TPipe&) {
        uint64_t kept = 0;
        GatherMask(y[0], x[0], uint8_t(3), true, 40, GatherMaskParams(1, 1, 8, 0), kept);
        first = AscendCUtils::GetRsvdCnt();
        GatherMask(y[0], x[0], uint8_t(7), true, 64, GatherMaskParams(1, 1, 8, 0), kept);
        second = get_rsvd_cnt();
    });
    Expect("GetRsvdCnt tells what the last GatherMask kept", broke.empty() && first == 10 && second == 64, broke);
    const auto padded = [](uint32_t bytes) {
        std::vector<uint32_t> x(16, 9), y(16, 1);
        const std::string rule = RuleBroken(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), 64}, {"y", twin::Role::kInOut, (uint8_t*)y.data(), 64}},
            [bytes](uint8_t** gm) {
                TPipe pipe;
                TBuf<> buffer;
                pipe.InitBuffer(buffer, 64);
                auto* at = (__ubuf__ uint32_t*)buffer.Get<uint32_t>().GetPhyAddr();
                DataCopyPadGm2UBImpl((__ubuf__ uint32_t*)at, (__gm__ uint32_t*)gm[0],
                                     DataCopyExtParams(1, bytes, 0, 0, 0),
                                     DataCopyPadExtParams<uint32_t>(true, 0, 0, 4));
                PipeBarrier<PIPE_ALL>();
                DataCopyPadUB2GMImpl((__gm__ uint32_t*)gm[1], (__ubuf__ uint32_t*)at,
                                     DataCopyExtParams(1, bytes, 0, 0, 0));
            });
        return rule.empty() && y[bytes / 4 - 1] == 9 && y[bytes / 4] == 1 ? "" : "rule " + rule;
    };
    Expect("copies by addresses", padded(20).empty(), padded(20));
}

struct Holder {
    TPipe pipe;
    void Take(TPipe& other) { pipe = other; }
};

void Pipes() {
    const auto assigned = [](bool before) {
        return [before] {
            TPipe pipe;
            TBuf<> early;
            if (before) pipe.InitBuffer(early, 256);
            Holder holder;
            holder.Take(pipe);
            Expect("GetTPipePtr is the one assigned to", GetTPipePtr() == &holder.pipe);
            TBuf<> buffer;
            holder.pipe.InitBuffer(buffer, 256);
            Duplicate(buffer.Get<float>(), 1.0f, 64);
        };
    };
    const std::string strict = Rule(assigned(false)), tolerated = Rule(assigned(false), true),
                      late = Rule(assigned(true), true);
    Expect("second-tpipe: a TPipe that another is assigned to", strict == "second-tpipe", strict);
    Expect("which a tolerant launch goes past", tolerated == "past second-tpipe", tolerated);
    Expect("not once buffers are given out", late == "second-tpipe", late);
}

std::function<void(uint8_t**)> cubeKernel_;
void EnterCube(uint8_t** args) { cubeKernel_(args); }

void Events() {
    std::vector<int> order;
    const auto run = [&](bool notify) {
        kernel_ = [&, notify](uint8_t**) {
            if (notify) {
                order.push_back(1);
                NotifyEvent<PIPE_MTE3>(3);
            }
        };
        cubeKernel_ = [&](uint8_t**) {
            WaitEvent(3);
            order.push_back(2);
        };
        return RuleOfLaunch([&] { twin::Launch({1, 0, false, {}, twin::Cores::kMix11, EnterCube}, Enter); });
    };
    const std::string both = run(true);
    Expect("WaitEvent of the cube core goes on behind NotifyEvent", both.empty() && order == std::vector<int>({1, 2}),
           both);
    const std::string alone = run(false);
    Expect("sync-deadlock: WaitEvent alone", alone == "sync-deadlock", alone);
}

}  // namespace

void Addresses() {
    const uint32_t words[] = {7, 8, 9};
    std::vector<float> x(8, 1), y(8, 0);
    bool found = false, tiling = false, bytes = false;
    const std::string rule = RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x.data(), 32},
         {"y", twin::Role::kOutput, (uint8_t*)y.data(), 32},
         {"tiling", twin::Role::kTiling, (uint8_t*)words, sizeof words}},
        [&](uint8_t** gm) {
            GM_ADDR* base = reinterpret_cast<GM_ADDR*>(get_para_base());
            found = base[0] == gm[0] && base[1] == gm[1] && base[2] == gm[2] && GetParaBase() == get_para_base();
            const uint32_t* behind = reinterpret_cast<const uint32_t*>(base + 3);
            tiling = behind[0] == 7 && behind[1] == 8 && behind[2] == 9;
            TPipe pipe;
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 256);
            const LocalTensor<half> t = buffer.Get<half>();
            static_assert(std::is_same_v<decltype(t.GetPhyAddr()), uint64_t>);
            bytes = t.GetPhyAddr(5) == t.GetPhyAddr() + 10 && t[16].GetPhyAddr() == t.GetPhyAddr() + 32;
        });
    Expect("get_para_base finds the parameters", rule.empty() && found, rule);
    Expect("and the tiling data behind them", tiling);
    Expect("addresses of UB are numbers that count bytes", bytes);
    Expect("numbers of TopK's header", TWO * THREE * FOUR == 24 && FIVE + SIX + SEVEN + EIGHT + NINE == 35 &&
                                           TWELVE + SIXTEEN + THIRTY_TWO + FORTYEIGHT == 108);
}

/// By the number of the buffer: 1 is the first behind those that are left, 2 lies further on.
std::string AfterReset(int number, bool write) {
    return Rule([=] {
        TPipe pipe;
        LocalTensor<float> t;
        for (int i = 0; i < number; ++i) {
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 256);
            t = buffer.Get<float>();
        }
        Duplicate(t, 1.0f, 64);
        pipe.Reset();
        if (write) t.SetValue(0, 2.0f);
        else t.GetValue(0);
    });
}

void Gone() {
    for (const int number : {1, 2}) {
        const std::string what = "of buffer " + std::to_string(number) + " of a pipe that was reset",
                          read = AfterReset(number, false), written = AfterReset(number, true);
        Expect("use-after-free: GetValue " + what, read == "use-after-free", read);
        Expect("use-after-free: SetValue " + what, written == "use-after-free", written);
    }
    for (const bool write : {false, true}) {
        const auto expect = [write](const std::string& rule, const std::string& what,
                                    std::function<void(LocalTensor<float>&, TQue<TPosition::VECIN, 1>&)> before,
                                    uint32_t at = 0) {
            const std::string broke = Rule([&] {
                TPipe pipe;
                TQue<TPosition::VECIN, 1> queue;
                pipe.InitBuffer(queue, 2, 256);
                LocalTensor<float> t = queue.AllocTensor<float>(), next = queue.AllocTensor<float>();
                Duplicate(t, 1.0f, 64);
                Duplicate(next, 1.0f, 64);
                queue.FreeTensor(next);
                before(t, queue);
                if (write) t.SetValue(at, 2.0f);
                else t.GetValue(at);
                queue.FreeTensor(t);
            });
            Expect((rule.empty() ? "legal: " : rule + ": ") + (write ? "SetValue " : "GetValue ") + what, broke == rule,
                   broke);
        };
        expect("null-tensor", "of a tensor without memory", [](auto& t, auto&) { t = LocalTensor<float>(); });
        expect("use-after-free", "of a tensor that was freed", [](auto& t, auto& queue) { queue.FreeTensor(t); });
        expect("use-while-enqueued", "of a tensor in its queue", [](auto& t, auto& queue) { queue.EnQue(t); });
        expect(
            "", "of the last element", [](auto&, auto&) {}, 63);
        expect(
            "out-of-buffer", "of the element behind the last", [](auto&, auto&) {}, 64);
    }
}

int main() {
    Gone();
    Addresses();
    Casts();
    Library();
    Vectors();
    Pipes();
    Events();
    return Finish();
}
