import {expect, test} from 'vitest'
import {parseOperatorDefinitions} from '../../../../cpp/op-def.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {oneColumn} from '../../../../pipelines/code/specialise/reduce-host.ts'

const tensor = (side: string, name: string, types: string, more = '') =>
  `    this->${side}("${name}").ParamType(REQUIRED).DataType({${types}})${more};\n`
const definition = (body: string) => `// Above.
class Fold : public OpDef {
public:
  explicit Fold(const char* name) : OpDef(name) {
${body}  }
};
OP_ADD(Fold);
`
function reduced(text: string, dtypes: Readonly<Record<string, Dtype>>, declared = text): string {
  const [found] = parseOperatorDefinitions(declared)
  return oneColumn(text, found!, dtypes)
}

const both = 'ge::DT_FLOAT16, ge::DT_FLOAT'
const pair = (x = both, y = both) => tensor('Input', 'x', x) + tensor('Output', 'y', y)
const chip = (name: string, config = '') => `    this->AICore().AddConfig("${name}"${config && `, ${config}`});\n`
const config = (name: string) =>
  `    OpAICoreConfig ${name};\n    ${name}.DynamicCompileStaticFlag(true)\n        .DynamicRankSupportFlag(true);\n`

test.each<[name: string, body: string, dtypes: Readonly<Record<string, Dtype>>, after: string]>([
  ['the first column', pair(), {x: 'float16', y: 'float16'}, pair('ge::DT_FLOAT16', 'ge::DT_FLOAT16')],
  ['the last column', pair(), {x: 'float32', y: 'float32'}, pair('ge::DT_FLOAT', 'ge::DT_FLOAT')],
  ['no column has these types', pair(), {x: 'float16', y: 'float32'}, pair()],
  ['a type that was not said', pair(), {x: 'float16'}, pair()],
  [
    'one column alone',
    pair('ge::DT_FLOAT', 'ge::DT_FLOAT'),
    {x: 'float32', y: 'float32'},
    pair('ge::DT_FLOAT', 'ge::DT_FLOAT'),
  ],
  [
    'formats go by column, too',
    tensor('Input', 'x', both, '.Format({ge::FORMAT_ND, ge::FORMAT_NC}).UnknownShapeFormat({ge::A, ge::B})'),
    {x: 'float32'},
    tensor('Input', 'x', 'ge::DT_FLOAT', '.Format({ge::FORMAT_NC}).UnknownShapeFormat({ge::B})'),
  ],
  [
    'a comma at the end begins no column',
    tensor('Input', 'x', `${both},`, '.Format({ge::A, ge::B,})'),
    {x: 'float32'},
    tensor('Input', 'x', 'ge::DT_FLOAT', '.Format({ge::B})'),
  ],
  [
    'a list of another length stays',
    tensor('Input', 'x', both, '.Format({ge::A})'),
    {x: 'float32'},
    tensor('Input', 'x', 'ge::DT_FLOAT', '.Format({ge::A})'),
  ],
])('of the types, %s', (_, body, dtypes, after) => {
  expect(reduced(definition(body), dtypes)).toBe(definition(after))
})

const x = tensor('Input', 'x', 'ge::DT_FLOAT')

test.each<[name: string, body: string, after: string]>([
  ['of other chips go', x + chip('ascend910') + chip('ascend910b') + chip('ascend310p'), x + chip('ascend910b')],
  [
    'of both chips of ours stay',
    x + chip('ascend910b') + chip('ascend910_93'),
    x + chip('ascend910b') + chip('ascend910_93'),
  ],
  ['stay where none is ours', x + chip('ascend310p') + chip('ascend910'), x + chip('ascend310p') + chip('ascend910')],
  [
    'that nobody takes then go with what fills them',
    x + config('a') + config('b') + chip('ascend910b', 'a') + chip('ascend310p', 'b'),
    x + config('a') + chip('ascend910b', 'a'),
  ],
  [
    'that ours takes as well stay',
    x + config('a') + chip('ascend910b', 'a') + chip('ascend310p', 'a'),
    x + config('a') + chip('ascend910b', 'a'),
  ],
  [
    'that only begin with the name stay',
    x + config('a') + config('ab') + chip('ascend910b', 'ab') + chip('ascend310p', 'a'),
    x + config('ab') + chip('ascend910b', 'ab'),
  ],
])('configurations %s', (_, body, after) => {
  expect(reduced(definition(body), {x: 'float32'})).toBe(definition(after))
})

test('a text that does not hold the definition stays', () => {
  const text = '#include "fold_def.h"\n'
  expect(reduced(text, {x: 'float16', y: 'float16'}, definition(pair()))).toBe(text)
})

test('a class without an end, and of another operator, stay', () => {
  const whole = definition(pair())
  const cut = whole.slice(0, whole.indexOf('};'))
  expect(reduced(cut, {x: 'float16', y: 'float16'}, whole)).toBe(cut)
  const other = whole.replaceAll('Fold', 'Folder')
  expect(reduced(other, {x: 'float16', y: 'float16'}, whole)).toBe(other)
})
