// Pools of memory against a plain tree of them over calls of chance, blocks that a kernel places itself, and turns of
// blocks.
#include "pieces.h"
#include "twin/block_order.h"

using namespace AscendC;

namespace {

struct Pool {
    uint32_t begin, bytes, top, parent;
    bool inUse, closed;
    uint32_t buffers;
    uint16_t id = 0;
};
struct Part {
    uint32_t pool, begin, bytes, id;
};

uint32_t Up(uint32_t bytes) { return (bytes + 31) / 32 * 32; }

/// Pools beside each other, in each other and in each other's memory; number 0 is the TPipe.
struct Tree {
    std::vector<Pool> pools{{0, 192 * 1024, 0, 0, false, false, 0, 0}};
    bool IsPart(uint32_t pool, uint32_t whole) const {
        for (; pool != 0; pool = pools[pool].parent)
            if (pool == whole) return true;
        return false;
    }
    std::string Take(uint32_t from, uint32_t bytes, Pool* made) {
        Pool& parent = pools[from];
        if (from != 0 && parent.closed) return "init-buffer|InitBufPool on a TBufPool after its Reset";
        if (bytes == 0 || parent.top + Up(bytes) > parent.bytes)
            return "ub-overflow|InitBufPool of " + std::to_string(bytes) + " bytes, and " +
                   std::to_string(parent.bytes - parent.top) + " of " + std::to_string(parent.bytes) + " are left";
        *made = {parent.begin + parent.top, Up(bytes), 0, from, false, false, 0, 0};
        parent.top += Up(bytes);
        return "";
    }
    std::string Share(uint32_t from, uint32_t bytes, uint32_t with, Pool* made) const {
        const Pool& other = pools[with];
        if (bytes == 0 || Up(bytes) > other.bytes)
            return "ub-overflow|InitBufPool of " + std::to_string(bytes) + " bytes in the memory of a pool of " +
                   std::to_string(other.bytes);
        *made = {other.begin, other.bytes, 0, from, false, false, 0, 0};
        return "";
    }
    std::string Divide(uint32_t from, uint32_t bytes, const std::string& name, Part* made) {
        Pool& p = pools[from];
        if (p.closed) return "init-buffer|InitBuffer on a TBufPool after its Reset";
        if (bytes == 0) return "init-buffer|InitBuffer with num 1 and len 0; num is 1 to 64 and len is above 0";
        if (p.buffers == 16)
            return "init-buffer|InitBuffer brings the number of buffers to 17; a TBufPool manages at most 16";
        if (p.top + Up(bytes) > p.bytes)
            return "ub-overflow|InitBuffer of 1 x " + std::to_string(Up(bytes)) + " bytes needs " +
                   std::to_string(p.top + Up(bytes)) + " bytes of the TBufPool in all; there are " +
                   std::to_string(p.bytes);
        *made = {from, p.begin + p.top, Up(bytes), 0};
        p.top += Up(bytes);
        ++p.buffers;
        (void)name;
        return "";
    }
    std::string Enter(uint32_t pool) {
        for (uint32_t other = 1; other < pools.size(); ++other) {
            const Pool &a = pools[pool], &b = pools[other];
            const bool meets = a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
            if (b.inUse && meets && !IsPart(pool, other) && !IsPart(other, pool))
                return "pool-in-use|Get takes a tensor out of a TBufPool whose memory another TBufPool has in use";
        }
        pools[pool].inUse = true;
        return "";
    }
    void Reset(uint32_t pool) {
        pools[pool].closed = true;
        for (uint32_t p = 1; p < pools.size(); ++p)
            if (IsPart(p, pool)) pools[p].inUse = false;
    }
};

std::string Told() { return told_.rule.empty() ? "" : told_.rule + "|" + told_.message; }

std::string Play(Chance& chance) {
    Tree tree;
    std::vector<Part> parts;
    std::string expected, wrong;
    RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        const uint8_t* ub = twin::RawLocal(TPosition::VECCALC, 0, 32).data;
        for (uint32_t step = 0; step < 30 && expected.empty() && wrong.empty(); ++step) {
            const auto some = [&] { return chance.From(0, 12) == 0 ? chance.From(0, 40000) : chance.From(1, 600); };
            const uint32_t call = chance.From(0, 9), many = static_cast<uint32_t>(tree.pools.size());
            const uint32_t from = chance.From(0, many - 1), bytes = call == 0 && from == 0 ? some() * 20 : some();
            Pool made{};
            if (call == 0 || many == 1) {
                expected = tree.Take(from, bytes, &made);
                twin::InitPool(&made.id, TPosition::VECCALC, tree.pools[from].id, bytes);
            } else if (call == 1) {
                const uint32_t with = chance.From(1, many - 1);
                expected = tree.Share(from, bytes, with, &made);
                twin::InitSharedPool(&made.id, tree.pools[from].id, bytes, tree.pools[with].id);
            } else if (call < 5 && from != 0) {
                Part part{};
                expected = tree.Divide(from, bytes / 4, "", &part);
                twin::DividePool(tree.pools[from].id, TPosition::VECIN);
                twin::InitTBuf(&part.id, TPosition::VECIN, bytes / 4);
                twin::DividedPool();
                parts.push_back(part);
                continue;
            } else if (call < 9 && !parts.empty()) {
                const Part& part = parts[chance.From(0, static_cast<uint32_t>(parts.size()) - 1)];
                expected = tree.Enter(part.pool);
                const twin::Local view = twin::TBufView(part.id, 0, 0, true);
                if (view.data != ub + part.begin || view.bytes != part.bytes) wrong = "Get gives other memory";
                continue;
            } else if (call == 9 && from != 0) {
                tree.Reset(from);
                twin::ResetPool(tree.pools[from].id);
                continue;
            } else {
                continue;
            }
            tree.pools.push_back(made);
        }
        if (!expected.empty()) wrong = "legal, and the model says " + expected;
    });
    if (!wrong.empty() && told_.rule.empty()) return wrong;
    return Told() == expected ? "" : "said " + Told() + ", expected " + expected;
}

