import {beforeAll, describe, expect, test} from 'vitest'
import type {RunTrace, Step} from '../../datasets/schema/executor.ts'
import {Timeline, type CoreTimeline} from '../../datasets/schema/timeline.ts'
import {atlasA2, modelCost} from '../../eval/cost.ts'
import {markedLines} from '../../eval/executors/marked-lines.ts'
import {timelineOf} from '../../eval/pipe-timeline.ts'
import {fixtureProgram, floats} from '../helpers/operators.ts'
import {realExecutor} from '../helpers/real-executor.ts'

const kernel = 'op_kernel/tiles_demo.cpp'
type Edit = [path: string, from: string, to: string]

const afterCopyOut = (text: string): Edit[] => [[kernel, 'CopyOut(i);', `CopyOut(i); ${text}`]]
const inCompute = (text: string): Edit[] => [[kernel, 'outQueue.EnQue(y);', `${text} outQueue.EnQue(y);`]]

/** Kernels that compute the same in six tiles. */
const kernels = {
  single: [[kernel, 'BUFFER_NUM = 2', 'BUFFER_NUM = 1']],
  double: [],
  barrier: afterCopyOut('PipeBarrier<PIPE_ALL>();'),
  event: afterCopyOut('SetFlag<HardEvent::MTE3_MTE2>(0); WaitFlag<HardEvent::MTE3_MTE2>(0);'),
  value: inCompute('y.SetValue(0, y.GetValue(0));'),
  many: inCompute('for (int k = 0; k < 3000; ++k) y.SetValue(0, 1.0f);'),
} satisfies Record<string, Edit[]>
type Name = keyof typeof kernels

interface Seen {
  trace: RunTrace
  steps: Step[][]
  timeline: Timeline
}

const length = 8 * 6 * 2048

async function traced(edits: Edit[]): Promise<Seen> {
  const executor = await realExecutor()
  const program = fixtureProgram('tiles', 'TilesDemo', {x: 'float32', y: 'float32'}, ...edits)
  const marked = await markedLines(program.files)
  const built = await executor.build({...program, files: marked.files})
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  try {
    const x = {name: 'x', dtype: 'float32' as const, shape: [length], data: floats(Array(length).fill(1))}
    const outputs = [{name: 'y', dtype: 'float32' as const, shape: [length]}]
    const how = {traced: true}
    const run = await executor.execute(built.build, {id: 'one', inputs: [x], attributes: {}, outputs}, how)
    if (run.outcome !== 'ran' || !run.steps) throw new Error(JSON.stringify(run))
    const timeline = timelineOf({trace: run.trace, steps: run.steps}, atlasA2, marked)
    if (!timeline) throw new Error('no timeline')
    return {trace: run.trace, steps: run.steps, timeline}
  } finally {
    await built.build.dispose()
  }
}

const seen = {} as Record<Name, Seen>
const core = (name: Name) => seen[name].timeline.cores[seen[name].timeline.slowest] as CoreTimeline

beforeAll(async () => {
  for (const name of Object.keys(kernels) as Name[]) seen[name] = await traced(kernels[name])
}, 180_000)

const names = Object.keys(kernels) as Name[]
const pipeOf = (name: Name, pipe: string) => core(name).intervals.filter((one) => one.pipe === pipe)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
/** Each cause once: the kind, the call with its line, what it is of, and the instruction with its line. */
const causes = (name: Name, pipe: string) => [
  ...new Set(
    core(name)
      .stalls.filter((one) => one.pipe === pipe)
      .map(({cause: {kind, api, place, name: of, by}}) =>
        [kind, `${api}:${place?.line ?? ''}`, of, `${by.pipe} ${by.api}:${by.place?.line ?? ''}`].join(', '),
      ),
  ),
]

