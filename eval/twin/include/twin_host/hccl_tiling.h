// Tiling of collective communication. The twin has one device: a tiling compiles, and at run time it fails.
#ifndef TWIN_HOST_HCCL_TILING_H
#define TWIN_HOST_HCCL_TILING_H

#include <string>

#include "kernel_tiling/hccl_tiling.h"
#include "log/log.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(Mc2ServerCfg)
TILING_DATA_FIELD_DEF(uint32_t, version)
TILING_DATA_FIELD_DEF(uint8_t, debugMode)
TILING_DATA_FIELD_DEF(uint8_t, sendArgIndex)
TILING_DATA_FIELD_DEF(uint8_t, recvArgIndex)
TILING_DATA_FIELD_DEF(uint8_t, commOutArgIndex)
TILING_DATA_FIELD_DEF_ARR(uint8_t, 8, reserved)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(Mc2HcommCfg)
TILING_DATA_FIELD_DEF(uint8_t, skipLocalRankCopy)
TILING_DATA_FIELD_DEF(uint8_t, skipBufferWindowCopy)
TILING_DATA_FIELD_DEF(uint8_t, stepSize)
TILING_DATA_FIELD_DEF_ARR(char, 13, reserved)
TILING_DATA_FIELD_DEF_ARR(char, 128, groupName)
TILING_DATA_FIELD_DEF_ARR(char, 128, algConfig)
TILING_DATA_FIELD_DEF(uint32_t, opType)
TILING_DATA_FIELD_DEF(uint32_t, reduceType)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(Mc2InitTiling)
TILING_DATA_FIELD_DEF_ARR(uint8_t, 64, reserved)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(Mc2CcTiling)
TILING_DATA_FIELD_DEF_ARR(uint8_t, 512, reserved)
END_TILING_DATA_DEF

}  // namespace optiling

// Structures that host and kernel read from one header name them without a namespace.
using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2InitTiling;

namespace AscendC {

/// All return 0 for success.
class Mc2CcTilingConfig {
public:
    explicit Mc2CcTilingConfig(const std::string& groupName, uint32_t opType, const std::string& algConfig,
                               uint32_t reduceType = 0, uint8_t dstDataType = 0, uint8_t srcDataType = 0,
                               uint8_t commEngine = 0)
        : groupName_(groupName) {}

    /// Fails, with a line of the log.
    template <typename T>
    uint32_t GetTiling(T&) {
        OP_LOGE("Mc2CcTilingConfig", "group %s: communication between devices is not covered", groupName_.c_str());
        return 1;
    }
    uint32_t SetOpType(uint32_t) { return 0; }
    uint32_t SetGroupName(const std::string& groupName) {
        groupName_ = groupName;
        return 0;
    }
    uint32_t SetAlgConfig(const std::string&) { return 0; }
    uint32_t SetReduceType(uint32_t, uint8_t dstDataType = 0, uint8_t srcDataType = 0) { return 0; }
    uint32_t SetStepSize(uint8_t) { return 0; }
    uint32_t SetSkipLocalRankCopy(uint8_t) { return 0; }
    uint32_t SetSkipBufferWindowCopy(uint8_t) { return 0; }
    uint32_t SetDebugMode(uint8_t) { return 0; }
    uint32_t SetQueueNum(uint16_t) { return 0; }
    uint32_t SetCommBlockNum(uint16_t) { return 0; }
    uint32_t SetCommEngine(uint8_t) { return 0; }

private:
    std::string groupName_;
};

}  // namespace AscendC

#endif