void Is(const std::string& name, const std::string& seen, const std::string& expected) {
    Expect(name, seen == expected, seen);
}

std::string Said(const std::function<void()>& calls) {
    RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        TBuf<> before;
        pipe.InitBuffer(before, 64);
        calls();
    });
    return told_.rule.empty() ? "" : told_.rule + "|" + told_.tensor + "|" + told_.message;
}

void OfNothing() {
    const auto none = [](const std::string& api) {
        return "init-buffer||" + api + " on a TBufPool that no InitBufPool has set up";
    };
    uint16_t pool = 0;
    Is("a pool that none is", Said([] { twin::DividePool(0, TPosition::VECCALC); }), none("InitBuffer"));
    Is("a pool behind the last", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 64), twin::ResetPool(static_cast<uint16_t>(pool + 1));
       }),
       none("Reset"));
    Is("the last pool", Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 64), twin::ResetPool(pool); }), "");
    Is("all of UB", Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 192 * 1024 - 64); }), "");
    Is("a byte more", Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 192 * 1024 - 63); }),
       "ub-overflow||InitBufPool of 196545 bytes, and 196544 of 196608 are left");
    Is("a buffer of L1 out of UB",
       Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 64), twin::DividePool(pool, TPosition::A1); }),
       "wrong-position||InitBuffer at A1 out of a TBufPool in UB");
    Is("behind a pool's buffers the TPipe gives out its own", Said([&] {
           uint32_t first = 0, second = 0;
           twin::InitPool(&pool, TPosition::VECCALC, 0, 64);
           twin::DividePool(pool, TPosition::VECCALC);
           twin::InitTBuf(&first, TPosition::VECCALC, 64);
           twin::DividedPool();
           twin::InitTBuf(&second, TPosition::VECCALC, 64);
           if (twin::TBufView(second, 0, 0, true).data - twin::TBufView(first, 0, 0, true).data != 64) throw Broke{};
       }),
       "");
}

