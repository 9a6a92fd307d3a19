// Tiling structures of the normalisations and of TopK. One list of fields makes both the kernel's structure and the
// host's class.
#ifndef TWIN_KERNEL_NORM_TILING_H
#define TWIN_KERNEL_NORM_TILING_H

#include <cstdint>

#define TWIN_NORM_STEPS(X)             \
    X(uint32_t, inputXSize)            \
    X(uint32_t, meanVarSize)           \
    X(uint32_t, numberOfTmpBuf)        \
    X(uint32_t, meanTmpTensorPos)      \
    X(uint32_t, meanTmpTensorSize)     \
    X(uint32_t, varianceTmpTensorPos)  \
    X(uint32_t, varianceTmpTensorSize) \
    X(uint32_t, tmpBufSize)            \
    X(uint32_t, oneTmpSize)            \
    X(uint32_t, firstTmpStartPos)      \
    X(uint32_t, secondTmpStartPos)     \
    X(uint32_t, thirdTmpStartPos)      \
    X(uint32_t, loopRound)             \
    X(uint32_t, inputRoundSize)        \
    X(uint32_t, inputTailSize)         \
    X(uint32_t, inputTailPos)          \
    X(uint32_t, meanVarRoundSize)      \
    X(uint32_t, meanVarTailSize)       \
    X(uint32_t, meanVarTailPos)        \
    X(uint32_t, bshCurLength)          \
    X(uint32_t, bsCurLength)

#define TWIN_LAYER_NORM_TILING(X) \
    X(uint32_t, bLength)          \
    X(uint32_t, sLength)          \
    X(uint32_t, hLength)          \
    X(uint32_t, originalHLength)  \
    TWIN_NORM_STEPS(X)            \
    X(float, lastDimValueBack)

#define TWIN_LAYER_NORM_SEPARATE_TILING(X) \
    X(uint32_t, aLength)                   \
    X(uint32_t, rLength)                   \
    X(uint32_t, halfAddRepeatTimes)        \
    X(uint32_t, rHeadLength)               \
    X(float, k2Rec)                        \
    X(float, k2RRec)                       \
    X(uint32_t, inputXSize)                \
    X(uint32_t, meanVarSize)               \
    X(uint32_t, numberOfTmpBuf)            \
    X(uint32_t, varianceTmpTensorPos)      \
    X(uint32_t, varianceTmpTensorSize)     \
    X(uint32_t, tmpBufSize)                \
    X(uint32_t, oneTmpSize)                \
    X(uint32_t, firstTmpStartPos)          \
    X(uint32_t, secondTmpStartPos)         \
    X(uint32_t, thirdTmpStartPos)          \
    X(uint32_t, loopRound)                 \
    X(uint32_t, inputRoundSize)            \
    X(uint32_t, inputTailSize)             \
    X(uint32_t, inputTailPos)              \
    X(uint32_t, meanVarRoundSize)          \
    X(uint32_t, meanVarTailSize)           \
    X(uint32_t, meanVarTailPos)            \
    X(uint32_t, arCurLength)               \
    X(uint32_t, aCurLength)                \
    X(float, rValueBack)

#define TWIN_LAYER_NORM_GRAD_TILING(X) \
    X(uint32_t, stackBufferSize)       \
    X(uint32_t, bLength)               \
    X(uint32_t, sLength)               \
    X(uint32_t, hLength)               \
    X(uint32_t, originalHLength)       \
    X(uint32_t, oneCalSize)            \
    X(uint32_t, nohCalSize)            \
    X(uint32_t, loopNum)               \
    X(uint32_t, tailSize)              \
    X(uint32_t, nohTailSize)           \
    X(uint32_t, tmpTensorBSHPos)       \
    X(uint32_t, tmpTensorBSHSize)      \
    X(uint32_t, pdVarTensorPos)        \
    X(uint32_t, pdVarTensorSize)       \
    X(uint32_t, pdMeanTensorPos)       \
    X(uint32_t, pdMeanTensorSize)      \
    X(uint32_t, x1TensorPos)           \
    X(uint32_t, x1TensorSize)          \
    X(uint32_t, x2TensorPos)           \
    X(uint32_t, x2TensorSize)          \
    X(uint32_t, x3TensorPos)           \
    X(uint32_t, x3TensorSize)          \
    X(uint32_t, tmpTensorPos)          \
    X(uint32_t, tmpTensorSize)         \
    X(uint32_t, tmpTensor1Pos)         \
    X(uint32_t, tmpTensor1Size)        \
    X(uint32_t, tmpTensor2Pos)         \
    X(uint32_t, tmpTensor2Size)        \
    X(uint32_t, lastDimValueBack)      \
    X(uint32_t, lastDimValueBackMulTwo)

