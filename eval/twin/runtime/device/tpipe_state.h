// What TPipe gives out: buffers, the queues that pass them on, and pools that divide them further.
#ifndef TWIN_DEVICE_TPIPE_STATE_H
#define TWIN_DEVICE_TPIPE_STATE_H

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "memories.h"
#include "order.h"
#include "twin/runtime.h"

namespace twin {

constexpr size_t kPoolBuffers = 16;  // of one TBufPool

enum class State : uint8_t { kFree, kAllocated, kEnqueued, kDequeued, kPlain };

/// One block of memory given out by InitBuffer.
struct Buffer {
    std::string name;
    uint32_t begin = 0;
    uint32_t bytes = 0;
    TPosition position = TPosition::MAX;
    uint32_t queue = 0;
    uint16_t pool = 0;  // of TBufPool; 0: the TPipe's own
    State state = State::kPlain;
    bool overflows = false;   // goes behind its memory, which only a tolerant launch gets past
    bool declared = false;    // an array of the kernel's own
    bool freed = false;       // FreeTensor holds an event id until the next AllocTensor
    Clock ready{};            // of the producer at EnQue, of the consumer at FreeTensor
    const char* writer = "";  // API that last wrote here, for messages
    std::string unwritten;    // where values never written came in, when they did
};

struct Queue {
    std::string name;
    TPosition src, dst;
    int depth = 0;
    uint32_t first = 0;
    uint32_t num = 0;
    uint32_t cursor = 0;
    uint64_t filled = 0;                // how often EnQue put a tensor in
    uint64_t drains = 0, meetings = 0;  // of the core, when it last did
    uint64_t drained = 0, synced = 0;   // how often the scalar unit, or all cores, had waited since the tensor before
    size_t fact = SIZE_MAX;             // of the launch's report, when it tells of this queue
    pipe_t producer, consumer;
    std::deque<uint16_t> fifo;
};

/// A piece of UB or L1 that TBufPool divides further; pools may share it in turn.
struct MemoryPool {
    SpaceId where = kUb;
    uint32_t begin = 0, bytes = 0, top = 0;
    uint16_t parent = 0;
    uint32_t buffers = 0;
    bool closed = false;  // Reset gave the memory back: nothing more is divided
    bool inUse = false;   // tensors were taken since the last Reset
    bool own = false;     // the kernel places blocks itself, `handles` at most
    uint32_t handles = 0;
};

struct TPipeState {
    void* object = nullptr;  // the TPipe
    bool alive = false;
    std::vector<Buffer> buffers;
    std::vector<Queue> queues;
    std::vector<MemoryPool> pools = std::vector<MemoryPool>(1);  // index 0 stands for "no pool"
    uint16_t dividedPool = 0;                                    // that InitBuffer takes from
    int queueNumber[20] = {};
};

inline bool InUb(TPosition p) { return p == TPosition::VECIN || p == TPosition::VECOUT || p == TPosition::VECCALC; }
/// The whole of a buffer as a tensor.
Local ViewOfBuffer(uint16_t index);

}  // namespace twin

#endif
