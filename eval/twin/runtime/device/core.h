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

#include "cache.h"
#include "twin/launch.h"
#include "twin/load3d.h"
#include "twin/runtime.h"
#include "work.h"

namespace twin {

constexpr uint32_t kUbBytes = 192 * 1024;
// Sizes are those of every part with this core, Atlas A2 and A3 alike (platform_config of CANN 8.1); alignments are
// those of the table of positions in the general constraints of the SIMD API.
/// Memories of a core, in one range of addresses with a page without access between them. Offsets count from the start
/// of UB.
enum SpaceId : uint8_t { kUb, kL1, kL0a, kL0b, kL0c, kBias, kFixpipe, kSpaces };
struct Space {
    const char* name;
    uint32_t begin, bytes;
    uint32_t alignment;  // of a tensor's start
};
constexpr Space kSpace[kSpaces] = {
    {"UB", 0, kUbBytes, 32}, {"L1", 0x31000, 512 * 1024, 32}, {"L0A", 0xb2000, 64 * 1024, 512}, {"L0B", 0xc3000, 64 * 1024, 512},
    {"L0C", 0xd4000, 128 * 1024, 64}, {"BT", 0xf5000, 1024, 64}, {"FB", 0xf7000, 7 * 1024, 64}};
constexpr uint32_t kLocalBytes = 0xf9000;
// Vector instructions work on blocks of 32 bytes, eight of them a repeat.
constexpr uint32_t kBlockBytes = 32;
constexpr size_t kPoolBuffers = 16;  // of one TBufPool
/// Pipes whose accesses are remembered; a vector core uses the first three.
constexpr int kTrackedPipes = 6;

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
    uint16_t pool = 0;          // of TBufPool; 0: the TPipe's own
    State state = State::kPlain;
    bool overflows = false;     // goes behind its memory, which only a tolerant launch gets past
    bool declared = false;      // an array of the kernel's own
    bool freed = false;         // FreeTensor holds an event id until the next AllocTensor
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
    uint64_t filled = 0;         // how often EnQue put a tensor in
    size_t fact = SIZE_MAX;      // of the launch's report, when it tells of this queue
    pipe_t producer, consumer;
    std::deque<uint16_t> fifo;
};

/// What the calls around LoadData of feature maps have set.
struct UnfoldRegisters {
    FeatureMap map{};
    uint64_t padding = 0;
    uint32_t stride = 0, times = 1, mode = 0;
    uint32_t boundary = 0;
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

/// Rows in GM that an asynchronous calculation of the high-level Matmul reads or writes until someone waits for it.
struct InFlight {
    const uint8_t* base;
    uint64_t rowBytes, stride;
    uint32_t rows;
    bool written;
    uint32_t number;
};

/// UB as instructions left it, where the kernel has addresses of it. The parts that it has, and within them what the
/// instruction of the last call writes.
struct Exposed {
    std::vector<uint8_t> copy = std::vector<uint8_t>(kUbBytes);
    std::vector<bool> watched = std::vector<bool>(kUbBytes / kBlockBytes);
    uint32_t begin = kUbBytes, end = 0;
    uint32_t writtenBegin = kUbBytes, writtenEnd = 0;
};

struct Flag {
    uint32_t set = 0;  // more than once only in a tolerant launch
    Clock clock{};
};


struct Core {
    uint32_t index = 0;     // among all cores of the launch
    uint32_t block = 0;     // of blockDim
    uint32_t sub = 0;       // vector core of its block
    bool cube = false;
    uint8_t* ub = nullptr;  // start of the memories, see kSpace
    std::array<uint32_t, kSpaces> used{};  // high-water mark of what any access or InitBuffer reached
    std::vector<uint8_t> defined;  // per byte of the memories: 1 when it holds a value that someone wrote
    // Sequence number of the last write and read of each 32-byte granule, by V, MTE2, MTE3, MTE1, M, FIX.
    std::array<std::vector<uint32_t>, kTrackedPipes> lastWrite, lastRead;

    Clock sequence{};
    struct { uint32_t begin = 0, end = 0, sequence = 0; } smallMmad;  // the last one too small for the hardware to order the next behind it
    std::array<Clock, kPipes> known{};
    std::map<uint32_t, Flag> flags;                 // key: src << 16 | dst << 8 | id
    std::array<uint8_t, 40> reservedEvents{};       // bit per id, by HardEvent

    void* pipe = nullptr;
    bool pipeAlive = false;
    std::array<uint32_t, kSpaces> top{};  // what InitBuffer has given out
    std::vector<Buffer> buffers;
    std::vector<Queue> queues;
    std::vector<MemoryPool> pools = std::vector<MemoryPool>(1);  // index 0 stands for "no pool"
    uint16_t dividedPool = 0;  // that InitBuffer takes from
    int queueNumber[20] = {};
    const char* calledAs = nullptr;  // for messages, while a function of another name is at work

