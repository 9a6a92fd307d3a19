import {expect, test} from 'vitest'
import {randomFrom} from '../../../engine/random.ts'
import {armRows, armsOf} from '../../../eval/effect/arms.ts'
import type {EffectRow} from '../../../eval/effect/effect-rows.ts'
import {apartFrom, codeItems, heldOut, heldOutFiles, reasoningItems} from '../../../eval/effect/unseen-rows.ts'
import {interfaceItems} from '../../../eval/effect/interface-questions.ts'
import {rankingPairs, type Fault} from '../../../eval/effect/ranking.ts'

const code = (name: string, statements = 60) =>
  Array.from({length: statements}, (_, at) => `${name}${at} = Add(${name}Local, ${at} + offset${name}[${at}]);`).join(
    '\n',
  )

function row(id: string, given: Partial<EffectRow> = {}): EffectRow {
  const text = code(id)
  return {
    id,
    kind: 'kernel',
    side: 'kernel',
    repository: 'some/kernels',
    path: `math/${id}/op_kernel/${id}.cpp`,
    isFile: true,
    messages: [{role: 'user', content: `Write ${id}.`}],
    reasoning: `How ${id} is cut into tiles.`,
    answer: `\`\`\`cpp\n${text}\n\`\`\``,
    code: [{path: `op_kernel/${id}.cpp`, text}],
    ...given,
  }
}

const rows = [row('add'), row('mul'), row('exp', {kind: 'documentation', side: null, code: []})]
const sources = {
  rows,
  raw: ['raw code'],
  random: randomFrom('arms'),
  spoil: (text: string) => text.replace('Add', 'Sub'),
}

test('arms are parts of the rows, or the same rows otherwise', () => {
  expect([...armsOf({rows, raw: []}).keys()]).toEqual([
    ...['whole', 'no-reasoning', 'code-only', 'exchanged', 'doubled', 'wrong-code'],
    ...['without-documentation', 'without-kernel'],
  ])
  expect([...armsOf({rows: rows.slice(0, 2), raw: ['x']}).keys()]).toContain('raw')
  expect(armRows('whole', sources)).toEqual(
    rows.map(({messages, reasoning, answer}) => ({messages, reasoning, answer})),
  )
  expect(armRows('no-reasoning', sources).map(({reasoning}) => reasoning)).toEqual(['', '', ''])
  expect(armRows('code-only', sources)).toEqual(['add', 'mul'].map((name) => ({reasoning: '', answer: code(name)})))
  expect(armRows('raw', sources)).toEqual([{reasoning: '', answer: 'raw code'}])
  expect(armRows('doubled', sources)).toHaveLength(6)
  expect(armRows('without-kernel', sources).map(({reasoning}) => reasoning)).toEqual(['How exp is cut into tiles.'])
  expect(armRows('wrong-code', sources)[0]?.answer).toMatch(/^add0 = Sub/)
})

test('exchanged reasoning is that of another row of the kind', () => {
  const arm = armRows('exchanged', sources)
  const kernels = arm.filter(({messages}) => messages?.[0]?.content !== 'Write exp.')
  for (const {messages, reasoning} of kernels)
    expect(reasoning).not.toContain(` ${messages?.[0]?.content.slice(6, -1)} `)
  expect(arm.map(({reasoning}) => reasoning).sort()).toEqual(rows.map(({reasoning}) => reasoning).sort())
})

test('rows of a trained operator, and rows whose code was seen, are not measured', () => {
  const training = [row('add')]
  const sameOperator = row('tiling', {side: 'host', path: 'math/add/op_host/add_tiling.cpp'})
  const copied = row('copy', {code: [{path: 'op_kernel/copy.cpp', text: code('add')}]})
  const {rows: kept, left, share} = heldOut([sameOperator, copied, row('sub')], training)
  expect(kept.map(({id}) => id)).toEqual(['sub'])
  expect(left).toEqual({sameOperator: 1, seen: 1})
  expect(share).toBe(0)
})

test('another folder of the same name in another repository is another operator', () => {
  expect(
    heldOut([row('add', {repository: 'other/kernels', code: [{path: 'a', text: code('x')}]})], [row('add')]).rows,
  ).toHaveLength(1)
})

