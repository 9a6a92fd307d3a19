// Runs the blocks of a kernel as fibres, so that a barrier between them can be met in one thread.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core.h"
#include "twin/block_local.h"

namespace twin {

void (*onViolation)(const Violation&) = nullptr;
Core* runningCore = nullptr;

namespace {

// Kernels keep their data in UB, so what lies on the stack is scalars and the tensor objects.
constexpr size_t kStackBytes = 1 << 20;
std::unique_ptr<LaunchState> state_;
std::vector<std::unique_ptr<Core>> pool_[2];  // vector cores, cube cores

/// Reserves the memories of a core; what lies between them has no access, nor what a vector core has not.
uint8_t* MapMemories(bool cube) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* base = mmap(nullptr, kLocalBytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint8_t* start = static_cast<uint8_t*>(base) + page;
    bool ok = base != MAP_FAILED;
    for (const Space& space : kSpace) {
        if (!cube && &space != &kSpace[kUb]) continue;
        const size_t bytes = (space.bytes + page - 1) / page * page;
        ok = ok && mprotect(start + space.begin, bytes, PROT_READ | PROT_WRITE) == 0;
    }
    if (!ok) {
        std::fprintf(stderr, "no memory for a core (%u bytes)\n", kLocalBytes);
        std::abort();
    }
    return start;
}

uint8_t* MapGuarded(size_t bytes) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t rounded = (bytes + page - 1) / page * page;
    void* base = mmap(nullptr, rounded + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(static_cast<uint8_t*>(base) + page, rounded, PROT_READ | PROT_WRITE) != 0) {
        std::fprintf(stderr, "no memory for a core (%zu bytes)\n", rounded);
        std::abort();
    }
    return static_cast<uint8_t*>(base) + page;
}

/// A fresh core over memory that an earlier one used, or over new memory.
std::unique_ptr<Core> TakeCore(bool cube) {
    auto c = std::make_unique<Core>();
    auto& pool = pool_[cube];
    const uint32_t bytes = cube ? kLocalBytes : kUbBytes;
    const int pipes = cube ? kTrackedPipes : 3;
    if (pool.empty()) {
        c->memory.ub = MapMemories(cube);
        c->fibre.stack = MapGuarded(kStackBytes);
        for (int s = 0; s < kSpaces; ++s) c->memory.used[s] = s == kUb || cube ? kSpace[s].bytes : 0;
        c->memory.defined.resize(bytes + sizeof(uint64_t));  // see AllWritten of scalar.cpp
        for (int i = 0; i < pipes; ++i) {
            c->order.lastWrite[i].resize(bytes / kBlockBytes);
            c->order.lastRead[i].resize(bytes / kBlockBytes);
        }
    } else {
        auto old = std::move(pool.back());
        pool.pop_back();
        c->memory.ub = old->memory.ub;
        c->fibre.stack = old->fibre.stack;
        c->memory.used = old->memory.used;
        c->memory.defined.swap(old->memory.defined);
        c->order.lastWrite.swap(old->order.lastWrite);
        c->order.lastRead.swap(old->order.lastRead);
    }
    for (int s = 0; s < kSpaces; ++s) {
        std::memset(c->memory.ub + kSpace[s].begin, 0xff, c->memory.used[s]);
        if (c->memory.used[s] == 0) continue;
        std::memset(c->memory.defined.data() + kSpace[s].begin, 0, c->memory.used[s]);
        const size_t granules = (c->memory.used[s] + kBlockBytes - 1) / kBlockBytes;
        for (int i = 0; i < pipes; ++i) {
            std::memset(c->order.lastWrite[i].data() + kSpace[s].begin / kBlockBytes, 0, granules * sizeof(uint32_t));
            std::memset(c->order.lastRead[i].data() + kSpace[s].begin / kBlockBytes, 0, granules * sizeof(uint32_t));
        }
    }
    c->memory.used.fill(0);
    c->cube = cube;
    c->tpipe.buffers.emplace_back();  // index 0 stands for "no buffer"
    c->tpipe.queues.emplace_back();
    return c;
}

/// The core that comes `number`-th: a block's cube core before its vector cores.
std::unique_ptr<Core> CoreAt(uint32_t number) {
    const uint32_t perBlock = state_->cores / state_->spec->blockDim;
    const bool hasCube = state_->spec->cores != Cores::kVector;
    const uint32_t inBlock = number % perBlock;
    auto c = TakeCore(hasCube && inBlock == 0);
    c->index = number;
    c->block = number / perBlock;
    c->sub = hasCube && inBlock > 0 ? inBlock - 1 : 0;
    if (state_->spec->traced && state_->spec->cores == Cores::kVector)
        c->steps.most = std::max(kFewestSteps, kMostSteps / state_->cores);
    return c;
}

void FibreMain() {
    Core& c = *runningCore;
    const Entry entry = c.cube && state_->spec->cubeEntry != nullptr ? state_->spec->cubeEntry : state_->entry;
    entry(state_->args.data());
    EndOfBlock(c);
    c.fibre.done = true;
    swapcontext(&c.fibre.context, &state_->scheduler);
}

void PutVariables(const Core& c, const std::vector<uint8_t>& values) {
    if (c.fibre.variables.begin != nullptr) std::memcpy(c.fibre.variables.begin, values.data(), values.size());
}
/// What a core leaves behind is what the next one starts with.
void TakeVariables(Core& c) {
    if (c.fibre.variables.begin == nullptr) return;
    std::memcpy(c.fibre.variables.own.data(), c.fibre.variables.begin, c.fibre.variables.own.size());
    PutVariables(c, c.fibre.variables.initial);
}

void Resume(Core& c) {
    runningCore = &c;
    PutVariables(c, c.fibre.variables.own);
    if (!c.fibre.started) {
        c.fibre.started = true;
        getcontext(&c.fibre.context);
        c.fibre.context.uc_stack.ss_sp = c.fibre.stack;
        c.fibre.context.uc_stack.ss_size = kStackBytes;
        c.fibre.context.uc_link = nullptr;
        makecontext(&c.fibre.context, FibreMain, 0);
    }
    swapcontext(&state_->scheduler, &c.fibre.context);
    TakeVariables(c);
    if (state_->failed) {
        const Violation violation = state_->violation;
        if (onViolation != nullptr) onViolation(violation);
        std::abort();
    }
    runningCore = nullptr;
}

bool CanRun(const Core& c) {
    if (c.fibre.done) return false;
    if (c.fibre.waiting == Fibre::kAtFlag)
        return !state_->crossFlags.empty() && state_->crossFlags[c.index].arrived[c.fibre.waitFlag] > 0;
    if (c.fibre.waiting == Fibre::kAtSignal) return *c.fibre.signal == c.fibre.signalValue;
    return c.fibre.waiting == Fibre::kRunning;
}

/// What a core that has not ended waits for, for a deadlock's message.
std::string Wait(const Core& c) {
    if (c.fibre.waiting == Fibre::kAtFlag)
        return Text("%s waits for cross-core flag %d", CoreName(c.index).c_str(), c.fibre.waitFlag);
    if (c.fibre.waiting == Fibre::kAtSignal)
        return Text("%s waits in %s for another block", CoreName(c.index).c_str(), c.account.api);
    return Text("%s waits in %s", CoreName(c.index).c_str(),
                c.fibre.waiting == Fibre::kAtFullBarrier ? "SyncAll<false>" : "SyncAll");
}

[[noreturn]] void Deadlock() {
    std::string who;
    size_t waiting = 0;
    for (const auto& c : state_->live) {
        if (c->fibre.done) continue;
        if (waiting == 0) runningCore = c.get();
        if (++waiting <= 4) who += (waiting == 1 ? "" : ", ") + Wait(*c);
    }
    Violation v;
    v.rule = "sync-deadlock";
    v.message =
        Text("%zu of %u cores wait and the others will not come, because they have ended or wait elsewhere: %s%s",
             waiting, state_->cores, who.c_str(), waiting > 4 ? ", ..." : "");
    v.fix =
        "every block must reach the same SyncAll calls, also a block without work, and every CrossCoreWaitFlag needs "
        "its CrossCoreSetFlag";
    Fail(v);
}

/// Lets waiting cores go on when all that the barrier is for have come; a core that has ended can never arrive.
void ReleaseBarrier() {
    uint32_t vectors = 0, atFull = 0;
    for (const auto& c : state_->live) {
        if (c->fibre.done) continue;
        vectors += c->fibre.waiting == Fibre::kAtBarrier;
        atFull += c->fibre.waiting == Fibre::kAtFullBarrier;
    }
    const uint32_t allVectors = state_->spec->blockDim * VectorCoresPerBlock(*state_->spec);
    const bool full = atFull == state_->cores;
    if (!full && (allVectors == 0 || vectors != allVectors)) Deadlock();
    ++state_->epoch;
    for (auto& c : state_->live)
        if (c->fibre.waiting == (full ? Fibre::kAtFullBarrier : Fibre::kAtBarrier)) c->fibre.waiting = Fibre::kRunning;
}

void Retire(Core& c) {
    auto& fact = state_->report.blocks[c.block];
    EndVector(c.account.work);
    fact.index = c.block;
    fact.readBytes += c.account.readBytes;
    fact.writtenBytes += c.account.writtenBytes;
    fact.copiesIn += c.order.sequence[PIPE_MTE2];
    fact.copiesOut += c.order.sequence[PIPE_MTE3];
    fact.burstsIn += c.account.work.pieces[PIPE_MTE2];
    fact.burstsOut += c.account.work.pieces[PIPE_MTE3];
    fact.vectorInstructions += c.order.sequence[PIPE_V];
    fact.vectorRepeats += c.account.work.repeats;
    fact.scalarAccesses += c.order.sequence[PIPE_S];
    fact.waits += c.account.work.waits;
    fact.drains += c.account.work.drains;
    fact.tiles += c.account.work.tiles;
    fact.drained += c.account.work.drained;
    fact.synced += c.account.work.synced;
    if (c.steps.most != 0) {
        CloseStep(c);
        fact.steps = std::move(c.steps.told);
    }
}

/// A core alone in its block has no one to wait for until all run, so its memory serves the next.
void Recycle() {
    pool_[state_->live.back()->cube].push_back(std::move(state_->live.back()));
    state_->live.pop_back();
}

void RunBlocks() {
    uint32_t next = 0;
    while (true) {
        bool ran = false;
        if (next < state_->cores) {
            const uint32_t number = state_->spec->reverseOrder ? state_->cores - 1 - next : next;
            ++next;
            state_->live.push_back(CoreAt(number));
            Resume(*state_->live.back());
            if (!state_->live.back()->fibre.done) continue;
            Retire(*state_->live.back());
            if (state_->cores == state_->spec->blockDim) Recycle();
            continue;
        }
        for (auto& c : state_->live) {
            if (!CanRun(*c)) continue;
            c->fibre.waiting = Fibre::kRunning;
            Resume(*c);
            if (c->fibre.done) Retire(*c);
            ran = true;
        }
        bool finished = true;
        for (const auto& c : state_->live) finished = finished && c->fibre.done;
        if (finished) return;
        if (!ran) ReleaseBarrier();
    }
}

void FreeLive() {
    if (!state_) return;
    for (auto& c : state_->live) pool_[c->cube].push_back(std::move(c));
    state_->live.clear();
}

/// Tiling data lie behind the addresses of the parameters, where get_para_base finds them.
void AppendTiling() {
    for (const GmArg& arg : state_->spec->args) {
        if (arg.role != Role::kTiling || arg.bytes == 0) continue;
        const size_t at = state_->args.size(), words = (arg.bytes + sizeof(uint8_t*) - 1) / sizeof(uint8_t*);
        state_->args.resize(at + words);
        std::memcpy(&state_->args[at], arg.data, arg.bytes);
    }
}

}  // namespace

