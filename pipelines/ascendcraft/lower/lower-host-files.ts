import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Expression, HostParameter} from '../language/ast.ts'
import {definition, printCode, separated, type Code} from './cpp-text.ts'
import {elementNames} from './cpp-elements.ts'
import {hostDialect} from './host-dialect.ts'
import {attributesOf, inputsOf, tilingBody} from './host-tiling.ts'
import {namesIn} from './mentions.ts'
import {within} from '../language/check/walk.ts'
import {camelCase} from './cpp-names.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {scalarCode, helperDefinition, Needs} from './scalar-code.ts'
import {workspaceFields} from './workspaces.ts'

type Output = HostParameter & {kind: 'output'}

const fieldTypes = {int: 'int64_t', float: 'float', bool: 'bool'} as const

/** The tiling structure, and everything of the operator that runs on the host. `base`: of the files' names. */
export function hostFiles(plan: KernelPlan, operator: string, base: string): SourceFile[] {
  return [
    {path: `op_host/${base}_tiling.h`, text: tilingHeader(plan, operator, base)},
    {path: `op_host/${base}.cpp`, text: hostSource(plan, operator, base)},
  ]
}

function tilingHeader(plan: KernelPlan, operator: string, base: string): string {
  const guard = `${base.toUpperCase()}_TILING_H`
  const fields = [
    ...plan.fields.map(({field, parameter}) => `TILING_DATA_FIELD_DEF(${fieldTypes[parameter.type]}, ${field});`),
    ...workspaceFields(plan).map(({field}) => `TILING_DATA_FIELD_DEF(int64_t, ${field});`),
  ]
  const lines = [
    `#ifndef ${guard}`,
    `#define ${guard}`,
    '',
    '#include "register/tilingdata_base.h"',
    '',
    'namespace optiling {',
    `BEGIN_TILING_DATA_DEF(${operator}TilingData)`,
    ...fields,
    'END_TILING_DATA_DEF;',
    '',
    `REGISTER_TILING_DATA_CLASS(${operator}, ${operator}TilingData)`,
    '} // namespace optiling',
    '',
    `#endif // ${guard}`,
  ]
  return `${lines.join('\n')}\n`
}

function hostSource(plan: KernelPlan, operator: string, base: string): string {
  const needs = new Needs()
  const tiling = tilingBody(plan, needs, operator)
  const shapes = inferShape(plan, needs)
  const usesPlatform = printCode(tiling).some((line) => line.includes('platform_ascendc'))
  const headers = [...needs.headers].sort().map((name) => `#include <${name}>`)
  const text = separated([
    [`#include "${base}_tiling.h"`],
    headers,
    [
      '#include "register/op_def_registry.h"',
      ...(usesPlatform ? ['#include "tiling/platform/platform_ascendc.h"'] : []),
    ],
    helpers(needs),
    namespace('optiling', definition('static ge::graphStatus TilingFunc(gert::TilingContext* context)', tiling)),
    namespace(
      'ge',
      separated([
        definition('static graphStatus InferShape(gert::InferShapeContext* context)', shapes),
        definition('static graphStatus InferDataType(gert::InferDataTypeContext* context)', inferTypes(plan)),
      ]),
    ),
    namespace('ops', operatorDefinition(plan, operator)),
  ])
  return `${printCode(text).join('\n')}\n`
}

function namespace(name: string, body: Code): Code {
  return [`namespace ${name} {`, ...body, `} // namespace ${name}`]
}

function helpers({helpers: names}: Needs): Code {
  return separated(
    [...names].map((name) => {
      const [head = '', ...body] = helperDefinition(name)
      return definition(`static ${head}`, body)
    }),
  )
}

export function outputsOf(parameters: readonly HostParameter[]): Output[] {
  return parameters.filter((one): one is Output => one.kind === 'output')
}

