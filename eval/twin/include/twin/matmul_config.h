// How a Matmul object works: formats, and the configuration that is its template argument. Names, order and defaults
// are the vendor's.
#ifndef TWIN_MATMUL_CONFIG_H
#define TWIN_MATMUL_CONFIG_H

#include "kernel_tiling/kernel_tiling.h"
#include "twin/params.h"

#pragma clang force_cuda_host_device begin

/// ND: rows. NZ: columns of 32 bytes (of 16 elements for C), each row by row. ND_ALIGN: rows padded to 32 bytes.
/// VECTOR: one row.
enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, ROW_MAJOR = ND, COLUMN_MAJOR = 8 };
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum IterateMode : uint8_t {
    ITERATE_MODE_NORMAL = 1,
    ITERATE_MODE_ALL = 2,
    ITERATE_MODE_BATCH = 4,
    ITERATE_MODE_N_BATCH = 8,
    ITERATE_MODE_DEFAULT = 255
};
enum class DecompressionMode {
    DECOMP_NONE = 0,
    DECOMP_2bitTo8bit = 1,
    DECOMP_3bitTo8bit = 2,
    DECOMP_4bitTo8bit = 3,
    DECOMP_16bitTo64bit = 4,
    DECOMP_1bitTo8bit = 5,
    DECOMP_1bitTo4bit = 6,
    DECOMP_2bitTo4bit = 7,
    DECOMP_3bitTo4bit = 8
};

constexpr uint32_t SHARED_CO1_BUFFER_SIZE = 64 * 1024;

struct MatmulConfig {
    bool doNorm;
    bool doBasicBlock;
    bool doMultiDataLoad;
    uint32_t basicM;
    uint32_t basicN;
    uint32_t basicK;
    bool intrinsicsCheck;
    bool isNBatch;
    bool enVecND2NZ;
    bool doSpecialBasicBlock;
    uint32_t doMTE2Preload;
    uint32_t singleCoreM;
    uint32_t singleCoreN;
    uint32_t singleCoreK;
    uint32_t stepM;
    uint32_t stepN;
    uint32_t baseMN;
    uint32_t singleCoreMN;
    bool enUnitFlag = true;
    bool isPerTensor;
    bool hasAntiQuantOffset;
    bool doIBShareNorm;
    bool doSpecialMDL;
    bool enableInit = true;
    BatchMode batchMode;
    bool enableEnd = true;
    bool enableGetTensorC = true;
    bool enableSetOrgShape = true;
    bool enableSetBias = true;
    bool enableSetTail = true;
    bool enableQuantVector = true;
    bool enableSetDefineData = true;
    uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
    bool enableReuse = true;
    bool enableUBReuse;
    bool enableL1CacheUB;
    bool intraBlockPartSum = false;
    IterateOrder iterateOrder{IterateOrder::UNDEF};
    ScheduleType scheduleType;
    bool enableDoubleCache;
    bool isBiasBatch = true;
    bool enableStaticPadZeros = false;
    bool isPartialOutput = false;
    bool enableMixDualMaster = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool isCO1Shared = false;
    uint32_t sharedCO1BufferSize = SHARED_CO1_BUFFER_SIZE;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
    bool enableL1BankConflictOptimise = false;
    bool enableRelu = false;
    DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};

enum class MatmulConfigMode { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };
struct MatmulShapeParams {
    uint32_t singleCoreM;
    uint32_t singleCoreN;
    uint32_t singleCoreK;
    uint32_t basicM;
    uint32_t basicN;
    uint32_t basicK;
};
struct MatmulQuantParams {
    bool isPerTensor;
    bool hasAntiQuantOffset;
};
struct MatmulBatchParams {
    bool isNBatch;
    BatchMode batchMode;
    bool isBiasBatch = true;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
    bool intrinsicsCheck;
    bool enVecND2NZ;
    bool enableDoubleCache;
    bool enableL1CacheUB;
    uint32_t doMTE2Preload;
    IterateOrder iterateOrder;
    ScheduleType scheduleType;
    bool enableReuse = true;
    bool enableUBReuse;
    bool isPartialOutput = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool enableL1BankConflictOptimise = false;
    bool enableRelu = false;
    DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};
struct MatmulBiasParams {
    bool enableSetBias = true;
};
struct MatrixOffset {
    int32_t offset, row, col, height, width;
};

namespace twin {
__aicore__ constexpr MatmulConfig BaseMatmulConfig(bool intrinsicsCheck, bool isNBatch, bool enVecND2NZ,
                                                   bool enUnitFlag) {
    MatmulConfig cfg{};
    cfg.intrinsicsCheck = intrinsicsCheck;
    cfg.isNBatch = isNBatch;
    cfg.enVecND2NZ = enVecND2NZ;
    cfg.enUnitFlag = enUnitFlag;
    cfg.enableUBReuse = true;
    return cfg;
}
}  // namespace twin

