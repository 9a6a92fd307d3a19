import {existsSync} from 'node:fs'
import {readdir} from 'node:fs/promises'
import {basename, join, resolve} from 'node:path'
import {kernelName} from '../../cpp/op-def.ts'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {findFiles, readInput} from '../../engine/input-files.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {TaskFolder} from '../../datasets/schema/source-folder.ts'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {parseTestCases} from './test-cases.ts'

type Refuse = Context['drop']

/** Reads the tasks of a folder; broken rows and tasks are refused, one call each. */
export type LoadTasks = (folder: TaskFolder, refuse: Refuse) => Promise<OperatorTask[]>

/** Folder → one record per task, in the loader's order. */
export default function operatorTasks({load = loadTasks}: {load?: LoadTasks} = {}): Stage<TaskFolder, OperatorTask> {
  return {
    name: 'operator-tasks',
    version: 2,
    input: TaskFolder,
    output: OperatorTask,
    run: each((folder, context) => load(folder, (item, reason, detail) => context.drop(item, reason, detail))),
  }
}

/**
 * Reads every task below a folder, in path order. Broken rows and tasks are refused through `refuse`, one call each.
 * @throws PipelineError `input-missing` without the folder, `input-invalid` when it holds no task
 */
export async function loadTasks(folder: TaskFolder, refuse: Refuse): Promise<OperatorTask[]> {
  const places = await findTaskFolders(folder.root, refuse)
  const tasks: OperatorTask[] = []
  for (const place of places) {
    const task = await loadTask(folder, place, refuse)
    if (task) tasks.push(task)
  }
  return tasks
}

interface Place {
  /** Path of the task's folder; relative when the root is. */
  directory: string
  /** `level1/Math/Sqrt`, prefixed with `tasks/` if the root has it. */
  path: string
  level: number
  category: string
  name: string
}

async function findTaskFolders(root: string, refuse: Refuse): Promise<Place[]> {
  const entries = await readdir(root).catch((error: unknown) => {
    throw new PipelineError('input-missing', `No task folder at ${root}.`, {
      fix: 'Give a folder that contains level1/<Category>/<Operator>/, such as a benchmark checkout.',
      cause: error,
      evidence: {root},
      scope: 'record',
    })
  })
  const prefix = entries.includes('tasks') ? 'tasks/' : ''
  const places: Place[] = []
  for (const level of await folders(root, prefix, refuse)) {
    const number = /^level([1-3])$/.exec(level)?.[1]
    if (number === undefined) continue
    for (const category of await folders(root, join(prefix, level), refuse)) {
      for (const name of await folders(root, join(prefix, level, category), refuse)) {
        const path = `${prefix}${level}/${category}/${name}`
        places.push({directory: join(root, path), path, level: Number(number), category, name})
      }
    }
  }
  if (places.length > 0) return places
  throw new PipelineError(
    'input-invalid',
    `${root} holds no level<1-3>/<Category>/<Operator> folder; seen: ${entries.slice(0, 8).join(', ') || 'nothing'}.`,
    {
      fix: 'Give the folder that contains level1, level2 or level3, or a checkout with them below tasks/.',
      evidence: {root},
      scope: 'record',
    },
  )
}

