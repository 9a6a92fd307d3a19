import {existsSync} from 'node:fs'
import {register} from 'node:module'
import {resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import {isSystemError, PipelineError, type ErrorScope} from './errors.ts'
import {nodeStripsTypes, ownExtension, ownRoot} from './own-package.ts'

// Code files of a user: stages, recipes, references of tasks. Errors in them are for the user to fix.

/** The kind of file, for messages. */
interface Wanted {
  /** E.g. `stage file`. */
  what: string
  /** What to do when there is no such file. */
  fix: string
  /** Default `run`. */
  scope?: ErrorScope
}

/**
 * All exports of a file.
 * @param asked its path; a module is loaded once for each `?version` after it
 * @throws PipelineError `input-missing` without the file, `input-invalid` when it does not load
 */
export async function importOwn(asked: string, {what, fix, scope = 'run'}: Wanted): Promise<Record<string, unknown>> {
  const [, file = asked, version] = /^(.*)\?(\w+)$/.exec(asked) ?? []
  const evidence = {path: file}
  if (!existsSync(file)) {
    throw new PipelineError('input-missing', `There is no ${what} ${file}.`, {fix, scope, evidence})
  }
  try {
    return await load(resolve(file), version === undefined ? '' : `?${version}`)
  } catch (error) {
    if (error instanceof PipelineError) throw error
    const place = placeOf(error)
    const why = `${describeFault(error)}${place ? ` (${place})` : ''}`
    throw new PipelineError('input-invalid', `${file} cannot be loaded: ${why}`, {
      fix: adviceFor(error, file),
      scope,
      cause: error,
      evidence,
    })
  }
}

async function load(file: string, query: string): Promise<Record<string, unknown>> {
  // Bundled files are already compiled: Node strips no types below `node_modules`.
  const compiled = isOurs(file) ? file.replace(/\.ts$/, ownExtension) : file
  // When run from source, TypeScript is already loadable.
  if (compiled === file && ownExtension === '.js') await (readies ??= readOwnFiles())
  return (await import(`${pathToFileURL(compiled).href}${query}`)) as Record<string, unknown>
}

let readies: Promise<void> | undefined

/** Lets this process import TypeScript, and `ascend-cot/…` from any folder. */
async function readOwnFiles(): Promise<void> {
  if (!nodeStripsTypes) (await import('tsx/esm/api')).register()
  register('./own-files.js', import.meta.url)
}

/**
 * What a user's code threw, in one line, with the place if it is known.
 * @param asked the file that the user named, where that is known; default the one that threw
 */
export function ownFault(asked: string | undefined, error: unknown): PipelineError {
  if (error instanceof PipelineError) return error
  const place = placeOf(error)
  const file = asked ?? place?.replace(/ line \d+$/, '') ?? 'one of your files'
  return new PipelineError('input-invalid', `${place ?? file} threw: ${describeFault(error)}`, {
    fix: adviceFor(error, file),
    cause: error,
    evidence: {path: file},
  })
}

/** Whether the innermost frame of the error, libraries aside, is outside this package. */
export function isOwnFault(error: unknown): boolean {
  return !(error instanceof PipelineError) && placeOf(error) !== undefined
}

const ourFolders = ['engine', 'cpp', 'pipelines', 'datasets', 'sources', 'eval', 'trainers'].map(
  (folder) => `${ownRoot}${folder}/`,
)
const isOurs = (path: string) => ourFolders.some((folder) => path.startsWith(folder))

function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const stack = error.stack ?? ''
  // For a file that does not parse, Node prints the place before the error; its frames are Node's own.
  const [, file, at] = /^(?:file:\/\/)?(\/[^\n:]+\.[cm]?[jt]s):(\d+)\n/.exec(stack) ?? []
  if (file !== undefined && !isOurs(file)) return `${file} line ${at}`
  const frames = [...stack.matchAll(/^ +at (?:.*[ (])?((?:file:\/\/)?\/[^():?]+)(?:\?[^:]*)?:(\d+):\d+\)?$/gm)]
  const first = frames
    .map(([, path = '', line]) => ({path: path.replace(/^file:\/\//, ''), line}))
    // When installed, this package is below `node_modules` as well.
    .find(({path}) => isOurs(path) || !path.includes('/node_modules/'))
  if (!first || isOurs(first.path)) return undefined
  return `${first.path} line ${first.line}`
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // esbuild's heading carries no information; the place and the error come after it.
  const heading = /^Transform failed with \d+ errors?:\s*/
  const text = error.message.replace(heading, '').replace(/ imported from \S*own-files\.[jt]s/, '')
  const [first = ''] = text.split('\n')
  return /^(Error|TransformError)$/.test(error.name) ? first : `${error.name}: ${first}`
}

const entries = ['stage', 'pipeline', 'recipe', 'reference', 'schema/…']
const lent = entries.map((name) => `\`ascend-cot/${name}\``).join(', ')

function adviceFor(error: unknown, file: string): string {
  const undefinedName = error instanceof ReferenceError ? /^(\S+) is not defined/.exec(error.message)?.[1] : undefined
  if (undefinedName) return `Import ${undefinedName}, or define it. Your files can import ${lent} from any folder.`
  if (isSystemError(error, 'ERR_MODULE_NOT_FOUND') || isSystemError(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED')) {
    return `Fix the import, or install the package next to the file. Your files can import ${lent} from any folder.`
  }
  if (isSystemError(error, 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')) {
    const means = 'objects for enums, modules for namespaces, fields for parameter properties'
    return `Node.js strips types but transforms nothing: write ${means} (\`erasableSyntaxOnly\` finds them).`
  }
  if (isSystemError(error, 'ERR_REQUIRE_CYCLE_MODULE') || isSystemError(error, 'ERR_REQUIRE_ASYNC_MODULE')) {
    return `Make it an ES module: rename it to ${file.replace(/\.[cm]?[jt]s$/, '.mts')}.`
  }
  return `Fix ${file}.`
}
