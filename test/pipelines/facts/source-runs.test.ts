import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {DescribedSource} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import sourceRuns, {seenCalls} from '../../../pipelines/facts/source-runs.ts'
import {catalogue} from '../../../pipelines/telling/catalogue.ts'
import {formatted} from '../../../pipelines/telling/tell-message.ts'
import {describedSources} from '../../helpers/described.ts'
import {runStage} from '../../helpers/run-stage.ts'

const kernelPath = 'op_kernel/negate.cpp'
const hostPath = 'op_host/negate.cpp'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8')
  .split('\n')
  .filter((one) => one.includes('"side":"kernel"'))
const [kernel] = (await describedSources([CheckedOperatorSource.parse(JSON.parse(line as string))])) as [
  DescribedSource,
]
const {repository} = kernel.origin

const withText = (text: string, changes: Partial<DescribedSource> = {}): DescribedSource => ({
  ...kernel,
  target: {...kernel.target, text},
  ...changes,
})

const evidence = (change: string, path: string, at: number): Decision['because'][number] => ({
  ...{kind: 'counterfactual', change, subject: 'count', path, line: at, before: 'a', after: 'b', values: {}},
  observed: {outcome: 'refused', rule: 'gm-out-of-range', api: 'DataCopyPad', message: ''},
})

const arithmetic: Decision['because'][number] = {
  ...{kind: 'arithmetic', name: 'tile', expression: 'n / 2', values: [['n', 8]], worked: '8 / 2', result: 4},
}

const decision = (topic: Decision['topic'], because: Decision['because']): Decision => ({
  ...{topic, situation: 'observed', subject: 'count', values: {}, because},
})

/** A pair whose kernel has three lines and whose host has one. */
function pair(decisions: Decision[], changes: object = {}, shape = [4, 8]): HostKernelPair {
  const trace = {blockDim: 2, tilingKey: 0, tiling: {tile: 4}}
  return {
    origin: {repository},
    operator: kernel.operator,
    scenario: {inputs: [{name: 'x', dtype: 'float16', shape, range: [0, 1]}], attributes: {alpha: 2}, trace},
    host: [{path: hostPath, text: 'int tile = n / 2;\n'}],
    kernel: {path: kernelPath, text: 'void F()\n{\n    int count = n < tile ? n : tile; // last\n}\n'},
    decisions,
    ...changes,
  } as unknown as HostKernelPair
}

async function* given(pairs: readonly HostKernelPair[]) {
  yield* pairs
}

async function ranOf(source: DescribedSource, ...pairs: HostKernelPair[]) {
  const {outputs} = await runStage(sourceRuns({seen: await seenCalls(given(pairs))}), [source])
  return outputs[0]?.ran
}

const placesIn = (decisions: readonly Decision[] = []) =>
  decisions.flatMap(({because}) =>
    because.map((one) => (one.kind === 'counterfactual' ? [one.change, one.path, one.line] : one.kind)),
  )

const tail = decision('tail', [evidence('whole-tiles', kernelPath, 3)])