describe('double buffering', () => {
  test('lets copies in overlap with computation; a single buffer and a barrier do not', () => {
    expect(core('double').overlap).toBeCloseTo(5 / 6, 9)
    expect([core('single').overlap, core('barrier').overlap]).toEqual([0, 0])
  })

  test('takes fewest cycles, and a barrier most; the pipes work as long in all three', () => {
    const [single, double, barrier] = [core('single'), core('double'), core('barrier')]
    expect(double.cycles).toBeLessThan(single.cycles)
    expect(single.cycles).toBeLessThan(barrier.cycles)
    const copyIn = double.busy.MTE2 / 6
    expect(double.cycles).toBeCloseTo(6 * copyIn + double.busy.V / 6 + double.busy.MTE3 / 6, 6)
    expect(single.cycles).toBeCloseTo(6 * copyIn + double.busy.V + double.busy.MTE3 / 6, 6)
    expect(barrier.cycles).toBeCloseTo(sum(Object.values(barrier.busy)), 6)
  })

  test('shows what each pipe waits for, where it asks, and who has it', () => {
    expect(causes('single', 'MTE2')).toEqual(['queue, AllocTensor:29, inQueue, V Exp:38'])
    expect(causes('double', 'MTE2')).toEqual([])
    expect(causes('barrier', 'MTE2')).toEqual(['barrier, PipeBarrier:22, PIPE_ALL, MTE3 DataCopy:45'])
    expect(causes('event', 'MTE2')).toEqual(['event, WaitFlag:22, MTE3_MTE2 event 0, MTE3 DataCopy:45'])
    expect(causes('double', 'V')).toEqual(['queue, DeQue:35, inQueue, MTE2 DataCopy:30'])
    expect(causes('double', 'MTE3')).toEqual(['queue, DeQue:44, outQueue, V Exp:38'])
  })

  test('is lost where the scalar unit waits for a value: it gives out the next copy', () => {
    expect(causes('value', 'S')).toEqual(['scalar, GetValue:39, , V Exp:38'])
    expect(causes('value', 'MTE2')).toContain('issue, :, , S SetValue:39')
    expect(core('value').cycles).toBeGreaterThan(core('double').cycles)
  })
})

