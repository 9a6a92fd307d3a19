import {createHash} from 'node:crypto'
import {cp, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {Program} from '../../../datasets/schema/executor.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import {completeDtypes} from '../kernel-unit.ts'
import {parseDiagnostics} from '../diagnostics.ts'
import {writeFiles} from '../written-files.ts'
import {cannFailure, step, type CannTools} from './cann-tools.ts'

/** An operator that was built and installed, by folders below the work folder. */
export interface OperatorPackage {
  folder: string
  /** Absolute, where it was built: what ASCEND_CUSTOM_OPP_PATH names. */
  vendor: string
  definition: OperatorDefinition
}

type Packaged = {ok: true; made: OperatorPackage} | {ok: false; verdict: Verdict}

/** Makes packages; projects of the same shape are generated once. */
export type Packager = (program: Program, signal?: AbortSignal) => Promise<Packaged>

/** Each package is a project of `msopgen`, with the program's files replacing the generated ones. */
export function packager(tools: CannTools): Packager {
  const skeletons = new Map<string, Promise<string>>()
  const skeletonOf = (prototype: string, operator: string, signal?: AbortSignal) => {
    const key = createHash('sha256').update(prototype).digest('hex').slice(0, 16)
    const made = skeletons.get(key) ?? generate(tools, `skeleton-${key}`, {prototype, operator}, signal)
    skeletons.set(key, made)
    // One that failed is tried again with the next candidate.
    made.catch(() => skeletons.delete(key))
    return made
  }
  return async (program, signal) => {
    const refused = (log: string): Packaged => ({ok: false, verdict: refusal(tools, log)})
    const {operator, files, folder = ''} = program
    if (folder !== '') return {ok: false, verdict: notCovered(tools, 'operators inside a repository')}
    const definition = files
      .flatMap(({text}) => parseOperatorDefinitions(text))
      .find((one) => one.operator === operator)
    if (!definition) {
      return refused(`error: op_host/: no definition of ${operator}: expected \`class ${operator} : public OpDef\`\n`)
    }
    const skeleton = await skeletonOf(prototypeOf(definition, program.dtypes), operator, signal)
    const directory = await layOut(tools, skeleton, program)
    const end = await build(tools, directory, program, signal).catch(async (error: unknown) => {
      await discard(tools, directory)
      throw error
    })
    if (end) {
      await discard(tools, directory)
      return {ok: false, verdict: end}
    }
    const vendor = join(tools.shell.root, directory, 'opp/vendors/customize')
    return {ok: true, made: {folder: directory, vendor, definition}}
  }
}

/** The folder of a build is gone, here and there. */
export async function discard({shell, workDirectory}: CannTools, folder: string): Promise<void> {
  await shell.remove(folder)
  await rm(join(workDirectory, folder), {recursive: true, force: true})
}

export function refusal({identity}: CannTools, log: string): Verdict {
  return {outcome: 'compile-failed', diagnostics: parseDiagnostics(log), log, executor: identity}
}

export function notCovered({identity}: CannTools, what: string): Verdict {
  return {outcome: 'not-covered', missing: [what], executor: identity}
}

/** Types as the description of an operator names them, where it has a name of its own for one. */
const typeWords: Partial<Record<Dtype, string>> = {float16: 'fp16', float32: 'float', bfloat16: 'bf16'}

/** The description that `msopgen` reads; the answer's own op_host takes the place of what it makes of it. */
function prototypeOf(definition: OperatorDefinition, given: Program['dtypes']): string {
  const dtypes = completeDtypes(definition, given)
  const described = ({name, kind}: OperatorDefinition['inputs'][number]) => {
    const dtype = dtypes[name] ?? 'float32'
    return {name, param_type: kind, format: ['ND'], type: [typeWords[dtype] ?? dtype]}
  }
  const attr = definition.attributes.map(({name, type, required}) => ({
    name,
    param_type: required ? 'required' : 'optional',
    type: type.replace(/^List/, 'list_').toLowerCase(),
  }))
  const [inputs, outputs] = [definition.inputs.map(described), definition.outputs.map(described)]
  return JSON.stringify([{op: definition.operator, language: 'cpp', input_desc: inputs, output_desc: outputs, attr}])
}

/** @returns the folder of an empty project */
async function generate(
  tools: CannTools,
  folder: string,
  {prototype, operator}: {prototype: string; operator: string},
  signal?: AbortSignal,
): Promise<string> {
  const {shell, install, workDirectory, soc, seconds} = tools
  await writeFiles(join(workDirectory, folder), [{path: 'prototype.json', text: prototype}], ({text}) => text)
  await shell.put(folder)
  const described = [
    'gen',
    '-i',
    'prototype.json',
    '-c',
    `ai_core-${soc.toLowerCase()}`,
    '-lan',
    'cpp',
    '-out',
    'project',
  ]
  const end = await step(tools, [install.msopgen, ...described], {folder, seconds: seconds.build, signal})
  await shell.get(folder)
  const project = join(workDirectory, folder, 'project')
  const presets = await readFile(join(project, 'CMakePresets.json'), 'utf8').catch(() => undefined)
  if (end.code !== 0 || presets === undefined) throw cannFailure(`msopgen made no project of ${operator}: ${end.log}`)
  await writeFile(join(project, 'CMakePresets.json'), settled(presets, install.home))
  for (const side of ['op_host', 'op_kernel']) {
    const names = await readdir(join(project, side)).catch(() => [])
    for (const name of names.filter((one) => /\.(cpp|cc|h)$/.test(one))) await rm(join(project, side, name))
  }
  return join(folder, 'project')
}

/** Presets of 8.x name the toolkit's folder, by a path that need not be that of this one. */
function settled(presets: string, home: string): string {
  const parsed = JSON.parse(presets) as {configurePresets?: {cacheVariables?: Record<string, {value?: string}>}[]}
  for (const {cacheVariables} of parsed.configurePresets ?? []) {
    const path = cacheVariables?.['ASCEND_CANN_PACKAGE_PATH']
    if (path) path.value = home
  }
  return JSON.stringify(parsed, null, 2)
}

async function layOut({shell, workDirectory}: CannTools, skeleton: string, program: Program): Promise<string> {
  const directory = await mkdtemp(join(workDirectory, 'build-'))
  const folder = basename(directory)
  await cp(join(workDirectory, skeleton), directory, {recursive: true})
  await writeFiles(directory, program.files, ({text}) => text)
  await shell.put(folder)
  return folder
}

/** @returns why it was not built, of what the candidate is to blame for */
async function build(
  tools: CannTools,
  folder: string,
  {files}: Program,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const {seconds, shell, identity} = tools
  const asked = {folder, seconds: seconds.build, signal}
  const end = await step(tools, ['bash', 'build.sh'], asked)
  const plain = (log: string) => asWritten(log, join(shell.root, folder), files)
  if (end.timedOut) return refusal(tools, `${plain(end.log)}error: compilation ran past its time limit\n`)
  const install = 'set -- build_out/custom_opp_*.run; [ -f "$1" ] && bash "$1" --quiet --install-path="$PWD/opp"'
  const made = end.code === 0 ? await step(tools, ['bash', '-c', install], asked) : undefined
  if (made?.code === 0) return undefined
  const log = plain(`${end.log}${made?.log ?? ''}`)
  const own = new Set(files.map(({path}) => path))
  if (parseDiagnostics(log).some(({severity, file}) => severity === 'error' && own.has(file)))
    return refusal(tools, log)
  if (linkError.test(log)) return {outcome: 'link-failed', log, executor: identity}
  throw cannFailure(`build.sh ended with status ${end.code} and no word on the operator: ${log.trim().slice(-800)}`)
}

/** Places as the candidate has them: the generated scripts compile copies of a kernel's files. */
function asWritten(log: string, folder: string, files: Program['files']): string {
  const kernels = files.flatMap(({path}) => (path.startsWith('op_kernel/') ? [basename(path)] : []))
  return log
    .replaceAll(`${folder}/`, '')
    .replaceAll(/^build_out\/[\w./-]*\/([\w.-]+)(?=:\d)/gm, (whole, name: string) =>
      kernels.includes(name) ? `op_kernel/${name}` : whole,
    )
}

/** What linkers say of names, and what loading the host's library for its definitions says. */
export const linkError = /undefined (?:symbol|reference)|duplicate symbol|multiple definition/
