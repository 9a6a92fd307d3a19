import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import type {Branch} from '../../../../cpp/syntax.ts'
import {splitParagraph} from '../../../../pipelines/code/offline/split-paragraph.ts'
import {both} from '../../../helpers/told-parts.ts'

const opening = 'Next the split over cores: every core runs the same code and finds its share by its block index. '
const zhOpening = '接着考虑多核切分:每个核执行同一份代码,依靠 block 编号确定自己的数据范围。'
const at = (statement: string, ...branches: Branch[]) => ({statement, branches})
const said = (split: object[], tilingFields: string[] = []) =>
  both((voice) => splitParagraph({split, tilingFields} as unknown as KernelFacts, voice)).split('\n')
const numbered = (count: number) => Array.from({length: count}, (_, index) => `f${index}`)

describe('the place of a core', () => {
  test('is told by the statements that find it', () => {
    expect(said([], ['a'])).toEqual(['', ''])
    expect(said([at('x = GetBlockIdx() * n')])).toEqual([
      `${opening}The statement that places a core is \`x = GetBlockIdx() * n\`.`,
      `${zhOpening}定位数据的语句为 \`x = GetBlockIdx() * n\`。`,
    ])
  })

  test('starts at the variable that holds the index', () => {
    expect(said([at('id = GetBlockIdx()'), at('x = id * n'), at('y = id + 1')])).toEqual([
      `${opening}With \`id\` from \`GetBlockIdx()\`, the statements that place a core are \`x = id * n\` ` +
        'and `y = id + 1`.',
      `${zhOpening}由 \`GetBlockIdx()\` 得到 \`id\`,定位数据的语句为 \`x = id * n\`、\`y = id + 1\`。`,
    ])
    expect(said([at('id = AscendC::GetBlockIdx()'), at('x = id')])[0]).toContain('With `id` from `GetBlockIdx()`')
    expect(said([at('n = GetBlockNum()'), at('x = id')])[0]).not.toContain('With')
  })

  test('is unknown where no statement but that of the index is told', () => {
    expect(said([at('id = GetBlockIdx()'), at('n = AscendC::GetBlockNum()')], ['a'])).toEqual(['', ''])
  })

  test('has the branches around it, unless one is longer than a hundred characters', () => {
    const told = (length: number) => said([at('x = id * n', {condition: 'c'.repeat(length), arm: 'then', line: 1})])
    expect(told(1)[0]?.endsWith('`x = id * n` (where `c` holds).')).toBe(true)
    expect(told(1)[1]?.endsWith('`x = id * n`(当 `c` 成立时)。')).toBe(true)
    expect(told(100)[0]).toContain('(where `')
    expect(told(101)[0]).not.toContain('(where `')
  })

  test.each([
    [140, true],
    [141, false],
  ])('a statement of %i characters', (length, isTold) => {
    expect(said([at(`x = ${'n'.repeat(length - 4)}`)])[0] !== '').toBe(isTold)
  })

  test.each([
    [4, '`f3 = id`.', '`f3 = id`。'],
    [5, '`f3 = id`, and 1 more of this kind.', '`f3 = id`,另有 1 条类似语句。'],
  ])('of %i statements four are told', (count, en, zh) => {
    const told = said(numbered(count).map((name) => at(`${name} = id`)))
    expect([told[0]?.endsWith(` and ${en}`), told[1]?.endsWith(`、${zh}`)]).toEqual([true, true])
  })
})

test.each([
  ['x = id < rest ? 1 : 0', true],
  ['x = id < tiling.rest ? n + 1 : n', true],
  ['x = GetBlockIdx() < this->rest ? tiling.n + 1 : n', true],
  ['x = id < rest ? tiling->n + 1 : n', true],
  ['x = id < rest ? 16 : 0', false],
  ['x = id < rest ? n + 16 : n', false],
  ['x = id < rest ? 2 : 0', false],
  ['x = id > rest ? 1 : 0', false],
])('the remainder is shared: %s', (statement, isShared) => {
  const [en, zh] = said([at(statement)])
  const shared =
    ' The remainder of the division is handed out so that no core is left with work that others could share.'
  expect([en?.endsWith(shared), zh?.endsWith('除不尽的部分分摊给若干个核,避免负载不均。')]).toEqual([
    isShared,
    isShared,
  ])
})

test.each([
  [1, 'reads `f0`.', '读取 `f0`。'],
  [12, ' and `f11`.', '、`f11`。'],
  [13, ' and `f11` and 1 more field.', '、`f11` 等 13 个字段。'],
  [14, ' and `f11` and 2 more fields.', '、`f11` 等 14 个字段。'],
])('of %i fields of the tiling twelve are told', (count, en, zh) => {
  const told = said([at('x = id')], numbered(count))
  expect(told[0]).toContain('Of the tiling that the host computed, the file reads `f0`')
  expect(told[1]).toContain('Host 侧算好的 tiling 中,该文件读取 `f0`')
  expect([told[0]?.endsWith(en), told[1]?.endsWith(zh)]).toEqual([true, true])
})
