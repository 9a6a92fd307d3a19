import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {judgeTiers} from '../../../../eval/bench/multikernelbench/judge-tiers.ts'
import type {Comparison, InputSize, Oracle} from '../../../../eval/bench/multikernelbench/oracle/oracle.ts'
import type {ModelCall, ModelRun} from '../../../../eval/bench/submission/submission.ts'
import type {Setting, StreamElement, TierName} from '../../../../eval/bench/multikernelbench/tiers.ts'
import {atlasA2} from '../../../../eval/cost.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const families = ['normal', 'large', 'tiny', 'constant', 'sparse', 'negative', 'ramp']

/** What the scripted world does for a call: `own 0` or a family's name, and the setting. */
interface Said {
  run?: Partial<Extract<ModelRun, {outcome: 'failed'}>>
  literal?: string
  hardened?: string
  spoilt?: Comparison['spoilt']
  digest?: string
  calls?: Record<string, number>
  traces?: RunTrace[]
  mutants?: Comparison['mutants']
}

interface World {
  task?: string
  element?: StreamElement
  tiers?: TierName[]
  largestInput?: number
  trials?: number
  /** Bytes of input of a setting; default 16. */
  bytes?: (setting: Setting) => number
  say?: (call: string, setting: Setting, again: boolean) => Said
}

/** A submission and an oracle that do as they are told: what is tested is what becomes of what they say. */
async function judge({
  task = 'unknown',
  element,
  tiers = ['head'],
  largestInput = 1 << 30,
  trials = 2,
  ...world
}: World) {
  const folder = await temporaryFolder()
  const drawn: {family: string; trial: number; setting: Setting; roles: readonly string[]}[] = []
  const asked: {call: string; poison: string; order: string; together: number}[] = []
  let batches = 0
  const compared: boolean[] = []
  const nameOf = (path: string) => readFileSync(path, 'utf8')
  const seen = new Set<string>()
  const saying = (text: string): Said => {
    const [call = '', setting = ''] = text.split('\n')
    return world.say?.(call, JSON.parse(setting) as Setting, seen.has(text)) ?? {}
  }
  const oracle: Oracle = {
    folder,
    alone: () => Promise.reject(new Error('no module stands by itself here')),
    describe: (setting) => {
      const bytes = world.bytes?.(setting) ?? 16
      return Promise.resolve([{shape: [bytes / 4], dtype: 'float32', bytes}] satisfies InputSize[])
    },
    draw({family, trial, setting, roles}) {
      drawn.push({family, trial, setting, roles})
      const place = join(folder, `call-${drawn.length}`)
      mkdirSync(place)
      const path = join(place, 'call.json')
      writeFileSync(path, `${family} ${trial}\n${JSON.stringify(setting)}`)
      return Promise.resolve(path)
    },
    compare({call, mutants}) {
      const text = nameOf(call)
      const said = saying(text)
      seen.add(text)
      compared.push(mutants)
      return Promise.resolve({
        ...(said.literal !== undefined && {literal: said.literal}),
        ...(said.hardened !== undefined && {hardened: said.hardened}),
        figures: {maxAbs: 0, mere: 0, mare: 0, normRatio: 0},
        outputBytes: 8,
        digest: said.digest ?? text,
        spoilt: said.spoilt ?? [],
        mutants: mutants ? (said.mutants ?? []) : [],
      })
    },
    case: () => Promise.reject(new TypeError('nobody asks for it')),
    close: () => Promise.resolve(),
  }
  const submission = {
    run(calls: readonly ModelCall[]): Promise<ModelRun[]> {
      batches += 1
      const own = mkdtempSync(join(folder, 'run-'))
      return Promise.resolve(
        calls.map(({call, poison, order}, at) => {
          const text = nameOf(call)
          asked.push({call: text.split('\n')[0] ?? '', poison, order, together: batches})
          const said = saying(text)
          if (said.run) return {outcome: 'failed', kind: 'crashed', why: 'it fell', ...said.run}
          const outputs = join(own, `outputs-${at}`)
          mkdirSync(outputs)
          return {outcome: 'ran', outputs, traces: said.traces ?? [traceWith(said.calls ?? {})]}
        }),
      )
    },
    dispose: () => Promise.resolve(),
  }
  const found = await judgeTiers({task, element, oracle, submission}, {tiers, largestInput, trials, rates: atlasA2})
  return {found, drawn, asked, compared, verdict: found.tiers[0] as (typeof found.tiers)[number]}
}

function traceWith(calls: Record<string, number>): RunTrace {
  return {
    blockDim: 1,
    tilingKey: 0,
    workspaceBytes: 0,
    tiling: {},
    buffers: [],
    ubPeakBytes: 0,
    calls,
    blocks: [{index: 0, readBytes: 16, writtenBytes: 8}],
  }
}

