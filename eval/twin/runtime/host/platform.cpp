// Numbers of the chips, and the names of types and formats. Source: the SoC configuration tables of CANN 8.1 (aic, aiv,
// MHz, HBM, L2); memory sizes are those of every Atlas A2 and A3 part.
#include "tiling/platform/platform_ascendc.h"

#include <vector>

#include "graph/utils/type_utils.h"

namespace {

constexpr uint64_t kMebi = 1024 * 1024;
constexpr uint64_t kGibi = 1024 * kMebi;

fe::PlatFormInfos chip(const char* soc, const char* shortSoc, uint32_t aic, uint32_t megahertz, uint64_t hbm,
                       uint64_t l2) {
    fe::PlatFormInfos info;
    info.soc = soc;
    info.shortSoc = shortSoc;
    info.aicCores = aic;
    info.aivCores = aic * 2;
    info.cubeMegahertz = megahertz;
    info.ubBytes = 196608;
    info.l1Bytes = 524288;
    info.l0aBytes = info.l0bBytes = 65536;
    info.l0cBytes = 131072;
    info.btBytes = 1024;
    info.fbBytes = 2048;
    info.l2Bytes = l2;
    info.hbmBytes = hbm;
    return info;
}

const std::vector<fe::PlatFormInfos>& chips() {
    static const std::vector<fe::PlatFormInfos> all = {
        chip("Ascend910B1", "Ascend910B", 24, 1850, 64 * kGibi, 192 * kMebi),
        chip("Ascend910B2", "Ascend910B", 24, 1800, 64 * kGibi, 192 * kMebi),
        chip("Ascend910B2C", "Ascend910B", 24, 1800, 0, 192 * kMebi),  // its table leaves HBM blank
        chip("Ascend910B3", "Ascend910B", 20, 1800, 64 * kGibi, 192 * kMebi),
        chip("Ascend910B4", "Ascend910B", 20, 1500, 32 * kGibi, 96 * kMebi),
        chip("Ascend910B4-1", "Ascend910B", 20, 1500, 32 * kGibi, 168 * kMebi),
        chip("Ascend910_9391", "Ascend910_93", 24, 1850, 64 * kGibi, 192 * kMebi),
        chip("Ascend910_9392", "Ascend910_93", 24, 1850, 64 * kGibi, 192 * kMebi),
        chip("Ascend910_9381", "Ascend910_93", 24, 1800, 64 * kGibi, 192 * kMebi),
        chip("Ascend910_9382", "Ascend910_93", 24, 1800, 64 * kGibi, 192 * kMebi),
        chip("Ascend910_9372", "Ascend910_93", 20, 1800, 64 * kGibi, 192 * kMebi),
        chip("Ascend910_9362", "Ascend910_93", 20, 1500, 32 * kGibi, 168 * kMebi),
    };
    return all;
}

/// What CANN keeps for itself at the end of UB and of L1 on these parts.
constexpr uint64_t kReservedBytes = 256;

}  // namespace

namespace fe {

const PlatFormInfos* findPlatform(const std::string& soc) {
    for (const PlatFormInfos& info : chips()) {
        if (info.soc == soc) return &info;
    }
    return nullptr;
}

std::string& currentSoc() {
    static std::string soc = "Ascend910_9392";
    return soc;
}

PlatformInfoManager& PlatformInfoManager::Instance() {
    static PlatformInfoManager manager;
    return manager;
}

uint32_t PlatformInfoManager::GetPlatformInfoWithOutSocVersion(PlatformInfo& platform, OptionalInfo& optional) {
    const PlatFormInfos* info = findPlatform(currentSoc());
    if (info == nullptr) return ~0u;
    platform.str_info.short_soc_version = info->shortSoc;
    platform.soc_info = {info->aicCores, info->aivCores, info->aiCpus, info->hbmBytes, info->l2Bytes};
    optional = {info->soc, info->aicCores};
    return 0;
}

bool PlatFormInfos::GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
    std::map<std::string, std::string> values;
    if (!GetPlatformRes(label, values)) return false;
    const auto found = values.find(key);
    if (found == values.end()) return false;
    value = found->second;
    return true;
}

