// Runs the blocks of a kernel as fibres, so that a barrier between them can be met in one thread.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device_core.h"

namespace twin {

void (*onViolation)(const Violation&) = nullptr;

namespace {

constexpr size_t kStackBytes = 1 << 20;
std::unique_ptr<LaunchState> state_;
Core* core_ = nullptr;
std::vector<std::unique_ptr<Core>> pool_;

uint8_t* MapGuarded(size_t bytes) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t rounded = (bytes + page - 1) / page * page;
    void* base = mmap(nullptr, rounded + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(static_cast<uint8_t*>(base) + page, rounded, PROT_READ | PROT_WRITE) != 0) {
        std::fprintf(stderr, "twin: no memory for a core (%zu bytes)\n", rounded);
        std::abort();
    }
    return static_cast<uint8_t*>(base) + page;
}

std::unique_ptr<Core> TakeCore(uint32_t index) {
    std::unique_ptr<Core> c;
    if (pool_.empty()) {
        c = std::make_unique<Core>();
        c->ub = MapGuarded(kUbBytes);
        c->stack = MapGuarded(kStackBytes);
        c->ubUsed = kUbBytes;
        c->defined.resize(kUbBytes);
        for (int i = 0; i < 3; ++i) {
            c->lastWrite[i].resize(kGranules);
            c->lastRead[i].resize(kGranules);
        }
    } else {
        auto old = std::move(pool_.back());
        pool_.pop_back();
        c = std::make_unique<Core>();
        c->ub = old->ub;
        c->stack = old->stack;
        c->ubUsed = old->ubUsed;
        c->defined.swap(old->defined);
        c->lastWrite.swap(old->lastWrite);
        c->lastRead.swap(old->lastRead);
    }
    std::memset(c->ub, 0xff, c->ubUsed);
    std::memset(c->defined.data(), 0, c->ubUsed);
    const size_t granules = (c->ubUsed + kBlockBytes - 1) / kBlockBytes;
    for (int i = 0; i < 3; ++i) {
        std::memset(c->lastWrite[i].data(), 0, granules * sizeof(uint32_t));
        std::memset(c->lastRead[i].data(), 0, granules * sizeof(uint32_t));
    }
    c->ubUsed = 0;
    c->index = index;
    c->buffers.emplace_back();  // index 0 stands for "no buffer"
    c->queues.emplace_back();
    return c;
}

void FibreMain() {
    Core& c = *core_;
    state_->entry(state_->args.data());
    EndOfBlock(c);
    c.done = true;
    swapcontext(&c.context, &state_->scheduler);
}

void Resume(Core& c) {
    core_ = &c;
    if (!c.started) {
        c.started = true;
        getcontext(&c.context);
        c.context.uc_stack.ss_sp = c.stack;
        c.context.uc_stack.ss_size = kStackBytes;
        c.context.uc_link = nullptr;
        makecontext(&c.context, FibreMain, 0);
    }
    swapcontext(&state_->scheduler, &c.context);
    if (state_->failed) {
        const Violation violation = state_->violation;
        if (onViolation != nullptr) onViolation(violation);
        std::abort();
    }
    core_ = nullptr;
}

bool CanRun(const Core& c) {
    if (c.done) return false;
    if (c.waiting == Core::kAtBarrier) return false;
    if (c.waiting == Core::kAtFlag) return state_->crossCoreFlags[c.waitFlag] >= c.waitTarget;
    return true;
}

/// Lets waiting blocks go on when all of them wait; a block that has ended can never arrive.
void ReleaseBarrier() {
    size_t waiting = 0;
    const Core* example = nullptr;
    for (const auto& c : state_->live) {
        if (c->done) continue;
        ++waiting;
        if (example == nullptr) example = c.get();
    }
    bool all = waiting == state_->spec->blockDim;
    for (const auto& c : state_->live) all = all && (c->done || c->waiting == Core::kAtBarrier);
    if (!all) {
        core_ = const_cast<Core*>(example);
        Violation v;
        v.rule = "sync-deadlock";
        v.message = Text("%zu of %u blocks wait in %s and the others will not come: they have ended or wait elsewhere",
                         waiting, state_->spec->blockDim, example->api);
        v.fix = "every block must reach the same SyncAll calls, also a block without work";
        Fail(v);
    }
    ++state_->epoch;
    for (auto& c : state_->live) c->waiting = Core::kRunning;
}

void Retire(Core& c) {
    auto& fact = state_->report.blocks[c.index];
    fact = {c.index, c.readBytes, c.writtenBytes};
}

void RunBlocks() {
    const uint32_t blocks = state_->spec->blockDim;
    uint32_t next = 0;
    while (true) {
        bool ran = false;
        if (next < blocks) {
            const uint32_t index = state_->spec->reverseOrder ? blocks - 1 - next : next;
            ++next;
            state_->live.push_back(TakeCore(index));
            Resume(*state_->live.back());
            if (state_->live.back()->done) {
                Retire(*state_->live.back());
                pool_.push_back(std::move(state_->live.back()));
                state_->live.pop_back();
            }
            continue;
        }
        for (auto& c : state_->live) {
            if (!CanRun(*c)) continue;
            if (c->waiting == Core::kAtFlag) c->waiting = Core::kRunning;
            Resume(*c);
            if (c->done) Retire(*c);
            ran = true;
        }
        bool finished = true;
        for (const auto& c : state_->live) finished = finished && c->done;
        if (finished) return;
        if (!ran) ReleaseBarrier();
    }
}

void FreeLive() {
    if (!state_) return;
    for (auto& c : state_->live) pool_.push_back(std::move(c));
    state_->live.clear();
}

}  // namespace

