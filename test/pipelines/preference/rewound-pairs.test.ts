import {describe, expect, test} from 'vitest'
import type {JudgedCandidate, Sampler} from '../../../datasets/schema/candidate.ts'
import type {CostedCandidate, ModelledCost, Optimisation} from '../../../datasets/schema/optimisation.ts'
import {tell} from '../../../pipelines/preference/rewinds/told.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import rewoundPairs from '../../../pipelines/preference/rewound-pairs.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {judged} from './records.ts'

function costOf(microseconds: number, over: Partial<ModelledCost> = {}): ModelledCost {
  return {
    microseconds,
    launchMicroseconds: 20,
    pipes: {MTE2: 6.25, V: 2, S: 0, MTE3: 1.5},
    bottleneck: 'MTE2',
    overlap: 'in-part',
    cores: 12,
    blockDim: 12,
    readBytes: 3 << 20,
    writtenBytes: 1 << 20,
    work: {
      copiesIn: 96,
      copiesOut: 48,
      burstsIn: 96,
      burstsOut: 48,
      vectorInstructions: 120,
      vectorRepeats: 4096,
      scalarAccesses: 0,
      waits: 96,
      drains: 0,
      tiles: 4,
    },
    ...over,
  }
}

const kernel = 'op_kernel/scale_shift.cpp'

/** A version by its steps; none is the answer. The code says which it is. */
function version(steps: readonly string[], microseconds: number | undefined, over: Partial<JudgedCandidate> = {}) {
  const sampler: Sampler = steps.length === 0 ? {kind: 'answer'} : {kind: 'rewound', steps: [...steps]}
  const files = [{path: kernel, text: `void kernel() {}\n// ${['answer', ...steps].join('\n// ')}\n`}]
  const cost = microseconds === undefined ? {} : {cost: costOf(microseconds), sizes: 'shape [8]'}
  return {...judged({sampler, files}), ...cost, ...over} satisfies CostedCandidate
}

const pairsOf = (records: readonly Optimisation[]) => records.filter(({kind}) => kind === 'pair')

async function run(candidates: readonly CostedCandidate[], options = {}) {
  const {outputs, dropped} = await runStage(rewoundPairs(options), candidates)
  return {outputs, dropped: dropped.map(({reason}) => reason)}
}

describe('pairs', () => {
  test('only the answer is chosen: a step from a slowed version gives a sample alone', async () => {
    const {outputs, dropped} = await run([
      version([], 4),
      version(['single-buffer-in'], 5),
      version(['single-buffer-in', 'one-core'], 50),
    ])
    expect(dropped).toEqual([])
    expect(pairsOf(outputs)).toMatchObject([
      {
        step: 'single-buffer-in',
        margin: 1.25,
        prompt: expect.stringMatching(
          /^Write ScaleShift\.\n\n(?!.*(?:tile|buffers)).*(?:fast|Speed|快|速度).*shape \[8\]/,
        ) as string,
        chosen: {
          sampler: {kind: 'answer'},
          cost: {microseconds: 4},
          reasoning: expect.stringContaining('4 µs') as string,
        },
        rejected: {cost: {microseconds: 5}, label: 'green', reasoning: expect.stringContaining('5 µs') as string},
      },
    ])
    expect(outputs.map(({kind}) => kind)).toEqual(['pair', 'sample', 'sample'])
  })

  test('a step that gains little, or is cheaper, is dropped', async () => {
    const steps = [version([], 100), version(['one-core'], 104.9), version(['copied-in-twice'], 90)]
    expect(await run(steps)).toEqual({outputs: [], dropped: ['gain-too-small', 'gain-too-small']})
    expect((await run(steps, {leastGain: 0.04})).outputs).toHaveLength(1)
    const near = [version([], 100), version(['one-core'], 105.1)]
    expect((await run(near)).outputs.map(({kind}) => kind)).toEqual(['sample'])
    expect(pairsOf((await run(near, {leastMargin: 1.05})).outputs)).toHaveLength(1)
  })

  test('what is not correct, or has no correct version before it, is dropped', async () => {
    const wrong = {...version(['a'], undefined).verdict, outcome: 'mismatched' as const, cases: []}
    const {outputs, dropped} = await run([
      version([], 4),
      version(['scalar-loop'], undefined, {verdict: wrong}),
      version(['scalar-loop', 'one-core'], 40),
      version(['split-copies', 'one-core'], 40),
    ])
    expect(outputs).toEqual([])
    expect(dropped).toEqual(['not-correct', 'no-correct-predecessor', 'no-correct-predecessor'])
  })

  test('versions of another request are no predecessors', async () => {
    const {dropped} = await run([version([], 4), version(['one-core'], 40, {prompt: 'Another one.'})])
    expect(dropped).toEqual(['no-correct-predecessor'])
  })

  test('a task gives so many at most', async () => {
    const chain = ['single-buffer-in', 'single-buffer-out', 'one-core']
    const versions = [0, 1, 2, 3].map((count) => version(chain.slice(0, count), 10 ** (count + 1)))
    const {outputs, dropped} = await run(versions, {maxPairsPerTask: 2})
    expect(outputs.map(({kind}) => kind)).toEqual(['pair', 'sample', 'sample'])
    expect(dropped).toEqual(['over-limit'])
  })

  test('a mutant of the answer has no part in them', async () => {
    const mutant = version([], 1, {sampler: {kind: 'mutation', mutation: 'm', detail: 'd'}})
    const {outputs} = await run([version([], 4), mutant, version(['one-core'], 40)])
    expect(pairsOf(outputs)).toMatchObject([{margin: 10}])
  })
})

