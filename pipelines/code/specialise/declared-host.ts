import {kernelName, type OperatorDefinition} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {elementTypes} from '../../../cpp/types.ts'

/**
 * A host side that only declares the operator, in the types of one scenario, and launches every core: it hands no
 * tiling data and no workspace to the kernel.
 */
export function declaredHost(definition: OperatorDefinition, dtypes: Readonly<Record<string, Dtype>>): SourceFile {
  const {operator, inputs, outputs, attributes} = definition
  const parameters = [
    ...inputs.map((one) => ({side: 'Input', ...one})),
    ...outputs.map((one) => ({side: 'Output', ...one})),
  ].map(({side, name, kind, dtypes: column}) =>
    [
      `        this->${side}("${name}")`,
      `            .ParamType(${kind.toUpperCase()})`,
      `            .DataType({ge::${elementTypes[dtypes[name] ?? column[0] ?? 'float32'].constant}})`,
      '            .Format({ge::FORMAT_ND})',
      '            .UnknownShapeFormat({ge::FORMAT_ND});',
    ].join('\n'),
  )
  const given = attributes.map(({name, required, type, default: value}) => {
    const call = required ? `${type}()` : `${type}(${value})`
    return `        this->Attr("${name}").AttrType(${required ? 'REQUIRED' : 'OPTIONAL'}).${call};`
  })
  return {
    path: `op_host/${kernelName(operator)}.cpp`,
    text: [
      '#include "register/op_def_registry.h"',
      '#include "tiling/platform/platform_ascendc.h"',
      '',
      'namespace optiling {',
      'static ge::graphStatus TilingFunc(gert::TilingContext* context)',
      '{',
      '    context->SetBlockDim(platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAiv());',
      '    return ge::GRAPH_SUCCESS;',
      '}',
      '} // namespace optiling',
      '',
      'namespace ops {',
      `class ${operator} : public OpDef {`,
      'public:',
      `    explicit ${operator}(const char* name) : OpDef(name)`,
      '    {',
      ...parameters,
      ...given,
      '        this->AICore().SetTiling(optiling::TilingFunc);',
      '        this->AICore().AddConfig("ascend910b");',
      '        this->AICore().AddConfig("ascend910_93");',
      '    }',
      '};',
      `OP_ADD(${operator});`,
      '} // namespace ops',
      '',
    ].join('\n'),
  }
}
