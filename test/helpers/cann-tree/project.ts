import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {isAbsolute, join} from 'node:path'
import type {Program} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import {buildDirect} from '../../../eval/executors/direct-program.ts'
import {compileKernels} from '../../../eval/executors/direct-units.ts'
import twin, {twinTools} from '../../../eval/executors/twin.ts'

// `project build`, in a project of msopgen: a package that holds the operator's sources, its generated header and its
// library. `project direct …`: units that launch kernels themselves. `project run <folder>`: one launch, whose tensors
// lie in a folder. Marks in a kernel (`stand-in: …`) say what is to go wrong.

const home = process.env['ASCEND_HOME_PATH'] ?? ''
const {cache, compiler} = JSON.parse(readFileSync(join(home, 'stand-in.json'), 'utf8')) as Record<string, string>

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

const plainly = {sandbox: 'plain' as const, ...(compiler && {compiler})}
const openTwin = () =>
  twin({cacheDirectory: cache ?? '', workDirectory: join(process.env['TMPDIR'] ?? '', 'twin'), ...plainly})

async function build(): Promise<number> {
  const program = programIn('.')
  const mark = markIn(program)
  if (mark === 'hang build') spawnSync('sleep', ['1000'])
  const [, outside] = /stand-in: write outside (\S+)/.exec(textOf(program)) ?? []
  if (outside) spawnSync('touch', [outside])
  if (mark === 'break build') {
    process.stderr.write('CMake Error: the generator is not there\n')
    return 1
  }
  const built = await (await openTwin()).build(program)
  if (!built.ok) {
    const log = 'log' in built.verdict ? built.verdict.log : JSON.stringify(built.verdict)
    process.stderr.write(log.replaceAll(/^op_kernel\//gm, `${process.cwd()}/build_out/op_kernel/binary/src/`))
    return 1
  }
  await built.build.dispose()
  if (mark === 'build nothing') return 0
  pack(program)
  return 0
}

/** A package that installs itself where it is told to. */
function pack({operator, definition}: ReturnType<typeof programIn>): void {
  const api = 'build_out/op_api'
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
  const command = [join(api, 'opapi.cpp'), '-I', api, '-I', `${home}/include`, '-o', join(api, 'libcust_opapi.so')]
  const {plain} = JSON.parse(readFileSync(join(home, 'stand-in.json'), 'utf8')) as {plain: string[]}
  const [first = '', ...more] = plain
  const made = spawnSync(first, [...more, '-shared', '-fPIC', ...command], {encoding: 'utf8'})
  if (made.status !== 0) throw new Error(made.stderr)
  writeFileSync('build_out/custom_opp_linux_x86_64.run', installer(name))
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

/** @returns a code of the runtime; 0 when the outputs were written */
async function run(folder: string): Promise<number> {
  const vendor = process.env['ASCEND_CUSTOM_OPP_PATH'] ?? ''
  const {tensors, attributes} = JSON.parse(readFileSync(join(folder, 'call.json'), 'utf8')) as Launched
  const program = programIn(vendor, Object.fromEntries(tensors.map(({name, dtype}) => [name, dtype])))
  const {definition} = program
  const isOutput = (name: string) => definition.outputs.some((one) => one.name === name)
  const executor = await openTwin()
  const built = await executor.build(program)
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  const inputs = tensors.filter(({name}) => !isOutput(name))
  const outputs = tensors.filter(({name}) => isOutput(name))
  const execution = await executor.execute(built.build, {
    id: 'launch',
    attributes,
    inputs: inputs.map(({file, ...spec}) => ({...spec, data: new Uint8Array(readFileSync(join(folder, file)))})),
    outputs: outputs.map(({file: _, ...spec}) => spec),
  })
  await built.build.dispose()
  if (execution.outcome === 'ran') {
    for (const [index, {file}] of outputs.entries()) {
      writeFileSync(join(folder, file), execution.outputs[index] ?? new Uint8Array())
    }
    return 0
  }
  process.stderr.write(JSON.stringify(execution))
  return execution.outcome === 'launch-failed' ? 561002 : 507035
}

/** `project direct`: units with launches of their own, compiled by the twin, and linked where `-c` is not said. */
async function direct(args: readonly string[]): Promise<number> {
  const valuesOf = (flag: string) => args.flatMap((arg, at) => (args[at - 1] === flag ? [arg] : []))
  const isCode = (path: string) => /\.(?:cpp|asc|h)$/.test(path)
  const files = readdirSync('.', {recursive: true, encoding: 'utf8'})
    .filter(isCode)
    .map((path) => ({path, text: readFileSync(path, 'utf8')}))
  const include = valuesOf('-I').filter((one) => !isAbsolute(one))
  const definitions = args.flatMap((arg) => (arg.startsWith('-D') ? [arg.slice(2)] : []))
  const program = {files, units: args.filter((arg) => isCode(arg)), include, definitions}
  const place = mkdtempSync(join(process.cwd(), 'twin-'))
  const tools = await twinTools({cacheDirectory: cache ?? '', workDirectory: place, ...plainly})
  const end = args.includes('-c')
    ? await compileKernels(tools, {directory: place, library: 'kernels'}, program)
    : await buildDirect(tools, program)
  if (!end.ok) {
    process.stderr.write('log' in end.verdict ? end.verdict.log : JSON.stringify(end.verdict))
    return 1
  }
  if ('build' in end) cpSync(join(end.build.directory, 'twin-program'), valuesOf('-o')[0] ?? 'a.out')
  return 0
}

const [verb, folder = '.', ...more] = process.argv.slice(2)
if (verb === 'build') process.exitCode = await build()
else if (verb === 'direct') process.exitCode = await direct([folder, ...more])
else writeFileSync(join(folder, 'code'), String(await run(folder)))
