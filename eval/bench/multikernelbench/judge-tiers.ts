import {cp, rename, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {behaviourOf, type Behaviour} from '../../behaviours.ts'
import {modelCost, type Rates} from '../../cost.ts'
import {grownSettings} from './grown-settings.ts'
import type {Comparison, InputSize, Oracle} from './oracle/oracle.ts'
import type {ModelCall, ModelRun, Submission} from '../submission/submission.ts'
import {isNoNumber, noNumbersOf, rolesOf, settingsOf, type Setting, type StreamElement, type TierName} from './tiers.ts'
import type {Fault, ModelVerdict, TierVerdict} from './verdict.ts'

interface Judged {
  task: string
  element?: StreamElement | undefined
  oracle: Oracle
  submission: Submission
  signal?: AbortSignal
}

interface Asked {
  tiers: readonly TierName[]
  largestInput: number
  trials: number
  /** Rates of the target chip. */
  rates: Rates
}

type Found = Omit<Extract<ModelVerdict, {opened: true}>, 'opened'>
type MutantCount = Found['mutants'][number]

/** The seed of the harness (config.py: seed_num). */
const seed = 1024

/** Bytes of input above which one own call and one other kind of values suffice. */
export const largeInput = 24 * 2 ** 20

/** Calls with own inputs, as in the harness (config.py: num_correct_trials). */
export const ownTrials = 5

/** Kinds of values besides the benchmark's own; for large inputs, only the first. */
const families = ['normal', 'large', 'tiny', 'constant', 'sparse', 'negative', 'ramp'] as const

/** Most reported calls of one setting; the rest say the same. */
const faultsKept = 3

/** Calls a submission's model at every size of every tier. */
export async function judgeTiers(judged: Judged, {tiers, largestInput, trials, rates}: Asked): Promise<Found> {
  const mutants = new Map<string, MutantCount>()
  const faults: Fault[] = []
  const known = new Map<string, SettingFound>()
  const verdicts: TierVerdict[] = []
  for (const tier of tiers) {
    const verdict: TierVerdict = {tier, sizes: [], calls: 0, literal: true, hardened: true, leftOut: []}
    for (const setting of settingsOf(judged.task, tier, judged.element)) {
      const inputs = await judged.oracle.describe(setting)
      const bytes = inputs.reduce((sum, one) => sum + one.bytes, 0)
      if (bytes > largestInput) {
        verdict.leftOut.push(`${sizesText(inputs)}: ${Math.ceil(bytes / 2 ** 20)} MiB`)
        continue
      }
      const key = JSON.stringify(setting)
      const before = known.get(key)
      const found = before ?? (await judgeSetting(judged, {tier, setting, inputs, bytes, trials, rates, mutants}))
      known.set(key, found)
      addTo(verdict, found, sizesText(inputs))
      if (!before) faults.push(...found.faults.slice(0, faultsKept))
    }
    if (tier === 'scaled' && verdict.hardened && !judged.element)
      faults.push(...(await judgeGrown(judged, verdict, {largestInput, rates, mutants})))
    verdicts.push(verdict)
  }
  return {tiers: verdicts, faults, mutants: [...mutants.values()]}
}

/** A reply that is correct at the scaled sizes is called again at each size closer to the checkout's own. */
async function judgeGrown(
  judged: Judged,
  verdict: TierVerdict,
  {largestInput, rates, mutants}: Pick<Asked, 'largestInput' | 'rates'> & Pick<SettingAsked, 'mutants'>,
): Promise<Fault[]> {
  const faults: Fault[] = []
  const scaled = settingsOf(judged.task, 'scaled', judged.element)
  const settings = await Promise.all(scaled.map((one) => grownSettings(one, judged.oracle, largestInput)))
  for (const setting of settings.flat()) {
    const inputs = await judged.oracle.describe(setting)
    const bytes = inputs.reduce((sum, one) => sum + one.bytes, 0)
    const asked = {tier: 'scaled', setting, inputs, bytes, trials: 1, rates, mutants, once: true} as const
    const found = await judgeSetting(judged, asked)
    // A time-out at one of our sizes does not count against the reply.
    const told = found.faults.filter(({hardened}) => !hardened?.startsWith('timed-out'))
    addTo(verdict, {...found, faults: told}, sizesText(inputs))
    faults.push(...told.slice(0, faultsKept))
  }
  return faults
}

interface SettingFound {
  faults: Fault[]
  calls: number
  modelled?: TierVerdict['modelled']
}

function addTo(verdict: TierVerdict, {faults, calls, modelled}: SettingFound, sizes: string): void {
  verdict.sizes.push(sizes)
  verdict.calls += calls
  verdict.literal &&= faults.every(({literal}) => literal === undefined)
  verdict.hardened &&= faults.length === 0
  if (modelled && modelled.microseconds > (verdict.modelled?.microseconds ?? 0)) verdict.modelled = modelled
}

/** `4×192×2048`, by input. */
function sizesText(inputs: readonly InputSize[]): string {
  return inputs.map(({shape}) => shape.join('×') || 'scalar').join(', ')
}

interface SettingAsked {
  tier: TierName
  setting: Setting
  inputs: readonly InputSize[]
  bytes: number
  trials: number
  rates: Rates
  mutants: Map<string, MutantCount>
  /** One own call is enough. */
  once?: boolean
}

interface Call extends Pick<ModelCall, 'poison' | 'order'> {
  family: string
  trial: number
  /** The call whose outputs must be reproduced bit by bit. */
  repeats?: string
}

/**
 * The benchmark's own trials, then other kinds of values, then the first call again with blocks in reverse and other
 * bytes in fresh memory. All run in one process, so that state kept between calls shows.
 */
function callsOf(task: string, bytes: number, trials: number): Call[] {
  const large = bytes > largeInput
  const ordinary = {poison: 'nan', order: 'forward'} as const
  const own = Array.from({length: large ? 1 : trials}, (_, trial) => ({family: 'own', trial, ...ordinary}))
  const others = families.slice(0, large ? 1 : families.length).map((family) => ({family, trial: 0, ...ordinary}))
  // If NaN is expected, memory filled with NaN would look correct too.
  const odd = large ? [] : noNumbersOf(task).map((family) => ({...ordinary, family, trial: 0, poison: 'zero' as const}))
  return [...own, ...others, ...odd, {family: 'own', trial: 0, poison: 'zero', order: 'reverse', repeats: 'own 0'}]
}

async function judgeSetting(
  {task, element, oracle, submission, signal}: Judged,
  asked: SettingAsked,
): Promise<SettingFound> {
  const {setting, bytes, trials} = asked
  const calls = callsOf(task, bytes, trials).slice(0, asked.once ? 1 : undefined)
  const drawn = new Map<string, string>()
  for (const {family, trial} of calls) {
    const name = `${family} ${trial}`
    if (drawn.has(name)) continue
    drawn.set(name, await oracle.draw({setting, family, trial, seed, roles: rolesOf[task] ?? []}))
  }
  try {
    const files = calls.map(({family, trial}) => drawn.get(`${family} ${trial}`) as string)
    const runs = await submission.run(
      calls.map(({poison, order}, at) => ({call: files[at] as string, seed, poison, order})),
      signal,
    )
    return await assess(
      {oracle, calls, files, runs, isOwn: element === undefined && !setting.init && !asked.once},
      asked,
    )
  } finally {
    await Promise.all([...drawn.values()].map((path) => removeFolder(dirname(path))))
  }
}

interface Ran {
  oracle: Oracle
  calls: readonly Call[]
  files: readonly string[]
  runs: readonly ModelRun[]
  /** Whether the benchmark has such a call: only its own arguments, not mHC, and no size of ours. */
  isOwn: boolean
}

async function assess({oracle, calls, files, runs, isOwn}: Ran, asked: SettingAsked): Promise<SettingFound> {
  const {tier, inputs, setting, bytes} = asked
  const found: SettingFound = {faults: [], calls: calls.length}
  const digests = new Map<string, string>()
  for (const [at, call] of calls.entries()) {
    const {family, trial, repeats} = call
    const fault = (literal: string | undefined, hardened: string | undefined, behaviour?: Behaviour) => {
      const said = isOwn && family === 'own' ? literal : undefined
      if (said === undefined && hardened === undefined) return
      const words = {...(said !== undefined && {literal: said}), ...(hardened !== undefined && {hardened})}
      found.faults.push({tier, sizes: sizesText(inputs), family, ...words, ...(behaviour && {behaviour})})
    }
    const run = runs[at] as ModelRun
    if (run.outcome === 'failed') {
      const why = `${run.kind}: ${run.why}`
      fault(why, why, run.behaviour)
      continue
    }
    const outputs = join(oracle.folder, 'outputs')
    await take(run.outputs, outputs)
    const comparison = await oracle.compare({
      setting,
      seed,
      call: files[at] as string,
      outputs,
      // If an output has few finite values, most wrong ones look correct.
      mutants: repeats === undefined && bytes <= largeInput && !isNoNumber(family),
    })
    count(asked.mutants, comparison)
    const first = digests.get(repeats ?? '')
    const traces = run.unseen ? 'unseen' : run.traces
    const {said, rule = ''} = hardenedTrouble(comparison, traces, {inputs, first})
    if (repeats === undefined) digests.set(`${family} ${trial}`, comparison.digest)
    fault(comparison.literal, said, behaviourOf(rule, ''))
    if (at === 0) Object.assign(found, modelledOf(run.traces, bytes + comparison.outputBytes, asked.rates))
  }
  return found
}

async function take(from: string, to: string): Promise<void> {
  await rm(to, {recursive: true, force: true})
  await rename(from, to).catch(() => cp(from, to, {recursive: true}))
}

interface Beside {
  inputs: readonly InputSize[]
  /** Digest of the call that this one repeats. */
  first: string | undefined
}

function hardenedTrouble(
  {hardened, spoilt, digest, outputBytes}: Comparison,
  traces: readonly RunTrace[] | 'unseen',
  {inputs, first}: Beside,
): {said?: string | undefined; rule?: string} {
  // What a view is seen by tells more than that nothing was launched.
  const [bad] = spoilt
  if (bad) return hardened === undefined || behaviourOf(bad.rule, '') ? bad : {said: hardened}
  if (traces !== 'unseen' && traces.length === 0 && outputBytes > 0)
    return {said: 'no kernel was launched', rule: 'no-kernel'}
  if (hardened !== undefined) return {said: hardened}
  if (traces === 'unseen') return {}
  const adds = traces.some(({calls}) => Object.keys(calls).some((api) => /^SetAtomic(?!None)/.test(api)))
  if (first !== undefined && first !== digest && !adds)
    return {said: 'the same inputs give other bits when blocks run in reverse or memory holds other bytes'}
  return {said: workTrouble(traces, {inputs, outputBytes})}
}

function count(mutants: Map<string, MutantCount>, comparison: Comparison): void {
  for (const {name, literal, hardened} of comparison.mutants) {
    const known = mutants.get(name) ?? {name, calls: 0, literal: 0, hardened: 0}
    mutants.set(name, {
      name,
      calls: known.calls + 1,
      literal: known.literal + Number(literal),
      hardened: known.hardened + Number(hardened),
    })
  }
}

function modelledOf(traces: readonly RunTrace[], bytes: number, rates: Rates): Pick<SettingFound, 'modelled'> {
  const costs = traces.map((trace) => modelCost(trace, rates))
  if (costs.length === 0 || costs.some((cost) => cost === undefined)) return {}
  const [first, ...others] = costs as NonNullable<(typeof costs)[number]>[]
  if (!first) return {}
  const microseconds = others.reduce((sum, cost) => sum + cost.microseconds, first.microseconds)
  const {bottleneck, cores} = first
  return {modelled: {microseconds, rooflineMicroseconds: bytes / rates.gmBytes, bottleneck, cores}}
}

/** From this many elements on, a kernel's work shows in the data that it moves; below, a tail may dominate. */
const enough = 1 << 16

/** Pooling windows may omit the ends of rows. */
const leastRead = 0.9

/**
 * Whether kernels did their operator's work: inputs read, outputs written, by vector instructions on more than one
 * core. Detects work done on the host, or copied from an earlier run. @param outputBytes of all outputs @returns the
 * fault, or undefined
 */
export function workTrouble(
  traces: readonly RunTrace[],
  {inputs, outputBytes}: {inputs: readonly InputSize[]; outputBytes: number},
): string | undefined {
  if (traces.length === 0) return 'no kernel was launched'
  const elements = inputs.reduce(
    (most, {shape}) =>
      Math.max(
        most,
        shape.reduce((all, one) => all * one, 1),
      ),
    0,
  )
  if (elements < enough) return undefined
  const blocks = traces.flatMap((trace) => trace.blocks)
  const sum = (of: (block: (typeof blocks)[number]) => number) => blocks.reduce((all, block) => all + of(block), 0)
  const inputBytes = inputs.reduce((all, {bytes}) => all + bytes, 0)
  const [read, written] = [sum(({readBytes}) => readBytes), sum(({writtenBytes}) => writtenBytes)]
  if (read < leastRead * inputBytes) return `kernels read ${read} bytes of ${inputBytes} that the inputs have`
  if (written < outputBytes) return `kernels wrote ${written} bytes of ${outputBytes} that the outputs have`
  if (sum(({work}) => work?.vectorInstructions ?? 1) === 0) return 'no vector instruction was used'
  const scalar = sum(({work}) => work?.scalarAccesses ?? 0)
  if (scalar > elements / 2) return `${scalar} single values were read or written for ${elements} elements`
  const busy = traces.map((trace) => trace.blocks.filter(({readBytes, writtenBytes}) => readBytes + writtenBytes > 0))
  return Math.max(...busy.map(({length}) => length)) > 1 ? undefined : 'one core did all the work'
}
