// The cube core's instructions: GM to L1, L1 to L0, matrix multiplication, L0C to GM. On a vector core they do nothing,
// as on the device. Source: Ascend C basic API, matrix computation. Pipes: GM to L1 is MTE2, L1 to L0 and bias table is
// MTE1, Mmad is M, Fixpipe is FIX. Matrices lie in 512-byte fractals of 16 rows of 32 bytes: A in L0A by rows of
// fractals, B in L0B by rows of transposed fractals, C in L0C by columns of 16x16.
#ifndef TWIN_CUBE_MATRIX_H
#define TWIN_CUBE_MATRIX_H

#include "twin/cube_params.h"
#include "twin/data_copy.h"
#include "twin/load3d.h"

namespace AscendC {

/// Violations: gm-out-of-range, out-of-buffer, unaligned-ub, copy-params, pipe-hazard.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& intriParams) {
    static_assert(sizeof(T) <= 4, "DataCopy with Nd2NzParams takes 8- to 32-bit types");
    twin::CopyNd2Nz(dst, src, sizeof(T), intriParams);
}
/// L1 to the bias table with half widened to float; blockLen and dstStride in 64 bytes of the destination.
template <typename T, typename U>
__aicore__ inline std::enable_if_t<!std::is_same_v<T, U>> DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                                   const DataCopyParams& repeatParams) {
    static_assert(twin::oneOf<T, float, int32_t> && twin::oneOf<U, half, float, int32_t>,
                  "the bias table holds float and int32_t, from half, float and int32_t");
    twin::CopyBias(dst, twin::typeOf<T>, src, twin::typeOf<U>, repeatParams);
}

/// The same type on both sides, and both named: `DataCopy<float, float>(…)`.
template <typename T, typename U>
__aicore__ inline std::enable_if_t<std::is_same_v<T, U>> DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                                  const DataCopyParams& repeatParams) {
    DataCopy(dst, src, repeatParams);
}

/// Whole fractals from L1 or GM to L0A or L0B; ifTranspose turns each 16x16 fractal of a 16-bit type. repeatTimes up to
/// 255.
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                const LoadData2DParams& loadDataParams) {
    twin::LoadFractals(dst, src, sizeof(T), loadDataParams);
}
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                const LoadData2DParams& loadDataParams) {
    twin::LoadFractals(dst, src, sizeof(T), loadDataParams);
}
/// Violation: unsupported-api.
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>&, const LoadData2DParamsV2&) {
    twin::RefuseOnCube(dst, "LoadData with LoadData2DParamsV2", "LoadData2DParams");
}
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>&, const LoadData2DParamsV2&) {
    twin::RefuseOnCube(dst, "LoadData with LoadData2DParamsV2", "LoadData2DParams");
}
template <typename T>
__aicore__ inline void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const LoadData2dTransposeParams& loadDataParams) {
    static_assert(sizeof(T) <= 4, "LoadDataWithTranspose takes 8- to 32-bit types");
    twin::LoadTransposed(dst, src, twin::isInt4<T> ? 4 : sizeof(T) * 8, loadDataParams);
}
/// Fractals of 512 bytes to L0B and of 128 bytes of indices, from startIndex on, to a memory of their own for
/// MmadWithSparse; of the parameters startIndex and repeatTimes alone are used. Violations: wrong-position,
/// out-of-buffer, unaligned-ub, pipe-hazard.
template <typename T, typename U>
__aicore__ inline void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<U>& idx, const LoadData2dParams& loadDataParam) {
    static_assert(std::is_same_v<T, int8_t> && std::is_same_v<U, uint8_t>,
                  "LoadDataWithSparse on this device takes int8_t and indices of uint8_t");
    twin::LoadSparse(dst, src, idx, loadDataParam);
}

namespace twin_detail {
template <typename T, typename U, typename S>
inline constexpr bool canMultiply =
    std::is_same_v<U, S> && ((twin::oneOf<U, half, bfloat16_t, float> && std::is_same_v<T, float>) ||
                             (twin::oneOf<U, int8_t, int4b_t> && std::is_same_v<T, int32_t>));
}  // namespace twin_detail

