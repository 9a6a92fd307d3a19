import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import pLimit from 'p-limit'
import {afterAll, describe, expect, test} from 'vitest'
import {findCompilers, findFastLinker} from '../../eval/executors/toolchain.ts'
import {readSources} from '../../eval/executors/twin-sources.ts'
import {textId} from '../../engine/ids.ts'
import {runCommand} from '../../engine/subprocess.ts'
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

async function compile(args: readonly string[]): Promise<void> {
  const {code, stderr} = await limit(() => runCommand(compiler!.command, [...flags, ...args]))
  if (code !== 0) throw new Error(`${compiler!.command} ${args.join(' ')}\n${stderr}`)
}

/** Output lines of a test program, one per check, and its exit code. */
interface Outcome {
  program: string
  lines: string[]
  code: number | null
  stderr: string
}

const textOf = (path: string) => readFileSync(path, 'utf8')

/** The compiler, and every text that one of the files here may include. */
async function commonParts(): Promise<string[]> {
  const ofTwin = (await readSources()).filter(({path}) => !path.endsWith('.cpp')).map(({path, text}) => [path, text])
  const ofTests = readdirSync(here).filter((name) => name.endsWith('.h'))
  const texts = [...ofTwin, ...ofTests.map((name) => [name, textOf(join(here, name))])]
  return [compiler!.command, compiler!.version, textId(JSON.stringify(texts))]
}

async function build(): Promise<Outcome[]> {
  const common = await commonParts()
  const optimised = ['-O1', '-fPIC', ...guards(compiler!)]
  const object = (name: string) => {
    const source = join(device, name)
    const make = (output: string) => compile([...optimised, '-c', source, '-o', output])
    return keptBuild([...common, ...optimised, name, textOf(source)], make)
  }
  const objects = await Promise.all(
    readdirSync(device)
      .filter((name) => name.endsWith('.cpp'))
      .map(object),
  )
  const fast = await findFastLinker(compiler!)
  const linker = fast ? [`-fuse-ld=${fast.name}`] : []
  // Linking the device side into each program took a fifth of the time.
  const library = await keptBuild(['library', ...linker, ...objects], (output) =>
    compile(['-shared', ...linker, ...objects, '-o', output]),
  )
  /** The library is named by the place where it is kept. */
  async function run(program: string): Promise<Outcome> {
    const source = join(here, `${program}.test.cc`)
    const make = (output: string) => compile(['-O0', '-pthread', source, ...linker, library, '-o', output])
    const out = await keptBuild([...common, ...linker, library, program, textOf(source)], make)
    const {code, stdout, stderr} = await limit(() => runCommand(out, [], {timeoutSeconds: 60}))
    return {program, lines: stdout.trimEnd().split('\n'), code, stderr}
  }
  const programs = readdirSync(here).flatMap((name) =>
    name.endsWith('.test.cc') ? [name.slice(0, -'.test.cc'.length)] : [],
  )
  return Promise.all(programs.map(run))
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
