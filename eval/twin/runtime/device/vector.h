#ifndef TWIN_DEVICE_VECTOR_H
#define TWIN_DEVICE_VECTOR_H

#include "core.h"

namespace twin {

/// dst, a, b: n contiguous elements. dst holds its old values when the operation reads them.
using LaneLoop = void (*)(void* dst, const void* a, const void* b, double scalar, uint32_t n);

struct VectorCall {
    const char* api;
    LaneLoop run;
    uint32_t dstBytes, srcBytes;
    const Local* dst;
    const Local* src0;  // null: none
    const Local* src1;  // null: none
    double scalar = 0;
    bool readsDst = false;
};

/// View of UB from an address to the end of the buffer it lies in.
Local ViewOfAddress(void* address);
/// Bytes of an array that hold another value than at first count as written.
void DefineStored(const Buffer& array);

void RunCount(const VectorCall& call, int64_t count);
void RunRepeat(const VectorCall& call, const Mask& mask, int repeatTime, const Strides& strides);
/// Copy in counter mode, where the mask counts the elements of each repeat and repeatTime holds, unlike everywhere
/// else.
void CopyCounted(const VectorCall& call, const Mask& mask, int repeatTime, const Strides& strides);

/// Cast between half and 4-bit integers, two to a byte: narrow is to int4b_t.
void CastPairsCount(const Local& dst, const Local& src, bool narrow, RoundMode mode, int64_t count);
void CastPairsRepeat(const Local& dst, const Local& src, bool narrow, RoundMode mode, const Mask& mask, int repeatTime,
                     const Strides& strides);

}  // namespace twin

#endif
