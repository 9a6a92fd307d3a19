import {elementTypes} from '../../../cpp/types.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'

type Port = Pick<TensorSpec, 'name' | 'dtype'>

/** The host of an operator that launches one core and hands it nothing but its tensors. */
export function exampleHost(operator: string, inputs: readonly Port[], outputs: readonly Port[]): string {
  const port = (kind: string, {name, dtype}: Port) =>
    `this->${kind}("${name}").ParamType(REQUIRED).DataType({ge::${elementTypes[dtype].constant}})` +
    '.Format({ge::FORMAT_ND});'
  const ports = [...inputs.map((one) => port('Input', one)), ...outputs.map((one) => port('Output', one))]
  return `#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 0;
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
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(${operator});
} // namespace ops
`
}
