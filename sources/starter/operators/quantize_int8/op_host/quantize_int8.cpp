// SPDX-License-Identifier: Apache-2.0
#include "quantize_int8_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t MAX_TILE_LENGTH = 4096; // elements
constexpr uint32_t TILE_STEP = 256;
constexpr uint32_t OUTPUT_BLOCK_LENGTH = 32; // int8 elements in 32 bytes

static uint32_t CeilDiv(uint32_t value, uint32_t divisor)
{
    return (value + divisor - 1) / divisor;
}

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t coreNum = platform.GetCoreNumAiv();
    const uint32_t totalLength = context->GetInputShape(0)->GetStorageShape().GetShapeSize();

    // The split follows the output: an int8 block of 32 elements is never shared by two cores.
    const uint32_t blockCount = std::max(CeilDiv(totalLength, OUTPUT_BLOCK_LENGTH), 1u);
    const uint32_t blockLength = CeilDiv(blockCount, coreNum) * OUTPUT_BLOCK_LENGTH;

    QuantizeInt8TilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    // A quarter of the core's share, in steps of 256 elements: four tiles keep both buffers of a queue busy.
    tiling.set_tileLength(std::min(CeilDiv(blockLength, 4 * TILE_STEP) * TILE_STEP, MAX_TILE_LENGTH));
    tiling.set_scale(*context->GetAttrs()->GetAttrPointer<float>(0));
    tiling.set_offset(*context->GetAttrs()->GetAttrPointer<float>(1));
    context->SetBlockDim(std::max(CeilDiv(totalLength, blockLength), 1u));
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
    context->SetOutputDataType(0, ge::DT_INT8);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class QuantizeInt8 : public OpDef {
public:
    explicit QuantizeInt8(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_INT8, ge::DT_INT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        this->Attr("offset").AttrType(OPTIONAL).Float(0.0);

        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(QuantizeInt8);
} // namespace ops