test('a file is measured once, by the row with most of its code, device and host apart', () => {
  const short = row('short', {path: 'math/add/op_kernel/add.cpp', code: [{path: 'add.cpp', text: 'x;'}]})
  const host = row('host', {side: 'host'})
  const files = heldOutFiles([short, row('add'), host, row('page', {kind: 'documentation'})], 5, randomFrom('files'))
  expect(files.map(({id}) => id)).toEqual(['add', 'host'])
  expect(heldOutFiles([row('add'), row('mul'), host], 1, randomFrom('files'))).toHaveLength(2)
  expect(codeItems(files, 512).map(({group, parts}) => [group, parts[0]])).toEqual([
    ['device', code('add')],
    ['host', code('host')],
  ])
})

test('a licence that opens a file is not measured, as it opens every file of its house', () => {
  const licensed = row('add', {code: [{path: 'add.cpp', text: `/* All rights\n * are kept. */\n${code('add')}`}]})
  expect(codeItems([licensed], 512).map(({parts}) => parts)).toEqual([[code('add')]])
  expect(reasoningItems([licensed]).map(({parts}) => parts)).toEqual([[code('add')], [code('add')]])
})

test('raw code that measured code is near to is not trained on', () => {
  expect(apartFrom([row('add')], [code('add'), code('mul'), `${code('add')}\nint more;`])).toEqual([code('mul')])
})

test('device code follows no reasoning, its own and that of another row', () => {
  const items = reasoningItems([row('add'), row('mul'), row('host', {side: 'host'})])
  expect(items.map(({unit, variant}) => `${unit} ${variant}`)).toEqual([
    ...['add none', 'add own', 'add other', 'mul none', 'mul own', 'mul other'],
  ])
  expect(items[0]?.before).toBe('```cpp\n')
  expect(items[2]?.before).toContain('How mul is cut into tiles.')
})

test('pairs take strategies in turn, and share all but the edit', () => {
  const faults: Fault[] = [
    ...[0, 1, 2].map((at) => ({class: 'logic', strategy: 'off-by-one', start: at, end: at + 1, replacement: 'X'})),
    {class: 'copies', strategy: 'swapped', start: 6, end: 9, replacement: 'Sub'},
  ]
  const given = {faultsOf: () => faults, most: 3, random: randomFrom('pairs')}
  const pairs = rankingPairs([row('add', {code: [{path: 'a.cpp', text: 'abc = Add(x);'}]})], given)
  expect(pairs).toHaveLength(3)
  const groups = pairs.map(([right]) => right?.group)
  expect(groups.slice(0, 2).sort()).toEqual(['copies', 'logic'])
  for (const [right, wrong] of pairs) {
    expect(right?.before).toBe(wrong?.before)
    expect(right?.parts[1]).toBe(wrong?.parts[1])
    expect([right?.variant, wrong?.variant]).toEqual(['right', 'wrong'])
    expect(`${right?.before}${right?.parts.join('')}`).toBe('abc = Add(x);')
  }
})

test('questions on an interface have four options of one form, the right one first', () => {
  const parameters = ['dst', 'src', 'count'].map((name, at) => ({
    name,
    type: ['LocalTensor<T>', 'half', 'int32_t'][at]!,
  }))
  const known = [
    {name: 'Adds', prototypes: [{text: '', parameters}], alignment: [{bytes: 32, of: ['dst', 'src']}]},
    {name: 'Short', prototypes: [{text: '', parameters: parameters.slice(0, 1)}], alignment: [{bytes: 32, of: []}]},
  ]
  const items = interfaceItems(known, 9, randomFrom('questions'))
  const byUnit = new Map(items.map(({unit}) => [unit, items.filter((one) => one.unit === unit)]))
  expect([...byUnit.keys()].sort()).toEqual(['Adds alignment', 'Adds parameters'])
  for (const options of byUnit.values()) {
    expect(new Set(options.map(({parts}) => parts[0])).size).toBe(4)
    expect(options.map(({variant}) => variant)).toEqual(['right', 'wrong 1', 'wrong 2', 'wrong 3'])
  }
  expect(byUnit.get('Adds parameters')?.[0]?.parts).toEqual(['(LocalTensor<T> dst, half src, int32_t count)'])
  expect(byUnit.get('Adds alignment')?.[0]?.parts).toEqual([' 32 bytes'])
  expect(interfaceItems(known, 1, randomFrom('questions'))).toHaveLength(4)
})
