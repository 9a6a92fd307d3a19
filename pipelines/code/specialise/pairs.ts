import {availableParallelism} from 'node:os'
import {activeText, chipMacros} from '../../../cpp/conditions.ts'
import {kernelName, parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {Executor, Program} from '../../../datasets/schema/executor.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'
import {
  HostKernelPair,
  type RanKernel,
  RanProject,
  type HostStep,
  type Scenario,
} from '../../../datasets/schema/scenario.ts'
import {tilingRegistrations} from '../../../cpp/tiling.ts'
import {withoutComments} from '../../../cpp/code-pieces.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {standAlone} from './alone.ts'
import {declaredHost} from './declared-host.ts'
import {tilingFiles, type Inline} from './host-files.ts'
import {hostReductions, reduceHost} from './reduce-host.ts'
import {ProvenRuns, type Proof} from './proven-runs.ts'
import {kernelReducer, reductions} from './reduce-kernel.ts'
import {tilingStructures} from './tiling-constants.ts'
import {printedSteps, watchedHost} from './watched-host.ts'
import {idleLines, watchedKernel} from './watched-kernel.ts'

interface PairsOptions {
  executor: Executor
  /** A project as an executor builds it. */
  program: (project: OperatorProject) => Program
  inline: Inline
  /** The licence of a text made of several files. */
  licence: (texts: readonly string[], project: string) => string
  /** Longest kernel, in UTF-8 bytes. Default 60,000: what a training context holds in addition to the reasoning. */
  maxBytes?: number
}

/**
 * Operators that ran → one host-kernel pair for each of their scenarios (paper 4.1.2), reduced to what the scenario
 * takes, built and run again: outputs must equal those of the whole operator bit for bit, with the scenario's seed and
 * one more. If a reduction is wrong, a milder one is tried, and the pair records what was kept. Drops: `no-entry`,
 * `include-missing`, `include-cycle`, `source-too-long`, `not-reproduced` (the whole operator does not give what the
 * scenario says), and of the mildest reduction `does-not-build`, `does-not-run`, `not-equal`.
 */
export default function pairs(options: PairsOptions): Stage<RanProject, HostKernelPair> {
  const {executor, maxBytes = 60_000} = options
  return {
    name: 'pairs',
    version: 9,
    options: {executor: executor.identity, maxBytes},
    input: RanProject,
    output: HostKernelPair,
    run: each(
      async (ran, context): Promise<readonly HostKernelPair[]> => {
        const source = sourceOf(ran.project, options)
        if ('reason' in source) return context.drop(ran, source.reason, source.detail)
        const runs = new ProvenRuns(executor, context.signal)
        try {
          const found: HostKernelPair[] = []
          const reduce = kernelReducer(source.inlined)
          const work = {...source, ran, runs, reduce, options: {...options, maxBytes}}
          for (const scenario of ran.scenarios) found.push(...(await pairOf({...work, scenario}, context)))
          return found
        } finally {
          await runs.close()
        }
      },
      {concurrency: availableParallelism()},
    ),
  }
}

interface EntrySource {
  entry: string
  path: string
  /** The entry's file with all that it includes. */
  inlined: string
  licence: string
}

function sourceOf(
  {operator, host, kernel, origin}: OperatorProject,
  {inline, licence}: PairsOptions,
): EntrySource | {reason: string; detail: string} {
  const entries = kernel.flatMap(({path, text}) => {
    const entry = /^op_kernel\/.*\.(?:cpp|cc|asc)$/.test(path) ? entryOf(text, operator) : undefined
    return entry === undefined ? [] : [{path, entry}]
  })
  const found = entries.find(({path}) => path === `op_kernel/${kernelName(operator)}.cpp`) ?? entries[0]
  if (!found) return {reason: 'no-entry', detail: `${operator}: no kernel function for Atlas A2`}
  const files = new Map([...host, ...kernel].map((file) => [file.path, file]))
  const {text, dependencies, missing, cycles, tooLong} = inline(found.path, files)
  const what = `${operator} ${found.path}`
  if (missing.length > 0) return {reason: 'include-missing', detail: `${what}: ${missing.join(', ')}`}
  if (cycles.length > 0) return {reason: 'include-cycle', detail: `${what}: ${cycles.join('; ')}`}
  if (tooLong) return {reason: 'source-too-long', detail: `${what}: its includes multiply each other`}
  const texts = [found.path, ...dependencies].flatMap((path) => files.get(path)?.text ?? [])
  return {...found, inlined: text, licence: licence(texts, origin.licence)}
}

/** The kernel function of a file: the one that is named after the operator, else the last. */
function entryOf(text: string, operator: string): string | undefined {
  const active = activeText(text, chipMacros.kernel)
  const names = [...active.matchAll(/\b__global__\b[\w\s"]{0,400}?\bvoid\s+(\w+)\s*\(/g)].map(
    ([, name]) => name as string,
  )
  return names.find((name) => name === kernelName(operator)) ?? names.at(-1)
}

interface Work extends EntrySource {
  ran: RanProject
  scenario: Scenario
  runs: ProvenRuns
  reduce: ReturnType<typeof kernelReducer>
  options: PairsOptions & {maxBytes: number}
}

async function pairOf(work: Work, context: Context): Promise<readonly HostKernelPair[]> {
  const {ran, scenario, runs, options, path, entry, licence} = work
  const {project} = ran
  const tensors = scenario.inputs.map(({dtype, shape}) => `${dtype}[${shape.join(', ')}]`)
  const label = `${project.operator} ${tensors.join(' ')}`
  const drop = (reason: string, detail: string) => context.drop(ran, reason, `${label}: ${detail}`)
  const whole = {...options.program(project), dtypes: scenario.dtypes}
  const expected = await runs.digests(whole, scenario)
  if (!expected.ok) return drop('not-reproduced', `${expected.reason}: ${expected.detail}`)
  if (expected.digests[0].join() !== scenario.digests.join())
    return drop('not-reproduced', 'other outputs than recorded')

  const {host, kept} = await provenHost({...work, expected: expected.digests})
  const withHost = (kernel: readonly SourceFile[]) => built(work, host, kernel)
  let proof: Proof = {ok: false, reason: 'does-not-build', detail: 'no reduction was tried'}
  for (const {keeps} of reductions) {
    const taken = {dtypes: scenario.dtypes, tilingKey: scenario.trace.tilingKey, entry}
    const kernel = {path, text: await work.reduce(taken, keeps)}
    proof = await runs.same(withHost([kernel]), scenario, expected.digests)
    if (!proof.ok) continue
    const bytes = Buffer.byteLength(kernel.text)
    if (bytes > options.maxBytes) return drop('source-too-long', `${bytes} bytes, at most ${options.maxBytes}`)
    const alone = await provenAlone({...work, kernel: kernel.text, digests: expected.digests})
    const {steps, idle} = await seenToRun(work, host, kernel)
    return [
      {
        origin: {...project.origin, licence},
        operator: project.operator,
        entry,
        ...(project.purpose && {purpose: project.purpose}),
        scenario,
        host: [...host],
        ...(steps.length > 0 && {steps}),
        kernel: {...kernel, ...(idle && {idle})},
        kept: [...keeps, ...kept],
        ...('reason' in alone ? {notAlone: alone} : {alone}),
        executor: options.executor.identity,
      },
    ]
  }
  return drop(proof.ok ? '' : proof.reason, proof.ok ? '' : proof.detail)
}

type Digests = Parameters<ProvenRuns['same']>[2]

interface ProvenHost {
  host: readonly SourceFile[]
  /** What a reduction left in. */
  kept: string[]
}

/** The least of the host with which tiling gives the same values. */
async function provenHost(work: Work & {expected: Digests}): Promise<ProvenHost> {
  const {ran, scenario, runs, options, expected} = work
  const {project} = ran
  const isRight = async (host: readonly SourceFile[] | undefined): Promise<boolean> => {
    if (!host || host.length === 0) return false
    const headers = project.host.filter(({path}) => !/\.(?:cpp|cc)$/.test(path))
    const rest = [...project.kernel, ...headers].filter(({path}) => !host.some((one) => one.path === path))
    return (await runs.sameTiling(built(work, host, rest), scenario, expected)).ok
  }
  for (const kept of hostReductions) {
    const host = await reduceHost(project, {inline: options.inline, dtypes: scenario.dtypes, kept})
    if (await isRight(host)) return {host: host!, kept: [...kept]}
  }
  const needed = tilingFiles(project, options.inline)
  if (await isRight(needed)) return {host: needed, kept: ['host declarations']}
  return {host: project.host, kept: ['host files']}
}

function built({ran, scenario, options}: Work, host: readonly SourceFile[], kernel: readonly SourceFile[]): Program {
  return {...options.program({...ran.project, host: [...host], kernel: [...kernel]}), dtypes: scenario.dtypes}
}

interface Seen {
  steps: HostStep[]
  idle?: RanKernel['idle']
}

/** What tiling computes on the way, and where the kernel does not come: both sides say it when they print it. */
async function seenToRun(work: Work, host: readonly SourceFile[], kernel: SourceFile): Promise<Seen> {
  const watching: SourceFile[] = []
  const watched: Awaited<ReturnType<typeof watchedHost>>['watched'] = []
  for (const file of host) {
    const one = /\.(?:cpp|cc)$/.test(file.path) ? await watchedHost(file.text, watched.length) : undefined
    watching.push(one ? {...file, text: one.text} : file)
    watched.push(...(one?.watched ?? []))
  }
  const {text, blocks} = await watchedKernel(kernel.text)
  const both = await work.runs.printed(built(work, watching, [{...kernel, text}]), work.scenario)
  if (both !== undefined) return {steps: printedSteps(both, watched), idle: idleLines(both, blocks)}
  const printed = await work.runs.printed(built(work, watching, [kernel]), work.scenario)
  return {steps: printed === undefined ? [] : printedSteps(printed, watched)}
}

async function provenAlone(
  work: Work & {kernel: string; digests: Digests},
): Promise<RanKernel | {reason: string; detail: string}> {
  const {ran, scenario, runs, kernel, entry, digests} = work
  const {operator, host} = ran.project
  const definition = host.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
  if (!definition) return {reason: 'no-definition', detail: operator}
  const sources = [kernel, ...ran.project.kernel.map(({text}) => text), ...host.map(({text}) => text)]
  const structures = tilingStructures(sources)
  const registered = registeredStructure(sources, operator, scenario.trace.tilingKey)
  const made = await standAlone({kernel, entry, operator, definition, scenario, structures, registered})
  if (!made.ok) return {reason: made.reason, detail: made.detail}
  let last = {reason: 'does-not-build', detail: ''}
  for (const text of made.texts) {
    const file = {path: `op_kernel/${kernelName(operator)}.cpp`, text}
    const program = (kernel: SourceFile) => ({
      operator,
      files: [declaredHost(definition, scenario.dtypes), kernel],
      dtypes: scenario.dtypes,
    })
    const proof = await runs.same(program(file), scenario, digests)
    if (proof.ok) {
      const watched = await watchedKernel(text)
      const printed = await runs.printed(program({...file, text: watched.text}), scenario)
      const idle = printed === undefined ? undefined : idleLines(printed, watched.blocks)
      return {...file, ...(idle && {idle})}
    }
    last = {reason: `alone-${proof.reason}`, detail: proof.detail}
  }
  return last
}

/** The structure of a kernel that names none: what is registered for its key, else for the operator. */
function registeredStructure(sources: readonly string[], operator: string, key: number): string | undefined {
  const text = sources.map(withoutComments).join('\n')
  const all = tilingRegistrations(text)
  const own = all.find((one) => one.operator === `${operator}_${key}`)
  const byDefault = /\bREGISTER_TILING_DEFAULT\s*\(\s*(?:\w+::)*(\w+)\s*\)/.exec(text)?.[1]
  return own?.structure ?? byDefault ?? all.find((one) => one.operator === operator)?.structure ?? all[0]?.structure
}
