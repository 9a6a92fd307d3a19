// Parameter structures of the cube core's instructions. Names, defaults and member order are the vendor's.
#ifndef TWIN_CUBE_PARAMS_H
#define TWIN_CUBE_PARAMS_H

#include "twin/params.h"

/// What a copy out of L0C does to the values. V...: one scale for each column, from a tensor; else one for all.
enum QuantMode_t {
    NoQuant = 0,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    QF322B8_PRE,
    VQF322B8_PRE,
    REQ8,
    VREQ8,
    // Of other chips: kernels for several name them, and Fixpipe refuses them.
    QF322F16_PRE = 64,
    VQF322F16_PRE,
    QF322BF16_PRE,
    VQF322BF16_PRE
};

/// Values of `unitFlag`: 2 while a product goes on, 3 at its last part.
enum unit_flag_t : uint8_t { UFMode0 = 0, UFMode1, UFMode2, UFMode3 };
/// Values of `addrMode`: fractals counted up or down.
enum addr_cal_mode_t : uint8_t { inc = 0, dec = 1 };

namespace AscendC {

using ::QuantMode_t;

/// GM rows of dValue elements, srcDValue apart, to 32-byte columns in L1: block j of row i lands at j * dstNzC0Stride +
/// i * dstNzNStride, in 32-byte units. What is left of the last block of a row becomes 0. Matrix strides in elements.
struct Nd2NzParams {
    __aicore__ Nd2NzParams() {}
    __aicore__ Nd2NzParams(uint16_t nd, uint16_t n, uint16_t d, uint16_t srcMatrix, uint16_t srcD, uint16_t c0,
                           uint16_t row, uint16_t dstMatrix)
        : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcMatrix), srcDValue(srcD), dstNzC0Stride(c0),
          dstNzNStride(row), dstNzMatrixStride(dstMatrix) {}
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
};

/// Fractals of 512 bytes: repeat i reads number startIndex + i * srcStride; dstGap fractals stay free between two that
/// are written.
struct LoadData2DParams {
    __aicore__ LoadData2DParams() {}
    __aicore__ LoadData2DParams(uint16_t start, uint8_t repeats, uint16_t stride, uint8_t sidIn, uint16_t gap,
                                bool transpose, uint8_t mode)
        : startIndex(start), dstGap(gap), srcStride(stride), ifTranspose(transpose), repeatTimes(repeats), sid(sidIn),
          addrMode(mode) {}
    uint16_t startIndex = 0;
    uint16_t dstGap = 0;
    uint16_t srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0;
    uint8_t sid = 0;
    uint8_t addrMode = 0;
};

using LoadData2dParams = LoadData2DParams;

/// Of later devices: declared here, and LoadData with it is refused when it runs.
struct LoadData2DParamsV2 {
    __aicore__ LoadData2DParamsV2() {}
    __aicore__ LoadData2DParamsV2(uint32_t mStart, uint32_t kStart, uint16_t mSteps, uint16_t kSteps, int32_t src,
                                  uint16_t dst, bool transpose, uint8_t sidIn)
        : mStartPosition(mStart), kStartPosition(kStart), mStep(mSteps), kStep(kSteps), srcStride(src), dstStride(dst),
          ifTranspose(transpose), sid(sidIn) {}
    uint32_t mStartPosition = 0;
    uint32_t kStartPosition = 0;
    uint16_t mStep = 0;
    uint16_t kStep = 0;
    int32_t srcStride = 0;
    uint16_t dstStride = 0;
    bool ifTranspose = false;
    uint8_t sid = 0;
};

/// Squares of 32x32 (8-bit types) or 16x16 elements, transposed one by one. startIndex and srcStride count squares; the
/// gaps count 512 bytes, from the end of a repeat's (of a square's) first fractal to the start of the next.
struct LoadData2dTransposeParams {
    __aicore__ LoadData2dTransposeParams() {}
    __aicore__ LoadData2dTransposeParams(uint16_t start, uint8_t repeats, uint16_t stride, uint16_t gap,
                                         uint16_t fracGap, uint8_t mode = 0)
        : startIndex(start), repeatTimes(repeats), srcStride(stride), dstGap(gap), dstFracGap(fracGap), addrMode(mode) {
    }
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
};

/// m, n, k up to 4095. The result starts from 0 (cmatrixInitVal), from the bias table (else, with cmatrixSource), or
/// from what L0C holds. unitFlag 2 or 3 orders Mmad and Fixpipe fractal by fractal, without an event.
struct MmadParams {
    __aicore__ MmadParams() {}
    __aicore__ MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, bool bias, int32_t offset, bool sparse,
                          bool winogradA, bool winogradB)
        : m(mIn), n(nIn), k(kIn), isBias(bias), fmOffset(offset), enSsparse(sparse), enWinogradA(winogradA),
          enWinogradB(winogradB) {}
    __aicore__ MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t flag, bool source, bool initial)
        : m(mIn), n(nIn), k(kIn), unitFlag(flag), cmatrixSource(source), cmatrixInitVal(initial) {}
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixSource = false;
    bool cmatrixInitVal = true;
};

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
struct FixpipeConfig {
    __aicore__ constexpr FixpipeConfig(CO2Layout formatIn) : format(formatIn) {}
    /// Into UB Fixpipe writes on later devices only; here the second word says nothing (kernel_struct_fixpipe.h).
    __aicore__ constexpr FixpipeConfig(CO2Layout formatIn, bool) : format(formatIn) {}
    CO2Layout format;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

/// srcStride: rows between columns of 16 in L0C. dstStride: elements of a row (ROW_MAJOR), or 32-byte blocks between
/// columns of 16 (NZ).
struct FixpipeParamsV220 {
    __aicore__ FixpipeParamsV220() {}
    __aicore__ FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src, uint32_t dst, bool relu)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), reluEn(relu) {}
    __aicore__ FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src, uint32_t dst, bool relu, QuantMode_t quant,
                                 int64_t scalar, uint16_t nd, uint16_t srcNd, uint16_t dstNd, uint8_t flag,
                                 bool channelSplit = false)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), quantPre(quant), deqScalar(static_cast<uint64_t>(scalar)),
          ndNum(nd), srcNdStride(srcNd), dstNdStride(dstNd), reluEn(relu), unitFlag(flag),
          isChannelSplit(channelSplit) {}
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

