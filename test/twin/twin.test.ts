import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import pLimit from 'p-limit'
import {afterAll, describe, expect, test} from 'vitest'
import {findCompilers, findFastLinker} from '../../eval/executors/toolchain.ts'
import {readSources} from '../../eval/executors/twin-sources.ts'
import {Violation} from '../../datasets/schema/verdict.ts'
import {textId} from '../../engine/ids.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {golden} from '../helpers/golden.ts'
import {guards} from './guards.ts'
import {keptBuild} from './kept-build.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const twin = fileURLToPath(new URL('../../eval/twin/', import.meta.url))
const device = join(twin, 'runtime/device')
const flags = ['-std=c++17', `-I${join(twin, 'include')}`]
const limit = pLimit(2)

const [compiler] = await findCompilers()
const scratch = mkdtempSync(join(tmpdir(), 'twin-test-'))
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

const shown = 'seen '
/** A program prints every violation behind it where `TWIN_SHOW` is set. */
const toldMark = '# '
const showing = {PATH: process.env['PATH'] ?? '', TWIN_SHOW: '1'}
const asJson = (entries: readonly (readonly [string, unknown])[]) =>
  `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`
const textOf = (path: string) => readFileSync(path, 'utf8')

async function compile(args: readonly string[], output: string): Promise<void> {
  const {command} = compiler!
  const {code, stderr} = await limit(() => runCommand(command, [...flags, ...args, '-o', output]))
  if (code !== 0) throw new Error(`${command} ${[...flags, ...args].join(' ')}\n${stderr}`)
}

/**
 * What `args` make, now or before, of the file `source` and of whatever else has a text among `others`. @param ahead
 * further arguments, for what `source` would read anyway
 */
function made(
  others: string,
  source: string,
  args: readonly string[],
  ahead = async (): Promise<string[]> => [],
): Promise<string> {
  const {command, version} = compiler!
  return keptBuild([command, version, ...flags, ...args, textOf(source), others], async (output) =>
    compile([...(await ahead()), ...args, source], output),
  )
}

const programFlags = ['-O0', '-pthread']
let header: Promise<string[]> | undefined
/** The headers of all programs, compiled when one of them has to be. */
function programHeader(): Promise<string[]> {
  const output = join(scratch, 'expect.pch')
  const args = [...programFlags, '-fpch-instantiate-templates', '-x', 'c++-header', join(here, 'expect.h')]
  return (header ??=
    compiler!.kind === 'clang' ? compile(args, output).then(() => ['-include-pch', output]) : Promise.resolve([]))
}

/**
 * Output lines of a test program, one per check; the violations among them whose values it shows; rule and message of
 * all; its exit code.
 */
interface Outcome {
  program: string
  lines: string[]
  seen: string[]
  told: [rule: string, message: string][]
  code: number | null
  stderr: string
}

/**
 * Every text that a file here may include: headers, and sources of the host side and of the runner, of which programs
 * include some. Those of the device side are compiled one by one.
 */
async function commonTexts(): Promise<string> {
  const ofTwin = (await readSources()).filter(({path}) => !/^runtime\/device\/.*\.cpp$/.test(path))
  const ofTests = readdirSync(here).filter((name) => name.endsWith('.h'))
  return textId(JSON.stringify([ofTwin, ofTests.map((name) => [name, textOf(join(here, name))])]))
}

async function build(): Promise<Outcome[]> {
  const common = await commonTexts()
  const sources = readdirSync(device).filter((name) => name.endsWith('.cpp'))
  const objects = await Promise.all(
    sources.map((name) => made(common, join(device, name), ['-O1', '-fPIC', ...guards(compiler!), '-c'])),
  )
  const fast = await findFastLinker(compiler!)
  const linker = fast ? [`-fuse-ld=${fast.name}`] : []
  const [first = '', ...rest] = objects
  // Linking the device side into each program took a fifth of the time.
  const library = await made('', first, ['-shared', ...linker, ...rest])
  const programs = readdirSync(here).filter((name) => name.endsWith('.test.cc'))
  return Promise.all(
    programs.map(async (name) => {
      // Objects and library lie under a hash of what they were made of, so their paths stand for their texts.
      const program = await made(common, join(here, name), [...programFlags, ...linker, library], programHeader)
      const {code, stdout, stderr} = await limit(() => runCommand(program, [], {timeoutSeconds: 60, env: showing}))
      const all = stdout.trimEnd().split('\n')
      const told = all
        .filter((line) => line.startsWith(toldMark))
        .map((line) => line.slice(toldMark.length).split(' | '))
        .map(([rule = '', , , message = '']): [string, string] => [rule, message])
      const seen = all.filter((line) => line.startsWith(shown)).map((line) => line.slice(shown.length))
      const lines = all.filter((line) => !line.startsWith(shown) && !line.startsWith(toldMark))
      return {program: name.slice(0, -'.test.cc'.length), lines, seen, told, code, stderr}
    }),
  )
}