describe('what was observed of a pair', () => {
  test('stands with the same line of the file that it was reduced from, with its number there', async () => {
    const text = '// a licence\n\nvoid F() {\n  int count = n<tile ? n : tile;\n}\n'
    const ran = await ranOf(withText(text), pair([tail]))
    expect(placesIn(ran?.decisions)).toEqual([['whole-tiles', kernel.target.path, 4]])
    expect(ran).toMatchObject({
      inputs: [{name: 'x', dtype: 'float16', shape: [4, 8]}],
      attributes: {alpha: 2},
      tiling: {tile: 4},
    })
    expect(ran?.inputs[0]).not.toHaveProperty('range')
  })

  test.each([
    ['that the file lacks', 'int count = n;\n'],
    ['that it has twice', 'int count = n < tile ? n : tile;\n'.repeat(2)],
  ])('of a line %s is left out', async (_, text) => {
    const ran = await ranOf(withText(text), pair([tail]))
    expect(placesIn(ran?.decisions)).toEqual([])
  })

  test('of an instance stands with the line of the template, if no other line could have become it', async () => {
    const kernelOf = (text: string) => ({kernel: {path: kernelPath, text: `\n\n${text}\n`}})
    const ran = async (text: string, line: string) =>
      placesIn((await ranOf(withText(text), pair([tail], kernelOf(line))))?.decisions)
    const template = 'pipe.InitBuffer(queue, 2, n * sizeof(T));\n'
    const instance = 'pipe.InitBuffer(queue, 2, n * sizeof(half));'
    expect(await ran(template, instance)).toEqual([['whole-tiles', kernel.target.path, 1]])
    expect(await ran(`${template}${template}`, instance)).toEqual([])
    expect(await ran(template, instance.replace('queue', 'half'))).toEqual([])
    expect(await ran(instance.replace('half', 'float'), instance)).toEqual([])
    expect(await ran('Cast<T, T>(y, x);', 'Cast<half, float>(y, x);')).toEqual([])
    expect(await ran('Cast<T, U>(y, x);', 'Cast<half, float>(y, x);')).toEqual([['whole-tiles', kernel.target.path, 1]])
    expect(await ran(template, instance.replace('half', 'U'))).toEqual([])
    expect(await ran(template, instance.replace('2', '1'))).toEqual([])
    expect(await ran(template, instance.replace('half', 'half + 1'))).toEqual([])
  })

  test('of values holds of every call with the same types and attributes, and stands beside what the best call shows', async () => {
    const text = 'int count = n < tile ? n : tile;\nCast(y, x, RoundMode::CAST_RINT, n);\n'
    const more = decision('tail', [evidence('whole-tiles', kernelPath, 3), evidence('plain-copy', kernelPath, 3)])
    const other = (topic: Decision['topic'], change: string) => decision(topic, [evidence(change, kernelPath, 3)])
    const placed = {outcome: 'close', inputs: 'call', output: 'y', index: 3, seen: 1, expected: 2, differ: 1, of: 9}
    const valued = (topic: Decision['topic'], change: string, at: [string, number][] = [['x', 1]]) => {
      const [found] = other(topic, change).because
      return decision(topic, [{...found, observed: {...placed, at}} as Decision['because'][number]])
    }
    const seen = async (one: Decision, dtype = 'float16', attributes: object = {alpha: 2}) => {
      const {scenario} = pair([])
      const inputs = [{...scenario.inputs[0], dtype}]
      const second = pair([one], {scenario: {...scenario, inputs, attributes}})
      return (await ranOf(withText(text), pair([more]), second))?.decisions.map(({topic}) => topic)
    }
    expect(await seen(valued('rounding', 'truncated'))).toEqual(['tail', 'rounding'])
    expect(await seen(valued('rounding', 'truncated'), 'float32')).toEqual(['tail'])
    expect(await seen(valued('rounding', 'truncated'), 'float16', {alpha: 3})).toEqual(['tail'])
    expect(await seen(valued('depth', 'single-blocks'))).toEqual(['tail'])
    expect(await seen(valued('tail', 'truncated'))).toEqual(['tail'])
    expect(await seen(valued('rounding', 'truncated', []))).toEqual(['tail'])
    expect(await seen(other('rounding', 'truncated'))).toEqual(['tail'])
  })

  test('is of the same operator of the same repository, and of the same side', async () => {
    const text = 'int count = n < tile ? n : tile;\nint tile = n / 2;\n'
    const ofHost = decision('cores', [evidence('one-core', hostPath, 1)])
    expect(await ranOf(withText(text), pair([tail], {operator: 'Other'}))).toBeUndefined()
    expect(await ranOf(withText(text), pair([tail], {origin: {repository: 'other'}}))).toBeUndefined()
    expect(placesIn((await ranOf(withText(text), pair([ofHost, tail])))?.decisions)).toEqual([
      ['whole-tiles', kernel.target.path, 1],
    ])
    const host = {side: 'host' as const, target: {path: hostPath, text}}
    expect(placesIn((await ranOf(withText(text, host), pair([ofHost, tail])))?.decisions)).toEqual([
      ['one-core', hostPath, 2],
    ])
  })

  test('of an element type is told where the file casts', async () => {
    const text = 'int count = n < tile ? n : tile;\n'
    const type = decision('element-type', [evidence('small-buffers', kernelPath, 3)])
    expect((await ranOf(withText(text), pair([type])))?.decisions ?? []).toEqual([])
    const cast = await ranOf(withText(`${text}Cast(y, x, RoundMode::CAST_NONE, n);\n`), pair([type]))
    expect(placesIn(cast?.decisions)).toEqual([['small-buffers', kernel.target.path, 1]])
  })

  test('of a wait for scalars is told where the file reads one', async () => {
    const text = 'int count = n < tile ? n : tile;\n'
    const waits = {...decision('synchronisation', [evidence('whole-tiles', kernelPath, 3)]), values: {queues: ['tile']}}
    const situations = async (situation: string, more: string) =>
      (await ranOf(withText(`${text}${more}`), pair([{...waits, situation}])))?.decisions.map((one) => one.situation)
    expect(await situations('queues-and-scalar', 'float s = work.GetValue(0);\n')).toEqual(['queues-and-scalar'])
    for (const one of ['queues-and-scalar', 'queues-and-copied', 'queues-and-awaited'])
      expect(await situations(one, '')).toEqual(['observed'])
    expect(await situations('queues', '')).toEqual(['queues'])
  })

  test('is of the call that shows most of the file', async () => {
    const text = 'int count = n < tile ? n : tile;\nint tile = n / 2;\n'
    const more = decision('tail', [evidence('whole-tiles', kernelPath, 3), evidence('plain-copy', kernelPath, 3)])
    const ran = await ranOf(withText(text), pair([tail]), pair([more], {}, [16]), pair([more], {}, [32]))
    expect(ran?.inputs[0]?.shape).toEqual([16])
  })

  test('has the values of the call where the host that computes them is the file, and there alone', async () => {
    const text = 'int tile = n / 2;\n'
    const worked = pair([decision('tile', [arithmetic])])
    const host = (path: string) => ({side: 'host' as const, target: {path, text}})
    expect(placesIn((await ranOf(withText(text, host(hostPath)), worked))?.decisions)).toEqual(['arithmetic'])
    expect(await ranOf(withText(text, host('op_host/other.cpp')), worked)).toBeUndefined()
    const file = withText(text, {target: {path: kernelPath, text}})
    expect((await ranOf(file, worked))?.decisions).toEqual([])
  })

  test('says of a function that it ran only where a line of it was seen', async () => {
    const part = {name: 'F', signature: 'void F()', comment: ''}
    const function_ = (text: string) => withText(text, {part, target: {path: kernelPath, text}})
    expect(await ranOf(function_('int other;\n'), pair([tail]))).toBeUndefined()
    expect(await ranOf(function_('int count = n < tile ? n : tile;\n'), pair([tail]))).toBeDefined()
  })

  test('of queues and buffers that a file does not name is told without them', async () => {
    const text = 'int count = n < tile ? n : tile;\n'
    const ofQueues = (queues: string[]) => ({
      ...decision('synchronisation', [evidence('freed-early', kernelPath, 3)]),
      ...{situation: 'queues', values: {queues}},
    })
    const situationOf = async (queues: string[]) =>
      (await ranOf(withText(text), pair([ofQueues(queues)])))?.decisions.map(({situation}) => situation)
    const holdersOf = async (holders: string[]) => {
      const one = {...ofQueues([]), values: {holders}}
      return (await ranOf(withText(text), pair([one])))?.decisions.map(({values}) => values['holders'])
    }
    expect(await holdersOf(['tile'])).toEqual([['tile']])
    expect(await holdersOf(['tile', 'inQueue_'])).toEqual([[]])
    expect(await situationOf(['tile'])).toEqual(['queues'])
    expect(await situationOf(['tile', 'inQueue_'])).toEqual(['observed'])
  })

  test('is part of the key', async () => {
    const keyOf = async (...pairs: HostKernelPair[]) =>
      JSON.stringify(sourceRuns({seen: await seenCalls(given(pairs))}).options)
    expect(await keyOf(pair([tail]))).not.toBe(await keyOf(pair([])))
    expect(await keyOf(pair([tail]))).toBe(await keyOf(pair([tail])))
  })
})

