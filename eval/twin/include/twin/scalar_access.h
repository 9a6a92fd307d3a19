// Scalars to and from GM past the cache, hints that change no result, and marks for profilers.
#ifndef TWIN_SCALAR_ACCESS_H
#define TWIN_SCALAR_ACCESS_H

#include "twin/tensor.h"

namespace twin {
/// The kernel's parameters as they lie in device memory: an address for each, and behind them the tiling data.
const void* ParameterBase();
}  // namespace twin

/// Address of the kernel's parameters: `((GM_ADDR*)get_para_base())[i]` is parameter i, tiling data lie behind them.
__aicore__ inline int64_t get_para_base() { return reinterpret_cast<int64_t>(twin::ParameterBase()); }

namespace AscendC {

__aicore__ inline int64_t GetParaBase() { return get_para_base(); }

/// Integers of 8 to 64 bits. Violations: gm-out-of-range, write-to-input, and of a line that a data cache holds changed
/// gm-cache-dirty and gm-cache-line.
template <typename T>
__aicore__ inline T ReadGmByPassDCache(__gm__ T* addr) {
    static_assert(std::is_integral_v<T>, "ReadGmByPassDCache takes integers");
    GlobalTensor<T> place;
    place.SetGlobalBuffer(addr);
    return *static_cast<const T*>(twin::ReadPastCache(place, sizeof(T)));
}
template <typename T>
__aicore__ inline void WriteGmByPassDCache(__gm__ T* addr, T value) {
    static_assert(std::is_integral_v<T>, "WriteGmByPassDCache takes integers");
    GlobalTensor<T> place;
    place.SetGlobalBuffer(addr);
    twin::WritePastCache(place, &value, sizeof(T));
}

__aicore__ inline void ICachePreLoad(const int64_t) {}
__aicore__ inline int64_t GetICachePreloadStatus() { return 0; }
__aicore__ inline void PrintTimeStamp(uint32_t) {}
__aicore__ inline void MetricsProfStart() {}
__aicore__ inline void MetricsProfStop() {}
// On this device the two compile and do nothing.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
__aicore__ inline void SetNextTaskStart() {}
template <bool FORCE = false>
__aicore__ inline void WaitPreTaskEnd() {}

}  // namespace AscendC

#define TRACE_START(apid)
#define TRACE_STOP(apid)

#endif