/// DataCopy out of L0C. Strides as in FixpipeParamsV220; with nz2ndEn the result is in rows, by what
/// SetFixpipeNz2ndFlag set.
struct DataCopyCO12DstParams {
    __aicore__ DataCopyCO12DstParams() {}
    __aicore__ DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst, uint16_t src, QuantMode_t quant,
                                     uint8_t relu, bool split, bool nz2nd)
        : nSize(n), mSize(m), dstStride(dst), srcStride(src), quantPre(quant), reluPre(relu), channelSplit(split),
          nz2ndEn(nz2nd) {}
    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
};

struct QuantParams {
    __aicore__ QuantParams() {}
    __aicore__ QuantParams(QuantMode_t quant) : quantPre(quant) {}
    __aicore__ QuantParams(QuantMode_t quant, uint64_t scalar) : quantPre(quant), deqScalar(scalar) {}
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
};
struct Nz2NdParams {
    __aicore__ Nz2NdParams() {}
    __aicore__ Nz2NdParams(bool enabled, uint16_t nd, uint16_t srcNd, uint16_t dstNd, uint16_t n)
        : nz2ndEn(enabled), ndNum(nd), srcNdStride(srcNd), dstNdStride(dstNd), originalNSize(n) {}
    bool nz2ndEn = false;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    uint16_t originalNSize = 0;
};
/// The form of earlier devices: cburstNum columns of 16, burstLen 32-byte blocks of L0C in each. Strides are gaps:
/// srcStride in 16x16 fractals, dstStride in 32 bytes; with nz2ndEn dstStride is the elements of a row.
template <typename T = int32_t>
struct FixpipeParams {
    __aicore__ FixpipeParams() {}
    __aicore__ FixpipeParams(uint16_t count, uint16_t length, uint16_t src, uint32_t dst)
        : cburstNum(count), burstLen(length), dstStride(dst), srcStride(src) {}
    uint16_t cburstNum = 1;
    uint16_t burstLen = 1;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    QuantParams quantParams;
    bool reluEn = false;
    Nz2NdParams nz2ndParams;
    uint8_t unitFlag = 0;
};

/// repeatTimes pieces of blockNum blocks, dstGap blocks from the end of one to the start of the next. A block is 32
/// bytes in L1 and 512 in L0A and L0B. Each 0 to 32767.
template <typename T>
struct InitConstValueParams {
    __aicore__ InitConstValueParams() {}
    __aicore__ InitConstValueParams(uint16_t repeats, uint16_t blocks, uint16_t gap, T value)
        : repeatTimes(repeats), blockNum(blocks), dstGap(gap), initValue(value) {}
    __aicore__ InitConstValueParams(uint16_t repeats, T value) : repeatTimes(repeats), initValue(value) {}
    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = T(0);
};

}  // namespace AscendC

namespace twin {

struct Local;
struct Global;

void CopyNd2Nz(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::Nd2NzParams& params);
/// L1 to the bias table or the fixpipe buffer, half bias widened to float.
void CopyBias(const Local& dst, Type dstType, const Local& src, Type srcType, const AscendC::DataCopyParams& params);
void LoadFractals(const Local& dst, const Local& src, uint32_t elementBytes, const AscendC::LoadData2DParams& params);
void LoadFractals(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::LoadData2DParams& params);
void LoadTransposed(const Local& dst, const Local& src, uint32_t elementBits,
                    const AscendC::LoadData2dTransposeParams& params);
/// Violation unsupported-api: the SDK declares the function, and this device has no such instruction.
void RefuseOnCube(const Local& dst, const char* api, const char* instead);
void LoadSparse(const Local& dst, const Local& src, const Local& index, const AscendC::LoadData2DParams& params);
/// inputType is that of both matrices; the result is int32_t for int8_t, else float. bias null: from params.
/// sparse: the right matrix has half of k rows, and indices beside it that LoadSparse brought.
void Multiply(const Local& dst, const Local& left, const Local& right, const Local* bias, Type inputType,
              const AscendC::MmadParams& params, bool sparse = false);
/// scales: one uint64_t for each column in L1, for the V... modes; else null.
void CopyResult(const Global& dst, const Local& src, const Local* scales, Type dstType, Type srcType,
                AscendC::CO2Layout layout, const AscendC::FixpipeParamsV220& params);
void CopyResult(const Local& dst, const Local& src, const Local* scales, Type dstType, Type srcType,
                const AscendC::FixpipeParamsV220& params);

/// What SetFixpipeNz2ndFlag and SetFixpipePreQuantFlag leave to the copies out of L0C that follow.
void SetResultRows(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride);
void SetResultScale(uint64_t scale);
/// What SetFixPipeConfig leaves to them; null before.
void SetResultScales(const Local& scales);
const Local* ResultScales();
AscendC::FixpipeParamsV220 ResultParams(const AscendC::DataCopyCO12DstParams& params);
/// value: the bits of one element.
void FillMatrix(const Local& dst, uint32_t elementBytes, uint32_t value, uint32_t repeatTimes, uint32_t blockNum,
                uint32_t dstGap);

}  // namespace twin

#endif
