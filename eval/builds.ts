import type {Build, Executor} from '../datasets/schema/executor.ts'
import type {SourceFile} from '../datasets/schema/operator.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {Dtype} from '../datasets/schema/tensor.ts'
import type {Verdict} from '../datasets/schema/verdict.ts'
import {canonicalJson} from '../engine/ids.ts'
import type {CaseSource} from './cases.ts'
import {foreignImports} from './host-imports.ts'
import {inspectSources} from './integrity.ts'

/** A build, and the rows that it is used for. */
export interface BuiltGroup {
  build: Build
  rows: readonly TaskCase[]
}

interface Building {
  executor: Executor
  source: CaseSource
  signal: AbortSignal
}

/**
 * Builds an operator for every combination of dtypes that the cases need, and passes the builds to `use`; if one does
 * not compile, nothing is run. The builds are deleted afterwards.
 */
export async function withBuilds(
  {operator, files}: {operator: string; files: readonly SourceFile[]},
  {executor, source, signal}: Building,
  use: (groups: readonly BuiltGroup[]) => Promise<Verdict>,
): Promise<Verdict> {
  const groups: BuiltGroup[] = []
  try {
    for (const {dtypes, rows} of groupByDtypes(source)) {
      const attempt = await executor.build({operator, files, dtypes}, signal)
      if (!attempt.ok) return attempt.verdict
      groups.push({build: attempt.build, rows})
    }
    return await use(groups)
  } finally {
    for (const {build} of groups) await build.dispose()
  }
}

/** Signs in the text have a place; what the text hides shows in the objects. */
export function findSign(
  files: readonly SourceFile[],
  groups: readonly BuiltGroup[],
): {rule: string; detail: string} | undefined {
  const [sign] = inspectSources(files)
  if (sign) return {rule: sign.rule, detail: `${sign.path} line ${sign.line}: ${sign.seen}`}
  const [name] = groups.flatMap(({build}) => foreignImports(build))
  return name === undefined ? undefined : {rule: 'calls-the-system', detail: `the host side takes ${name} from outside`}
}

/** Rows that agree on every dtype share one build; groups and rows keep the file's order. */
function groupByDtypes({rows, dtypes: dtypesOf}: CaseSource): {dtypes: Record<string, Dtype>; rows: TaskCase[]}[] {
  const groups = new Map<string, {dtypes: Record<string, Dtype>; rows: TaskCase[]}>()
  for (const row of rows) {
    const dtypes = dtypesOf(row)
    const key = canonicalJson(dtypes)
    const group = groups.get(key) ?? {dtypes, rows: []}
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}
