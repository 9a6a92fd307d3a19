// Which block runs, what kind of core it is, workspaces, and small host-like functions a kernel may use.
#ifndef TWIN_SOC_H
#define TWIN_SOC_H

#include "twin/load3d.h"
#include "twin/tensor.h"

namespace twin {
template <typename T>
constexpr std::conditional_t<oneOf<T, half, bfloat16_t>, float, T> Printable(T value) {
    return value;
}
}  // namespace twin

/// A template, so that <stdio.h> may bring its own for the host.
template <typename... Args>
__aicore__ inline int printf(const char* format, Args... args) {
    return __builtin_printf(format, twin::Printable(args)...);
}

namespace AscendC {

constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
#ifdef TWIN_CUBE_CORE
constexpr int32_t g_coreType = AIC;
#else
constexpr int32_t g_coreType = AIV;
#endif

__aicore__ inline int64_t GetBlockIdx() { return twin::BlockIndex(); }
__aicore__ inline int64_t GetBlockNum() { return twin::BlockCount(); }
__aicore__ inline int64_t GetSubBlockIdx() { return twin::SubBlockIndex(); }
__aicore__ inline int64_t GetSubBlockIdxImpl() { return GetSubBlockIdx(); }
__aicore__ inline int64_t GetSubBlockNum() { return twin::SubBlockCount(); }
__aicore__ inline int64_t GetTaskRation() { return twin::TaskRatio(); }
__aicore__ inline int64_t GetTaskRatio() { return twin::TaskRatio(); }
/// Counts API calls, so that it never goes back and is the same in every run.
__aicore__ inline int64_t GetSystemCycle() { return twin::CycleCount(); }
/// Some address of code, which is none of the first.
__aicore__ inline int64_t GetProgramCounter() { return twin::CycleCount() * 4; }
__aicore__ inline void Trap() { twin::AssertFailed("Trap()", "kernel", 0); }
/// What a kernel before may have left on: atomic copies, the mask and its mode, and on a cube core the padding and the
/// boundary of LoadData. A TPipe does it too.
__aicore__ inline void InitSocState() {
    twin::SetAtomic(twin::Type::kOther, 0);
    twin::SetMaskMode(false);
    twin::ResetMaskRegister();
    twin::SetFeaturePadding(0);
    twin::SetUnfoldBoundary(0);
}

__aicore__ inline __gm__ uint8_t* GetUserWorkspace(GM_ADDR workspace) {
    return twin::AddressAs<GM_ADDR>(twin::UserWorkspace(twin::AddressAs<uint8_t*>(workspace)));
}
__aicore__ inline __gm__ uint8_t* GetSysWorkSpacePtr() { return twin::AddressAs<GM_ADDR>(twin::SystemWorkspace()); }
__aicore__ inline void SetSysWorkspace(GM_ADDR workspace) {
    twin::SetSystemWorkspace(twin::AddressAs<uint8_t*>(workspace));
}
__aicore__ inline void SetSysWorkspaceForce(GM_ADDR workspace) {
    twin::SetSystemWorkspace(twin::AddressAs<uint8_t*>(workspace));
}

using ::printf;
template <typename... Args>
__aicore__ inline void PRINTF(const char* format, Args... args) {
    ::printf(format, args...);
}
template <typename T>
__aicore__ inline void DumpTensor(const LocalTensor<T>&, uint32_t, uint32_t) {}
template <typename T>
__aicore__ inline void DumpTensor(const GlobalTensor<T>&, uint32_t, uint32_t) {}

/// Where dumps go. What dumps are is not kept here.
__aicore__ inline void InitDump(bool mixFlag, uint32_t gmLen) {}
__aicore__ inline void InitDump(bool mixFlag, GM_ADDR dumpStartAddr, uint32_t gmLen) {}

/// Of a block of UB.
__aicore__ constexpr int16_t GetDataBlockSizeInBytes() { return static_cast<int16_t>(ONE_BLK_SIZE); }
/// Loads instructions ahead of time, which changes no result.
#define PRELOAD(length) AscendC::ICachePreLoad(static_cast<int64_t>(length))

__aicore__ inline uint32_t AlignUp(uint32_t value, uint32_t alignment) {
    return alignment == 0 ? 0 : (value + alignment - 1) / alignment * alignment;
}
__aicore__ inline uint32_t DivCeil(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
__aicore__ inline uint32_t Ceil(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
__aicore__ inline int32_t CeilDivision(int32_t a, int32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }

/// Leading zeros of a 64-bit value; position and count of bits as the scalar unit has them.
__aicore__ inline int64_t ScalarCountLeadingZero(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
template <int countValue>
__aicore__ inline int64_t ScalarGetCountOfValue(uint64_t value) {
    static_assert(countValue == 0 || countValue == 1, "ScalarGetCountOfValue counts zeros or ones");
    const int ones = __builtin_popcountll(value);
    return countValue == 1 ? ones : 64 - ones;
}
template <int value>
__aicore__ inline int64_t ScalarGetSFFValue(uint64_t valueIn) {
    static_assert(value == 0 || value == 1, "ScalarGetSFFValue finds a zero or a one");
    const uint64_t wanted = value == 1 ? valueIn : ~valueIn;
    return wanted == 0 ? -1 : __builtin_ctzll(wanted);
}

}  // namespace AscendC

// Kernels name these without the namespace as well.
using AscendC::g_coreType;
using AscendC::GetBlockIdx;
using AscendC::GetBlockNum;
using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;
using AscendC::SetSysWorkspace;
using AscendC::SetSysWorkspaceForce;

namespace twin {
struct BlockIndexValue {
    operator int64_t() const { return BlockIndex(); }
};
}  // namespace twin
/// The compiler's own variable; a kernel may shadow it.
constexpr twin::BlockIndexValue block_idx;

/// Square root on the scalar unit. A template, so that <math.h> may bring its own.
template <typename F, std::enable_if_t<twin::oneOf<F, float, half>, int> = 0>
__aicore__ inline F sqrt(F value) {
    return __builtin_sqrtf(value);
}

/// The compiler's own functions on scalars.
template <typename A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>
__aicore__ constexpr A min(A a, A b) {
    return a < b ? a : b;
}
template <typename A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>
__aicore__ constexpr A max(A a, A b) {
    return a < b ? b : a;
}
template <typename A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>
__aicore__ constexpr A abs(A a) {
    return a < 0 ? -a : a;
}

__aicore__ inline int64_t get_block_idx() { return twin::BlockIndex(); }
__aicore__ inline int64_t get_block_num() { return twin::BlockCount(); }
__aicore__ inline int64_t get_subblockid() { return twin::SubBlockIndex(); }
__aicore__ inline int64_t get_subblockdim() { return twin::SubBlockCount(); }

#endif
