// What the host side of the twin calls to run a kernel over its blocks, and what it gets back.
#ifndef TWIN_LAUNCH_H
#define TWIN_LAUNCH_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace twin {

/// Which message it is, in kebab-case, and its values by name, as JSON. Empty for a message whose values nobody needs.
struct Seen {
    std::string situation;
    std::vector<std::pair<std::string, std::string>> values;
};

/// One broken rule of the device. `rule` is kebab-case and stable (`unaligned-copy`, `read-unwritten`, ...);
/// `message` says what was seen and what was expected, `fix` what usually mends it.
/// `block` is -1 when no block was running.
struct Violation {
    std::string rule;
    int block = -1;
    std::string api;
    std::string tensor;
    std::string message;
    std::string fix;
    Seen seen = {};
};

/// Called by Fail with the complete violation; must not return (exit, throw or longjmp).
extern void (*onViolation)(const Violation&);

/// Fills `block` (when -1) and `api` (when empty) from the running core, calls onViolation, then abort().
[[noreturn]] void Fail(Violation v);

enum class Role { kInput, kOutput, kInOut, kWorkspace, kTiling };

/// A kernel argument in device memory. `bytes` is the true allocation: every access is checked against it.
struct GmArg {
    std::string name;
    Role role;
    uint8_t* data;
    size_t bytes;
};

/// Cores of one block: a vector core; a cube core; or a cube core with one or two vector cores.
enum class Cores : uint8_t { kVector, kCube, kMix11, kMix12 };

/// args[i] is LaunchSpec::args[i].data, in the kernel's parameter order.
using Entry = void (*)(uint8_t** args);

/// `reverseOrder` starts the blocks from the last to the first: a kernel that depends on the order is wrong.
struct LaunchSpec {
    uint32_t blockDim;
    uint64_t tilingKey;
    bool reverseOrder;
    std::vector<GmArg> args;
    Cores cores = Cores::kVector;
    /// The kernel as compiled for the cube core; the vector core's when null.
    Entry cubeEntry = nullptr;
    /// Rules whose breach the device carries out all the same do not end the launch; the first is told in the report.
    bool tolerant = false;
    /// Of the chip, which has twice as many vector cores; a barrier among more blocks than cores never ends.
    uint32_t chipCubeCores = 24;
    /// The report tells each instruction, of kernels that run on vector cores alone.
    bool traced = false;
};

struct BufferFact {
    std::string name;
    std::string position;
    uint32_t count;
    uint64_t bytes;
    bool queue;
    /// EnQue calls, of a queue.
    uint64_t filled = 0;
};

/// Why an instruction could not start before another: up to `number` of `pipe`, as `api` asked for in the line `place`.
/// `name` is the queue or the event.
struct Wait {
    int pipe = 0;
    uint32_t number = 0;
    const char* api = "";
    std::string name;
    uint32_t place = 0;
};
/// One instruction. `number` counts those of its pipe from 1, `place` is what AtLine was told before it.
struct Step {
    const char* api = "";
    int pipe = 0;
    uint32_t number = 0, place = 0;
    uint64_t readBytes = 0, writtenBytes = 0, burstsIn = 0, burstsOut = 0, repeats = 0;
    std::vector<Wait> waits = {};
};

/// What a block asked of its cores. `readBytes` and `writtenBytes` are of GM.
struct BlockFact {
    uint32_t index = 0;
    uint64_t readBytes = 0, writtenBytes = 0;
    /// Instructions that copy from GM and to it, and the contiguous stretches that they move.
    uint64_t copiesIn = 0, copiesOut = 0, burstsIn = 0, burstsOut = 0;
    /// Repeats of 256 bytes, by the widest operand of each instruction.
    uint64_t vectorInstructions = 0, vectorRepeats = 0;
    /// GetValue and SetValue, of UB and GM, and what orders cores.
    uint64_t scalarAccesses = 0;
    /// `waits`: DeQue and WaitFlag. `drains`: the scalar unit, which issues all instructions, waited for another pipe.
    uint64_t waits = 0, drains = 0;
    /// The most times that one queue was filled; between how many of those times the scalar unit waited for anything,
    /// and between how many for all cores.
    uint64_t tiles = 0, drained = 0, synced = 0;
    /// Of a traced launch, as the kernel gave them out; only the first when there are very many.
    std::vector<Step> steps = {};
};

/// Of an input, how many of its bytes some core read; those that were read twice count once.
struct InputFact {
    std::string name;
    uint64_t readBytes = 0;
};

/// `buffers` are those of block 0 in the order of InitBuffer; `bytes` is one buffer of `count`.
struct LaunchReport {
    std::vector<BufferFact> buffers;
    uint64_t ubPeakBytes = 0;
    std::map<std::string, uint64_t> calls;
    /// Of the APIs that compute on the vector unit: `vectorRepeats` of all blocks.
    std::map<std::string, uint64_t> repeats;
    std::vector<BlockFact> blocks;
    /// In the order of their addresses.
    std::vector<InputFact> inputs;
    /// What a tolerant launch went past; its rule is empty when nothing was broken.
    Violation tolerated;
};

/// Runs every block of the kernel to its end. A rule broken on the way, or found at the end, goes to Fail.
LaunchReport Launch(const LaunchSpec& spec, Entry entry);

/// Device API call now running on the current block ("" between calls), for a crash handler: async-signal-safe.
const char* currentApi();
/// Block now running, -1 outside a launch: async-signal-safe.
int currentBlock();
/// Value behind TILING_KEY_IS in the running launch.
uint64_t currentTilingKey();

}  // namespace twin

#endif
