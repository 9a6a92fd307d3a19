// What the tests of the scalar unit's cache share: a vector core with numbers in UB and GM, in both orders of blocks.
#ifndef TWIN_TEST_CACHES_H
#define TWIN_TEST_CACHES_H

#include "cube_kernels.h"

using I32 = GlobalTensor<int32_t>;
constexpr uint32_t kElements = 64, kMany = 5120;
inline std::vector<int32_t> gm_(kMany), x_(kElements);

inline I32 At(uint8_t* data) {
    I32 gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)data);
    return gm;
}

template <typename G>
void CleanLine(const G& gm) {
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gm);
}

/// A vector core with 64 numbers of its own in UB and as many in GM, which may be anyone's.
struct Vectors {
    TPipe pipe;
    TBuf<> room, other;
    I32 gm, x;
    LocalTensor<int32_t> ub, in;
    int64_t block = GetBlockIdx();
    explicit Vectors(uint8_t** args) : gm(At(args[0])), x(At(args[1])) {
        pipe.InitBuffer(room, kElements * 4);
        pipe.InitBuffer(other, kElements * 4);
        ub = room.Get<int32_t>();
        in = other.Get<int32_t>();
        Duplicate(ub, 7, kElements);
        PipeBarrier<PIPE_ALL>();
    }
    /// Elements 0 to 7 or others, and MTE3 has come to its end.
    void Out(uint32_t at = 0, uint32_t count = 8) {
        DataCopy(gm[at], ub, count);
        PipeBarrier<PIPE_ALL>();
    }
    void In(uint32_t at = 0) { DataCopy(in, gm[at], 8); }
};

inline std::vector<twin::GmArg> Arguments(twin::Role role) {
    return {{"gm", role, (uint8_t*)gm_.data(), kMany * 4},
            {"x", twin::Role::kInput, (uint8_t*)x_.data(), kElements * 4}};
}

using Body = std::function<void(Vectors&)>;

/// The same rule whichever block runs first.
inline void Is(const std::string& rule, const std::string& name, uint32_t blocks, const Body& body) {
    for (const twin::Role role : {twin::Role::kWorkspace, twin::Role::kInOut}) {
        for (const bool reverse : {false, true}) {
            std::fill(gm_.begin(), gm_.end(), 0);
            const auto kernel = [&](uint8_t** args) {
                Vectors v(args);
                body(v);
            };
            const std::string seen = RuleBroken(Arguments(role), kernel, blocks, reverse);
            if (seen == rule) continue;
            return Expect((rule.empty() ? "legal" : rule) + ": " + name, false,
                          "broke '" + seen + "': " + told_.message);
        }
    }
    Expect((rule.empty() ? "legal" : rule) + ": " + name, true);
}
inline void Is(const std::string& rule, const std::string& name, const Body& body) { Is(rule, name, 1, body); }

#endif
