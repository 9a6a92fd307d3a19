// One running core of the device in parts, and what every runtime file needs of it. Not included by kernels.
#ifndef TWIN_DEVICE_CORE_H
#define TWIN_DEVICE_CORE_H

#include <ucontext.h>

#include <array>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "cache.h"
#include "lanes.h"
#include "launch_state.h"
#include "memories.h"
#include "order.h"
#include "registers.h"
#include "steps.h"
#include "tpipe_state.h"
#include "twin/launch.h"
#include "twin/runtime.h"
#include "work.h"

namespace twin {

/// The scalar unit: its cache, and what it did in GM.
struct ScalarUnit {
    /// Where it wrote to last, in steps of 16 KiB.
    struct {
        const GmState* state = nullptr;
        uint64_t number = 0;
        CacheLine* lines = nullptr;  // the 256 around it
    } lastLines;
    ScalarCache cache;
    std::map<const void*, uint32_t> looks;  // at lines of GM past the cache, since this core last wrote a scalar
};

/// Rows in GM that an asynchronous calculation of the high-level Matmul reads or writes until someone waits for it.
struct InFlight {
    const uint8_t* base;
    uint64_t rowBytes, stride;
    uint32_t rows;
    bool written;
    uint32_t number;
};

/// What the high-level Matmul keeps of a core.
struct MatmulUse {
    uint32_t objects = 0;  // registered here
    bool serves = false;   // those of its vector cores
    bool calculating = false;
    uint32_t calculations = 0, announced = 0;  // started so far; of them with the promise to wait
    std::vector<InFlight> inFlight;
};

/// Calls and their work, for messages and for the cost model.
struct Account {
    const char* api = "";
    const char* calledAs = nullptr;  // for messages, while a function of another name is at work
    /// Counters of the calls lately made; elements of an unordered_map keep their place.
    struct Counted {
        const char* api;
        Tally* tally;
    };
    std::array<Counted, 16> counted{};
    Work work;
    uint64_t readBytes = 0, writtenBytes = 0;
    uint64_t cycles = 0;
};

/// The core as a thread of control: its stack, and what it waits for.
struct Fibre {
    /// Variables of the kernel that are this core's own: where they are while it runs, their values while it does not,
    /// and what they start as.
    struct {
        uint8_t* begin = nullptr;
        std::vector<uint8_t> own, initial;
    } variables;
    ucontext_t context;
    uint8_t* stack = nullptr;
    bool started = false, done = false;
    enum Waiting : uint8_t { kRunning, kAtBarrier, kAtFullBarrier, kAtFlag, kAtSignal } waiting = kRunning;
    int waitFlag = -1;
    const uint32_t* signal = nullptr;  // that another block must bring to signalValue
    uint32_t signalValue = 0;
};

struct Core {
    uint32_t index = 0;  // among all cores of the launch
    uint32_t block = 0;  // of blockDim
    uint32_t sub = 0;    // vector core of its block
    bool cube = false;
    uint8_t* systemWorkspace = nullptr;

