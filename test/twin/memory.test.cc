// Memory without a TPipe, tensor lists, scalars past the cache, and the end of UB that some functions take for
// themselves.
#include "on_device.h"

using namespace AscendC;

namespace {

void Allocator() {
    std::vector<float> x = Wave(64, 1), y(64);
    const std::string rule = RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x.data(), 256}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 256}},
        [](uint8_t** args) {
            InitSocState();
            LocalMemAllocator<Hardware::UB> ub;
            LocalTensor<float> a = ub.Alloc<TPosition::VECIN, float, 64>(), b = ub.Alloc<float>(64);
            Expect("tensors follow one another", ub.GetCurAddr() == 512 && b.data - a.data == 256);
            GlobalTensor<float> from, to;
            from.SetGlobalBuffer((__gm__ float*)args[0], 64);
            to.SetGlobalBuffer((__gm__ float*)args[1], 64);
            DataCopy(a, from, 64);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Adds(b, a, 1.0f, 64);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
            DataCopy(to, b, 64);
        });
    Expect("a kernel without TPipe runs", rule.empty() && y[63] == x[63] + 1, rule);
    const auto broken = [](std::function<void()> kernel) { return RuleBroken({}, [&](uint8_t**) { kernel(); }); };
    Expect("ub-overflow: more than UB", broken([] {
                                            LocalMemAllocator<Hardware::UB> ub;
                                            ub.Alloc<uint8_t>(192 * 1024);
                                            ub.Alloc<uint8_t>(32);
                                        }) == "ub-overflow");
    Expect("legal: all of UB", broken([] {
                                   LocalMemAllocator<Hardware::UB> ub;
                                   ub.Alloc<uint8_t>(192 * 1024);
                               }) == "");
    Expect("unaligned-ub: behind a tensor of 4 bytes", broken([] {
                                                           LocalMemAllocator<Hardware::UB> ub;
                                                           ub.Alloc<float>(1);
                                                           Duplicate(ub.Alloc<float>(8), 0.0f, 8);
                                                       }) == "unaligned-ub");
}

/// What is asked for beside the amounts is of another device's L0C.
void Enhanced() {
    std::vector<half> y(64);
    DataCopyEnhancedParams more(BlockMode::BLOCK_MODE_MATRIX, DeqScale::DEQ_NONE, 0, 0, true, pad_t::PAD_NONE, 0);
    const std::string rule = RuleBroken({{"y", twin::Role::kOutput, (uint8_t*)y.data(), 128}}, [&](uint8_t** args) {
        LocalMemAllocator<Hardware::UB> ub;
        LocalTensor<half> a = ub.Alloc<half>(64), b = ub.Alloc<half>(64);
        Duplicate(a, half(-2.0f), 64);
        Duplicate(b, half(3.0f), 64);
        DataCopy(b, a, DataCopyParams(2, 1, 1, 1), more);
        PipeBarrier<PIPE_ALL>();
        GlobalTensor<half> to;
        to.SetGlobalBuffer((__gm__ half*)args[0], 64);
        DataCopy(to, b, 64);
    });
    std::vector<half> expected(64, half(3.0f));
    for (int i = 0; i < 16; ++i) expected[i] = expected[32 + i] = half(-2.0f);
    ExpectSame("DataCopyEnhancedParams change no copy" + rule, y, expected);
}

void Lists() {
    std::vector<float> first = {1, 2, 3, 4, 5, 6}, second = {7};
    std::vector<uint64_t> words = {0, 2, 2, 3, 1ull << 32 | 2, 1, 1};
    words[0] = words.size() * 8;
    words.push_back(reinterpret_cast<uint64_t>(first.data()));
    words.push_back(reinterpret_cast<uint64_t>(second.data()));
    ListTensorDesc list(words.data());
    uint64_t shape[8];
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    list.GetDesc(desc, 0);
    Expect("a list tells its tensors' shapes", list.GetSize() == 2 && desc.GetDim() == 2 && desc.GetShape(0) == 2 &&
                                                   desc.GetShape(1) == 3 && desc.GetIndex() == 0 &&
                                                   desc.GetDataObj().GetSize() == 6);
    list.GetDesc(desc, 1);
    Expect("and their addresses", desc.GetIndex() == 1 && desc.GetDim() == 2 && desc.GetDataPtr() == second.data() &&
                                      list.GetDataPtr<float>(0) == first.data());
}

