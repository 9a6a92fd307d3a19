import {readFile, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Prebuilt} from '../../../eval/executors/precompile.ts'
import {languageFlags} from '../../../eval/executors/toolchain.ts'
import type {Compiler} from '../../../eval/executors/toolchain.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {errorsOf, testsOf, withoutTests} from './unit-tests.ts'
import type {UnitTest} from './unit-tests.ts'

const standIn = fileURLToPath(new URL('stand-in/', import.meta.url))

export interface Place {
  compiler: Compiler
  prebuilt: Prebuilt
  /** A folder for what is compiled. */
  scratch: string
}

/** What became of one expectation, a line of a test. */
type State = 'passed' | 'failed' | 'not reached' | 'not compiled' | 'internals' | 'other chip'

export interface Expectation {
  file: string
  line: number
  test: string
  /** The host query that it is about: the last one called before it in its test. */
  about: string
  offered: boolean
  state: State
  /** For `not compiled` and `internals`, the compiler's first error in the test. */
  reason: string
}

/**
 * What tests reach with `#define private public` or from files below impl/: no page offers any of it, and the headers
 * below include/adv_api name it only as data members, as protected or not at all.
 */
const internals =
  /\b(bufferPool_|tiling_|PrintTilingDataInfo|MatmulTilingAlgorithm|SingleCoreStatus|GetNonFactorMap|logInstance)\b/

