// The high-level Matmul: C = A * B + bias in pieces that a tiling describes. Source: Ascend C high-level API, matrix
// computation. In a kernel of both kinds of core the vector cores call and their cube core calculates; with
// ASCENDC_CUBE_ONLY the cube core calls.
#ifndef TWIN_MATMUL_H
#define TWIN_MATMUL_H

#include "twin/cube_matrix.h"
#include "twin/matmul_constant.h"
#include "twin/matmul_state.h"
#include "twin/tpipe.h"

#pragma clang force_cuda_host_device begin

namespace AscendC {

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
    constexpr static TPosition pos = POSITION;
    constexpr static CubeFormat format = FORMAT;
    using T = TYPE;
    constexpr static bool isTrans = ISTRANS;
    constexpr static LayoutMode layout = LAYOUT;
    constexpr static bool ibShare = IBSHARE;
    constexpr static TPosition srcPos = SRCPOS;
};
/// Of B with two of every four rows, and SetSparseIndex for which two.
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE, SRCPOS> {
    constexpr static TPosition indexPosition = INDEX_POSITION;
};

/// What a DataCopyOut of the kernel's own finds: blocks of the result in L0C, and where they go.
struct DataCopyOutParams {
    uint8_t quantMode = 0;
    uint16_t cBurstNum = 0;
    uint16_t burstLen = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    uint16_t oriNSize = 0;
    bool enUnitFlag = false;
    uint64_t quantScalar = 0;
    int curM = 0;
    int curN = 0;
    uint64_t cbufWorkspaceAddr = 0;
};
template <void (*DataCopyOut)(const __gm__ void* gm, const LocalTensor<int8_t>& co1Local, const void* dataCopyOutParams,
                              const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
          void (*CopyA1)(const LocalTensor<int8_t>& aMatrix, const __gm__ void* gm, int row, int col, int useM,
                         int useK, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
          void (*CopyB1)(const LocalTensor<int8_t>& bMatrix, const __gm__ void* gm, int row, int col, int useK,
                         int useN, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
    static constexpr bool hasOut = DataCopyOut != nullptr, hasA = CopyA1 != nullptr, hasB = CopyB1 != nullptr;
    /// A call by name: the device has no pointers to functions.
    __aicore__ static inline void Copy(twin::MatmulOperand operand, const LocalTensor<int8_t>& l1,
                                       const __gm__ void* gm, const twin::MatmulPiece& p, uint64_t tilingPtr,
                                       uint64_t dataPtr) {
        if constexpr (hasA) {
            if (operand == twin::MatmulOperand::kLeft)
                return CopyA1(l1, gm, p.row, p.column, p.rows, p.columns, tilingPtr, dataPtr);
        }
        if constexpr (hasB) CopyB1(l1, gm, p.row, p.column, p.rows, p.columns, tilingPtr, dataPtr);
    }
};
template <const auto& MM_CFG, typename IMPL, typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE>
struct MatmulPolicy {
    static constexpr twin::MatmulPart part = twin::MatmulPart::kAll;
};
namespace Impl {
/// Of the queues that the library has for pieces of matrices.
constexpr int32_t QUEUE_DEPTH = 1;
}  // namespace Impl

namespace Impl::Detail {
using AscendC::MatmulPolicy;
/// A stays in L1 in 3 x 3 blocks: what is calculated is the same.
template <const auto& MM_CFG, typename IMPL, typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE>
struct NBuffer33MatmulPolicy : MatmulPolicy<MM_CFG, IMPL, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE> {};
/// Of C only blocks of baseM x baseN on and above the diagonal are calculated and written, or on and below it.
template <const auto& MM_CFG, typename IMPL, typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE>
struct TrianUpperMatmulPolicy {
    static constexpr twin::MatmulPart part = twin::MatmulPart::kUpper;
};
template <const auto& MM_CFG, typename IMPL, typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE>
struct TrianLowerMatmulPolicy {
    static constexpr twin::MatmulPart part = twin::MatmulPart::kLower;
};
}  // namespace Impl::Detail

/// What products of T add up to.
template <typename T>
struct GetMmDstType {
    using Type = std::conditional_t<twin::oneOf<T, int8_t, int4b_t>, int32_t, float>;
};

namespace twin_detail {
template <typename M>
constexpr twin::MatmulOperandKind OperandKind() {
    return {twin::typeOf<typename M::T>, M::pos, M::format, M::isTrans, M::layout};
}

template <typename M, typename = void>
inline constexpr bool isSparse = false;
template <typename M>
inline constexpr bool isSparse<M, decltype(void(M::indexPosition))> = true;

constexpr const char* Uncovered(const MatmulConfig& cfg, bool copiesOut, bool sparse) {
    if (sparse) return "a Matmul with SparseMatmulType";
    if (copiesOut) return "a Matmul with DataCopyOut of the kernel's own";
    if (cfg.intraBlockPartSum) return "intraBlockPartSum of MatmulConfig";
    return nullptr;
}

template <typename A, typename B, typename C, typename BIAS, const auto& CFG, typename CB, twin::MatmulPart part>
inline constexpr twin::MatmulKind matmulKind = {OperandKind<A>(),
                                                OperandKind<B>(),
                                                OperandKind<C>(),
                                                OperandKind<BIAS>(),
                                                twin::ConfigOf(CFG).intrinsicsCheck,
                                                twin::ConfigOf(CFG).enableRelu,
                                                twin::ConfigOf(CFG).isEnableChannelSplit,
                                                A::ibShare&& B::ibShare,
                                                twin::ConfigOf(CFG).enableMixDualMaster,
                                                twin::ConfigOf(CFG).isBiasBatch,
                                                twin::ConfigOf(CFG).isPartialOutput,
                                                part,
                                                twin::ConfigOf(CFG).doMultiDataLoad,
                                                CB::hasA || CB::hasB,
                                                Uncovered(twin::ConfigOf(CFG), CB::hasOut, isSparse<B>),
                                                twin::ConstantsOf(CFG)};

template <typename A, typename B, typename C>
inline constexpr bool canMatmul =
    std::is_same_v<A, B> &&
    ((twin::oneOf<A, half, bfloat16_t, float> && twin::oneOf<C, half, bfloat16_t, float, int8_t>) ||
     (twin::oneOf<A, int8_t, int4b_t> && twin::oneOf<C, int32_t, half, int8_t>));
}  // namespace twin_detail

/// Violations: matmul-init, matmul-order, matmul-shape, matmul-tiling, matmul-scale, gm-race, and those of copies.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename, typename, typename, typename, typename> class MATMUL_POLICY = MatmulPolicy,
          typename = void>
class MatmulImpl {
    using SrcAT = typename A_TYPE::T;
    using SrcBT = typename B_TYPE::T;
    using DstT = typename C_TYPE::T;
    using BiasT = typename BIAS_TYPE::T;
    static_assert(twin_detail::canMatmul<SrcAT, SrcBT, DstT>,
                  "Matmul on this device takes half, bfloat16_t and float for A and B and gives float, half, "
                  "bfloat16_t or int8_t, or takes int8_t and int4b_t and gives int32_t, half or int8_t");

public:
    using AType = A_TYPE;
    using BType = B_TYPE;
    using CType = C_TYPE;
    using BiasType = BIAS_TYPE;
    using CallBack = MM_CB;

    __aicore__ inline MatmulImpl() {}
    /// After REGIST_MATMUL_OBJ without a tiling, or to change it.
    __aicore__ inline void Init(const TCubeTiling* __restrict cubeTiling, TPipe* tpipe = nullptr) {
        twin::MatmulInit(state_, kind, cubeTiling);
    }
    /// Of the whole matrices: their rows are this long. Before SetTensorA, SetTensorB, SetBias and SetSingleShape.
    __aicore__ inline void SetOrgShape(int orgM, int orgN, int orgK) {
        twin::MatmulOrgShape(state_, orgM, orgN, orgK, orgK, orgN);
    }
    __aicore__ inline void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
        twin::MatmulOrgShape(state_, orgM, orgN, orgKa, orgKb, orgKc);
    }
    /// Of what is calculated.
    __aicore__ inline void SetSingleShape(int singleM, int singleN, int singleK) {
        twin::MatmulSingleShape("SetSingleShape", state_, singleM, singleN, singleK);
    }
    __aicore__ inline void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
        twin::MatmulSingleShape("SetTail", state_, tailM, tailN, tailK);
    }

    __aicore__ inline void SetTensorA(const GlobalTensor<SrcAT>& gm, bool isTransposeA = false) {
        Set("SetTensorA", twin::MatmulOperand::kLeft, gm, isTransposeA);
    }
    __aicore__ inline void SetTensorA(const LocalTensor<SrcAT>& leftMatrix, bool isTransposeA = false) {
        Set("SetTensorA", twin::MatmulOperand::kLeft, leftMatrix, isTransposeA);
    }
    __aicore__ inline void SetTensorA(SrcAT aScalar) { SetScalar("SetTensorA", twin::MatmulOperand::kLeft, aScalar); }
    __aicore__ inline void SetTensorB(const GlobalTensor<SrcBT>& gm, bool isTransposeB = false) {
        Set("SetTensorB", twin::MatmulOperand::kRight, gm, isTransposeB);
    }
    __aicore__ inline void SetTensorB(const LocalTensor<SrcBT>& rightMatrix, bool isTransposeB = false) {
        Set("SetTensorB", twin::MatmulOperand::kRight, rightMatrix, isTransposeB);
    }
    __aicore__ inline void SetTensorB(SrcBT bScalar) { SetScalar("SetTensorB", twin::MatmulOperand::kRight, bScalar); }
    __aicore__ inline void SetBias(const GlobalTensor<BiasT>& biasGlobal) {
        Set("SetBias", twin::MatmulOperand::kBias, biasGlobal, false);
    }
    __aicore__ inline void SetBias(const LocalTensor<BiasT>& inputBias) {
        Set("SetBias", twin::MatmulOperand::kBias, inputBias, false);
    }
    /// Violation not-covered at Init: the twin lacks SparseMatmulType.
    __aicore__ inline void SetSparseIndex(const GlobalTensor<uint8_t>&) {
        static_assert(twin_detail::isSparse<B_TYPE>, "SetSparseIndex wants SparseMatmulType for B");
        twin::Note("SetSparseIndex");
    }
    __aicore__ inline void DisableBias() { twin::MatmulNoBias("DisableBias", state_); }
    __aicore__ inline void ClearBias() { twin::MatmulNoBias("ClearBias", state_); }
    /// For results narrower than what L0C holds: one scale for all, or one for each column.
    __aicore__ inline void SetQuantScalar(const uint64_t quantScalar) { twin::MatmulScale(state_, quantScalar); }
    __aicore__ inline void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
        Set("SetQuantVector", twin::MatmulOperand::kScales, quantTensor, false);
    }
    __aicore__ inline void SetQuantVector(const LocalTensor<uint64_t>& quantTensor) {
        Set("SetQuantVector", twin::MatmulOperand::kScales, quantTensor, false);
    }
    __aicore__ inline void SetHF32(bool enableHF32 = false, int32_t transMode = 0) { twin::Note("SetHF32"); }

    /// One tile of baseM x baseN; false when all are done. Asynchronously, all go to the workspace of SetWorkspace.
    template <bool sync = true>
    __aicore__ inline bool Iterate(bool enPartialSum = false) {
        Fetch();
        return twin::MatmulIterate(state_, sync, enPartialSum, nullptr);
    }
    template <bool sync = true, typename T>
    __aicore__ inline bool Iterate(bool enPartialSum, const LocalTensor<T>& localCmatrix) {
        static_assert(twin::oneOf<T, float, int32_t>, "Iterate into memory of the kernel's gives float or int32_t");
        Fetch();
        return twin::MatmulIterate(state_, sync, enPartialSum, &localCmatrix);
    }
    /// enAtomic: 0 none, 1 add, 2 maximum, 3 minimum. enSequentialWrite: the tile by itself, else at its place in C.
    template <bool sync = true>
    __aicore__ inline void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                                      bool enSequentialWrite = false) {
        twin::MatmulGet(state_, sync, {&gm, nullptr, enAtomic, enSequentialWrite});
    }
    template <bool sync = true, bool doPad = false>
    __aicore__ inline void GetTensorC(const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0,
                                      bool enSequentialWrite = false, uint32_t height = 0, uint32_t width = 0,
                                      uint32_t srcGap = 0, uint32_t dstGap = 0) {
        static_assert(!doPad, "GetTensorC with doPad is not covered: let CubeFormat::ND_ALIGN pad the rows");
        twin::MatmulGet(state_, sync, {nullptr, &co2Local, enAtomic, enSequentialWrite});
    }
    template <bool sync = true>
    __aicore__ inline void GetTensorC(const GlobalTensor<DstT>& gm, const LocalTensor<DstT>& co2Local,
                                      uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        twin::MatmulGet(state_, sync, {&gm, &co2Local, enAtomic, enSequentialWrite});
    }
    /// The next tile in the workspace of an asynchronous Iterate.
    template <bool sync = true>
    __aicore__ inline GlobalTensor<DstT> GetTensorC(uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        const twin::Global cached = twin::MatmulGetCached(state_);
        GlobalTensor<DstT> result;
        result.SetGlobalBuffer(twin::AddressAs<__gm__ DstT*>(cached.data), cached.elements);
        return result;
    }
    __aicore__ inline void AsyncGetTensorC(const LocalTensor<DstT>& c) { GetTensorC<false>(c); }
    __aicore__ inline void WaitGetTensorC() { twin::Note("WaitGetTensorC"); }

    /// All of singleCoreM x singleCoreN. Not sync: C is ready after WaitIterateAll, which waitIterateAll announces.
    template <bool sync = true>
    __aicore__ inline void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                                      bool enSequentialWrite = false, bool waitIterateAll = false,
                                      bool fakeMsg = false) {
        Fetch();
        twin::MatmulIterateAll(state_, sync, {&gm, nullptr, enAtomic, enSequentialWrite}, waitIterateAll, fakeMsg);
    }
    template <bool sync = true>
    __aicore__ inline void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t enAtomic = 0) {
        static_assert(sync, "IterateAll into a LocalTensor on this device is synchronous");
        Fetch();
        twin::MatmulIterateAll(state_, sync, {nullptr, &ubCmatrix, enAtomic, false}, false, false);
    }
    __aicore__ inline void WaitIterateAll() { twin::MatmulWait("WaitIterateAll", state_); }

    /// batchA and batchB matrices one after another; the smaller number is used again and again.