    uint64_t maskLow = ~0ull, maskHigh = ~0ull;
    bool counterMode = false;
    bool saturating = false;
    Type atomicType = Type::kOther;
    int atomicOp = 0;  // 0 none, 1 add, 2 max, 3 min
    float dequantScale = 1.0f;
    uint64_t dequantBits = 0;
    Local dequantSet;
    uint64_t padRegister = 0;
    bool padRegisterSet = false;
    uint8_t compareMask[16] = {};
    float accumulated = 0;
    Type accumulatedType = Type::kFloat;
    uint32_t reducedValue = 0, reducedIndex = 0;
    uint64_t gathered = 0;  // elements that the last GatherMask kept
    uint8_t* systemWorkspace = nullptr;
    uint64_t cycles = 0;

    /// Where this core's scalar unit wrote to last, in steps of 16 KiB.
    struct {
        const GmState* state = nullptr;
        uint64_t number = 0;
        CacheLine* lines = nullptr;  // the 256 around it
    } lastLines;
    std::unique_ptr<Exposed> exposed;  // null while no address was asked for

    ScalarCache cache;
    std::map<const void*, uint32_t> looks;  // at lines of GM past the cache, since this core last wrote a scalar
    UnfoldRegisters unfold;
    struct {
        std::vector<uint8_t> bytes, defined;  // a quarter of L0B; empty before the first LoadDataWithSparse
    } sparse;
    struct {
        uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
        uint64_t scale = 0;
        Local scales;  // one for each column, in the fixpipe buffer
    } result;  // what SetFixpipe... left to copies out of L0C

    // The high-level Matmul: objects registered here, whether the core serves those of its vector cores, calculations
    // started so far.
    uint32_t matmulObjects = 0;
    bool servesMatmul = false, calculating = false;
    uint32_t calculations = 0, announcedCalculations = 0;
    std::vector<InFlight> inFlight;

    const char* api = "";
    /// Counters of the calls lately made; elements of an unordered_map keep their place.
    struct Counted {
        const char* api;
        Tally* tally;
    };
    std::array<Counted, 16> counted{};
    Work work;
    uint64_t readBytes = 0, writtenBytes = 0;

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

/// Flags between cores, of one core: what it has set that no complete set was made of yet, by mode, and what has come
/// for it.
struct CrossFlags {
    uint32_t set[3][16] = {};
    uint32_t arrived[16] = {};
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
    std::unordered_map<uint64_t, CacheLines> lines;  // by 16 KiB
};

struct LaunchState {
    const LaunchSpec* spec = nullptr;
    Entry entry = nullptr;
    std::vector<uint8_t*> args;
    std::vector<GmState> gm;  // sorted by address
    size_t lastGm = 0;
    uint32_t epoch = 0;
    bool pairwiseSync = false;  // the kernel orders blocks by flags of its own, so who reads or overwrites what another wrote is not judged
    uint32_t cores = 0;  // vector and cube cores of all blocks
    std::vector<CrossFlags> crossFlags;  // by core; empty until the first is set
    std::map<uint64_t, uint32_t> signals;  // from block to block, by the address in GM that stands for them
    std::vector<std::unique_ptr<Core>> live;
    LaunchReport report;
    std::unordered_map<const char*, Tally> calls;
    ucontext_t scheduler;
    bool failed = false;
    Violation violation;
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
    if (c.cache.lent.bytes != 0) SettleLent(c);
    if (c.exposed != nullptr && c.exposed->writtenEnd != 0) FlushExposed(c);
    Core::Counted& counted = c.counted[reinterpret_cast<uintptr_t>(api) / 4 % c.counted.size()];
    if (counted.api != api) counted = {api, &launch().calls[api]};
    ++counted.tally->calls;
    ++c.cycles;
    c.api = c.calledAs != nullptr ? c.calledAs : api;
    return *counted.tally;
}
/// Starts an API call on a pipe: counts it, and orders it after what the scalar unit has waited for.
void Begin(const char* api, pipe_t pipe);
[[noreturn]] void Broken(const char* rule, const std::string& tensor, const std::string& message, const std::string& fix);
/// A broken rule after which the device goes on with the values it has. A tolerant launch notes the first one and goes
/// on too.
void Suspect(const char* rule, const std::string& tensor, const std::string& message, const std::string& fix);
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
void Join(pipe_t pipe, const Clock& clock);

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
/// Resolves a mask for `lanes` elements a repeat. In counter mode `total` is the element count and repeats follow from
/// it.
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
