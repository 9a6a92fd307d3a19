import type {ApiFacts} from '../../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {describe, expect, test} from 'vitest'
import {apiRequest, listText, signatureOf} from '../../../../pipelines/code/offline/api-request.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {both, flowOf, sourceOf} from '../../../helpers/told-parts.ts'

const nothing = {functions: [], prototypes: [], launches: [], lists: [], computations: []}
const said = (given: object) =>
  both((voice) => apiRequest(sourceOf(''), {...nothing, ...given} as unknown as ApiFacts, voice)).split('\n')
const flows = (count: number, head = '') =>
  functionFlows(Array.from({length: count}, (_, index) => `${head} int F${index}(int a) { return 0; }`).join('\n'))

describe('what is asked for', () => {
  test.each<[string, object, string, string]>([
    [
      'a header',
      {},
      'Please write the header `op_kernel/a.cpp` with the interface of the operator `Fold`.',
      '请编写头文件 `op_kernel/a.cpp`，声明算子 `Fold` 的接口。',
    ],
    [
      'an interface of two phases',
      {functions: [{isStatic: true}, {name: 'aclnnPGetWorkspaceSize', parameters: []}]},
      'Please write `op_kernel/a.cpp`, the two-phase aclnn interface of the operator `Fold`. It provides `aclnnPGetWorkspaceSize()`.',
      '请编写 `op_kernel/a.cpp`，实现算子 `Fold` 的两段式 aclnn 接口。提供 `aclnnPGetWorkspaceSize()`。',
    ],
    [
      'what puts work on a queue',
      {functions: [{isStatic: true}], launches: [{}]},
      'Please write `op_kernel/a.cpp`, which puts the operator `Fold` on the launcher list for its aclnn interface.',
      '请编写 `op_kernel/a.cpp`，实现算子 `Fold` 的 L0 接口，把任务加入执行队列。',
    ],
    [
      'a part',
      {functions: [{isStatic: true}]},
      'Please write `op_kernel/a.cpp`, part of the host interface of the operator `Fold`.',
      '请编写 `op_kernel/a.cpp`，它是算子 `Fold` Host 侧接口的一部分。',
    ],
  ])('is %s', (_, given, en, zh) => {
    expect(said(given)).toEqual([en, zh])
  })
})

describe('functions', () => {
  test('are provided, but for static ones, or declared', async () => {
    const [open, hidden] = [await flows(1), await flows(1, 'static')]
    expect(said({functions: [...open, ...hidden]})[0]).toMatch(/`Fold`\. It provides `F0\(int a\)`\.$/)
    expect(said({prototypes: open})[0]).toMatch(/`Fold`\. It declares `F0\(int a\)`\.$/)
    expect(said({prototypes: open})[1]).toMatch(/声明 `F0\(int a\)`。$/)
    expect(said({functions: hidden, prototypes: open})[0]).toMatch(/It provides `F0\(int a\)`\.$/)
  })

  test.each([
    [4, ' and `F3(int a)`.', '、`F3(int a)`。'],
    [5, ' and `F3(int a)` and 1 more.', '、`F3(int a)` 等 5 个函数。'],
  ])('of %i four are told', async (count, en, zh) => {
    const told = said({functions: await flows(count)})
    expect([told[0]?.endsWith(en), told[1]?.endsWith(zh)]).toEqual([true, true])
  })

  test.each([
    ['int F(const aclTensor* x, int64_t n)', 'F(const aclTensor* x, int64_t n)'],
    ['int F()', 'F()'],
    ['int F(int shape[8], int table[2][3])', 'F(int shape[8], int table[2][3])'],
  ])('%s', async (head, signature) => {
    expect(signatureOf(await flowOf(`${head} { return 0; }`))).toBe(signature)
  })
})

test('type lists are told where they are used and not empty, four at most', () => {
  const list = (name: string, users = ['F'], dtypes = ['DT_FLOAT', 'DT_INT8']) => ({name, users, dtypes})
  expect(listText(list('A'))).toBe('`A` = `DT_FLOAT`, `DT_INT8`')
  const lists = [
    list('no', []),
    list('none', ['F'], []),
    ...['A', 'B', 'C', 'D', 'E'].map((name) => list(name, ['F'], ['X'])),
  ]
  const told = said({lists})
  expect(told[0]?.endsWith(' Type lists: `A` = `X`; `B` = `X`; `C` = `X`; `D` = `X`.')).toBe(true)
  expect(told[1]?.endsWith('。类型列表：`A` = `X`;`B` = `X`;`C` = `X`;`D` = `X`。')).toBe(true)
  expect(said({lists: lists.slice(0, 2)})).toEqual(said({}))
})

test.each([8, 9])('of %i computations eight are told', (count) => {
  const [en, zh] = said({computations: Array.from({length: count}, (_, index) => `C${index}`)})
  expect(en).toContain(' Available to build on: `l0op::C0`, ')
  expect(en?.endsWith(' and `l0op::C7`.')).toBe(true)
  expect(zh).toContain('。可以使用的底层接口有 `l0op::C0`、')
  expect(zh?.endsWith('、`l0op::C7`。')).toBe(true)
})

test('what the pages allow of parameters of an interface is told, by either way of writing their names', () => {
  const parameters = ['x_grad', 'self', 'dim', 'out', 'executor'].map((name) => ({type: 'int', name}))
  const limits = [
    {name: 'xGradOptional', dtypes: ['float32', 'float16'], ranks: [2, 3, 4]},
    {name: 'self', dtypes: [], ranks: [1], like: 'out'},
    {name: 'dim', dtypes: [], ranks: [], range: [-4, 3]},
    {name: 'other', dtypes: ['int8'], ranks: [1]},
  ]
  const source = {...sourceOf(''), purpose: {text: '', formulas: [], limits}} as unknown as OperatorSource
  const plan = {name: 'aclnnPGetWorkspaceSize', parameters}
  const told = (functions: object[]) =>
    both((voice) => apiRequest(source, {...nothing, functions} as unknown as ApiFacts, voice)).split('\n')
  const [en, zh] = told([plan])
  expect(en).toContain(
    'Documented limits: `x_grad` (float32, float16; 2 to 4 dimensions), ' +
      '`self` (1 dimension; the shape of `out`), `dim` (-4 to 3).',
  )
  expect(zh).toContain(
    '文档规定的限制：`x_grad`（float32、float16；2 至 4 维）、`self`（1 维；形状与 `out` 相同）、`dim`（取值 -4 至 3）。',
  )
  expect(told([{...plan, name: 'Helper'}]).join()).not.toMatch(/Documented|文档规定/)
})
