// Collective communication between devices: what kernels need to compile. The twin has one device, so every call ends
// the launch as not-covered. Source: Ascend C high-level API, section HCCL communication.
#ifndef TWIN_HCCL_H
#define TWIN_HCCL_H

#include "kernel_tiling/hccl_tiling.h"
#include "twin/tensor.h"

namespace AscendC {

using HcclHandle = int8_t;
constexpr uint32_t HCCL_GROUP_ID_0 = 0;
constexpr uint32_t HCCL_MAX_RANK_NUM = 32;
constexpr int8_t INVALID_HANDLE_ID = -1;

/// Memory of one rank, and that of a connection between two: what a communication group's address leads to.
struct MemDetails {
    uint64_t size;
    uint64_t addr;
    uint32_t key;
};
struct IbVerbsData {
    MemDetails remoteInput;
    MemDetails remoteOutput;
    MemDetails localInput;
    MemDetails localOutput;
    uint8_t res[24];
};

enum HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_CCU = 5, HCCL_SERVER_TYPE_END };
enum class CoreType : uint8_t { DEFAULT, ON_AIV, ON_AIC };
enum class ScopeType : uint8_t { ALL, QUEUE, BLOCK, INVALID_TYPE };
struct HcclServerConfig {
    CoreType type;
    int64_t blockId;
};
constexpr HcclServerConfig DEFAULT_CFG = {CoreType::DEFAULT, 0};

}  // namespace AscendC

namespace twin {
/// Violation not-covered.
__aicore__ inline void CallOtherDevice(const char* api) {
    FormNotCovered(api, "communication between devices", "run it on one device");
}
}  // namespace twin

namespace AscendC {

/// Addresses of what the communication groups share.
template <uint32_t index>
__aicore__ inline __gm__ uint8_t* GetHcclContext() {
    twin::CallOtherDevice("GetHcclContext");
    return nullptr;
}
template <uint32_t index>
__aicore__ inline void SetHcclContext(__gm__ uint8_t*) {
    twin::CallOtherDevice("SetHcclContext");
}

/// Counts are elements of dataType, strides too; 0: what one rank sends. repeat: how often Commit is called. A handle
/// of -1 is that of no task.
template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU, const auto& config = DEFAULT_CFG>
class Hccl {
public:
    template <bool commit = false>
    __aicore__ inline HcclHandle AllReduce(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, HcclReduceOp, uint8_t repeat = 1) {
        return Prepare("AllReduce");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle AllGather(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, uint64_t strideCount,
                                           uint8_t repeat = 1) {
        return Prepare("AllGather");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle ReduceScatter(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, HcclReduceOp,
                                               uint64_t strideCount, uint8_t repeat = 1) {
        return Prepare("ReduceScatter");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle AlltoAll(GM_ADDR, GM_ADDR, uint64_t, HcclDataType, uint64_t strideCount = 0,
                                          uint8_t repeat = 1) {
        return Prepare("AlltoAll");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle AlltoAllV(GM_ADDR, void*, void*, HcclDataType, GM_ADDR, void*, void*, HcclDataType,
                                           uint8_t repeat = 1) {
        return Prepare("AlltoAllV");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle BatchWrite(GM_ADDR, uint32_t itemNum, uint16_t queueID = 0) {
        return Prepare("BatchWrite");
    }
    template <bool commit = false>
    __aicore__ inline HcclHandle AlltoAllvWrite(GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint64_t) {
        return Prepare("AlltoAllvWrite");
    }

    __aicore__ inline void Init(GM_ADDR, __gm__ void* initTiling = nullptr) { twin::CallOtherDevice("Init"); }
    __aicore__ inline void InitV2(GM_ADDR, const void*) { twin::CallOtherDevice("InitV2"); }
    __aicore__ inline int32_t SetCcTiling(__gm__ void*) { return Prepare("SetCcTiling"); }
    __aicore__ inline int32_t SetCcTilingV2(uint64_t) { return Prepare("SetCcTilingV2"); }
    __aicore__ inline void Commit(HcclHandle) { twin::CallOtherDevice("Commit"); }
    __aicore__ inline int32_t Wait(HcclHandle) { return Prepare("Wait"); }
    __aicore__ inline int32_t Query(HcclHandle) { return Prepare("Query"); }
    __aicore__ inline void InterHcclGroupSync(int8_t, HcclHandle) { twin::CallOtherDevice("InterHcclGroupSync"); }
    template <ScopeType type = ScopeType::ALL>
    __aicore__ inline void QueueBarrier(uint16_t) {
        twin::CallOtherDevice("QueueBarrier");
    }
    template <bool sync = true>
    __aicore__ inline int32_t Iterate(HcclHandle, uint16_t*, uint16_t) {
        return Prepare("Iterate");
    }
    template <bool sync = true>
    __aicore__ inline void Finalize() {
        twin::CallOtherDevice("Finalize");
    }
    __aicore__ inline GM_ADDR GetWindowsInAddr(uint32_t) { return Window("GetWindowsInAddr"); }
    __aicore__ inline GM_ADDR GetWindowsOutAddr(uint32_t) { return Window("GetWindowsOutAddr"); }
    __aicore__ inline uint32_t GetRankId() { return static_cast<uint32_t>(Prepare("GetRankId")); }
    __aicore__ inline uint32_t GetRankDim() { return static_cast<uint32_t>(Prepare("GetRankDim")); }
    __aicore__ inline uint16_t GetQueueNum() { return static_cast<uint16_t>(Prepare("GetQueueNum")); }

private:
    __aicore__ inline HcclHandle Prepare(const char* api) {
        twin::CallOtherDevice(api);
        return -1;
    }
    __aicore__ inline GM_ADDR Window(const char* api) {
        twin::CallOtherDevice(api);
        return nullptr;
    }
};

}  // namespace AscendC

#endif
