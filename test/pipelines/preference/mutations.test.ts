import {describe, expect, test} from 'vitest'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {mutate, mutationFamilies, mutationsByClass, type NamedMutant} from '../../../pipelines/preference/mutations.ts'
import {paperShares, runFaults} from '../../../pipelines/preference/mutations/fault-classes.ts'
import {plantAt, viewFiles, type Mutation, type Place} from '../../../pipelines/preference/mutations/mutation.ts'
import {golden} from '../../helpers/golden.ts'

const [task] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
const answer = task?.answer ?? []
const all = mutationFamilies.flat()

/** Lines that a mutation took out and put in, over all files. */
function difference(mutation: string, seed = 'a'): {out: string[]; in: string[]; detail: string} {
  const mutant = all.find(({name}) => name === mutation)?.apply(answer, randomFrom(seed))
  if (!mutant) throw new Error(`${mutation} finds no place in ScaleShift`)
  const before = answer
    .map(({text}) => text)
    .join('')
    .split('\n')
  const after = mutant.files
    .map(({text}) => text)
    .join('')
    .split('\n')
  let head = 0
  while (before[head] === after[head]) head += 1
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const lines = (text: string[]) => text.slice(head, text.length - tail).map((line) => line.trim())
  return {out: lines(before), in: lines(after), detail: mutant.detail}
}

test('there are at least fourteen mutations, each with a name of its own', () => {
  expect(new Set(all.map(({name}) => name)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(14)
})

describe.each(all.map((mutation) => [mutation.name, mutation] as const))('%s', (_, mutation) => {
  test('changes one file in one place, or says that there is none', () => {
    for (const seed of ['a', 'b', 'c']) {
      const mutant = mutation.apply(answer, randomFrom(seed))
      if (!mutant) continue
      expect(mutant.files.map(({path}) => path)).toEqual(answer.map(({path}) => path))
      expect(mutant.files.filter((file, index) => file.text !== answer[index]?.text)).toHaveLength(1)
      expect(mutant.detail).toMatch(/^op_(host|kernel)\/scale_shift\w*\.(cpp|h) line \d+: ./)
    }
  })
  test('is the same for the same seed', () => {
    expect(mutation.apply(answer, randomFrom('s'))).toEqual(mutation.apply(answer, randomFrom('s')))
  })
  test('finds no place in an empty file', () => {
    expect(
      mutation.apply([{path: 'op_kernel/a.cpp', text: '// EnQue(x); GetBlockIdx();\n'}], randomFrom('s')),
    ).toBeUndefined()
  })
})

test('a kernel that does not read its tiling has a structure of zeros, and no name is made up for cores', () => {
  const files = [
    {path: 'op_host/a.cpp', text: 'static void T(C* context) {\n    context->SetBlockDim(used);\n}\n'},
    {path: 'op_kernel/a.cpp', text: 'void a(GM_ADDR t) {\n    GET_TILING_DATA_WITH_STRUCT(Plan, plan, t);\n}\n'},
  ]
  const places = (mutation: string) =>
    all
      .find(({name}) => name === mutation)
      ?.places(viewFiles(files))
      .map(({replacement}) => replacement)
  expect(places('tiling-data-not-read')).toEqual(['Plan plan{};'])
  expect(places('wrong-core-count')).toEqual(['used + 1', '(used + 1) / 2', '48'])
})

test.each([
  ['flag-without-partner', /\n +AscendC::(?:Set|Wait)Flag<AscendC::HardEvent::/],
  ['barrier-not-met', /AscendC::(?:SyncAll|CrossCore)/],
  ['state-left-behind', /\n +AscendC::SetAtomic/],
  ['second-pipe', /\n +AscendC::TPipe localPipe/],
] as const)('%s: a file that does not use the namespace names it', (name, expected) => {
  const mutation = all.find((one) => one.name === name)
  const bare = answer.map(({path, text}) => ({path, text: text.replace('using namespace AscendC;', '')}))
  const planted = (files: readonly SourceFile[]) =>
    mutation?.places(viewFiles(files)).map(({replacement}) => replacement) ?? []
  expect(planted(bare).length).toBeGreaterThan(0)
  for (const text of planted(bare)) expect(text.padStart(text.length + 1, ';')).toMatch(expected)
  for (const text of planted(answer)) expect(text).not.toContain('AscendC::')
})

describe('on a real operator', () => {
  test.each([
    ['missing-copy-out', ['DataCopyPad(yGm[i * tileLength], yLocal, copyParams);'], []],
    [
      'wrong-tail-length',
      ['const uint32_t count = i + 1 == tileNum ? length - i * tileLength : tileLength;'],
      ['const uint32_t count = tileLength;'],
    ],
    [
      'missing-tail',
      ['const uint32_t tileNum = (length + tileLength - 1) / tileLength;'],
      ['const uint32_t tileNum = length / tileLength;'],
    ],
    ['tile-off-by-one', ['for (uint32_t i = 0; i < tileNum; ++i) {'], ['for (uint32_t i = 0; i <= tileNum; ++i) {']],
    [
      'last-tile-skipped',
      ['for (uint32_t i = 0; i < tileNum; ++i) {'],
      ['for (uint32_t i = 0; i + 1 < tileNum; ++i) {'],
    ],
    [
      'block-index-ignored',
      ['const uint32_t start = GetBlockIdx() * tiling.blockLength;'],
      ['const uint32_t start = 0;'],
    ],
    ['tiling-macro-misused', ['GET_TILING_DATA(tilingData, tiling);'], ['GET_TILING_DATA(tiling, tilingData);']],
    [
      'wrong-block-dim',
      ['context->SetBlockDim((totalLength + blockLength - 1) / blockLength);'],
      ['context->SetBlockDim(1);'],
    ],
    [
      'tiling-not-saved',
      ['tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());'],
      [],
    ],
    [
      'unaligned-data-copy',
      ['DataCopyPad(yGm[i * tileLength], yLocal, copyParams);'],
      ['DataCopy(yGm[i * tileLength], yLocal, count);'],
    ],
  ])('%s', (mutation, out, put) => {
    // Some mutations have several places: take the seed under which the expected one is picked.
    const differences = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) => difference(mutation, seed))
    expect(differences.map((each) => ({out: each.out, in: each.in}))).toContainEqual({out, in: put})
  })
})