/// With a pool ends the use of all that was taken out of it, of a part that fills it too.
void Wholes() {
    for (const uint32_t bytes : {32u, 64u}) {
        uint16_t whole = 0, part = 0, shared = 0;
        uint32_t inPart = 0, inShared = 0;
        const auto take = [](uint16_t pool, uint32_t* buffer) {
            twin::DividePool(pool, TPosition::VECCALC);
            twin::InitTBuf(buffer, TPosition::VECCALC, 32);
            twin::DividedPool();
        };
        const auto said = [&](bool reset) {
            return Said([&, reset] {
                twin::InitPool(&whole, TPosition::VECCALC, 0, 64);
                twin::InitPool(&part, TPosition::VECCALC, whole, bytes);
                twin::InitSharedPool(&shared, 0, 32, whole);
                take(part, &inPart);
                take(shared, &inShared);
                twin::TBufView(inPart, 0, 0, true);
                if (reset) twin::ResetPool(whole);
                twin::TBufView(inShared, 0, 0, true);
            });
        };
        Is("a part of " + std::to_string(bytes) + " bytes of 64 in use", said(false),
           "pool-in-use||Get takes a tensor out of a TBufPool whose memory another TBufPool has in use");
        Is("after Reset of the whole", said(true), "");
    }
}