const void* ParameterBase() {
    Note("get_para_base");
    return state_->args.data();
}

LaunchState& launch() { return *state_; }
const char* currentApi() { return runningCore != nullptr ? runningCore->account.api : ""; }
int currentBlock() { return runningCore != nullptr ? static_cast<int>(runningCore->block) : -1; }
uint64_t currentTilingKey() { return state_ && state_->spec != nullptr ? state_->spec->tilingKey : 0; }

void KeepApart(uint8_t* begin, uint8_t* end) {
    if (begin == end) return;
    core().fibre.variables = {begin, {begin, end}, {begin, end}};
}

void YieldBlock() { swapcontext(&runningCore->fibre.context, &state_->scheduler); }

void Fail(Violation v) {
    if (runningCore != nullptr) {
        if (v.block < 0) v.block = static_cast<int>(runningCore->block);
        if (v.api.empty()) v.api = runningCore->account.api;
    }
    const bool onFibre = runningCore != nullptr && runningCore->fibre.started && !runningCore->fibre.done && state_ &&
                         !state_->failed && reinterpret_cast<uint8_t*>(&v) >= runningCore->fibre.stack &&
                         reinterpret_cast<uint8_t*>(&v) < runningCore->fibre.stack + kStackBytes;
    if (onFibre) {  // the handler runs on the caller's stack, so that it may throw
        state_->failed = true;
        state_->violation = std::move(v);
        swapcontext(&runningCore->fibre.context, &state_->scheduler);
    }
    if (onViolation != nullptr) onViolation(v);
    std::fprintf(stderr, "device: block %d, %s: %s: %s\n", v.block, v.api.c_str(), v.rule.c_str(), v.message.c_str());
    std::abort();
}

