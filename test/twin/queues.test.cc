// Queues against a plain list of blocks and their states, over calls of chance, legal ones and others.
#include "pieces.h"

using namespace AscendC;

namespace {

enum class State { kFree, kAllocated, kEnqueued, kDequeued };

struct Block {
    State state = State::kFree;
    bool holdsEvent = false;  // since it was freed
};

struct Queue {
    std::string name;
    bool in;  // VECIN, else VECOUT
    int depth;
    uint32_t num, bytes, id = 0, first = 0, cursor = 0;
    std::vector<Block> blocks;
    std::vector<uint32_t> standing;
    std::string Name(uint32_t block) const { return num == 1 ? name : name + "[" + std::to_string(block) + "]"; }
};

/// What the model says of a call: "" or the rule, the tensor and the sentence.
struct Model {
    std::vector<Queue> queues;
    std::string Events(const Queue& q, bool freed) const {
        uint32_t held = 0;
        for (const Queue& other : queues)
            for (const Block& b : other.blocks)
                if (other.in == q.in) held += freed ? b.holdsEvent : b.state == State::kEnqueued;
        const std::string pipes = q.in ? "PIPE_MTE2 and PIPE_V" : "PIPE_V and PIPE_MTE3";
        if (held < 8) return "";
        return "event-exhausted|" + q.name + "|" + (freed ? "FreeTensor" : "EnQue") +
               " needs a ninth event id between " + pipes + ": tensors " + (freed ? "that were freed" : "in queues") +
               " hold all eight";
    }
    std::string Alloc(Queue& q, uint32_t* slot) const {
        for (uint32_t i = 0; i < q.num; ++i) {
            *slot = (q.cursor + i) % q.num;
            if (q.blocks[*slot].state != State::kFree) continue;
            q.cursor = (*slot + 1) % q.num;
            q.blocks[*slot] = {State::kAllocated, false};
            return "";
        }
        return "alloc-deadlock|" + q.name + "|AllocTensor finds none of the " + std::to_string(q.num) +
               " blocks free; on the device it would wait for ever";
    }
    std::string EnQue(Queue& q, uint32_t block) const {
        Block& b = q.blocks[block];
        if (b.state == State::kFree) return "enque-wrong-state|" + q.Name(block) + "|EnQue of a tensor that was freed";
        if (b.state == State::kEnqueued)
            return "enque-wrong-state|" + q.Name(block) + "|EnQue of a tensor that already stands in the queue";
        if (q.depth > 0 && static_cast<int>(q.standing.size()) >= q.depth)
            return "queue-depth|" + q.name + "|EnQue brings the queue to " + std::to_string(q.standing.size() + 1) +
                   " tensors; its depth is " + std::to_string(q.depth);
        const std::string events = Events(q, false);
        if (!events.empty()) return events;
        b.state = State::kEnqueued;
        q.standing.push_back(block);
        return "";
    }
    std::string DeQue(Queue& q, uint32_t* block) const {
        if (q.standing.empty()) return "deque-empty|" + q.name + "|DeQue on a queue with nothing in it";
        *block = q.standing.front();
        q.standing.erase(q.standing.begin());
        q.blocks[*block].state = State::kDequeued;
        return "";
    }
    std::string Free(Queue& q, uint32_t block) const {
        Block& b = q.blocks[block];
        if (b.state == State::kFree)
            return "double-free|" + q.Name(block) + "|FreeTensor of a tensor that is already free";
        if (b.state == State::kEnqueued)
            return "free-while-enqueued|" + q.Name(block) + "|FreeTensor of a tensor that still stands in the queue";
        const std::string events = Events(q, true);
        if (!events.empty()) return events;
        b = {State::kFree, true};
        return "";
    }
    std::string End() const {
        for (const Queue& q : queues)
            for (uint32_t i = 0; i < q.num; ++i) {
                const State state = q.blocks[i].state;
                if (state == State::kEnqueued)
                    return "tensor-leak|" + q.Name(i) +
                           "|the kernel ends with a tensor in the queue that no DeQue took";
                if (state == State::kAllocated)
                    return "tensor-leak|" + q.Name(i) +
                           "|the kernel ends with a tensor that was allocated and never freed";
                if (state == State::kDequeued)
                    return "tensor-leak|" + q.Name(i) +
                           "|the kernel ends with a tensor that was dequeued and never freed";
            }
        return "";
    }
};

std::string Told() { return told_.rule.empty() ? "" : told_.rule + "|" + told_.tensor + "|" + told_.message; }

/// The rule that a tolerant launch went past, or stopped at.
std::string Tolerated(const std::function<void(uint8_t**)>& kernel) {
    kernel_ = kernel;
    twin::LaunchSpec spec{1, 0, false, {}, twin::Cores::kVector, nullptr};
    spec.tolerant = true;
    std::string past;
    const std::string rule = RuleOfLaunch([&] { past = twin::Launch(spec, Enter).tolerated.rule; });
    return rule.empty() ? "past " + past : rule;
}

/// Mostly calls in order: a block allocated, put in, taken out, freed; now and then any call on any block.
std::string Play(Chance& chance, bool wild) {
    Model model;
    const uint32_t many = chance.From(1, 3), steps = chance.From(5, 60);
    uint32_t ins = 0, outs = 0;
    for (uint32_t i = 0; i < many; ++i) {
        Queue q;
        q.in = chance.Coin();
        q.name = (q.in ? "VECIN queue " : "VECOUT queue ") + std::to_string(q.in ? ins++ : outs++);
        q.depth = static_cast<int>(chance.From(0, 6));
        q.num = chance.From(1, 6);
        q.bytes = chance.From(1, 100);
        q.blocks.resize(q.num);
        model.queues.push_back(q);
    }
    std::string expected, wrong;
    const std::string rule = RuleBroken({}, [&](uint8_t**) {
        TPipe pipe;
        uint32_t begin = 0;
        for (Queue& q : model.queues) {
            q.first = begin;
            begin += q.num * ((q.bytes + 31) / 32 * 32);
            twin::InitQueue(&q.id, q.in ? TPosition::GM : TPosition::VECOUT, q.in ? TPosition::VECIN : TPosition::GM,
                            q.depth, q.num, q.bytes);
        }
        const uint8_t* ub = LocalTensor<uint8_t>(TPosition::VECCALC, 0, 32).data;
        std::vector<std::vector<twin::Local>> seen(many);
        for (uint32_t i = 0; i < many; ++i) seen[i].resize(model.queues[i].num);
        for (uint32_t step = 0; step < steps && wrong.empty(); ++step) {
            const uint32_t at = chance.From(0, many - 1);
            Queue& q = model.queues[at];
            uint32_t call = chance.From(0, 4), block = chance.From(0, q.num - 1);
            const auto takes = [&](const twin::Local& t, const char* from) {
                const uint32_t place = q.first + block * ((q.bytes + 31) / 32 * 32);
                if (t.data != ub + place || t.bytes != (q.bytes + 31) / 32 * 32)
                    wrong = std::string(from) + " gives another block";
                seen[at][block] = t;
            };
            if (!wild && chance.From(0, 30) != 0) {  // the call that the block waits for
                if (q.blocks[block].state == State::kFree) call = 0;
                else if (q.blocks[block].state == State::kAllocated) call = 1;
                else call = q.blocks[block].state == State::kEnqueued ? 2 : 3;
            }
            if (call != 0 && call != 2 && seen[at][block].data == nullptr) continue;
            if (call == 0) {
                expected = model.Alloc(q, &block);
                takes(twin::QueueAlloc(q.id), "AllocTensor");
            } else if (call == 1) {
                expected = model.EnQue(q, block);
                twin::QueueEnque(q.id, seen[at][block]);
            } else if (call == 2) {
                expected = model.DeQue(q, &block);
                takes(twin::QueueDeque(q.id), "DeQue");
            } else if (call == 3) {
                expected = model.Free(q, block);
                twin::QueueFree(q.id, seen[at][block]);
            } else {
                twin::QueueFreeEvents(q.id);
                for (Block& b : q.blocks) b.holdsEvent = false;
            }
            if (!expected.empty()) wrong = "legal, and the model says " + expected;
            bool idle = false;
            for (const Block& b : q.blocks) idle = idle || b.state == State::kFree;
            const auto standing = static_cast<int>(q.standing.size());
            if (twin::QueueHasTensor(q.id) != (standing > 0) || twin::QueueCount(q.id) != standing ||
                twin::QueueHasIdle(q.id) != idle || twin::QueueHasVacancy(q.id) != (standing < q.depth))
                wrong = "the queue's counts differ";
        }
        if (wrong.empty()) expected = model.End();
    });
    if (!wrong.empty()) return wrong;
    return Told() == expected ? "" : "said " + Told() + ", expected " + expected + " " + rule;
}

/// A queue's blocks are its own, and of its TPipe.
void Others() {
    const auto said = [](const std::function<void(uint32_t, uint32_t)>& kernel) {
        RuleBroken({}, [&](uint8_t**) {
            TPipe pipe;
            uint32_t first = 0, second = 0;
            twin::InitQueue(&first, TPosition::GM, TPosition::VECIN, 2, 2, 32);
            twin::InitQueue(&second, TPosition::VECOUT, TPosition::GM, 1, 1, 32);
            kernel(first, second);
        });
        return Told();
    };
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("EnQue of another queue's tensor",
       said([](uint32_t a, uint32_t b) { twin::QueueEnque(a, twin::QueueAlloc(b)); }),
       "foreign-tensor|VECIN queue 0|EnQue with a tensor of VECOUT queue 0");
    is("EnQue of the tensor before", said([](uint32_t a, uint32_t b) { twin::QueueEnque(b, twin::QueueAlloc(a)); }),
       "foreign-tensor|VECOUT queue 0|EnQue with a tensor of VECIN queue 0[0]");
    is("FreeTensor of another queue's tensor",
       said([](uint32_t a, uint32_t b) { twin::QueueFree(a, twin::QueueAlloc(b)); }),
       "foreign-tensor|VECIN queue 0|FreeTensor with a tensor of VECOUT queue 0");
    is("EnQue of nothing", said([](uint32_t a, uint32_t) { twin::QueueEnque(a, twin::Local()); }),
       "null-tensor|VECIN queue 0|EnQue with a tensor that has no memory");
    is("a queue that none is", said([](uint32_t, uint32_t) { twin::QueueAlloc(0); }),
       "queue-not-initialised||AllocTensor on a queue that no InitBuffer of the current TPipe has set up");
    is("a queue behind the last", said([](uint32_t, uint32_t b) { twin::QueueAlloc(b + 1); }),
       "queue-not-initialised||AllocTensor on a queue that no InitBuffer of the current TPipe has set up");
    bool none = false;
    said([&](uint32_t, uint32_t) { none = twin::TBufView(1, 0, 32, false).data == nullptr; });
    Expect("a TBuf's Get has no queue's block", none);
}

/// What InitBuffer takes, and what it says of more.
void Sizes() {
    const auto said = [](uint32_t num, uint32_t bytes, uint32_t before, bool tolerant = false) {
        const auto kernel = [&](uint8_t**) {
            TPipe pipe;
            uint32_t id = 0;
            if (before > 0) twin::InitTBuf(&id, TPosition::VECCALC, before);
            twin::InitQueue(&id, TPosition::GM, TPosition::VECIN, 1, num, bytes);
        };
        return tolerant ? Tolerated(kernel) : (RuleBroken({}, kernel), Told());
    };
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("one block of a byte", said(1, 1, 0), "");
    is("64 blocks", said(64, 32, 0), "");
    const auto counts = [](const std::string& num, const std::string& len) {
        return "init-buffer|VECIN queue 0|InitBuffer with num " + num + " and len " + len +
               "; num is 1 to 64 and len is above 0";
    };
    is("65 blocks", said(65, 32, 0), counts("65", "32"));
    is("no block", said(0, 32, 0), counts("0", "32"));
    is("no byte", said(64, 0, 0), counts("64", "0"));
    is("no byte, tolerated", said(64, 0, 0, true), "past init-buffer");
    is("no byte in one block, tolerated", said(1, 0, 0, true), "past init-buffer");
    is("no block, tolerated", said(0, 0, 0, true), "init-buffer");
    is("65 blocks, tolerated", said(65, 0, 0, true), "init-buffer");
    is("and what ends the launch", Told(), counts("65", "0"));
    is("64 blocks and one before", said(64, 32, 32),
       "init-buffer|VECIN queue 0|InitBuffer brings the number of buffers to 65; a TPipe manages at most 64");
    is("63 blocks and one before", said(63, 32, 32), "");
    is("all of UB", said(1, 192 * 1024, 0), "");
    is("all of UB in two", said(1, 96 * 1024, 96 * 1024), "");
    is("a byte more", said(1, 96 * 1024 + 1, 96 * 1024),
       "ub-overflow|VECIN queue 0|InitBuffer of 1 x 98336 bytes needs 196640 bytes of UB in all; there are 196608");
    is("less than twice, tolerated", said(2, 192 * 1024 - 32, 32, true), "past ub-overflow");
    is("twice, tolerated", said(2, 192 * 1024, 0, true), "ub-overflow");
}

/// Parts of a TBuf.
void Views() {
    const auto said = [](uint64_t from, uint64_t bytes, bool tolerant = false) {
        const auto kernel = [&](uint8_t**) {
            TPipe pipe;
            uint32_t first = 0, last = 0;
            twin::InitTBuf(&first, TPosition::VECCALC, 192 * 1024 - 64);
            twin::InitTBuf(&last, TPosition::VECCALC, 32);
            twin::TBufView(last, from, bytes, false);
        };
        return tolerant ? Tolerated(kernel) : (RuleBroken({}, kernel), Told());
    };
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    is("all of a buffer", said(0, 32), "");
    is("its second half", said(16, 16), "");
    is("a byte more", said(16, 17), "out-of-buffer|VECCALC buffer 1|Get of bytes 16 to 33 of a buffer of 32 bytes");
    is("up to the end of UB, tolerated", said(0, 64, true), "past out-of-buffer");
    is("behind the end of UB, tolerated", said(0, 65, true), "out-of-buffer");
    is("behind the end of UB from a place on, tolerated", said(33, 32, true), "out-of-buffer");
    const auto raw = [](TPosition where, uint32_t address, uint32_t bytes) {
        RuleBroken({}, [&](uint8_t**) {
            TPipe pipe;
            twin::RawLocal(where, address, bytes);
        });
        return Told();
    };
    is("a raw tensor up to the end", raw(TPosition::VECIN, 196576, 32), "");
    is("a raw tensor behind it", raw(TPosition::VECIN, 196577, 32),
       "ub-overflow||a LocalTensor from UB address 196577 over 32 bytes ends behind 196608");
    is("a raw tensor of L1", raw(TPosition::A1, 524288, 1),
       "local-overflow||a LocalTensor from L1 address 524288 over 1 bytes ends behind 524288");
    is("a raw tensor in GM", raw(TPosition::GM, 0, 32), "not-covered||a LocalTensor at position GM");
}

/// A raw tensor inside of a buffer is a part of it, and has its state.
void RawTensors() {
    const auto rule = [](uint32_t address, uint32_t bytes) {
        return RuleBroken({}, [&](uint8_t**) {
            TPipe pipe;
            uint32_t first = 0, queue = 0;
            twin::InitTBuf(&first, TPosition::VECCALC, 64);
            twin::InitQueue(&queue, TPosition::GM, TPosition::VECIN, 1, 1, 64);
            Duplicate(LocalTensor<int32_t>(TPosition::VECCALC, address, bytes / 4), 0, static_cast<int32_t>(bytes / 4));
        });
    };
    // The queue's block is free memory, from byte 64 to 128.
    for (const uint32_t address : {0u, 32u, 64u, 96u, 128u})
        for (const uint32_t bytes : {32u, 64u, 96u}) {
            const bool inside = address >= 64 && address + bytes <= 128;
            Expect("a raw tensor of " + std::to_string(bytes) + " bytes from " + std::to_string(address),
                   rule(address, bytes) == (inside ? "use-after-free" : ""), rule(address, bytes));
        }
}

/// What a TPipe gave out is there until it ends or is reset; Init once more changes nothing.
void Lifetimes() {
    const auto said = [](const std::function<void(TPipe&, uint32_t, uint32_t)>& calls) {
        RuleBroken({}, [&](uint8_t**) {
            TPipe pipe;
            uint32_t buffer = 0, queue = 0;
            twin::InitTBuf(&buffer, TPosition::VECCALC, 64);
            twin::InitQueue(&queue, TPosition::GM, TPosition::VECIN, 1, 1, 32);
            calls(pipe, buffer, queue);
        });
        return Told();
    };
    const auto is = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect(name, seen == expected, seen);
    };
    const std::string gone =
        "queue-not-initialised||AllocTensor on a queue that no InitBuffer of the current TPipe has set up";
    const auto takes = [](uint32_t queue) { twin::QueueFree(queue, twin::QueueAlloc(queue)); };
    bool kept = false;
    is("Init after use", said([&](TPipe& p, uint32_t buffer, uint32_t queue) {
           const uint8_t* before = twin::TBufView(buffer, 0, 0, true).data;
           p.Init();
           takes(queue);
           uint32_t next = 0;
           twin::InitTBuf(&next, TPosition::VECCALC, 32);
           kept = twin::TBufView(buffer, 0, 0, true).data == before &&
                  twin::TBufView(next, 0, 0, true).data == before + 96;
       }),
       "");
    Expect("keeps what was given out", kept);
    is("a queue after Reset", said([&](TPipe& p, uint32_t, uint32_t queue) { p.Reset(), takes(queue); }), gone);
    bool again = false;
    is("a buffer after Reset", said([&](TPipe& p, uint32_t buffer, uint32_t) {
           const uint8_t* before = twin::TBufView(buffer, 0, 0, true).data;
           p.Reset();
           uint32_t next = 0;
           twin::InitTBuf(&next, TPosition::VECCALC, 32);
           again = twin::TBufView(next, 0, 0, true).data == before;
       }),
       "");
    Expect("has the memory from the start again", again);
    is("a queue after Destroy", said([&](TPipe& p, uint32_t, uint32_t queue) { p.Destroy(), takes(queue); }), gone);
    is("InitBuffer after Destroy", said([&](TPipe& p, uint32_t, uint32_t) {
           uint32_t next = 0;
           p.Destroy();
           twin::InitTBuf(&next, TPosition::VECCALC, 32);
       }),
       "init-buffer|VECCALC buffer 1|InitBuffer on a TPipe that was destroyed");
    is("a buffer after Destroy", said([](TPipe& p, uint32_t buffer, uint32_t) {
           p.Destroy();
           Duplicate(LocalTensor<int32_t>(twin::TBufView(buffer, 0, 0, true)), 1, 16);
       }),
       "");
    is("another TPipe after Destroy", said([](TPipe& p, uint32_t, uint32_t) {
           p.Destroy();
           TPipe next;
           uint32_t buffer = 0;
           twin::InitTBuf(&buffer, TPosition::VECCALC, 192 * 1024);
       }),
       "");
    is("another TPipe beside it", said([](TPipe&, uint32_t, uint32_t) { TPipe next; }),
       "second-tpipe||a TPipe is created while another one is alive");
    is("Reset with a tensor out", said([](TPipe& p, uint32_t, uint32_t queue) { twin::QueueAlloc(queue), p.Reset(); }),
       "tensor-leak|VECIN queue 0|the kernel ends with a tensor that was allocated and never freed");
}

}  // namespace

int main() {
    Lifetimes();
    InEachCase("calls in order", 400, 241, [](Chance& c) { return Play(c, false); });
    InEachCase("calls in any order", 400, 251, [](Chance& c) { return Play(c, true); });
    Others();
    Sizes();
    Views();
    RawTensors();
    return Finish();
}
