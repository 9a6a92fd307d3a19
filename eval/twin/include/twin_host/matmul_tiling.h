// Tiling of the high-level Matmul on the host. Names and arguments are the vendor's; the values of a tiling follow what
// its pages recommend, within what the memories of the cube core hold.
#ifndef TWIN_HOST_MATMUL_TILING_H
#define TWIN_HOST_MATMUL_TILING_H

#include <array>
#include <cstdint>

#include "kernel_tiling/matrix_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

/// Same fields as the kernel's ::TCubeTiling.
BEGIN_TILING_DATA_DEF(TCubeTiling)
#define TWIN_FIELD(name) TILING_DATA_FIELD_DEF(int32_t, name);
TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
END_TILING_DATA_DEF;

}  // namespace optiling

namespace matmul_tiling {

/// Above 32 these are not the numbers of ge::DataType.
enum class DataType : int32_t {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_UINT8 = 4,
    DT_INT16 = 6,
    DT_UINT16 = 7,
    DT_UINT32 = 8,
    DT_INT64 = 9,
    DT_UINT64 = 10,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_STRING = 13,
    DT_DUAL_SUB_INT8 = 14,
    DT_DUAL_SUB_UINT8 = 15,
    DT_COMPLEX64 = 16,
    DT_COMPLEX128 = 17,
    DT_QINT8 = 18,
    DT_QINT16 = 19,
    DT_QINT32 = 20,
    DT_QUINT8 = 21,
    DT_QUINT16 = 22,
    DT_RESOURCE = 23,
    DT_STRING_REF = 24,
    DT_DUAL = 25,
    DT_VARIANT = 26,
    DT_BF16 = 27,
    DT_UNDEFINED = 28,
    DT_INT4 = 29,
    DT_UINT1 = 30,
    DT_INT2 = 31,
    DT_UINT2 = 32,
    DT_BFLOAT16 = 33,
    DT_HIFLOAT8 = 34,
    DT_FLOAT8_E4M3FN = 35,
    DT_FLOAT8_E5M2 = 36,
    DT_FLOAT4_E2M1 = 37,
    DT_FLOAT8_E8M0 = 38,
    DT_FLOAT4_E1M2 = 39,
    DT_MAX = 40
};
enum class TPosition : int32_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
    MAX
};
enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, ROW_MAJOR = ND, COLUMN_MAJOR = 8 };
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };

struct SysTilingTempBufSize {
    int32_t ubSize = 0;
    int32_t l1Size = 0;
    int32_t l0cSize = 0;
};
struct PlatformInfo {
    platform_ascendc::SocVersion socVersion;
    uint64_t l1Size = 0;
    uint64_t l0CSize = 0;
    uint64_t ubSize = 0;
    uint64_t l0ASize = 0;
    uint64_t l0BSize = 0;
};
/// How the kernel's MatmulConfig works.
struct MatmulConfigParams {
    int32_t mmConfigType;
    bool enableL1CacheUB;
    ScheduleType scheduleType;
    MatrixTraverse traverse;
    bool enVecND2NZ;
    MatmulConfigParams(int32_t type = 1, bool l1CacheUb = false, ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                       MatrixTraverse order = MatrixTraverse::NOSET, bool vecNd2Nz = false)
        : mmConfigType(type), enableL1CacheUB(l1CacheUb), scheduleType(schedule), traverse(order),
          enVecND2NZ(vecNd2Nz) {}
};
struct MatTilingType {
    TPosition pos = TPosition::GM;
    CubeFormat type = CubeFormat::ND;
    DataType dataType = DataType::DT_FLOAT;
    bool isTrans = false;
};
/// Lengths along m, n and k; -1: not told.
struct MatrixShape {
    int32_t m = -1, n = -1, k = -1;
};

/// Setters return 0, or -1 when they refuse. GetTiling returns -1 when no tiling fits.
class MatmulApiTilingBase {
public:
    MatmulApiTilingBase();
    explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& ascendcPlatform);
    explicit MatmulApiTilingBase(const PlatformInfo& platform);
    virtual ~MatmulApiTilingBase() = default;
    int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false);
    int32_t SetBType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false);
    int32_t SetCType(TPosition pos, CubeFormat type, DataType dataType);
    int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dataType);
    int32_t SetDequantType(DequantType dequantType) {
        dequant_ = dequantType;
        return 0;
    }
    /// Of what is calculated: on one core, or on all of them.
    virtual int32_t SetShape(int32_t m, int32_t n, int32_t k);
    int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKIn) {
        return SetOrgShape(orgMIn, orgNIn, orgKIn, orgKIn);
    }
    int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKaIn, int32_t orgKbIn);
    int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d);
    int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k);
    int32_t SetBatchNum(int32_t batch);
    int32_t EnableBias(bool isBiasIn = false);
    int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }
    int32_t SetFixSplit(int32_t baseMIn = -1, int32_t baseNIn = -1, int32_t baseKIn = -1);
    /// Bytes; -1: all that the core has.
    int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1, int32_t btSize = -1);
    int32_t SetTraverse(MatrixTraverse traverse);
    int32_t SetMadType(MatrixMadType) { return 0; }
    int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1, int32_t minBaseM = -1,
                          int32_t minBaseN = -1, int32_t minBaseK = -1);
    int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) { return 0; }
    void SetMatmulConfigParams(int32_t type = 1, bool l1CacheUb = false,
                               ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                               MatrixTraverse order = MatrixTraverse::NOSET, bool vecNd2Nz = false) {
        SetMatmulConfigParams(MatmulConfigParams(type, l1CacheUb, schedule, order, vecNd2Nz));
    }
    void SetMatmulConfigParams(const MatmulConfigParams& params);
    int32_t SetSparse(bool isSparseIn = false) {
        sparse_ = isSparseIn;
        return 0;
    }
    int32_t GetBaseM() const { return result_.baseM; }
    int32_t GetBaseN() const { return result_.baseN; }
    int32_t GetBaseK() const { return result_.baseK; }
    int64_t GetTiling(optiling::TCubeTiling& tiling);
    int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling);