const query =
  /\b(Get\w+(?:M(?:ax|in)\w*TmpSize|TmpBufferFactorSize|TilingInfo|TillingInfo)|\w+TilingFunc)\s*(?:<[^;()]*>)?\(/

/**
 * Files of unit tests of host queries, compiled against the twin's host headers with a stand-in for googletest and
 * run. A test that does not compile is left out and told. Runs code of the checkout.
 */
export async function tilingExpectations(checkout: string, names: readonly string[], place: Place) {
  const all: Expectation[] = []
  for (const name of names) {
    const path = join(checkout, 'tests/api/adv_api/tiling', name)
    all.push(...(await fileExpectations(name, await readFile(path, 'utf8'), place)))
  }
  return all
}

async function fileExpectations(file: string, original: string, place: Place): Promise<Expectation[]> {
  const text = shimmed(original)
  const tests = testsOf(text)
  const hidden = otherChip(text, tests)
  const kept = await compiling(file, text, {tests, hidden}, place)
  const lines = await run(
    file,
    withoutTests(
      text,
      tests.filter((test) => !kept.good.includes(test)),
    ),
    place,
  )
  return tests.flatMap((test) =>
    expectationsOf(file, text, test, place.prebuilt.names).map((one): Expectation => {
      if (hidden.has(test)) return {...one, state: 'other chip', reason: ''}
      const error = kept.errors.get(test)
      if (error !== undefined)
        return {...one, state: internals.test(linesOf(text, test)) ? 'internals' : 'not compiled', reason: error}
      // A query that macros declare is no identifier of the headers; a test of it that compiles shows that it is there.
      const offered = {...one, offered: true, reason: ''}
      const seen = lines.get(one.line)
      if (seen === undefined) return {...offered, state: 'not reached'}
      return {...offered, state: seen ? 'passed' : 'failed'}
    }),
  )
}

/** Includes are ours; a platform that a test declares is the twin's chip, which it need not be told. */
function shimmed(text: string): string {
  return text
    .replace(/^[ \t]*#\s*include.*$/gm, '')
    .replace(/^[ \t]*#\s*define\s+(private|protected)\s+public.*$/gm, '')
    .replace(/\b\w+\.socVersion = platform_ascendc::SocVersion::ASCEND910B;/g, '')
    .replace(/fe::PlatFormInfos (\w+);/g, 'fe::PlatFormInfos $1 = stand_in::Chip();')
}

/** Tests that the preprocessor leaves out for Atlas A2 (2201), and those that ask for another chip when they run. */
function otherChip(text: string, tests: readonly UnitTest[]): Set<UnitTest> {
  const lines = text.split('\n')
  const open: boolean[] = []
  const shown = lines.map((line) => {
    const condition = /^\s*#\s*if(.*)$/.exec(line)?.[1]
    if (condition !== undefined) open.push(!condition.includes('__NPU_ARCH__') || condition.includes('2201'))
    else if (/^\s*#\s*else/.test(line)) open.push(!open.pop())
    else if (/^\s*#\s*endif/.test(line)) open.pop()
    return open.every(Boolean)
  })
  const asks = (test: UnitTest) =>
    /set_(chip_version|npuarch)\("(?!Ascend910B|2201)|SocVersion::ASCEND(?!910B)/.test(linesOf(text, test))
  return new Set(tests.filter((test) => !shown[test.first - 1] || asks(test)))
}

const linesOf = (text: string, {first, last}: UnitTest) =>
  text
    .split('\n')
    .slice(first - 1, last)
    .join('\n')

function expectationsOf(file: string, text: string, test: UnitTest, names: ReadonlySet<string>) {
  const found: Omit<Expectation, 'state' | 'reason'>[] = []
  let about = ''
  text
    .split('\n')
    .slice(test.first - 1, test.last)
    .forEach((line, at) => {
      about = query.exec(line)?.[1] ?? (/\btiling\w*\.GetTiling\(/i.test(line) ? 'GetTiling' : about)
      const offered = names.has(about)
      if (/\b(EXPECT|ASSERT)_/.test(line)) found.push({file, line: test.first + at, test: test.name, about, offered})
    })
  const first = found.find((one) => one.about !== '')?.about ?? 'other'
  return found.map((one) => (one.about === '' ? {...one, about: first, offered: names.has(first)} : one))
}

interface Kept {
  good: UnitTest[]
  errors: Map<UnitTest, string>
}

/** Leaves out tests until the rest compiles: one error hides others. */
async function compiling(
  file: string,
  text: string,
  {tests, hidden}: {tests: readonly UnitTest[]; hidden: ReadonlySet<UnitTest>},
  place: Place,
): Promise<Kept> {
  const errors = new Map<UnitTest, string>()
  for (let round = 0; round < 8; round += 1) {
    const good = tests.filter((test) => !hidden.has(test) && !errors.has(test))
    const log = await compile(
      file,
      withoutTests(
        text,
        tests.filter((test) => !good.includes(test)),
      ),
      place,
      ['-fsyntax-only'],
    )
    const found = errorsOf(log)
    if (found.length === 0) return {good, errors}
    const before = errors.size
    for (const {message, places} of found) {
      const test = good.find(({first, last}) => places.some(({line}) => line >= first && line <= last))
      if (test && !errors.has(test)) errors.set(test, message)
    }
    if (errors.size === before) throw new Error(`${file} does not compile outside of its tests: ${log.slice(0, 2000)}`)
  }
  throw new Error(`${file} does not compile after eight rounds of leaving tests out`)
}

async function compile(file: string, text: string, place: Place, args: readonly string[]): Promise<string> {
  const {compiler, prebuilt, scratch} = place
  await writeFile(join(scratch, file), text)
  const flags = [...languageFlags(compiler).filter((flag) => !flag.startsWith('-ferror-limit')), '-ferror-limit=0']
  const headers = [...prebuilt.header.host, '-I', prebuilt.include, '-I', standIn, '-include', 'tiling_tests.h']
  const all = [...headers, ...flags, '-D__NPU_ARCH__=2201', '-O0', ...args, file]
  const {stderr} = await runCommand(compiler.command, all, {cwd: scratch, timeoutSeconds: 300})
  return stderr
}

/** Each expectation's line, and whether it held every time. */
async function run(file: string, text: string, place: Place): Promise<Map<number, boolean>> {
  const program = join(place.scratch, `${file}.run`)
  const main = `${text}\nint main() { return stand_in::RunAll(); }\n`
  const log = await compile(file, main, place, [
    place.prebuilt.library,
    `-Wl,-rpath,${dirname(place.prebuilt.library)}`,
    '-o',
    program,
  ])
  if (/error: |undefined/.test(log)) throw new Error(`${file} does not link: ${log.slice(0, 2000)}`)
  const {stdout} = await runCommand(program, [], {cwd: place.scratch, timeoutSeconds: 300})
  const held = new Map<number, boolean>()
  for (const [, line, ok] of stdout.matchAll(/^E (\d+) ([01])$/gm))
    held.set(Number(line), (held.get(Number(line)) ?? true) && ok === '1')
  return held
}