describe('what is told', () => {
  const files = (text: string) => [
    {path: 'op_host/a.cpp', text: 'int host;\n'},
    {path: kernel, text},
  ]
  const improvement = (step: string, over: Partial<ModelledCost> = {}, fast: Partial<ModelledCost> = {}) => ({
    operator: 'ScaleShift',
    sizes: 'shape [8]',
    step,
    before: {files: files('int kept;\nint slow;\n'), cost: costOf(9, over)},
    after: {files: files('int kept;\nint fast;\n'), cost: costOf(7, fast)},
  })
  const english = nthWording('en')
  const told = (...of: Parameters<typeof improvement>) => {
    const text = tell(improvement(...of), english)
    if (!text) throw new Error('nothing is told')
    return text
  }

  test('the question shows the slow files and what was counted, and calls times modelled', () => {
    const {prompt} = told('single-buffer-in')
    expect(prompt).toContain('int slow;')
    expect(prompt).not.toContain('int fast;')
    expect(prompt).toContain('modelled from published rates of Atlas A2, not measured')
    for (const row of [
      'bytes read from GM | 3072 KiB',
      'copies from GM | 96',
      'cores with work, of blocks launched | 12 / 12',
    ])
      expect(prompt.replace('3 MiB', '3072 KiB')).toContain(row)
    expect(prompt).not.toContain('the scalar unit busy')
  })

  test('the answer has the files that change, and the reasoning the place', () => {
    const {answer, files: changed, reasoning} = told('single-buffer-in')
    expect(changed.map(({path}) => path)).toEqual([kernel])
    expect(answer).toContain('int fast;')
    expect(answer).not.toContain('int host;')
    expect(reasoning).toContain(`The line is \`int slow;\`, in \`${kernel}\`.`)
  })

  test('the busiest pipe and how tiles overlap are those of the slow version', () => {
    const {reasoning} = told('single-buffer-in')
    expect(reasoning).toContain('MTE2 (copies from GM) 6.25 µs, the vector unit 2 µs and MTE3 (copies to GM)')
    expect(reasoning).toContain('The longest is MTE2 (copies from GM).')
    expect(reasoning).toContain('the model gives 9 µs, compared with 9.75 µs in sequence; a queue with')
    expect(told('single-buffer-in', {overlap: 'full'}).reasoning).not.toContain('a queue with')
    expect(told('single-buffer-in', {overlap: 'none'}).reasoning).toContain(
      'Tiles do not overlap, so the times add up: 9 µs',
    )
    const one = {overlap: 'none' as const, work: {...costOf(1).work, tiles: 1}}
    expect(told('single-buffer-in', one).reasoning).toContain('There is one tile in a block')
  })

  test('a bound is told only where it lies below, and the faster version keeps to it', () => {
    expect(told('single-buffer-in').reasoning).toContain('cannot go below 6.25 µs')
    expect(told('single-buffer-in', {}, {microseconds: 6}).reasoning).not.toContain('cannot go below')
    expect(told('single-buffer-in', {microseconds: 6}).reasoning).not.toContain('cannot go below')
    expect(told('one-core', {cores: 48}).reasoning).not.toMatch(/cannot go below|equal part/)
    expect(told('fewer-cores').reasoning).toContain('With equal parts on each of 48 cores it would take 2.25 µs')
    expect(told('copied-in-twice').reasoning).toContain('cannot go below 3.13 µs')
  })

  test('counts of the profile are told with the cause', () => {
    const fewer = {work: {...costOf(1).work, copiesIn: 12, drains: 0}}
    expect(told('split-copies', {}, fewer).reasoning).toContain('copies of 32 KiB on average')
    expect(told('fewer-cores', {}, {cores: 48}).reasoning).toContain(
      '12 cores have something to do, and the chip has 48 vector cores',
    )
    expect(told('one-core', {cores: 1}, {cores: 48}).reasoning).toContain('One core does all the work')
    const scalar = {work: {...costOf(1).work, scalarAccesses: 7777, drains: 55}}
    expect(told('scalar-loop', scalar).reasoning).toContain('7777 scalar accesses')
    expect(told('barrier-in-loop', scalar, fewer).reasoning).toContain('55 waits')
  })

  test('Chinese is told in Chinese, an unknown step not at all', () => {
    const text = tell(improvement('fewer-cores'), nthWording('zh'))
    expect(text?.prompt).toContain('并非实测')
    expect(text?.reasoning).toContain('都按 12 个核切分')
    expect(tell(improvement('unheard-of'), english)).toBeUndefined()
  })
})