/// dst[m][n] = initial + fm[m][k] * filter[k][n]. With m = 1, fm is read as a plain row.
/// Violations: mmad-limit, mmad-order, out-of-buffer, unaligned-ub, wrong-position, pipe-hazard.
template <typename T, typename U, typename S>
__aicore__ inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                            const MmadParams& mmadParams) {
    static_assert(twin_detail::canMultiply<T, U, S>,
                  "Mmad on this device takes half, bfloat16_t and float into float, int8_t and int4b_t into int32_t");
    twin::Multiply(dst, fm, filter, nullptr, twin::typeOf<U>, mmadParams);
}
/// The right matrix holds two of every four rows, and LoadDataWithSparse brought the indices that tell which. k is that
/// of the left matrix. Violations: as those of Mmad, and read-unwritten.
template <typename T, typename U>
__aicore__ inline void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<U>& filter,
                                      const MmadParams& mmadParams) {
    static_assert(std::is_same_v<T, int32_t> && std::is_same_v<U, int8_t>,
                  "MmadWithSparse on this device takes int8_t into int32_t");
    twin::Multiply(dst, fm, filter, nullptr, twin::typeOf<U>, mmadParams, true);
}
/// The name below the API, which kernels of convolutions use.
template <typename T, typename U, typename S>
__aicore__ inline void MmadImpl(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                                const MmadParams& mmadParams) {
    Mmad(dst, fm, filter, mmadParams);
}
/// The result starts from bias[n], which is in the bias table or in L0C.
template <typename T, typename U, typename S, typename V>
__aicore__ inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                            const LocalTensor<V>& bias, const MmadParams& mmadParams) {
    static_assert(twin_detail::canMultiply<T, U, S>,
                  "Mmad on this device takes half, bfloat16_t and float into float, int8_t and int4b_t into int32_t");
    static_assert(std::is_same_v<T, V>, "the bias of Mmad has the type of its result");
    twin::Multiply(dst, fm, filter, &bias, twin::typeOf<U>, mmadParams);
}

namespace twin_detail {
template <typename T, typename U>
inline constexpr bool canLeave =
    std::is_same_v<U, float> ? twin::oneOf<T, int8_t, uint8_t, half, bfloat16_t, float>
                             : std::is_same_v<U, int32_t> && twin::oneOf<T, int8_t, uint8_t, half, int32_t>;
}  // namespace twin_detail

/// L0C to GM, values converted by quantPre. Violations: fixpipe-params, gm-out-of-range, gm-overlap, out-of-buffer,
/// pipe-hazard.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
__aicore__ inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                               const FixpipeParamsV220& intriParams) {
    static_assert(twin_detail::canLeave<T, U>, "Fixpipe on this device has no conversion between these two types");
    twin::CopyResult(dst, src, nullptr, twin::typeOf<T>, twin::typeOf<U>, config.format, intriParams);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR, typename S = uint64_t,
          std::enable_if_t<std::is_same_v<S, uint64_t>, bool> = true>
__aicore__ inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                               const LocalTensor<S>& cbufWorkspace, const FixpipeParamsV220& intriParams) {
    static_assert(twin_detail::canLeave<T, U>, "Fixpipe on this device has no conversion between these two types");
    twin::CopyResult(dst, src, &cbufWorkspace, twin::typeOf<T>, twin::typeOf<U>, config.format, intriParams);
}
/// L0C to L1, in columns of 16.
template <typename T, typename U, const FixpipeConfig& config = CFG_NZ>
__aicore__ inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                               const FixpipeParamsV220& intriParams) {
    static_assert(config.format == CO2Layout::NZ, "Fixpipe from L0C to L1 keeps the NZ layout");
    static_assert(twin::oneOf<T, int8_t, uint8_t, half, bfloat16_t> && twin_detail::canLeave<T, U>,
                  "Fixpipe to L1 gives 8- and 16-bit types");
    twin::CopyResult(dst, src, nullptr, twin::typeOf<T>, twin::typeOf<U>, intriParams);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_NZ, typename S = uint64_t,
          std::enable_if_t<std::is_same_v<S, uint64_t>, bool> = true>
__aicore__ inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                               const LocalTensor<S>& cbufWorkspace, const FixpipeParamsV220& intriParams) {
    static_assert(config.format == CO2Layout::NZ, "Fixpipe from L0C to L1 keeps the NZ layout");
    static_assert(twin::oneOf<T, int8_t, uint8_t, half, bfloat16_t> && twin_detail::canLeave<T, U>,
                  "Fixpipe to L1 gives 8- and 16-bit types");
    twin::CopyResult(dst, src, &cbufWorkspace, twin::typeOf<T>, twin::typeOf<U>, intriParams);
}