bool PlatFormInfos::GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) const {
    if (label == "version") {
        values = {
            {"SoC_version", soc}, {"Short_SoC_version", shortSoc}, {"AIC_version", "AIC-C-220"}, {"NpuArch", "2201"}};
    } else if (label == "SoCInfo") {
        values = {{"core_type_list", "CubeCore,VectorCore"},   {"ai_core_cnt", std::to_string(aicCores)},
                  {"cube_core_cnt", std::to_string(aicCores)}, {"vector_core_cnt", std::to_string(aivCores)},
                  {"ai_cpu_cnt", std::to_string(aiCpus)},      {"memory_size", std::to_string(hbmBytes)},
                  {"l2_size", std::to_string(l2Bytes)}};
    } else if (label == "AICoreSpec") {
        values = {{"cube_freq", std::to_string(cubeMegahertz)},
                  {"l0_a_size", std::to_string(l0aBytes)},
                  {"l0_b_size", std::to_string(l0bBytes)},
                  {"l0_c_size", std::to_string(l0cBytes)},
                  {"l1_size", std::to_string(l1Bytes)},
                  {"ub_size", std::to_string(ubBytes)},
                  {"bt_size", std::to_string(btBytes)},
                  {"fb0_size", std::to_string(fbBytes)},
                  {"ubblock_size", "32"}};
    } else {
        return false;
    }
    return true;
}

}  // namespace fe

namespace platform_ascendc {

void PlatformAscendC::GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const {
    switch (type) {
        case CoreMemType::L0_A: bytes = info_->l0aBytes; return;
        case CoreMemType::L0_B: bytes = info_->l0bBytes; return;
        case CoreMemType::L0_C: bytes = info_->l0cBytes; return;
        case CoreMemType::L1: bytes = info_->l1Bytes - kReservedBytes; return;
        case CoreMemType::L2: bytes = info_->l2Bytes; return;
        case CoreMemType::UB: bytes = info_->ubBytes - kReservedBytes - reservedBytes_; return;
        case CoreMemType::HBM: bytes = info_->hbmBytes; return;
        case CoreMemType::FB: bytes = info_->fbBytes; return;
        case CoreMemType::BT: bytes = info_->btBytes; return;
        default: bytes = 0;
    }
}

void PlatformAscendC::GetCoreMemBw(const CoreMemType& type, uint64_t& bytesPerCycle) const {
    bytesPerCycle = type == CoreMemType::L2 ? 110 : type == CoreMemType::HBM ? 32 : 0;
}

uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
    const uint32_t ratio = aivCoreNum / aicCoreNum;
    const uint32_t blocks = (sliceNum + ratio - 1) / ratio;
    return ratio == 2 && blocks > aicCoreNum ? 0 : blocks;
}

PlatformAscendC* PlatformAscendCManager::GetInstance() { return GetInstance(fe::currentSoc().c_str()); }

PlatformAscendC* PlatformAscendCManager::GetInstance(const char* soc) {
    static std::map<std::string, PlatformAscendC> instances;
    const fe::PlatFormInfos* info = fe::findPlatform(soc);
    if (info == nullptr) return nullptr;
    return &instances.emplace(soc, PlatformAscendC(const_cast<fe::PlatFormInfos*>(info))).first->second;
}

}  // namespace platform_ascendc

namespace ge {

std::string TypeUtils::DataTypeToSerialString(DataType type) {
    if (type == DT_BF16) return "DT_BFLOAT16";
    switch (type) {
#define TWIN_NAME(name, number, size) \
    case name: return #name;
        TWIN_DATA_TYPES(TWIN_NAME)
#undef TWIN_NAME
        default: return "UNDEFINED";
    }
}

std::string TypeUtils::FormatToSerialString(Format format) {
    const std::string named = GetPrimaryFormat(format) == FORMAT_MAX ? "MAX" : GetFormatName(format);
    return named + (HasSubFormat(format) ? ":" + std::to_string(GetSubFormat(format)) : "");
}

}  // namespace ge
