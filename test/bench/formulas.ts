import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import pLimit from 'p-limit'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../datasets/op-def.ts'
import type {Build, Executor} from '../../datasets/schema/executor.ts'
import type {OperatorProject} from '../../datasets/schema/operator.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {elementCount, type Dtype} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {randomFrom} from '../../engine/random.ts'
import {compareHardened} from '../../eval/compare.ts'
import twin from '../../eval/executors/twin.ts'
import {encode, isInteger, roundTo, valueRange} from '../../eval/reference/dtype.ts'
import {programOf} from '../../sources/kernels/program.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import {runStage} from '../helpers/run-stage.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {formulaOf, type Formula} from './formula-table.ts'

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
  dtype: Dtype
  /** `right`, or what was seen. */
  end: string
}

interface Subject {
  path: string
  project: OperatorProject
  definition: OperatorDefinition
  formula: Formula
}

/**
 * Runs elementwise operators of real repositories, tiling and kernel, at four sizes and in each of their types, against
 * the formula that their name stands for. Prints the counts and everything that is not right.
 */
export async function benchFormulas(checkouts: readonly string[]): Promise<void> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-formulas-'))
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    const subjects = (await Promise.all(checkouts.map(subjectsOf))).flat()
    const limit = pLimit(availableParallelism())
    const findings = (await Promise.all(subjects.map((one) => limit(() => judge(one, executor))))).flat()
    for (const line of counts(findings)) console.log(line)
    for (const {path, dtype, end} of findings) if (end !== 'right') console.log(`  ${path} ${dtype}: ${end}`)
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

function counts(findings: readonly Finding[]): string[] {
  const operators = [...new Set(findings.map(({path}) => path))]
  const every = (holds: (end: string) => boolean) =>
    operators.filter((path) => findings.every((one) => one.path !== path || holds(one.end))).length
  const types = (holds: (end: string) => boolean) => findings.filter(({end}) => holds(end)).length
  const right = (end: string) => end === 'right'
  const values = (end: string) => right(end) || end.startsWith(tolerated)
  return [
    `${operators.length} operators in ${findings.length} types, ${shapes.length} sizes each`,
    `right, no rule broken: ${every(right)} operators in all types, ${types(right)} types`,
    `with those that break a rule past which the device goes on: ${every(values)} operators, ${types(values)} types`,
  ]
}

async function subjectsOf(root: string): Promise<Subject[]> {
  const {outputs} = await runStage(operatorProjects(), [{root}])
  return outputs.flatMap((project) => {
    const definitions = project.host.flatMap(({text}) => parseOperatorDefinitions(text))
    const definition = definitions.find(({operator}) => operator === project.operator)
    if (definition?.outputs.length !== 1) return []
    const formula = formulaOf(
      project.operator,
      definition.inputs.map(({name}) => name),
    )
    return formula ? [{path: `${basename(root)}/${project.origin.path}`, project, definition, formula}] : []
  })
}

async function judge(subject: Subject, executor: Executor): Promise<Finding[]> {
  const {path, definition, project} = subject
  const offered = definition.inputs[0]?.dtypes ?? []
  const findings: Finding[] = []
  for (const dtype of dtypes.filter((one) => offered.includes(one))) {
    const types = typesOf(definition, offered.indexOf(dtype))
    const end = await buildAndRun({...programOf(project), dtypes: types}, subject, types, executor).catch(
      (error: unknown) => {
        if (error instanceof PipelineError) return `failed: ${error.message.slice(0, 150)}`
        throw error
      },
    )
    findings.push({path, dtype, end})
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
  {definition, formula, path}: Subject,
  types: Readonly<Record<string, Dtype>>,
  executor: Executor,
): Promise<string> {
  const ends: string[] = []
  for (const shape of shapes) {
    const drawn = drawCase(definition, formula, types, shape, path)
    const strict = await runOne(build, drawn, executor, false)
    const end = strict.startsWith('broke') ? await runOne(build, drawn, executor, true) : strict
    if (end !== 'right') ends.push(`${end} at ${JSON.stringify(shape)}`)
  }
  return ends.find((end) => !end.startsWith(tolerated)) ?? ends[0] ?? 'right'
}

const tolerated = 'right, past'

/** A tolerant run goes past a rule after which the device goes on with the values that it has. */
async function runOne(
  build: Build,
  {operatorCase, expected}: ReturnType<typeof drawCase>,
  executor: Executor,
  tolerant: boolean,
): Promise<string> {
  const run = await executor.execute(build, operatorCase, {tolerant})
  if (run.outcome === 'violated') return `broke ${run.violation.rule}: ${run.violation.message}`
  if (run.outcome !== 'ran') return `${run.outcome}: ${JSON.stringify(run).slice(0, 250)}`
  const [spec] = operatorCase.outputs
  const [bytes] = run.outputs
  if (!spec || !bytes) return 'no output'
  const stated = tolerance[spec.dtype as keyof typeof tolerance]
  const {ok, reason, worst} = compareHardened(spec, expected, bytes, stated)
  if (!ok) return `wrong: ${reason} ${JSON.stringify(worst ?? {})}`
  return run.tolerated ? `${tolerated} ${run.tolerated.rule}` : 'right'
}

function drawCase(
  {inputs, outputs, operator}: OperatorDefinition,
  {of, domain = [-4, 4]}: Formula,
  types: Readonly<Record<string, Dtype>>,
  shape: readonly number[],
  seed: string,
): {operatorCase: OperatorCase; expected: Float64Array} {
  const random = randomFrom(seed, ...shape)
  const count = elementCount(shape)
  const drawn = inputs.map(({name}) => {
    const dtype = types[name] ?? 'float32'
    const raw = Float64Array.from({length: count}, () => domain[0] + (domain[1] - domain[0]) * random.unit())
    return {name, dtype, values: isInteger(dtype) ? raw.map((value) => nearestOf(dtype, value)) : roundTo(raw, dtype)}
  })
  const output = outputs[0]?.name ?? 'y'
  const dtype = types[output] ?? 'float32'
  const exact = Float64Array.from({length: count}, (_, index) =>
    of(...drawn.map(({values}) => values[index] as number)),
  )
  const expected = isInteger(dtype) ? exact.map(Math.trunc) : roundTo(exact, dtype)
  const tensors = drawn.map(({name, dtype: type, values}) => ({
    name,
    dtype: type,
    shape: [...shape],
    data: encode(values, type),
  }))
  const outputSpec = {name: output, dtype, shape: [...shape]}
  return {operatorCase: {id: operator, inputs: tensors, attributes: {}, outputs: [outputSpec]}, expected}
}

/** The integer next to a value that the type holds; away from 0, so that divisors stay divisors. */
function nearestOf(dtype: Dtype, value: number): number {
  const [least, most] = valueRange(dtype)
  return Math.min(Math.max(value < 0 ? Math.floor(value) : Math.ceil(value), least), most)
}
