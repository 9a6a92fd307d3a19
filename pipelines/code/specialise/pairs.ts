import {availableParallelism} from 'node:os'
import {activeText, chipMacros} from '../../../datasets/cpp-conditions.ts'
import {kernelName, parseOperatorDefinitions} from '../../../datasets/op-def.ts'
import type {Executor, Program} from '../../../datasets/schema/executor.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'
import {HostKernelPair, RanProject, type Scenario} from '../../../datasets/schema/scenario.ts'
import {tilingRegistrations} from '../../../datasets/tiling-blocks.ts'
import {withoutComments} from '../../../datasets/code-pieces.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {standAlone} from './alone.ts'
import {declaredHost} from './declared-host.ts'
import {tilingFiles, type Inline} from './host-files.ts'
import {ProvenRuns, type Proof} from './proven-runs.ts'
import {reduceKernel, reductions} from './reduce-kernel.ts'
import {tilingStructures} from './tiling-constants.ts'

interface PairsOptions {
  executor: Executor
  /** A project as an executor builds it. */
  program: (project: OperatorProject) => Program
  inline: Inline
  /** The licence of a text made of several files. */
  licence: (texts: readonly string[], project: string) => string
  /** Longest kernel, in UTF-8 bytes. Default 60,000: what a training context holds beside the reasoning. */
  maxBytes?: number
  /** Projects at once; default one per core. */
  concurrency?: number
}

/**
 * Operators that ran → one host-kernel pair for each of their scenarios (paper 4.1.2), reduced to what the scenario
 * takes, built and run again: outputs must be those of the whole operator to the bit, with the scenario's seed and one
 * more. A reduction that is not right is replaced by a milder one, and the pair says what was kept.
 * Drops: `no-entry`, `include-missing`, `include-cycle`, `source-too-long`, `not-reproduced` (the whole operator does
 * not give what the scenario says), and of the mildest reduction `does-not-build`, `does-not-run`, `not-equal`.
 */
export default function pairs(options: PairsOptions): Stage<RanProject, HostKernelPair> {
  const {executor, maxBytes = 60_000, concurrency = availableParallelism()} = options
  return {
    name: 'pairs',
    version: 1,
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
          for (const scenario of ran.scenarios)
            found.push(...(await pairOf({...source, ran, scenario, runs, options: {...options, maxBytes}}, context)))
          return found
        } finally {
          await runs.close()
        }
      },
      {concurrency},
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

  const needed = tilingFiles(project, options.inline)
  const withHost = (host: readonly SourceFile[], kernel: readonly SourceFile[]) => ({
    ...options.program({...project, host: [...host], kernel: [...kernel]}),
    dtypes: scenario.dtypes,
  })
  const isEnough = needed.length > 0 && (await runs.builds(withHost(needed, besides(project.kernel, needed))))
  const host = isEnough ? needed : project.host
  let proof: Proof = {ok: false, reason: 'does-not-build', detail: 'no reduction was tried'}
  for (const {keeps} of reductions) {
    const taken = {dtypes: scenario.dtypes, tilingKey: scenario.trace.tilingKey, entry}
    const kernel = {path, text: await reduceKernel(work.inlined, taken, keeps)}
    proof = await runs.same(withHost(host, [kernel]), scenario, expected.digests)
    if (!proof.ok) continue
    const bytes = Buffer.byteLength(kernel.text)
    if (bytes > options.maxBytes) return drop('source-too-long', `${bytes} bytes, at most ${options.maxBytes}`)
    const alone = await provenAlone({...work, kernel: kernel.text, digests: expected.digests})
    return [
      {
        origin: {...project.origin, licence},
        operator: project.operator,
        entry,
        ...(project.purpose && {purpose: project.purpose}),
        scenario,
        host: [...host],
        kernel,
        kept: [...keeps, ...(isEnough ? [] : ['host files'])],
        ...('reason' in alone ? {notAlone: alone} : {alone}),
        executor: options.executor.identity,
      },
    ]
  }
  return drop(proof.ok ? '' : proof.reason, proof.ok ? '' : proof.detail)
}

/** Without the headers that come with the host's files. */
function besides(files: readonly SourceFile[], others: readonly SourceFile[]): SourceFile[] {
  return files.filter(({path}) => !others.some((other) => other.path === path))
}

type Digests = Parameters<ProvenRuns['same']>[2]

async function provenAlone(
  work: Work & {kernel: string; digests: Digests},
): Promise<SourceFile | {reason: string; detail: string}> {
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
    const program = {operator, files: [declaredHost(definition, scenario.dtypes), file], dtypes: scenario.dtypes}
    const proof = await runs.same(program, scenario, digests)
    if (proof.ok) return file
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
