// SPDX-License-Identifier: Apache-2.0
#include "ema_update_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BLOCK_BYTES = 32;   // granularity of DataCopy
constexpr uint32_t VECTOR_BYTES = 256; // one vector repeat

static uint32_t CeilDiv(uint32_t value, uint32_t divisor)
{
    return (value + divisor - 1) / divisor;
}

static uint32_t RoundUp(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubBytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);
    const uint32_t coreNum = platform.GetCoreNumAiv();

    const uint32_t totalLength = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
    const uint32_t typeBytes = dtype == ge::DT_FLOAT ? 4 : 2;
    const uint32_t alignLength = BLOCK_BYTES / typeBytes;
    // Every core but the last starts and ends at a 32-byte boundary; cores beyond the data are not launched.
    const uint32_t blockLength = std::max(RoundUp(CeilDiv(totalLength, coreNum), alignLength), alignLength);
    const uint32_t usedCoreNum = std::max(CeilDiv(totalLength, blockLength), 1u);

    // Two inputs and the output, double buffered, and two float temporaries.
    const uint32_t bytesPerElement = 6 * typeBytes + 2 * sizeof(float);
    const uint32_t vectorLength = VECTOR_BYTES / typeBytes;
    const uint32_t fittingLength = ubBytes / bytesPerElement;
    const uint32_t maxTileLength = fittingLength / vectorLength * vectorLength;
    // Four tiles a core, where there is enough to do, let the copies of one tile run beside the arithmetic of another.
    const uint32_t tileLength = std::min(maxTileLength, RoundUp(CeilDiv(blockLength, 4), vectorLength));

    EmaUpdateTilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength(tileLength);
    tiling.set_decay(*context->GetAttrs()->GetAttrPointer<float>(0));
    context->SetBlockDim(usedCoreNum);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class EmaUpdate : public OpDef {
public:
    explicit EmaUpdate(const char* name) : OpDef(name)
    {
        this->Input("average")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("value")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("average")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("decay").AttrType(OPTIONAL).Float(0.9);

        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(EmaUpdate);
} // namespace ops