#ifdef ASCENDC_CUBE_ONLY
    __aicore__ inline void IterateBatch(const GlobalTensor<DstT>& gm, bool enPartialSum, uint8_t enAtomic,
                                        bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                                        const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0) {
        twin::MatmulIterateBatch(
            state_, true, {&gm, nullptr, enAtomic, enSequentialWrite},
            {static_cast<uint32_t>(state_.batchA), static_cast<uint32_t>(state_.batchB), matrixStrideA, matrixStrideB},
            false);
    }
#else
    template <bool sync = true, bool waitIterateBatch = false>
    __aicore__ inline void IterateBatch(const GlobalTensor<DstT>& gm, uint32_t batchA, uint32_t batchB,
                                        bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                                        const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0,
                                        const bool enPartialSum = false, const uint8_t enAtomic = 0) {
        twin::MatmulIterateBatch(state_, sync, {&gm, nullptr, enAtomic, enSequentialWrite},
                                 {batchA, batchB, matrixStrideA, matrixStrideB}, waitIterateBatch);
    }
#endif
    /// batchLoop calculations of IterateBatch, one behind the other in the memory of SetWorkspace.
    template <bool sync = true, bool waitIterateBatch = false>
    __aicore__ inline void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB,
                                         bool enSequentialWrite, const uint32_t matrixStrideA = 0,
                                         const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0) {
        static_assert(twin::ConfigOf(MM_CFG).isNBatch,
                      "IterateNBatch wants isNBatch of MatmulConfig (IterateNBatch.md)");
        twin::MatmulIterateNBatch(state_, sync, batchLoop, {batchA, batchB, matrixStrideA, matrixStrideB},
                                  enSequentialWrite, waitIterateBatch);
    }
    __aicore__ inline void SetBatchNum(int32_t batchA, int32_t batchB) {
        state_.batchA = batchA;
        state_.batchB = batchB;
    }
    /// Of products that the cube core keeps before it writes them, with bmmOutMode: what is calculated is the same.
    __aicore__ inline void SetNBatchOutNum(int32_t nBatchOutNum) { twin::Note("SetNBatchOutNum"); }
    __aicore__ inline void WaitIterateBatch() { twin::MatmulWait("WaitIterateBatch", state_); }

    __aicore__ inline void End() { twin::MatmulEnd(state_); }
    __aicore__ inline void SetSubBlockIdx(uint8_t subBlockIdx) { subBlock_ = subBlockIdx; }
    __aicore__ inline uint8_t GetSubBlockIdx() { return subBlock_; }
    template <class T>
    __aicore__ inline void SetWorkspace(__gm__ const T* addr, int size) {
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(const_cast<__gm__ T*>(addr), static_cast<uint64_t>(size));
        twin::MatmulWorkspace(state_, tensor);
    }
    template <class T>
    __aicore__ inline void SetWorkspace(GlobalTensor<T>& addr) {
        twin::MatmulWorkspace(state_, addr);
    }
    /// Memory for conversions that this device does on the way.
    __aicore__ inline void SetLocalWorkspace(const LocalTensor<uint8_t>& tmpBuffer) { twin::Note("SetLocalWorkspace"); }
    /// What the kernel's own copies get as dataPtr and tilingPtr. The first comes before SetTensorA and SetTensorB.
    /// Violation: matmul-order.
    __aicore__ inline void SetSelfDefineData(const uint64_t dataPtr) {
        if constexpr (copies) twin::MatmulDefines("SetSelfDefineData", state_);
        dataPtr_ = dataPtr;
    }
    __aicore__ inline void SetUserDefInfo(const uint64_t tilingPtr) {
        twin::Note("SetUserDefInfo");
        tilingPtr_ = tilingPtr;
    }

    static constexpr const twin::MatmulKind& kind =
        twin_detail::matmulKind<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB,
                                MATMUL_POLICY<MM_CFG, MatmulImpl, A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>::part>;
    twin::MatmulState state_;

