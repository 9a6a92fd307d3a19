import {existsSync, readdirSync, statSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {basename, join, resolve} from 'node:path'
import {CraftDesign} from '../../datasets/schema/crafted-operator.ts'
import type {TaskCase} from '../../datasets/schema/task.ts'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {contentId} from '../../engine/ids.ts'
import {parseTestCases} from '../../eval/tasks/test-cases.ts'
import {casesText} from '../ascendcraft/factory/craft-cases.ts'
import {referenceText} from '../ascendcraft/factory/craft-reference.ts'

/** Files of a task that a program is written for; the factory writes its tasks with the same names. */
export const programFiles = {
  program: 'program.py',
  reference: 'validation/reference.ts',
  /** A module of PyTorch, where there is no other reference. */
  module: 'validation/module.py',
  cases: 'validation/test_cases.csv',
} as const

/** What of a folder is looked at. */
export interface ProgramFolder {
  /** CamelCase. */
  name: string
  description: string
  program: string
  /** Absolute path; of TypeScript with a version after `?`: a module is loaded again only under another name. */
  reference: {kind: 'typescript' | 'pytorch'; path: string; version: string}
  cases: TaskCase[]
  /** Rows that cannot be used, with their lines. */
  badRows: {line: number; problem: string}[]
}

/** `my_softmax` and `MySoftmax` are both `MySoftmax`. */
export function operatorOf(folder: string): string {
  const words = basename(resolve(folder)).split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(name) ? name : `Operator${name}`
}

/**
 * Reads a folder with a program and its task.
 * @throws PipelineError `input-missing`, `input-invalid` with what is missing or cannot be read
 */
export async function readProgramFolder(folder: string): Promise<ProgramFolder> {
  // One after another: of several missing files the first is named.
  const program = await readPart(folder, programFiles.program)
  const kind = isTorch(folder) ? 'pytorch' : 'typescript'
  const path = kind === 'pytorch' ? programFiles.module : programFiles.reference
  const version = contentId(await readPart(folder, path)).slice(0, 12)
  const table = await readPart(folder, programFiles.cases)
  const {cases, bad} = readTable(join(folder, programFiles.cases), table)
  if (cases.length === 0)
    throw new PipelineError('input-invalid', `${join(folder, programFiles.cases)} has no row that can be used.`, {
      fix: 'Write a header that starts with case_id and one row for each call, with `;` between cells.',
    })
  const absolute = resolve(folder, path)
  const reference = {kind, version, path: kind === 'pytorch' ? absolute : `${absolute}?${version}`} as const
  const name = operatorOf(folder)
  const description = existsSync(join(folder, 'api_desc.md')) ? await readPart(folder, 'api_desc.md') : ''
  return {name, description: description.trim() || name, program, reference, cases, badRows: bad}
}

/** Whether a module of PyTorch says what is right: where both are there, the other needs no Python. */
const isTorch = (folder: string) =>
  existsSync(join(folder, programFiles.module)) && !existsSync(join(folder, programFiles.reference))

async function readPart(folder: string, path: string): Promise<string> {
  try {
    return (await readFile(join(folder, path), 'utf8')).replaceAll('\r\n', '\n')
  } catch (cause) {
    if (!isSystemError(cause, 'ENOENT') && !isSystemError(cause, 'ENOTDIR')) throw cause
    throw new PipelineError('input-missing', `There is no ${join(folder, path)}.`, {
      fix: 'Restore it, or start with `ascend-cot craft new <folder>`.',
      evidence: {path: join(folder, path)},
      cause,
    })
  }
}

function readTable(path: string, text: string): ReturnType<typeof parseTestCases> {
  try {
    return parseTestCases(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new PipelineError('input-invalid', `${path}: ${cause.message}.`, {fix: 'Correct its first line.', cause})
  }
}

/** What `craft new` starts with: the task of a program of the library. */
const first = {
  program: new URL('../ascendcraft/library/examples/activation/mish.py', import.meta.url),
  design: CraftDesign.parse({
    ...{name: 'Mish', category: 'activation', form: 'elements', attributes: [], stages: [], compute: 'float32'},
    inputs: [{name: 'x', layout: 'full', type: 'float32', domain: [-4, 4]}],
    outputs: [
      {name: 'y', layout: 'full', type: 'float32', value: ['mul', 'x', ['tanh', ['log', ['add', ['exp', 'x'], 1]]]]},
    ],
    ...{strategy: 'runs', depth: 2},
  }),
  cases: ['[1, 7]', '[17, 33]', '[48, 1024]', '[97, 3001]'].map((shape, at) => ({case_id: String(at), shape})),
}

const programText = () => readFile(first.program, 'utf8')

/**
 * Writes a folder with a program that is right, to be changed. Returns the paths of its files.
 * @throws PipelineError `config-invalid` if the folder is not empty
 */
export async function writeProgramFolder(folder: string): Promise<string[]> {
  return writeFolder(folder, {
    [programFiles.program]: await programText(),
    [programFiles.reference]: referenceText(first.design, 0),
    [programFiles.cases]: casesText(first.cases),
  })
}

/** A task whose module says what is right. */
interface ModuleTask {
  /** Its text. */
  module: string
  rows: TaskCase[]
  /** Shapes and types of its first call, one per line. */
  shapes: string
  /** Default: an example of the language, to be changed into the module's operator. */
  program?: string
}

/**
 * The same for a module. Returns the paths of its files.
 * @throws PipelineError `config-invalid` if the folder is not empty
 */
export async function writeModuleFolder(
  folder: string,
  {module, rows, shapes, program}: ModuleTask,
): Promise<string[]> {
  const about = [
    'An example of the language. The operator of validation/module.py has these tensors in its first call:',
  ]
  const comment = [...about, ...shapes.split('\n').map((line) => `  ${line}`)].map((line) => `# ${line}\n`).join('')
  return writeFolder(folder, {
    [programFiles.program]: program ?? `${comment}#\n${await programText()}`,
    [programFiles.module]: module,
    [programFiles.cases]: casesText(rows),
  })
}

async function writeFolder(folder: string, texts: Readonly<Record<string, string>>): Promise<string[]> {
  checkEmpty(folder)
  for (const [path, text] of Object.entries(texts)) await writeWhole(join(folder, path), text)
  return Object.keys(texts).map((path) => join(folder, path))
}

/** @throws PipelineError `config-invalid` if there is something in the folder, or no folder can be there */
export function checkEmpty(folder: string): void {
  const isFolder = statSync(folder, {throwIfNoEntry: false})?.isDirectory()
  if (isFolder === false || (isFolder && readdirSync(folder).length > 0))
    throw new PipelineError('config-invalid', `${folder} is not an empty folder.`, {fix: 'Name another folder.'})
}
