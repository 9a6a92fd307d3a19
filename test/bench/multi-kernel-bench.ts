import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import {buildDirect} from '../helpers/direct-program.ts'
import type {Tools} from '../../eval/executors/tools.ts'
import {mainOf} from './multi-kernel-bench-main.ts'
import type {LaunchedExample} from './multi-kernel-bench-main.ts'

/** What became of one shipped example; `detail` is empty when its values are right. */
interface ShippedResult {
  name: string
  outcome: 'right' | 'wrong' | 'not-built' | 'violated'
  detail: string
}

/** A file of a checkout, or of a repository without a work tree. */
function read(checkout: string, path: string): string {
  if (existsSync(join(checkout, path))) return readFileSync(join(checkout, path), 'utf8')
  return execFileSync('git', ['--git-dir', checkout, 'show', `HEAD:${path}`], {encoding: 'utf8', maxBuffer: 1 << 26})
}

/** The eight AscendC examples that MultiKernelBench ships as prompts. */
export async function tryMultiKernelBench(
  checkout: string,
  tools: Tools,
  executor: Executor,
): Promise<ShippedResult[]> {
  const results: ShippedResult[] = []
  for (const example of launched) results.push(await tryLaunched(checkout, tools, example))
  for (const example of projects) results.push(await tryProject(checkout, executor, example))
  return results
}

const Submission = z.object({sources: z.array(z.object({path: z.string(), content: z.string()}))})

const launched: LaunchedExample[] = [
  {name: 'add', inputs: 2, types: ['float', 'half', 'int32'], expression: 'a + b'},
  {name: 'relu', inputs: 1, types: ['float', 'half'], expression: 'a > 0 ? a : 0'},
]

/** The kernel's files and a `main` in place of the PyTorch module, which would need PyTorch for NPU. */
async function tryLaunched(checkout: string, tools: Tools, example: LaunchedExample): Promise<ShippedResult> {
  const name = `ascendc_direct_launch_model_${example.name}`
  const {sources} = Submission.parse(JSON.parse(read(checkout, `prompts/${name}.json`)))
  const kernel = sources.filter(({path, content}) => /\.(?:cpp|h)$/.test(path) && !content.includes('PYBIND11_MODULE'))
  const files = kernel.map(({path, content}) => ({path, text: content}))
  const units = files.flatMap(({path}) => (path.endsWith('.cpp') ? [path] : []))
  const built = await buildDirect(tools, {
    files: [...files, {path: 'kernel/main.cpp', text: mainOf(example)}],
    units: [...units, 'kernel/main.cpp'],
  })
  if (!built.ok)
    return {name, outcome: 'not-built', detail: 'log' in built.verdict ? built.verdict.log.slice(0, 500) : ''}
  try {
    const end = await built.build.run()
    if (end.violation) return {name, outcome: 'violated', detail: `${end.violation.rule}: ${end.violation.message}`}
    return {
      name,
      outcome: end.code === 0 ? 'right' : 'wrong',
      detail: end.code === 0 ? '' : `${end.stdout}${end.stderr}`,
    }
  } finally {
    await built.build.dispose()
  }
}

interface Project {
  name: string
  operator: string
  inputs: Record<string, number[]>
  output: {name: string; shape: number[]}
  attributes?: OperatorCase['attributes']
  /** By name of input, row-major. */
  expected(inputs: Record<string, Float32Array>): Float64Array
}

const each = (count: number, value: (index: number) => number) =>
  Float64Array.from({length: count}, (_, at) => value(at))
const at = (values: Float32Array | undefined, index: number) => values?.[index] ?? Number.NaN

