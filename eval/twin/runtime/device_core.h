// State of one running core (block), and what every runtime file needs of it. Not included by kernels.
#ifndef TWIN_DEVICE_CORE_H
#define TWIN_DEVICE_CORE_H

#include <ucontext.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "twin/launch.h"
#include "twin/runtime.h"

namespace twin {

constexpr uint32_t kUbBytes = 192 * 1024;
constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kRepeatBytes = 256;
constexpr uint32_t kGranules = kUbBytes / kBlockBytes;
constexpr int kPipes = 11;  // values of pipe_t up to PIPE_FIX
constexpr int kPhysicalVectorCores = 48;

/// How far each pipe has come, as one pipe knows it.
using Clock = std::array<uint32_t, kPipes>;

enum class State : uint8_t { kFree, kAllocated, kEnqueued, kDequeued, kPlain };

/// One block of memory given out by InitBuffer.
struct Buffer {
    std::string name;
    uint32_t begin = 0;
    uint32_t bytes = 0;
    TPosition position = TPosition::MAX;
    uint32_t queue = 0;
    State state = State::kPlain;
    Clock ready{};              // of the producer at EnQue, of the consumer at FreeTensor
    const char* writer = "";    // API that last wrote here, for messages
    std::string unwritten;      // where values never written came in, when they did
};

struct Queue {
    std::string name;
    TPosition src, dst;
    int depth = 0;
    uint32_t first = 0;
    uint32_t num = 0;
    uint32_t cursor = 0;
    pipe_t producer, consumer;
    std::deque<uint16_t> fifo;
};

struct Flag {
    bool set = false;
    Clock clock{};
};

struct Core {
    uint32_t index = 0;
    uint8_t* ub = nullptr;  // kUbBytes between two pages without access
    uint32_t ubUsed = 0;    // high-water mark of what any access or InitBuffer reached
    std::vector<uint8_t> defined;  // per byte of UB: 1 when it holds a value that someone wrote
    // Sequence number of the last write and read of each 32-byte granule, by V, MTE2, MTE3.
    std::array<std::vector<uint32_t>, 3> lastWrite, lastRead;

    Clock sequence{};
    std::array<Clock, kPipes> known{};
    std::map<uint32_t, Flag> flags;                 // key: src << 16 | dst << 8 | id
    std::array<uint8_t, 40> reservedEvents{};       // bit per id, by HardEvent

    void* pipe = nullptr;
    bool pipeAlive = false;
    uint32_t ubTop = 0;
    std::vector<Buffer> buffers;
    std::vector<Queue> queues;
    int queueNumber[20] = {};

    uint64_t maskLow = ~0ull, maskHigh = ~0ull;
    bool counterMode = false;
    Type atomicType = Type::kOther;
    int atomicOp = 0;  // 0 none, 1 add, 2 max, 3 min
    float dequantScale = 1.0f;
    uint64_t padRegister = 0;
    bool padRegisterSet = false;
    uint8_t compareMask[16] = {};
    float accumulated = 0;
    Type accumulatedType = Type::kFloat;
    uint32_t reducedValue = 0, reducedIndex = 0;
    uint8_t* systemWorkspace = nullptr;
    uint64_t cycles = 0;

    const char* api = "";
    const char* countedApi = nullptr;  // whose counter apiCalls is; elements of an unordered_map keep their place
    uint64_t* apiCalls = nullptr;
    uint64_t readBytes = 0, writtenBytes = 0;
    uint64_t crossCoreSeen[16] = {};

