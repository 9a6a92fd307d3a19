import {describe, expect, test} from 'vitest'
import type {WorkedQuestion} from '../../../../datasets/schema/worked.ts'
import workedQuestions from '../../../../pipelines/documentation/worked/worked-questions.ts'
import workedRuns from '../../../../pipelines/documentation/worked/worked-runs.ts'
import {entryOf} from '../../../helpers/documented-names.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const names = 'Exp Adds MulAddDst ReduceMax WholeReduceSum BlockReduceMax Compare CompareScalar Cast DataCopyPad'
const others =
  'DataCopy InitBuffer EnQue AllocTensor SetFlag ReduceSum Gather Brcb Transpose PairReduceSum Duplicate SetMaskCount'

const cores =
  'GetBlockNum SetAtomicMin DisableDmaAtomic NotifyNextBlock InitDetermineComputeWorkspace SyncAll CrossCoreSetFlag ' +
  'GetUserWorkspace IBWait GroupBarrier GetTaskRatio GetSubBlockIdx TQueSync PipeBarrier'
const memories =
  'TQue TQueBind LocalTensor TBuf TBufPool TPipe GetTPipePtr LocalMemAllocator TPosition ' +
  'GetDataBlockSizeInBytes GetSystemCycle InitSocState DataCacheCleanAndInvalid WriteGmByPassDCache ' +
  'ReadGmByPassDCache MakeStride TensorDesc Trap DataCachePreload ICachePreLoad'
const ofCube =
  'Mmad LoadData LoadDataWithTranspose Fixpipe SetFixpipeNz2ndFlag SetFixPipeConfig SetFixpipePreQuantFlag ' +
  'SetFmatrix SetLoadDataRepeat SetLoadDataBoundary MmadWithSparse GetMatmulApiTiling'

const asked = async (all: string): Promise<WorkedQuestion[]> =>
  (
    await runStage(
      workedQuestions({most: 1}),
      all.split(' ').map((name) => entryOf(name)),
    )
  ).outputs

const ran = async (questions: readonly WorkedQuestion[]) =>
  runStage(workedRuns({executor: await realExecutor()}), questions)

const one = async (name: string, situation: string, changes: (question: WorkedQuestion) => Partial<WorkedQuestion>) => {
  const question = (await asked(name)).find((each) => each.situation === situation)!
  return (await ran([{...question, ...changes(question)}])).dropped.map(({reason}) => reason)
}

describe('on the twin', () => {
  test.each([`${names} ${others}`, cores, memories, ofCube])(
    'what is right runs and gives what the formula says, what is wrong shows what the rule says: %s',
    async (all) => {
      const questions = await asked(all)
      const {outputs, dropped} = await ran(questions)
      expect(dropped.map(({reason, detail}) => `${reason}: ${detail}`)).toEqual([])
      expect(outputs.length).toBe(questions.length)
      expect(outputs.length).toBeGreaterThanOrEqual(all.split(' ').length)
      for (const {other, observed, situation} of outputs) {
        const shown = other && (typeof other.shows === 'string' ? other.shows : 'refused')
        expect(`${situation} ${observed?.outcome}`).toBe(`${situation} ${shown}`)
      }
      const cast = outputs.find(({situation}) => situation === 'rounding')
      if (!cast) return
      expect(cast.results['z']).toEqual(cast.expected['z'])
      expect(cast.observed).toMatchObject({outcome: 'wrong', output: 'z', expected: cast.values['right']})
    },
    240_000,
  )

  test.each<[reason: string, name: string, situation: string, changes: (question: WorkedQuestion) => object]>([
    ['other-results', 'Exp', 'results', () => ({expected: {z: [17]}})],
    ['other-results', 'Cast', 'rounding', ({expected}) => ({expected: {z: expected['z']!.map((v) => Number(v) + 1)}})],
    ['right-refused', 'Exp', 'start', ({other}) => ({text: other!.text})],
    ['right-refused', 'Exp', 'start', ({text}) => ({text: text.replace('Exp(', 'Exq(')})],
    ['wrong-not-shown', 'Exp', 'start', ({text, other}) => ({other: {...other, text}})],
    ['wrong-not-shown', 'Exp', 'start', ({other}) => ({other: {...other, shows: {refused: 'gm-race'}}})],
    ['wrong-not-shown', 'Exp', 'start', ({other}) => ({other: {...other, shows: 'not-built'}})],
    ['wrong-not-shown', 'Cast', 'rounding', ({text, other}) => ({other: {...other, text}})],
    ['wrong-not-shown', 'Cast', 'rounding', ({other}) => ({other: {...other, shows: {refused: 'gm-race'}}})],
  ])(
    '%s: a question on %s that is not as it says (%s)',
    async (reason, name, situation, changes) => {
      expect(await one(name, situation, changes)).toEqual([reason])
    },
    120_000,
  )

  test.each([
    {execute: () => Promise.resolve({outcome: 'timed-out', limitSeconds: 5, byClock: true})},
    {build: () => Promise.resolve({ok: false, verdict: {outcome: 'timed-out', phase: 'compile', limitSeconds: 5}})},
  ])(
    'a machine that had other work fails the record; it says nothing of the kernel: %#',
    async (busy) => {
      const [question] = await asked('Exp')
      const real = await realExecutor()
      const executor = {
        identity: real.identity,
        build: real.build.bind(real),
        execute: real.execute.bind(real),
        ...busy,
      }
      const running = runStage(workedRuns({executor: executor as never}), [question!])
      await expect(running).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
    },
    60_000,
  )
})