test('rounding is changed only where integers are made', () => {
  const wrongRounding = (text: string) =>
    all.find(({name}) => name === 'wrong-rounding')?.apply([{path: 'op_kernel/a.cpp', text}], randomFrom('a'))
  expect(wrongRounding('LocalTensor<half> y = q.Get<half>();\nCast(y, x, RoundMode::CAST_RINT, n);\n')).toBeUndefined()
  expect(
    wrongRounding('LocalTensor<int8_t> y = q.Get<int8_t>();\nCast(y, x, RoundMode::CAST_RINT, n);\n')?.detail,
  ).toBe('op_kernel/a.cpp line 2: CAST_FLOOR where CAST_RINT rounds to nearest')
})

describe('mutate', () => {
  const random = (seed: string) => randomFrom('mutate', seed)
  const namesOf = (mutant: NamedMutant) => [mutant.mutation, ...(mutant.more ?? []).map(({mutation}) => mutation)]
  const runs = (name: string) => (runFaults as readonly string[]).includes(classOf(name))
  const classOf = (name: string) =>
    Object.entries(mutationsByClass).find(([, list]) => list.some((one) => one.name === name))?.[0] ?? ''

  test('gives no text twice, and never the answer', () => {
    const mutants = mutate(answer, 600, random('a'))
    expect(mutants).toHaveLength(600)
    expect(new Set([answer, ...mutants.map(({files}) => files)].map((files) => JSON.stringify(files))).size).toBe(601)
  })

  test('a mutation with a single place is drawn as well', () => {
    const single = all.filter((mutation) => mutation.places(viewFiles(answer)).length === 1).map(({name}) => name)
    const drawn = mutate(answer, Number.POSITIVE_INFINITY, random('a')).map(({mutation}) => mutation)
    expect(single).not.toEqual([])
    expect(single.filter((name) => !drawn.includes(name))).toEqual([])
  })

  test('gives the same and more when asked for more, and what there is when asked for all', () => {
    const few = mutate(answer, 40, random('a'))
    const all = mutate(answer, Number.POSITIVE_INFINITY, random('a'))
    expect(all.slice(0, 40)).toEqual(few)
    expect(all.length).toBeGreaterThan(1200)
    expect(mutate([], 5, random('a'))).toEqual([])
    expect(mutate(answer, 0, random('a'))).toEqual([])
    expect(mutate(answer, -1, random('a'))).toEqual([])
  })

  test('plants each place by itself once before it ends', () => {
    const all = mutate(answer, Number.POSITIVE_INFINITY, random('b'), {faultsThatRun: 0.5, severalFaults: 0})
    const texts = new Set(all.map(({files}) => JSON.stringify(files)))
    const sources = viewFiles(answer)
    for (const mutation of mutationFamilies.flat())
      for (const place of mutation.places(sources))
        expect(texts.has(JSON.stringify(plantAt(answer, place).files)), `${mutation.name} ${place.says}`).toBe(true)
    expect(all.every(({more}) => more === undefined)).toBe(true)
  })

  test('depends on its random stream alone', () => {
    expect(mutate(answer, 8, random('x'))).toEqual(mutate(answer, 8, random('x')))
    expect(mutate(answer, 8, random('x'))).not.toEqual(mutate(answer, 8, random('y')))
  })

  test('classes come in the shares of the paper, those of faults that run evenly', () => {
    const drawn = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((seed) => mutate(answer, 120, random(seed)))
    const names = drawn.flatMap(namesOf)
    const share = (name: string, of: readonly string[]) => of.filter((one) => classOf(one) === name).length / of.length
    expect(names.filter(runs).length / names.length).toBeCloseTo(0.5, 1)
    const still = names.filter((name) => !runs(name))
    for (const [name, percent] of Object.entries(paperShares))
      expect(Math.abs(share(name, still) - percent / 100), name).toBeLessThan(0.05)
    const running = names.filter(runs)
    for (const name of runFaults) expect(Math.abs(share(name, running) - 1 / 6), name).toBeLessThan(0.05)
  })

  test('within a class, no mutation comes again before those that still have places', () => {
    const names = mutate(answer, 72, random('a'), {faultsThatRun: 0, severalFaults: 0}).map(({mutation}) => mutation)
    const api = names.filter((name) => classOf(name) === 'api-signature-and-overload')
    const offered = mutationsByClass['api-signature-and-overload'].filter(
      (mutation) => mutation.places(viewFiles(answer)).length > 0,
    )
    expect(api.length).toBeGreaterThan(offered.length)
    expect(new Set(api.slice(0, offered.length)).size).toBe(offered.length)
  })

  test.each([
    [0, (name: string) => !runs(name)],
    [1, runs],
  ])('a share of %d faults that run leaves no others, to the last place', (faultsThatRun, fits) => {
    const all = mutate(answer, Number.POSITIVE_INFINITY, random('a'), {faultsThatRun, severalFaults: 0.2})
    expect(all.flatMap(namesOf).filter((name) => !fits(name))).toEqual([])
    expect(all.length).toBeGreaterThan(300)
  })

  test('the place of a fault is its line as the files are now, whatever was planted before it', () => {
    const mutants = mutate(answer, 200, randomFrom('a'), {faultsThatRun: 0.5, severalFaults: 0.5})
    const moved = mutants.filter(({files, place}) => {
      const now = files.find(({path}) => path === place?.path)?.text.split('\n') ?? []
      const before = answer.find(({path}) => path === place?.path)?.text.split('\n') ?? []
      expect(place?.line).toBeLessThanOrEqual(now.length)
      return now[(place?.line ?? 0) - 1] !== before[(place?.line ?? 0) - 1]
    })
    // Of a replacement that begins with a line break, the line before is the same.
    expect(moved.length).toBeGreaterThan(mutants.length * 0.9)
  })

  test('several faults are two or three, recorded each, of one side, and all are in the files', () => {
    const mutants = mutate(answer, 200, random('a'), {faultsThatRun: 0.5, severalFaults: 1})
    const several = mutants.filter(({more}) => more)
    expect(several.length).toBeGreaterThan(190)
    expect(new Set(several.map(({more}) => more?.length))).toEqual(new Set([1, 2]))
    const three = several.filter(({more}) => more?.length === 2).length / several.length
    expect(three).toBeGreaterThan(0.15)
    expect(three).toBeLessThan(0.35)
    const sources = viewFiles(answer)
    const places = new Map(mutationFamilies.flat().map((mutation) => [mutation.name, mutation.places(sources)]))
    for (const mutant of several) {
      expect(new Set(namesOf(mutant).map(runs)).size).toBe(1)
      const faults = [mutant, ...(mutant.more ?? [])]
      const choices = faults.map(({mutation, detail}) =>
        (places.get(mutation) ?? []).filter((place) => plantAt(answer, place).detail === detail),
      )
      const sets = choices.reduce<Place[][]>(
        (some, next) => some.flatMap((set) => next.map((one) => [...set, one])),
        [[]],
      )
      expect(sets.map((set) => JSON.stringify(spliced(set)))).toContain(JSON.stringify(mutant.files))
    }
  })

  /** The answer with all of the places replaced, read from its start to its end; undefined where two of them touch. */
  function spliced(set: readonly Place[]): SourceFile[] | undefined {
    let apart = true
    const files = answer.map(({path, text}) => {
      let [done, from] = ['', 0]
      for (const place of set.filter((one) => one.path === path).sort((x, y) => x.start - y.start)) {
        if (place.start <= from && from > 0) apart = false
        done += text.slice(from, place.start) + place.replacement
        from = place.end
      }
      return {path, text: done + text.slice(from)}
    })
    return apart ? files : undefined
  }

  test('ends however many faults are asked for', () => {
    const few = [{path: 'op_kernel/a.cpp', text: 'void F() {\n    queue.EnQue(x);\n    Foo(a, b);\n}\n'}]
    const all = mutate(few, Number.POSITIVE_INFINITY, random('a'), {faultsThatRun: 0.5, severalFaults: 1})
    expect(all.length).toBeGreaterThan(5)
    const places = mutationFamilies.flat().flatMap((mutation) => mutation.places(viewFiles(few)))
    expect(all.length).toBeLessThanOrEqual(places.length)
  })

  test('the share of several faults is never passed, not at the end either', () => {
    const all = mutate(answer, Number.POSITIVE_INFINITY, random('a'))
    expect(all.filter(({more}) => more).length / all.length).toBeCloseTo(0.2, 1)
  })
})

