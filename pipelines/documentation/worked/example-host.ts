import {elementTypes} from '../../../cpp/types.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'

type Port = Pick<TensorSpec, 'name' | 'dtype'>

/** A structure of the vendor's library that the host fills: its type, and the statements that fill `tiling.part`. */
export interface HostTiling {
  type: string
  fill: readonly string[]
}

/** How a host launches a kernel: logical cores, and bytes of workspace in addition to the library's own. */
export interface Launch {
  blocks: number
  workspace: number
  /** Whether the library needs its own workspace although the kernel has none. */
  library?: boolean
}

interface HostOptions {
  tiling?: HostTiling | undefined
  /** Default: one core, no workspace. */
  launch?: Launch | undefined
}

/** The host of an operator that launches it and hands it tensors and, where it has them, a tiling or a workspace. */
export function exampleHost(
  operator: string,
  inputs: readonly Port[],
  outputs: readonly Port[],
  {tiling, launch = {blocks: 1, workspace: 0}}: HostOptions = {},
): string {
  const {blocks, workspace, library = workspace > 0} = launch
  const port = (kind: string, {name, dtype}: Port) =>
    `this->${kind}("${name}").ParamType(REQUIRED).DataType({ge::${elementTypes[dtype].constant}})` +
    '.Format({ge::FORMAT_ND});'
  const ports = [...inputs.map((one) => port('Input', one)), ...outputs.map((one) => port('Output', one))]
  const filled = tiling ? tilingOf(operator, tiling) : {headers: '', structure: '', statements: ''}
  const platform = library ? '#include "tiling/platform/platform_ascendc.h"\n' : ''
  const ofPlatform = library
    ? '    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());\n'
    : ''
  const sizes = [...(library ? ['platform.GetLibApiWorkSpaceSize()'] : []), ...(workspace > 0 ? [workspace] : [])]
  return `#include "register/op_def_registry.h"
${filled.headers}${platform}
namespace optiling {
${filled.structure}static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
${filled.statements}    context->SetBlockDim(${blocks});
${ofPlatform}    context->GetWorkspaceSizes(1)[0] = ${sizes.join(' + ') || 0};
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class ${operator} : public OpDef {
public:
    explicit ${operator}(const char* name) : OpDef(name)
    {
        ${ports.join('\n        ')}
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(${operator});
} // namespace ops
`
}

function tilingOf(operator: string, {type, fill}: HostTiling) {
  return {
    headers: '#include "register/tilingdata_base.h"\n#include "tiling/tiling_api.h"\n',
    structure: `BEGIN_TILING_DATA_DEF(${operator}Tiling)
TILING_DATA_FIELD_DEF_STRUCT(${type}, part);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(${operator}, ${operator}Tiling)

`,
    statements: `    ${operator}Tiling tiling;
    ${fill.join('\n    ')}
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
`,
  }
}
