import {readdir, readFile, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import pLimit from 'p-limit'
import {findCompilers, languageFlags} from '../../../eval/executors/toolchain.ts'
import type {Compiler} from '../../../eval/executors/toolchain.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import type {Place} from './tiling-ruler.ts'
import {errorsOf, testsOf, withoutTests} from './unit-tests.ts'

const standIn = fileURLToPath(new URL('stand-in/', import.meta.url))

/** One unit test, and why it does not compile; '' when it does. */
export interface CompiledTest {
  file: string
  test: string
  reason: string
}

/**
 * Unit tests of the basic API for Atlas A2, compiled with all that they instantiate against the twin's device headers.
 * A test that an error names is left out; an error outside of tests stands for all of its file.
 */
export async function compiledTests(checkout: string, place: Place): Promise<CompiledTest[]> {
  const root = join(checkout, 'tests/api/basic_api/ascendc_case_ascend910b1')
  const paths = (await readdir(root, {recursive: true})).filter((path) => path.endsWith('.cpp')).sort()
  // The vendor builds them with g++: they initialise arrays of a size that is known only when they run.
  const compiler = (await findCompilers()).find(({kind}) => kind === 'gcc') ?? place.compiler
  const own: Place = {...place, compiler}
  const limit = pLimit(2)
  const files = paths.map((path, at) =>
    limit(async () => ofFile(basename(path), await readFile(join(root, path), 'utf8'), at, own)),
  )
  return (await Promise.all(files)).flat()
}

async function ofFile(file: string, original: string, at: number, place: Place): Promise<CompiledTest[]> {
  const text = original.replace(/^\s*#\s*include.*$/gm, '').replace(/^\s*#\s*define\s+(private|protected)\s+.*$/gm, '')
  const tests = testsOf(text)
  const reasons = new Map<string, string>()
  const all = (reason: string) => tests.map(({name}) => ({file, test: name, reason: reasons.get(name) ?? reason}))
  for (let round = 0; round < 6; round += 1) {
    const left = tests.filter(({name}) => reasons.has(name))
    const found = errorsOf(await check(file, withoutTests(text, left), at, place))
    if (found.length === 0) return all('')
    const before = reasons.size
    for (const {message, places} of found) {
      const test = tests.find(({first, last}) => places.some(({line}) => line >= first && line <= last))
      if (test && !reasons.has(test.name)) reasons.set(test.name, message)
    }
    if (reasons.size === before) return all(found[0]!.message)
  }
  return all('errors remain after six rounds')
}

async function check(file: string, text: string, at: number, place: Place): Promise<string> {
  const {compiler, prebuilt, scratch} = place
  const path = `unit-${at}.cc`
  await writeFile(join(scratch, path), `#include "basic_tests.h"\n#line 1 "${file}"\n${text}`)
  const all = [
    ...allErrors(compiler),
    '-ftemplate-backtrace-limit=0',
    '-I',
    prebuilt.include,
    '-I',
    standIn,
    '-fsyntax-only',
    path,
  ]
  return (await runCommand(compiler.command, all, {cwd: scratch, timeoutSeconds: 120})).stderr
}

function allErrors(compiler: Compiler): string[] {
  const limit = compiler.kind === 'gcc' ? '-fmax-errors' : '-ferror-limit'
  return [...languageFlags(compiler).filter((flag) => !flag.startsWith(limit)), `${limit}=0`]
}
