// fe: numbers of the chip that an operator is compiled for.
#ifndef TWIN_PLATFORM_INFO_H
#define TWIN_PLATFORM_INFO_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Public tiling sources use these unqualified, because CANN's header of this name brings them in.
using std::map;
using std::string;
using std::vector;

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

/// Bytes of each memory as the chip has them; what a tiling function may use is what PlatformAscendC says.
class PlatFormInfos {
public:
    std::string soc, shortSoc;
    uint32_t aicCores = 0, aivCores = 0, aiCpus = 4, cubeMegahertz = 0;
    uint64_t ubBytes = 0, l1Bytes = 0, l0aBytes = 0, l0bBytes = 0, l0cBytes = 0, l2Bytes = 0, hbmBytes = 0, btBytes = 0,
             fbBytes = 0;

    uint32_t GetCoreNum() const { return aivCores; }
    uint32_t GetCoreNumByType(const std::string& type) const { return type == "VectorCore" ? aivCores : aicCores; }
    void GetLocalMemSize(const LocalMemType& type, uint64_t& bytes) const {
        const uint64_t sizes[] = {l0aBytes, l0bBytes, l0cBytes, l1Bytes, l2Bytes, ubBytes, hbmBytes};
        bytes = type < LocalMemType::RESERVED ? sizes[static_cast<int>(type)] : 0;
    }
    bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const;
    bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) const;
    bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value) const {
        return GetPlatformRes(label, key, value);
    }
};

/// The chip by its SoC name, e.g. `Ascend910_9392` or `Ascend910B3`; null for an unknown name.
const PlatFormInfos* findPlatform(const std::string& soc);

/// The chip that PlatformAscendCManager answers for; `Ascend910_9392` until it is set.
std::string& currentSoc();

struct StrInfo {
    std::string short_soc_version;
};
struct SoCInfo {
    uint32_t ai_core_cnt = 0, vector_core_cnt = 0, ai_cpu_cnt = 0;
    uint64_t memory_size = 0, l2_size = 0;
};
/// The parts of the older description of a chip that shape inference asks for.
struct PlatformInfo {
    StrInfo str_info;
    SoCInfo soc_info;
};
struct OptionalInfo {
    std::string soc_version;
    uint32_t ai_core_num = 0;
};

class PlatformInfoManager {
public:
    static PlatformInfoManager& Instance();
    /// Of the chip that the operator runs on; 0, or -1 as a number without a sign when there is none.
    uint32_t GetPlatformInfoWithOutSocVersion(PlatformInfo& platform, OptionalInfo& optional);
};

}  // namespace fe

#endif
