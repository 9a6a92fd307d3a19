// Tensors on their way through queues.
#include <algorithm>
#include <cstring>

#include "exposed.h"

namespace twin {

namespace {

Queue& QueueAt(uint32_t id) {
    Core& c = core();
    if (id == 0 || id >= c.tpipe.queues.size()) {
        Broken("queue-not-initialised", "",
               {"queue-not-initialised",
                "{api} on a queue that no InitBuffer of the current TPipe has set up",
                {c.account.api}},
               "call pipe.InitBuffer(queue, num, len) first");
    }
    return c.tpipe.queues[id];
}

Buffer& OwnBuffer(const Queue& q, const Local& t, bool anyQueue = false) {
    Core& c = core();
    if (t.data == nullptr)
        Broken("null-tensor", q.name, Text("%s with a tensor that has no memory", c.account.api),
               "pass the tensor that AllocTensor or DeQue returned");
    if (t.buffer < q.first || t.buffer >= q.first + q.num) {
        (anyQueue && t.buffer < c.tpipe.buffers.size() && c.tpipe.buffers[t.buffer].queue != 0 ? Suspect : Broken)(
            "foreign-tensor", q.name,
            {"foreign-tensor", "{api} with a tensor of {owner}", {c.account.api, BufferName(t)}},
            "give a tensor back to the queue it came from");
    }
    return c.tpipe.buffers[t.buffer];
}

/// Tensors of queues between the same pipes each hold an event id: while they stand in a queue, and from FreeTensor to
/// the next AllocTensor.
void RequireEvent(const Queue& q, bool freed) {
    if (q.producer == q.consumer) return;
    const Core& c = core();
    uint32_t held = 0;
    for (const Queue& other : c.tpipe.queues) {
        if (other.producer != q.producer || other.consumer != q.consumer) continue;
        for (uint32_t i = 0; i < other.num; ++i) {
            const Buffer& b = c.tpipe.buffers[other.first + i];
            held += freed ? b.freed : b.state == State::kEnqueued;
        }
    }
    if (held < 8) return;
    Suspect("event-exhausted", q.name,
            Text("%s needs a ninth event id between %s and %s: tensors %s hold all eight", core().account.api,
                 PipeName(q.producer), PipeName(q.consumer), freed ? "that were freed" : "in queues"),
            "give the queues of a position at most eight blocks in all, or call FreeAllEvent");
}

}  // namespace

Local QueueAlloc(uint32_t queue) {
    Note("AllocTensor");
    Queue& q = QueueAt(queue);
    Core& c = core();
    for (uint32_t i = 0; i < q.num; ++i) {
        const uint32_t slot = (q.cursor + i) % q.num;
        Buffer& buffer = c.tpipe.buffers[q.first + slot];
        if (buffer.state != State::kFree) continue;
        EnterPool(buffer);
        q.cursor = (slot + 1) % q.num;
        buffer.state = State::kAllocated;
        buffer.freed = false;
        buffer.unwritten.clear();
        Join(q.producer, buffer.ready, q.name);
        // What a block holds after AllocTensor is not defined: make that visible.
        if ((c.cube || InUb(buffer.position)) && !SharesMemory(buffer)) {
            std::memset(c.memory.ub + buffer.begin, 0xff, buffer.bytes);
            if (c.memory.exposed != nullptr && buffer.begin < kUbBytes) WriteExposed(c, buffer.begin, buffer.bytes);
            Define(buffer.begin, buffer.bytes, false);
        }
        return ViewOfBuffer(static_cast<uint16_t>(q.first + slot));
    }
    Broken("alloc-deadlock", q.name,
           {"alloc-deadlock",
            "AllocTensor finds none of the {blocks} blocks free; on the device it would wait for ever",
            {q.num}},
           "free tensors with FreeTensor before the next AllocTensor, or give InitBuffer a larger num");
}

bool QueueEnque(uint32_t queue, const Local& tensor) {
    Note("EnQue");
    Queue& q = QueueAt(queue);
    Buffer& buffer = OwnBuffer(q, tensor);
    if (buffer.state != State::kAllocated && buffer.state != State::kDequeued) {
        Broken("enque-wrong-state", buffer.name,
               {"enque-twice",
                "EnQue of a tensor that {state}",
                {buffer.state == State::kFree ? "was freed" : "already stands in the queue"}},
               "EnQue once, after AllocTensor");
    }
    if (q.depth > 0 && static_cast<int>(q.fifo.size()) >= q.depth) {
        Broken("queue-depth", q.name,
               Text("EnQue brings the queue to %zu tensors; its depth is %d", q.fifo.size() + 1, q.depth),
               "DeQue before the next EnQue, or declare the queue with a larger depth");
    }
    RequireEvent(q, false);
    buffer.state = State::kEnqueued;
    buffer.ready = Snapshot(q.producer);
    q.fifo.push_back(tensor.buffer);
    Work& work = core().account.work;
    if (q.filled > 0 && work.drains > q.drains) ++q.drained;
    if (q.filled > 0 && work.meetings > q.meetings) ++q.synced;
    q.drains = work.drains;
    q.meetings = work.meetings;
    if (++q.filled >= work.tiles) {
        work.tiles = q.filled;
        work.drained = q.drained;
        work.synced = q.synced;
    }
    if (q.fact != SIZE_MAX) ++launch().report.buffers[q.fact].filled;
    return true;
}

Local QueueDeque(uint32_t queue) {
    Note("DeQue");
    Queue& q = QueueAt(queue);
    if (q.fifo.empty()) {
        Broken("deque-empty", q.name, {"deque-empty", "DeQue on a queue with nothing in it"},
               "EnQue the tensor first; every DeQue takes one EnQue");
    }
    const uint16_t index = q.fifo.front();
    q.fifo.pop_front();
    Buffer& buffer = core().tpipe.buffers[index];
    buffer.state = State::kDequeued;
    Join(q.consumer, buffer.ready, q.name);
    ++core().account.work.waits;
    return ViewOfBuffer(index);
}

void QueueFree(uint32_t queue, const Local& tensor) {
    Note("FreeTensor");
    Queue& q = QueueAt(queue);
    Buffer& buffer = OwnBuffer(q, tensor, true);
    if (buffer.state == State::kFree) {
        Suspect("double-free", buffer.name, "FreeTensor of a tensor that is already free", "free a tensor once");
    }
    if (buffer.state == State::kEnqueued) {
        Broken("free-while-enqueued", buffer.name, "FreeTensor of a tensor that still stands in the queue",
               "DeQue it first");
    }
    RequireEvent(q, true);
    buffer.state = State::kFree;
    buffer.freed = true;
    buffer.ready = Snapshot(q.consumer);
}

void QueueFreeEvents(uint32_t queue) {
    Note("FreeAllEvent");
    Queue& q = QueueAt(queue);
    for (uint32_t i = 0; i < q.num; ++i) {
        Buffer& buffer = core().tpipe.buffers[q.first + i];
        if (buffer.state == State::kFree) Join(q.producer, buffer.ready, q.name);
        buffer.freed = false;
    }
}

bool QueueHasTensor(uint32_t queue) { return !QueueAt(queue).fifo.empty(); }
bool QueueHasVacancy(uint32_t queue) { return static_cast<int>(QueueAt(queue).fifo.size()) < QueueAt(queue).depth; }
int QueueCount(uint32_t queue) { return static_cast<int>(QueueAt(queue).fifo.size()); }
bool QueueHasIdle(uint32_t queue) {
    const Queue& q = QueueAt(queue);
    for (uint32_t i = 0; i < q.num; ++i)
        if (core().tpipe.buffers[q.first + i].state == State::kFree) return true;
    return false;
}

}  // namespace twin
