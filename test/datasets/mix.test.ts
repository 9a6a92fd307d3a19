import {expect, test} from 'vitest'
import mix from '../../datasets/mix.ts'
import type {SplitRow} from '../../datasets/schema/export.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {groupOf, sideOf} from '../../datasets/split.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {collect, kernelSample, recordingContext, sample, sftRow, stream} from './rows.ts'

/** 200 pages with one to five rows, 120 operators with one to six. */
function rows(): SplitRow[] {
  const origin = {repository: 'r', revision: '1', licence: 'Apache-2.0'}
  const all: CotSample[] = []
  for (let page = 0; page < 200; page += 1)
    for (let row = 0; row <= page % 5; row += 1)
      all.push(sample({prompt: `${page}.${row}\u2028?\u2029`, origin: {...origin, path: `docs/${page}.md`}}))
  for (let operator = 0; operator < 120; operator += 1)
    for (let row = 0; row <= operator % 6; row += 1) {
      const path = row % 2 ? `math/op_${operator}` : `math/op_${operator}/op_kernel/k.cpp`
      all.push(
        kernelSample({prompt: `${operator}.${row}`, kind: row % 2 ? 'project' : 'kernel', origin: {...origin, path}}),
      )
    }
  return all.map((record) => sftRow(record, sideOf(groupOf(record), 0.05)))
}

async function mixed(options: Parameters<typeof mix>[0], given = rows()) {
  const context = {...recordingContext(), directory: await temporaryFolder()}
  return {kept: await collect(mix(options).run(stream(given), context)), drops: context.drops}
}

const ids = (of: readonly SplitRow[]) => new Set(of.map(({id}) => id))
const train = (of: readonly SplitRow[]) => of.filter(({split}) => split === 'train')
const kind = ({record}: SplitRow) => ('kind' in record && record.kind === 'documentation' ? 'documentation' : 'code')

test('all rows pass when nothing is asked for', async () => {
  expect((await mixed({})).kept).toEqual(rows())
})

test.each([[undefined], [{documentation: 1, code: 3}]])(
  'a smaller share is part of a larger one, mix %j',
  async (ratios) => {
    const shares = [0.1, 0.25, 0.5, 0.75, 1]
    const kept = await Promise.all(shares.map(async (share) => ids(train((await mixed({share, ratios})).kept))))
    for (const [index, smaller] of kept.slice(0, -1).entries()) {
      const larger = kept[index + 1] as Set<string>
      expect([...smaller].filter((id) => !larger.has(id))).toEqual([])
      expect(larger.size).toBeGreaterThan(smaller.size)
    }
  },
)

test('a share is met within an origin, the test split stays whole, and no row is lost', async () => {
  const given = rows()
  const {kept, drops} = await mixed({share: 0.25})
  expect(Math.abs(train(kept).length - train(given).length / 4)).toBeLessThanOrEqual(3)
  expect(kept.length - train(kept).length).toBe(given.length - train(given).length)
  expect(kept.length + drops.length).toBe(given.length)
  expect(new Set(drops.map(({reason}) => reason))).toEqual(new Set(['beyond-share']))
  expect(kept).toEqual(given.filter(({id}) => ids(kept).has(id)))
})

test('whole origins stay or go', async () => {
  const {kept, drops} = await mixed({share: 0.5})
  const keptGroups = new Set(train(kept).map(({record}) => groupOf(record)))
  expect(drops.filter(({item}) => keptGroups.has(groupOf((item as SplitRow).record)))).toEqual([])
})

test.each([
  [1, 3, 1],
  [2, 1, 1],
  [1, 1, 0.5],
])('documentation to code is %d to %d at share %d', async (documentation, code, share) => {
  const {kept} = await mixed({share, ratios: {documentation, code}})
  const count = (name: string) => train(kept).filter((row) => kind(row) === name).length
  const available = (name: string) => train(rows()).filter((row) => kind(row) === name).length
  const unit = share * Math.min(available('documentation') / documentation, available('code') / code)
  expect(Math.abs(count('documentation') - unit * documentation)).toBeLessThanOrEqual(3)
  expect(Math.abs(count('code') - unit * code)).toBeLessThanOrEqual(3)
})

test('what the mix does not name is left out, by kind and by the name of several', async () => {
  const {kept, drops} = await mixed({ratios: {kernel: 1}})
  expect(new Set(train(kept).map(({record}) => 'kind' in record && record.kind))).toEqual(new Set(['kernel']))
  expect(drops.find(({reason}) => reason === 'not-in-mix')?.detail).toBe('kind documentation')
})

test('a part of which there is no row is an error that names it', async () => {
  await expect(mixed({ratios: {code: 1, correction: 1}})).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('correction'),
  })
})

test('the part of corrections is both kinds of them', async () => {
  const kinds = ['api-correction', 'kernel-correction'] as const
  const corrections = kinds.map((kind, index) =>
    sftRow(kernelSample({kind, prompt: kind, origin: {...sample().origin, path: `level1/Op${index}`}})),
  )
  expect((await mixed({ratios: {correction: 1}}, corrections)).kept).toEqual(corrections)
})

test('the order of a share is not that of the split: what is near the test split is not taken first', async () => {
  const {kept} = await mixed({share: 0.25})
  const far = train(kept).filter(({record}) => sideOf(groupOf(record), 0.5) === 'train').length
  expect(far / train(kept).length).toBeGreaterThan(0.3)
})