function inferShape(plan: KernelPlan, needs: Needs): Code {
  const {checked} = plan
  const {parameters} = checked.module.host
  const outputs = outputsOf(parameters)
  const all = outputs.flatMap(({shape}) => shape)
  const dialect = hostDialect({
    checked,
    facts: plan.hostFacts,
    needs,
    nameOf: camelCase,
    shapeOf: (tensor) => `${camelCase(tensor)}Shape->`,
    sizes: 'gert',
  })
  const lines = outputs.flatMap(({name, shape}, at) => {
    const output = `${camelCase(name)}Shape`
    return [
      `gert::Shape* ${output} = context->GetOutputShape(${at});`,
      `${output}->SetDimNum(${shape.length});`,
      ...shape.map((axis, index) => `${output}->SetDim(${index}, ${scalarCode(axis, dialect).text});`),
    ]
  })
  return [...inferInputs(parameters, all), ...lines, 'return GRAPH_SUCCESS;']
}

/** Shapes and attributes that shapes of outputs depend on. */
function inferInputs(parameters: readonly HostParameter[], all: readonly Expression[]): string[] {
  const read = all.flatMap(within)
  const shaped = new Set(read.flatMap((one) => (one.kind === 'shape' || one.kind === 'count' ? [one.tensor] : [])))
  const named = new Set(namesIn(all))
  return [
    ...inputsOf(parameters).flatMap(({name}, at) =>
      shaped.has(name) ? [`const gert::Shape* ${camelCase(name)}Shape = context->GetInputShape(${at});`] : [],
    ),
    ...attributesOf(parameters).flatMap(({name, type}, at) => {
      const cpp = {int: 'int64_t', float: 'float', bool: 'bool'}[type]
      if (!named.has(name)) return []
      return [`const ${cpp} ${camelCase(name)} = *context->GetAttrs()->GetAttrPointer<${cpp}>(${at});`]
    }),
  ]
}

function inferTypes({checked}: KernelPlan): Code {
  const lines = outputsOf(checked.module.host.parameters).map(
    (output, at) => `context->SetOutputDataType(${at}, ${geType(output)});`,
  )
  return [...lines, 'return GRAPH_SUCCESS;']
}

function geType(parameter: HostParameter): string {
  if (parameter.kind === 'attribute' || parameter.type.kind !== 'type')
    throw new TypeError(`lowering: ${parameter.name} has no element type`)
  return elementNames(parameter.type.type).ge
}

/** Where a writer of the operator begins: its definition, and a tiling function that only takes all cores. */
export function hostTemplate(plan: KernelPlan, operator: string, base: string): SourceFile {
  const tiling = [
    'context->SetBlockDim(platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAiv());',
    'return ge::GRAPH_SUCCESS;',
  ]
  const text = separated([
    ['#include "register/op_def_registry.h"', '#include "tiling/platform/platform_ascendc.h"'],
    namespace('optiling', definition('static ge::graphStatus TilingFunc(gert::TilingContext* context)', tiling)),
    namespace('ops', operatorDefinition(plan, operator, [])),
  ])
  return {path: `op_host/${base}.cpp`, text: `${printCode(text).join('\n')}\n`}
}

const inference = ['this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);']

function operatorDefinition({checked}: KernelPlan, operator: string, inferred: readonly string[] = inference): Code {
  const {parameters} = checked.module.host
  const tensor = (kind: 'Input' | 'Output') => (parameter: HostParameter) => [
    `this->${kind}("${parameter.name}")`,
    [
      '.ParamType(REQUIRED)',
      `.DataType({ge::${geType(parameter)}})`,
      '.Format({ge::FORMAT_ND})',
      '.UnknownShapeFormat({ge::FORMAT_ND});',
    ],
  ]
  const attributes = attributesOf(parameters).map(({name, type, default: value}) => {
    const set = {float: 'Float', int: 'Int', bool: 'Bool'}[type]
    const text = type === 'float' && Number.isInteger(value) ? `${value}.0` : String(value)
    return `this->Attr("${name}").AttrType(OPTIONAL).${set}(${text});`
  })
  return [
    `class ${operator} : public OpDef {`,
    'public:',
    [
      `explicit ${operator}(const char* name) : OpDef(name)`,
      '{',
      [
        ...inputsOf(parameters).flatMap(tensor('Input')),
        ...outputsOf(parameters).flatMap(tensor('Output')),
        ...attributes,
        '',
        ...inferred,
        'this->AICore().SetTiling(optiling::TilingFunc);',
        'this->AICore().AddConfig("ascend910b");',
      ],
      '}',
    ],
    '};',
    '',
    `OP_ADD(${operator});`,
  ]
}
