import {execFile} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {createServer, type Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {dirname, isAbsolute, join, resolve} from 'node:path'
import {promisify} from 'node:util'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../cpp/op-def.ts'
import {buildDirect} from './direct-program.ts'
import {compileKernels} from '../../eval/executors/direct-units.ts'
import {twinTools} from '../../eval/executors/twin.ts'
import {realExecutor, testCompiler} from './real-executor.ts'
import {testCache, twinCache} from './test-cache.ts'

// `project build`, in a project of msopgen: a package that holds the operator's sources, its generated header and its
// library. `project program …`: C++ that is linked with such a package. `project direct …`: units that launch kernels
// themselves. `project run <folder>`: one launch, whose tensors lie in a folder. Marks in a kernel (`stand-in: …`) say
// what is to go wrong.

/** A command of the stand-in: where its toolkit and its operators lie, and where it was started. */
interface Asked {
  home: string
  vendor: string
  folder: string
  args: string[]
}

/** `before`: what the command runs itself. */
interface Answer {
  status: number
  log: string
  before?: string[][]
}

const good: Answer = {status: 0, log: ''}

let listening: Promise<string> | undefined

/** The socket at which commands of the stand-in ask this process, whose twin is open already. */
export function projectSocket(): Promise<string> {
  return (listening ??= new Promise((resolve, reject) => {
    const path = join(mkdtempSync(join(workFolder(), 'asked-')), 'socket')
    const server = createServer({allowHalfOpen: true}, (socket) => void converse(socket))
    server.on('error', reject).listen(path, () => resolve(path))
    server.unref()
  }))
}

function workFolder(): string {
  const folder = join(tmpdir(), 'work', String(process.pid))
  mkdirSync(folder, {recursive: true})
  return folder
}

async function converse(socket: Socket): Promise<void> {
  // A command that was ended for its time hears no answer.
  socket.on('error', () => undefined)
  const [line] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
  const answer = await answerTo(JSON.parse(line) as Asked).catch((error: unknown) => ({status: 1, log: String(error)}))
  socket.end(JSON.stringify(answer))
}

function answerTo(asked: Asked): Promise<Answer> {
  const [verb, ...args] = asked.args
  if (verb === 'build') return build(asked)
  if (verb === 'program') return program(asked, args)
  return verb === 'direct' ? direct(asked, args) : run(asked, args[0] ?? '.')
}

/** Compiles what is the same in many tests once for all of them. @param texts all that shapes the output */
export async function compiledOnce(output: string, texts: readonly string[], command: readonly string[]) {
  const [compiler = '', ...flags] = [...command, '-O2']
  const kept = join(testCache, 'stand-in', createHash('sha256').update(texts.join('\0')).digest('hex'))
  if (!existsSync(kept)) {
    mkdirSync(join(testCache, 'stand-in'), {recursive: true})
    const made = join(mkdtempSync(`${kept}-`), 'made')
    await promisify(execFile)(compiler, [...flags, '-o', made])
    renameSync(made, kept)
    rmSync(dirname(made), {recursive: true})
  }
  copyFileSync(kept, output)
}

/** The texts of a folder, by name. */
export const textsIn = (folder: string): string[] =>
  readdirSync(folder, {withFileTypes: true, recursive: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`)
    .sort()

async function program({home, folder}: Asked, args: readonly string[]): Promise<Answer> {
  const folders = args.flatMap((arg, at) => (args[at - 1] === '-I' ? [resolve(folder, arg)] : []))
  const output = args.indexOf('-o')
  const flags = args.filter((_, at) => at !== output && at !== output + 1)
  const {plain} = settingsOf(home)
  const linked = args.filter((arg) => arg.startsWith('-l'))
  const command = [...plain, ...flags.map((arg) => (arg.endsWith('.cpp') ? join(folder, arg) : arg))]
  const inPlace = command.map((arg, at) => (/^-[IL]$/.test(command[at - 1] ?? '') ? resolve(folder, arg) : arg))
  const texts = [...plain, ...linked, ...folders.flatMap(textsIn)]
  await compiledOnce(join(folder, args[output + 1] ?? 'a.out'), texts, inPlace)
  return good
}

const settingsOf = (home: string) => JSON.parse(readFileSync(join(home, 'stand-in.json'), 'utf8')) as {plain: string[]}

function programIn(folder: string, dtypes: Program['dtypes'] = {}): Program & {definition: OperatorDefinition} {
  const files = ['op_host', 'op_kernel'].flatMap((side) =>
    readdirSync(join(folder, side))
      .filter((name) => /\.(cpp|h)$/.test(name))
      .map((name) => ({path: `${side}/${name}`, text: readFileSync(join(folder, side, name), 'utf8')})),
  )
  const [definition] = files.flatMap(({text}) => parseOperatorDefinitions(text))
  if (!definition) throw new Error('no definition')
  return {operator: definition.operator, files, dtypes, definition}
}

const textOf = ({files}: Program) => files.map(({text}) => text).join('\n')
const markIn = (program: Program) => /stand-in: ([\w ]+)/.exec(textOf(program))?.[1] ?? ''

async function build({home, folder}: Asked): Promise<Answer> {
  const program = programIn(folder)
  const mark = markIn(program)
  if (mark === 'hang build') return {...good, before: [['sleep', '1000']]}
  const [, outside] = /stand-in: write outside (\S+)/.exec(textOf(program)) ?? []
  const before = outside ? [['touch', outside]] : []
  if (mark === 'break build') return {status: 1, log: 'CMake Error: the generator is not there\n', before}
  const built = await (await realExecutor()).build(program)
  if (!built.ok) {
    const log = 'log' in built.verdict ? built.verdict.log : JSON.stringify(built.verdict)
    const sources = `${folder}/build_out/op_kernel/binary/src/`
    return {status: 1, log: log.replaceAll(/^op_kernel\//gm, sources), before}
  }
  await built.build.dispose()
  if (mark !== 'build nothing') await pack(program, {home, folder})
  return {...good, before}
}

/** A package that installs itself where it is told to. */
async function pack(
  {operator, definition}: ReturnType<typeof programIn>,
  {home, folder}: Pick<Asked, 'home' | 'folder'>,
): Promise<void> {
  const api = join(folder, 'build_out/op_api')
  mkdirSync(api, {recursive: true})
  const declared = parametersOf(definition).join(', ')
  const [ask, start] = [`aclnnStatus aclnn${operator}GetWorkspaceSize`, `aclnnStatus aclnn${operator}`]
  const rest = 'uint64_t* workspaceSize, aclOpExecutor** executor'
  const call = 'void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream'
  const name = `aclnn_${kernelName(operator)}.h`
  const head = ['#pragma once', '#include "aclnn/acl_meta.h"', 'extern "C" {', `${ask}(${declared}, ${rest});`]
  writeFileSync(join(api, name), [...head, `${start}(${call});`, '}', ''].join('\n'))
  const names = [...definition.inputs, ...definition.attributes, ...definition.outputs].map((one) => one.name)
  writeFileSync(
    join(api, 'opapi.cpp'),
    [
      `#include "${name}"`,
      '#include "stand_in.h"',
      `aclnnStatus aclnn${operator}GetWorkspaceSize(${declared}, ${rest}) {`,
      '  StandInCall* call = StandInOpen();',
      ...names.map((one) => `  StandInAdd(call, "${one}", ${one});`),
      '  return StandInPlan(call, workspaceSize, executor);',
      '}',
      `${start}(${call}) { return StandInLaunch(executor, stream); }`,
      '',
    ].join('\n'),
  )
  const {plain} = settingsOf(home)
  const command = [...plain, '-shared', '-fPIC', join(api, 'opapi.cpp'), '-I', api, '-I', `${home}/include`]
  const texts = [...plain, ...textsIn(api), ...textsIn(join(home, 'include'))]
  await compiledOnce(join(api, 'libcust_opapi.so'), texts, command)
  writeFileSync(join(folder, 'build_out/custom_opp_linux_x86_64.run'), installer(name))
}

