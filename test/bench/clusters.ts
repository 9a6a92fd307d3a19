import {mkdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {diagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import apiNames from '../../eval/executors/api-names.json' with {type: 'json'}
import {findCompilers} from '../../eval/executors/toolchain.ts'
import twin from '../../eval/executors/twin.ts'
import {classifyVerdict} from '../../eval/taxonomy.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {planted, written} from './clusters/planted-errors.ts'

interface Seen {
  fault: string
  /** Of the fault, and what the rules make of its message. */
  classes: [planted: string, told: string]
  message: string
  key: string
}

/**
 * Faults of known kinds, each written many times under other names, with other numbers and element types and at other
 * places, compiled for real: whether errors that are one are in one cluster, and others are not.
 */
export async function benchClusters(times = 8): Promise<void> {
  const workDirectory = join(tmpdir(), 'work', String(process.pid))
  mkdirSync(workDirectory, {recursive: true})
  const found = await findCompilers()
  const compilers = ['clang', 'gcc'].map((kind) => found.find((one) => one.kind === kind)?.command)
  for (const compiler of compilers.filter((command) => command !== undefined)) {
    const executor = await twin({cacheDirectory: twinCache, workDirectory, compiler})
    const seen = await seeAll(executor, times)
    console.log(`\n${executor.identity.compiler}: ${seen.length} errors of ${planted.length} faults`)
    print(seen)
  }
}

async function seeAll(executor: Executor, times: number): Promise<Seen[]> {
  const names = new Set(apiNames.names)
  const all: Seen[] = []
  for (const fault of planted) {
    for (let number = 0; number < times; number += 1) {
      const text = written(fault, number)
      const verdict = await executor.compile({side: 'kernel', text, tiling: '', dtypes: {}})
      if (verdict.outcome !== 'compile-failed') throw new Error(`${fault.fault}: ${verdict.outcome}\n${text}`)
      const files = [{path: ownFile(verdict.diagnostics), text}]
      const found = diagnosticSignature(verdict, {names, files})
      const told = classifyVerdict(verdict)?.class ?? ''
      const key = JSON.stringify([told, found?.api, found?.signature])
      all.push({fault: fault.fault, classes: [fault.class, told], message: found?.message ?? '', key})
    }
  }
  return all
}

/** What the executor calls the one file that is the candidate's. */
const ownFile = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.find(({file}) => !file.startsWith('twin/') && file !== '')?.file ?? 'kernel.cpp'

function print(seen: readonly Seen[]): void {
  const signatures = groups(seen, ({key}) => key)
  const messages = groups(seen, ({message}) => message)
  const right = seen.filter(({classes: [is, told]}) => is === told).length
  console.log(`by signature: ${figures(signatures)}`)
  console.log(`by the bare message: ${figures(messages)}`)
  console.log(`class as planted: ${right} of ${seen.length}`)
  for (const [key, members] of signatures) {
    const faults = [...new Set(members.map(({fault}) => fault))]
    if (faults.length > 1) console.log(`mixed: ${key}: ${faults.join(' + ')}`)
  }
  for (const [fault, members] of groups(seen, (one) => one.fault)) {
    const keys = [...new Set(members.map(({key}) => key))]
    if (keys.length > 1) console.log(`split: ${fault}:\n  ${keys.join('\n  ')}`)
    const wrong = members.find(({classes: [is, told]}) => is !== told)
    if (wrong) console.log(`class: ${fault}: ${wrong.classes.join(' told as ')}: ${wrong.message}`)
  }
}

/** Purity: the share of errors that are of the commonest fault of their cluster. */
function figures(clusters: ReadonlyMap<string, readonly Seen[]>): string {
  const all = [...clusters.values()].flat()
  const commonest = [...clusters.values()].map((members) =>
    Math.max(...[...groups(members, ({fault}) => fault).values()].map(({length}) => length)),
  )
  const purity = commonest.reduce((sum, one) => sum + one, 0) / all.length
  const whole = [...groups(all, ({fault}) => fault).values()].filter(
    (members) => [...clusters.values()].filter((cluster) => members.some((one) => cluster.includes(one))).length === 1,
  )
  return `${clusters.size} clusters, purity ${purity.toFixed(3)}, ${whole.length} faults in one cluster each`
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item])
  return found
}