async function folders(root: string, below: string, refuse: Refuse): Promise<string[]> {
  const entries = await readdir(join(root, below), {withFileTypes: true}).catch((error: unknown) => {
    if (!isSystemError(error, 'EACCES')) throw error
    refuse({root, path: below}, 'unreadable', `${below} cannot be listed (EACCES)`)
    return []
  })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function loadTask(folder: TaskFolder, place: Place, refuse: Refuse): Promise<OperatorTask | undefined> {
  const snake = kernelName(place.name)
  const paths = await filesOf(place.directory).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error
    refuse(place, 'task-unreadable', `${place.path}: ${error.message}`)
    return undefined
  })
  if (!paths) return undefined
  const host = templatePath(paths, 'op_host', snake)
  const kernel = templatePath(paths, 'op_kernel', snake)
  const reference = findReference(paths)
  const missing = ['api_desc.md', 'validation/test_cases.csv'].filter((path) => !paths.has(path))
  if (!host) missing.push(`question/op_host/${snake}.cpp`)
  if (!kernel) missing.push(`question/op_kernel/${snake}.cpp`)
  if (!reference) missing.push('validation/reference.ts or validation/module.py')
  if (missing.length > 0 || !host || !kernel || !reference) {
    refuse(place, 'task-incomplete', `${place.path} lacks ${missing.join(', ')}`)
    return undefined
  }
  try {
    const read = async (path: string) => ({
      path: path.replace(/^question\//, ''),
      text: await readText(place.directory, path),
    })
    const cases = readCases(await readText(place.directory, 'validation/test_cases.csv'), place, refuse)
    if (cases.length === 0) {
      refuse(place, 'no-usable-case', `${place.path}/validation/test_cases.csv has no row that can be used`)
      return undefined
    }
    const description = await readText(place.directory, 'api_desc.md')
    if (description.trim() === '') {
      refuse(place, 'task-incomplete', `${place.path}/api_desc.md is empty`)
      return undefined
    }
    return {
      origin: {
        repository: folder.repository ?? basename(resolve(folder.root)),
        revision: folder.revision ?? 'unversioned',
        path: place.path,
        licence: folder.licence ?? 'NOASSERTION',
      },
      name: place.name,
      level: place.level,
      category: place.category,
      description,
      cases,
      columns: Object.keys(cases[0]!),
      hostTemplate: await read(host),
      kernelTemplate: await read(kernel),
      reference: {kind: reference.kind, path: join(place.directory, reference.path)},
      answer: await readAnswer(folder, place, snake),
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    refuse(place, 'task-unreadable', `${place.path}: ${error.message}`)
    return undefined
  }
}

function readCases(text: string, place: Place, refuse: Refuse): OperatorTask['cases'] {
  try {
    const {cases, bad} = parseTestCases(text)
    for (const {line, cells, problem} of bad) {
      refuse(
        {task: place.path, line, cells},
        'case-malformed',
        `${place.path}/validation/test_cases.csv line ${line}: ${problem}`,
      )
    }
    return cases
  } catch (error) {
    // For the file as a whole; the caller then drops the task, so the row is the file.
    const problem = error instanceof Error ? error.message : String(error)
    refuse(
      {task: place.path, line: 1, cells: []},
      'case-malformed',
      `${place.path}/validation/test_cases.csv: ${problem}`,
    )
    return []
  }
}

/** `<snake>.cpp` by rule; with another spelling, the only source file is used. */
function templatePath(paths: ReadonlySet<string>, side: string, snake: string): string | undefined {
  const expected = `question/${side}/${snake}.cpp`
  if (paths.has(expected)) return expected
  const sources = [...paths].filter((path) => path.startsWith(`question/${side}/`) && path.endsWith('.cpp'))
  return sources.length === 1 ? sources[0] : undefined
}

function findReference(paths: ReadonlySet<string>): {kind: 'typescript' | 'pytorch'; path: string} | undefined {
  if (paths.has('validation/reference.ts')) return {kind: 'typescript', path: 'validation/reference.ts'}
  if (paths.has('validation/module.py')) return {kind: 'pytorch', path: 'validation/module.py'}
  return undefined
}

async function readAnswer(folder: TaskFolder, place: Place, snake: string): Promise<SourceFile[]> {
  const own = await readOperator(join(place.directory, 'answer/0'))
  if (own.length > 0 || folder.operators === undefined) return own
  return readOperator(join(folder.operators, snake))
}

/** The files below `op_host/` and `op_kernel/`; build files are not part of an answer. */
export async function readOperator(directory: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  if (!existsSync(directory)) return files
  for (const path of await filesOf(directory)) {
    if (!/^op_(host|kernel)\/.*\.(cpp|h|hpp|cc|inc)$/.test(path)) continue
    files.push({path, text: await readText(directory, path)})
  }
  return files
}

/**
 * Files of a task. Links are ignored.
 * @throws TypeError with the path of what cannot be listed
 */
async function filesOf(directory: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>()
  try {
    for await (const {path, refused} of findFiles(directory)) {
      if (refused?.reason === 'unreadable') throw new TypeError(`${path}: ${refused.detail}`)
      if (!refused) paths.add(path)
    }
  } catch (error) {
    const isForbidden = error instanceof PipelineError && isSystemError(error.cause, 'EACCES')
    throw isForbidden ? new TypeError(error.message, {cause: error}) : error
  }
  return paths
}

/** Size limit for one file of a task; the longest table of cases has a hundredth of it. */
const textBytes = 1 << 24

/** @throws TypeError with the path when the file cannot be read, or its bytes are not UTF-8 */
async function readText(directory: string, path: string): Promise<string> {
  const bytes = await readInput(join(directory, path), textBytes)
  if (!Buffer.isBuffer(bytes)) throw new TypeError(`${path}: ${bytes.detail}`)
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    throw new TypeError(`${path} is not UTF-8`)
  }
}
