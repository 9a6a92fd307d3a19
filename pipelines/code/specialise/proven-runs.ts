import {createHash} from 'node:crypto'
import type {Build, Execution, Executor, Program, RunTrace} from '../../../datasets/schema/executor.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {canonicalJson} from '../../../engine/ids.ts'
import {operatorCase} from '../../facts/operator-case.ts'

/** Digests of the outputs with the scenario's seed, and with one more where that one runs, too. */
type Digests = [first: string[], second: string[] | undefined]

export type Proof = {ok: true} | {ok: false; reason: 'does-not-build' | 'does-not-run' | 'not-equal'; detail: string}

type Built = {ok: true; build: Build} | {ok: false; detail: string}

/** Builds programs and compares what scenarios give in them; each program is built once and kept until `close`. */
export class ProvenRuns {
  readonly #executor: Executor
  readonly #signal: AbortSignal
  readonly #builds = new Map<string, Promise<Built>>()

  constructor(executor: Executor, signal: AbortSignal) {
    this.#executor = executor
    this.#signal = signal
  }

  /** The scenario's results in a program: digests, or why there are none. */
  async digests(
    program: Program,
    scenario: Scenario,
  ): Promise<{ok: true; digests: Digests} | Extract<Proof, {ok: false}>> {
    const built = await this.#build(program)
    if (!built.ok) return {ok: false, reason: 'does-not-build', detail: built.detail}
    const first = await this.#run(built.build, scenario, scenario.seed)
    if (typeof first === 'string') return {ok: false, reason: 'does-not-run', detail: first}
    const second = await this.#run(built.build, scenario, `${scenario.seed}, again`)
    return {ok: true, digests: [first, typeof second === 'string' ? undefined : second]}
  }

  /** Whether the scenario gives the same in another program, to the bit. */
  async same(program: Program, scenario: Scenario, expected: Digests): Promise<Proof> {
    const found = await this.digests(program, scenario)
    if (!found.ok) return found
    const differ = found.digests.some(
      (list, index) => expected[index] !== undefined && list?.join() !== expected[index].join(),
    )
    return differ ? {ok: false, reason: 'not-equal', detail: 'other outputs than before it was reduced'} : {ok: true}
  }

  /** Whether tiling gives the scenario's values in another program, and the kernel the same to the bit. */
  async sameTiling(program: Program, scenario: Scenario, expected: Digests): Promise<Proof> {
    const proof = await this.same(program, scenario, expected)
    if (!proof.ok) return proof
    const built = await this.#build(program)
    const run = built.ok ? await this.#execute(built.build, scenario, scenario.seed) : undefined
    if (run?.outcome === 'ran' && tilingOf(run.trace) === tilingOf(scenario.trace)) return {ok: true}
    return {ok: false, reason: 'not-equal', detail: 'another tiling than before it was reduced'}
  }

  /** What the scenario prints in a program; undefined where it does not build or run. */
  async printed(program: Program, scenario: Scenario): Promise<string | undefined> {
    const built = await this.#build(program)
    const run = built.ok ? await this.#execute(built.build, scenario, scenario.seed) : undefined
    return run?.outcome === 'ran' ? run.log : undefined
  }

  async close(): Promise<void> {
    for (const built of await Promise.allSettled(this.#builds.values()))
      if (built.status === 'fulfilled' && built.value.ok) await built.value.build.dispose()
  }

  #build(program: Program): Promise<Built> {
    const key = createHash('sha256').update(JSON.stringify(program)).digest('hex')
    const known = this.#builds.get(key) ?? this.#make(program)
    this.#builds.set(key, known)
    return known
  }

  async #make(program: Program): Promise<Built> {
    const built = await this.#executor.build(program, this.#signal)
    if (built.ok) return built
    const {verdict} = built
    if (verdict.outcome === 'not-covered') return {ok: false, detail: `not covered: ${verdict.missing.join(', ')}`}
    const log = 'log' in verdict ? verdict.log : ''
    return {ok: false, detail: `${verdict.outcome}: ${firstError(log)}`}
  }

  #execute(build: Build, scenario: Scenario, seed: string): Promise<Execution> {
    const given = operatorCase({...scenario, seed}, 'scenario')
    const how = {tolerant: scenario.tolerated !== undefined}
    return this.#executor.execute(build, given, how, this.#signal)
  }

  async #run(build: Build, scenario: Scenario, seed: string): Promise<string[] | string> {
    const run = await this.#execute(build, scenario, seed)
    if (run.outcome === 'ran') return run.outputs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
    return run.outcome === 'violated'
      ? `${run.violation.rule}: ${run.violation.message}`
      : `${run.outcome}: ${said(run)}`
  }
}

/** What tiling hands to the launch; records lose the order of their keys on the way. */
function tilingOf({tilingKey, blockDim, workspaceBytes, tiling}: RunTrace): string {
  return canonicalJson([tilingKey, blockDim, workspaceBytes, tiling])
}

function said(run: object): string {
  const {message, cause} = run as {message?: string; cause?: string}
  return message ?? cause ?? ''
}

function firstError(log: string): string {
  return (/^.*\berror:.*$/m.exec(log)?.[0] ?? log).trim().slice(0, 300)
}
