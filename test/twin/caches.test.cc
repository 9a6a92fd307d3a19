// The scalar unit's data cache: each hazard of the vendor's page on cache coherence, and the call that ends it. Lines
// are quoted from asc-devkit, docs/zh; "coherence" is guide/…/内存模型/缓存一致性.md, "scalars" Scalar读写数据.md.
#include "caches.h"

namespace {

void BetweenCores() {
    const auto passes = [](bool cleans, bool dropsFirst, bool readBefore, bool copies) {
        return [=](Vectors& v) {
            if (readBefore) v.gm.GetValue(16);
            if (readBefore) SyncAll();
            if (v.block == 0) v.gm.SetValue(16, 5);
            if (v.block == 0 && cleans) CleanLine(v.gm[16]);
            SyncAll();
            if (v.block == 0) return;
            if (dropsFirst) CleanLine(v.gm[16]);
            if (copies) v.In(16);
            else v.gm.GetValue(16);
        };
    };
    const std::string line = " (scalars:37 \"如果其余核需要获取GM数据的变化，则需要开发者手动调用\")";
    Is("gm-cache-dirty", "SetValue, SyncAll, another core's GetValue" + line, 2, passes(false, false, false, false));
    Is("gm-cache-dirty", "SetValue, SyncAll, another core's DataCopy", 2, passes(false, false, false, true));
    Is("gm-cache-dirty", "and after the other core has read it", 2, passes(false, false, true, false));
    Is("", "with DataCacheCleanAndInvalid between" + line, 2, passes(true, false, false, false));
    Is("", "and for DataCopy", 2, passes(true, false, false, true));
    Is("gm-cache-stale", "a core that has read the line before (coherence:202 \"可能继续命中本核旧DCache副本\")", 2,
       passes(true, false, true, false));
    Is("", "and lets it go (coherence:205 \"Core 1旧Cache副本失效\")", 2, passes(true, true, true, false));
    Is("", "and copies past its cache", 2, passes(true, false, true, true));

    const auto besides = [](uint32_t copied, uint32_t read, uint32_t later) {
        return [=](Vectors& v) {
            if (v.block == 0) v.Out(copied);
            else v.gm.GetValue(read);
            SyncAll();
            if (v.block == 1) v.gm.GetValue(later);
        };
    };
    for (const uint32_t line : {0u, 16u}) {
        const std::string of = line == 0 ? " in the first line" : " in the second line";
        Is("", "GetValue right behind what another core copies out" + of, 2, besides(line, line + 8, line + 8));
        Is("", "and right before it" + of, 2, besides(line + 8, line + 7, line + 7));
        for (const uint32_t at : {0u, 7u}) {
            Is("gm-cache-stale", "and later of what was copied beside it" + of, 2, besides(line, line + 8, line + at));
            Is("gm-cache-stale", "and behind it" + of, 2, besides(line + 8, line + 7, line + 8 + at));
        }
    }

    const auto oneBehindTheOther = [](bool cleans, uint32_t second) {
        return [=](Vectors& v) {
            if (v.block == 0) v.gm.SetValue(0, 1);
            if (v.block == 0 && cleans) CleanLine(v.gm);
            SyncAll();
            if (v.block == 1) v.gm.SetValue(second, 2);
        };
    };
    const std::string apart = " (SetValue.md:34 \"至少有Cache Line大小的偏移，否则会出现多核数据随机覆盖\")";
    Is("gm-cache-line", "two cores set values in one line's first and last, SyncAll between", 2,
       oneBehindTheOther(false, 15));
    Is("", "and in the next line" + apart, 2, oneBehindTheOther(false, 16));
    Is("gm-cache-line", "two cores set values in one line, with SyncAll between" + apart, 2,
       oneBehindTheOther(false, 1));
    const std::string told = "SetValue writes byte 4 of 'gm', and block 0 has written in the same 64 bytes";
    Expect("and the message has both", told_.message.compare(0, told.size(), told) == 0, told_.message);
    Is("", "and in one line that was written back", 2, oneBehindTheOther(true, 1));
    Is("gm-cache-line", "and without SyncAll between", 2, [](Vectors& v) {
        v.gm.SetValue(static_cast<uint64_t>(v.block), 1);
        CleanLine(v.gm);
    });
    Expect("and the message of that", told_.message.find("block 1 has written in the same 64 bytes") != told.npos,
           told_.message);

    const auto copiesBeside = [](uint32_t at, bool cleans, bool later) {
        return [=](Vectors& v) {
            if (later) SyncAll();
            if (v.block == 0) return v.Out(at);
            v.gm.SetValue(0, 1);
            if (cleans) CleanLine(v.gm);
        };
    };
    for (const bool later : {false, true}) {
        Is("gm-cache-line", "one core copies out beside what another sets", 2, copiesBeside(8, false, later));
        Is("gm-cache-line", "and writes back", 2, copiesBeside(8, true, later));
        Is("", "one core copies out a line further on", 2, copiesBeside(16, true, later));
    }
    const auto staleBeside = [](bool drops) {
        return [=](Vectors& v) {
            if (v.block == 0) v.gm.GetValue(0);
            SyncAll();
            if (v.block == 1) v.Out(8);
            SyncAll();
            if (v.block == 1) return;
            if (drops) CleanLine(v.gm);
            v.gm.SetValue(0, 1);
        };
    };
    Is("gm-cache-line", "a value set in an old copy of what another core has written since", 2, staleBeside(false));
    Is("", "and in a new one", 2, staleBeside(true));
    Is("", "a flag that all set to the same value and none writes back", 3, [](Vectors& v) { v.gm.SetValue(0, 1); });
    Is("", "two values that all set alike", 3, [](Vectors& v) {
        v.gm.SetValue(0, 1);
        v.gm.SetValue(1, 2);
    });
}

void WithinOneCore() {
    const auto reads = [](uint32_t set, uint32_t cleaned, bool cleans) {
        return [=](Vectors& v) {
            v.gm.SetValue(set, 5);
            if (cleans) CleanLine(v.gm[cleaned]);
            v.In();
        };
    };
    const std::string line = " (GlobalTensor SetValue.md:32 \"不会立刻写出到Global Memory\")";
    Is("gm-cache-dirty", "SetValue and then DataCopy in" + line, reads(3, 0, false));
    Is("", "with DataCacheCleanAndInvalid between (SetValue.md:33)", reads(3, 0, true));
    Is("", "of what lies behind the bytes that are copied", reads(8, 0, false));
    const std::string part = " (DataCacheCleanAndInvalid.md:95 \"只会操作传入地址到64B对齐的部分\")";
    Is("gm-cache-dirty", "written back from behind the value on" + part, reads(3, 4, true));
    Is("", "written back from the value on" + part, reads(3, 3, true));
    Is("gm-cache-dirty", "another line written back", reads(3, 16, true));
    Is("", "GetValue of what was set (coherence:328 \"硬件仅维护消费者和生产者都来自同核Scalar DCache操作\")",
       [](Vectors& v) {
           v.gm.SetValue(3, 5);
           v.gm.GetValue(3);
       });
    Is("", "ENTIRE_DATA_CACHE writes all back (DataCacheCleanAndInvalid.md:95 \"核内会刷新整个DCache\")",
       [](Vectors& v) {
           for (const uint32_t i : {0u, 20u, 40u}) v.gm.SetValue(i, 5);
           DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(v.gm);
           for (const uint32_t i : {0u, 16u, 40u}) v.In(i);
       });
    Is("gm-cache-dirty", "CACHELINE_UB is about UB (DataCacheCleanAndInvalid.md:96)", [](Vectors& v) {
        v.gm.SetValue(3, 5);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_UB>(v.gm);
        v.In();
    });
    Is("unsupported-api", "CACHELINE_ATOMIC (DataCacheCleanAndInvalid.md:96 \"暂未支持\")", [](Vectors& v) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_ATOMIC>(v.gm);
    });

