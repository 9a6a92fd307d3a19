// Temporary memory of reductions along an axis, on the host.
#ifndef TWIN_HOST_REDUCE_TILING_H
#define TWIN_HOST_REDUCE_TILING_H

#include "graph/types.h"
#include "twin/reduce_pattern.h"

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

// Bytes for a shape of two axes and ReducePattern::AR or RA; isSrcInnerPad is true on this device.
#define TWIN_REDUCE_QUERY(Name)                                                                                      \
    void Name(const TensorShape& srcShape, const TensorDataType dataType, ReducePattern pattern, bool isSrcInnerPad, \
              bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
TWIN_REDUCE_QUERY(GetReduceSumMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceMeanMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceMaxMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceMinMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceProdMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceAllMaxMinTmpSize)
TWIN_REDUCE_QUERY(GetReduceAnyMaxMinTmpSize)
#undef TWIN_REDUCE_QUERY

}  // namespace AscendC

#endif
