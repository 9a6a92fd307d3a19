import {execFileSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {runCommand} from '../../../engine/subprocess.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {importersOf, namedFiles} from './reach.ts'

/** A copy of the working tree, in which faults are planted: the tree itself stays as it is. */
export interface Tree {
  root: string
  files: readonly string[]
  read(file: string): string
  write(file: string, text: string): void
  /** Runs the `most` nearest tests that reach a file. */
  judge(file: string, most: number): Promise<'noted' | 'survived' | 'unreached'>
  /** After the fault is taken out again: whether one of the tests that noticed it passes without. */
  trusted(file: string): Promise<boolean>
  close(): void
}

/** Tests that hold the layout of the code, not what it does: any fault in the layout would count as noticed. */
const ofLayout = /architecture\.test\.ts$/

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
  const sources = files.filter((name) => name.endsWith('.ts'))
  const imports = new Map(sources.map((name) => [name, namedFiles(name, read(name))]))
  const [suspects, sound, broken] = [new Map<string, readonly string[]>(), new Set<string>(), new Set<string>()]
  return {
    root,
    files,
    read,
    write: (file, text) => writeFileSync(join(root, file), text),
    async judge(file, most) {
      const reaching = importersOf(file, imports).filter((name) => name.endsWith('.test.ts') && !ofLayout.test(name))
      const near = reaching.filter((name) => !broken.has(name)).slice(0, most)
      if (near.length === 0) return 'unreached'
      const failed = await failing(root, near)
      if (failed.length === 0) return 'survived'
      suspects.set(file, failed)
      return 'noted'
    },
    async trusted(file) {
      const suspected = suspects.get(file)?.filter((name) => !sound.has(name)) ?? []
      const wrong = suspected.length > 0 ? await failing(root, suspected) : []
      for (const name of suspected) (wrong.includes(name) ? broken : sound).add(name)
      return suspects.get(file)?.some((name) => sound.has(name)) ?? true
    },
    close: () => rmSync(root, {recursive: true, force: true}),
  }
}

/** The test files that fail; all of them where the run itself does not end, which a fault may cause too. */
async function failing(root: string, files: readonly string[]): Promise<readonly string[]> {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const env = {...process.env, TWIN_TEST_CACHE: testCache}
  const options = {cwd: root, env, timeoutSeconds: 600, maxOutputBytes: 1 << 24}
  const {code, stdout, stderr} = await runCommand(process.execPath, [program, 'run', '--bail', '1', ...files], options)
  if (code === 0) return []
  const told = `${stdout}${stderr}`
  const named = files.filter((name) => new RegExp(`FAIL\\S*\\s.*${name.replaceAll('.', '\\.')}`).test(told))
  return named.length > 0 ? named : files
}
