import {readdir, readFile, writeFile} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {runCommand} from '../../../engine/subprocess.ts'
import {languageFlags} from '../../../eval/executors/toolchain.ts'
import type {Place} from './tiling-ruler.ts'
import {testsOf} from './unit-tests.ts'

const standIn = fileURLToPath(new URL('stand-in/', import.meta.url))

/** A call that a test checks, as the twin had it. `rule` is empty when it was taken. */
export interface LegalityCall {
  interface: string
  /** In the order of the vendor's parameters; tensors by address, bytes and position. */
  parameters: string
  rule: string
  message: string
}

/** One test, or one row of its table. `equal` where every expectation held; none where its process ended before. */
export interface LegalityTest {
  name: string
  calls: LegalityCall[]
  equal: boolean | undefined
}

export interface LegalityRun {
  /** Tests of the whole checkout as written, and how many of them are the parameter checker's. */
  written: number
  checkers: number
  tests: LegalityTest[]
}

/** Tests of asc-tools' parameter checker, where a check is the call on the twin. Runs code of the checkout. */
export async function legalityTests(checkout: string, place: Place): Promise<LegalityRun> {
  const root = join(checkout, 'tests/ut/testcase')
  const paths = (await readdir(root, {recursive: true})).filter((path) => /\.(cpp|h)$/.test(path)).sort()
  const texts = await Promise.all(paths.map(async (path) => ({path, text: await readFile(join(root, path), 'utf8')})))
  const written = (some: typeof texts) => some.reduce((total, {text}) => total + testsOf(text).length, 0)
  const own = texts.filter(({path}) => path.startsWith('tikcpp_api_check/'))
  if (written(own) === 0) throw new Error(`${root}/tikcpp_api_check has no tests: expected a checkout of asc-tools`)
  const said = await run(own.sort(headersFirst), place)
  return {written: written(texts), checkers: written(own), tests: readTests(said)}
}

interface Source {
  path: string
  text: string
}

const headersFirst = (a: Source, b: Source) => Number(b.path.endsWith('.h')) - Number(a.path.endsWith('.h'))

async function run(sources: readonly Source[], {compiler, prebuilt, scratch}: Place): Promise<string> {
  const parts = sources.map(({path, text}) => `#line 1 "${basename(path)}"\n${withoutOpenings(text)}`)
  const main = 'int main() { return stand_in::RunAll(); }\n'
  await writeFile(join(scratch, 'legality.cc'), `#include "legality.h"\n${parts.join('\n')}\n${main}`)
  const include = ['-I', prebuilt.include, '-I', standIn]
  const link = [prebuilt.library, `-Wl,-rpath,${dirname(prebuilt.library)}`]
  const all = [...languageFlags(compiler), ...include, '-O0', 'legality.cc', ...link, '-o', 'legality.run']
  const {stderr} = await runCommand(compiler.command, all, {cwd: scratch, timeoutSeconds: 300})
  if (/error: |undefined/.test(stderr)) throw new Error(`the tests of legality do not build: ${stderr.slice(0, 2000)}`)
  return (await runCommand(join(scratch, 'legality.run'), [], {cwd: scratch, timeoutSeconds: 300})).stdout
}

/** Without includes, and without what opens private members of the vendor's classes. */
function withoutOpenings(text: string): string {
  return text.replace(/^\s*#\s*(include|define\s+(private|protected))\b.*$/gm, '')
}

/** What the program said, in lines: see `gtest.h` and `legality.h` of the stand-in. */
export function readTests(said: string): LegalityTest[] {
  const tests: LegalityTest[] = []
  let name = ''
  for (const line of said.split('\n')) {
    const [kind, rest] = [line.slice(0, 2), line.slice(2)]
    if (kind === 'B ') name = rest
    if (kind === 'B ') tests.push({name, calls: [], equal: undefined})
    const latest = tests.at(-1)
    if (kind === 'P ' && latest && rest === '0') latest.name = `${name}/0`
    else if (kind === 'P ') tests.push({name: `${name}/${rest}`, calls: [], equal: undefined})
    if (kind === 'K ' && latest) {
      const [called = '', parameters = '', rule = '', message = ''] = rest.split('\t')
      latest.calls.push({interface: called, parameters, rule, message})
    }
    if (kind === 'E ' && latest) latest.equal = (latest.equal ?? true) && rest.endsWith(' 1')
  }
  return tests
}
