import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {prebuilt as builtTwin} from '../helpers/prebuilt.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import twin from '../../eval/executors/twin.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {checkedCalls} from './conformance/check-ruler.ts'
import type {CheckedCall} from './conformance/check-ruler.ts'
import {byPage, pageVectors} from './conformance/page-ruler.ts'
import type {PageOutcome, PageVector} from './conformance/page-ruler.ts'
import {tilingExpectations} from './conformance/tiling-ruler.ts'
import type {Expectation, Place} from './conformance/tiling-ruler.ts'
import {compiledTests} from './conformance/unit-ruler.ts'

const usage =
  'npm run bench -- conformance --asc-devkit <checkout> [--only pages|tiling|checks|units] [--page <name>]: compiles and runs tests of the checkout'

/** How a ruler came out: lines of the table, and lines below it that name what did not pass. */
interface Reading {
  rows: {ruler: string; passed: number; of: number}[]
  names: string[]
}

/** The twin against what asc-devkit's own pages and tests expect. Nothing of the checkout is kept. */
export async function benchConformance(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...args],
    options: {'asc-devkit': {type: 'string'}, only: {type: 'string'}, page: {type: 'string'}},
  })
  const checkout = values['asc-devkit']
  if (checkout === undefined) throw new Error(`Usage: ${usage}`)
  const scratch = await mkdtemp(join(tmpdir(), 'ascend-cot-conformance-'))
  try {
    const compiler = await chooseCompiler()
    const place: Place = {compiler, prebuilt: await builtTwin(compiler), scratch}
    const rulers: Record<string, () => Promise<Reading>> = {
      pages: () => readPages(checkout, scratch, values.page ?? ''),
      tiling: async () => readTiling(await tilingExpectations(checkout, tilingFiles, place)),
      checks: async () => readChecks(await checkedCalls(checkout, place)),
      units: () => readUnits(checkout, place),
    }
    const chosen = Object.keys(rulers).filter((name) => values.only === undefined || values.only === name)
    if (chosen.length === 0) throw new Error(`--only ${values.only}: expected one of ${Object.keys(rulers).join(', ')}`)
    for (const name of chosen) {
      const started = performance.now()
      show(await rulers[name]!(), (performance.now() - started) / 1000)
    }
    console.log(`peak memory of Node ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  } finally {
    await rm(scratch, {recursive: true, force: true})
  }
}

/** Conv and hccl are other libraries; v310 is another chip. */
const tilingFiles = ['test_tiling.cpp', 'test_matmul_api_tiling.cpp']

function show({rows, names}: Reading, seconds: number): void {
  for (const name of names) console.log(`  ${name}`)
  for (const {ruler, passed, of} of rows) console.log(`${ruler.padEnd(64)} ${String(passed).padStart(5)} of ${of}`)
  console.log(`  ${seconds.toFixed(0)} s`)
}

async function readPages(checkout: string, scratch: string, only: string): Promise<Reading> {
  const executor = await twin({cacheDirectory: twinCache, workDirectory: scratch})
  const all: PageVector[] = []
  for await (const vector of pageVectors(checkout, executor, only)) all.push(vector)
  const [shown, near] = [sum(all, ({shown}) => shown), sum(all, ({near}) => near)]
  const isC = ({page}: PageOutcome) => page.startsWith('asc_')
  const [pages, others] = [byPage(all).filter((one) => !isC(one)), byPage(all).filter(isC)]
  return {
    rows: [
      ...pageRows(
        'unabridged',
        pages.filter(({abridged}) => !abridged),
      ),
      ...pageRows(
        'abridged',
        pages.filter(({abridged}) => abridged),
      ),
      {
        ruler: 'pages of the C API that pass',
        passed: others.filter(({state}) => state === 'passed').length,
        of: others.length,
      },
      {ruler: 'their examples that pass', passed: all.filter(({ok}) => ok).length, of: all.length},
      {ruler: 'numbers of pages that agree to the last digit shown', passed: shown - near, of: shown},
    ],
    names: all.filter(({ok}) => !ok).map(pageLine),
  }
}

function pageRows(kind: string, pages: readonly PageOutcome[]): Reading['rows'] {
  const row = (ruler: string, state: PageOutcome['state']) => ({
    ruler: `${kind} pages${ruler}`,
    passed: pages.filter((one) => one.state === state).length,
    of: pages.length,
  })
  return [
    row(' that pass', 'passed'),
    row(' that contradict themselves or leave out what decides', 'at fault'),
    row(' that fail', 'failed'),
  ]
}

function pageLine({name, abridged, reason, wrong, lacks}: PageVector): string {
  const page = wrong || lacks ? `; the page: ${wrong || lacks}` : ''
  return `${name}${abridged ? ' (abridged)' : ''}: ${reason.split('\n')[0]?.slice(0, 240)}${page}`
}

function readTiling(all: readonly Expectation[]): Reading {
  const ours = all.filter(({offered, state}) => offered && !isLeftOut(state))
  const isPassed = ({state}: Expectation) => state === 'passed'
  const queries = [...new Set(all.map(({about}) => about))].sort()
  const lines = queries.flatMap((about) => {
    const own = all.filter((one) => one.about === about && !isPassed(one) && !isLeftOut(one.state))
    return own.length === 0 ? [] : [`${about}: ${stateText(own)}`]
  })
  const queryRows = ours.filter(({about}) => !isTiling(about))
  return {
    rows: [
      {
        ruler: 'exact expectations of host queries that we offer',
        passed: queryRows.filter(isPassed).length,
        of: queryRows.length,
      },
      {
        ruler: 'expectations of Matmul tilings, by their documented members',
        passed: ours.filter((one) => isTiling(one.about) && isPassed(one)).length,
        of: ours.length - queryRows.length,
      },
      {
        ruler: 'of host queries that we do not offer',
        passed: 0,
        of: all.filter((one) => !one.offered && !isLeftOut(one.state)).length,
      },
      {ruler: 'for other chips, left out', passed: 0, of: all.filter(({state}) => state === 'other chip').length},
      {
        ruler: 'of internals of its classes, left out',
        passed: 0,
        of: all.filter(({state}) => state === 'internals').length,
      },
    ],
    names: lines,
  }
}

const isLeftOut = (state: Expectation['state']) => state === 'other chip' || state === 'internals'

const isTiling = (about: string) => about === 'GetTiling' || about === 'other'

function stateText(own: readonly Expectation[]): string {
  const states = [...new Set(own.map(({offered, state}) => `${offered ? '' : 'not offered, '}${state}`))]
  const counts = states.map((state) => `${own.filter((one) => state.endsWith(one.state)).length} ${state}`).join(', ')
  const where = own.slice(0, 4).map(({file, line}) => `${file}:${line}`)
  const reason = own.find((one) => one.reason !== '')?.reason ?? ''
  return `${counts} (${where.join(', ')}${own.length > 4 ? ', …' : ''}) ${reason}`.trim()
}

/** The vendor's check does not look at the size that the page of the function's `Get...MaxMinTmpSize` demands. */
function isShort({state, reason}: CheckedCall): boolean {
  return state === 'differs' && /^temporary-memory|^out-of-buffer sharedTmpBuffer/.test(reason)
}

/** What the check does not look at: tilings that nobody filled, tensors that nobody wrote, buffers of one block. */
function isEmpty({state, reason}: CheckedCall): boolean {
  return (
    state === 'differs' && /^(operand-shape|read-unwritten|out-of-buffer (?!sharedTmp)|gm-out-of-range)/.test(reason)
  )
}

function readChecks(all: readonly CheckedCall[]): Reading {
  const row = (ruler: string, refused: boolean) => {
    const some = all.filter((one) => one.refused === refused && one.state !== 'apart')
    return {ruler, passed: some.filter(({state}) => state === 'as expected').length, of: some.length}
  }
  return {
    rows: [
      row('calls that the vendor refuses, refused', true),
      row('calls that the vendor takes, taken', false),
      {
        ruler: 'refused for temporary memory below what the host query says',
        passed: all.filter(isShort).length,
        of: all.filter(({state}) => state === 'differs').length,
      },
      {
        ruler: 'refused for tilings that nobody filled and tensors that nobody wrote',
        passed: all.filter(isEmpty).length,
        of: all.filter(({state}) => state === 'differs').length,
      },
      {ruler: 'calls that cannot be compared', passed: 0, of: all.filter(({state}) => state === 'apart').length},
    ],
    names: all
      .filter(({state}) => state !== 'as expected')
      .map((one) => `${one.api} ${one.state}: ${one.file}:${one.first} ${one.test}: ${one.reason.slice(0, 160)}`),
  }
}

async function readUnits(checkout: string, place: Place): Promise<Reading> {
  const all = await compiledTests(checkout, place)
  const reasons = new Map<string, number>()
  for (const {reason} of all) if (reason !== '') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return {
    rows: [
      {
        ruler: 'unit tests of the basic API that compile',
        passed: all.filter(({reason}) => reason === '').length,
        of: all.length,
      },
    ],
    names: [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} tests: ${reason.slice(0, 160)}`),
  }
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
