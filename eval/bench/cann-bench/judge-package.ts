import {cp, mkdir, mkdtemp, rename, rm} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import {contentId} from '../../../engine/ids.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {behaviourOf} from '../../behaviours.ts'
import {modelCost, ratesOf, type Rates} from '../../cost.ts'
import {defaultSoc} from '../../executors/chips.ts'
import type {SandboxName} from '../../executors/sandbox.ts'
import type {TorchPython} from '../submission/python.ts'
import type {ModelCall, ModelRun, Submission} from '../submission/submission.ts'
import type {OpenPackage} from './open-package.ts'
import {openOperatorOracle, oracleRules, type Draw, type OperatorOracle} from './operator-oracle.ts'
import {inputBytes, readOperator, type OperatorCase} from './checkout-operators.ts'
import {sizesOf, type SizeName} from './sizes.ts'
import {JudgedOperator, OperatorCandidate, type CaseVerdict, type OperatorVerdict} from './operator-verdict.ts'

interface JudgePackageOptions {
  /** Identity of the judge, for keys: the executor, the version of torch. */
  identity: Readonly<Record<string, string>>
  open: OpenPackage
  python: TorchPython
  sandbox: SandboxName
  workDirectory: string
  sizes: readonly SizeName[]
  /** A case with more input than this is skipped, in bytes. */
  largestInput: number
  /** Calls of each case with inputs as the benchmark draws them. */
  trials: number
  /** Candidates in progress at once; default one per core. */
  concurrency?: number
}

/**
 * Reply → its verdict, case by case, by the benchmark's own comparison and by a stricter one. A fault of a reply is a
 * verdict; a golden or a tool that fails is an error, and the record is retried.
 */
export default function judgePackage(options: JudgePackageOptions): Stage<OperatorCandidate, JudgedOperator> {
  const {identity, open, workDirectory, sizes, largestInput, trials} = options
  const rates = ratesOf(identity['soc'] ?? defaultSoc)
  return {
    name: 'judge-package',
    version: 2,
    options: {identity: {...identity}, sizes: [...sizes], largestInput, trials, rates: {...rates}, rules: oracleRules},
    tally: ({verdict}) => outcomeOf(verdict),
    input: OperatorCandidate,
    output: JudgedOperator,
    run: each(
      async ({task, sampler, reply}, {signal}) => {
        const opened = await open(reply, signal)
        const judged = {task, sampler, reply: contentId(reply)}
        if (!opened.ok) {
          const {kind, why, behaviour} = opened
          return [{...judged, verdict: {opened: false, kind, why, ...(behaviour && {behaviour})}}]
        }
        await mkdir(resolve(workDirectory), {recursive: true})
        const folder = await mkdtemp(join(resolve(workDirectory), 'golden-'))
        const home = resolve(task.root, task.path)
        try {
          const {facts, cases} = await readOperator(home)
          const oracle = await openOperatorOracle(
            {...options, folder, module: join(home, 'golden.py'), seconds: 600, signal},
            facts,
          )
          try {
            const asked = {cases, sizes, largestInput, trials, rates, signal}
            return [{...judged, verdict: {opened: true, ...(await judgeCases(oracle, opened.submission, asked))}}]
          } finally {
            await oracle.close()
          }
        } finally {
          await opened.submission.dispose()
          await removeFolder(folder)
        }
      },
      {concurrency: options.concurrency ?? availableParallelism()},
    ),
  }
}

/** `hardened`, `literal`, `wrong`, `not-run`, or the kind of failure to open. */
function outcomeOf(verdict: OperatorVerdict): string {
  if (!verdict.opened) return verdict.behaviour ?? verdict.kind
  if (verdict.cases.length === 0) return 'not-run'
  if (verdict.cases.every(({hardened, literal}) => hardened === undefined && literal === undefined)) return 'hardened'
  return verdict.cases.every(({literal}) => literal === undefined) ? 'literal' : 'wrong'
}

interface Asked {
  cases: readonly OperatorCase[]
  sizes: readonly SizeName[]
  largestInput: number
  trials: number
  rates: Rates
  signal?: AbortSignal
}

/** Most input that is drawn before it is used, in bytes. */
const drawnAtOnce = 2 ** 26

