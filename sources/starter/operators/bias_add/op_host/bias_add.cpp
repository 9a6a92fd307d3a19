// SPDX-License-Identifier: Apache-2.0
#include "bias_add_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t MAX_TILE_ROWS = 64;

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

    const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
    const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);
    const uint32_t rows = shape.GetShapeSize() / cols;
    const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
    const uint32_t typeBytes = dtype == ge::DT_FLOAT ? 4 : 2;
    const uint32_t alignedCols = RoundUp(cols, BLOCK_BYTES / typeBytes);

    // Each row of a tile: input and output, double buffered, and a float copy of half. Once: the bias and its copy.
    const uint32_t floatBytes = dtype == ge::DT_FLOAT ? 0 : sizeof(float);
    const uint64_t rowBytes = static_cast<uint64_t>(alignedCols) * (4 * typeBytes + floatBytes);
    const uint64_t fixedBytes = static_cast<uint64_t>(alignedCols) * (typeBytes + floatBytes) + 1024;
    if (fixedBytes + rowBytes > ubBytes) {
        return ge::GRAPH_FAILED; // a single row does not fit into UB
    }
    const uint32_t tileRows = std::min<uint64_t>((ubBytes - fixedBytes) / rowBytes, MAX_TILE_ROWS);

    BiasAddTilingData tiling;
    tiling.set_cols(cols);
    tiling.set_alignedCols(alignedCols);
    tiling.set_tileRows(tileRows);
    // The first `extraRows` cores take one row more than the others.
    const uint32_t usedCoreNum = std::max(std::min(rows, coreNum), 1u);
    tiling.set_rowsPerCore(rows / usedCoreNum);
    tiling.set_extraRows(rows % usedCoreNum);
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
class BiasAdd : public OpDef {
public:
    explicit BiasAdd(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(BiasAdd);
} // namespace ops