uint32_t VectorCoresPerBlock(const LaunchSpec& spec) {
    return spec.cores == Cores::kCube ? 0 : spec.cores == Cores::kMix12 ? 2 : 1;
}

std::string CoreName(uint32_t index) {
    const LaunchSpec& spec = *state_->spec;
    if (spec.cores == Cores::kVector || spec.cores == Cores::kCube) return Text("block %u", index);
    const uint32_t perBlock = VectorCoresPerBlock(spec) + 1;
    if (index % perBlock == 0) return Text("block %u's cube core", index / perBlock);
    return Text("block %u's vector core %u", index / perBlock, index % perBlock - 1);
}

LaunchReport Launch(const LaunchSpec& spec, Entry entry) {
    FreeLive();  // of a launch that a violation ended
    runningCore = nullptr;
    state_ = std::make_unique<LaunchState>();
    state_->spec = &spec;
    state_->entry = entry;
    for (const GmArg& arg : spec.args) {
        state_->args.push_back(arg.data);
        const bool input = arg.role == Role::kInput && arg.data != nullptr;
        state_->gm.push_back({&arg, {}, {}, {}, std::vector<uint64_t>(input ? arg.bytes / kSeenBytes / 64 + 1 : 0)});
    }
    AppendTiling();
    std::sort(state_->gm.begin(), state_->gm.end(),
              [](const GmState& a, const GmState& b) { return a.arg->data < b.arg->data; });
    state_->report.blocks.resize(spec.blockDim);
    state_->cores = spec.blockDim * (VectorCoresPerBlock(spec) + (spec.cores == Cores::kVector ? 0 : 1));
    RunBlocks();
    runningCore = nullptr;
    EndOfLaunch(*state_);
    FreeLive();
    LaunchReport report = std::move(state_->report);
    for (const GmState& state : state_->gm) {
        if (state.seen.empty()) continue;
        uint64_t units = 0;
        for (const uint64_t word : state.seen) units += static_cast<uint64_t>(__builtin_popcountll(word));
        report.inputs.push_back({state.arg->name, std::min<uint64_t>(units * kSeenBytes, state.arg->bytes)});
    }
    for (const auto& [name, tally] : state_->calls) {
        report.calls[name] += tally.calls;
        if (tally.repeats > 0) report.repeats[name] += tally.repeats;
    }
    state_.reset();
    return report;
}

std::string Text(const char* format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

}  // namespace twin
