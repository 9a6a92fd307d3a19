import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {decode, encode, isInteger, valueRange} from '../../datasets/dtype.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import {randomFrom} from '../../engine/random.ts'
import {atlasA2, modelCost} from '../../eval/cost.ts'
import twin from '../../eval/executors/twin.ts'
import {readProgram} from '../../pipelines/ascendcraft/language/check.ts'
import {isElementType} from '../../pipelines/ascendcraft/language/dtypes.ts'
import type {CheckedModule} from '../../pipelines/ascendcraft/language/checked.ts'
import {lower} from '../../pipelines/ascendcraft/lower/lower.ts'
import {outputShapes} from '../helpers/output-shape.ts'
import {twinCache} from '../helpers/test-cache.ts'

interface Try {
  /** File of the program. */
  program: string
  /** `x=1000,33`: the shape of an input; `x=`: one element. */
  shape: readonly string[]
  /** `alpha=0.5`. */
  attribute: readonly string[]
  /** `T=float16`: what a type parameter stands for. */
  type: readonly string[]
  /** `x=-3:3`: from where to where the values of an input are drawn; default -2:2, integers from 0 to 7. */
  range: readonly string[]
  /** Prints the files as well. */
  show: boolean
  /** Leaves out the run: only lowers. */
  only: boolean
}

const operator = 'TriedCustom'

const list = {type: 'string', multiple: true, default: [] as string[]} as const
const usage =
  'Usage: npm run bench -- ascendcraft-try <program.py> --shape x=1000,33 [--attribute alpha=0.5] [--type T=float16] ' +
  '[--range x=-3:3] [--show] [--only]'

/** The words behind `ascendcraft-try`. */
export async function tryFromWords(words: readonly string[]): Promise<void> {
  const {values, positionals} = parseArgs({
    args: [...words],
    options: {
      shape: list,
      attribute: list,
      type: list,
      range: list,
      show: {type: 'boolean', default: false},
      only: {type: 'boolean', default: false},
    },
    allowPositionals: true,
  })
  const [program] = positionals
  if (program === undefined) throw new Error(usage)
  await tryProgram({...values, program})
}

/** Reads, checks, lowers, builds and runs a program on inputs drawn by a seed, and prints what came of it. */
async function tryProgram(asked: Try): Promise<void> {
  const text = await readFile(asked.program, 'utf8')
  const types = Object.fromEntries(
    asked.type.map(pair).map(([name, type]) => {
      if (!isElementType(type)) throw new Error(`--type ${name}=${type}: no element type`)
      return [name, type]
    }),
  )
  const outcome = readProgram(text, types)
  if (!outcome.ok) {
    for (const {line, column, rule, message, mend} of outcome.faults)
      console.log(`${asked.program}:${line}:${column}: ${rule}: ${message}; ${mend}`)
    process.exitCode = 1
    return
  }
  const {checked} = outcome
  const {files} = lower(checked, {operator})
  if (asked.show || asked.only) for (const file of files) console.log(`=== ${file.path}\n${file.text}`)
  if (asked.only) return
  const {inputs, outputs, attributes, dtypes} = drawCase(checked, asked)
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascendcraft-try-'))
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    const built = await executor.build({operator, files, dtypes})
    if (!built.ok) {
      console.log('log' in built.verdict ? built.verdict.log : JSON.stringify(built.verdict, null, 2))
      process.exitCode = 1
      return
    }
    const run = await executor.execute(built.build, {id: 'try', inputs, attributes, outputs})
    console.log(`outcome   ${run.outcome}`)
    if (run.outcome !== 'ran') {
      console.log(JSON.stringify(run, null, 2))
      process.exitCode = 1
    } else {
      const cost = modelCost(run.trace)
      console.log(`tiling    ${JSON.stringify(run.trace.tiling)}, ${run.trace.blockDim} cores`)
      console.log(`UB        ${run.trace.ubPeakBytes} bytes`)
      const once = bytesOf([...inputs, ...outputs])
      if (cost) console.log(`modelled  ${costText(cost, once)}`)
      for (const [at, {name, dtype}] of outputs.entries()) {
        const values = decode(run.outputs[at] as Uint8Array, dtype)
        console.log(`${name.padEnd(9)} ${[...values.slice(0, 6)].map((one) => one.toPrecision(7)).join(' ')} …`)
      }
    }
    await built.build.dispose()
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

const bytesOf = (tensors: readonly {dtype: Dtype; shape: readonly number[]}[]) =>
  tensors.reduce((sum, {dtype, shape}) => sum + elementCount(shape) * dtypeBytes[dtype], 0)

/** @param once bytes of inputs and outputs */
function costText(cost: NonNullable<ReturnType<typeof modelCost>>, once: number): string {
  const moved = cost.readBytes + cost.writtenBytes
  const roofline = once / atlasA2.gmBytes
  const share = ((100 * roofline) / cost.microseconds).toFixed(0)
  const pipes = Object.entries(cost.pipes).map(([name, one]) => `${name} ${one.toFixed(2)}`)
  return (
    `${cost.microseconds.toFixed(2)} µs (${pipes.join(', ')}), ${cost.overlap} overlap, bound by ${cost.bottleneck}; ` +
    `${moved} bytes moved; inputs and outputs once, ${once}, take ${roofline.toFixed(2)} µs: ${share} %`
  )
}

function drawCase(checked: CheckedModule, asked: Try) {
  const shapes = Object.fromEntries(
    asked.shape.map(pair).map(([name, text]) => [name, text === '' ? [] : text.split(',').map(Number)]),
  )
  const attributes = Object.fromEntries(asked.attribute.map(pair).map(([name, text]) => [name, JSON.parse(text)]))
  const ranges = Object.fromEntries(asked.range.map(pair).map(([name, text]) => [name, text.split(':').map(Number)]))
  const random = randomFrom('ascendcraft-try', asked.program)
  const {parameters} = checked.module.host
  const dtypeOf = (one: (typeof parameters)[number]): Dtype =>
    one.kind !== 'attribute' && one.type.kind === 'type' ? one.type.type : 'float32'
  const inputs = parameters
    .filter(({kind}) => kind === 'tensor')
    .map((one) => {
      const shape = shapes[one.name]
      if (!shape) throw new Error(`--shape ${one.name}=… is missing`)
      const dtype = dtypeOf(one)
      const data = encode(values(elementCount(shape), dtype, ranges[one.name], random), dtype)
      return {name: one.name, dtype, shape, data}
    })
  const results = outputShapes(checked.module, {shapes, attributes})
  const outputs = parameters
    .filter(({kind}) => kind === 'output')
    .map((one) => ({name: one.name, dtype: dtypeOf(one), shape: results[one.name] ?? []}))
  const dtypes = Object.fromEntries([...inputs, ...outputs].map(({name, dtype}) => [name, dtype]))
  return {inputs, outputs, attributes, dtypes}
}

function values(count: number, dtype: Dtype, range: number[] | undefined, random: ReturnType<typeof randomFrom>) {
  const [low = 0, high = 0] = range ?? (isInteger(dtype) ? [0, Math.min(7, valueRange(dtype)[1])] : [-2, 2])
  const one = () => low + (high - low) * random.unit()
  return Float64Array.from({length: count}, () =>
    isInteger(dtype) ? Math.floor(low + (high - low + 1) * random.unit()) : one(),
  )
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`${text}: write name=value`)
  return [text.slice(0, at), text.slice(at + 1)]
}
