import {describe, expect, test} from 'vitest'
import {decidedIn, situations, valuesOf} from '../../../helpers/file-decided.ts'

const tensor = (side: string, name: string, types: string, more = '') =>
  `this->${side}("${name}").ParamType(REQUIRED)` +
  `.DataType({${types
    .split(' ')
    .map((one) => `ge::DT_${one}`)
    .join(', ')}})${more};`
const decided = (body: string) =>
  decidedIn(
    'definition',
    `class Fold : public OpDef {\npublic:\n explicit Fold(const char* name) : OpDef(name)\n {\n${body}\n }\n};\nOP_ADD(Fold);`,
  )
const [x, y] = [tensor('Input', 'x', 'FLOAT16 FLOAT'), tensor('Output', 'y', 'FLOAT16 FLOAT')]
const two = (a: string, b: string) => decided(`${tensor('Input', 'x', a)} ${tensor('Input', 'i', b)}`)

describe('types', () => {
  test.each([
    ['FLOAT', 'FLOAT', 'one'],
    ['FLOAT', 'INT32', 'one-mixed'],
    ['FLOAT16 FLOAT', 'FLOAT16 FLOAT', 'same'],
    ['FLOAT FLOAT', 'FLOAT FLOAT', 'repeated'],
    ['FLOAT16 FLOAT', 'INT32 INT32', 'constant'],
    ['FLOAT16 FLOAT FLOAT16 FLOAT', 'INT32 INT32 INT64 INT64', 'product'],
    ['FLOAT16 FLOAT BF16', 'FLOAT FLOAT BF16', 'beside'],
  ])('%s beside %s', async (a, b, situation) => {
    expect(situations(await two(a, b))[0]).toBe(`definition-types/${situation}`)
  })

  test('of a product are counted', async () => {
    const found = await two('FLOAT16 FLOAT FLOAT16 FLOAT', 'INT32 INT32 INT64 INT64')
    expect(valuesOf(found, 'definition-types/product')).toMatchObject({first: 2, second: 2, count: 4})
  })
})

describe('tensors', () => {
  test('that may be left out are told by their place', async () => {
    const optional = x.replace('REQUIRED', 'OPTIONAL').replace('"x"', '"bias"')
    expect(situations(await decided(`${x} ${optional}`))).toContain('definition-tensors/optional-last')
    const found = await decided(`${x} ${optional} ${x.replace('"x"', '"z"')}`)
    expect(valuesOf(found, 'definition-tensors/optional-between')).toMatchObject({names: ['bias'], after: 'z'})
  })

  test('of one name on both sides are updated in place', async () => {
    expect(situations(await decided(`${x} ${y.replace('"y"', '"x"')}`))).toContain('definition-tensors/in-place')
    expect(situations(await decided(`${x} ${y}`))).not.toContain('definition-tensors/in-place')
  })

  test.each([
    ['ValueDepend(OPTIONAL)', 'value-depend'],
    ['AutoContiguous()', 'contiguous'],
    ['IgnoreContiguous()', 'ignore-contiguous'],
    ['InitValue(0)', 'init-value'],
  ])('with %s', async (call, situation) => {
    expect(situations(await decided(x.replace(';', `.${call};`)))).toContain(`definition-tensors/${situation}`)
  })
})

test.each([
  ['this->Attr("a").AttrType(OPTIONAL).Int(1);', 'defaults'],
  ['this->Attr("a").AttrType(OPTIONAL).Int(1); this->Attr("b").AttrType(OPTIONAL).Float();', 'some-defaults'],
  ['this->Attr("a").AttrType(REQUIRED).Int();', 'required'],
  ['this->Attr("a").AttrType(OPTIONAL).Int(1); this->Attr("b").AttrType(REQUIRED).Float();', 'mixed'],
  ['this->Attr("a").AttrType(OPTIONAL).Int();', undefined],
])('attributes: %s', async (attributes, situation) => {
  const found = (await decided(`${x} ${attributes}`)).find(({topic}) => topic === 'definition-attributes')
  expect(found?.situation).toBe(situation)
})

describe('chips', () => {
  const config = (tensors: string, calls = '') =>
    `OpAICoreConfig config; ${tensors.replaceAll('this->', 'config.')} ${calls} ` +
    'this->AICore().AddConfig("ascend310p", config);'

  test('of the default configuration multiply the combinations', async () => {
    const found = await decided(`${x} ${y} this->AICore().AddConfig("a"); this->AICore().AddConfig("b");`)
    expect(valuesOf(found, 'definition-chips/plain')).toMatchObject({combinations: 2, count: 2, builds: 4})
  })

  test.each([
    ['FLOAT', 'fewer-types'],
    ['FLOAT16 FLOAT INT8', 'more-types'],
    ['FLOAT INT8', 'other-types'],
    ['FLOAT16 FLOAT', undefined],
  ])('with a table of %s', async (types, situation) => {
    const found = (await decided(`${x} ${config(tensor('Input', 'x', types))}`)).find(({situation: one}) =>
      /-types$/.test(one),
    )
    expect(found?.situation).toBe(situation)
  })

  test('with a kernel of their own, for shapes that change', async () => {
    const found = await decided(
      `${x} this->AICore().AddConfig("a"); ${config('', 'config.DynamicShapeSupportFlag(true).ExtendCfgInfo("opFile.value", "fold_apt");')}`,
    )
    expect(valuesOf(found, 'definition-chips/own-file')).toMatchObject({files: ['fold_apt']})
    expect(valuesOf(found, 'definition-chips/dynamic')).toMatchObject({ranks: 'no'})
  })
})