__aicore__ constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                  const bool isVecND2NZ = false,
                                                  const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                                  const bool isMsgReuse = true,
                                                  const IterateOrder iterateOrder = IterateOrder::UNDEF,
                                                  const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                                  const bool enUnitFlag = true, const bool enableMixDualMaster = false,
                                                  const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
    MatmulConfig cfg = twin::BaseMatmulConfig(intrinsicsLimit, batchLoop, isVecND2NZ, enUnitFlag);
    cfg.doNorm = true;
    cfg.batchMode = bmmMode;
    cfg.enableReuse = isMsgReuse;
    cfg.iterateOrder = iterateOrder;
    cfg.scheduleType = scheduleType;
    cfg.enableMixDualMaster = enableMixDualMaster;
    cfg.bmmOutMode = bmmOutMode;
    return cfg;
}
__aicore__ constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                               const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                               bool isPerTensor = false, bool hasAntiQuantOffset = false,
                                               const bool enUnitFlag = false, const bool isMsgReuse = true,
                                               const bool enableUBReuse = true, const bool enableL1CacheUB = false,
                                               const bool enableMixDualMaster = false,
                                               const bool enableKdimReorderLoad = false,
                                               const bool enableL1BankConflictOptimise = false) {
    MatmulConfig cfg = twin::BaseMatmulConfig(intrinsicsLimit, batchLoop, isVecND2NZ, enUnitFlag);
    cfg.doMultiDataLoad = true;
    cfg.doMTE2Preload = doMTE2Preload;
    cfg.isPerTensor = isPerTensor;
    cfg.hasAntiQuantOffset = hasAntiQuantOffset;
    cfg.enableReuse = isMsgReuse;
    cfg.enableUBReuse = enableUBReuse;
    cfg.enableL1CacheUB = enableL1CacheUB;
    cfg.enableMixDualMaster = enableMixDualMaster;
    cfg.enableKdimReorderLoad = enableKdimReorderLoad;
    cfg.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
    return cfg;
}
__aicore__ constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                      const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                                      bool isPerTensor = false, bool hasAntiQuantOffset = false) {
    MatmulConfig cfg =
        GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor, hasAntiQuantOffset);
    cfg.doMultiDataLoad = false;
    cfg.doSpecialMDL = true;
    return cfg;
}
__aicore__ constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
                                                 const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                 const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
    MatmulConfig cfg = twin::BaseMatmulConfig(intrinsicsLimit, batchLoop, false, false);
    cfg.doBasicBlock = true;
    cfg.basicM = basicM;
    cfg.basicN = basicN;
    cfg.basicK = basicK;
    cfg.batchMode = bmmMode;
    return cfg;
}
__aicore__ constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                       const bool isVecND2NZ = false,
                                                       const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                                       const bool isDoubleCache = false, const bool enUnitFlag = true) {
    MatmulConfig cfg = twin::BaseMatmulConfig(intrinsicsLimit, batchLoop, isVecND2NZ, enUnitFlag);
    cfg.batchMode = bmmMode;
    cfg.doIBShareNorm = true;
    cfg.enableDoubleCache = isDoubleCache;
    return cfg;
}

constexpr MatmulConfig CFG_NORM = GetNormalConfig();
constexpr MatmulConfig CFG_MDL = GetMDLConfig();
constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);
constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

namespace twin {
__aicore__ constexpr void Configure(MatmulConfig& cfg, const MatmulShapeParams& p) {
    cfg.singleCoreM = p.singleCoreM;
    cfg.singleCoreN = p.singleCoreN;
    cfg.singleCoreK = p.singleCoreK;
    cfg.basicM = p.basicM;
    cfg.basicN = p.basicN;
    cfg.basicK = p.basicK;
}
__aicore__ constexpr void Configure(MatmulConfig& cfg, const MatmulQuantParams& p) {
    cfg.isPerTensor = p.isPerTensor;
    cfg.hasAntiQuantOffset = p.hasAntiQuantOffset;
}
__aicore__ constexpr void Configure(MatmulConfig& cfg, const MatmulBatchParams& p) {
    cfg.isNBatch = p.isNBatch;
    cfg.batchMode = p.batchMode;
    cfg.isBiasBatch = p.isBiasBatch;
    cfg.bmmOutMode = p.bmmOutMode;
}
__aicore__ constexpr void Configure(MatmulConfig& cfg, const MatmulFuncParams& p) {
    cfg.intrinsicsCheck = p.intrinsicsCheck;
    cfg.enVecND2NZ = p.enVecND2NZ;
    cfg.enableDoubleCache = p.enableDoubleCache;
    cfg.enableL1CacheUB = p.enableL1CacheUB;
    cfg.doMTE2Preload = p.doMTE2Preload;
    cfg.iterateOrder = p.iterateOrder;
    cfg.scheduleType = p.scheduleType;
    cfg.enableReuse = p.enableReuse;
    cfg.enableUBReuse = p.enableUBReuse;
    cfg.isPartialOutput = p.isPartialOutput;
    cfg.isA2B2Shared = p.isA2B2Shared;
    cfg.isEnableChannelSplit = p.isEnableChannelSplit;
    cfg.enableKdimReorderLoad = p.enableKdimReorderLoad;
    cfg.enableL1BankConflictOptimise = p.enableL1BankConflictOptimise;
    cfg.enableRelu = p.enableRelu;
    cfg.decompMode = p.decompMode;
}
__aicore__ constexpr void Configure(MatmulConfig& cfg, const MatmulBiasParams& p) {
    cfg.enableSetBias = p.enableSetBias;
}
}  // namespace twin

template <MatmulConfigMode configMode, typename... ArgTypes>
__aicore__ inline constexpr MatmulConfig GetMMConfig(ArgTypes&&... args) {
    MatmulConfig cfg = configMode == MatmulConfigMode::CONFIG_MDL          ? CFG_MDL
                       : configMode == MatmulConfigMode::CONFIG_SPECIALMDL ? GetSpecialMDLConfig()
                       : configMode == MatmulConfigMode::CONFIG_IBSHARE    ? CFG_IBSHARE_NORM
                                                                           : CFG_NORM;
    (twin::Configure(cfg, args), ...);
    return cfg;
}

#pragma clang force_cuda_host_device end
#endif