private:
    template <typename T>
    __aicore__ inline void Set(const char* api, twin::MatmulOperand operand, const GlobalTensor<T>& gm,
                               bool transposed) {
        twin::MatmulSet(api, state_, operand, {twin::MatmulInput::kGlobal, 0, gm, {}, transposed});
    }
    template <typename T>
    __aicore__ inline void Set(const char* api, twin::MatmulOperand operand, const LocalTensor<T>& local,
                               bool transposed) {
        twin::MatmulSet(api, state_, operand, {twin::MatmulInput::kLocal, 0, {}, local, transposed});
    }
    template <typename T>
    __aicore__ inline void SetScalar(const char* api, twin::MatmulOperand operand, T value) {
        static_assert(twin::oneOf<T, half, float>, "a scalar for a matrix on this device is half or float");
        twin::MatmulSet(
            api, state_, operand,
            {twin::MatmulInput::kScalar, static_cast<twin::Wide>(static_cast<float>(value)), {}, {}, false});
    }
    static constexpr bool copies = MM_CB::hasA || MM_CB::hasB;
    /// Before a calculation, its matrices block by block through the kernel's own copies.
    __aicore__ inline void Fetch() {
        if constexpr (MM_CB::hasA) Fetch(twin::MatmulOperand::kLeft, state_.a);
        if constexpr (MM_CB::hasB) Fetch(twin::MatmulOperand::kRight, state_.b);
    }
    __aicore__ inline void Fetch(twin::MatmulOperand operand, const twin::MatmulInput& input) {
        twin::MatmulPiece piece;
        for (uint32_t i = 0; twin::MatmulNextPiece(state_, operand, i, &piece); ++i) {
            MM_CB::Copy(operand, LocalTensor<int8_t>(piece.l1),
                        twin::AddressAs<const __gm__ uint8_t*>(input.global.data), piece, tilingPtr_, dataPtr_);
            twin::MatmulTakePiece(state_, operand, piece);
        }
    }
    uint64_t tilingPtr_ = 0, dataPtr_ = 0;
    uint8_t subBlock_ = 0;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename, typename, typename, typename, typename> class MATMUL_POLICY = MatmulPolicy>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;

}  // namespace AscendC

/// Where older releases had Matmul.
namespace matmul = AscendC;

#pragma clang force_cuda_host_device end
#endif
