// Order between pipes and between blocks, and the mask register.
#ifndef TWIN_SYNC_H
#define TWIN_SYNC_H

#include "twin/tensor.h"

namespace twin {

struct PipePair {
    pipe_t src, dst;
};
/// The two pipes a hardware event runs between.
constexpr PipePair PipesOf(HardEvent event) {
    switch (event) {
        case HardEvent::MTE2_V: return {PIPE_MTE2, PIPE_V};
        case HardEvent::V_MTE2: return {PIPE_V, PIPE_MTE2};
        case HardEvent::MTE3_V: return {PIPE_MTE3, PIPE_V};
        case HardEvent::V_MTE3: return {PIPE_V, PIPE_MTE3};
        case HardEvent::V_V: return {PIPE_V, PIPE_V};
        case HardEvent::MTE3_MTE2: return {PIPE_MTE3, PIPE_MTE2};
        case HardEvent::MTE2_MTE3: return {PIPE_MTE2, PIPE_MTE3};
        case HardEvent::S_V: return {PIPE_S, PIPE_V};
        case HardEvent::V_S: return {PIPE_V, PIPE_S};
        case HardEvent::S_MTE2: return {PIPE_S, PIPE_MTE2};
        case HardEvent::MTE2_S: return {PIPE_MTE2, PIPE_S};
        case HardEvent::S_MTE3: return {PIPE_S, PIPE_MTE3};
        case HardEvent::MTE3_S: return {PIPE_MTE3, PIPE_S};
        case HardEvent::MTE2_MTE1: return {PIPE_MTE2, PIPE_MTE1};
        case HardEvent::MTE1_MTE2: return {PIPE_MTE1, PIPE_MTE2};
        case HardEvent::MTE1_M: return {PIPE_MTE1, PIPE_M};
        case HardEvent::M_MTE1: return {PIPE_M, PIPE_MTE1};
        case HardEvent::M_FIX: return {PIPE_M, PIPE_FIX};
        case HardEvent::FIX_M: return {PIPE_FIX, PIPE_M};
        case HardEvent::M_V: return {PIPE_M, PIPE_V};
        case HardEvent::V_M: return {PIPE_V, PIPE_M};
        case HardEvent::MTE1_V: return {PIPE_MTE1, PIPE_V};
        case HardEvent::V_MTE1: return {PIPE_V, PIPE_MTE1};
        case HardEvent::MTE2_M: return {PIPE_MTE2, PIPE_M};
        case HardEvent::M_MTE2: return {PIPE_M, PIPE_MTE2};
        case HardEvent::MTE2_FIX: return {PIPE_MTE2, PIPE_FIX};
        case HardEvent::FIX_MTE2: return {PIPE_FIX, PIPE_MTE2};
        case HardEvent::FIX_S: return {PIPE_FIX, PIPE_S};
        case HardEvent::M_S: return {PIPE_M, PIPE_S};
        case HardEvent::FIX_MTE3: return {PIPE_FIX, PIPE_MTE3};
        case HardEvent::MTE1_FIX: return {PIPE_MTE1, PIPE_FIX};
        case HardEvent::FIX_MTE1: return {PIPE_FIX, PIPE_MTE1};
        case HardEvent::FIX_FIX: return {PIPE_FIX, PIPE_FIX};
        case HardEvent::MTE3_MTE1: return {PIPE_MTE3, PIPE_MTE1};
        case HardEvent::MTE1_MTE3: return {PIPE_MTE1, PIPE_MTE3};
        default: return {PIPE_S, PIPE_S};
    }
}

}  // namespace twin

namespace AscendC {

/// eventID 0 to 7. Violations: flag-set-twice, wait-without-set, unpaired-flag (at the end of the kernel), event-id.
template <HardEvent event>
__aicore__ inline void SetFlag(int32_t eventID) {
    twin::SetEvent(twin::PipesOf(event).src, twin::PipesOf(event).dst, eventID);
}
template <HardEvent event>
__aicore__ inline void WaitFlag(int32_t eventID) {
    twin::WaitEvent(twin::PipesOf(event).src, twin::PipesOf(event).dst, eventID);
}
template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    __aicore__ inline void SetFlag(TEventID id) { twin::SetEvent(src, dst, id); }
    __aicore__ inline void WaitFlag(TEventID id) { twin::WaitEvent(src, dst, id); }
};

/// PIPE_ALL orders all pipes; another pipe only itself.
template <pipe_t pipe>
__aicore__ inline void PipeBarrier() {
    static_assert(pipe != PIPE_S, "PipeBarrier<PIPE_S> is not allowed");
    twin::Barrier(pipe);
}
template <MemDsbT arg0>
__aicore__ inline void DataSyncBarrier() {}

