import {mkdtempSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, join, resolve} from 'node:path'
import {buildSync} from 'esbuild'

let folder: string | undefined
const built = new Map<string, string>()

/** Where packages are found as from here. */
function folderOfPrograms(): string {
  if (folder !== undefined) return folder
  const made = mkdtempSync(join(tmpdir(), 'programs-'))
  process.once('exit', () => rmSync(made, {recursive: true, force: true}))
  symlinkSync(resolve('node_modules'), join(made, 'node_modules'))
  return (folder = made)
}

/**
 * A program of the tests and our modules below it as one file that Node runs, made once in a process: to load them one
 * by one through `tsx` takes longer than most of what such programs do. Not for programs that read files beside a
 * module.
 */
export function programOf(path: string): string {
  const known = built.get(path)
  if (known !== undefined) return known
  const outfile = join(folderOfPrograms(), `${basename(path, '.ts')}.mjs`)
  buildSync({entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external'})
  built.set(path, outfile)
  return outfile
}