#define TWIN_LAYER_NORM_GRAD_BETA_TILING(X) \
    X(uint32_t, stackBufferSize)            \
    X(uint32_t, bLength)                    \
    X(uint32_t, sLength)                    \
    X(uint32_t, hLength)                    \
    X(uint32_t, originalHLength)            \
    X(uint32_t, bshLength)                  \
    X(uint32_t, bsLength)                   \
    X(uint32_t, oneCalSize)                 \
    X(uint32_t, numberOfTmpBuf)             \
    X(uint32_t, loopRound)                  \
    X(uint32_t, inputTailSize)              \
    X(uint32_t, inputTailPos)               \
    X(uint32_t, bsTailSize)                 \
    X(uint32_t, bshCurLength)               \
    X(uint32_t, bsCurLength)                \
    X(uint32_t, gammaTempTensorPos)         \
    X(uint32_t, betaTempTensorPos)          \
    X(uint32_t, inputDyTmpTensorPos)        \
    X(uint32_t, resForGammaTmpTensorPos)    \
    X(uint32_t, reserved)

#define TWIN_RMS_NORM_TILING(X)    \
    X(uint32_t, bLength)           \
    X(uint32_t, sLength)           \
    X(uint32_t, hLength)           \
    X(uint32_t, originalHLength)   \
    X(float, reciprocalOfHLength)  \
    X(uint32_t, mainBshLength)     \
    X(uint32_t, mainBsLength)      \
    X(uint32_t, mainBsLengthAlign) \
    X(uint32_t, loopRound)         \
    X(uint32_t, inputTailPos)      \
    X(uint32_t, tailBshLength)     \
    X(uint32_t, tailBsLength)

#define TWIN_BATCH_NORM_TILING(X)     \
    X(uint32_t, originalBLength)      \
    X(uint32_t, meanVarSize)          \
    X(uint32_t, meanTmpTensorPos)     \
    X(uint32_t, varianceTmpTensorPos) \
    X(uint32_t, tmpBufSize)           \
    X(uint32_t, oneTmpSize)           \
    X(uint32_t, firstTmpStartPos)     \
    X(uint32_t, secondTmpStartPos)    \
    X(uint32_t, thirdTmpStartPos)     \
    X(uint32_t, loopRound)            \
    X(uint32_t, inputTailSize)        \
    X(uint32_t, inputTailPos)         \
    X(uint32_t, meanVarTailSize)      \
    X(uint32_t, meanVarTailPos)       \
    X(uint32_t, bshCurLength)         \
    X(uint32_t, shCurLength)          \
    X(float, firstDimValueBack)       \
    X(uint32_t, castHalfRepStride)    \
    X(uint32_t, shCurLengthBlockNum)  \
    X(uint32_t, castHalfOutRepStride)

#define TWIN_GROUP_NORM_TILING(X) \
    X(uint32_t, n)                \
    X(uint32_t, c)                \
    X(uint32_t, hw)               \
    X(uint32_t, g)                \
    X(uint32_t, d)                \
    X(uint32_t, hwAlignSize)      \
    X(uint32_t, dhwAlignSize)     \
    TWIN_NORM_STEPS(X)            \
    X(float, factor)              \
    X(bool, smallShape)

#ifndef TWIN_TILING_FIELD
#define TWIN_TILING_FIELD(type, name) type name = 0;
#endif

namespace AscendC {
namespace tiling {
struct alignas(8) LayerNormTiling {
    TWIN_LAYER_NORM_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) DeepNormTiling {
    TWIN_LAYER_NORM_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) LayerNormSeparateTiling {
    TWIN_LAYER_NORM_SEPARATE_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) LayerNormGradTiling {
    TWIN_LAYER_NORM_GRAD_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) LayerNormGradBetaTiling {
    TWIN_LAYER_NORM_GRAD_BETA_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) RmsNormTiling {
    TWIN_RMS_NORM_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) BatchNormTiling {
    TWIN_BATCH_NORM_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) GroupNormTiling {
    TWIN_GROUP_NORM_TILING(TWIN_TILING_FIELD)
};
}  // namespace tiling
}  // namespace AscendC

#endif
