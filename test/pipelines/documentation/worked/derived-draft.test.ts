import {runInNewContext} from 'node:vm'
import {describe, expect, test} from 'vitest'
import type {WorkedQuestion} from '../../../../datasets/schema/worked.ts'
import workedCot from '../../../../pipelines/documentation/worked/worked-cot.ts'
import workedQuestions from '../../../../pipelines/documentation/worked/worked-questions.ts'
import workedRuns from '../../../../pipelines/documentation/worked/worked-runs.ts'
import {entryOf} from '../../../helpers/documented-names.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const fused =
  'AddDeqRelu AddReluCast SubReluCast MulCast MulAddRelu CastDequant SetDeqScale ReducePairElem ' +
  'GetReduceRepeatSumSpr GetReduceRepeatMaxMinSpr'
const ordered = 'Sort32 Sort Concat Extract GetSortLen GetSortOffset MrgSort GetMrgSortResult TopK'
const placed =
  'Copy SetPadValue GatherMask Gatherb GetCmpMask SetCmpMask TransDataTo5HD BilinearInterpolation Arange Fill ' +
  'BinaryRepeatParams UnaryRepeatParams ShapeInfo'
const inRows =
  'Broadcast Pad UnPad TransData Mean Sum ReduceMean ReduceProd ReduceAll ReduceAny ReduceXorSum CumSum DropOut ' +
  'SwiGLU AscendQuant AscendDequant AscendAntiQuant'
const norms =
  'LayerNorm RmsNorm DeepNorm BatchNorm GroupNorm Normalize LayerNormGrad LayerNormGradBeta WelfordUpdate ' +
  'WelfordFinalize'
const softmaxes =
  'SoftMax LogSoftMax SimpleSoftMax SoftmaxFlash SoftmaxFlashV2 SoftmaxFlashV3 SoftmaxGrad SoftmaxGradFront ' +
  'AdjustSoftMaxRes'
const names = [fused, ordered, placed, inRows, norms, softmaxes].join(' ').split(' ')

const asked = async (all: readonly string[], most: number, seed = 'test'): Promise<WorkedQuestion[]> => {
  const entries = all.map((name) => entryOf(name))
  const {outputs} = await runStage(workedQuestions({most}), entries, {seed})
  return outputs.filter(({situation}) => situation.startsWith('derived'))
}

const listOf = (value: unknown) => value as string[]

const mathematics = {sqrt: Math.sqrt, exp: Math.exp, log10: Math.log10, max: Math.max}

/** Both sides of the equations of a text whose values arithmetic alone gives, and how far apart they may be. */
function* equations(text: string): Iterable<[string, number, number, number]> {
  const sides = text.split(/ [=≈] /)
  const signs = text.match(/ [=≈] /g) ?? []
  for (const [at, side] of sides.slice(1).entries()) {
    const values = [sides[at] ?? '', side].map((one) => {
      const numbers = /^[-\d.+*/() ]+$|^(?:sqrt|exp|log10|max)\([-\d.+*/(), ]+\)$/.exec(
        one.split(': ').at(-1)?.split(' -> ')[0] ?? '',
      )
      return numbers && !one.includes('..') ? (runInNewContext(numbers[0], {...mathematics}) as number) : undefined
    })
    if (values.every((one) => one !== undefined))
      yield [text, values[0] as number, values[1] as number, signs[at] === ' = ' ? 1e-5 : 2e-4]
  }
}