/// Blocks of a pool that a kernel places itself: from 64 bytes into UB on, 256 bytes.
void Placed() {
    uint16_t pool = 0, other = 0;
    uint32_t queue = 0, buffer = 0;
    const auto place = [&](uint32_t offset, uint32_t num, uint32_t index, uint32_t address, uint32_t bytes) {
        return Said([&, offset, num, index, address, bytes] {
            twin::InitPool(&pool, TPosition::VECCALC, 0, 256);
            const uint8_t* handle = twin::PoolHandle(pool, offset, 4);
            twin::StartQueue(&queue, TPosition::GM, TPosition::VECIN, 1, handle, num);
            twin::PlaceInQueue(queue, pool, index, handle, address, bytes);
        });
    };
    Is("the first block", place(0, 1, 0, 64, 32), "");
    Is("the last block", place(3, 1, 0, 288, 32), "");
    Is("four blocks", place(0, 4, 3, 64, 256), "");
    Is("five blocks", place(0, 5, 0, 64, 32),
       "init-buffer|VECIN queue 0|InitStartBufHandle of 5 blocks from block 0 on; the pool has 4");
    Is("two blocks from the last on", place(3, 2, 0, 64, 32),
       "init-buffer|VECIN queue 0|InitStartBufHandle of 2 blocks from block 3 on; the pool has 4");
    Is("no block", place(0, 0, 0, 64, 32),
       "init-buffer|VECIN queue 0|InitStartBufHandle of 0 blocks from block 0 on; the pool has 4");
    Is("a handle behind the last", place(4, 1, 0, 64, 32), "init-buffer||GetBufHandle of block 4; the pool has 4");
    Is("the second of two", place(0, 2, 2, 64, 32), "init-buffer||InitBufHandle of block 2 of 2");
    Is("no byte", place(0, 2, 1, 64, 0), "init-buffer|VECIN queue 0[1]|InitBufHandle of 0 bytes");
    Is("one byte", place(0, 2, 1, 64, 1), "");
    Is("an odd address", place(0, 1, 0, 80, 32),
       "unaligned-ub|VECIN queue 0|InitBufHandle at address 80, which is no multiple of 32");
    const auto outside = [](const std::string& from, const std::string& to) {
        return "ub-overflow|VECIN queue 0|InitBufHandle of addresses " + from + " to " + to +
               "; the pool has 64 to 320";
    };
    Is("a block before the pool", place(0, 1, 0, 32, 32), outside("32", "64"));
    Is("a block over its end", place(0, 1, 0, 288, 33), outside("288", "321"));
    Is("256 handles",
       Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 256), twin::PoolHandle(pool, 255, 300); }), "");
    Is("257 handles",
       Said([&] { twin::InitPool(&pool, TPosition::VECCALC, 0, 256), twin::PoolHandle(pool, 256, 300); }),
       "init-buffer||GetBufHandle of block 256; the pool has 300");
    Is("a handle of nothing", Said([&] {
           twin::StartQueue(&queue, TPosition::GM, TPosition::VECIN, 1, reinterpret_cast<const uint8_t*>(64), 1);
       }),
       "init-buffer||InitStartBufHandle with a handle that is none of a TBufPool");
    Is("a TBuf of two", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::StartTBuf(&buffer, TPosition::VECCALC, twin::PoolHandle(pool, 0, 4), 2);
       }),
       "init-buffer||InitStartBufHandle of a TBuf with num 2");
    const auto two = [&](bool handleOfOther, bool poolIsOther) {
        return Said([&, handleOfOther, poolIsOther] {
            twin::InitPool(&pool, TPosition::VECCALC, 0, 256);
            twin::InitPool(&other, TPosition::VECCALC, 0, 256);
            const uint8_t *handle = twin::PoolHandle(pool, 0, 4), *wrong = twin::PoolHandle(other, 0, 4);
            twin::StartTBuf(&buffer, TPosition::VECCALC, handle, 1);
            twin::PlaceInTBuf(buffer, poolIsOther ? other : pool, 0, handleOfOther ? wrong : handle,
                              poolIsOther ? 320 : 64, 32);
        });
    };
    const std::string apart =
        "init-buffer|VECCALC buffer 1|InitBufHandle with another TBufPool than InitStartBufHandle had";
    Is("handle and block of one pool", two(false, false), "");
    Is("a handle of another pool", two(true, false), apart);
    Is("a block of another pool", two(false, true), apart);
    Is("both of another pool", two(true, true), apart);
    Is("a queue that was not started", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::PlaceInQueue(0, pool, 0, twin::PoolHandle(pool, 0, 4), 64, 32);
       }),
       "init-buffer||InitBufHandle of block 0 of 0");
    Is("a queue behind the last", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::PlaceInQueue(1, pool, 0, twin::PoolHandle(pool, 0, 4), 64, 32);
       }),
       "init-buffer||InitBufHandle of block 0 of 0");
    Is("a TBuf that was not started", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::PlaceInTBuf(0, pool, 0, twin::PoolHandle(pool, 0, 4), 64, 32);
       }),
       "init-buffer||InitBufHandle of block 0 of 0");
    Is("a TBuf behind the last", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::PlaceInTBuf(2, pool, 0, twin::PoolHandle(pool, 0, 4), 64, 32);
       }),
       "init-buffer||InitBufHandle of block 0 of 0");
    Is("a queue of L1 in UB", Said([&] {
           twin::InitPool(&pool, TPosition::VECCALC, 0, 256),
               twin::StartQueue(&queue, TPosition::GM, TPosition::A1, 1, twin::PoolHandle(pool, 0, 4), 1);
       }),
       "wrong-position|A1 queue 0|InitStartBufHandle at A1 with a TBufPool in UB");
    uint32_t first = 0, moved = 0, count = 0;
    Said([&] {
        twin::InitPool(&pool, TPosition::VECCALC, 0, 256);
        first = twin::PoolAddress(pool);
        twin::SetPoolAddress(pool, 128);
        moved = twin::PoolAddress(pool);
        twin::SetPoolBuffers(pool, 3);
        count = twin::PoolBuffers(pool);
    });
    Expect("a pool's address and its number of blocks", first == 64 && moved == 128 && count == 3);
}

