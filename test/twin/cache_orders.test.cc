// Scalar accesses to GM in order with pipes, past the data cache and through references. Lines are quoted from
// asc-devkit, docs/zh; "coherence" is guide/…/内存模型/缓存一致性.md.
#include "caches.h"

namespace {

void OrderOfPipes() {
    const auto after = [](uint32_t set, bool waits, uint32_t copied = 0) {
        return [=](Vectors& v) {
            DataCopy(v.gm[copied], v.ub, 8);
            if (waits) SetFlag<HardEvent::MTE3_S>(0);
            if (waits) WaitFlag<HardEvent::MTE3_S>(0);
            v.gm.SetValue(set, 5);
        };
    };
    const std::string none =
        " (核内同步/关键特性说明.md:142 \"不在以上集合中的PIPE_S接口，毕昇编译器无法自动插入同步\")";
    Is("pipe-hazard", "SetValue in a line right after DataCopy out" + none, after(3, false));
    Is("pipe-hazard", "and beside what was copied", after(15, false));
    Is("", "with SetFlag and WaitFlag MTE3_S between", after(3, true));
    Is("", "and in the next line", after(16, false));
    Is("", "in the line behind a copy that fills the end of one", after(16, false, 8));
    Is("", "in the line before a copy that fills the start of one", after(15, false, 16));
    Is("pipe-hazard", "in the first of the copied elements", after(16, false, 16));
    Is("", "behind PipeBarrier<PIPE_ALL>", [](Vectors& v) {
        v.Out();
        v.gm.SetValue(3, 5);
    });
    Is("pipe-hazard", "and behind PipeBarrier<PIPE_MTE3>, which orders a pipe with itself", [](Vectors& v) {
        DataCopy(v.gm, v.ub, 8);
        PipeBarrier<PIPE_MTE3>();
        v.gm.SetValue(3, 5);
    });
    Is("", "after the vector unit, which the scalar unit waited for, had waited", [](Vectors& v) {
        DataCopy(v.gm, v.ub, 8);
        SetFlag<HardEvent::MTE3_V>(0);
        WaitFlag<HardEvent::MTE3_V>(0);
        Duplicate(v.ub, 3, 8);
        v.gm.SetValue(0, v.ub.GetValue(0));
    });
    const auto afterMany = [](uint32_t set, bool reads) {
        return [=](Vectors& v) {
            for (uint32_t i = 0; i < 300; ++i) DataCopy(v.gm[i * 16], v.ub, 8);
            if (reads) v.gm.GetValue(299 * 16);
            v.gm.SetValue(set, 5);
        };
    };
    Is("pipe-hazard", "SetValue behind the last but one of many copies", afterMany(298 * 16, false));
    Is("", "and behind GetValue, for which all have been waited for", afterMany(298 * 16, true));
    const std::string tensors = " (核内同步/关键特性说明.md:138 Tensor标量读写)";
    Is("", "LocalTensor GetValue and SetValue around V, MTE2 and MTE3" + tensors, [](Vectors& v) {
        DataCopy(v.in, v.x, 8);
        const int32_t first = v.in.GetValue(0);
        v.in.SetValue(1, first);
        Adds(v.ub, v.in, v.in.GetValue(1), 8);
        v.ub.SetValue(2, v.ub.GetValue(3));
        v.ub(4) = v.ub(5) + 1;
        DataCopy(v.gm, v.ub, 8);
        v.ub.SetValue(0, 1);
    });
    Is("", "GlobalTensor GetValue and operator() after DataCopy out" + tensors, [](Vectors& v) {
        DataCopy(v.gm, v.ub, 32);
        v.ub.SetValue(0, v.gm.GetValue(1) + v.gm(17));
    });
    Is("", "GetReduceRepeatMaxMinSpr (核内同步/关键特性说明.md:139 Vector归约辅助)", [](Vectors& v) {
        TBuf<> more;
        v.pipe.InitBuffer(more, 512);
        LocalTensor<float> of = more.Get<float>();
        Duplicate(of, 1.5f, 64);
        WholeReduceMax(of[64], of, 64, 1, 1, 1, 8);
        float most = 0, where = 0;
        GetReduceRepeatMaxMinSpr<float>(most, where);
        of.SetValue(0, most);
    });
    Is("", "GetMrgSortResult (核内同步/关键特性说明.md:140 排序组合)", [](Vectors& v) {
        TBuf<> more;
        v.pipe.InitBuffer(more, 4096);
        LocalTensor<float> of = more.Get<float>();
        Duplicate(of, 1.5f, 256);
        const uint16_t lengths[4] = {32, 32, 32, 32};
        MrgSort<float>(of[512], MrgSortSrcList<float>(of, of[64], of[128], of[192]),
                       MrgSort4Info(lengths, false, 15, 1));
        uint16_t a = 0, b = 0, c = 0, d = 0;
        GetMrgSortResult(a, b, c, d);
        of.SetValue(0, static_cast<float>(a));
    });
}

/// On a cube core: results of L0C go to GM, and its scalar unit reads them.
std::string OnCube(bool waits, bool set, uint32_t at, uint32_t pitch = 16) {
    std::vector<float> out(512);
    return RunCores({{"gm", twin::Role::kWorkspace, (uint8_t*)out.data(), out.size() * 4}}, twin::Cores::kCube, 1,
                    [=](uint8_t** args) {
                        Bench bench;
                        GlobalTensor<float> gm;
                        gm.SetGlobalBuffer((__gm__ float*)args[0]);
                        Fixpipe<float, float, CFG_ROW_MAJOR>(gm, bench.l0c.Get<float>(),
                                                             FixpipeParamsV220(16, 16, 16, pitch, false));
                        if (waits) SetFlag<HardEvent::FIX_S>(0);
                        if (waits) WaitFlag<HardEvent::FIX_S>(0);
                        if (set) gm.SetValue(at, 1.0f);
                        else gm.GetValue(at);
                    });
}

void OfCubeCores() {
    const std::string none =
        " (核内同步/关键特性说明.md:163 \"Cube计算单元中，毕昇编译器不支持自动插入任何类型的同步\")";
    const auto is = [](const std::string& rule, const std::string& name, const std::string& seen) {
        Expect((rule.empty() ? "legal" : rule) + ": on a cube core " + name, seen == rule, seen + " " + told_.message);
    };
    is("pipe-hazard", "GetValue right after Fixpipe" + none, OnCube(false, false, 5));
    is("pipe-hazard", "SetValue right after Fixpipe" + none, OnCube(false, true, 5));
    is("", "GetValue with FIX_S between", OnCube(true, false, 5));
    is("", "SetValue with FIX_S between", OnCube(true, true, 5));
    is("", "GetValue of other places", OnCube(false, false, 300));
    is("", "GetValue in the gap between rows of 24", OnCube(false, false, 17, 24));
    is("pipe-hazard", "and behind it", OnCube(false, false, 24, 24));
    is("pipe-hazard", "SetValue in the gap", OnCube(false, true, 17, 24));
    is("", "SetValue of other places", OnCube(false, true, 300));
}

void PastTheCache() {
    const auto number = [](Vectors& v, uint32_t at) { return const_cast<__gm__ int32_t*>(v.gm.GetPhyAddr()) + at; };
    Is("", "WriteGmByPassDCache of several cores in one line (系统缓存概述.md:100 \"可避免此问题\")", 4,
       [&](Vectors& v) { WriteGmByPassDCache<int32_t>(number(v, v.block), 1 + v.block); });
    const std::string first = " (WriteGmByPassDCache.md:37 \"可能被DCache写回的脏数据覆盖\")";
    const auto writes = [&](bool cleans) {
        return [=](Vectors& v) {
            v.gm.SetValue(0, 1);
            if (cleans) CleanLine(v.gm);
            WriteGmByPassDCache<int32_t>(number(v, 1), 2);
        };
    };
    Is("gm-cache-line", "WriteGmByPassDCache into a line that SetValue changed" + first, writes(false));
    Is("", "with DataCacheCleanAndInvalid between" + first, writes(true));
    const auto reads = [&](bool cleans) {
        return [=](Vectors& v) {
            v.gm.SetValue(0, 1);
            if (cleans) CleanLine(v.gm);
            ReadGmByPassDCache<int32_t>(number(v, 0));
        };
    };
    Is("gm-cache-dirty", "ReadGmByPassDCache of what SetValue changed (coherence:350)", reads(false));
    Is("", "with DataCacheCleanAndInvalid between (coherence:350)", reads(true));
    Is("gm-cache-stale", "GetValue of an old copy after WriteGmByPassDCache (coherence:351)", [&](Vectors& v) {
        v.gm.GetValue(0);
        WriteGmByPassDCache<int32_t>(number(v, 0), 2);
        v.gm.GetValue(0);
    });
}

/// A value that is stored through a reference.
void References() {
    const auto stores = [](bool cleans, int32_t value) {
        return [=](Vectors& v) {
            v.gm(3) = value;
            if (cleans) CleanLine(v.gm);
            v.In();
        };
    };
    const std::string line = " (SuperKernel/算子适配说明.md:29 \"写值时，相当于普通变量直接赋值\")";
    Is("gm-cache-dirty", "operator() = value and then DataCopy in" + line, stores(false, 5));
    Is("", "with DataCacheCleanAndInvalid between", stores(true, 5));
    Is("", "operator() read only", [](Vectors& v) {
        v.ub.SetValue(0, v.gm(3) + v.gm(4));
        v.In();
    });
    Is("gm-cache-dirty", "operator() += value, SyncAll, another core's GetValue", 2, [](Vectors& v) {
        if (v.block == 0) v.gm(3) += 5;
        SyncAll();
        if (v.block == 1) v.gm.GetValue(3);
    });
    Is("write-to-input", "operator() = value of an input", [](Vectors& v) { v.x(3) = v.x(3) + 5; });
}

/// At its end a kernel's cache is written back (SuperKernel/算子适配说明.md:23
/// "自动在算子末尾添加DataCacheCleanAndInvalid指令").
void Ends() {
    std::fill(gm_.begin(), gm_.end(), 0);
    const auto run = [](const Body& body) {
        return RuleBroken(Arguments(twin::Role::kInOut), [&](uint8_t** args) {
            Vectors v(args);
            body(v);
        });
    };
    const std::string set = run([](Vectors& v) { v.gm.SetValue(3, 5); });
    const std::string read = run([](Vectors& v) {
        v.In();
        v.gm.GetValue(3);
    });
    Expect("legal: what one kernel sets the next one reads (算子适配说明.md:23 \"刷新整个DCache\")",
           set.empty() && read.empty() && gm_[3] == 5, set + read);
}

}  // namespace

int main() {
    OrderOfPipes();
    OfCubeCores();
    PastTheCache();
    References();
    Ends();
    return Finish();
}