void Scalars() {
    std::vector<int32_t> x(16, 5), y(16, 0);
    const auto broken = [&](std::function<void(__gm__ int32_t*, __gm__ int32_t*)> kernel) {
        return RuleBroken(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), 64}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 64}},
            [&](uint8_t** args) { kernel((__gm__ int32_t*)args[0], (__gm__ int32_t*)args[1]); });
    };
    Expect("scalars pass the cache",
           broken([](auto a, auto b) { WriteGmByPassDCache(b + 3, ReadGmByPassDCache(a) + 1); }) == "" && y[3] == 6);
    Expect("write-to-input: a scalar into an input",
           broken([](auto a, auto) { WriteGmByPassDCache(a, 1); }) == "write-to-input");
    Expect("gm-out-of-range: a scalar behind the end",
           broken([](auto, auto b) { WriteGmByPassDCache(b + 16, 1); }) == "gm-out-of-range");
}

/// A value of which the argument holds only the first bytes.
template <typename T>
void PastEnd(const std::string& type) {
    std::vector<T> gm(8);
    for (const twin::Role role : {twin::Role::kInput, twin::Role::kInOut})
        for (const size_t less : {size_t(0), size_t(1), sizeof(T) - 1, sizeof(T)})
            for (const bool set : {false, true}) {
                if (set && role == twin::Role::kInput) continue;
                const std::string rule =
                    RuleBroken({{"gm", role, (uint8_t*)gm.data(), 8 * sizeof(T) - less}}, [&](uint8_t** args) {
                        GlobalTensor<T> at;
                        at.SetGlobalBuffer((__gm__ T*)args[0]);
                        at.GetValue(0);  // the argument is known as the last one used
                        if (set) at.SetValue(7, T(1));
                        else at.GetValue(7);
                    });
                const std::string expected = less == 0 ? "" : "gm-out-of-range";
                Expect((less == 0 ? "legal: " : "gm-out-of-range: ") + std::string(set ? "SetValue" : "GetValue") +
                           " of a " + type + " in the last bytes of an argument without the last " +
                           std::to_string(less),
                       rule == expected, rule);
            }
}

/// The page's example: of 3 x 87 floats four pieces of 24, with 7 between, in rows 0 and 2.
void Slices() {
    std::vector<float> x(3 * 87), y(96);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    std::vector<float> expected;
    for (const int row : {0, 2})
        for (const int piece : {0, 1})
            for (int i = 0; i < 24; ++i) expected.push_back(x[row * 87 + 16 + piece * 31 + i]);
    const auto run = [&](std::function<void(SliceInfo*, SliceInfo*)> change, uint32_t dims = 2, uint32_t room = 96) {
        std::fill(y.begin(), y.end(), -1.0f);
        return RuleBroken(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), x.size() * 4},
             {"y", twin::Role::kOutput, (uint8_t*)y.data(), y.size() * 4}},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<> buffer;
                pipe.InitBuffer(buffer, room * 4);
                GlobalTensor<float> from, to;
                from.SetGlobalBuffer((__gm__ float*)args[0]);
                to.SetGlobalBuffer((__gm__ float*)args[1]);
                SliceInfo in[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, out[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
                change(in, out);
                LocalTensor<float> t = buffer.Get<float>();
                DataCopy(t, from, out, in, dims);
                PipeBarrier<PIPE_ALL>();
                SliceInfo whole[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
                DataCopy(to, t, whole, whole, 2);
            });
    };
    const std::string rule = run([](auto, auto) {});
    Expect("DataCopy of slices breaks no rule", rule.empty(), rule);
    ExpectSame("DataCopy of slices", y, expected);
    Expect("copy-params: no whole number of pieces", run([](auto in, auto) { in[0].endIndex = 69; }) == "copy-params");
    Expect("copy-params: behind the dimension", run([](auto in, auto) { in[1] = {1, 4, 2, 1, 3}; }) == "copy-params");
    Expect("copy-params: other pieces on both sides", run([](auto, auto out) {
                                                          out[0] = {0, 47, 0, 6, 48};
                                                      }) == "copy-params");
    Expect("copy-params: burstLen of the second dimension",
           run([](auto in, auto out) { in[1].burstLen = out[1].burstLen = 2; }) == "copy-params");
    Expect("copy-params: fewer pieces on one side", run([](auto, auto out) {
                                                        out[1] = {0, 0, 0, 1, 2};
                                                    }) == "copy-params");
    Expect("copy-params: nine dimensions", run([](auto, auto) {}, 9) == "copy-params");
    Expect("unaligned-ub: a piece within a block", run([](auto, auto out) {
                                                       out[0].startIndex = 1;
                                                       out[0].endIndex = 48;
                                                   }) == "unaligned-ub");
    const auto inL1 = [&](bool out) {
        return RuleBroken({{"x", twin::Role::kInOut, (uint8_t*)y.data(), y.size() * 4}}, [=](uint8_t** args) {
            TPipe pipe;
            TBuf<TPosition::A1> buffer;
            pipe.InitBuffer(buffer, 64);
            GlobalTensor<float> gm;
            gm.SetGlobalBuffer((__gm__ float*)args[0]);
            SliceInfo slice[] = {{0, 15, 0, 2, 16}};
            if (out) DataCopy(gm, buffer.Get<float>(), slice, slice, 1);
            else DataCopy(buffer.Get<float>(), gm, slice, slice, 1);
        });
    };
    Expect("wrong-position: slices into L1", inL1(false) == "wrong-position", inL1(false));
    Expect("wrong-position: slices out of L1", inL1(true) == "wrong-position", inL1(true));
    Expect("out-of-buffer: less room than the slice", run([](auto, auto) {}, 2, 80) == "out-of-buffer");
}