    ucontext_t context;
    uint8_t* stack = nullptr;
    bool started = false, done = false;
    enum Waiting : uint8_t { kRunning, kAtBarrier, kAtFlag } waiting = kRunning;
    int waitFlag = -1;
    uint64_t waitTarget = 0;
};

/// Bytes of a GM argument that some block wrote, since the last barrier or before it.
struct Written {
    uint64_t end;
    uint32_t block;
    uint32_t epoch;
    bool atomic;
};
struct Undefined {
    uint64_t end;
    uint32_t block;
    const char* api;
    std::string note;
};
struct GmState {
    const GmArg* arg;
    std::map<uint64_t, Written> written;
    std::map<uint64_t, Undefined> undefined;
};

struct LaunchState {
    const LaunchSpec* spec = nullptr;
    Entry entry = nullptr;
    std::vector<uint8_t*> args;
    std::vector<GmState> gm;  // sorted by address
    size_t lastGm = 0;
    uint32_t epoch = 0;
    bool pairwiseSync = false;  // the kernel orders blocks by flags of its own, so reads across blocks are not judged
    uint64_t crossCoreFlags[16] = {};
    std::vector<std::unique_ptr<Core>> live;
    LaunchReport report;
    std::unordered_map<const char*, uint64_t> calls;
    ucontext_t scheduler;
    bool failed = false;
    Violation violation;
};

Core& core();
LaunchState& launch();
/// Back to the scheduler until another block lets this one go on.
void YieldBlock();
/// What must hold when a block has ended.
void EndOfBlock(Core& c);
void EndOfLaunch(LaunchState& l);

/// Starts an API call on a pipe: counts it, and orders it after what the scalar unit has waited for.
void Begin(const char* api, pipe_t pipe);
[[noreturn]] void Broken(const char* rule, const std::string& tensor, const std::string& message, const std::string& fix);
std::string BufferName(const Local& t);
const char* TypeName(Type type);
uint32_t TypeBytes(Type type);
const char* PipeName(int pipe);
const char* PositionName(TPosition position);

enum class Access : uint8_t { kRead, kWrite };
/// Checks an access of `bytes` at `offset` of the tensor by `pipe`: memory, bounds, queue state, hazards. Returns the UB offset.
uint32_t Touch(const Local& t, const char* operand, uint64_t offset, uint64_t bytes, pipe_t pipe, Access access);
/// A vector operand starts on a 32-byte boundary of UB (or `alignment`).
void CheckAligned(const Local& t, const char* operand, uint32_t alignment = kBlockBytes);
/// Refuses a destination that overlaps a source partly: the device reads and writes in an order of its own.
void CheckOverlap(const Local& dst, uint64_t dstBytes, const Local& src, uint64_t srcBytes, const char* operand);

bool AllDefined(uint32_t ubOffset, uint64_t bytes);
void Define(uint32_t ubOffset, uint64_t bytes, bool defined = true);
/// Remembers in dst's buffer where values never written came from.
void NoteUnwritten(const Local& dst, const Local& src, const char* operand, uint32_t srcOffset);
/// "read-unwritten": a value that decides something (a scalar, an address, a mask) was never written.
void RequireDefined(const Local& t, const char* operand, uint32_t ubOffset, uint64_t bytes);

Clock Snapshot(pipe_t pipe);
void Join(pipe_t pipe, const Clock& clock);

struct GmPlace {
    GmState* state;
    uint64_t offset;
};
/// Finds the allocation and checks bounds, element alignment and role.
GmPlace GmCheck(const uint8_t* address, uint64_t bytes, uint32_t elementBytes, Access access, const char* operand);
void GmRead(const GmPlace& place, uint64_t bytes);
/// `source` are the bytes about to be written; call before writing.
void GmWrite(const GmPlace& place, uint64_t bytes, const uint8_t* source, bool atomic);
void GmUndefined(const GmPlace& place, uint64_t bytes, const std::string& note);

std::string Text(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Active lanes of one repeat as bits.
struct Lanes {
    uint64_t low, high;
    bool test(uint32_t lane) const { return ((lane < 64 ? low >> lane : high >> (lane - 64)) & 1) != 0; }
    bool empty() const { return (low | high) == 0; }
    /// n when exactly the first n lanes are on, else 0.
    uint32_t prefix() const {
        if (high == 0) return (low & (low + 1)) == 0 ? static_cast<uint32_t>(__builtin_popcountll(low)) : 0;
        return low == ~0ull && (high & (high + 1)) == 0 ? 64 + static_cast<uint32_t>(__builtin_popcountll(high)) : 0;
    }
};
/// Resolves a mask for `lanes` elements a repeat. In counter mode `total` is the element count and repeats follow from it.
struct MaskPlan {
    Lanes lanes;
    bool counter;
    uint64_t total;
    int repeats;
};
MaskPlan PlanMask(const Mask& mask, uint32_t lanes, int repeatTime);
Lanes LanesOfRepeat(const MaskPlan& plan, uint32_t lanes, int repeat);
void CheckRepeat(int repeatTime, int limit = 255);

}  // namespace twin

#endif