test('own trials, every other kind, then the first again the other way round, in one process', async () => {
  const {asked, drawn, verdict} = await judge({trials: 3})
  const forward = (call: string) => ({call, poison: 'nan', order: 'forward', together: 1})
  expect(asked).toEqual([
    ...['own 0', 'own 1', 'own 2'].map(forward),
    ...families.map((family) => forward(`${family} 0`)),
    {call: 'own 0', poison: 'zero', order: 'reverse', together: 1},
  ])
  expect(drawn).toHaveLength(10)
  expect(verdict).toMatchObject({calls: 11, literal: true, hardened: true, sizes: ['4'], leftOut: []})
})

test.each<[string, World['say'], {literal: boolean; hardened: boolean}]>([
  ['own inputs wrong by both', (call) => (call === 'own 1' ? {literal: 'l', hardened: 'h'} : {}), both(false)],
  ['own inputs wrong literally alone', (call) => (call === 'own 1' ? {literal: 'l'} : {}), both(false)],
  ['own inputs wrong when looked at closely', (call) => (call === 'own 0' ? {hardened: 'h'} : {}), literalAlone()],
  ['another kind wrong', (call) => (call === 'ramp 0' ? {literal: 'l', hardened: 'h'} : {}), literalAlone()],
  ['another kind beyond the literal tolerance alone', (call) => (call === 'large 0' ? {literal: 'l'} : {}), both(true)],
  ['an own call that fails', (call) => (call === 'own 0' ? {run: {}} : {}), both(false)],
  ['another call that fails', (call) => (call === 'tiny 0' ? {run: {}} : {}), literalAlone()],
  [
    'an input that was changed',
    (call) => (call === 'own 0' ? {spoilt: [spoilt('changes-an-input')]} : {}),
    literalAlone(),
  ],
  ['other bits the second time', (_, __, again) => ({digest: again ? 'b' : 'a'}), literalAlone()],
  [
    'other bits of atomic additions',
    (_, __, again) => ({digest: again ? 'b' : 'a', calls: {SetAtomicAdd: 1}}),
    both(true),
  ],
  [
    'other bits after atomics were only turned off',
    (_, __, again) => ({digest: again ? 'b' : 'a', calls: {SetAtomicNone: 1}}),
    literalAlone(),
  ],
])('%s', async (_, say, expected) => {
  const {verdict, found} = await judge({...(say && {say})})
  expect({literal: verdict.literal, hardened: verdict.hardened}).toEqual(expected)
  expect(found.faults.length > 0).toBe(!expected.literal || !expected.hardened)
})

const spoilt = (rule: string) => ({rule, said: `it ${rule}`})

function both(holds: boolean) {
  return {literal: holds, hardened: holds}
}

function literalAlone() {
  return {literal: true, hardened: false}
}

test('a fault names tier, sizes, kind of values and what was said, three of them at most', async () => {
  const {found} = await judge({say: () => ({literal: 'l', hardened: 'h'})})
  expect(found.faults).toHaveLength(3)
  expect(found.faults[0]).toEqual({tier: 'head', sizes: '4', family: 'own', literal: 'l', hardened: 'h'})
})

test.each<[string, Said, string | undefined]>([
  ['a run that is refused', {run: {behaviour: 'SUB-BEH-005'}}, 'SUB-BEH-005'],
  ['a run that fails', {run: {}}, undefined],
  ['a view', {spoilt: [spoilt('not-contiguous')], hardened: 'h'}, 'SUB-BEH-002'],
  ['an input', {spoilt: [spoilt('returns-an-input')]}, 'SUB-BEH-002'],
  ['an input that was changed', {spoilt: [spoilt('changes-an-input')]}, undefined],
  ['a call without a launch', {traces: [], hardened: 'h'}, 'SUB-BEH-004'],
  ['what is wrong', {hardened: 'h'}, undefined],
])('the fault of %s has the number of its behaviour', async (_, said, behaviour) => {
  const {found} = await judge({say: (call) => (call === 'own 0' ? said : {})})
  expect(found.faults[0]?.behaviour).toBe(behaviour)
})

test('other arguments are no call of the benchmark, and so never wrong literally', async () => {
  const say: World['say'] = (_, setting) => (setting.init ? {literal: 'l', hardened: 'h'} : {})
  const {verdict, found} = await judge({task: 'elu', tiers: ['odd'], say})
  expect(verdict).toMatchObject({literal: true, hardened: false})
  expect(found.faults.every((fault) => !('literal' in fault))).toBe(true)
})

test('input at the limit is judged, a byte more is left out and named', async () => {
  const at = await judge({largestInput: 1 << 20, bytes: () => 1 << 20})
  expect(at.verdict).toMatchObject({calls: 10, leftOut: []})
  const above = await judge({largestInput: 1 << 20, bytes: () => (1 << 20) + 4})
  expect(above.verdict).toMatchObject({calls: 0, sizes: [], leftOut: ['262145: 2 MiB']})
})