/// A kernel with values in the last 8 KB of UB and no buffer there; what stands from `offset` on is read after `use`.
std::string Keeping(uint32_t offset, std::function<void(LocalTensor<float>)> use) {
    Device<float> device({Wave(64, 1)}, {64});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> work;
        pipe.InitBuffer(work, 16 * 1024);
        LocalTensor<float> w = work.Get<float>(), t(TPosition::VECCALC, 184 * 1024, 2048);
        Adds(w, in[0], 0.0f, 64);
        Duplicate(t, 1.0f, 2048);
        use(w);
        Add(out[0], in[0], t[offset], 64);
    });
}

/// A kernel whose buffers leave `free` bytes at the end of UB: what it breaks, or goes past when it is tolerated.
std::string Leaving(uint32_t free, std::function<void(LocalTensor<float>)> use, bool tolerant = false) {
    return Outcome(
        {},
        [&](uint8_t**) {
            TPipe pipe;
            TBuf<> first, second;
            pipe.InitBuffer(first, 100 * 1024);
            pipe.InitBuffer(second, 92 * 1024 - free);
            LocalTensor<float> w = first.Get<float>();
            Duplicate(w, 1.0f, 8192);
            use(w);
        },
        tolerant);
}

/// What the programming guide lists for this device as functions that take the reserved 8 KB of UB.
void TakesReserved() {
    struct Taking {
        const char* name;
        std::function<void(LocalTensor<float>)> use;
    };
    const auto bytes = [](LocalTensor<float> w, uint32_t at) { return w[at].ReinterpretCast<uint8_t>(); };
    const auto select = [=](SELMODE mode, bool repeats, bool scalar) {
        return [=](LocalTensor<float> w) {
            const BinaryRepeatParams plain;
            const uint64_t mask = 64;
            if (scalar && repeats) Select(w[512], bytes(w, 1024), w, 1.0f, mode, mask, 1, plain);
            else if (scalar) Select(w[512], bytes(w, 1024), w, 1.0f, mode, 64);
            else if (repeats) Select(w[512], bytes(w, 1024), w, w, mode, mask, 1, plain);
            else Select(w[512], bytes(w, 1024), w, w, mode, 64);
        };
    };
    constexpr SELMODE kScalar = SELMODE::VSEL_TENSOR_SCALAR_MODE, kTensor = SELMODE::VSEL_TENSOR_TENSOR_MODE;
    const Taking taking[] = {
        {"Select of a scalar", select(kScalar, false, true)},
        {"Select of a scalar by repeats", select(kScalar, true, true)},
        {"Select of tensors", select(kTensor, false, false)},
        {"Select of tensors by repeats", select(kTensor, true, false)},
        {"Sign", [=](auto w) { Sign(w[512], w, bytes(w, 2048), 64); }},
        {"Lgamma", [=](auto w) { Lgamma(w[512], w, bytes(w, 2048), 64); }},
        {"Digamma", [=](auto w) { Digamma(w[512], w, bytes(w, 2048), 64); }},
        {"Power", [=](auto w) { Power(w[512], w, w[1024], bytes(w, 2048), 64); }},
        {"SelectWithBytesMask",
         [=](auto w) {
             SelectWithBytesMaskShapeInfo info;
             info.firstAxis = 1, info.srcLastAxis = info.maskLastAxis = 64;
             SelectWithBytesMask(w[512], w, 1.0f, bytes(w, 1024), bytes(w, 2048), info);
         }},
        {"DropOut",
         [=](auto w) {
             DropOutShapeInfo info;
             info.firstAxis = 1, info.srcLastAxis = 8, info.maskLastAxis = 32;
             DropOut(w[512], w, bytes(w, 8), bytes(w, 2048), 0.5f, info);
         }},
        {"AddDeqRelu",
         [](auto w) {
             const LocalTensor<int32_t> i = w.template ReinterpretCast<int32_t>();
             SetDeqScale(half(0.5f));
             AddDeqRelu(w[512].template ReinterpretCast<half>(), i, i, 64);
         }},
    };
    for (const auto& [name, use] : taking) {
        const std::string of = std::string(": ") + name, kept = Leaving(8192, use), short32 = Leaving(8160, use);
        Expect("legal: 8 KB of UB are free for" + of, kept.empty(), kept);
        Expect("ub-overflow: 32 bytes less" + of, short32 == "ub-overflow", short32);
    }
    const auto mode2 = select(kTensor, false, false);
    Expect("past it when tolerated", Leaving(0, mode2, true) == "past ub-overflow", Leaving(0, mode2, true));
    const std::string plain = Leaving(0, select(SELMODE::VSEL_CMPMASK_SPR, false, false));
    Expect("legal: Select by the register's mask, with all of UB in use", plain.empty(), plain);
    const auto none = [=](auto w) { Select(w[512], bytes(w, 1024), w, w, kTensor, uint64_t(64), 0, {}); };
    Expect("legal: Select of no repeats, likewise", Leaving(0, none).empty(), Leaving(0, none));
    const std::string rule = RuleBroken({}, [](uint8_t**) {
        TPipe pipe;
        TBuf<> all;
        pipe.InitBuffer(all, 192 * 1024);
        const LocalTensor<int32_t> i = all.Get<int32_t>();
        Duplicate(i, 1, 64);
        SetDeqScale(half(0.5f));
        AddDeqRelu(i[512].ReinterpretCast<half>(), i, i, 64);
    });
    const std::string message = "AddDeqRelu takes the last 8192 bytes of UB for itself, from byte 188416 on, and " +
                                told_.tensor + " lies in bytes 0 to 196608";
    Expect("the message says what takes how much", rule == "ub-overflow" && told_.message == message, told_.message);
    Expect("and the violation is of the function", told_.api == "AddDeqRelu", told_.api);
}

