// platform_ascendc: core counts and memory sizes that a tiling function plans with.
#ifndef TWIN_PLATFORM_ASCENDC_H
#define TWIN_PLATFORM_ASCENDC_H

#include <cstdint>
#include <mutex>

#include "graph/types.h"
#include "platform/platform_info.h"
#include "platform/soc_spec.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

/// Atlas A3 is ASCEND910B here, as Atlas A2 is.
enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    ASCEND910_55,
    ASCEND910_95 = ASCEND950,
    AS31XM1,
    ASCEND031,
    ASCEND035,
    ASCEND310,
    ASCEND610,
    ASCEND610Lite,
    ASCEND910_93,
    BS9SX1A,
    BS9SX2A,
    HI3796CV300CS,
    HI3796CV300ES,
    MC61AM21A,
    MC62,
    MC62CM12A = MC62,
    SD3403,
    KIRINX90,
    KIRIN9030,
    MC32DM11A,
    ASCEND350,
    ASCEND910_96,
    RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

/// Sizes follow the device: on A2 and A3 UB and L1 come back 256 bytes smaller than the chip's, which CANN keeps for
/// itself. Source: ascend/asc-devkit, PlatformAscendC pages and the SoC tables of CANN 8.1.
class PlatformAscendC {
public:
    PlatformAscendC() = delete;
    explicit PlatformAscendC(fe::PlatFormInfos* info) : info_(info) {}
    /// Vector cores: the parts known here have cube and vector cores apart.
    uint32_t GetCoreNum() const { return info_->aivCores; }
    uint32_t GetCoreNumAic() const { return info_->aicCores; }
    uint32_t GetCoreNumAiv() const { return info_->aivCores; }
    uint32_t GetCoreNumVector() const { return 0; }
    SocVersion GetSocVersion() const { return SocVersion::ASCEND910B; }
    NpuArch GetCurNpuArch() const { return NpuArch::DAV_2201; }
    uint32_t GetVecRegLen() const { return 0; }
    void GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const;
    void GetCoreMemBw(const CoreMemType& type, uint64_t& bytesPerCycle) const;
    void ReserveLocalMemory(ReservedSize size) { reservedBytes_ = 8192u << static_cast<int>(size); }
    uint32_t GetLibApiWorkSpaceSize() const { return 16 * 1024 * 1024; }
    uint32_t GetResCubeGroupWorkSpaceSize() const { return 1024 * 1024; }
    uint32_t GetResGroupBarrierWorkSpaceSize() const { return 1024 * 1024; }
    /// Blocks to launch so that `sliceNum` vector blocks run on pairs of one cube and two vector cores.
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
    uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
        return CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
    }

private:
    fe::PlatFormInfos* info_;
    uint32_t reservedBytes_ = 0;
};

class PlatformAscendCManager {
public:
    static PlatformAscendC* GetInstance();
    static PlatformAscendC* GetInstance(const char* soc);
};

}  // namespace platform_ascendc

#endif
