import type {HostFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {
  definitionParagraph,
  launchParagraph,
  refusalParagraph,
} from '../../../../pipelines/code/offline/host-duties-paragraphs.ts'
import {both, hostOf} from '../../../helpers/told-parts.ts'

describe('the launch', () => {
  const said = async (body: string, before = '') => {
    const facts = await hostOf(`${before}\nstatic ge::graphStatus Tile(gert::TilingContext* context) { ${body} }`)
    return both((voice) => launchParagraph(facts, voice)).split('\n')
  }

  test.each([
    ['', ['', '']],
    [
      'context->SetBlockDim(cores);',
      ['The launch uses `SetBlockDim(cores)`.', '启动核数由 `SetBlockDim(cores)` 设置。'],
    ],
    [
      'context->SetBlockDim(1);',
      [
        'The launch uses `SetBlockDim(1)`. ' +
          'A single core does the whole work, which keeps the order of operations fixed.',
        '启动核数由 `SetBlockDim(1)` 设置。整个计算由一个核完成,运算顺序固定。',
      ],
    ],
    ['context->SetTilingKey(1);', ['The tiling key is `1` in every case.', 'tiling key 固定为 `1`。']],
    ['context->SetTilingKey(KEY_A);', ['The tiling key is `KEY_A` in every case.', 'tiling key 固定为 `KEY_A`。']],
    [
      'context->SetTilingKey(GET_TPL_TILING_KEY(A, B1));',
      [
        'The tiling key is `GET_TPL_TILING_KEY(A, B1)` in every case.',
        'tiling key 固定为 `GET_TPL_TILING_KEY(A, B1)`。',
      ],
    ],
    [
      'context->SetTilingKey(base + 1);',
      ['The tiling key is computed as `base + 1`.', 'tiling key 由 `base + 1` 得到。'],
    ],
    [
      'size_t* sizes = context->GetWorkspaceSizes(1); sizes[0] = 0; workspace[0] = system;',
      ['The workspace is `system` bytes.', 'workspace 大小为 `system` 字节。'],
    ],
  ])('%s', async (body, told) => {
    expect(await said(body)).toEqual(told)
  })

  test('a key that constants give is the same in every case', async () => {
    const key = 'context->SetTilingKey(base + 1);'
    expect((await said(key, 'constexpr int base = 2;'))[0]).toBe('The tiling key is `base + 1` in every case.')
  })

  test('what has cases is told with them', async () => {
    const two = (call: string) => `if (n > 1) { context->${call}(n); } else { context->${call}(2); }`
    expect(await said(two('SetBlockDim'))).toEqual([
      'What the launch gets depends on the case. In `Tile`: where `n > 1` holds: `context->SetBlockDim(n)`; ' +
        'where `n > 1` does not hold: `context->SetBlockDim(2)`.',
      '启动参数随情况而定。`Tile` 中:当 `n > 1` 成立时:`context->SetBlockDim(n)`;' +
        '当 `n > 1` 不成立时:`context->SetBlockDim(2)`。',
    ])
    expect(await said(two('SetTilingKey'))).toEqual([
      'The tiling key names the variant of the kernel that runs, so it has to follow the case. ' +
        'In `Tile`: where `n > 1` holds: `context->SetTilingKey(n)`; ' +
        'where `n > 1` does not hold: `context->SetTilingKey(2)`.',
      'tiling key 决定运行核函数的哪个分支,因此要按情况取值。`Tile` 中:当 `n > 1` 成立时:`context->SetTilingKey(n)`;' +
        '当 `n > 1` 不成立时:`context->SetTilingKey(2)`。',
    ])
  })

  test.each([
    ['if (context != nullptr) { context->SetBlockDim(4); }', true],
    ['if (context == nullptr) { return; } else { context->SetBlockDim(4); }', false],
    ['if (other != nullptr) { context->SetBlockDim(4); }', false],
    ['for (int i = 0; i < n; i++) { context->SetBlockDim(4); }', false],
  ])('that the framework gave what is written to is no case: %s', async (body, isAlways) => {
    expect((await said(body))[0]?.startsWith('The launch uses `SetBlockDim(4)`.')).toBe(isAlways)
  })
})

describe('refusals', () => {
  const said = (refusals: object[]) =>
    both((voice) => refusalParagraph({refusals} as unknown as HostFacts, voice)).split('\n')
  const where = (count: number) =>
    Array.from({length: count}, (_, index) => ({condition: `n == ${index}`, branches: []}))

  test('are told with the branches around them', () => {
    expect(said([])).toEqual(['', ''])
    expect(said([{condition: 'n == 0', branches: [{condition: 'big', arm: 'then'}]}])).toEqual([
      'Tiling must fail early when it cannot work: `n == 0` (where `big` holds) leads to `GRAPH_FAILED`.',
      '不满足条件时应尽早失败:`n == 0`(当 `big` 成立时) 返回 `GRAPH_FAILED`。',
    ])
  })

  test.each([
    [2, '`n == 1` lead to', '`n == 1` 返回'],
    [8, '`n == 7` lead to', '`n == 7` 返回'],
    [9, '`n == 7`, and 1 more check lead to', '`n == 7` 等 9 项检查 返回'],
    [10, '`n == 7`, and 2 more checks lead to', '`n == 7` 等 10 项检查 返回'],
  ])('of %i eight are told', (count, en, zh) => {
    const told = said(where(count))
    expect(told[0]?.endsWith(`, ${en} \`GRAPH_FAILED\`.`)).toBe(true)
    expect(told[1]?.endsWith(`、${zh} \`GRAPH_FAILED\`。`)).toBe(true)
  })
})

describe('the definition', () => {
  const said = (definitions: object[], registrations: string[] = []) =>
    both((voice) => definitionParagraph({definitions, registrations} as unknown as HostFacts, voice)).split('\n')
  const tensor = (...dtypes: string[]) => ({dtypes})

  test('has columns of types, and chips', () => {
    expect(said([])).toEqual(['', ''])
    expect(said([{inputs: [tensor('a')], outputs: [tensor('a'), tensor('a')], socs: []}])).toEqual([
      'The definition lists 1 input and 2 outputs; their type lists are columns of one table, ' +
        'here with 1 combination, so all lists have the same length.',
      '算子原型包含 1 个输入、2 个输出;各自的类型列表按列对应,共 1 种组合,长度必须一致。',
    ])
    expect(said([{inputs: [], outputs: [tensor('a', 'b')], socs: ['ascend910b', 'ascend910_93']}])).toEqual([
      'The definition lists 0 inputs and 1 output; their type lists are columns of one table, ' +
        'here with 2 combinations, so all lists have the same length. ' +
        'It is registered for `ascend910b` and `ascend910_93`.',
      '算子原型包含 0 个输入、1 个输出;各自的类型列表按列对应,共 2 种组合,长度必须一致。' +
        '注册的芯片为 `ascend910b`、`ascend910_93`。',
    ])
    expect(said([{inputs: [], outputs: [], socs: []}])[0]).toContain('here with 0 combinations')
  })

  test.each([
    [['A'], '`A` binds the functions to the operator.', '`A` 把函数绑定到算子上。'],
    [['A', 'B'], '`A` and `B` bind the functions to the operator.', '`A`、`B` 把函数绑定到算子上。'],
  ])('is bound by %j', (registrations, en, zh) => {
    expect(said([], registrations)).toEqual([en, zh])
  })
})
