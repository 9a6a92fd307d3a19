import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import pLimit from 'p-limit'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../cpp/op-def.ts'
import type {Build, Executor} from '../../datasets/schema/executor.ts'
import type {OperatorProject} from '../../datasets/schema/operator.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {compareHardened} from '../../eval/compare.ts'
import twin from '../../eval/executors/twin.ts'
import {programOf} from '../../sources/kernels/program.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import {runStage} from '../helpers/run-stage.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {formulaOf, type Formula} from './formula-table.ts'
import {drawCall, type DrawnCall, type OperatorCall} from './operator-call.ts'
import {operatorFaults, type OperatorFault} from './operator-faults.ts'
import {reductionCalls} from './reduction-table.ts'

const shapes = [[1], [7, 33], [16, 1024], [40, 25, 64]]
/** In float16 a result of several roundings is off by more than the executor's own rule for one operation allows. */
const tolerance = {
  float32: {absolute: 1e-4, relative: 1e-3},
  float16: {absolute: 4e-3, relative: 8e-3},
  bfloat16: {absolute: 2e-2, relative: 4e-2},
} as const
const dtypes: readonly Dtype[] = ['float32', 'float16', 'bfloat16', 'int32', 'bool']

interface Finding {
  path: string
  kind: Subject['kind']
  dtype: Dtype
  /** `right`, or what was seen. */
  end: string
}

interface Subject {
  path: string
  kind: 'elementwise' | 'reduction'
  project: OperatorProject
  definition: OperatorDefinition
  calls: readonly OperatorCall[]
}

/**
 * Runs operators of real repositories, tiling and kernel, in each of their types: elementwise ones at four sizes
 * against the formula that their name stands for, and those that reduce against their READMEs. Prints the counts, the
 * settled faults of operators that show, and everything else that is not right.
 * @param only runs operators alone whose folder contains this
 */
export async function benchFormulas(checkouts: readonly string[], only = ''): Promise<void> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-formulas-'))
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    const subjects = (await Promise.all(checkouts.map(subjectsOf))).flat().filter(({path}) => path.includes(only))
    const limit = pLimit(availableParallelism())
    const findings = (await Promise.all(subjects.map((one) => limit(() => judge(one, executor))))).flat()
    for (const line of report(findings)) console.log(line)
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

function report(findings: readonly Finding[]): string[] {
  const settled = findings.flatMap((one) => {
    const fault = faultOf(one)
    return fault ? [`  ${one.path} ${one.dtype}: ${fault.at}: ${fault.what}`] : []
  })
  const others = findings.filter((one) => !faultOf(one))
  const past = others.filter(({end}) => end.startsWith(tolerated))
  const open = others.filter(({end}) => end !== right && !end.startsWith(tolerated))
  return [
    ...(['elementwise', 'reduction'] as const).flatMap((kind) => counts(findings, kind)),
    ...section('settled faults of operators', settled),
    ...section('right, past a rule after which the device goes on', classes(past)),
    ...section(
      'not right and not settled',
      open.map(({path, dtype, end}) => `  ${path} ${dtype}: ${end}`),
    ),
  ]
}

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ['', `${title}: ${lines.length}`, ...lines] : []

/** One line for each operator and rule, with its types. */
function classes(findings: readonly Finding[]): string[] {
  const byEnd = new Map<string, Dtype[]>()
  for (const {path, dtype, end} of findings) {
    const key = `${end.slice(tolerated.length).trim()}: ${path}`
    byEnd.set(key, [...(byEnd.get(key) ?? []), dtype])
  }
  return [...byEnd].sort().map(([key, types]) => `  ${key} (${types.join(', ')})`)
}

function faultOf({path, dtype, end}: Finding): OperatorFault | undefined {
  return operatorFaults.find((one) => one.operator === path && one.dtypes.includes(dtype) && one.shows.test(end))
}

function counts(all: readonly Finding[], kind: Subject['kind']): string[] {
  const findings = all.filter((one) => one.kind === kind)
  if (findings.length === 0) return []
  const operators = [...new Set(findings.map(({path}) => path))]
  const every = (holds: (end: string) => boolean) =>
    operators.filter((path) => findings.every((one) => one.path !== path || holds(one.end))).length
  const types = (holds: (end: string) => boolean) => findings.filter(({end}) => holds(end)).length
  const clean = (end: string) => end === right
  const values = (end: string) => clean(end) || end.startsWith(tolerated)
  return [
    `${kind}: ${operators.length} operators in ${findings.length} types`,
    `  right, no rule broken: ${every(clean)} operators in all types, ${types(clean)} types`,
    `  with those that break a rule past which the device goes on: ${every(values)} operators, ${types(values)} types`,
  ]
}