test('every class has mutations of several kinds in an ordinary answer', () => {
  const sources = viewFiles(answer)
  const offered = Object.entries(mutationsByClass).map(([name, mutations]) => [
    name,
    mutations.filter((mutation) => mutation.places(sources).length > 0).length,
  ])
  expect(offered.filter(([, count]) => Number(count) < 3)).toEqual([])
})

const examples = ['level1/Condition/Threshold', 'level2/Reduce/RowSum', 'level2/Activation/RowSoftmax']

/** What each mutation makes of its first place and its last one, in three operators. */
test('places and what is planted in them', async () => {
  const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])
  const answers = tasks.filter(({origin}) => examples.includes(origin.path)).map((task) => task.answer)
  expect(answers).toHaveLength(3)
  const lines = Object.entries(mutationsByClass).flatMap(([name, mutations]) =>
    mutations.flatMap((mutation) => [`${name}: ${mutation.name}`, ...answers.flatMap((one) => shown(one, mutation))]),
  )
  golden('test/fixtures/mutations/places.txt', `${lines.join('\n')}\n`)
})

function shown(files: readonly SourceFile[], mutation: Mutation): string[] {
  const places = mutation.places(viewFiles(files))
  return [places[0], places.length > 1 ? places.at(-1) : undefined].flatMap((place) => {
    if (!place) return []
    const text = files.find(({path}) => path === place.path)?.text ?? ''
    const [before, after] = [text.slice(place.start, place.end), place.replacement].map((one) => JSON.stringify(one))
    return [`  ${plantAt(files, place).detail} [1 of ${places.length}]`, `    - ${before}`, `    + ${after}`]
  })
}
