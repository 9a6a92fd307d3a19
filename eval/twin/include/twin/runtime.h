// The seam between the kernel's translation unit and the precompiled runtime: untyped views and plain functions.
// Loops and checks live behind it (runtime/device/*.cpp, -O3), so a kernel built at -O0 computes at full speed.
#ifndef TWIN_RUNTIME_H
#define TWIN_RUNTIME_H

#include "twin/params.h"

namespace twin {

using AscendC::CMPMODE;
using AscendC::HardEvent;
using AscendC::ReduceOrder;
using AscendC::ReduceType;
using AscendC::RoundMode;
using AscendC::SELMODE;
using AscendC::TPosition;

/// A view of UB: `bytes` from `data` to the end of what the tensor was given. `buffer` indexes the core's buffers, 0 is
/// none.
struct Local {
    uint8_t* data = nullptr;
    uint32_t bytes = 0;
    uint16_t buffer = 0;
    union {
        TPosition position = TPosition::MAX;
        /// The same under the vendor's name.
        struct {
            uint8_t logicPos;
        } address_;
    };
};

/// A view of GM from `data` on; `elements` is what SetGlobalBuffer was told (0: not told). Bounds come from the
/// allocation.
struct Global {
    uint8_t* data = nullptr;
    uint64_t elements = 0;
};

enum class Op : uint8_t {
    kAdd,
    kSub,
    kMul,
    kDiv,
    kMax,
    kMin,
    kAnd,
    kOr,
    kAddRelu,
    kSubRelu,
    kMulAddDst,
    kFusedMulAdd,
    kFusedMulAddRelu,
    kAdds,
    kMuls,
    kMaxs,
    kMins,
    kLeakyRelu,
    kShiftLeft,
    kShiftRight,
    kAxpy,
    kRelu,
    kExp,
    kLn,
    kAbs,
    kReciprocal,
    kRsqrt,
    kSqrt,
    kNot,
    kDuplicate,
    kCopy,
    kSigmoid,
    kTanh,
    kErf,
    kErfc,
    kSin,
    kCos,
    kTan,
    kAsin,
    kAcos,
    kAtan,
    kSinh,
    kCosh,
    kAsinh,
    kAcosh,
    kAtanh,
    kLog2,
    kLog10,
    kSign,
    kFloor,
    kCeil,
    kTrunc,
    kRound,
    kFrac,
    kGelu,
    kFasterGelu,
    kFasterGeluV2,
    kGeluQuick,
    kFasterGeluQuick,
    kFasterGeluV2Quick,
    kSilu,
    kLgamma,
    kDigamma,
    kPower,
    kPowerScalar,
    kScalarPower,
    kFmod,
    kXor,
    kSwish
};

/// Which lanes of each 256-byte repeat take part. kKeep: what the mask register holds.
struct Mask {
    enum Kind : uint8_t { kCount, kBits, kKeep } kind;
    uint64_t low;
    uint64_t high;
};
template <typename T>
inline Mask MaskOf(uint64_t count, bool isSet) {
    return {isSet ? Mask::kCount : Mask::kKeep, count, 0};
}
template <typename T>
inline Mask MaskOf(const uint64_t bits[], bool isSet) {
    if (!isSet) return {Mask::kKeep, 0, 0};
    return {Mask::kBits, bits[0], sizeof(T) <= 2 ? bits[1] : 0};
}

struct Strides {
    uint16_t dstBlk, src0Blk, src1Blk, dstRep, src0Rep, src1Rep;
};
inline Strides StridesOf(const AscendC::UnaryRepeatParams& p) {
    return {p.dstBlkStride, p.srcBlkStride, 1, p.dstRepStride, p.srcRepStride, 8};
}
inline Strides StridesOf(const AscendC::BinaryRepeatParams& p) {
    return {p.dstBlkStride, p.src0BlkStride, p.src1BlkStride, p.dstRepStride, p.src0RepStride, p.src1RepStride};
}

/// In a traced launch: where the instructions that come next stand.
void AtLine(uint32_t place);

// Scalars travel as double: every half, float, int32_t and uint32_t has its exact value there.
void Vector(const char* api, Op op, Type dstType, Type srcType, const Local& dst, const Local* src0, const Local* src1,
            double scalar, int64_t count);
void VectorRepeat(const char* api, Op op, Type dstType, Type srcType, const Local& dst, const Local* src0,
                  const Local* src1, double scalar, const Mask& mask, int repeatTime, const Strides& strides);
void CastCount(Type dstType, Type srcType, const Local& dst, const Local& src, RoundMode mode, int64_t count);
void CastRepeat(Type dstType, Type srcType, const Local& dst, const Local& src, RoundMode mode, const Mask& mask,
                int repeatTime, const Strides& strides);

void CastScalar(Type dstType, void* dst, float value, RoundMode mode);

/// src1 is null for a scalar on the right.
void CompareCount(const char* api, Type type, const Local& dst, const Local& src0, const Local* src1, double scalar,
                  CMPMODE mode, int64_t count);
void CompareRepeat(const char* api, Type type, const Local& dst, const Local& src0, const Local* src1, double scalar,
                   CMPMODE mode, int repeatTime, const Strides& strides);
void CompareRegister(Type type, const Local& src0, const Local& src1, CMPMODE mode, const Mask& mask,
                     const Strides& strides);
void CmpMaskTo(const Local& dst);
void CmpMaskFrom(const Local& src);
/// selMask null: the compare mask register. src1 null: the scalar.
void SelectCount(Type type, const Local& dst, const Local& selMask, const Local& src0, const Local* src1, double scalar,
                 SELMODE mode, int64_t count);
void SelectRepeat(Type type, const Local& dst, const Local* selMask, const Local& src0, const Local* src1,
                  double scalar, SELMODE mode, const Mask& mask, int repeatTime, const Strides& strides);

void ReduceCount(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Local& work,
                 int64_t count, bool withIndex);
void ReduceMasked(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Local& work,
                  const Mask& mask, int repeatTime, int srcRepStride, bool withIndex);
void ReduceRepeats(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Mask& mask,
                   int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride, ReduceOrder order);
void ReduceBlocks(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Mask& mask,
                  int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride);
void ReducePairs(const char* api, Type type, const Local& dst, const Local& src, const Mask& mask, int repeatTime,
                 int dstRepStride, int srcBlkStride, int srcRepStride);
float AccumulatedSum();
uint64_t AccumulatedBits();
/// dst may be null when accumulating. Pointers into UB.
void RawReduceSum(Type type, void* dst, void* src, int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride,
                  bool accumulate);
void ReducedMaxMin(Type type, void* value, void* index);

void BrcbRepeat(uint32_t elementBytes, const Local& dst, const Local& src, int repeatTime, int dstBlk, int dstRep);
void GatherCount(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, uint32_t base,
                 int64_t count);
void GatherRepeat(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, uint32_t base,
                  const Mask& mask, int repeatTime, int dstRepStride);
void GatherBlocks(uint32_t elementBytes, const Local& dst, const Local& src, const Local& offsets, int repeatTime,
                  int dstBlk, int dstRep);
/// pattern 1..7, or 0 with a pattern tensor.
/// Elements that the last GatherMask kept.
uint64_t GatheredCount();
void GatherMaskRun(uint32_t elementBytes, const Local& dst, const Local& src, int pattern, const Local* patternTensor,
                   bool reduceMode, uint32_t mask, const AscendC::GatherMaskParams& params, uint64_t* kept);
void FillIndex(const char* api, Type type, const Local& dst, double first, double step, int64_t count);
void FillIndexRepeat(Type type, const Local& dst, double first, const Mask& mask, int repeatTime, int dstBlk,
                     int dstRep);
void Transpose16(const Local& dst, const Local& src);

// High-level functions. work: shared temporary memory, null when the framework's own.
// reuse: the source may be overwritten, which takes less. Violations of all: temporary-memory, and out-of-buffer of
// `work`.
void MathUnary(const char* api, Op op, Type type, const Local& dst, const Local& src, const Local* work, int64_t count,
               bool reuse = false);
/// src1 null: the scalar.
void MathBinary(const char* api, Op op, Type type, const Local& dst, const Local& src0, const Local* src1,
                double scalar, const Local* work, int64_t count, bool reuse = false);
/// What a function writes for itself at least: `bytes` from the start of `work`, or in what InitBuffer left of UB when
/// null.
void UseAtLeast(const char* api, const Local* work, uint32_t bytes);
struct SumMemory {
    const Local* work;
    bool mean;
    uint32_t accumulated;  // bytes of the type that a mean adds up in
};
void SumRows(const char* api, Type type, const Local& dst, const Local& src, uint32_t outer, uint32_t inner, uint32_t n,
             const SumMemory& memory);
/// perRow: src has one element a row; sameRow: src is one row. Neither: one element or one row of `columns`.
void BroadcastRows(uint32_t elementBytes, const Local& dst, const Local& src, uint32_t rows, uint32_t columns,
                   bool perRow, bool sameRow);

/// One shape for every copy between GM and UB: `blocks` pieces of `bytes`, gaps in bytes from end to next start.
struct CopyShape {
    uint32_t blocks;
    uint32_t bytes;
    uint64_t srcGap;
    uint64_t dstGap;
};
struct PadShape {
    bool isPad;
    uint32_t leftElements;
    uint32_t rightElements;
    uint64_t value;
};
void CopyIn(const Local& dst, const Global& src, uint32_t elementBytes, uint64_t count);
void CopyIn(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::DataCopyParams& params);
void CopyOut(const Global& dst, const Local& src, Type type, uint32_t elementBytes, uint64_t count);
void CopyOut(const Global& dst, const Local& src, Type type, uint32_t elementBytes,
             const AscendC::DataCopyParams& params);
void CopyLocal(const Local& dst, const Local& src, uint32_t elementBytes, uint64_t count);
void CopyLocal(const Local& dst, const Local& src, uint32_t elementBytes, const AscendC::DataCopyParams& params);
void CopyInPad(const Local& dst, const Global& src, uint32_t elementBytes, const CopyShape& shape, const PadShape& pad);
void CopyOutPad(const Global& dst, const Local& src, Type type, uint32_t elementBytes, const CopyShape& shape);
/// The scalar unit is about to read GM itself (pastCache), or drops what its cache has of it. A core that does so again
/// and again waits for another block. Violation: sync-deadlock.
void LookAt(const void* address, bool pastCache);
void CopySlices(const Local& dst, const Global& src, uint32_t elementBytes, const AscendC::SliceInfo dstSlices[],
                const AscendC::SliceInfo srcSlices[], uint32_t dims);
void CopySlices(const Global& dst, const Local& src, Type type, uint32_t elementBytes,
                const AscendC::SliceInfo dstSlices[], const AscendC::SliceInfo srcSlices[], uint32_t dims);
void FillGlobal(const Global& dst, uint32_t elementBytes, uint64_t count, uint64_t value, Type type);
void SetPadRegister(uint64_t value);

void* ExposeAddress(const Local& tensor);
const void* ReadScalar(const Local& tensor, uint64_t offsetBytes, uint32_t bytes);
void* WriteScalar(const Local& tensor, uint64_t offsetBytes, uint32_t bytes);
const void* ReadScalar(const Global& tensor, uint64_t offsetBytes, uint32_t bytes);
void WriteScalar(const Global& tensor, uint64_t offsetBytes, const void* value, uint32_t bytes);
/// For a reference to the value, through which the kernel may store.
void* LendScalar(const Global& tensor, uint64_t offsetBytes, uint32_t bytes);
const void* ReadPastCache(const Global& place, uint32_t bytes);
void WritePastCache(const Global& place, const void* value, uint32_t bytes);
/// The line is taken into the scalar unit's cache.
void PreloadCache(const Global& tensor, uint64_t offsetBytes);
/// What is changed from the address to the end of its line, or everywhere, is written back, and is not held any more.
/// Violations: gm-cache-line, unsupported-api.
void CleanCache(const Global& tensor, bool everywhere, AscendC::DcciDst destination);

// Pipe and queues.
void PipeBegin(void* pipe);
void PipeEnd(void* pipe);
/// Of an assignment: from here on the core's TPipe is this one, with all that was given out.
void PipeMoves(void* pipe);
void PipeDestroy(void* pipe);
void PipeReset(void* pipe);
void* CurrentPipe();
void InitQueue(uint32_t* queue, TPosition src, TPosition dst, int depth, uint32_t num, uint32_t bytes);
void InitTBuf(uint32_t* buffer, TPosition position, uint32_t bytes);
/// Of a queue or TBuf whose blocks a pool of the kernel's own places. A handle stands for blocks of the pool.
void StartQueue(uint32_t* queue, TPosition src, TPosition dst, int depth, const uint8_t* handle, uint32_t num);
void StartTBuf(uint32_t* buffer, TPosition position, const uint8_t* handle, uint32_t num);
void PlaceInQueue(uint32_t queue, uint16_t pool, uint32_t index, const uint8_t* handle, uint32_t address,
                  uint32_t bytes);
void PlaceInTBuf(uint32_t buffer, uint16_t pool, uint32_t index, const uint8_t* handle, uint32_t address,
                 uint32_t bytes);
Local QueueAlloc(uint32_t queue);
bool QueueEnque(uint32_t queue, const Local& tensor);
Local QueueDeque(uint32_t queue);
void QueueFree(uint32_t queue, const Local& tensor);
void QueueFreeEvents(uint32_t queue);
bool QueueHasTensor(uint32_t queue);
bool QueueHasVacancy(uint32_t queue);
bool QueueHasIdle(uint32_t queue);
int QueueCount(uint32_t queue);
Local TBufView(uint32_t buffer, uint64_t offsetBytes, uint64_t bytes, bool whole);
Local RawLocal(TPosition position, uint32_t address, uint64_t bytes);
/// Its inverse: bytes from the start of the memory.
uint32_t AddressInMemory(const Local& view);
Local RestOfUb();

int FetchEvent(HardEvent event);
int AllocEvent(HardEvent event);
void ReleaseEvent(HardEvent event, int id);
void SetEvent(pipe_t src, pipe_t dst, int id);
void WaitEvent(pipe_t src, pipe_t dst, int id);
void Barrier(pipe_t pipe);

// Core state.
void SetMaskRegister(uint64_t high, uint64_t low);
void SetMaskMode(bool counter);
/// Violation of the next instruction that computes: not-covered.
void SetSaturating(bool on);
void ResetMaskRegister();
void SetAtomic(Type type, int op);
/// kOther while copies are not atomic.
Type AtomicType();
void SetDequantScale(float scale);
int64_t BlockIndex();
int64_t SubBlockIndex();
int64_t SubBlockCount();
int64_t TaskRatio();
int64_t BlockCount();
int64_t CycleCount();
uint8_t* UserWorkspace(uint8_t* workspace);
uint8_t* SystemWorkspace();
void SetSystemWorkspace(uint8_t* workspace);
void SyncBlocks(const char* api, const Global* workspace, const Local* local, int usedCores, bool vectorOnly);
void CrossCoreSet(int mode, int flag);
void CrossCoreWait(int flag);
/// Ends the launch as `not-covered`: a form of an API that the twin lacks, and what to write in its place.
void FormNotCovered(const char* api, const char* form, const char* instead);

void Note(const char* api);
/// Messages of what comes until the end of the scope say this name.
void SetCalledAs(const char* api);
struct CalledAs {
    explicit CalledAs(const char* api) { SetCalledAs(api); }
    ~CalledAs() { SetCalledAs(nullptr); }
};

}  // namespace twin

#endif