void Reserved() {
    const auto select = [](SELMODE mode) {
        return [mode](LocalTensor<float> w) {
            LocalTensor<uint8_t> bits = w[1024].ReinterpretCast<uint8_t>();
            CompareScalar(bits, w, 0.0f, CMPMODE::GT, 64);
            Select(w[512], bits, w, w, mode, 64);
        };
    };
    Expect("read-unwritten: a value in the last 8 KB after Select",
           Keeping(0, select(SELMODE::VSEL_TENSOR_TENSOR_MODE)) == "read-unwritten");
    Expect("legal: a value past what Select takes", Keeping(32, select(SELMODE::VSEL_TENSOR_TENSOR_MODE)) == "",
           Keeping(32, select(SELMODE::VSEL_TENSOR_TENSOR_MODE)));
    Expect("legal: Select by the register's mask", Keeping(0, select(SELMODE::VSEL_CMPMASK_SPR)) == "",
           Keeping(0, select(SELMODE::VSEL_CMPMASK_SPR)));
    // Select by repeats keeps a scalar for each of 32 lanes there, or 128 bytes for two tensors.
    const auto repeats = [](bool scalar, SELMODE mode) {
        return [=](LocalTensor<float> w) {
            LocalTensor<uint8_t> bits = w[1024].ReinterpretCast<uint8_t>();
            CompareScalar(bits, w, 0.0f, CMPMODE::GT, 64);
            if (scalar) Select(w[512], bits, w, 1.0f, mode, uint64_t(64), 1, BinaryRepeatParams());
            else Select(w[512], bits, w, w, mode, uint64_t(64), 1, BinaryRepeatParams());
        };
    };
    const auto drop = [](LocalTensor<float> w) {
        DropOutShapeInfo info;
        info.firstAxis = 1;
        info.srcLastAxis = 8;
        info.maskLastAxis = 32;
        DropOut(w[512], w, w[8].ReinterpretCast<uint8_t>(), w[2048].ReinterpretCast<uint8_t>(), 0.5f, info);
    };
    Expect("read-unwritten: the last of 128 bytes after DropOut", Keeping(24, drop) == "read-unwritten");
    Expect("legal: what is behind them after DropOut", Keeping(32, drop) == "", Keeping(32, drop));
    for (const bool scalar : {false, true}) {
        const SELMODE mode = scalar ? SELMODE::VSEL_TENSOR_SCALAR_MODE : SELMODE::VSEL_TENSOR_TENSOR_MODE;
        const std::string of = scalar ? " Select of a scalar by repeats" : " Select of tensors by repeats";
        Expect("read-unwritten: the last of 128 bytes after" + of,
               Keeping(24, repeats(scalar, mode)) == "read-unwritten");
        Expect("legal: what is behind them after" + of, Keeping(32, repeats(scalar, mode)) == "",
               Keeping(32, repeats(scalar, mode)));
        Expect("legal: the first of them by the register after" + of,
               Keeping(0, repeats(false, SELMODE::VSEL_CMPMASK_SPR)) == "");
    }
    Expect("read-unwritten: after Sign", Keeping(0, [](auto w) {
                                             Sign(w[512], w, w[1024].template ReinterpretCast<uint8_t>(), 64);
                                         }) == "read-unwritten");
    Expect("legal: after Abs", Keeping(0, [](auto w) { Abs(w[512], w, 64); }) == "");
    Expect("read-unwritten: after AddDeqRelu, 4 bytes an element",
           Keeping(64, [](auto w) {
               LocalTensor<int32_t> i = w.template ReinterpretCast<int32_t>();
               SetDeqScale(half(0.5f));
               Duplicate(i, 3, 128);
               AddDeqRelu(w[512].template ReinterpretCast<half>(), i, i, 128);
           }) == "read-unwritten");
    const auto few = [](auto w) {
        LocalTensor<int32_t> i = w.template ReinterpretCast<int32_t>();
        SetDeqScale(half(0.5f));
        Duplicate(i, 3, 64);
        AddDeqRelu(w[512].template ReinterpretCast<half>(), i, i, 64);
    };
    Expect("legal: past AddDeqRelu's 64 elements", Keeping(64, few) == "", Keeping(64, few));
}

