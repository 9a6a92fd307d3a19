// Addresses of UB: what is stored through them and who may take it, blocks given by their addresses, and arrays.
#include "pieces.h"
#include "twin/ub_array.h"
#include "twin/vec_transpose.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

/// Sixteen blocks by their addresses, rows that become columns. A call of one repeat begins a stride behind them.
template <typename T>
void Squares(const std::string& type) {
    InEachCase("TransDataTo5HD of " + type, 40, 401, [](Chance& c) {
        constexpr uint32_t kPerBlock = 32 / sizeof(T), kColumns = sizeof(T) == 4 ? 8 : 16;
        const uint32_t repeats = c.From(0, 3), toRep = c.From(16, 17), fromRep = c.From(0, 17);
        const bool toHigh = sizeof(T) == 1 && c.Coin(), fromHigh = sizeof(T) == 1 && c.Coin();
        const auto x = AnyBits<T>(c, 70 * kPerBlock);
        auto z = AnyBits<T>(c, 70 * kPerBlock);
        uint32_t toAt[16], fromAt[16];
        for (uint32_t i = 0; i < 16; ++i) toAt[i] = (i * 5 + 3) % 16, fromAt[i] = c.From(0, 15);
        Pieces p;
        const size_t dst = p.Put(kUb, z), src = p.Put(kUb, x);
        for (uint32_t r = 0; r < repeats; ++r) {
            const uint32_t step = repeats == 1 ? 1 : r;
            for (uint32_t row = 0; row < 16; ++row)
                for (uint32_t column = 0; column < kColumns; ++column) {
                    const uint32_t block = sizeof(T) == 4 ? column * 2 + row / 8 : column,
                                   lane = row % kPerBlock + (toHigh ? 16 : 0);
                    const uint32_t to =
                        (toAt[block] + step * toRep) * kPerBlock + (sizeof(T) == 1 ? row + (toHigh ? 16 : 0) : lane);
                    z[to] = x[(fromAt[row] + step * fromRep) * kPerBlock + column + (fromHigh ? 16 : 0)];
                }
        }
        p.Then(dst, z);
        const bool registers = c.Coin(), last = c.Coin(), swapped = c.Coin();
        const int toFirst = static_cast<int>(last ? 6 : c.From(0, 6)), fromFirst = toFirst > 3
                                                                                       ? static_cast<int>(c.From(0, 2))
                                                                                   : toFirst < 2 ? 6
                                                                                                 : toFirst + 2;
        return p.Wrong([&](Pieces& u) {
            const auto fill = [](int first, bool second, uint8_t* data, const uint32_t* at) {
                uint64_t addresses[9] = {};
                for (int i = 0; i < 8; ++i)
                    addresses[i] = reinterpret_cast<uint64_t>(data + at[i + (second ? 8 : 0)] * 32);
                twin::SetAddressRegister(first + (second ? 1 : 0), addresses);
            };
            if (registers) {
                for (const bool second : {swapped, !swapped}) {
                    fill(toFirst, second, u.At<T>(dst).data, toAt);
                    fill(fromFirst, second, u.At<T>(src).data, fromAt);
                }
                return twin::TransposeRegisters(sizeof(T), toFirst, fromFirst, static_cast<int>(repeats),
                                                static_cast<int>(toRep), static_cast<int>(fromRep), toHigh, fromHigh);
            }
            LocalTensor<T> to[16], from[16];
            for (int i = 0; i < 16; ++i)
                to[i] = u.At<T>(dst)[toAt[i] * kPerBlock], from[i] = u.At<T>(src)[fromAt[i] * kPerBlock];
            TransDataTo5HD<T>(to, from,
                              TransDataTo5HDParams(toHigh, fromHigh, static_cast<uint8_t>(repeats), toRep, fromRep));
        });
    });
}

