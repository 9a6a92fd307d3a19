import {readFile, rm} from 'node:fs/promises'
import {resolve} from 'node:path'
import type {OperatorCase, TaskCase} from '../../../datasets/schema/task.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {canonicalJson, contentId} from '../../../engine/ids.ts'
import {randomFrom, type Random} from '../../../engine/random.ts'
import type {CaseSource, OpenCases} from '../../cases.ts'
import {firstFresh, firstGrown, type CallShape} from '../../fresh-row.ts'
import {compareOutputs} from '../../reference/compare-outputs.ts'
import type {InputFamily} from '../../reference/inputs.ts'
import {byteLengths, Known} from '../../reference/known.ts'
import {caseId} from '../../reference/typescript.ts'
import {parsePythonLiteral} from '../../tasks/python-literal.ts'
import {isRefusal} from '../oracle/oracle-process.ts'
import {inOwnFolder} from '../oracle/saved-case.ts'
import type {CasesSetting, LoneModule, ModelCases} from '../whole-model.ts'
import type {TorchPython} from '../submission/python.ts'
import {readModelCases, shapesText} from './model-calls.ts'
import {openOracle, oracleRules, type ModelCase, type Oracle} from './oracle/oracle.ts'
import type {Setting} from './tiers.ts'

/** The oracle's kind of values for each of the judge's. */
const drawnFor: Record<InputFamily, string> = {
  ...{normal: 'own', repeated: 'own', scalars: 'own', finite: 'own'},
  ...{uniform: 'normal', small: 'tiny', large: 'large', boundary: 'ramp', zeros: 'sparse', ones: 'constant'},
  ...{wide: 'large', denormal: 'tiny', alike: 'constant', infinite: 'infinite', pierced: 'infinite', nan: 'nan'},
}
const withoutNumbers = ['infinite', 'nan']

const tolerance = {float32: {absolute: 1e-4, relative: 1e-4}}
const mostBytes = 2 ** 27
/** Rows of other sizes, each of which runs the module. */
const mostTrials = 16

interface Called {
  operatorCase: OperatorCase
  expected: readonly Float64Array[]
}

/**
 * A module of PyTorch that belongs to no checkout, as a task: its calls are rows of the constants that its sizes come
 * from. Kinds of values for which its own answer is no number are not in its domain: its own are drawn instead.
 * @throws PipelineError `input-invalid` for a module that fails, has no `Model` or `get_inputs`, or has weights
 */
export async function openLoneModule(path: string, setting: CasesSetting<TorchPython>): Promise<LoneModule> {
  const {python, workDirectory} = setting
  const {oracle, close} = await inOwnFolder(workDirectory, (folder) =>
    openOracle({...setting, folder, module: resolve(path), seconds: 300}),
  )
  try {
    const identity = contentId([oracleRules, python.torch, await readFile(path, 'utf8')])
    return {identity, close, ...(await loneModule(oracle, path))}
  } catch (error) {
    await close()
    throw error
  }
}

/** The calls of a module that an oracle runs. */
export async function loneModule(
  oracle: Pick<Oracle, 'alone' | 'case' | 'describe'>,
  path: string,
): Promise<Pick<LoneModule, 'open' | 'calls'>> {
  const module = {oracle, path}
  const sizes = await sizesOf(module)
  return {open: casesOf(module), calls: () => smallCalls(module, sizes)}
}

interface Module {
  oracle: Pick<Oracle, 'alone' | 'case' | 'describe'>
  path: string
}

async function sizesOf({oracle, path}: Module): Promise<Sizes> {
  const found = await oracle.alone().catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    throw new PipelineError('input-invalid', error.message, {fix: 'Correct it until it runs by itself.', cause: error})
  })
  if (!('weights' in found))
    throw new PipelineError('input-invalid', `${path} does not define ${found.missing.join(' and ')}.`, {
      fix: 'Write a class Model with forward, and a function get_inputs that gives a list of its tensors.',
    })
  if (found.weights.length > 0)
    throw new PipelineError('input-invalid', `The model in ${path} has weights: ${found.weights.join(', ')}.`, {
      fix: 'Take them as arguments of forward, and give them in get_inputs: an operator has no state.',
    })
  return found.sizes
}

type Sizes = Readonly<Record<string, number | readonly number[]>>