/// What a kernel before may have left is gone, and a kernel can wait by the counter of cycles alone.
void States() {
    std::vector<float> x = Wave(128, 1), y(128, 2.0f);
    const std::string rule = RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x.data(), 512}, {"y", twin::Role::kInOut, (uint8_t*)y.data(), 512}},
        [](uint8_t** args) {
            LocalMemAllocator<Hardware::UB> ub;
            const LocalTensor<float> a = ub.Alloc<float>(128);
            GlobalTensor<float> from, to;
            from.SetGlobalBuffer((__gm__ float*)args[0], 128);
            to.SetGlobalBuffer((__gm__ float*)args[1], 128);
            SetAtomicAdd<float>();
            SetMaskCount();
            SetVectorMask<float, MaskMode::COUNTER>(0, 5);
            InitSocState();
            DataCopy(a, from, 128);
            PipeBarrier<PIPE_ALL>();
            Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
            PipeBarrier<PIPE_ALL>();
            const int64_t begin = GetSystemCycle();
            while (GetSystemCycle() - begin < 50) {}
            DataCopy(to, a, 128);
        });
    Expect("InitSocState: no atomic copies, and a full mask in normal mode",
           rule.empty() && y[0] == x[0] + 1 && y[127] == x[127] + 1, rule);
}

}  // namespace

int main() {
    States();
    Allocator();
    Enhanced();
    Lists();
    Scalars();
    Reserved();
    TakesReserved();
    PastEnd<int16_t>("int16_t");
    PastEnd<float>("float");
    PastEnd<int64_t>("int64_t");
    Slices();
    return Finish();
}
