import {readdir, readFile, writeFile} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {languageFlags} from '../../../eval/executors/toolchain.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import type {Place} from './tiling-ruler.ts'
import {errorsOf, testsOf} from './unit-tests.ts'
import type {CompileError} from './unit-tests.ts'

const standIn = fileURLToPath(new URL('stand-in/', import.meta.url))

/** One call that a test of argument checks makes, and what it expects of it. */
export interface CheckedCall {
  file: string
  test: string
  api: string
  /** Whether the vendor's check raises. */
  refused: boolean
  first: number
  last: number
  expectation: number
  state: CallState
  reason: string
}

/** `apart`: the call's arguments are the check's own and not the function's, so nothing can be compared. */
type CallState = 'as expected' | 'differs' | 'apart' | 'other chip'

interface Source {
  name: string
  lines: string[]
  calls: CheckedCall[]
}

/**
 * Tests of argument checks against the twin's device headers: a call that raises must be refused, when it is compiled
 * or when it runs, and one that does not must pass. Runs code of the checkout.
 */
export async function checkedCalls(checkout: string, place: Place): Promise<CheckedCall[]> {
  const root = join(checkout, 'tests/api/adv_api/api_check')
  const paths = (await readdir(root, {recursive: true})).filter((path) => path.endsWith('.cpp')).sort()
  const sources = await Promise.all(
    paths.map(async (path) => readSource(basename(path), await readFile(join(root, path), 'utf8'))),
  )
  for (let round = 0; round < 12; round += 1) {
    const errors = errorsOf(await compile(sources, place, ['-fsyntax-only']))
    if (errors.length === 0) break
    for (const error of errors) leaveOut(sources, error)
  }
  const outcome = await run(sources, place)
  for (const call of sources.flatMap(({calls}) => calls)) settle(call, outcome)
  return sources.flatMap(({calls}) => calls)
}

/** Calls of a file's tests; includes, and tests for other chips, are blanked. */
export function readSource(name: string, text: string): Source {
  const lines = withoutOtherChips(text.replace(/^\s*#\s*include.*$/gm, '').split('\n'))
  const calls = testsOf(lines.join('\n')).flatMap(({name: test, first, last}) => {
    const found: CheckedCall[] = []
    for (let at = first; at <= last; at += 1) {
      const call = /CHECK_FUNC_HIGHLEVEL_API\(\s*(\w*)/.exec(lines[at - 1]!)
      if (call) {
        const end = endOf(lines, at, last)
        const api = call[1] === '' ? (/^\s*(\w+)/.exec(lines[at]!)?.[1] ?? '') : call[1]!
        const asked = {refused: false, first: at, last: end, expectation: 0}
        found.push({file: name, test, api, ...asked, state: 'apart', reason: 'no expectation behind the call'})
      }
      const raised = /EXPECT_EQ\(.*GetRaiseCount\(\) - \w+, (.*)\);/.exec(lines[at - 1]!)
      const latest = found.at(-1)
      if (raised && latest) Object.assign(latest, {expectation: at, refused: raised[1] !== '0', reason: ''})
    }
    return found
  })
  return {name, lines, calls}
}

function endOf(lines: readonly string[], from: number, last: number): number {
  let at = from
  while (at < last && !lines[at - 1]!.includes(';')) at += 1
  return at
}

function withoutOtherChips(lines: readonly string[]): string[] {
  let depth = 0
  return lines.map((line) => {
    const opens = /^\s*#\s*if/.test(line)
    if (opens && (depth > 0 || /__NPU_ARCH__/.test(line))) depth += 1
    const inside = depth > 0
    if (depth > 0 && /^\s*#\s*endif/.test(line)) depth -= 1
    return inside ? '' : line
  })
}

/** Blanks the call that an error is about, or, when it is about none, the whole test. */
function leaveOut(sources: readonly Source[], {message, places}: CompileError): void {
  for (const {file, line} of places) {
    const source = sources.find(({name}) => name === file)
    if (!source) continue
    const call = source.calls.find(({first, last}) => line >= first && line <= last)
    const test = testsOf(source.lines.join('\n')).find(({first, last}) => line >= first && line <= last)
    const range = call ?? test ?? {first: line, last: line}
    for (let at = range.first; at <= range.last; at += 1) source.lines[at - 1] = ''
    const about = call ? [call] : source.calls.filter((one) => one.first >= range.first && one.last <= range.last)
    for (const one of about) if (one.reason === '') Object.assign(one, fromError(one, message, call !== undefined))
    return
  }
}

function fromError(call: CheckedCall, message: string, ofCall: boolean): Pick<CheckedCall, 'state' | 'reason'> {
  const refusal = /^static(_assert| assertion) failed/.test(message)
  if (!ofCall || !refusal) return {state: 'apart', reason: message}
  return {state: call.refused ? 'as expected' : 'differs', reason: message}
}

function settle(call: CheckedCall, {held, broken}: Outcome): void {
  if (call.reason !== '') return
  const refusal = broken.get(call.test)
  const ok = held.get(`${call.test} ${call.expectation}`)
  if (refusal && refusal.line >= call.first && refusal.line <= call.last)
    Object.assign(call, {state: call.refused ? 'as expected' : 'differs', reason: refusal.said})
  else if (ok === undefined) Object.assign(call, {state: 'apart', reason: 'the test ended before the call'})
  else if (ok) call.state = 'as expected'
  else Object.assign(call, {state: 'differs', reason: 'the twin lets it pass'})
}

async function compile(sources: readonly Source[], place: Place, args: readonly string[]): Promise<string> {
  const {compiler, prebuilt, scratch} = place
  const parts = sources.map(
    ({name, lines}, at) => `namespace checks_${at} {\n#line 1 "${name}"\n${lines.join('\n')}\n}`,
  )
  const text = `#include "api_checks.h"\n${parts.join('\n')}\nint main() { return stand_in::RunAll(); }\n`
  await writeFile(join(scratch, 'checks.cc'), text)
  const flags = [...languageFlags(compiler).filter((flag) => !flag.startsWith('-ferror-limit')), '-ferror-limit=0']
  const all = [
    ...flags,
    '-I',
    prebuilt.include,
    '-I',
    standIn,
    '-ftemplate-backtrace-limit=0',
    '-O0',
    ...args,
    'checks.cc',
  ]
  return (await runCommand(compiler.command, all, {cwd: scratch, timeoutSeconds: 300})).stderr
}

interface Outcome {
  /** By test and line, whether each expectation held. */
  held: Map<string, boolean>
  /** By test, the line of the call that broke a rule, and what the twin said of it. */
  broken: Map<string, {line: number; said: string}>
}

async function run(sources: readonly Source[], place: Place): Promise<Outcome> {
  const folder = dirname(place.prebuilt.library)
  const log = await compile(sources, place, [place.prebuilt.library, `-Wl,-rpath,${folder}`, '-o', 'checks.run'])
  if (/error: |undefined/.test(log)) throw new Error(`the tests of argument checks do not link: ${log.slice(0, 2000)}`)
  const {stdout} = await runCommand(join(place.scratch, 'checks.run'), [], {cwd: place.scratch, timeoutSeconds: 300})
  const held = new Map<string, boolean>()
  const broken: Outcome['broken'] = new Map()
  let [test, call] = ['', 0]
  for (const line of stdout.split('\n')) {
    const [kind, first = '', second] = line.split(' ')
    if (kind === 'B') test = first
    if (kind === 'K') call = Number(first)
    if (kind === 'V') broken.set(test, {line: call, said: line.slice(2)})
    if (kind === 'E') held.set(`${test} ${first}`, second === '1')
  }
  return {held, broken}
}