const lengths = [1, 2, 3, 5, 7, 13, 17, 33, 61, 127, 257, 1021, 4099]
const mostElements = 1 << 16
const wantedRows = 4
const mostDraws = 24

/** The calls of small rows, with values of the module's own and of any sign, as far as they are in its domain. */
async function smallCalls(module: Module, sizes: Sizes): ReturnType<LoneModule['calls']> {
  const rows = await smallRows(module, sizes)
  const calls: Awaited<ReturnType<typeof ask>>[] = []
  for (const row of rows)
    for (const family of ['own', 'normal']) {
      const one = await unlessRefused(ask(module, {row, family, seed: 1024}))
      if (one && (family === 'own' || areNumbers(one))) calls.push(one)
    }
  const told = calls[0]?.told ?? noSmallCall(module)
  const cases = calls.map(({operatorCase, expected}, at) => ({
    operatorCase: {...operatorCase, id: `case-${at}`},
    expected,
    tolerance: tolerance.float32,
  }))
  return {rows, cases, shapes: shapesText(told, []), made: told.made, called: told.called}
}

const areNumbers = ({expected}: Pick<Called, 'expected'>) => expected.every((values) => values.every(Number.isFinite))

/** Rows of odd sizes that the module computes, and one that halves its own until it is small. */
async function smallRows(module: Module, sizes: Sizes): Promise<TaskCase[]> {
  const random = randomFrom('sizes of a module', canonicalJson(sizes))
  const rows: TaskCase[] = []
  const drawn = Array.from({length: mostDraws}, () => mapped(sizes, (own) => odd(own, random)))
  for (const one of [halved(sizes), ...drawn]) {
    const row = {case_id: String(rows.length), ...cellsOf(one)}
    if (rows.some((other) => canonicalJson({...other, case_id: row.case_id}) === canonicalJson(row))) continue
    if (elementsOf(one) <= mostElements && (await isSmallCall(module, row))) rows.push(row)
    if (rows.length === wantedRows) break
  }
  return rows.length > 0 ? rows : noSmallCall(module)
}

function noSmallCall({path}: Module): never {
  throw new PipelineError('input-invalid', `No small call of ${path} was found.`, {
    fix: 'Let get_inputs take its sizes from constants of the module, such as `rows = 64`.',
  })
}

const mapped = (sizes: Sizes, change: (own: number) => number): Sizes =>
  Object.fromEntries(
    Object.entries(sizes).map(([name, own]) => [name, typeof own === 'number' ? change(own) : own.map(change)]),
  )

const odd = (own: number, random: Random) => random.pick(lengths.filter((one) => one <= Math.max(own, 2)))

const elementsOf = (sizes: Sizes) =>
  Object.values(sizes)
    .flat()
    .reduce((product, one) => product * one, 1)

function halved(sizes: Sizes): Sizes {
  const largest = Math.max(...Object.values(sizes).flat())
  if (elementsOf(sizes) <= mostElements || largest % 2 === 1) return sizes
  return halved(mapped(sizes, (own) => (own === largest ? own / 2 : own)))
}

const cellsOf = (sizes: Sizes): TaskCase =>
  Object.fromEntries(
    Object.entries(sizes).map(([name, one]) => [name, typeof one === 'number' ? String(one) : `[${one.join(', ')}]`]),
  )

/** A row's cells as constants of the module. */
function settingOf(row: TaskCase, path: string): Setting {
  const constants = Object.entries(row).flatMap(([name, cell]) => (name === 'case_id' ? [] : [[name, read(cell)]]))
  return {constants: Object.fromEntries(constants) as NonNullable<Setting['constants']>}

  function read(cell: string): number | readonly number[] {
    const value = literal(cell)
    const all = Array.isArray(value) ? value : [value]
    if (all.every((one) => typeof one === 'number')) return value as number | number[]
    throw new PipelineError('input-invalid', `case ${caseId(row)}: ${cell} is no value for a constant of ${path}.`, {
      fix: 'Write a number, or numbers in brackets: [16, 32].',
    })
  }
}

