import {availableParallelism} from 'node:os'
import type {OperatorProject, OperatorSource} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {entryFile} from '../../eval/executors/kernel-unit.ts'
import kernelCot from '../../pipelines/code/kernel-cot.ts'
import flatten from '../../sources/kernels/flatten.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import {runStage} from '../helpers/run-stage.ts'
import sourceFacts from '../../pipelines/facts/source-facts.ts'

interface Step {
  name: string
  seconds: number
  /** What the step read and what it wrote. */
  read: number
  written: number
  dropped: number
}

/**
 * How fast real operator repositories are analysed without a compiler: projects are read, their files made
 * self-contained, and each file's facts and offline text written. Sides count as built, so that no file is inlined
 * for a compiler alone. Prints one table, files and operators by second, and the peak of memory.
 */
export async function benchAnalysis(checkouts: readonly string[]): Promise<void> {
  const steps: Step[] = []
  const timed = async <Out>(name: string, read: number, run: () => Promise<{outputs: Out[]; dropped: unknown[]}>) => {
    const started = performance.now()
    const {outputs, dropped} = await run()
    const seconds = (performance.now() - started) / 1000
    steps.push({name, seconds, read, written: outputs.length, dropped: dropped.length})
    return outputs
  }
  const roots = checkouts.map((root) => ({root}))
  const projects = await timed('operator-projects', roots.length, () => runStage(operatorProjects(), roots))
  const files = await timed('flatten', projects.length, () => runStage(flatten({entryFile}), projects.map(asBuilt)))
  const described = await timed('source-facts', files.length, () => runStage(sourceFacts(), files.map(asChecked)))
  const samples = await timed('kernel-cot', described.length, () => runStage(kernelCot(), described))
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0)
  const found = projects.reduce((sum, {host, kernel, beside}) => sum + filesOf(host, kernel, beside?.files), 0)
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${'step'.padEnd(18)} seconds    read written dropped`)
  for (const step of steps) console.log(row(step))
  console.log(
    [
      `${seconds.toFixed(1)} s for ${projects.length} operators with ${found} files, ${samples.length} samples:`,
      `${(projects.length / seconds).toFixed(1)} operators/s, ${(found / seconds).toFixed(0)} files read/s,`,
      `${(files.length / seconds).toFixed(0)} files told/s`,
    ].join(' '),
  )
  console.log(`one process on ${availableParallelism()} cores, peak memory ${memory} MB`)
}

function row({name, seconds, read, written, dropped}: Step): string {
  const counts = [read, written, dropped].map((count) => String(count).padStart(7))
  return `${name.padEnd(18)} ${seconds.toFixed(1).padStart(7)} ${counts.join(' ')}`
}

/** Files of the project itself: shared headers are read again for each operator, and are no work to tell of. */
function filesOf(...lists: readonly (OperatorProject['host'] | undefined)[]): number {
  return lists.flatMap((list) => list ?? []).filter(({path}) => !path.startsWith('../')).length
}

const nobody = {name: 'bench', fingerprint: 'bench', compiler: 'none', soc: 'none'}
const built: Verdict = {outcome: 'compiled', executor: nobody}

function asBuilt(project: OperatorProject) {
  return {...project, verdicts: project.host.length > 0 ? {host: built, kernel: built} : {}}
}

function asChecked(source: OperatorSource) {
  return source.built ? {...source, proof: 'compiled' as const, verdict: built} : {...source, proof: 'parsed' as const}
}