const outcomes = compiler ? await build() : []

describe.skipIf(!compiler)('the device side of the twin', () => {
  for (const {program, lines, code, stderr} of outcomes) {
    describe(program, () => {
      for (const line of lines.slice(0, -1)) test(line.replace(/^(ok|not ok) /, ''), () => expect(line).toMatch(/^ok /))
      test('runs to its end', () => {
        expect(stderr).toBe('')
        expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/)
        expect(code).toBe(0)
      })
    })
  }
})

test.skipIf(!compiler)('violations hand over the values of their messages, by name', () => {
  const kinds = new Map<string, string>()
  for (const text of outcomes.flatMap(({seen}) => seen).reverse()) {
    const {situation, values} = Violation.parse(JSON.parse(text)).seen!
    kinds.set([situation, ...Object.keys(values)].join(), text)
  }
  // The texts of corrections are tested on them.
  golden('test/fixtures/violations.jsonl', `${[...kinds.values()].sort().join('\n')}\n`)
})

test.skipIf(!compiler)('each rule has a message, which the reference quotes', () => {
  const messages = new Map<string, string>()
  for (const [rule, message] of outcomes.flatMap(({told}) => told).sort((a, b) => b[1].length - a[1].length))
    messages.set(rule, message)
  golden('test/fixtures/rule-messages.json', asJson([...messages].sort()))
})

test.skipIf(!compiler)(
  'what the twin and the device lack is said in these messages, which the reference quotes',
  () => {
    const all = [...new Set(outcomes.flatMap(({told}) => told).map((one) => one.join('|')))].sort()
    const of = (rule: string) => all.flatMap((one) => (one.startsWith(`${rule}|`) ? [one.slice(rule.length + 1)] : []))
    golden(
      'test/fixtures/refused-interfaces.json',
      asJson(['not-covered', 'unsupported-api', 'unsupported-type'].map((rule) => [rule, of(rule)])),
    )
  },
)

async function diagnose(statement: string): Promise<string> {
  const file = join(scratch, `wrong-${statement.length}.cpp`)
  writeFileSync(
    file,
    `#include "kernel_operator.h"
using namespace AscendC;
void f(LocalTensor<int32_t> i, LocalTensor<float> f, LocalTensor<half> h, LocalTensor<bfloat16_t> b)
{ ${statement} }\n`,
  )
  const {stderr} = await runCommand(compiler!.command, [...flags, '-fsyntax-only', file])
  return stderr
}

describe.skipIf(!compiler)('what the device does not offer', () => {
  test.skipIf(compiler?.kind !== 'clang')("Add of two types is told as by the vendor's compiler", async () => {
    const text = await diagnose('Add(i, i, f, 1);')
    expect(text).toContain("no matching function for call to 'Add'")
    expect(text).toContain(
      "candidate template ignored: deduced conflicting types for parameter 'T' ('int' vs. 'float')",
    )
  })
  test.each([
    ['Div(i, i, i, 8);', 'Div on this device takes half and float'],
    ['Add(b, b, b, 16);', 'Add on this device takes int16_t, half, int32_t and float'],
    ['Cast(h, b, RoundMode::CAST_RINT, 16);', 'Cast on this device has no conversion between these two types'],
    ['PipeBarrier<PIPE_S>();', 'PipeBarrier<PIPE_S> is not allowed'],
  ])('%s does not compile', async (statement, message) => {
    expect(await diagnose(statement)).toContain(message)
  })
  test('the same with types that fit compiles', async () => {
    expect(await diagnose('Div(f, f, f, 8); Cast(f, b, RoundMode::CAST_NONE, 16);')).toBe('')
  })
})