describe.each(names.filter((name) => name !== 'many'))('the timeline of %s', (name) => {
  test('has the numbers of the trace, of each block', () => {
    const {trace, timeline} = seen[name]
    expect(timeline.cores.map(({index}) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    for (const [at, {intervals, left}] of timeline.cores.entries()) {
      const {work, readBytes, writtenBytes} = trace.blocks[at] as RunTrace['blocks'][number]
      const of = (pipe: string) => intervals.filter((one) => one.pipe === pipe)
      expect(left).toBe(0)
      expect([of('MTE2').length, of('V').length, of('S').length, of('MTE3').length]).toEqual([
        work?.copiesIn,
        work?.vectorInstructions,
        work?.scalarAccesses,
        work?.copiesOut,
      ])
      expect(sum(of('MTE2').map(({bytes = 0}) => bytes))).toBe(readBytes)
      expect(sum(of('MTE3').map(({bytes = 0}) => bytes))).toBe(writtenBytes)
      expect(sum(of('V').map(({repeats = 0}) => repeats))).toBe(work?.vectorRepeats)
    }
  })

  test('comes to what the cost model has for each pipe', () => {
    const {trace} = seen[name]
    const cost = modelCost(trace)
    if (!cost) throw new Error('no cost')
    for (const [pipe, microseconds] of Object.entries(cost.pipes))
      expect(core(name).busy[pipe as 'V']).toBeCloseTo(microseconds * atlasA2.cyclesPerMicrosecond, 6)
    expect(core(name).modelledCycles).toBeCloseTo(cost.microseconds * atlasA2.cyclesPerMicrosecond, 6)
  })

  test('keeps each pipe in order, and starts nothing before what it waits for', () => {
    for (const [at, {intervals}] of seen[name].timeline.cores.entries()) {
      const order = new Map<string, number>()
      for (const {pipe, start, end} of intervals) {
        expect(start).toBeGreaterThanOrEqual((order.get(pipe) ?? 0) - 1e-9)
        order.set(pipe, end)
      }
      for (const {pipe, number, waits} of seen[name].steps[at] as Step[]) {
        const nth = (which: string, one: number) => intervals.filter((other) => other.pipe === which)[one - 1]
        const started = nth(pipe, number)?.start ?? -1
        for (const wait of waits) expect(started).toBeGreaterThanOrEqual(nth(wait.pipe, wait.number)?.end ?? Infinity)
      }
    }
  })

  test('fills the gaps of a pipe with stalls, up to its last instruction', () => {
    for (const pipe of ['MTE2', 'V', 'MTE3']) {
      const lane = pipeOf(name, pipe)
      const waited = sum(
        core(name)
          .stalls.filter((one) => one.pipe === pipe)
          .map(({start, end}) => end - start),
      )
      expect(waited + sum(lane.map(({start, end}) => end - start))).toBeCloseTo(lane.at(-1)?.end ?? 0, 6)
    }
  })

  test('is a record of its schema, and the same again', async () => {
    expect(Timeline.parse(JSON.parse(JSON.stringify(seen[name].timeline)))).toEqual(seen[name].timeline)
    expect((await traced(kernels[name])).timeline).toEqual(seen[name].timeline)
  })
})

test.each(['single', 'double', 'barrier'] as const)('%s ends when the cost model says', (name) => {
  expect(core(name).cycles).toBeCloseTo(core(name).modelledCycles, 6)
})

test('of very many instructions the first are told, and how many are left', () => {
  const {intervals, left} = core('many')
  expect(intervals.length).toBe(12_500)
  expect(left).toBe(6 * (1 + 2 + 1) + 18_000 - 12_500)
})

describe('a run that is not traced', () => {
  test('tells no instructions; else it is the same run', async () => {
    const executor = await realExecutor()
    const built = await executor.build(fixtureProgram('tiles', 'TilesDemo', {x: 'float32', y: 'float32'}))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const x = {name: 'x', dtype: 'float32' as const, shape: [length], data: floats(Array(length).fill(1))}
    const outputs = [{name: 'y', dtype: 'float32' as const, shape: [length]}]
    const run = await executor.execute(built.build, {id: 'one', inputs: [x], attributes: {}, outputs})
    await built.build.dispose()
    expect(run).toMatchObject({outcome: 'ran', trace: seen.double.trace})
    expect(run).not.toHaveProperty('steps')
  })
})

// 48 cores share GM so that a copy in takes all of what a core has.
describe('copies that want the same bandwidth', () => {
  const step = (pipe: string, number: number, more: Partial<Step> = {}): Step => ({
    ...{pipe, api: pipe, number, place: 0, readBytes: 0, writtenBytes: 0, burstsIn: 0, burstsOut: 0, repeats: 0},
    waits: [],
    ...more,
  })
  const copyIn = (number: number) => step('MTE2', number, {readBytes: 4096, burstsIn: 1})
  const copyOut = (number: number) => step('MTE3', number, {writtenBytes: 4096, burstsOut: 1})
  const timelineOn = (cores: number) => {
    const steps = [1, 2, 3].flatMap((number) => [copyIn(number), copyOut(number)])
    const work = {copiesIn: 3, copiesOut: 3, burstsIn: 3, burstsOut: 3, vectorInstructions: 0, vectorRepeats: 0}
    const blocks = Array.from({length: cores}, (_, index) => ({
      ...{index, readBytes: 3 * 4096, writtenBytes: 3 * 4096},
      work: {...work, scalarAccesses: 0, waits: 0, drains: 0, tiles: 3},
    }))
    const trace = {...seen.double.trace, blockDim: cores, blocks}
    const nowhere = {placeOf: () => undefined, queueOf: () => undefined}
    return timelineOf({trace, steps: blocks.map(() => steps)}, atlasA2, nowhere)?.cores[0] as CoreTimeline
  }

  test('take turns, and say so', () => {
    const {intervals, stalls} = timelineOn(48)
    expect(intervals.map(({pipe}) => pipe)).toEqual(['MTE2', 'MTE3', 'MTE2', 'MTE3', 'MTE2', 'MTE3'])
    expect(new Set(stalls.map(({cause}) => cause.kind))).toEqual(new Set(['gm']))
  })

  test('run at once where there is enough', () => {
    expect(timelineOn(8).stalls).toEqual([])
    expect(timelineOn(8).cycles).toBeLessThan(timelineOn(48).cycles / 2)
  })

  test('have no timeline on a cube core, or without instructions', () => {
    const {trace, steps} = seen.double
    const nowhere = {placeOf: () => undefined, queueOf: () => undefined}
    expect(timelineOf({trace: {...trace, calls: {Mmad: 1}}, steps}, atlasA2, nowhere)).toBeUndefined()
    expect(timelineOf({trace, steps: []}, atlasA2, nowhere)).toBeUndefined()
  })
})

describe('marked lines', () => {
  const marksOf = async (text: string) => (await markedLines([{path: 'op_kernel/a.h', text}])).files[0]?.text

  test('stand before each statement that calls something, on its line', async () => {
    const text = 'void F()\n{\n    int n = G();\n    n += 1;\n    if (n)\n        G();\n    MACRO(n);\n}\n'
    expect(await marksOf(text)).toBe(
      [
        'void F()\n{\n    twin::AtLine(3); int n = G();\n    n += 1;\n    if (n)\n        twin::AtLine(6), G();',
        '    twin::AtLine(7); MACRO(n);\n}\n',
      ].join('\n'),
    )
  })

  test('leave host files as they are, and lead back to file and line', async () => {
    const host = {path: 'op_host/a.cpp', text: 'void F() { G(); }'}
    const {files, placeOf, queueOf} = await markedLines([
      host,
      {path: 'op_kernel/a.cpp', text: 'void F() {\n  auto x = this->in.template DeQue<float>();\n}'},
    ])
    expect(files[0]).toEqual(host)
    const place = Number(/AtLine\((\d+)\)/.exec(files[1]?.text ?? '')?.[1])
    expect(placeOf(place)).toEqual({path: 'op_kernel/a.cpp', line: 2})
    expect(queueOf(place, 'DeQue')).toBe('this->in')
    expect([placeOf(0), queueOf(place, 'AllocTensor')]).toEqual([undefined, undefined])
  })
})