    const auto old = [](uint32_t asked, bool preloads, bool drops) {
        return [=](Vectors& v) {
            if (preloads) DataCachePreload(v.gm.ReinterpretCast<uint64_t>(), int64_t(4));
            else v.gm.GetValue(9);
            v.Out();
            if (drops) CleanLine(v.gm);
            v.gm.GetValue(asked);
        };
    };
    const std::string copy = " (GetValue.md:67 \"需要先调用\" DataCacheCleanAndInvalid)";
    Is("gm-cache-stale", "DataCopy out, then GetValue of a line that was read before" + copy, old(3, false, false));
    Is("", "with DataCacheCleanAndInvalid between" + copy, old(3, false, true));
    Is("", "of an element that DataCopy did not write", old(8, false, false));
    Is("", "with DataCacheCleanAndInvalid from the middle of the line on", [](Vectors& v) {
        v.gm.GetValue(9);
        v.Out();
        CleanLine(v.gm[2]);
        v.gm.GetValue(3);
    });
    Is("gm-cache-stale", "of a line that was loaded ahead (coherence:652)", old(3, true, false));
    Is("", "DataCopy out, then GetValue of a line for the first time", [](Vectors& v) {
        DataCopy(v.gm, v.ub, 8);
        v.gm.GetValue(3);
        v.gm.SetValue(3, 5);
    });

    const auto over = [](uint32_t at, bool cleans, bool atomic) {
        return [=](Vectors& v) {
            v.gm.SetValue(0, 5);
            if (cleans) CleanLine(v.gm);
            if (atomic) SetAtomicAdd<int32_t>();
            v.Out(at);
            SetAtomicNone();
        };
    };
    const std::string lost = " (coherence:388 \"MTE3对B的后写被前序Scalar Dirty副本覆盖\")";
    Is("gm-cache-line", "SetValue, then DataCopy out beside it" + lost, over(8, false, false));
    Is("gm-cache-line", "and over it" + lost, over(0, false, false));
    Is("", "with DataCacheCleanAndInvalid between", over(8, true, false));
    Is("", "and into the next line", over(16, false, false));
    Is("gm-cache-line", "and adds to it (coherence:613 \"需要先确保Scalar DCache中的Dirty数据已经写回GM\")",
       over(0, false, true));
    Is("", "and adds to what was written back", over(0, true, true));
    Is("gm-cache-line", "an old copy that a value is set in, and that covers what DataCopy wrote", [](Vectors& v) {
        v.gm.GetValue(0);
        v.Out(8);
        v.gm.SetValue(0, 5);
    });
    Is("gm-cache-dirty", "a value among many that are copied in", [](Vectors& v) {
        TBuf<> more;
        v.pipe.InitBuffer(more, kMany * 4);
        v.gm.SetValue(kMany - 1, 5);
        DataCopy(more.Get<int32_t>(), v.gm, kMany);
    });
    Is("", "what is set over all that DataCopy wrote since", [](Vectors& v) {
        v.gm.GetValue(0);
        v.Out();
        for (uint32_t i = 0; i < 8; ++i) v.gm.SetValue(i, 5);
    });
}

}  // namespace

int main() {
    BetweenCores();
    WithinOneCore();
    return Finish();
}