/** Calls a package's operator with every case. Cases of one group share a process, so that state kept shows. */
export async function judgeCases(
  oracle: OperatorOracle,
  submission: Submission,
  {cases, sizes, largestInput, trials, rates, signal}: Asked,
): Promise<Omit<Extract<OperatorVerdict, {opened: true}>, 'opened'>> {
  const smallest = cases.toSorted((a, b) => inputBytes(a) - inputBytes(b))[0]
  const measured = cases
    .map((one) => ({one, bytes: inputBytes(one)}))
    .filter(({one, bytes}) => sizes.includes(sizesOf(bytes)) || (sizes.includes('sample') && one === smallest))
  const small = measured.filter(({bytes}) => bytes <= largestInput)
  const leftOut = measured.filter(({bytes}) => bytes > largestInput)
  const groups: (typeof small)[] = []
  let room = 0
  for (const one of small) {
    const needed = one.bytes * (trials + 2)
    if (needed > room) {
      groups.push([])
      room = drawnAtOnce
    }
    room -= needed
    groups.at(-1)?.push(one)
  }
  const found: CaseVerdict[] = []
  for (const group of groups) {
    const calls: Called[] = []
    for (const {one, bytes} of group)
      for (const call of callsOf(one, trials)) calls.push({...call, bytes, ...(await oracle.draw(call.draw))})
    const runs = await submission.run(
      calls.map(({draw, ...call}) => ({...call, seed: draw.seed})),
      signal,
    )
    found.push(...(await verdictsOf(oracle, calls, {runs, rates})))
    for (const {call} of calls) await removeFolder(dirname(call))
  }
  return {cases: found, leftOut: leftOut.map(({one, bytes}) => `${one.id}: ${Math.ceil(bytes / 2 ** 20)} MiB`)}
}

interface Called extends Omit<ModelCall, 'seed'> {
  draw: Draw
  bytes: number
  /** Judged by the benchmark's own comparison too. */
  own: boolean
  /** Must give the bits of the first call. */
  repeats: boolean
}

/**
 * The benchmark's own inputs, further ones at the same addresses, other values, and the first once more: elsewhere,
 * with blocks in reverse and other bytes in fresh memory.
 */
function callsOf(one: OperatorCase, trials: number): Omit<Called, 'bytes' | 'call'>[] {
  const ordinary = {poison: 'nan', order: 'forward', repeats: false} as const
  const own = Array.from({length: trials}, (_, at) => ({
    ...ordinary,
    draw: {case: one, seed: at + 1, family: 'own'} as const,
    own: true,
    again: at > 0,
  }))
  const first = {case: one, seed: 1, family: 'own'} as const
  return [
    ...own,
    {...ordinary, draw: {case: one, seed: 1, family: 'normal'}, own: false, again: true},
    {poison: 'zero', order: 'reverse', repeats: true, draw: first, own: false, again: false},
  ]
}

async function verdictsOf(
  oracle: OperatorOracle,
  calls: readonly Called[],
  {runs, rates}: {runs: readonly ModelRun[]; rates: Rates},
): Promise<CaseVerdict[]> {
  const found = new Map<string, CaseVerdict>()
  const digests = new Map<string, string>()
  const launched = new Set<string>()
  for (const [at, called] of calls.entries()) {
    const {draw, bytes, own, repeats} = called
    const id = draw.case.id
    const verdict = found.get(id) ?? {case: id, bytes}
    found.set(id, verdict)
    const fault = (words: {literal?: string | undefined; hardened?: string | undefined}, rule?: string) => {
      if (own && words.literal !== undefined) verdict.literal ??= words.literal
      if (words.hardened !== undefined) verdict.hardened ??= words.hardened
      const behaviour = rule === undefined ? undefined : behaviourOf(rule, '')
      if (behaviour) verdict.behaviour ??= behaviour
    }
    const run = runs[at] as ModelRun
    if (run.outcome === 'failed') {
      const why = `${run.kind}: ${run.why}`
      fault({literal: why, hardened: why})
      if (run.behaviour) verdict.behaviour ??= run.behaviour
      continue
    }
    const outputs = join(oracle.folder, 'outputs')
    await rm(outputs, {recursive: true, force: true})
    await rename(run.outputs, outputs).catch(() => cp(run.outputs, outputs, {recursive: true}))
    const {literal, hardened, spoilt, digest, outputBytes} = await oracle.compare(draw, outputs)
    // What a view is seen by tells more than that nothing was launched.
    for (const {rule, said} of spoilt) fault({hardened: said}, rule)
    const idle = run.traces.length === 0 && outputBytes > 0
    if (idle) {
      const rule = launched.has(id) ? 'keeps-an-output' : 'no-kernel'
      fault({hardened: `${rule}: no kernel was launched${launched.has(id) ? ', unlike before' : ''}`}, rule)
    }
    if (run.traces.length > 0) launched.add(id)
    fault({literal, hardened})
    const adds = run.traces.some(({calls: used}) => Object.keys(used).some((api) => /^SetAtomic(?!None)/.test(api)))
    if (!repeats) digests.set(`${id} ${draw.family} ${draw.seed}`, digest)
    else if (digests.get(`${id} ${draw.family} ${draw.seed}`) !== digest && !adds)
      fault({hardened: 'the same inputs give other bits when blocks run in reverse or memory holds other bytes'})
    if (own && draw.seed === 1) Object.assign(verdict, modelledOf(run, bytes + outputBytes, rates))
  }
  return [...found.values()]
}

function modelledOf(
  {traces}: Extract<ModelRun, {outcome: 'ran'}>,
  bytes: number,
  rates: Rates,
): Pick<CaseVerdict, 'modelled'> {
  const costs = traces.map((trace) => modelCost(trace, rates)?.microseconds)
  if (costs.length === 0 || costs.some((one) => one === undefined)) return {}
  const microseconds = costs.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return {modelled: {microseconds, rooflineMicroseconds: bytes / rates.gmBytes}}
}
