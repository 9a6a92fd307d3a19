import {execFileSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import ts from 'typescript'
import {openCompiler} from './compile-check.ts'
import {importersOf, namedFiles, pathsIn, type Reaching} from './reach.ts'
import {warmTests} from './warm-tests.ts'

/** `compiler`: `tsc` refuses it; `test`: a test fails; `survived`: all that ran passed; `unreached`: none could run. */
export type Outcome = 'compiler' | 'test' | 'survived' | 'unreached'

export interface Effort {
  /** Test files at most, and seconds at most: what is not noticed within them counts as not noticed. */
  tests: number
  seconds: number
}

/** A copy of the working tree, in which faults are planted: the tree itself stays as it is. */
export interface Tree {
  root: string
  files: readonly string[]
  read(file: string): string
  write(file: string, text: string): void
  /** Asks the compiler, then the nearest tests that reach a file. */
  judge(file: string, effort: Effort): Promise<Outcome>
  /** After the fault is taken out again: whether one of the tests that noticed it passes without. */
  trusted(file: string): Promise<boolean>
  close(): void
}

/** Tests that hold the layout of the code, not what it does: any fault in the layout would count as noticed. */
const ofLayout = /architecture\.test\.ts$/

/** Stages that tests find in their fixtures, by path. */
const stageCases = {test: 'test/stages.test.ts', file: /^test\/fixtures\/stages\/.*\/stage\.json$/}

/** Copies what git knows of and what it does not ignore; packages are shared by a link. */
export function openTree(): Tree {
  const root = mkdtempSync(join(tmpdir(), 'planted-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {encoding: 'utf8', maxBuffer: 1 << 26})
  const files = listed.split('\n').filter((name) => name !== '' && name !== 'node_modules' && existsSync(name))
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), {recursive: true})
    cpSync(name, join(root, name))
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const imports = importsOf(files, read)
  const refused = openCompiler(root)
  const tests = warmTests(root)
  const [suspects, sound, broken] = [new Map<string, readonly string[]>(), new Set<string>(), new Set<string>()]
  return {
    root,
    files,
    read,
    write(file, text) {
      writeFileSync(join(root, file), text)
      writeBuilt(root, file, text)
    },
    async judge(file, effort) {
      const reaching = importersOf(file, imports).filter((one) => isTest(one.file) && !broken.has(one.file))
      suspects.delete(file)
      if (refused(file)) return 'compiler'
      const near = nearest(file, reaching, tests.secondsOf).slice(0, effort.tests)
      if (near.length === 0) return 'unreached'
      const failed = await tests.failing({changed: file, files: near}, effort.seconds)
      if (failed === undefined || failed.length === 0) return 'survived'
      suspects.set(file, failed)
      return 'test'
    },
    async trusted(file) {
      const suspected = suspects.get(file)?.filter((name) => !sound.has(name)) ?? []
      if (suspected.length === 0) return true
      const wrong = (await tests.failing({changed: file, files: suspected}, 600)) ?? suspected
      for (const name of suspected) (wrong.includes(name) ? broken : sound).add(name)
      return suspects.get(file)?.some((name) => sound.has(name)) ?? true
    },
    close: () => {
      tests.close()
      rmSync(root, {recursive: true, force: true})
    },
  }
}

/** Commands that tests start run the built package: the fault goes there as well, without a whole build. */
function writeBuilt(root: string, file: string, text: string): void {
  const built = join(root, 'dist', file.replace(/\.ts$/, '.js'))
  if (!existsSync(built)) return
  const compilerOptions = {...builtAs, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true}
  writeFileSync(built, file.endsWith('.ts') ? ts.transpileModule(text, {compilerOptions}).outputText : text)
}

const builtAs = {target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext}

function isTest(name: string): boolean {
  return name.endsWith('.test.ts') && !ofLayout.test(name)
}

function importsOf(files: readonly string[], read: (file: string) => string): Map<string, readonly string[]> {
  const sources = files.filter((name) => name.endsWith('.ts'))
  const imports = new Map<string, readonly string[]>()
  for (const name of sources) {
    const text = read(name)
    const paths = name.startsWith('test/') && !name.startsWith('test/bench/') ? pathsIn(text, sources) : []
    imports.set(name, [...namedFiles(name, text), ...paths])
  }
  const cases = files.filter((name) => stageCases.file.test(name)).flatMap((name) => pathsIn(read(name), sources))
  imports.set(stageCases.test, [...(imports.get(stageCases.test) ?? []), ...cases])
  return imports
}

/** The test of the same name first, then by the number of imports between; of equally near ones the quick first. */
function nearest(
  file: string,
  reaching: readonly Reaching[],
  secondsOf: (file: string) => number | undefined,
): string[] {
  const own = basename(file).replace(/\.ts$/, '.test.ts')
  const rank = ({file: name, steps}: Reaching) => (basename(name) === own ? 0 : steps)
  const seconds = ({file: name}: Reaching) => secondsOf(name) ?? usualSeconds
  return [...reaching].sort((a, b) => rank(a) - rank(b) || seconds(a) - seconds(b)).map((one) => one.file)
}

/** Of a test file that has not run yet. */
const usualSeconds = 3