const projects: Project[] = [
  {
    name: 'add',
    operator: 'AddCustom',
    inputs: {x: [1024, 4096], y: [1024, 4096]},
    output: {name: 'z', shape: [1024, 4096]},
    expected: ({x, y}) => each(1024 * 4096, (index) => at(x, index) + at(y, index)),
  },
  {
    name: 'leaky_relu',
    operator: 'LeakyReluCustom',
    inputs: {x: [16, 16384]},
    output: {name: 'y', shape: [16, 16384]},
    attributes: {negative_slope: 0.01},
    expected: ({x}) => each(16 * 16384, (index) => (at(x, index) > 0 ? at(x, index) : 0.01 * at(x, index))),
  },
  {
    name: 'reduce_sum',
    operator: 'ReduceSumCustom',
    inputs: {x: [16, 128]},
    output: {name: 'z', shape: [1]},
    expected: ({x}) => Float64Array.of((x ?? new Float32Array()).reduce((sum, value) => sum + value, 0)),
  },
  {
    name: 'mse_loss',
    operator: 'MseLossCustom',
    inputs: {predict: [128, 4096], label: [128, 4096]},
    output: {name: 'y', shape: [1]},
    expected({predict, label}) {
      const squares = each(128 * 4096, (index) => (at(predict, index) - at(label, index)) ** 2)
      return Float64Array.of(squares.reduce((sum, value) => sum + value, 0) / squares.length)
    },
  },
  {
    name: 'layer_norm',
    operator: 'LayerNormCustom',
    inputs: {x: [1024, 512], gamma: [512], beta: [512]},
    output: {name: 'res_out', shape: [1024, 512]},
    attributes: {epsilon: 1e-5},
    expected({x, gamma, beta}) {
      const mean = each(1024, (row) => each(512, (column) => at(x, row * 512 + column)).reduce((a, b) => a + b) / 512)
      const centred = each(1024 * 512, (index) => at(x, index) - (mean[index >> 9] ?? 0))
      const variance = each(
        1024,
        (row) => centred.slice(row * 512, row * 512 + 512).reduce((a, b) => a + b * b, 0) / 512,
      )
      return each(1024 * 512, (index) => {
        const scaled = (centred[index] ?? 0) / Math.sqrt((variance[index >> 9] ?? 0) + 1e-5)
        return scaled * at(gamma, index & 511) + at(beta, index & 511)
      })
    },
  },
  {
    name: 'matmul_add',
    operator: 'MatmulAddCustom',
    inputs: {a: [1024, 256], b: [256, 640], bias: [640]},
    output: {name: 'c', shape: [1024, 640]},
    expected({a, b, bias}) {
      return each(1024 * 640, (index) => {
        const [row, column] = [Math.floor(index / 640), index % 640]
        let sum = at(bias, column)
        for (let k = 0; k < 256; k += 1) sum += at(a, row * 256 + k) * at(b, k * 640 + column)
        return sum
      })
    },
  },
]

/** A triple-quoted string of the prompt's Python. */
function pythonString(text: string, name: string): string {
  const found = new RegExp(String.raw`\b${name}\s*=\s*("""|''')([\s\S]*?)\1`).exec(text)
  return (found?.[2] ?? '').replaceAll(/\\(["'\\])/g, '$1')
}

const snake = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

async function tryProject(checkout: string, executor: Executor, project: Project): Promise<ShippedResult> {
  const name = `ascendc_new_model_${project.name}`
  const text = read(checkout, `prompts/${name}.py`)
  const base = snake(project.operator)
  const dtypes = Object.fromEntries(
    [...Object.keys(project.inputs), project.output.name].map((one) => [one, 'float32' as const]),
  )
  const built = await executor.build({
    operator: project.operator,
    dtypes,
    files: [
      {path: `op_host/${base}_tiling.h`, text: pythonString(text, 'host_tiling_src')},
      {path: `op_host/${base}.cpp`, text: pythonString(text, 'host_operator_src')},
      {path: `op_kernel/${base}.cpp`, text: pythonString(text, 'kernel_src')},
    ],
  })
  if (!built.ok) return {name, outcome: 'not-built', detail: JSON.stringify(built.verdict).slice(0, 500)}
  try {
    const inputs = Object.fromEntries(Object.entries(project.inputs).map(([one, shape]) => [one, numbers(one, shape)]))
    const operatorCase: OperatorCase = {
      id: project.name,
      attributes: project.attributes ?? {},
      inputs: Object.entries(project.inputs).map(([one, shape]) => ({
        name: one,
        dtype: 'float32',
        shape,
        data: new Uint8Array((inputs[one] as Float32Array).buffer),
      })),
      outputs: [{...project.output, dtype: 'float32'}],
    }
    // An example that breaks a rule is at fault; a board would still give its values.
    const end = await executor.execute(built.build, operatorCase, {tolerant: true})
    if (end.outcome === 'violated')
      return {name, outcome: 'violated', detail: `${end.violation.rule}: ${end.violation.message}`}
    if (end.outcome !== 'ran') return {name, outcome: 'wrong', detail: JSON.stringify(end).slice(0, 500)}
    const {outcome, detail} = compared(end.outputs[0] ?? new Uint8Array(), project.expected(inputs))
    const broken = end.tolerated ? `breaks ${end.tolerated.rule}: ${end.tolerated.message}` : ''
    return {name, outcome, detail: detail || broken}
  } finally {
    await built.build.dispose()
  }
}

/** In [-1, 1), the same in every run. */
function numbers(name: string, shape: readonly number[]): Float32Array {
  let state = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0
  return Float32Array.from({length: shape.reduce((a, b) => a * b, 1)}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
}

/** The benchmark's own tolerance: 1e-2, absolute and relative. */
function compared(output: Uint8Array, expected: Float64Array): Pick<ShippedResult, 'outcome' | 'detail'> {
  const seen = new Float32Array(output.slice().buffer)
  const wrong = expected.findIndex(
    (value, index) => !(Math.abs((seen[index] ?? Number.NaN) - value) <= 1e-2 + 1e-2 * Math.abs(value)),
  )
  if (wrong < 0 && seen.length >= expected.length) return {outcome: 'right', detail: ''}
  return {outcome: 'wrong', detail: `element ${wrong} is ${seen[wrong]}, expected ${expected[wrong]}`}
}