/// Blocks take turns, and tell each other by flags in GM.
void Turns() {
    const auto run = [](uint32_t blocks, uint32_t gmBytes, uint32_t ubBytes,
                        const std::function<void(const twin::Global&, const twin::Local&)>& calls) {
        std::vector<uint8_t> gm(gmBytes);
        RuleBroken(
            {{"gm", twin::Role::kWorkspace, gm.data(), gmBytes}},
            [&](uint8_t** args) {
                TPipe pipe;
                TBuf<> first, room;
                pipe.InitBuffer(first, 32);
                pipe.InitBuffer(room, ubBytes);
                calls({args[0], 0}, room.Get<int32_t>());
            },
            blocks);
        return Told();
    };
    std::string order;
    const auto turns = [&](uint32_t gmBytes, uint32_t ubBytes) {
        order.clear();
        return run(3, gmBytes, ubBytes, [&](auto& g, auto& l) {
            twin::BeginTurns(g, l);
            for (int round = 0; round < 2; ++round) {
                twin::WaitTurn(g, l);
                order += std::to_string(GetBlockIdx());
                twin::EndTurn(g, l);
            }
        });
    };
    Is("turns of three blocks", turns(96, 128), "");
    Is("one after the other", order, "012012");
    Is("GM for less", turns(92, 128),
       "gm-out-of-range|gmWorkspace of InitDetermineComputeWorkspace covers bytes 0 to 96 of 'gm', which has 92");
    Is("UB for less", turns(96, 96),
       "out-of-buffer|ubWorkspace of InitDetermineComputeWorkspace covers bytes 0 to 128 of a buffer of 96 bytes");
    const auto flag = [&](int block, int event, uint32_t gmBytes) {
        return run(2, gmBytes, 32, [=](auto& g, auto& l) {
            if (GetBlockIdx() == 0) twin::BlockSignal(g, l, block, event, true, true);
            else twin::BlockSignal(g, l, block, event, false, true);
        });
    };
    Is("a flag of block 0", flag(0, 0, 32), "");
    Is("a flag of block 1, event 2", flag(1, 2, 192), "");
    Is("and GM for less", flag(1, 2, 188),
       "gm-out-of-range|gmWorkspace of IBSet covers bytes 0 to 192 of 'gm', which has 188");
    Is("a block below 0", flag(-1, 0, 512), "event-id|IBSet with block -1 and event 0");
    Is("an event below 0", flag(0, -1, 512), "event-id|IBSet with block 0 and event -1");
    Is("a flag that nobody sets",
       run(1, 64, 32, [](auto& g, auto& l) { twin::BlockSignal(g, l, 0, 1, false, true); }).substr(0, 13),
       "sync-deadlock");
    std::vector<uint8_t> aligned(8192);
    const auto group = [&](uint32_t blocks, uint32_t arriving, uint32_t waiting, uint32_t index, bool arrives,
                           uint32_t from) {
        RuleBroken(
            {{"gm", twin::Role::kWorkspace, aligned.data(), 1024}},
            [&](uint8_t** args) {
                TPipe pipe;
                twin::OpenGroup(args[0] + from, arriving, waiting);
                if (GetBlockIdx() == 0) twin::PassGroup(args[0], arriving, waiting, index, 1, arrives);
            },
            blocks);
        return Told();
    };
    const auto cores = [](const std::string& a, const std::string& b) {
        return "sync-too-many-blocks|GroupBarrier of " + a + " and " + b + " cores; there are 2 vector cores";
    };
    Is("a group of one", group(2, 1, 1, 0, true, 0), "");
    Is("groups of all", group(2, 2, 2, 1, true, 0), "");
    Is("no core that arrives", group(2, 0, 1, 0, true, 0), cores("0", "1"));
    Is("no core that waits", group(2, 1, 0, 0, true, 0), cores("1", "0"));
    Is("three that arrive of two", group(2, 3, 1, 0, true, 0), cores("3", "1"));
    Is("three that wait of two", group(2, 1, 3, 0, true, 0), cores("1", "3"));
    Is("another core than the group has", group(2, 1, 2, 1, true, 0), "event-id|Arrive of core 1, and its group has 1");
    Is("another core that waits", group(2, 2, 1, 1, false, 0), "event-id|Wait of core 1, and its group has 1");
    Is("a workspace at 512 bytes", group(2, 1, 1, 0, true, 512), "");
    Is("a workspace at 64 bytes", group(2, 1, 1, 0, true, 64),
       "unaligned-gm|the workspace of GroupBarrier does not start at a multiple of 512 bytes");
}

}  // namespace

int main() {
    InEachCase("pools of chance", 800, 337, Play);
    OfNothing();
    Wholes();
    Placed();
    Turns();
    return Finish();
}
