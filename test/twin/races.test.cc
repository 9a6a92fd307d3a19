// What blocks write and read in GM against a plain note for each byte, and how far copies may go.
#include "pieces.h"

using namespace AscendC;

namespace {

constexpr uint32_t kBytes = 64;

/// Who wrote a byte last, since which barrier, and whether he added.
struct Note {
    int block = -1;
    uint32_t epoch = 0;
    bool atomic = false;
    bool operator==(const Note& other) const {
        return block == other.block && epoch == other.epoch && atomic == other.atomic;
    }
};

struct Access {
    bool write, atomic;
    uint32_t begin, end;
    int8_t value;
};

/// A byte for each step of GM: values, and notes.
struct Memory {
    std::vector<int8_t> values = std::vector<int8_t>(kBytes);
    std::vector<Note> notes = std::vector<Note>(kBytes);

    /// Bytes that one block has written in one go with others of his, from `at` on.
    uint32_t RunEnd(uint32_t at) const {
        uint32_t end = at;
        while (end < kBytes && notes[end] == notes[at]) ++end;
        return end;
    }
    std::string Read(const Access& a, int block, uint32_t epoch) const {
        for (uint32_t i = a.begin; i < a.end; ++i)
            if (notes[i].block >= 0 && notes[i].block != block && notes[i].epoch == epoch)
                return "gm-race|DataCopyPad reads bytes " + std::to_string(a.begin) + " to " + std::to_string(a.end) +
                       " of 'gm', which block " + std::to_string(notes[i].block) + " writes without a barrier between";
        return "";
    }
    std::string Write(const Access& a, int block, uint32_t epoch) {
        for (uint32_t i = a.begin; i < a.end;) {
            const uint32_t end = std::min(a.end, RunEnd(i));
            const Note& note = notes[i];
            bool same = !a.atomic && !note.atomic;
            for (uint32_t k = i; k < end; ++k) same = same && values[k] == a.value;
            if (note.block >= 0 && note.block != block && note.epoch == epoch && !(note.atomic && a.atomic) && !same)
                return "gm-overlap|DataCopyPad writes bytes " + std::to_string(i) + " to " + std::to_string(end) +
                       " of 'gm', which block " + std::to_string(note.block) + " has written with other values";
            i = end;
        }
        for (uint32_t i = a.begin; i < a.end; ++i) {
            values[i] = static_cast<int8_t>(a.atomic ? values[i] + a.value : a.value);
            notes[i] = {block, epoch, a.atomic};
        }
        return "";
    }
};

/// Some blocks, each with accesses of its own and barriers that all of them reach.
std::string Race(Chance& chance) {
    const uint32_t blocks = chance.From(2, 3), rounds = chance.From(1, 3), narrow = chance.From(4, 40);
    std::vector<std::vector<std::vector<Access>>> accesses(blocks);
    for (auto& rows : accesses) {
        rows.resize(rounds);
        for (auto& row : rows)
            for (uint32_t i = chance.From(0, 4); i > 0; --i) {
                const uint32_t begin = chance.From(0, narrow), end = begin + chance.From(1, 12);
                row.push_back({chance.From(0, 3) != 0, chance.From(0, 3) == 0, begin, end,
                               static_cast<int8_t>(chance.From(0, 1))});
            }
    }
    Memory memory;
    std::string expected;
    std::vector<int8_t> gm(kBytes);
    const std::string rule = RuleBroken(
        {{"gm", twin::Role::kInOut, reinterpret_cast<uint8_t*>(gm.data()), kBytes}},
        [&](uint8_t** args) {
            TPipe pipe;
            TBuf<> ones, zeros, room;
            pipe.InitBuffer(ones, 64);
            pipe.InitBuffer(zeros, 64);
            pipe.InitBuffer(room, 64);
            Duplicate(ones.Get<int16_t>(), int16_t(0x0101), 32);
            Duplicate(zeros.Get<int16_t>(), int16_t(0), 32);
            const auto block = static_cast<int>(GetBlockIdx());
            for (uint32_t round = 0; round < rounds; ++round) {
                if (round > 0) SyncAll();
                for (const Access& a : accesses[static_cast<size_t>(block)][round]) {
                    PipeBarrier<PIPE_ALL>();
                    GlobalTensor<int8_t> at;
                    at.SetGlobalBuffer(reinterpret_cast<int8_t*>(args[0]) + a.begin);
                    const DataCopyExtParams shape(1, a.end - a.begin, 0, 0, 0);
                    expected = a.write ? memory.Write(a, block, round) : memory.Read(a, block, round);
                    if (!a.write) {
                        DataCopyPad(room.Get<int8_t>(), at, shape, DataCopyPadExtParams<int8_t>());
                    } else {
                        if (a.atomic) SetAtomicAdd<int8_t>();
                        DataCopyPad(at, (a.value == 1 ? ones : zeros).Get<int8_t>(), shape);
                        if (a.atomic) SetAtomicNone();
                    }
                    if (!expected.empty()) return;
                }
            }
        },
        blocks);
    const std::string said = rule.empty() ? "" : rule + "|" + told_.message;
    if (said != expected) return "said " + said + ", expected " + expected;
    return rule.empty() && gm != memory.values ? "other values" : "";
}

/// An argument of 100 bytes, whose allocation goes on to 160; behind it other memory may be mapped.
std::string Reaches(uint32_t from, uint32_t bytes, bool fetch, bool tolerant, twin::Role role = twin::Role::kInOut,
                    size_t size = 100) {
    static std::vector<uint8_t> gm(2 << 20);
    kernel_ = [=](uint8_t** args) {
        TPipe pipe;
        TBuf<> room;
        pipe.InitBuffer(room, 192 * 1024 - 32);
        GlobalTensor<uint8_t> at;
        at.SetGlobalBuffer(args[0] + from);
        const auto ub = room.Get<uint8_t>();
        Duplicate(ub.ReinterpretCast<int16_t>(), int16_t(0), 96 * 1024 - 16);
        PipeBarrier<PIPE_ALL>();
        const uint32_t most = 192 * 1024 - 32;
        for (uint32_t done = 0; done < bytes; done += most) {
            const uint32_t part = std::min(most, bytes - done);
            PipeBarrier<PIPE_ALL>();
            if (fetch) DataCopyPad(ub, at[done], DataCopyExtParams(1, part, 0, 0, 0), DataCopyPadExtParams<uint8_t>());
            else DataCopyPad(at[done], ub, DataCopyExtParams(1, part, 0, 0, 0));
        }
    };
    twin::LaunchSpec spec{1, 0, false, {{"gm", role, gm.data(), size}}, twin::Cores::kVector, nullptr};
    spec.tolerant = tolerant;
    std::string past;
    const std::string rule = RuleOfLaunch([&] { past = twin::Launch(spec, Enter).tolerated.rule; });
    if (rule.empty()) return past.empty() ? "" : "past " + past;
    return tolerant ? rule : rule + "|" + told_.message;
}

void Reach() {
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("a fetch of all", Reaches(0, 100, true, false), "");
    is("a fetch to the end of the allocation", Reaches(4, 156, true, false), "");
    is("a fetch of a byte more", Reaches(4, 157, true, false),
       "gm-out-of-range|src of DataCopyPad covers bytes 4 to 161 of 'gm', which has 100; its allocation ends at 160");
    is("a store of all", Reaches(4, 96, false, false), "");
    is("a store of a byte more", Reaches(4, 97, false, false),
       "gm-out-of-range|dst of DataCopyPad covers bytes 4 to 101 of 'gm', which has 100");
    is("an argument of whole blocks", Reaches(0, 128, true, false, twin::Role::kInput, 96), "");
    is("and a byte more", Reaches(0, 129, true, false, twin::Role::kInput, 96),
       "gm-out-of-range|src of DataCopyPad covers bytes 0 to 129 of 'gm', which has 96; its allocation ends at 128");
    is("tiling data has no more than itself", Reaches(0, 100, true, false, twin::Role::kTiling), "");
    is("and a byte more of it", Reaches(0, 101, true, false, twin::Role::kTiling),
       "gm-out-of-range|src of DataCopyPad covers bytes 0 to 101 of 'gm', which has 100; its allocation ends at 100");
    is("an address of nothing", Reaches(0, 1, true, false, twin::Role::kInput, 0),
       "gm-out-of-range|src of DataCopyPad covers bytes 0 to 1 of 'gm', which has 0; its allocation ends at 0");
    is("a fetch behind, tolerated", Reaches(4, 157, true, true), "past gm-out-of-range");
    is("a store behind, tolerated", Reaches(4, 97, false, true), "past gm-out-of-range");
    is("a fetch in mapped memory, tolerated", Reaches(160 + 512 * 1024 - 96, 96, true, true), "past gm-out-of-range");
    is("a fetch behind it, tolerated", Reaches(160 + 512 * 1024 - 96, 97, true, true), "gm-out-of-range");
    is("a store behind it, tolerated", Reaches(160 + 512 * 1024 - 96, 97, false, true), "gm-out-of-range");
    is("a write to an input", Reaches(8, 4, false, false, twin::Role::kInput),
       "write-to-input|DataCopyPad writes bytes 8 to 12 of 'gm', which is an input");
    is("a write to tiling data", Reaches(8, 4, false, false, twin::Role::kTiling),
       "write-to-input|DataCopyPad writes bytes 8 to 12 of 'gm', which is an input");
    is("a write to the workspace", Reaches(8, 4, false, false, twin::Role::kWorkspace), "");
}

/// Two arguments beside each other are told apart to the byte.
void Neighbours() {
    std::vector<uint8_t> gm(256);
    const auto rule = [&](uint32_t from, uint32_t bytes) {
        return RuleBroken(
            {{"first", twin::Role::kInOut, gm.data(), 64}, {"second", twin::Role::kInput, gm.data() + 64, 64}},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<> room;
                pipe.InitBuffer(room, 128);
                Duplicate(room.Get<int16_t>(), int16_t(0), 64);
                GlobalTensor<uint8_t> first, at;
                at.SetGlobalBuffer(args[0] + from);
                first.SetGlobalBuffer(args[0]);
                PipeBarrier<PIPE_ALL>();
                DataCopyPad(first, room.Get<uint8_t>(), DataCopyExtParams(1, 1, 0, 0, 0));
                DataCopyPad(at, room.Get<uint8_t>(), DataCopyExtParams(1, bytes, 0, 0, 0));
            });
    };
    Expect("the last byte of the first", rule(63, 1).empty(), told_.message);
    Expect("the first of the second", rule(64, 1) == "write-to-input" && told_.tensor == "second", told_.message);
    Expect("the last of the second", rule(127, 1) == "write-to-input" && told_.tensor == "second", told_.message);
    Expect("from the first into the second", rule(63, 2) == "gm-out-of-range" && told_.tensor == "first",
           told_.message);
    Expect("behind the second", rule(128, 1) == "gm-out-of-range" && told_.tensor == "second", told_.message);
}