/// Waits until every vector core, or with isAIVOnly = false every core, has come here. Violation: sync-deadlock.
template <bool isAIVOnly = true>
__aicore__ inline void SyncAll() {
    twin::SyncBlocks("SyncAll", nullptr, nullptr, 0, isAIVOnly);
}
/// The same through GM: both workspaces at least 32 bytes per block, gmWorkspace zeroed before.
template <bool isAIVOnly = true>
__aicore__ inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                               const int32_t usedCores = 0) {
    twin::SyncBlocks("SyncAll", &gmWorkspace, &ubWorkspace, usedCores, isAIVOnly);
}
/// Flags that SyncAll uses.
constexpr uint16_t SYNC_AIC_FLAG = 11;
constexpr uint16_t SYNC_AIV_FLAG = 12;
constexpr uint16_t SYNC_AIC_AIV_FLAG = 13;
constexpr uint16_t SYNC_AIV_ONLY_ALL = 14;
/// A wait goes on when, in mode 0, all cores of one kind have set the flag; in mode 1 the vector cores of the block; in
/// mode 2 the block's cube core (for its vector cores), or all vector cores of the block (for the cube core).
/// Violations: flag-overflow, cross-core-kind, sync-deadlock.
template <uint8_t modeId, pipe_t pipe>
__aicore__ inline void CrossCoreSetFlag(uint16_t flagId) {
    twin::CrossCoreSet(modeId, flagId);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
__aicore__ inline void CrossCoreWaitFlag(uint16_t flagId) {
    twin::CrossCoreWait(flagId);
}

/// Where the cores' flags are, which the launch knows; kernels say it once more.
__aicore__ inline void SetSyncBaseAddr(uint64_t config) { twin::Note("SetSyncBaseAddr"); }

/// Older names of the two, between the kinds of core of a block.
template <pipe_t pipe>
__aicore__ inline void NotifyEvent(uint16_t flagId) {
    CrossCoreSetFlag<2, pipe>(flagId);
}
template <pipe_t pipe = PIPE_S>
__aicore__ inline void WaitEvent(uint16_t flagId) {
    CrossCoreWaitFlag<0, pipe>(flagId);
}

/// High word first. Used by calls with isSetMask = false.
template <typename T, MaskMode mode = MaskMode::NORMAL>
__aicore__ inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
    twin::SetMaskRegister(maskHigh, maskLow);
}
/// NORMAL: the first len elements of each repeat. COUNTER: len elements in all.
template <typename T, MaskMode mode = MaskMode::NORMAL>
__aicore__ inline void SetVectorMask(int32_t len) {
    if (mode == MaskMode::COUNTER) return twin::SetMaskRegister(0, static_cast<uint64_t>(len));
    const uint64_t n = static_cast<uint64_t>(len);
    twin::SetMaskRegister(n <= 64 ? 0 : (n >= 128 ? ~0ull : (1ull << (n - 64)) - 1), n >= 64 ? ~0ull : (1ull << n) - 1);
}
__aicore__ inline void ResetMask() { twin::ResetMaskRegister(); }
/// Violation at the end of the kernel without SetMaskNorm: mask-mode-left.
__aicore__ inline void SetMaskCount() { twin::SetMaskMode(true); }
__aicore__ inline void SetMaskNorm() { twin::SetMaskMode(false); }

/// One line, or all of them, between this core's data cache and GM; see CleanCache. Of an address inside a line, what
/// lies behind it.
template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    twin::CleanCache(dst, entireType == CacheLine::ENTIRE_DATA_CACHE, dcciDst);
}
template <typename T, CacheLine entireType>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_ALL>(dst);
}
/// Of UB, which the scalar unit reads past its cache unless a register is set that the twin has not.
template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T>&) {
    twin::Note("DataCacheCleanAndInvalid");
}
/// cacheOffset counts bytes.
template <typename T>
__aicore__ inline void DataCachePreload(const GlobalTensor<uint64_t>& src, const T cacheOffset) {
    twin::PreloadCache(src, static_cast<uint64_t>(cacheOffset));
}

struct AscendCUtils {
    template <typename T, bool isSetMask = true>
    __aicore__ static inline void SetMask(const uint64_t& maskHigh, const uint64_t& maskLow) {
        twin::SetMaskRegister(maskHigh, maskLow);
    }
    template <typename T, bool isSetMask = true>
    __aicore__ static inline void SetMask(int32_t len) {
        SetVectorMask<T>(len);
    }
    template <typename T>
    __aicore__ static inline void SetMaskCount() {
        AscendC::SetMaskCount();
    }
    template <typename T>
    __aicore__ static inline void SetMaskNorm() {
        AscendC::SetMaskNorm();
    }
    __aicore__ static inline void ResetMask() { twin::ResetMaskRegister(); }
    /// Elements that the last GatherMask kept.
    __aicore__ static inline int64_t GetRsvdCnt() { return static_cast<int64_t>(twin::GatheredCount()); }
    /// 1: infinities and NaN, as everything is judged here; 0: results end at the largest number, which the twin does
    /// not compute.
    __aicore__ static inline void SetOverflow(uint64_t ctrlValue) { twin::SetSaturating(ctrlValue != 1); }
    __aicore__ static inline int32_t GetBitSize(int32_t byteSize) { return byteSize * 8; }
    /// Elements of a 32-byte block.
    __aicore__ static inline int32_t GetC0Count(int32_t dtypeSize) {
        return static_cast<int32_t>(ONE_BLK_SIZE) / dtypeSize;
    }
};

/// Tells a check of addresses, which a build may ask for, of memory that is no parameter of the kernel.
template <typename T>
__aicore__ inline void OOMCheckAddrRange(__gm__ T*, const uint64_t) {}

/// Keeps the compiler from moving instructions past it, and orders nothing on the device.
__aicore__ inline void Barrier() {}

}  // namespace AscendC

__aicore__ inline void set_flag(pipe_t src, pipe_t dst, event_t id) { twin::SetEvent(src, dst, id); }
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, event_t id) { twin::WaitEvent(src, dst, id); }
__aicore__ inline void set_flag(pipe_t src, pipe_t dst, int id) { twin::SetEvent(src, dst, id); }
__aicore__ inline void wait_flag(pipe_t src, pipe_t dst, int id) { twin::WaitEvent(src, dst, id); }
__aicore__ inline void pipe_barrier(pipe_t pipe) { twin::Barrier(pipe); }
__aicore__ inline void set_vector_mask(uint64_t high, uint64_t low) { twin::SetMaskRegister(high, low); }
__aicore__ inline void set_mask_norm() { twin::SetMaskMode(false); }
__aicore__ inline void set_mask_count() { twin::SetMaskMode(true); }
__aicore__ inline void set_atomic_none() { twin::SetAtomic(twin::Type::kOther, 0); }

#endif