test('values that are no numbers are asked for where one of them does not make all of them', async () => {
  const {asked, compared} = await judge({task: 'relu', trials: 1})
  expect(asked.map(({call}) => call)).toEqual(['own', ...families, 'infinite', 'nan', 'own'].map((one) => `${one} 0`))
  // Memory full of NaN would look right where NaN is.
  expect(asked.slice(-3).map(({poison, order}) => [poison, order])).toEqual([
    ['zero', 'forward'],
    ['zero', 'forward'],
    ['zero', 'reverse'],
  ])
  expect(compared.slice(-4)).toEqual([true, false, false, false])
  const counts = await Promise.all(
    ['softmax', 'sgd', 'mse_loss', 'cumprod', 'adam'].map(
      async (task) => (await judge({task, trials: 1})).asked.length,
    ),
  )
  expect(counts).toEqual([11, 11, 9, 9, 9])
  expect((await judge({task: 'relu', bytes: () => 1 << 25})).asked).toHaveLength(3)
})

test('large inputs meet one own call and one other kind, and no mutants', async () => {
  const small = await judge({bytes: () => 24 * 2 ** 20})
  const {asked, compared} = await judge({bytes: () => 24 * 2 ** 20 + 4})
  expect(small.asked).toHaveLength(10)
  expect(asked.map(({call}) => call)).toEqual(['own 0', 'normal 0', 'own 0'])
  expect(compared).toEqual([false, false, false])
  expect(small.compared).toEqual([...Array.from({length: 9}, () => true), false])
})

test('sizes that several tiers share are run once and count for each', async () => {
  const {found, asked} = await judge({task: 'adam', tiers: ['head', 'scaled', 'v0'], say: () => ({hardened: 'h'})})
  expect(asked).toHaveLength(10)
  expect(found.tiers.map(({tier, calls, hardened}) => [tier, calls, hardened])).toEqual([
    ['head', 10, false],
    ['scaled', 10, false],
    ['v0', 10, false],
  ])
  expect(found.faults).toHaveLength(3)
})

test('what inputs mean is told to who draws them', async () => {
  const {drawn} = await judge({task: 'adam'})
  expect(drawn.every(({roles}) => roles[3] === 'positive')).toBe(true)
  expect((await judge({task: 'relu'})).drawn.every(({roles}) => roles.length === 0)).toBe(true)
})

test('mutants are counted by name over the calls in which they differ', async () => {
  const say: World['say'] = (call) => ({
    mutants: call.startsWith('own') ? [{name: 'zeros', literal: false, hardened: true}] : [],
  })
  const {found} = await judge({trials: 2, say})
  expect(found.mutants).toEqual([{name: 'zeros', calls: 2, literal: 0, hardened: 2}])
})

test('mHC is called in the type that is asked for, at sizes of its own, and never judged literally', async () => {
  const say: World['say'] = () => ({literal: 'l'})
  const {found, drawn} = await judge({task: 'mhc_post', element: 'bfloat16', tiers: ['head', 'v0', 'odd'], say})
  expect(drawn.every(({setting}) => setting.constants?.['element'] === 1)).toBe(true)
  expect(found.tiers.map(({tier, sizes, literal, hardened}) => [tier, sizes.length, literal, hardened])).toEqual([
    ['head', 2, true, true],
    ['v0', 0, true, true],
    ['odd', 3, true, true],
  ])
})

/** So few that nobody looks at what kernels moved. */
const matrixBytes = ({constants}: Setting) =>
  (Number(constants?.['batch_size'] ?? 4096) * Number(constants?.['dim'] ?? 393216)) / 256

test.each<[string, (rows: number, columns: number) => Said, boolean, string[]]>([
  ['right everywhere', () => ({}), true, []],
  ['wrong above 2,000 rows', (rows) => (rows > 2000 ? {literal: 'l', hardened: 'h'} : {}), false, ['15360']],
  ['wrong where a row does not fit', (_, columns) => (columns > 49_152 ? {run: {}} : {}), false, ['15360']],
  ['too slow there', (rows) => (rows > 256 ? {run: {kind: 'timed-out'}} : {}), true, []],
])('what is right when scaled is called once at sizes nearer to the own: %s', async (_, say, hardened, where) => {
  const {found, asked, verdict} = await judge({
    task: 'relu',
    tiers: ['scaled'],
    trials: 1,
    largestInput: 64 << 10,
    bytes: matrixBytes,
    say: (__, {constants}) => say(Number(constants?.['batch_size']), Number(constants?.['dim'])),
  })
  expect(asked.slice(-2).map(({call}) => call)).toEqual(['own 0', 'own 0'])
  expect(asked).toHaveLength(11 + 2)
  expect(verdict).toMatchObject({hardened, literal: true, sizes: ['1536', '15360', '15360']})
  expect(found.faults.map(({sizes}) => sizes)).toEqual(where)
})

test('what is wrong when scaled already, and mHC, are called at no further size', async () => {
  const asked = async (world: World) => (await judge({tiers: ['scaled'], trials: 1, ...world})).verdict.sizes
  const wrong = {task: 'relu', largestInput: 64 << 10, bytes: matrixBytes, say: () => ({hardened: 'h'})}
  expect(await asked(wrong)).toHaveLength(1)
  const bytes: World['bytes'] = ({constants}) => 4 * Number(constants?.['batch'] ?? 1000)
  expect(await asked({task: 'mhc_post', element: 'float32', bytes})).toHaveLength(5)
})
