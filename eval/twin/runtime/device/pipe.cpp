// TPipe, plain buffers, and what must hold at the end of a kernel.
#include <algorithm>
#include <cstring>

#include "exposed.h"

namespace twin {

namespace {

bool IsLocal(TPosition p) { return InUb(p) || SpaceOf(p) != kUb; }
bool InL1(TPosition p) { return SpaceOf(p) == kL1; }

// By the path of a queue's position (TQue.md): VECIN is filled by MTE2 from GM, VECOUT by V and emptied by MTE3.
/// Pipe that fills a queue from `src` to `dst`, and the one that empties it.
pipe_t ProducerPipe(TPosition src) {
    if (InL1(src)) return PIPE_MTE1;
    if (src == TPosition::CO1) return PIPE_M;
    return src == TPosition::GM || src == TPosition::VECIN ? PIPE_MTE2 : PIPE_V;
}
pipe_t ConsumerPipe(TPosition dst, TPosition home) {
    if (home == TPosition::CO1) return PIPE_FIX;
    if (InL1(home)) return PIPE_MTE1;
    if (SpaceOf(home) == kL0a || SpaceOf(home) == kL0b || SpaceOf(home) == kBias) return PIPE_M;
    if (SpaceOf(home) == kFixpipe) return PIPE_FIX;
    return dst == TPosition::GM || dst == TPosition::VECOUT ? PIPE_MTE3 : PIPE_V;
}

uint32_t GiveOut(const char* what, TPosition position, uint32_t num, uint32_t bytes, uint32_t queue,
                 const std::string& name) {
    Core& c = core();
    if (!c.tpipe.alive)
        Broken("init-buffer", name, "InitBuffer on a TPipe that was destroyed",
               "keep the TPipe alive while its buffers are in use");
    if (!IsLocal(position)) {
        Broken("not-covered", name, Text("%s at position %s", what, PositionName(position)),
               "use a position of a memory on the core: VECIN, VECOUT, VECCALC, A1 to C2, CO1");
    }
    if (num < 1 || num > 64 || bytes == 0) {  // on the device a buffer without memory harms only whoever uses it
        (num >= 1 && num <= 64 ? Suspect : Broken)(
            "init-buffer", name,
            {"init-buffer", "InitBuffer with num {num} and len {len}; num is 1 to 64 and len is above 0", {num, bytes}},
            "check the tiling that gave these numbers");
    }
    MemoryPool* pool = c.tpipe.dividedPool != 0 ? &c.tpipe.pools[c.tpipe.dividedPool] : nullptr;
    const size_t others = pool != nullptr
                              ? pool->buffers
                              : static_cast<size_t>(std::count_if(c.tpipe.buffers.begin() + 1, c.tpipe.buffers.end(),
                                                                  [](const Buffer& b) { return b.pool == 0; }));
    // A TPipe manages at most 64 buffers in total (InitBuffer.md).
    const size_t most = pool != nullptr ? kPoolBuffers : 64;
    if (others + num > most) {
        Broken("init-buffer", name,
               Text("InitBuffer brings the number of buffers to %zu; a %s manages at most %zu", others + num,
                    pool != nullptr ? "TBufPool" : "TPipe", most),
               "share buffers");
    }
    // InitBuffer rounds lengths up to blocks, and addresses are given out one after the other in each memory.
    const uint32_t rounded = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    const SpaceId where = SpaceOf(position);
    const Space& space = kSpace[where];
    uint32_t& top = pool != nullptr ? pool->top : c.memory.top[where];
    const uint32_t begin = pool != nullptr ? pool->begin : space.begin,
                   capacity = pool != nullptr ? pool->bytes : space.bytes;
    const uint64_t wanted = top + static_cast<uint64_t>(rounded) * num;
    if (wanted > capacity) {  // likewise: no call notices until one takes a tensor of it (Touch)
        (wanted < 2ull * capacity ? Suspect : Broken)(
            where == kUb ? "ub-overflow" : "local-overflow", name,
            {"ub-overflow",
             "InitBuffer of {num} x {len} bytes needs {needed} bytes of {space} in all; there are {capacity}",
             {num, rounded, wanted, pool != nullptr ? "the TBufPool" : space.name, capacity}},
            "make the tile smaller, or share buffers");
    }
    const auto first = static_cast<uint32_t>(c.tpipe.buffers.size());
    for (uint32_t i = 0; i < num; ++i) {
        Buffer buffer;
        buffer.name = num == 1 ? name : Text("%s[%u]", name.c_str(), i);
        buffer.begin = begin + std::min(top, capacity);
        buffer.pool = c.tpipe.dividedPool;
        buffer.bytes = std::min(rounded, begin + capacity - buffer.begin);
        buffer.overflows = static_cast<uint64_t>(top) + rounded > capacity;
        buffer.position = position;
        buffer.queue = queue;
        buffer.state = queue == 0 ? State::kPlain : State::kFree;
        top += rounded;
        c.tpipe.buffers.push_back(std::move(buffer));
    }
    if (pool != nullptr) pool->buffers += num;
    if (c.cube || where == kUb)
        c.memory.used[where] = std::max(c.memory.used[where], begin + std::min(top, capacity) - space.begin);
    launch().report.ubPeakBytes = std::max<uint64_t>(launch().report.ubPeakBytes, c.memory.top[kUb]);
    if (c.index == 0) launch().report.buffers.push_back({name, PositionName(position), num, rounded, queue != 0});
    return first;
}

void CheckDrained(const Core& c) {
    for (size_t i = 1; i < c.tpipe.buffers.size(); ++i) {
        const Buffer& b = c.tpipe.buffers[i];
        if (b.state == State::kEnqueued) {
            Suspect("tensor-leak", b.name,
                    {"leak-in-queue", "the kernel ends with a tensor in the queue that no DeQue took"},
                    "DeQue and FreeTensor as often as AllocTensor and EnQue");
        }
        if (b.state == State::kAllocated || b.state == State::kDequeued) {
            Suspect("tensor-leak", b.name,
                    {"leak",
                     "the kernel ends with a tensor that was {state} and never freed",
                     {b.state == State::kAllocated ? "allocated" : "dequeued"}},
                    "call FreeTensor on the queue when the tensor is done with");
        }
    }
}

void ClearPool(Core& c) {
    c.tpipe.buffers.resize(1);
    c.tpipe.queues.resize(1);
    c.tpipe.pools.resize(1);
    c.memory.top.fill(0);
    c.order.reservedEvents.fill(0);
    std::fill(std::begin(c.tpipe.queueNumber), std::end(c.tpipe.queueNumber), 0);
}

}  // namespace

Local ViewOfBuffer(uint16_t index) {
    Core& c = core();
    const Buffer& buffer = c.tpipe.buffers[index];
    Local view;
    view.data = c.memory.ub + buffer.begin;
    view.bytes = buffer.bytes;
    view.buffer = index;
    view.position = buffer.position;
    return view;
}

TPosition HomePosition(TPosition src, TPosition dst) {
    return src == TPosition::GM || (InL1(src) && SpaceOf(dst) != kUb) ? dst : src;
}

void PipeBegin(void* pipe) {
    Core& c = core();
    Note("TPipe");
    if (c.tpipe.alive && c.tpipe.object != pipe) {
        // With nothing given out yet, boards go on, and operators of the vendor's libraries do this.
        (c.tpipe.buffers.size() > 1 ? Broken : Suspect)(
            "second-tpipe", "", {"second-tpipe", "a TPipe is created while another one is alive"},
            "create one TPipe per kernel and pass it on by pointer");
    }
    if (c.tpipe.object == pipe && c.tpipe.alive && c.tpipe.buffers.size() > 1)
        return;  // Init() after use keeps what is there
    c.tpipe.object = pipe;
    c.tpipe.alive = true;
    ClearPool(c);
}

void PipeEnd(void* pipe) {
    Core& c = core();
    if (!c.tpipe.alive || c.tpipe.object != pipe) return;
    c.account.api = "~TPipe";
    CheckDrained(c);
    ClearPool(c);
    c.tpipe.alive = false;
    Barrier(PIPE_ALL);
}

void PipeMoves(void* pipe) {
    Core& c = core();
    Note("TPipe");
    if (c.tpipe.alive) c.tpipe.object = pipe;
}

void PipeDestroy(void* pipe) {
    Core& c = core();
    if (!c.tpipe.alive || c.tpipe.object != pipe) return;
    Note("Destroy");
    CheckDrained(c);
    c.tpipe.queues.resize(1);
    c.order.reservedEvents.fill(0);
    c.tpipe.alive = false;
    Barrier(PIPE_ALL);
}

void PipeReset(void* pipe) {
    Core& c = core();
    if (c.tpipe.object != pipe) return;
    Note("Reset");
    CheckDrained(c);
    ClearPool(c);
    Barrier(PIPE_ALL);
}

void* CurrentPipe() { return core().tpipe.object; }

Queue NewQueue(TPosition src, TPosition dst, int depth, uint32_t num) {
    Queue q;
    const TPosition home = HomePosition(src, dst);
    const bool binds = src != TPosition::GM && dst != TPosition::GM && src != dst;
    const std::string base = binds ? Text("%s_%s", PositionName(src), PositionName(dst)) : PositionName(home);
    q.name = Text("%s queue %d", base.c_str(), core().tpipe.queueNumber[static_cast<int>(home)]++);
    q.src = src;
    q.dst = dst;
    q.depth = depth;
    q.num = num;
    q.producer = ProducerPipe(src);
    q.consumer = ConsumerPipe(dst, home);
    return q;
}

void InitQueue(uint32_t* queue, TPosition src, TPosition dst, int depth, uint32_t num, uint32_t bytes) {
    Core& c = core();
    Note("InitBuffer");
    Queue q = NewQueue(src, dst, depth, num);
    const auto id = static_cast<uint32_t>(c.tpipe.queues.size());
    q.first = GiveOut("a queue", HomePosition(src, dst), num, bytes, id, q.name);
    if (c.index == 0) q.fact = launch().report.buffers.size() - 1;
    c.tpipe.queues.push_back(std::move(q));
    *queue = id;
}

void InitTBuf(uint32_t* buffer, TPosition position, uint32_t bytes) {
    Note("InitBuffer");
    const std::string name =
        Text("%s buffer %d", PositionName(position), core().tpipe.queueNumber[static_cast<int>(position)]++);
    *buffer = GiveOut("a TBuf", position, 1, bytes, 0, name);
}

Local TBufView(uint32_t buffer, uint64_t offsetBytes, uint64_t bytes, bool whole) {
    Note("Get");
    Core& c = core();
    if (buffer == 0 || buffer >= c.tpipe.buffers.size() ||
        c.tpipe.buffers[buffer].queue != 0) {  // a tensor without memory, until it is used
        Local none;
        none.position = TPosition::VECCALC;
        return none;
    }
    EnterPool(c.tpipe.buffers[buffer]);
    Local view = ViewOfBuffer(static_cast<uint16_t>(buffer));
    if (whole) return view;
    if (offsetBytes + bytes > view.bytes) {
        const bool inMemory = static_cast<uint64_t>(view.data - c.memory.ub) + offsetBytes + bytes <= kUbBytes;
        (inMemory ? Suspect : Broken)(
            "out-of-buffer", BufferName(view),
            Text("Get of bytes %llu to %llu of a buffer of %u bytes", static_cast<unsigned long long>(offsetBytes),
                 static_cast<unsigned long long>(offsetBytes + bytes), view.bytes),
            "lower the length, or give InitBuffer a larger one");
    }
    view.data += offsetBytes;
    view.bytes = static_cast<uint32_t>(bytes);
    return view;
}

uint32_t AddressInMemory(const Local& view) {
    return static_cast<uint32_t>(view.data - (core().memory.ub + kSpace[SpaceOf(view.position)].begin));
}

Local RawLocal(TPosition position, uint32_t address, uint64_t bytes) {
    Note("LocalTensor");
    if (!IsLocal(position)) {
        Broken("not-covered", "", Text("a LocalTensor at position %s", PositionName(position)),
               "use a position of a memory on the core: VECIN, VECOUT, VECCALC, A1 to C2, CO1");
    }
    const Space& space = kSpace[SpaceOf(position)];
    if (address + bytes > space.bytes) {
        Broken(SpaceOf(position) == kUb ? "ub-overflow" : "local-overflow", "",
               Text("a LocalTensor from %s address %u over %llu bytes ends behind %u", space.name, address,
                    static_cast<unsigned long long>(bytes), space.bytes),
               "lower the address or the size");
    }
    Core& c = core();
    Local view;
    view.data = c.memory.ub + space.begin + address;
    view.bytes = static_cast<uint32_t>(bytes);
    view.position = position;
    for (size_t i = 1; i < c.tpipe.buffers.size(); ++i) {
        const Buffer& b = c.tpipe.buffers[i];
        if (space.begin + address >= b.begin && space.begin + address + bytes <= b.begin + b.bytes)
            view.buffer = static_cast<uint16_t>(i);
    }
    uint32_t& used = c.memory.used[SpaceOf(position)];
    if (c.cube || InUb(position)) used = std::max(used, static_cast<uint32_t>(address + bytes));
    return view;
}

void EndOfBlock(Core& c) {
    if (c.scalar.cache.lent.bytes != 0) SettleLent(c);
    c.account.api = "end of kernel";
    CheckDrained(c);
    for (const auto& [key, flag] : c.order.flags) {
        if (flag.set == 0) continue;
        Suspect("unpaired-flag", "",
                {"unpaired-flag",
                 "SetFlag from {from} to {to}, event {event}, has no WaitFlag",
                 {PipeName(key >> 16), PipeName((key >> 8) & 0xff), key & 0xff}},
                "wait for every flag that is set, also after the last iteration");
    }
    EndOfMatmul(c);
    EndOfCache(c);
    if (c.registers.atomicOp != 0)
        Suspect("atomic-left-on", "", {"atomic-left-on", "the kernel ends with atomic writes switched on"},
                "call SetAtomicNone after the last atomic copy");
    if (c.registers.counterMode)
        Suspect("mask-mode-left", "", "the kernel ends in counter mask mode",
                "call SetMaskNorm (and ResetMask) after the counter section");
}

}  // namespace twin