Core& core() { return *core_; }
LaunchState& launch() { return *state_; }
const char* currentApi() { return core_ != nullptr ? core_->api : ""; }
int currentBlock() { return core_ != nullptr ? static_cast<int>(core_->index) : -1; }
uint64_t currentTilingKey() { return state_ && state_->spec != nullptr ? state_->spec->tilingKey : 0; }

void YieldBlock() { swapcontext(&core_->context, &state_->scheduler); }

void Fail(Violation v) {
    if (core_ != nullptr) {
        if (v.block < 0) v.block = static_cast<int>(core_->index);
        if (v.api.empty()) v.api = core_->api;
    }
    const bool onFibre = core_ != nullptr && core_->started && !core_->done && state_ && !state_->failed &&
                         reinterpret_cast<uint8_t*>(&v) >= core_->stack &&
                         reinterpret_cast<uint8_t*>(&v) < core_->stack + kStackBytes;
    if (onFibre) {  // the handler runs on the caller's stack, so that it may throw
        state_->failed = true;
        state_->violation = std::move(v);
        swapcontext(&core_->context, &state_->scheduler);
    }
    if (onViolation != nullptr) onViolation(v);
    std::fprintf(stderr, "twin: block %d, %s: %s: %s\n", v.block, v.api.c_str(), v.rule.c_str(), v.message.c_str());
    std::abort();
}

LaunchReport Launch(const LaunchSpec& spec, Entry entry) {
    FreeLive();  // of a launch that a violation ended
    core_ = nullptr;
    state_ = std::make_unique<LaunchState>();
    state_->spec = &spec;
    state_->entry = entry;
    for (const GmArg& arg : spec.args) {
        state_->args.push_back(arg.data);
        state_->gm.push_back({&arg, {}, {}});
    }
    std::sort(state_->gm.begin(), state_->gm.end(),
              [](const GmState& a, const GmState& b) { return a.arg->data < b.arg->data; });
    state_->report.blocks.resize(spec.blockDim);
    RunBlocks();
    core_ = nullptr;
    EndOfLaunch(*state_);
    FreeLive();
    LaunchReport report = std::move(state_->report);
    for (const auto& [name, count] : state_->calls) report.calls[name] += count;
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
