// What cores are told of themselves, barriers of all and flags between cores.
#include <sys/wait.h>
#include <unistd.h>

#include "cube_kernels.h"
#include "pieces.h"

namespace {

std::string Told() { return told_.rule.empty() ? "" : told_.rule + "|" + told_.message; }

void Is(const std::string& name, const std::string& seen, const std::string& expected) {
    Expect(name, seen == expected, seen);
}

/// What each kind of core is told of itself.
void Numbers() {
    struct Kind {
        twin::Cores cores;
        const char* cube;
        const char* vectors;
    };
    // For each core: its number, its number in the block, how many of them the block has, cores by ratio, blocks.
    for (const Kind& k :
         {Kind{twin::Cores::kVector, "", "0/0/1/1/2 1/0/1/1/2 "}, Kind{twin::Cores::kCube, "0/0/1/1/2 1/0/1/1/2 ", ""},
          Kind{twin::Cores::kMix11, "0/0/1/1/2 1/0/1/1/2 ", "0/0/1/1/2 1/0/1/1/2 "},
          Kind{twin::Cores::kMix12, "0/0/2/1/2 1/0/2/1/2 ", "0/0/2/2/2 1/1/2/2/2 2/0/2/2/2 3/1/2/2/2 "}}) {
        std::string cube, vectors;
        const auto text = [] {
            std::string all;
            for (const int64_t n : {twin::BlockIndex(), twin::SubBlockIndex(), twin::SubBlockCount(), twin::TaskRatio(),
                                    twin::BlockCount()})
                all += (all.empty() ? "" : "/") + std::to_string(n);
            return all + " ";
        };
        const auto rule = RunCores(
            {}, k.cores, 2, [&](uint8_t**) { cube += text(); }, [&](uint8_t**) { vectors += text(); });
        Is("what cores are told, of kind " + std::to_string(static_cast<int>(k.cores)), rule + cube + "|" + vectors,
           std::string(k.cube) + "|" + k.vectors);
    }
}

/// All cores of one kind that may run at a time reach the barrier.
void Barriers() {
    const auto all = [](twin::Cores cores, uint32_t blocks, bool vectorOnly, uint32_t chipCubeCores = 24) {
        const Kernel sync = [=](uint8_t**) { twin::SyncBlocks("SyncAll", nullptr, nullptr, 0, vectorOnly); };
        RunCores({}, cores, blocks, sync, sync, chipCubeCores);
        return Told();
    };
    const auto many = [](uint32_t blocks, const char* cores = nullptr) {
        return "sync-too-many-blocks|SyncAll among " + std::to_string(blocks) + " blocks; only " +
               (cores != nullptr ? cores
                : blocks > 48    ? "48"
                                 : "24") +
               " run at a time and the rest would never start";
    };
    Is("48 vector cores", all(twin::Cores::kVector, 48, true), "");
    Is("49 vector cores", all(twin::Cores::kVector, 49, true), many(49));
    Is("24 blocks of two vector cores", all(twin::Cores::kMix12, 24, false), "");
    Is("25 blocks of two vector cores", all(twin::Cores::kMix12, 25, false), many(50));
    Is("24 blocks of one vector core", all(twin::Cores::kMix11, 24, false), "");
    Is("25 blocks of one vector core", all(twin::Cores::kMix11, 25, false), many(25));
    Is("24 cube cores", all(twin::Cores::kCube, 24, false), "");
    Is("25 cube cores", all(twin::Cores::kCube, 25, false), many(25));
    Is("40 vector cores of a chip with 20 pairs of them", all(twin::Cores::kVector, 40, true, 20), "");
    Is("41 of them", all(twin::Cores::kVector, 41, true, 20), many(41, "40"));
    Is("20 of its cube cores", all(twin::Cores::kCube, 20, false, 20), "");
    Is("21 of its cube cores", all(twin::Cores::kCube, 21, false, 20), many(21, "20"));
    Is("a barrier of vector cores that cube cores pass", all(twin::Cores::kMix12, 2, true), "");
    // The soft form: 32 bytes of GM and of UB for each block.
    const auto soft = [](uint32_t blocks, int used, uint32_t gmBytes, uint32_t ubBytes) {
        std::vector<uint8_t> gm(gmBytes);
        RunCores(
            {{"gm", twin::Role::kWorkspace, gm.data(), gmBytes}}, twin::Cores::kVector, blocks, [](uint8_t**) {},
            [=](uint8_t** args) {
                TPipe pipe;
                TBuf<> first, room;
                pipe.InitBuffer(first, 32);
                pipe.InitBuffer(room, ubBytes);
                const twin::Global workspace{args[0], 0};
                const twin::Local local = room.Get<int32_t>();
                twin::SyncBlocks("SyncAll", &workspace, &local, used, true);
            });
        return Told();
    };
    Is("memory for three blocks", soft(3, 0, 96, 96), "");
    Is("memory for three that are named", soft(3, 3, 96, 96), "");
    Is("GM for less", soft(3, 0, 95, 96),
       "gm-out-of-range|gmWorkspace of SyncAll covers bytes 0 to 96 of 'gm', which has 95");
    Is("UB for less", soft(3, 0, 96, 64),
       "out-of-buffer|ubWorkspace of SyncAll covers bytes 0 to 96 of a buffer of 64 bytes");
    Is("two of three blocks", soft(3, 2, 64, 64), "not-covered|SyncAll of 2 out of 3 blocks");
    Is("one of three", soft(3, 1, 64, 64), "not-covered|SyncAll of 1 out of 3 blocks");
}

/// Flags between cores: which ids and modes there are, whom a flag reaches, and how often it counts.
void CrossFlags() {
    const auto vector = [](const std::function<void()>& calls, twin::Cores cores = twin::Cores::kMix12,
                           uint32_t blocks = 1) {
        RunCores(
            {}, cores, blocks, [](uint8_t**) {}, [&](uint8_t**) { calls(); });
        return Told();
    };
    for (const int id : {-1, 0, 15, 16}) {
        const std::string expected =
            id < 0 || id > 15 ? "event-id|flag id " + std::to_string(id) + " is outside 0 to 15" : "";
        Is("flag " + std::to_string(id), vector([=] { twin::CrossCoreSet(0, id), twin::CrossCoreWait(id); }), expected);
        Is("a wait for flag " + std::to_string(id), expected.empty() ? "" : vector([=] { twin::CrossCoreWait(id); }),
           expected);
    }
    for (const int mode : {-1, 3})
        Is("mode " + std::to_string(mode), vector([=] { twin::CrossCoreSet(mode, 1); }),
           "not-covered|CrossCoreSetFlag mode " + std::to_string(mode));
    for (const auto cores : {twin::Cores::kVector, twin::Cores::kMix11, twin::Cores::kMix12}) {
        const std::string one = cores == twin::Cores::kVector
                                    ? "cross-core-kind|CrossCoreSetFlag of mode 2 orders a cube core and its vector "
                                      "cores, and this kernel runs on one kind of core only"
                                    : "";
        Is("mode 2 of kind " + std::to_string(static_cast<int>(cores)), vector([] { twin::CrossCoreSet(2, 1); }, cores),
           one);
    }
    RunCores({}, twin::Cores::kMix12, 1, [](uint8_t**) { twin::CrossCoreSet(1, 1); });
    Is("mode 1 of a cube core", Told(),
       "cross-core-kind|CrossCoreSetFlag of mode 1 orders the vector cores of a block, and a cube core calls it");
    const auto often = [](int times) {
        RunCores({}, twin::Cores::kMix11, 1, [=](uint8_t**) {
            for (int i = 0; i < times; ++i) twin::CrossCoreSet(2, 4);
        });
        return Told();
    };
    Is("15 sets", often(15), "");
    Is("16 sets", often(16),
       "flag-overflow|cross-core flag 4 is set 16 times and block 0's vector core 0 has waited for none of them; the "
       "counter ends at 15");
    // Who is let on: each core that the flag reaches waits for it once, and for no more.
    for (const auto cores : {twin::Cores::kVector, twin::Cores::kCube, twin::Cores::kMix11, twin::Cores::kMix12})
        for (const int mode : {0, 1, 2})
            for (const bool fromCube : {false, true})
                for (const uint32_t waits : {1u, 2u}) {
                    const bool mixed = cores == twin::Cores::kMix11 || cores == twin::Cores::kMix12;
                    if (fromCube ? cores == twin::Cores::kVector || mode == 1 : cores == twin::Cores::kCube) continue;
                    if (mode == 2 && !mixed) continue;
                    const Kernel sets = [=](uint8_t**) {
                        twin::CrossCoreSet(mode, 5);
                        for (uint32_t i = 0; i < waits && mode != 2; ++i) twin::CrossCoreWait(5);
                    };
                    const Kernel waiting = [=](uint8_t**) {
                        for (uint32_t i = 0; i < waits && mode == 2; ++i) twin::CrossCoreWait(5);
                    };
                    RunCores({}, cores, 2, fromCube ? sets : waiting, fromCube ? waiting : sets);
                    Expect("a flag of mode " + std::to_string(mode) +
                               (fromCube ? " of cube cores" : " of vector cores") + ", waited for " +
                               std::to_string(waits) + " times, kind " + std::to_string(static_cast<int>(cores)),
                           told_.rule == (waits == 1 ? "" : "sync-deadlock"), Told());
                }
}

/// A core and its vector cores order each other with mode 2: who sets the flag is not let on by it.
void OwnFlags() {
    for (const auto cores : {twin::Cores::kMix11, twin::Cores::kMix12})
        for (const bool fromCube : {false, true})
            for (const int64_t waiting : {0, 1}) {
                if (waiting == 1 && (fromCube || cores == twin::Cores::kMix11)) continue;
                const Kernel sets = [=](uint8_t**) {
                    twin::CrossCoreSet(2, 5);
                    if (fromCube || GetSubBlockIdx() == waiting) twin::CrossCoreWait(5);
                };
                const Kernel none = [](uint8_t**) {};
                RunCores({}, cores, 2, fromCube ? sets : none, fromCube ? none : sets);
                Expect(std::string("a flag of mode 2 lets on the other kind only, ") +
                           (fromCube ? "not the cube core" : "not vector core " + std::to_string(waiting)) +
                           " that sets it, kind " + std::to_string(static_cast<int>(cores)),
                       told_.rule == "sync-deadlock", Told());
            }
}

/// How a program ends that stores by address in a memory of a core, "" when it goes on.
std::string Stores(twin::Cores cores, int64_t fromUb) {
    const pid_t child = fork();
    if (child == 0) {
        const Kernel stores = [=](uint8_t**) {
            LocalTensor<uint8_t>(TPosition::VECCALC, 0, 32).data[fromUb] = 1;
            _exit(0);
        };
        RunCores({}, cores, 1, stores, stores);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? "signal" : WEXITSTATUS(status) == 0 ? "" : "no store";
}

/// A vector core has no memory but UB, and what lies between memories belongs to nobody.
void Memories() {
    struct Memory {
        const char* name;
        TPosition position;
        uint32_t bytes;
    };
    for (const Memory& m : {Memory{"UB", TPosition::VECCALC, 192 * 1024}, Memory{"L1", TPosition::A1, 512 * 1024},
                            Memory{"L0A", TPosition::A2, 64 * 1024}, Memory{"L0B", TPosition::B2, 64 * 1024},
                            Memory{"L0C", TPosition::CO1, 128 * 1024}, Memory{"BT", TPosition::C2, 1024},
                            Memory{"FB", TPosition::C2PIPE2GM, 7 * 1024}}) {
        int64_t begin = 0;
        RunCores({}, twin::Cores::kCube, 1, [&](uint8_t**) {
            begin = LocalTensor<uint8_t>(m.position, 0, 32).data - LocalTensor<uint8_t>(TPosition::VECCALC, 0, 32).data;
        });
        const bool ub = m.position == TPosition::VECCALC;
        for (const int64_t at : {begin, begin + m.bytes - 1}) {
            const std::string byte = "a store by address in byte " + std::to_string(at - begin) + " of " + m.name;
            Is(byte + " of a cube core", Stores(twin::Cores::kCube, at), "");
            Is(byte + " of a vector core" + (ub ? "" : " ends the program"), Stores(twin::Cores::kVector, at),
               ub ? "" : "signal");
        }
        Is(std::string("a store by address a page behind ") + m.name + " ends the program",
           Stores(twin::Cores::kCube, begin + (m.bytes + 4095) / 4096 * 4096), "signal");
    }
}

/// Who waits for what when nobody can go on.
void Deadlocks() {
    const auto said = [](twin::Cores cores, uint32_t blocks, const Kernel& cube, const Kernel& vector) {
        RunCores({}, cores, blocks, cube, vector);
        return "block " + std::to_string(told_.block) + ": " + told_.message;
    };
    const Kernel none = [](uint8_t**) {};
    const auto waits = [](int from) {
        return [=](uint8_t**) {
            if (GetBlockIdx() >= from) twin::CrossCoreWait(3);
        };
    };
    const auto of = [](const std::string& numbers, const std::string& who) {
        return numbers + " cores wait and the others will not come, because they have ended or wait elsewhere: " + who;
    };
    Is("one vector core", said(twin::Cores::kVector, 2, none, waits(1)),
       "block 1: " + of("1 of 2", "block 1 waits for cross-core flag 3"));
    Is("a cube core of the second block", said(twin::Cores::kMix12, 2, waits(1), none),
       "block 1: " + of("1 of 6", "block 1's cube core waits for cross-core flag 3"));
    Is("the last vector core", said(twin::Cores::kMix12, 2, none, waits(3)),
       "block 1: " + of("1 of 6", "block 1's vector core 1 waits for cross-core flag 3"));
    const Kernel some = [](uint8_t**) {
        if (GetBlockIdx() > 0) SyncAll();
    };
    Is("three of four at a barrier", said(twin::Cores::kVector, 4, none, some),
       "block 1: " + of("3 of 4", "block 1 waits in SyncAll, block 2 waits in SyncAll, block 3 waits in SyncAll"));
    Is("four of five", said(twin::Cores::kVector, 5, none, some),
       "block 1: " + of("4 of 5",
                        "block 1 waits in SyncAll, block 2 waits in SyncAll, block 3 waits in SyncAll, block 4 waits "
                        "in SyncAll"));
    Is("five of six", said(twin::Cores::kVector, 6, none, some),
       "block 1: " + of("5 of 6",
                        "block 1 waits in SyncAll, block 2 waits in SyncAll, block 3 waits in SyncAll, block 4 waits "
                        "in SyncAll, ..."));
    Is("a barrier of all that vector cores alone reach",
       said(twin::Cores::kMix11, 1, none, [](uint8_t**) { SyncAll<false>(); }),
       "block 0: " + of("1 of 2", "block 0's vector core 0 waits in SyncAll<false>"));
    Is("a barrier of vector cores that one cube core reaches too",
       said(
           twin::Cores::kMix11, 1, [](uint8_t**) { SyncAll(); }, [](uint8_t**) { SyncAll(); }),
       "block -1: ");
}

}  // namespace

int main() {
    Deadlocks();
    Numbers();
    Barriers();
    CrossFlags();
    OwnFlags();
    Memories();
    return Finish();
}
