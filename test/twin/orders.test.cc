// What orders pipes and cores: flags and barriers against a graph of what comes before what, flags between cores, and
// the barrier of all.
#include "cube_kernels.h"
#include "pieces.h"

namespace {

/// An instruction of a pipe, an order, or an access of the scalar unit.
struct Step {
    pipe_t pipe = PIPE_S, to = PIPE_S;
    enum Kind { kOp, kSet, kWait, kBarrier, kAll, kScalar } kind = kOp;
    int id = 0;
    std::vector<uint32_t> reads, writes;  // pieces of memory
};

/// Steps as they were issued, and for each the steps that are done before it begins.
class Graph {
public:
    /// Whether an earlier step may still be at work on memory of this one.
    bool Races(const Step& s) {
        const size_t at = steps_.size();
        std::vector<size_t> before = begun_;
        if (s.kind == Step::kOp)
            for (size_t i = 0; i < at; ++i)
                if (steps_[i].pipe == s.pipe && steps_[i].kind == Step::kOp) before.push_back(i);
        for (const size_t i : waited_[s.pipe]) before.push_back(i);
        steps_.push_back(s);
        before_.push_back(before);
        if (s.kind == Step::kScalar) return Scalar(s, at), false;
        if (s.kind != Step::kOp) return Order(s, at), false;
        const std::vector<bool> done = Done(at);
        for (size_t i = 0; i < at; ++i)
            if (steps_[i].kind == Step::kOp && steps_[i].pipe != s.pipe && !done[i] && Meets(steps_[i], s)) return true;
        return false;
    }

private:
    static bool Meets(const Step& a, const Step& b) {
        const auto share = [](const std::vector<uint32_t>& x, const std::vector<uint32_t>& y) {
            for (const uint32_t i : x)
                for (const uint32_t k : y)
                    if (i == k) return true;
            return false;
        };
        return share(a.writes, b.reads) || share(a.writes, b.writes) || share(a.reads, b.writes);
    }
    std::vector<bool> Done(size_t at) const {
        std::vector<bool> done(at + 1);
        std::vector<size_t> open{at};
        while (!open.empty()) {
            const size_t i = open.back();
            open.pop_back();
            for (const size_t k : before_[i])
                if (!done[k]) done[k] = true, open.push_back(k);
        }
        return done;
    }
    /// The compiler lets the scalar unit wait for what it needs, and it issues all that comes later.
    void Scalar(const Step& s, size_t at) {
        for (size_t i = 0; i < at; ++i)
            if (steps_[i].kind == Step::kOp && Meets(steps_[i], s)) begun_.push_back(i);
    }
    void Order(const Step& s, size_t at) {
        if (s.kind == Step::kAll) {
            for (size_t i = 0; i < at; ++i) begun_.push_back(i);
        } else if (s.kind == Step::kSet) {  // after all of its pipe so far
            for (size_t i = 0; i < at; ++i)
                if (steps_[i].pipe == s.pipe && steps_[i].kind == Step::kOp) before_[at].push_back(i);
            set_[{s.pipe, s.to, s.id}] = at;
        } else if (s.kind == Step::kWait) {  // before all of the other pipe from here on
            waited_[s.to].push_back(set_[{s.pipe, s.to, s.id}]);
        }
    }
    std::vector<Step> steps_;
    std::vector<std::vector<size_t>> before_;
    std::vector<size_t> begun_;
    std::map<int, std::vector<size_t>> waited_;
    std::map<std::tuple<int, int, int>, size_t> set_;
};

constexpr uint32_t kPieces = 4;

/// Of each event whether it is set: by the pipes that set it and wait for it, and its number.
using EventFlags = std::map<std::tuple<int, int, int>, bool>;

void WaitForAll(const EventFlags& set) {
    for (const auto& [flag, on] : set)
        if (on)
            twin::WaitEvent(static_cast<pipe_t>(std::get<0>(flag)), static_cast<pipe_t>(std::get<1>(flag)),
                            std::get<2>(flag));
}

/// What is wrong with what was told of a launch; '' where it is a race and there was one, or nothing.
std::string Answer(const std::string& rule, bool races, const std::string& wrong) {
    if (rule.empty()) return wrong;
    return rule == "pipe-hazard" && races ? "" : "broke " + rule + " without a race: " + told_.message;
}

/// A vector core's copies in, computations, copies out and scalar accesses on four blocks of UB.
std::string OnVectorCore(Chance& chance) {
    std::vector<float> gm(64, 1.0f), back(32);
    std::string wrong;
    bool races = false;
    Graph graph;
    const std::string rule = RuleBroken({Input("in", gm), Output("out", back)}, [&](uint8_t** args) {
        TPipe pipe;
        TBuf<> all;
        pipe.InitBuffer(all, kPieces * 32);
        const auto ub = all.Get<float>();
        GlobalTensor<float> in, out;
        in.SetGlobalBuffer(reinterpret_cast<float*>(args[0]));
        out.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
        Duplicate(ub, 1.0f, kPieces * 8);
        PipeBarrier<PIPE_ALL>();
        EventFlags set;
        const pipe_t pipes[] = {PIPE_MTE2, PIPE_V, PIPE_MTE3};
        for (uint32_t step = 0; step < 14 && !races; ++step) {
            Step s;
            const uint32_t call = chance.From(0, 9), a = chance.From(0, kPieces - 1), b = chance.From(0, kPieces - 1);
            if (call < 2) s.pipe = PIPE_MTE2, s.writes = {a};
            else if (call < 4) s.pipe = PIPE_V, s.reads = {a}, s.writes = {b};
            else if (call < 6) s.pipe = PIPE_MTE3, s.reads = {a};
            else if (call < 8) {
                s.pipe = pipes[a % 3];
                s.to = pipes[(a + 1 + b % 2) % 3];
                s.id = static_cast<int>(chance.From(0, 1));
                bool& flag = set[{s.pipe, s.to, s.id}];
                s.kind = flag ? Step::kWait : Step::kSet;
                flag = !flag;
            } else if (call == 8) {
                s.kind = Step::kScalar;
                (chance.Coin() ? s.reads : s.writes) = {a};
            } else {
                s.kind = chance.From(0, 2) == 0 ? Step::kAll : Step::kBarrier;
                s.pipe = pipes[a % 3];
            }
            races = graph.Races(s);
            if (call < 2) DataCopy(ub[a * 8], in, 8);
            else if (call < 4) Adds(ub[b * 8], ub[a * 8], 1.0f, 8);
            else if (call < 6) DataCopy(out[a * 8 % 32], ub[a * 8], 8);
            else if (s.kind == Step::kSet) twin::SetEvent(s.pipe, s.to, s.id);
            else if (s.kind == Step::kWait) twin::WaitEvent(s.pipe, s.to, s.id);
            else if (s.kind == Step::kScalar && s.reads.empty()) ub.SetValue(a * 8, 2.0f);
            else if (s.kind == Step::kScalar) ub.GetValue(a * 8);
            else if (s.kind == Step::kAll) twin::Barrier(PIPE_ALL);
            else twin::Barrier(s.pipe);
            if (races) wrong = "nothing noticed step " + std::to_string(step);
        }
        WaitForAll(set);
    });
    return Answer(rule, races, wrong);
}

/// A cube core's copies to L1, loads to L0, products and ways out.
std::string OnCubeCore(Chance& chance) {
    std::vector<half> gm(1024, half(1));
    std::vector<float> c(1024);
    std::string wrong;
    bool races = false;
    Graph graph;
    const std::string rule = RunCores({Input("in", gm), Output("out", c)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
        Bench bench;
        GlobalTensor<half> in;
        GlobalTensor<float> out;
        in.SetGlobalBuffer(reinterpret_cast<half*>(args[0]));
        out.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
        for (const uint64_t address : {bench.l1.Get<half>().GetPhyAddr(), bench.l0a.Get<half>().GetPhyAddr(),
                                       bench.l0b.Get<half>().GetPhyAddr(), bench.l0c.Get<float>().GetPhyAddr()})
            std::memset(reinterpret_cast<void*>(address), 0, 4096);
        EventFlags set;
        const pipe_t pipes[] = {PIPE_MTE2, PIPE_MTE1, PIPE_M, PIPE_FIX};
        const LoadData2DParams one(0, 1, 0, 0, 0, false, 0);
        for (uint32_t step = 0; step < 14 && !races; ++step) {
            Step s;
            const uint32_t call = chance.From(0, 9), a = chance.From(0, 1), b = chance.From(0, 1),
                           d = chance.From(0, 1);
            // Pieces: 0 and 1 of L1, 2 and 3 of L0A, 4 and 5 of L0B, 6 and 7 of L0C.
            if (call == 0) s.pipe = PIPE_MTE2, s.writes = {a};
            else if (call == 1) s.pipe = PIPE_MTE1, s.reads = {a}, s.writes = {2 + b};
            else if (call == 2) s.pipe = PIPE_MTE1, s.reads = {a}, s.writes = {4 + b};
            else if (call == 3) s.pipe = PIPE_M, s.reads = {2 + a, 4 + b}, s.writes = {6 + d};
            else if (call == 4) s.pipe = PIPE_FIX, s.reads = {6 + a};
            else if (call < 9) {
                const uint32_t from = chance.From(0, 3);
                s.pipe = pipes[from];
                s.to = pipes[(from + chance.From(1, 3)) % 4];
                bool& flag = set[{s.pipe, s.to, 0}];
                s.kind = flag ? Step::kWait : Step::kSet;
                flag = !flag;
            } else {
                s.kind = chance.From(0, 3) == 0 ? Step::kAll : Step::kBarrier;
                s.pipe = pipes[chance.From(0, 3)];
            }
            races = graph.Races(s);
            if (call == 0) DataCopy(bench.l1.Get<half>()[a * 256], in, 256);
            else if (call == 1) LoadData(bench.l0a.Get<half>()[b * 256], bench.l1.Get<half>()[a * 256], one);
            else if (call == 2) LoadData(bench.l0b.Get<half>()[b * 256], bench.l1.Get<half>()[a * 256], one);
            else if (call == 3)
                Mmad(bench.l0c.Get<float>()[d * 256], bench.l0a.Get<half>()[a * 256], bench.l0b.Get<half>()[b * 256],
                     MmadParams(16, 16, 16, 0, false, true));
            else if (call == 4) Fixpipe(out, bench.l0c.Get<float>()[a * 256], FixpipeParamsV220(16, 16, 16, 16, false));
            else if (s.kind == Step::kSet) twin::SetEvent(s.pipe, s.to, 0);
            else if (s.kind == Step::kWait) twin::WaitEvent(s.pipe, s.to, 0);
            else if (s.kind == Step::kAll) twin::Barrier(PIPE_ALL);
            else twin::Barrier(s.pipe);
            if (races) wrong = "nothing noticed step " + std::to_string(step);
        }
        WaitForAll(set);
    });
    return Answer(rule, races, wrong);
}

std::string Told() { return told_.rule.empty() ? "" : told_.rule + "|" + told_.message; }

void Is(const std::string& name, const std::string& seen, const std::string& expected) {
    Expect(name, seen == expected, seen);
}

void Events() {
    const auto said = [](const std::function<void()>& calls) {
        RuleBroken({}, [&](uint8_t**) { calls(); });
        return Told();
    };
    const auto outside = [](int id, const std::string& api) {
        return "event-id|event id " + std::to_string(id) + " of " + api + " is outside 0 to 7";
    };
    for (const int id : {-1, 0, 7, 8}) {
        const bool fine = id >= 0 && id < 8;
        Is("event " + std::to_string(id),
           said([=] { twin::SetEvent(PIPE_V, PIPE_MTE3, id), twin::WaitEvent(PIPE_V, PIPE_MTE3, id); }),
           fine ? "" : outside(id, "SetFlag"));
        Is("release of event " + std::to_string(id), said([=] { twin::ReleaseEvent(HardEvent::V_MTE3, id); }),
           fine ? "" : outside(id, "ReleaseEventID"));
    }
    Is("a flag set twice", said([] { twin::SetEvent(PIPE_V, PIPE_MTE3, 3), twin::SetEvent(PIPE_V, PIPE_MTE3, 3); }),
       "flag-set-twice|SetFlag from PIPE_V to PIPE_MTE3, event 3, comes again before its WaitFlag");
    Is("a flag of other pipes", said([] {
           twin::SetEvent(PIPE_V, PIPE_MTE3, 3), twin::SetEvent(PIPE_V, PIPE_MTE2, 3),
               twin::WaitEvent(PIPE_V, PIPE_MTE3, 3), twin::WaitEvent(PIPE_V, PIPE_MTE2, 3);
       }),
       "");
    Is("a wait for nothing", said([] { twin::WaitEvent(PIPE_MTE2, PIPE_V, 1); }),
       "wait-without-set|WaitFlag from PIPE_MTE2 to PIPE_V, event 1, which no SetFlag has set; on the device it would "
       "wait for ever");
    Is("a flag that nobody waits for", said([] { twin::SetEvent(PIPE_MTE2, PIPE_V, 6); }),
       "unpaired-flag|SetFlag from PIPE_MTE2 to PIPE_V, event 6, has no WaitFlag");
    std::string ids;
    Is("eight ids and a ninth", said([&] {
           for (int i = 0; i < 9; ++i) {
               if (i == 5) twin::ReleaseEvent(HardEvent::V_MTE3, 2);
               ids += std::to_string(twin::FetchEvent(HardEvent::V_MTE3)) +
                      std::to_string(twin::AllocEvent(HardEvent::V_MTE3)) + " ";
           }
           ids += std::to_string(twin::FetchEvent(HardEvent::MTE3_V)) +
                  std::to_string(twin::FetchEvent(HardEvent::V_MTE3));
       }),
       "event-exhausted|all 8 event ids of this kind are reserved");
    Is("ids from the lowest on, and one that came back", ids, "00 11 22 33 44 22 55 66 77 ");
}

/// Calls are counted by their names.
void Names() {
    twin::LaunchReport report;
    kernel_ = [](uint8_t**) {
        for (const int op : {1, 2, 3, 3, 0}) twin::SetAtomic(twin::Type::kFloat, op);
        twin::SetMaskMode(true);
        twin::SetMaskMode(false);
    };
    const std::string rule = RuleOfLaunch([&] {
        report = twin::Launch({1, 0, false, {}, twin::Cores::kVector, nullptr}, Enter);
    });
    std::string calls;
    for (const auto& [name, count] : report.calls)
        if (name.compare(0, 3, "Set") == 0) calls += name + " " + std::to_string(count) + ", ";
    Is("calls of registers" + rule, calls,
       "SetAtomicAdd 1, SetAtomicMax 1, SetAtomicMin 2, SetAtomicNone 1, SetMaskCount 1, SetMaskNorm 1, ");
    RuleBroken({}, [](uint8_t**) { twin::AssertFailed("x > 0", "/a/b/kernel.cpp", 12); });
    Is("a condition that does not hold", Told(), "assert-failed|ASSERT(x > 0) at kernel.cpp:12 is false");
    RuleBroken({}, [](uint8_t**) { twin::AssertFailed("x > 0", "kernel.cpp", 12); });
    Is("the same of a file alone", Told(), "assert-failed|ASSERT(x > 0) at kernel.cpp:12 is false");
    for (int op = 0; op <= 3; ++op) {
        RuleBroken({}, [=](uint8_t**) { twin::SetAtomic(twin::Type::kFloat, op); });
        Is("atomic writes left on", Told(),
           op == 0 ? "" : "atomic-left-on|the kernel ends with atomic writes switched on");
    }
    RuleBroken({}, [](uint8_t**) { twin::SetMaskMode(true); });
    Is("counter mode left on", Told(), "mask-mode-left|the kernel ends in counter mask mode");
}

}  // namespace

int main() {
    InEachCase("pipes of a vector core", 1500, 263, OnVectorCore);
    InEachCase("pipes of a cube core", 1500, 269, OnCubeCore);
    Events();
    Names();
    return Finish();
}