function installer(header: string): string {
  return `#!/bin/sh
for arg in "$@"; do case "$arg" in --install-path=*) place="\${arg#--install-path=}";; esac; done
[ -n "$place" ] || place="$ASCEND_OPP_PATH"
made="$(cd "$(dirname "$0")" && pwd)"
mkdir -p "$place/vendors/customize/op_api/include" "$place/vendors/customize/op_api/lib"
cp "$made/op_api/${header}" "$place/vendors/customize/op_api/include/"
cp "$made/op_api/libcust_opapi.so" "$place/vendors/customize/op_api/lib/"
cp -r "$made/../op_host" "$made/../op_kernel" "$place/vendors/customize/"
`
}

const attributeTypes: Record<string, string> = {
  Int: 'int64_t',
  Float: 'double',
  Bool: 'bool',
  String: 'char*',
  ListInt: 'const aclIntArray*',
  ListFloat: 'const aclFloatArray*',
  ListBool: 'const aclBoolArray*',
}

function parametersOf({inputs, attributes, outputs}: OperatorDefinition): string[] {
  return [
    ...inputs.map(({name}) => `const aclTensor* ${name}`),
    ...attributes.map(({name, type}) => `${attributeTypes[type]} ${name}`),
    ...outputs.map(({name}) => `const aclTensor* ${name}`),
  ]
}