/// Bytes that a store through an address changed, until something orders what comes behind it.
std::string Stored(Chance& chance) {
    constexpr uint32_t kBlocks = 4, kBytes = kBlocks * 32;
    std::vector<float> gm(kBytes / 4, 1.0f), back(kBytes / 4);
    bool races = false;
    std::string wrong;
    const std::string rule =
        RuleBroken({{"in", twin::Role::kInput, reinterpret_cast<uint8_t*>(gm.data()), kBytes},
                    {"out", twin::Role::kOutput, reinterpret_cast<uint8_t*>(back.data()), kBytes}},
                   [&](uint8_t** args) {
                       TPipe pipe;
                       TBuf<> first, all;
                       pipe.InitBuffer(first, 32);
                       pipe.InitBuffer(all, kBytes);
                       const auto ub = all.Get<float>();
                       GlobalTensor<float> in, out;
                       in.SetGlobalBuffer(reinterpret_cast<float*>(args[0]));
                       out.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
                       Duplicate(ub, 1.0f, kBytes / 4);
                       PipeBarrier<PIPE_ALL>();
                       // The address is of a place in the tensor: what lies before it is not watched.
                       const uint32_t from = chance.From(0, 2) * 32;
                       auto* address = reinterpret_cast<uint8_t*>(ub[from / 4].GetPhyAddr());
                       std::vector<bool> changed(kBytes);
                       uint8_t next = 3;
                       for (uint32_t step = 0; step < 12 && !races; ++step) {
                           const uint32_t call = chance.From(0, 9), a = chance.From(0, kBlocks - 1),
                                          b = chance.From(0, kBlocks - 1);
                           const auto takes = [&](uint32_t block) {
                               for (uint32_t i = block * 32; i < block * 32 + 32; ++i) races = races || changed[i];
                           };
                           const auto writes = [&](uint32_t block) {
                               for (uint32_t i = block * 32; i < block * 32 + 32; ++i) changed[i] = false;
                           };
                           if (call < 3) {
                               const uint32_t at = chance.From(from, kBytes - 1);
                               address[at - from] = next += 2;  // never the value that is there
                               changed[at] = true;
                               continue;
                           }
                           if (call < 5) takes(a), takes(b), Adds(ub[b * 8], ub[a * 8], 1.0f, 8), writes(b);
                           else if (call == 5) takes(a), DataCopy(ub[a * 8], in, 8), writes(a);
                           else if (call == 6) takes(a), DataCopy(out[a * 8], ub[a * 8], 8);
                           else {
                               if (call == 7 && b < 2) ub.GetValue(from / 4 + a % (kBlocks - from / 32));
                               else if (call == 7) ub.SetValue(from / 4, 9.0f);
                               else if (call == 8)
                                   twin::SetEvent(PIPE_S, PIPE_V, 0), twin::WaitEvent(PIPE_S, PIPE_V, 0);
                               else PipeBarrier<PIPE_ALL>();
                               changed.assign(kBytes, false);
                           }
                           // What an instruction wrote is taken over by the next call.
                           if (call < 8) twin::Note("a call behind it");
                           if (races) wrong = "nothing noticed step " + std::to_string(step);
                           const bool fenced = call < 7 && !races;
                           if (fenced)
                               twin::SetEvent(PIPE_V, PIPE_MTE3, 1), twin::SetEvent(PIPE_V, PIPE_MTE2, 1),
                                   twin::SetEvent(PIPE_MTE2, PIPE_V, 1), twin::SetEvent(PIPE_MTE3, PIPE_V, 1),
                                   twin::SetEvent(PIPE_MTE2, PIPE_MTE3, 1), twin::SetEvent(PIPE_MTE3, PIPE_MTE2, 1),
                                   twin::WaitEvent(PIPE_V, PIPE_MTE3, 1), twin::WaitEvent(PIPE_V, PIPE_MTE2, 1),
                                   twin::WaitEvent(PIPE_MTE2, PIPE_V, 1), twin::WaitEvent(PIPE_MTE3, PIPE_V, 1),
                                   twin::WaitEvent(PIPE_MTE2, PIPE_MTE3, 1), twin::WaitEvent(PIPE_MTE3, PIPE_MTE2, 1);
                       }
                       twin::SetEvent(PIPE_S, PIPE_V, 2), twin::WaitEvent(PIPE_S, PIPE_V, 2);
                       PipeBarrier<PIPE_ALL>();
                       DataCopy(out, ub, kBytes / 4);
                   });
    if (rule.empty()) return wrong;
    return rule == "pipe-hazard" && races ? "" : "broke " + rule + " without a store: " + told_.message;
}

std::string Told() { return told_.rule.empty() ? "" : told_.rule + "|" + told_.message; }

/// Three blocks of which the first and the last have a known address: what lies between them is not watched.
void Between() {
    const auto rule = [](int stored, uint32_t first, uint32_t blocks) {
        return RuleBroken({}, [=](uint8_t**) {
            TPipe pipe;
            TBuf<> each[3], other;
            for (auto& buffer : each) pipe.InitBuffer(buffer, 32);
            pipe.InitBuffer(other, 96);
            const LocalTensor<float> all(kUb, 0, 24);
            Duplicate(all, 1.0f, 24);
            PipeBarrier<PIPE_ALL>();
            uint64_t address[3] = {};
            for (const int i : {0, 2}) address[i] = reinterpret_cast<uint64_t>(each[i].Get<float>().GetPhyAddr());
            if (stored >= 0) reinterpret_cast<float*>(address[stored])[3] = 2.0f;
            Adds(other.Get<float>(), all[first * 8], 1.0f, static_cast<int32_t>(blocks * 8));
        });
    };
    for (uint32_t first = 0; first < 3; ++first)
        for (uint32_t blocks = 1; first + blocks <= 3; ++blocks)
            for (const int stored : {-1, 0, 2}) {
                const bool takes = stored >= 0 && static_cast<uint32_t>(stored) >= first &&
                                   static_cast<uint32_t>(stored) < first + blocks;
                const std::string seen = rule(stored, first, blocks), expected = takes ? "pipe-hazard" : "";
                Expect((takes ? "pipe-hazard: " : "legal: ") + std::string("an instruction takes blocks ") +
                           std::to_string(first) + " to " + std::to_string(first + blocks - 1) + " and " +
                           (stored < 0 ? "none was" : "block " + std::to_string(stored) + " was") +
                           " stored in through its address",
                       seen == expected, seen + " " + told_.message);
            }
}