protected:
    /// Fills singleCore* and usedCoreNum; false when that cannot be.
    virtual bool SplitOverCores() = 0;
    MatTilingType a_, b_, c_, bias_;
    MatrixShape shape_;
    int32_t orgM_ = -1, orgN_ = -1, orgKa_ = -1, orgKb_ = -1;
    MatrixShape fixedBase_, maxBase_, minBase_;
    bool hasBias_ = false;
    MatrixTraverse traverse_ = MatrixTraverse::FIRSTM;
    int64_t l1Bytes_ = 0, l0aBytes_ = 0, l0bBytes_ = 0, l0cBytes_ = 0;
    const int64_t biasTableBytes_ = 1024;
    int64_t ownL1Bytes_ = 0, ownL0cBytes_ = 0;  // those of the core
    ScheduleType schedule_ = ScheduleType::INNER_PRODUCT;
    AscendC::tiling::TCubeTiling result_;
    int64_t TypeBits() const;
    int32_t UnitK() const;

private:
    /// What L1 has of a matrix: base blocks across k and along it, and how many times that.
    struct InL1 {
        int32_t steps, stepK, buffers;
    };
    int32_t configType_ = 1;
    DequantType dequant_ = DequantType::SCALAR;
    bool sparse_ = false, isNormalBatch_ = false;
    int64_t Bytes(int64_t elements) const;
    int64_t BlockBytes(bool isA) const;
    int64_t TscmBytes(bool isA) const;
    int64_t VectorBytes() const;
    int64_t RoomInL1() const;
    bool IsPossible() const;
    bool SuitsSchedule() const;
    bool Compute();
    bool Divide();
    bool SplitBase();
    bool ChooseBaseK();
    bool NBufferBase();
    bool Take(const InL1& a, const InL1& b);
    bool FillL1();
    bool FitL1();
    bool FillNBuffer();
};

class MatmulApiTiling : public MatmulApiTilingBase {
public:
    using MatmulApiTilingBase::MatmulApiTilingBase;
    bool EnableL1BankConflictOptimise() { return false; }

protected:
    bool SplitOverCores() override;
};

class MultiCoreMatmulTiling : public MatmulApiTilingBase {
public:
    using MatmulApiTilingBase::MatmulApiTilingBase;
    /// Cores there are: vector cores in a kernel of both kinds.
    int32_t SetDim(int32_t dim);
    int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1);
    int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1,
                           int32_t minN = -1, int32_t minK = -1);
    int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK);
    void EnableMultiCoreSplitK(bool flag) { splitK_ = flag; }
    void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }
    int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK);
    int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim);
    bool EnableL1BankConflictOptimise() { return false; }

protected:
    bool SplitOverCores() override;

private:
    using Cost = std::array<int64_t, 3>;
    Cost CostOf(int32_t m, int32_t n) const;
    int64_t ChooseSplit(bool whole);
    bool SplitForNBuffer();
    bool FewerPieces(int32_t& down, int32_t& deep) const;
    int32_t Piece(int32_t whole, int32_t pieces, int32_t most, int32_t least, int32_t unit) const;
    int32_t cores_ = 1;
    bool splitK_ = false;
    MatrixShape single_, most_, least_, unit_;
};

class BatchMatmulTiling : public MatmulApiTilingBase {
public:
    using MatmulApiTilingBase::MatmulApiTilingBase;
    int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1);
    int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM, int32_t& batchCoreN);

protected:
    bool SplitOverCores() override;

private:
    MatrixShape single_;
};

}  // namespace matmul_tiling

extern "C" {
int32_t MatmulGetTmpBufSize(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize);
int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize);
int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize);
int32_t MatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize);
int32_t MultiCoreMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling,
                                       matmul_tiling::SysTilingTempBufSize& bufSize);
int32_t BatchMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize);
}

#endif