describe('a call derived by numbers', () => {
  test('is asked of each interface of the tables, and takes two steps at least', async () => {
    const questions = await asked(names, 2)
    expect([...new Set(questions.map(({api}) => api))].sort()).toEqual([...names].sort())
    for (const {api, values, text, host, other} of questions) {
      expect(values['host'], api).toMatch(host === undefined ? /^none$/ : /Tiling/)
      expect(listOf(values['steps']).length, api).toBeGreaterThan(1)
      expect(text, api).toContain(values['call'])
      if (other) expect(other.text, api).toContain(values['wrong'])
      if (other) expect(text, api).toContain(values['right'])
    }
  })

  test('says what its arithmetic gives', async () => {
    const told = (await Promise.all(['a', 'b', 'c'].map((seed) => asked(names, 2, seed)))).flat()
    const texts = told.flatMap(({values}) => [...listOf(values['steps']), ...listOf(values['sizes'])])
    const all = texts.flatMap((text) => [...equations(text)])
    expect(all.length).toBeGreaterThan(1500)
    for (const [text, left, right, most] of all)
      expect(Math.abs(left - right), text).toBeLessThanOrEqual(most * Math.max(1, Math.abs(right)))
  })

  test('tells wrong values, values that nothing computed and invalid kernels apart', async () => {
    const shown = Object.fromEntries(
      (await asked(['Sort', 'Extract', 'Sort32'], 1)).map(({api, values}) => [api, values['shows']]),
    )
    expect(shown).toEqual({Sort: 'wrong', Extract: 'unset', Sort32: 'invalid'})
  })

  test('orders elements that the question tells how to make', async () => {
    for (const {api, values} of await asked(['Sort', 'Concat', 'TopK', 'MrgSort'], 2)) {
      const all = listOf(values['steps']).filter((step) => /%.*: z/.test(step))
      expect(all.length, api).toBeGreaterThan(1)
      for (const step of all) {
        const [, made = '', whole] = /^(.*) = (\d+): z/.exec(step) ?? []
        expect(runInNewContext(made), step).toBe(Number(whole))
      }
    }
  })

  test('has all its results by the formula', async () => {
    for (const {api, outputs, expected} of await asked(names, 1))
      expect(Object.keys(expected).sort(), api).toEqual(outputs.map(({name}) => name).sort())
  })
})

describe('on the twin', () => {
  test('kernels give what the formula says, and the other line shows that it is wrong', async () => {
    const some = 'MulAddRelu GetReduceRepeatMaxMinSpr TopK GetSortLen SetPadValue Fill ShapeInfo Pad CumSum'.split(' ')
    const more = 'AscendQuant CastDequant BatchNorm LayerNormGrad WelfordFinalize SoftMax SoftmaxFlashV3'.split(' ')
    const {outputs, dropped} = await runStage(
      workedRuns({executor: await realExecutor()}),
      await asked([...some, ...more], 1),
    )
    expect(dropped.map(({reason, detail}) => `${reason}: ${detail}`)).toEqual([])
    expect(outputs.map(({api}) => api)).toEqual([...some, ...more])
    for (const {api, other, observed} of outputs) {
      const shown = other && (typeof other.shows === 'string' ? other.shows : 'refused')
      expect(`${api} ${observed?.outcome}`).toBe(`${api} ${shown}`)
    }
    const rows = (await runStage(workedCot(), outputs)).outputs
    for (const [at, {answer, files}] of rows.entries()) {
      const {host} = outputs[at]!
      expect(files?.length).toBe(host === undefined ? 1 : 2)
      if (host !== undefined) expect(answer).toContain(host)
    }
  }, 240_000)

  test.each<[reason: string, name: string, changes: (question: WorkedQuestion) => object]>([
    ['other-results', 'RmsNorm', ({text}) => ({text: text.replace(/0\.\d+f/, '9.0f')})],
    ['other-results', 'SoftmaxGradFront', ({expected}) => ({expected: {z: [Number(expected['z']![0]) + 1]}})],
    ['right-refused', 'UnPad', ({host}) => ({host: host!.replace(/\{\d+, 16\}/, '{8, 24}')})],
    ['wrong-not-shown', 'SoftMax', ({text, other}) => ({other: {...other, text}})],
  ])(
    '%s: %s that is not as it says',
    async (reason, name, changes) => {
      const [question] = await asked([name], 1)
      const running = runStage(workedRuns({executor: await realExecutor()}), [{...question!, ...changes(question!)}])
      expect((await running).dropped.map((one) => one.reason)).toEqual([reason])
    },
    60_000,
  )
})
