// Temporary memory of reductions along an axis. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "twin_host/reduce_tiling.h"

namespace AscendC {

namespace {

uint32_t SizeOf(TensorDataType type) {
    return type == ge::DT_FLOAT || type == ge::DT_INT32 ? 4 : type == ge::DT_FLOAT16 ? 2 : 1;
}

uint32_t Bytes(twin::AxisReduction kind, const TensorShape& shape, TensorDataType type, ReducePattern pattern,
               bool reuse) {
    if (shape.GetDimNum() != 2) return 0;
    return twin::ReduceTemporaryBytes(kind, SizeOf(type), static_cast<uint32_t>(shape.GetDim(0)),
                                      static_cast<uint32_t>(shape.GetDim(1)), pattern == ReducePattern::AR, reuse);
}

}  // namespace

#define TWIN_REDUCE_QUERY(Name, KIND)                                                                       \
    void Name(const TensorShape& srcShape, const TensorDataType dataType, ReducePattern pattern, bool,      \
              bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {                                 \
        maxValue = minValue = Bytes(twin::AxisReduction::KIND, srcShape, dataType, pattern, isReuseSource); \
    }
TWIN_REDUCE_QUERY(GetReduceSumMaxMinTmpSize, kSum)
TWIN_REDUCE_QUERY(GetReduceMeanMaxMinTmpSize, kMean)
TWIN_REDUCE_QUERY(GetReduceMaxMaxMinTmpSize, kMax)
TWIN_REDUCE_QUERY(GetReduceMinMaxMinTmpSize, kMin)
TWIN_REDUCE_QUERY(GetReduceProdMaxMinTmpSize, kProd)
TWIN_REDUCE_QUERY(GetReduceAllMaxMinTmpSize, kAll)
TWIN_REDUCE_QUERY(GetReduceAnyMaxMinTmpSize, kAny)

}  // namespace AscendC