describe('a row of a file that ran', () => {
  const rowOf = async (source: DescribedSource) => (await runStage(kernelCot(), [source])).outputs[0]

  test('gives the call in its request, tells what was observed and is proven by a run', async () => {
    const ran = await ranOf({...kernel, target: {...kernel.target, path: kernelPath}}, pair([]))
    const file = {...kernel, ran: {...ran!, decisions: [decision('tail', [evidence('whole-tiles', kernelPath, 3)])]}}
    const row = await rowOf(file)
    for (const one of ['`x: float16[4, 8]`', '`alpha = 2`', 'tile = 4']) expect(row?.prompt).toContain(one)
    expect(row?.proof).toBe('ran')
    expect((await rowOf(kernel))?.proof).toBe('compiled')
    expect(row?.decisions?.filter(({topic}) => topic === 'tail')).toEqual(file.ran.decisions)
    // The words of this change, of this outcome and of its rule: without the run, none of them.
    const isTold = (one: CotSample | undefined) => {
      const {language, reasoning} = one as CotSample
      const {speaker, values} = {speaker: voice(language, randomFrom('any')), values: {api: 'DataCopyPad'}}
      const words = catalogue(language).topics['tail']?.changes['whole-tiles']?.['refused'] ?? []
      return words.some((each) => reasoning.includes(formatted(each, {...values, rule: 'gm_out_of_range'}, speaker)))
    }
    expect(isTold(row)).toBe(true)
    expect(isTold(await rowOf(kernel))).toBe(false)
    expect(isTold(await rowOf({...file, ran: {...file.ran, decisions: []}}))).toBe(false)
  })

  test('keeps what its facts say of a topic of which a run shows only what every kernel would get wrong', async () => {
    const ran = (await ranOf({...kernel, target: {...kernel.target, path: kernelPath}}, pair([])))!
    const [known] = (await rowOf(kernel))?.decisions ?? []
    const isKept = async (change: string) => {
      const decisions = [decision(known!.topic, [evidence(change, kernelPath, 3)])]
      const row = await rowOf({...kernel, ran: {...ran, decisions}})
      return row?.decisions?.some(({situation}) => situation === known?.situation)
    }
    expect(await isKept('freed-early')).toBe(true)
    expect(await isKept('whole-tiles')).toBe(false)
  })

  test('is none where a run shows only what every kernel would get wrong', async () => {
    const text = '__aicore__ inline void F(uint32_t count)\n{\n    Other(count);\n}\n'
    const target = {path: kernelPath, text}
    const [bare] = await describedSources([{...CheckedOperatorSource.parse(JSON.parse(line as string)), target}])
    const ran = (await ranOf({...kernel, target: {...kernel.target, path: kernelPath}}, pair([])))!
    const reasonOf = async (...changes: string[]) => {
      const decisions = changes.map((one, at) => decision(at === 0 ? 'depth' : 'tail', [evidence(one, kernelPath, 3)]))
      const {outputs, dropped} = await runStage(kernelCot(), [{...(bare as DescribedSource), ran: {...ran, decisions}}])
      return outputs.length > 0 ? 'row' : dropped.map(({reason}) => reason).join()
    }
    expect(await reasonOf('single-blocks', 'whole-tiles')).toBe('row')
    expect(await reasonOf('not-given-back', 'freed-early')).toBe('hollow')
    expect(await reasonOf('not-given-back', 'whole-tiles')).toBe('hollow')
  })
})