    Memories memory;
    TPipeState tpipe;
    Order order;
    Registers registers;
    ScalarUnit scalar;
    MatmulUse matmul;
    Account account;
    Steps steps;
    Fibre fibre;
};

/// The core that runs now. Hidden, and so reached without a call: a scalar access asks for it, and little else.
extern __attribute__((visibility("hidden"))) Core* runningCore;
inline Core& core() { return *runningCore; }
LaunchState& launch();
/// Back to the scheduler until another block lets this one go on.
void YieldBlock();
/// The pool of that number; violation init-buffer when none has it.
MemoryPool& PoolAt(uint16_t pool);
/// Violation init-buffer after the pool's Reset.
void RequireOpen(const MemoryPool& pool);
/// A queue without blocks yet.
Queue NewQueue(TPosition src, TPosition dst, int depth, uint32_t num);
/// Where a queue's memory is: a queue from L1 to L0 has it in L0.
TPosition HomePosition(TPosition src, TPosition dst);
/// Whether another block of a pool of the kernel's own is in use and shares memory with this one.
bool SharesMemory(const Buffer& block);
/// Before a tensor is taken of the block: "pool-in-use" when it comes out of a pool whose memory another pool has.
void EnterPool(const Buffer& block);
/// What must hold when a block has ended.
void EndOfBlock(Core& c);
void EndOfLaunch(LaunchState& l);
/// Vector cores of each block.
uint32_t VectorCoresPerBlock(const LaunchSpec& spec);
/// `block 3`, with the kind of core in a kernel of both kinds.
std::string CoreName(uint32_t index);

void FlushExposed(Core& c);
/// Counts a call of the running core and names it in messages.
inline Tally& Count(Core& c, const char* api) {
    if (c.scalar.cache.lent.bytes != 0) SettleLent(c);
    if (c.memory.exposed != nullptr && c.memory.exposed->writtenEnd != 0) FlushExposed(c);
    Account& a = c.account;
    Account::Counted& counted = a.counted[reinterpret_cast<uintptr_t>(api) / 4 % a.counted.size()];
    if (counted.api != api) counted = {api, &launch().calls[api]};
    ++counted.tally->calls;
    ++a.cycles;
    a.api = a.calledAs != nullptr ? a.calledAs : api;
    return *counted.tally;
}
/// Starts an API call on a pipe: counts it, and orders it after what the scalar unit has waited for.
void Begin(const char* api, pipe_t pipe);
/// A text, or a number, which a message may show in another way than by its digits. A view, for one call.
struct Value {
    const char* shown = nullptr;
    bool isNumber = false;
    int64_t number = 0;
    Value(const char* text) : shown(text) {}
    Value(const std::string& text) : shown(text.c_str()) {}
    Value(const std::string& text, int64_t its) : shown(text.c_str()), isNumber(true), number(its) {}
    template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
    Value(Number its) : isNumber(true), number(static_cast<int64_t>(its)) {}
};
/// What is said of a broken rule: a text; or a situation and a text with names in braces, which stand for the values in
/// turn. The violation hands these on by name. A value that the text has no name for is left out. A view, for one call.
struct Message {
    const char* situation = "";
    std::string text;
    std::initializer_list<Value> values;
    Message(const char* plain) : text(plain) {}
    Message(std::string plain) : text(std::move(plain)) {}
    Message(const char* its, std::string named, std::initializer_list<Value> given = {})
        : situation(its), text(std::move(named)), values(given) {}
};
Violation ViolationOf(const char* rule, const std::string& tensor, const Message& message, const std::string& fix);
[[noreturn]] void Broken(const char* rule, const std::string& tensor, const Message& message, const std::string& fix);
/// A broken rule after which the device goes on with the values it has. A tolerant launch notes the first one and goes
/// on too.
void Suspect(const char* rule, const std::string& tensor, const Message& message, const std::string& fix);
std::string BufferName(const Local& t);
const char* TypeName(Type type);
uint32_t TypeBytes(Type type);
const char* PipeName(int pipe);
const char* PositionName(TPosition position);

/// kFetch: a copy from GM into the core, which may run on behind the tensor to the end of its allocation. kStore: one
/// to GM, which may not, as the tensor may be part of a larger one; the device does it all the same.
enum class Access : uint8_t { kRead, kWrite, kFetch, kStore };
/// Checks an access of `bytes` at `offset` of the tensor by `pipe`: memory, bounds, queue state, hazards. Returns the
/// UB offset.
uint32_t Touch(const Local& t, const char* operand, uint64_t offset, uint64_t bytes, pipe_t pipe, Access access);
/// A tensor starts on a 32-byte boundary, or on what its memory wants when that is more, or on `alignment`.
void CheckAligned(const Local& t, const char* operand, uint32_t alignment = kBlockBytes);
SpaceId SpaceOf(TPosition position);
/// Whether the running core has the tensor's memory. The device's compiler drops instructions of the other kind of
/// core.
bool OnThisCore(const Local& t);
/// What follows a look at another block's value is ordered behind that block.
void OrderAfterLook(const void* address);
/// Whether the running core has looked at the line since it last wrote a scalar.
bool HasLookedAt(const void* address);
/// Refuses a destination that overlaps a source partly: the device reads and writes in an order of its own.
void CheckOverlap(const Local& dst, uint64_t dstBytes, const Local& src, uint64_t srcBytes, const char* operand);

bool AllDefined(uint32_t ubOffset, uint64_t bytes);
void Define(uint32_t ubOffset, uint64_t bytes, bool defined = true);
/// Remembers in dst's buffer where values never written came from.
void NoteUnwritten(const Local& dst, const Local& src, const char* operand, uint32_t srcOffset);
/// "read-unwritten": a value that decides something (a scalar, an address, a mask) was never written.
void RequireDefined(const Local& t, const char* operand, uint32_t ubOffset, uint64_t bytes);

/// L1 to the bias table or the fixpipe buffer.
void CopyFromL1(const Local& dst, const Local& src, const CopyShape& shape);

Clock Snapshot(pipe_t pipe);
/// `name` is the queue or the event that asks for it.
void Join(pipe_t pipe, const Clock& clock, const std::string& name = "");
/// In a traced launch: another instruction begins; the scalar unit waits in the midst of one; the last one has ended.
void NextStep(Core& c, const char* api, pipe_t pipe);
void ScalarWaits(Core& c, pipe_t other, uint32_t number);
void CloseStep(Core& c);

struct GmPlace {
    GmState* state;
    uint64_t offset;
    /// How many of `bytes` from here on are the tensor's.
    uint64_t present(uint64_t bytes) const;
};
/// Finds the allocation and checks bounds, element alignment and role.
GmPlace GmCheck(const uint8_t* address, uint64_t bytes, uint32_t elementBytes, Access access, const char* operand);
/// A scalar goes through its core's cache, all else past it.
enum class Way : uint8_t { kPast, kAtomic, kScalar };
void GmRead(const GmPlace& place, uint64_t bytes, Way way = Way::kPast);
/// `source` are the bytes about to be written; call before writing.
void GmWrite(const GmPlace& place, uint64_t bytes, const uint8_t* source, Way way);
/// "gm-race" with an asynchronous Matmul of the same core.
void CheckInFlight(const uint8_t* address, uint64_t bytes, Access access);
void EndOfMatmul(Core& c);
void GmUndefined(const GmPlace& place, uint64_t bytes, const std::string& note, int64_t copied = -1);

std::string Text(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace twin

#endif