/// What nobody computed is told of unless someone writes it over.
void Unwritten() {
    const auto run = [](const std::vector<std::pair<uint32_t, uint32_t>>& over) {
        std::vector<uint8_t> gm(64);
        return RuleBroken({{"gm", twin::Role::kOutput, gm.data(), 64}}, [&](uint8_t** args) {
            TPipe pipe;
            TBuf<> none, ones;
            pipe.InitBuffer(none, 64);
            pipe.InitBuffer(ones, 64);
            Duplicate(ones.Get<int16_t>(), int16_t(1), 32);
            GlobalTensor<uint8_t> to;
            to.SetGlobalBuffer(args[0]);
            DataCopyPad(to[8], none.Get<uint8_t>(), DataCopyExtParams(1, 16, 0, 0, 0));
            PipeBarrier<PIPE_ALL>();
            for (const auto& [begin, end] : over)
                DataCopyPad(to[begin], ones.Get<uint8_t>(), DataCopyExtParams(1, end - begin, 0, 0, 0));
        });
    };
    const auto is = [&](const std::string& name, const std::vector<std::pair<uint32_t, uint32_t>>& over,
                        const std::string& left) {
        const std::string rule = run(over);
        const std::string begin = "bytes " + left + " of 'gm' hold values that nothing computed";
        Expect(name,
               left.empty() ? rule.empty()
                            : rule == "read-unwritten" && told_.message.compare(0, begin.size(), begin) == 0,
               rule + " " + told_.message);
    };
    is("nothing written over", {}, "8 to 24");
    is("all of it", {{8, 24}}, "");
    is("more than it", {{0, 40}}, "");
    is("its begin", {{4, 9}}, "9 to 24");
    is("its end", {{23, 30}}, "8 to 23");
    is("its middle", {{10, 12}}, "8 to 10");
    is("its middle and what is before", {{10, 12}, {0, 10}}, "12 to 24");
    is("in two steps", {{16, 24}, {8, 16}}, "");
    is("beside it", {{0, 8}, {24, 32}}, "8 to 24");
}

}  // namespace

int main() {
    InEachCase("blocks that write and read", 600, 257, Race);
    Reach();
    Neighbours();
    Unwritten();
    return Finish();
}