function literal(cell: string): unknown {
  try {
    return parsePythonLiteral(cell)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

interface Asked {
  row: TaskCase
  /** Of the oracle. */
  family: string
  seed: number
}

/** A call, as told and as read; its files are gone. */
async function ask({oracle, path}: Module, {row, family, seed}: Asked): Promise<Called & {told: ModelCase}> {
  const told = await oracle.case({setting: settingOf(row, path), family, seed, roles: null})
  const [{operatorCase, expected}] = (await readModelCases([told])) as [ModelCases['cases'][number]]
  await Promise.all([...told.inputs, ...told.outputs].map(({file}) => rm(file, {force: true})))
  return {told, operatorCase: {...operatorCase, id: caseId(row)}, expected}
}

/** What a module answers; undefined where it refuses. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Whether a row's call is small, and computed. */
async function isSmallCall(module: Module, row: TaskCase): Promise<boolean> {
  // A module whose sizes cannot be told without its values is run.
  const inputs = (await unlessRefused(module.oracle.describe(settingOf(row, module.path)))) ?? []
  if (inputs.some(({bytes}) => bytes > mostElements * 8)) return false
  const call = await unlessRefused(ask(module, {row, family: 'own', seed: 0}))
  return call !== undefined && [...call.told.inputs, ...call.told.outputs].every(({shape}) => !shape.includes(0))
}

const seedFrom = (parts: readonly (string | number)[]) => randomFrom(...parts).integer(0, 2 ** 31 - 1)

/** Cases of a candidate for the module. */
function casesOf(module: Module): OpenCases {
  const known = new Known<Called>(mostBytes, ({operatorCase, expected}) =>
    byteLengths([...operatorCase.inputs.map(({data}) => data), ...expected]),
  )
  const call = (row: TaskCase, family: string, seed: number) =>
    known.get(canonicalJson([row, family, seed]), () => ask(module, {row, family, seed}))
  const tried = (row: TaskCase, family: string, seed: number) => unlessRefused(call(row, family, seed))
  /** Infinities and NaN are in the domain where signed numbers are. */
  const inDomain = async (row: TaskCase, family: string, seed: number) => {
    const isOdd = withoutNumbers.includes(family)
    const numbers = await tried(row, isOdd ? 'normal' : family, seed)
    if (!numbers || !areNumbers(numbers)) return undefined
    return isOdd ? tried(row, family, seed) : numbers
  }
  const shapeOf = async (row: TaskCase): Promise<CallShape | undefined> => {
    const own = await tried(row, 'own', 0)
    return own && shapeIn(own)
  }
  return async ({task: {cases: table}}, rows, skip): Promise<CaseSource> => {
    const calls = new Map<string, Called>()
    for (const row of rows) {
      try {
        calls.set(caseId(row), await call(row, 'own', 0))
      } catch (error) {
        if (!isRefusal(error)) throw error
        skip(row, 'refused-by-module', String(error.evidence['fault']))
      }
    }
    const own = (row: TaskCase) => calls.get(caseId(row)) as Called
    return {
      rows: rows.filter((row) => calls.has(caseId(row))),
      dtypes(row) {
        const {inputs, outputs} = own(row).operatorCase
        return Object.fromEntries([...inputs, ...outputs].map(({name, dtype}) => [name, dtype]))
      },
      async prepare(row, family, parts) {
        const seed = seedFrom([...parts, caseId(row), family])
        const kind = drawnFor[family]
        const other = kind === 'own' ? undefined : await inDomain(row, kind, seed)
        const {operatorCase, expected} = other ?? (await call(row, 'own', seed))
        return {
          operatorCase,
          compare: (seen, {literal: isLiteral}) =>
            Promise.resolve(
              compareOutputs({specs: operatorCase.outputs, seen, expected}, {literal: isLiteral, tolerance}),
            ),
          discard: () => Promise.resolve(),
        }
      },
      fresh: (row, parts) => {
        const random = randomFrom(...parts, caseId(row), 'sizes')
        return firstFresh(row, {call: shapeIn(own(row)), table, random, trials: mostTrials}, shapeOf)
      },
      grown: (row, bytes) => firstGrown(row, {call: shapeIn(own(row)), table, bytes}, shapeOf),
    }
  }
}

function shapeIn({operatorCase: {inputs, outputs, attributes}}: Called): CallShape {
  const tensors = [...inputs, ...outputs].map(({name, dtype, shape}) => ({name, dtype, shape}))
  return {tensors, values: attributes}
}