async function subjectsOf(root: string): Promise<Subject[]> {
  const {outputs} = await runStage(operatorProjects(), [{root}])
  return outputs.flatMap((project): Subject[] => {
    const definitions = project.host.flatMap(({text}) => parseOperatorDefinitions(text))
    const definition = definitions.find(({operator}) => operator === project.operator)
    if (!definition) return []
    const path = `${basename(root)}/${project.origin.path}`
    const reduction = reductionCalls(path)
    if (reduction) return [{path, kind: 'reduction', project, definition, calls: reduction}]
    const names = definition.inputs.map(({name}) => name)
    const formula = definition.outputs.length === 1 ? formulaOf(path, project.operator, names) : undefined
    if (!formula) return []
    return [{path, kind: 'elementwise', project, definition, calls: elementwise(definition, formula)}]
  })
}

function elementwise({inputs, outputs}: OperatorDefinition, formula: Formula): OperatorCall[] {
  const {of, domain = [-4, 4], domains, nearest, attributes} = formula
  return shapes.map((shape) => ({
    label: JSON.stringify(shape),
    inputs: inputs.map(({name}) => ({name, shape, domain: domains?.[name] ?? domain})),
    ...(attributes && {attributes}),
    ...(nearest && {nearest}),
    compute: (values) => {
      const columns = inputs.map(({name}) => values[name] as Float64Array)
      const result = (columns[0] as Float64Array).map((_, index) => of(...columns.map((one) => one[index] as number)))
      return [{name: outputs[0]?.name ?? 'y', shape, values: result}]
    },
  }))
}

async function judge(subject: Subject, executor: Executor): Promise<Finding[]> {
  const {path, kind, definition, project} = subject
  const offered = definition.inputs[0]?.dtypes ?? []
  const findings: Finding[] = []
  for (const dtype of dtypes.filter((one) => offered.includes(one))) {
    const types = typesOf(definition, offered.indexOf(dtype))
    const program = {...programOf(project), dtypes: types}
    const end = await buildAndRun(program, subject, types, executor).catch((error: unknown) => {
      if (error instanceof PipelineError) return `failed: ${error.message.slice(0, 150)}`
      throw error
    })
    findings.push({path, kind, dtype, end})
  }
  return findings
}

/** The types of one column of the definition, by parameter. */
function typesOf({inputs, outputs}: OperatorDefinition, column: number): Record<string, Dtype> {
  return Object.fromEntries(
    [...inputs, ...outputs].flatMap(({name, dtypes: list}) => {
      const dtype = list[column] ?? list[0]
      return dtype ? [[name, dtype] as const] : []
    }),
  )
}

async function buildAndRun(
  program: ReturnType<typeof programOf>,
  subject: Subject,
  types: Readonly<Record<string, Dtype>>,
  executor: Executor,
): Promise<string> {
  const built = await executor.build(program)
  if (!built.ok) {
    const {verdict} = built
    if (verdict.outcome === 'not-covered') return `not covered: ${verdict.missing.join(', ')}`
    return 'log' in verdict ? `${verdict.outcome}: ${verdict.log.slice(0, 300)}` : verdict.outcome
  }
  try {
    return await runAll(built.build, subject, types, executor)
  } finally {
    await built.build.dispose()
  }
}

async function runAll(
  build: Build,
  {definition, calls, path}: Subject,
  types: Readonly<Record<string, Dtype>>,
  executor: Executor,
): Promise<string> {
  const ends: string[] = []
  for (const call of calls) {
    const drawn = drawCall(definition, call, types, path)
    const strict = await runOne(build, drawn, executor, false)
    const loose = strict.startsWith('broke') ? await runOne(build, drawn, executor, true) : strict
    const end = loose.startsWith('wrong') && loose !== strict ? `${loose}, past ${strict}` : loose
    if (end !== right) ends.push(`${end} at ${drawn.label}`)
  }
  const bad = ends.filter((end) => !end.startsWith(tolerated))
  const share = bad.length > 1 ? ` (${bad.length} of ${calls.length} calls)` : ''
  return bad[0] ? `${bad[0]}${share}` : (ends[0] ?? right)
}

const right = 'right'
const tolerated = 'right, past'

/** A tolerant run goes past a rule after which the device goes on with the values that it has. */
async function runOne(
  build: Build,
  {operatorCase, expected}: DrawnCall,
  executor: Executor,
  tolerant: boolean,
): Promise<string> {
  const run = await executor.execute(build, operatorCase, {tolerant})
  if (run.outcome === 'violated') return `broke ${run.violation.rule}: ${run.violation.message}`
  if (run.outcome !== 'ran') return `${run.outcome}: ${JSON.stringify(run).slice(0, 250)}`
  for (const [index, spec] of operatorCase.outputs.entries()) {
    const values = expected[index]
    const bytes = run.outputs[index]
    if (!values) continue
    if (!bytes) return `no output ${spec.name}`
    const {ok, reason, worst} = compareHardened(spec, values, bytes, tolerance[spec.dtype as keyof typeof tolerance])
    if (!ok) return `wrong ${spec.name}: ${reason} ${JSON.stringify(worst ?? {})}`
  }
  return run.tolerated ? `${tolerated} ${run.tolerated.rule}` : right
}