interface Launched {
  tensors: {name: string; dtype: Program['dtypes'][string]; shape: number[]; file: string}[]
  attributes: OperatorCase['attributes']
}

/** Leaves a code of the runtime beside the tensors; 0 when the outputs were written. */
async function run({vendor, folder}: Asked, launch: string): Promise<Answer> {
  const place = join(folder, launch)
  const {tensors, attributes} = JSON.parse(readFileSync(join(place, 'call.json'), 'utf8')) as Launched
  const program = programIn(vendor, Object.fromEntries(tensors.map(({name, dtype}) => [name, dtype])))
  const {definition} = program
  const isOutput = (name: string) => definition.outputs.some((one) => one.name === name)
  const executor = await realExecutor()
  const built = await executor.build(program)
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  const inputs = tensors.filter(({name}) => !isOutput(name))
  const outputs = tensors.filter(({name}) => isOutput(name))
  const execution = await executor.execute(built.build, {
    id: 'launch',
    attributes,
    inputs: inputs.map(({file, ...spec}) => ({...spec, data: new Uint8Array(readFileSync(join(place, file)))})),
    outputs: outputs.map(({file: _, ...spec}) => spec),
  })
  await built.build.dispose()
  const end = (code: number) => writeFileSync(join(place, 'code'), String(code))
  if (execution.outcome !== 'ran') {
    end(execution.outcome === 'launch-failed' ? 561002 : 507035)
    return {...good, log: JSON.stringify(execution)}
  }
  for (const [index, {file}] of outputs.entries()) {
    writeFileSync(join(place, file), execution.outputs[index] ?? new Uint8Array())
  }
  end(0)
  return good
}

let plainTools: ReturnType<typeof twinTools> | undefined

/** `project direct`: units with launches of their own, compiled by the twin, and linked where `-c` is not said. */
async function direct({folder}: Asked, args: readonly string[]): Promise<Answer> {
  const valuesOf = (flag: string) => args.flatMap((arg, at) => (args[at - 1] === flag ? [arg] : []))
  const isCode = (path: string) => /\.(?:cpp|asc|h)$/.test(path)
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(isCode)
    .map((path) => ({path, text: readFileSync(join(folder, path), 'utf8')}))
  const include = valuesOf('-I').filter((one) => !isAbsolute(one))
  const definitions = args.flatMap((arg) => (arg.startsWith('-D') ? [arg.slice(2)] : []))
  const program = {files, units: args.filter((arg) => isCode(arg)), include, definitions}
  const place = mkdtempSync(join(folder, 'twin-'))
  const given = {cacheDirectory: twinCache, workDirectory: workFolder(), sandbox: 'plain' as const, ...testCompiler}
  const tools = {...(await (plainTools ??= twinTools(given))), workDirectory: place}
  const end = args.includes('-c')
    ? await compileKernels(tools, {directory: place, library: 'kernels'}, program)
    : await buildDirect(tools, program)
  if (!end.ok) return {status: 1, log: 'log' in end.verdict ? end.verdict.log : JSON.stringify(end.verdict)}
  if ('build' in end) {
    cpSync(join(end.build.directory, 'twin-program'), join(folder, valuesOf('-o')[0] ?? 'a.out'))
  }
  return good
}
