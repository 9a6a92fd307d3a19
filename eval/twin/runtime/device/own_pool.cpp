// TBufPools that a kernel writes itself (EXTERN_IMPL_BUFPOOL): it places each block of a queue or TBuf where it likes
// in the pool's memory, blocks may share memory, and Reset ends all of them.
#include <algorithm>

#include "core.h"

namespace twin {

namespace {

/// What a handle stands for; only these functions look into it.
struct Handle {
    uint16_t pool;
    uint8_t offset;
};
constexpr uintptr_t kHandles = 0x7b000000;  // no address of the device

Handle Decoded(const uint8_t* handle) {
    const auto bits = reinterpret_cast<uintptr_t>(handle);
    if ((bits & ~uintptr_t{0xffffff}) != kHandles) {
        Broken("init-buffer", "", Text("%s with a handle that is none of a TBufPool", core().account.api),
               "pass what GetBufHandle of the pool gave");
    }
    return {static_cast<uint16_t>(bits >> 8), static_cast<uint8_t>(bits)};
}

/// Blocks without memory, until PlaceBlock gives them some.
uint32_t AddBlocks(const uint8_t* handle, TPosition position, uint32_t num, uint32_t queue, const std::string& name) {
    Core& c = core();
    const auto [id, offset] = Decoded(handle);
    MemoryPool& pool = PoolAt(id);
    RequireOpen(pool);
    if (SpaceOf(position) != pool.where) {
        Broken("wrong-position", name,
               Text("InitStartBufHandle at %s with a TBufPool in %s", PositionName(position), kSpace[pool.where].name),
               "use a pool of the same memory");
    }
    if (num < 1 || offset + num > pool.handles) {
        Broken("init-buffer", name,
               Text("InitStartBufHandle of %u blocks from block %u on; the pool has %u", num, offset, pool.handles),
               "give EXTERN_IMPL_BUFPOOL a larger BUFID_SIZE, and num 1 or more");
    }
    pool.own = true;
    const auto first = static_cast<uint32_t>(c.tpipe.buffers.size());
    for (uint32_t i = 0; i < num; ++i) {
        Buffer block;
        block.name = num == 1 ? name : Text("%s[%u]", name.c_str(), i);
        block.pool = id;
        block.position = position;
        block.queue = queue;
        block.state = queue == 0 ? State::kPlain : State::kFree;
        c.tpipe.buffers.push_back(std::move(block));
    }
    return first;
}

void PlaceBlock(Buffer& block, uint16_t id, const uint8_t* handle, uint32_t address, uint32_t bytes) {
    Core& c = core();
    const MemoryPool& pool = PoolAt(id);
    RequireOpen(pool);
    if (Decoded(handle).pool != id || block.pool != id)
        Broken("init-buffer", block.name, "InitBufHandle with another TBufPool than InitStartBufHandle had",
               "take handle and blocks from one pool");
    const uint32_t begin = kSpace[pool.where].begin + address;
    if (bytes == 0) Broken("init-buffer", block.name, "InitBufHandle of 0 bytes", "give the block a length above 0");
    if (address % kBlockBytes != 0) {
        Broken("unaligned-ub", block.name,
               Text("InitBufHandle at address %u, which is no multiple of %u", address, kBlockBytes),
               "round the lengths of the blocks before it up to 32 bytes");
    }
    if (begin < pool.begin || static_cast<uint64_t>(begin) + bytes > pool.begin + pool.bytes) {
        Broken(pool.where == kUb ? "ub-overflow" : "local-overflow", block.name,
               Text("InitBufHandle of addresses %u to %llu; the pool has %u to %u", address,
                    static_cast<unsigned long long>(address) + bytes, pool.begin - kSpace[pool.where].begin,
                    pool.begin - kSpace[pool.where].begin + pool.bytes),
               "give InitBufPool a larger length, or place fewer blocks");
    }
    block.begin = begin;
    block.bytes = bytes;
    if (c.cube || pool.where == kUb) c.memory.used[pool.where] = std::max(c.memory.used[pool.where], address + bytes);
}

Buffer& BlockAt(uint32_t first, uint32_t num, uint32_t index) {
    if (first == 0 || index >= num)
        Broken("init-buffer", "", Text("InitBufHandle of block %u of %u", index, first == 0 ? 0 : num),
               "call InitStartBufHandle first, and InitBufHandle for each of its num blocks");
    return core().tpipe.buffers[first + index];
}

}  // namespace

uint8_t* PoolHandle(uint16_t pool, uint32_t offset, uint32_t handles) {
    Note("GetBufHandle");
    PoolAt(pool).handles = handles;
    if (offset >= handles || offset > 0xff) {
        Broken("init-buffer", "", Text("GetBufHandle of block %u; the pool has %u", offset, handles),
               "give EXTERN_IMPL_BUFPOOL a larger BUFID_SIZE, or share blocks");
    }
    return reinterpret_cast<uint8_t*>(kHandles | static_cast<uintptr_t>(pool) << 8 | offset);
}

uint32_t PoolAddress(uint16_t pool) {
    Note("GetCurAddr");
    const MemoryPool& own = PoolAt(pool);
    return own.begin - kSpace[own.where].begin + own.top;
}
void SetPoolAddress(uint16_t pool, uint32_t address) {
    Note("SetCurAddr");
    MemoryPool& own = PoolAt(pool);
    own.top = address - (own.begin - kSpace[own.where].begin);
}
uint32_t PoolBuffers(uint16_t pool) {
    Note("GetCurBufSize");
    return PoolAt(pool).buffers;
}
void SetPoolBuffers(uint16_t pool, uint32_t buffers) {
    Note("SetCurBufSize");
    PoolAt(pool).buffers = buffers;
}

void StartQueue(uint32_t* queue, TPosition src, TPosition dst, int depth, const uint8_t* handle, uint32_t num) {
    Note("InitStartBufHandle");
    Core& c = core();
    Queue q = NewQueue(src, dst, depth, num);
    const auto id = static_cast<uint32_t>(c.tpipe.queues.size());
    q.first = AddBlocks(handle, HomePosition(src, dst), num, id, q.name);
    c.tpipe.queues.push_back(std::move(q));
    *queue = id;
}
void StartTBuf(uint32_t* buffer, TPosition position, const uint8_t* handle, uint32_t num) {
    Note("InitStartBufHandle");
    if (num != 1)
        Broken("init-buffer", "", Text("InitStartBufHandle of a TBuf with num %u", num),
               "a TBuf has one block: num is 1");
    *buffer =
        AddBlocks(handle, position, 1, 0,
                  Text("%s buffer %d", PositionName(position), core().tpipe.queueNumber[static_cast<int>(position)]++));
}
void PlaceInQueue(uint32_t queue, uint16_t pool, uint32_t index, const uint8_t* handle, uint32_t address,
                  uint32_t bytes) {
    Note("InitBufHandle");
    const Core& c = core();
    const bool known = queue != 0 && queue < c.tpipe.queues.size();
    PlaceBlock(BlockAt(known ? c.tpipe.queues[queue].first : 0, known ? c.tpipe.queues[queue].num : 0, index), pool,
               handle, address, bytes);
}
void PlaceInTBuf(uint32_t buffer, uint16_t pool, uint32_t index, const uint8_t* handle, uint32_t address,
                 uint32_t bytes) {
    Note("InitBufHandle");
    PlaceBlock(BlockAt(buffer < core().tpipe.buffers.size() ? buffer : 0, 1, index), pool, handle, address, bytes);
}

bool SharesMemory(const Buffer& block) {
    const Core& c = core();
    if (block.pool == 0 || !c.tpipe.pools[block.pool].own) return false;
    for (const Buffer& other : c.tpipe.buffers) {
        if (&other == &block || other.pool != block.pool || other.begin >= block.begin + block.bytes ||
            block.begin >= other.begin + other.bytes)
            continue;
        if (other.state != State::kFree) return true;
    }
    return false;
}

}  // namespace twin