/// 1 <= ndNum, srcNdStride up to 512 in 1024 bytes, dstNdStride in elements: for DataCopy with nz2ndEn. Violation:
/// fixpipe-params.
__aicore__ inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
    twin::SetResultRows(ndNum, srcNdStride, dstNdStride);
}
/// The same as bits: 16 of each, in that order.
__aicore__ inline void SetNdParaImpl(uint64_t config) {
    twin::SetResultRows(config & 0xffff, config >> 16 & 0xffff, config >> 32 & 0xffff);
}
/// Bits of the scale of DEQF16, QF322B8_PRE and REQ8, for DataCopy out of L0C.
__aicore__ inline void SetFixpipePreQuantFlag(uint64_t config) { twin::SetResultScale(config); }
/// Scales of VDEQF16, VQF322B8_PRE and VREQ8, in the fixpipe buffer, for DataCopy out of L0C. A tensor of L0C stands
/// for none: such a call is for isUnitFlag alone, which clears flags that the twin does not keep. Violations:
/// wrong-position; read-unwritten at the copy.
template <typename T, bool setRelu = false>
__aicore__ inline void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
    static_assert(twin::oneOf<T, uint64_t, float, int32_t>,
                  "SetFixPipeConfig takes uint64_t, and for isUnitFlag alone a tensor of L0C");
    static_assert(!setRelu, "SetFixPipeConfig has no setRelu on this device (SetFixPipeConfig.md)");
    if (!isUnitFlag || preData.GetPosition() != static_cast<int32_t>(TPosition::CO1)) twin::SetResultScales(preData);
}
/// reluPre is for later devices: an empty tensor.
template <typename T>
__aicore__ inline void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>& quantPre, bool = false) {
    static_assert(std::is_same_v<T, uint64_t>, "SetFixPipeConfig takes uint64_t");
    twin::SetResultScales(quantPre);
}
/// The older name of Fixpipe: what it takes from registers there, calls before have set. Violations as those of
/// Fixpipe.
template <typename T, typename U>
__aicore__ inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                                const DataCopyCO12DstParams& intriParams) {
    static_assert(twin_detail::canLeave<T, U>,
                  "DataCopy out of L0C on this device has no conversion between these two types");
    twin::CopyResult(dst, src, twin::ResultScales(), twin::typeOf<T>, twin::typeOf<U>,
                     intriParams.nz2ndEn ? CO2Layout::ROW_MAJOR : CO2Layout::NZ, twin::ResultParams(intriParams));
}
template <typename T, typename U>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                const DataCopyCO12DstParams& intriParams) {
    static_assert(twin::oneOf<T, int8_t, uint8_t, half, bfloat16_t> && twin_detail::canLeave<T, U>,
                  "DataCopy from L0C to L1 gives 8- and 16-bit types");
    twin::CopyResult(dst, src, twin::ResultScales(), twin::typeOf<T>, twin::typeOf<U>, twin::ResultParams(intriParams));
}

namespace twin_detail {
/// The strides of the older structure are gaps (its columns are padded to whole fractals).
template <typename T, typename S>
__aicore__ inline FixpipeParamsV220 ResultOf(const FixpipeParams<S>& p) {
    const auto rows = static_cast<uint16_t>(p.burstLen / 2);
    const auto padded = static_cast<uint16_t>((rows + 15) / 16 * 16);
    FixpipeParamsV220 result;
    result.nSize = p.nz2ndParams.nz2ndEn ? p.nz2ndParams.originalNSize : static_cast<uint16_t>(p.cburstNum * 16);
    result.mSize = rows;
    result.srcStride = static_cast<uint16_t>(p.srcStride * 16 + padded);
    result.dstStride =
        p.nz2ndParams.nz2ndEn ? p.dstStride : p.dstStride + static_cast<uint32_t>(p.burstLen * sizeof(T) / 4);
    result.quantPre = p.quantParams.quantPre;
    result.deqScalar = p.quantParams.deqScalar;
    result.ndNum = p.nz2ndParams.ndNum;
    result.srcNdStride = p.nz2ndParams.srcNdStride;
    result.dstNdStride = p.nz2ndParams.dstNdStride;
    result.reluEn = p.reluEn;
    result.unitFlag = p.unitFlag;
    return result;
}
}  // namespace twin_detail

template <typename T, typename U, typename S>
__aicore__ inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                               const FixpipeParams<S>& intriParams) {
    static_assert(twin_detail::canLeave<T, U>, "Fixpipe on this device has no conversion between these two types");
    twin::CopyResult(dst, src, nullptr, twin::typeOf<T>, twin::typeOf<U>,
                     intriParams.nz2ndParams.nz2ndEn ? CO2Layout::ROW_MAJOR : CO2Layout::NZ,
                     twin_detail::ResultOf<T>(intriParams));
}

template <typename T, typename U, typename S>
__aicore__ inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                               const LocalTensor<uint64_t>& cbufWorkspace, const FixpipeParams<S>& intriParams) {
    Fixpipe<T, U, CFG_NZ>(dst, src, cbufWorkspace, twin_detail::ResultOf<T>(intriParams));
}

/// Sets blocks of L1 (pipe MTE2), L0A or L0B (MTE1) to one value. Violations: copy-params, wrong-position,
/// out-of-buffer, pipe-hazard.
template <typename T, typename U = T>
__aicore__ inline void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
    static_assert(std::is_same_v<T, U>, "Fill takes a value of the tensor's type");
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "Fill of a matrix on this device takes 16- and 32-bit types");
    uint32_t bits = 0;
    __builtin_memcpy(&bits, &initConstValueParams.initValue, sizeof(T));
    twin::FillMatrix(dst, sizeof(T), bits, initConstValueParams.repeatTimes, initConstValueParams.blockNum,
                     initConstValueParams.dstGap);
}
template <typename T, typename U = T>
__aicore__ inline void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
    Fill<T, U>(dst, initConstValueParams);
}

/// Half precision of products instead of float's for Mmad of float; the twin always multiplies in float.
__aicore__ inline void SetHF32Mode(bool) { twin::Note("SetHF32Mode"); }
__aicore__ inline void SetHF32TransMode(bool) { twin::Note("SetHF32TransMode"); }
__aicore__ inline void SetMMLayoutTransform(bool) { twin::Note("SetMMLayoutTransform"); }

}  // namespace AscendC

#endif