/// Select keeps values at the end of UB. Where no buffer reaches there, a store by address elsewhere stays unordered.
void Beside() {
    for (const bool before : {false, true}) {
        const std::string rule = RuleBroken({}, [=](uint8_t**) {
            TPipe pipe;
            TBuf<> low, work, high;
            for (TBuf<>* buffer : {&low, &work, &high}) pipe.InitBuffer(*buffer, 1024);
            const auto w = work.Get<float>(), stored = (before ? low : high).Get<float>();
            Duplicate(w, 1.0f, 256);
            Duplicate(stored, 1.0f, 64);
            const auto bits = w[64].ReinterpretCast<uint8_t>();
            CompareScalar(bits, w, 0.0f, CMPMODE::GT, 64);
            PipeBarrier<PIPE_ALL>();
            reinterpret_cast<float*>(stored.GetPhyAddr())[3] = 2.0f;
            Select(w[128], bits, w, w, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
            Adds(w, stored, 1.0f, 64);
        });
        Expect(std::string("pipe-hazard: a value stored by address ") + (before ? "before" : "behind") +
                   " what Select works on, and Select between",
               rule == "pipe-hazard", rule);
    }
}

void Arrays() {
    const auto take = [](uint32_t before, uint32_t bytes) {
        RuleBroken({}, [=](uint8_t**) {
            TPipe pipe;
            uint32_t id = 0;
            if (before > 0) twin::InitTBuf(&id, kUb, before);
            twin::GiveBackArray(twin::TakeArray(bytes));
        });
        return Told();
    };
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("an array of all UB", take(0, 192 * 1024), "");
    is("an array of what is left", take(96 * 1024, 96 * 1024), "");
    is("an array of a byte more", take(96 * 1024, 96 * 1024 + 1),
       "ub-overflow|a __ubuf__ array of 98305 bytes brings what is in use of UB to 196640; there are 196608");
    is("an array of a byte behind all", take(192 * 1024, 1),
       "ub-overflow|a __ubuf__ array of 1 bytes brings what is in use of UB to 196640; there are 196608");
    bool again = false;
    RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        const twin::Local first = twin::TakeArray(33), second = twin::TakeArray(1);
        const bool apart = second.data - first.data == 64 && first.bytes == 33;
        twin::GiveBackArray(second);
        twin::GiveBackArray(first);
        const twin::Local third = twin::TakeArray(1);
        again = apart && third.data == first.data;
        twin::GiveBackArray(third);
    });
    Expect("memory of arrays is given back", again, Told());
}

void Outside() {
    const auto said = [](int64_t from) {
        RuleBroken({}, [=](uint8_t**) {
            TPipe pipe;
            TBuf<> all;
            pipe.InitBuffer(all, 192 * 1024);
            Duplicate(all.Get<int16_t>(), int16_t(1), 98304);
            PipeBarrier<PIPE_ALL>();
            uint8_t* ub = all.Get<uint8_t>().data;
            twin::RawCopy(ub, ub + from, 1, 1, 0, 0);
        });
        return Told();
    };
    const std::string none = "out-of-buffer|an address given to copy_ubuf_to_ubuf is not in UB";
    Expect("the last block of UB", said(192 * 1024 - 32).empty(), Told());
    Expect("behind UB", said(192 * 1024) == none, Told());
    Expect("before UB", said(-32) == none, Told());
    for (const uint32_t bytes : {1, 2, 4}) {
        RuleBroken({}, [=](uint8_t**) {
            const uint64_t nowhere[8] = {};
            for (int i = 0; i < 8; ++i) twin::SetAddressRegister(i, nowhere);
            twin::TransposeRegisters(bytes, 0, 2, 1, 0, 0, false, false);
        });
        const std::string api = "scatter_vnchwconv_b" + std::to_string(8 * bytes);
        Expect(api + " is told", Told() == "out-of-buffer|an address given to " + api + " is not in UB", Told());
    }
    RuleBroken({}, [](uint8_t**) {
        TPipe pipe;
        TBuf<> first, second;
        pipe.InitBuffer(first, 64);
        pipe.InitBuffer(second, 64);
        Duplicate(first.Get<int16_t>(), int16_t(1), 32);
        PipeBarrier<PIPE_ALL>();
        twin::RawCopy(first.Get<uint8_t>().data, first.Get<uint8_t>().data + 32, 1, 2, 0, 0);
    });
    Expect("an address is of its buffer",
           told_.rule == "out-of-buffer" &&
               told_.message == "src of DataCopy covers bytes 32 to 96 of a buffer of 64 bytes",
           Told());
}

}  // namespace

int main() {
    Squares<uint8_t>("uint8_t");
    Squares<half>("half");
    Squares<float>("float");
    InEachCase("stores through an address", 1500, 409, Stored);
    Between();
    Beside();
    Arrays();
    Outside();
    return Finish();
}
