// TBufPool: pieces of UB or L1 that are divided into buffers and further pools, and that pools may share in turn.
#include <algorithm>
#include <cstring>

#include "core.h"

namespace twin {

namespace {

/// Whether a pool was taken out of another, or out of one that was; each is part of itself.
bool IsPartOf(uint16_t pool, uint16_t whole) {
    for (uint16_t p = pool; p != 0; p = core().tpipe.pools[p].parent)
        if (p == whole) return true;
    return false;
}
bool Related(uint16_t a, uint16_t b) { return IsPartOf(a, b) || IsPartOf(b, a); }

uint16_t AddPool(SpaceId where, uint32_t begin, uint32_t bytes, uint16_t parent) {
    Core& c = core();
    MemoryPool pool;
    pool.where = where;
    pool.begin = begin;
    pool.bytes = bytes;
    pool.parent = parent;
    c.tpipe.pools.push_back(pool);
    return static_cast<uint16_t>(c.tpipe.pools.size() - 1);
}

uint32_t Rounded(uint32_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

}  // namespace

MemoryPool& PoolAt(uint16_t pool) {
    Core& c = core();
    if (pool == 0 || pool >= c.tpipe.pools.size()) {
        Broken("init-buffer", "", Text("%s on a TBufPool that no InitBufPool has set up", c.account.api),
               "call pipe.InitBufPool(pool, len) first");
    }
    return c.tpipe.pools[pool];
}

void RequireOpen(const MemoryPool& pool) {
    if (!pool.closed) return;
    Broken("init-buffer", "", Text("%s on a TBufPool after its Reset", core().account.api),
           "divide a pool before its Reset; buffers that it has stay usable");
}

void EnterPool(const Buffer& block) {
    const uint16_t pool = block.pool;
    if (pool == 0) return;
    Core& c = core();
    const MemoryPool& own = c.tpipe.pools[pool];
    if (own.own && block.bytes == 0) {
        Broken("init-buffer", block.name, Text("%s of a block that no InitBufHandle has placed", c.account.api),
               "call InitBufHandle for each block of InitStartBufHandle");
    }
    if (own.own && own.closed) {
        Suspect("init-buffer", "",
                Text("%s takes a block of a TBufPool of the kernel's own after its Reset", c.account.api),
                "call InitBufPool and InitBuffer once more: Reset ends the pool and its blocks");
    }
    for (uint16_t other = 1; other < c.tpipe.pools.size(); ++other) {
        const MemoryPool& p = c.tpipe.pools[other];
        if (!p.inUse || p.where != own.where || p.begin >= own.begin + own.bytes || own.begin >= p.begin + p.bytes ||
            Related(pool, other))
            continue;
        Suspect("pool-in-use", "",
                Text("%s takes a tensor out of a TBufPool whose memory another TBufPool has in use", c.account.api),
                "call Reset on the pool that is done with, before the other one is used");
    }
    c.tpipe.pools[pool].inUse = true;
}

void InitPool(uint16_t* pool, TPosition position, uint16_t parent, uint32_t bytes) {
    Note("InitBufPool");
    Core& c = core();
    const SpaceId where = SpaceOf(position);
    const uint32_t rounded = Rounded(bytes);
    if (parent != 0) RequireOpen(PoolAt(parent));
    uint32_t& top = parent != 0 ? c.tpipe.pools[parent].top : c.memory.top[where];
    const uint32_t begin = parent != 0 ? c.tpipe.pools[parent].begin : kSpace[where].begin,
                   capacity = parent != 0 ? c.tpipe.pools[parent].bytes : kSpace[where].bytes;
    if (bytes == 0 || static_cast<uint64_t>(top) + rounded > capacity) {
        Broken(where == kUb ? "ub-overflow" : "local-overflow", "",
               Text("InitBufPool of %u bytes, and %u of %u are left", bytes, capacity - top, capacity),
               "make the pool smaller, or share one");
    }
    const uint32_t at = begin + top;
    top += rounded;
    if (parent == 0) launch().report.ubPeakBytes = std::max<uint64_t>(launch().report.ubPeakBytes, c.memory.top[kUb]);
    *pool = AddPool(where, at, rounded, parent);
}

void InitSharedPool(uint16_t* pool, uint16_t parent, uint32_t bytes, uint16_t shared) {
    Note("InitBufPool");
    const MemoryPool other = PoolAt(shared);
    if (bytes == 0 || Rounded(bytes) > other.bytes) {
        Broken(other.where == kUb ? "ub-overflow" : "local-overflow", "",
               Text("InitBufPool of %u bytes in the memory of a pool of %u", bytes, other.bytes),
               "share a pool that is at least as large");
    }
    *pool = AddPool(other.where, other.begin, other.bytes, parent);
}

void DividePool(uint16_t pool, TPosition position) {
    Note("InitBuffer");
    MemoryPool& p = PoolAt(pool);
    RequireOpen(p);
    if (SpaceOf(position) != p.where)
        Broken("wrong-position", "",
               Text("InitBuffer at %s out of a TBufPool in %s", PositionName(position), kSpace[p.where].name),
               "use a pool of the same memory");
    core().tpipe.dividedPool = pool;
}

void DividedPool() { core().tpipe.dividedPool = 0; }

/// Later uses of the memory wait for what its queues were about; what it holds is nobody's.
void ResetPool(uint16_t pool) {
    Note("Reset");
    Core& c = core();
    MemoryPool& own = PoolAt(pool);
    own.closed = true;
    for (uint16_t p = 1; p < c.tpipe.pools.size(); ++p)
        if (IsPartOf(p, pool)) c.tpipe.pools[p].inUse = false;
    for (Buffer& b : c.tpipe.buffers) {
        if (b.pool != pool) continue;
        if (b.state == State::kEnqueued || b.state == State::kAllocated || b.state == State::kDequeued) {
            Suspect("tensor-leak", b.name, "Reset of a TBufPool with a tensor that was not freed",
                    "DeQue and FreeTensor as often as AllocTensor and EnQue, before Reset");
        }
        for (int p = 0; p < kPipes; ++p) Join(static_cast<pipe_t>(p), b.ready);
        if (!c.cube && own.where != kUb) continue;
        Define(b.begin, b.bytes, false);
    }
}

}  // namespace twin
