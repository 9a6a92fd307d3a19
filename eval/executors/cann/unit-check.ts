import {mkdtemp} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {ProgramSide, Unit} from '../../../datasets/schema/executor.ts'
import {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {DirectUnits} from '../direct-units.ts'
import {preamble} from '../kernel-unit.ts'
import {compileFault} from '../tool-fault.ts'
import {tilingText} from '../tiling-def.ts'
import {writeFiles} from '../written-files.ts'
import {cannFailure, step, type CannTools} from './cann-tools.ts'
import {discard, notCovered, refusal, type Packager} from './operator-package.ts'

/**
 * The device compiler's command for a file of Ascend C: `-x asc` and `--npu-arch` (asc-devkit, programming guide,
 * "AI Core operator compilation"); 2201 is the architecture of all chips that are judged for.
 */
const kernelFlags = ['-x', 'asc', '-c', '--npu-arch=dav-2201', '-std=c++17', '-O2']
/** Host files are plain C++ against the headers of the toolkit (same page). */
const hostFlags = ['-x', 'c++', '-c', '-std=c++17']

/** What a project's build generates for the kernel, for a unit that has none: enough to be read, never run. */
const tilingMacros = `
#ifndef GET_TILING_DATA
#define GET_TILING_DATA(tiling_data, tiling_arg) TwinDefaultTiling tiling_data{}
#endif
#ifndef GET_TILING_DATA_WITH_STRUCT
#define GET_TILING_DATA_WITH_STRUCT(structure, tiling_data, tiling_arg) structure tiling_data{}
#endif
#ifndef TILING_KEY_IS
#define TILING_KEY_IS(key) ((key) == 0)
#endif
`

/** Compiles one unit, or one side of a program, and keeps none of its output. */
export async function checkUnit(
  tools: CannTools,
  packaged: Packager,
  what: Unit | ProgramSide,
  signal?: AbortSignal,
): Promise<Verdict> {
  if ('program' in what) {
    return what.side === 'host' ? checkHost(tools, what, signal) : checkKernel(tools, packaged, what, signal)
  }
  const dtypes = Object.fromEntries(
    Object.entries(what.dtypes).flatMap(([name, dtype]) => {
      const known = Dtype.safeParse(dtype)
      return known.success ? [[name, known.data] as const] : []
    }),
  )
  const before = what.side === 'kernel' ? preamble(dtypes, tilingText([what.tiling], [what.text])) + tilingMacros : ''
  const path = `${what.side}.cpp`
  const files = [
    {path, text: what.text},
    {path: 'preamble.h', text: before},
  ]
  return compileAll(
    tools,
    files,
    {paths: [path], flags: [...flagsOf(tools, what.side), '-include', 'preamble.h']},
    signal,
  )
}

function flagsOf({install}: CannTools, side: 'host' | 'kernel'): string[] {
  const own = side === 'host' ? hostFlags : kernelFlags
  return [...own, '-I', `${install.home}/include`, '-I', '.', '-I', 'op_host', '-I', 'op_kernel']
}

function checkHost(tools: CannTools, {program}: ProgramSide, signal?: AbortSignal): Promise<Verdict> {
  const hosts = program.files.filter(({path}) => /(?:^|\/)op_host\/.*\.(?:cpp|cc)$/s.test(path))
  const paths = hosts.map(({path}) => path)
  return compileAll(tools, program.files, {paths, flags: flagsOf(tools, 'host')}, signal)
}

/** Which structures and templates a kernel is compiled with, its project's build decides: it is built as a whole. */
async function checkKernel(
  tools: CannTools,
  packaged: Packager,
  {program}: ProgramSide,
  signal?: AbortSignal,
): Promise<Verdict> {
  const end = await packaged(program, signal)
  if (end.ok) {
    await discard(tools, end.made.folder)
    return {outcome: 'compiled', executor: tools.identity}
  }
  const {verdict} = end
  const isOther =
    verdict.outcome === 'link-failed' ||
    (verdict.outcome === 'compile-failed' && verdict.diagnostics.every(({file}) => file.startsWith('op_host/')))
  return isOther ? notCovered(tools, 'kernels whose host side does not build') : verdict
}

/** Compiles every unit of a program or module that launches kernels itself, and links nothing. */
export function checkDirect(
  tools: CannTools,
  {files, units, include = [], definitions = []}: DirectUnits,
  signal?: AbortSignal,
): Promise<Verdict> {
  const folders = new Set(['.', ...units.map((unit) => dirname(unit)), ...include, `${tools.install.home}/include`])
  const searched = [...folders].flatMap((one) => ['-I', one])
  const defined = definitions.map((definition) => `-D${definition}`)
  return compileAll(tools, files, {paths: units, flags: [...kernelFlags, ...searched, ...defined]}, signal)
}

/** Compiles each of some files, and keeps none of the output. */
async function compileAll(
  tools: CannTools,
  files: ProgramSide['program']['files'],
  {paths, flags}: {paths: readonly string[]; flags: readonly string[]},
  signal?: AbortSignal,
): Promise<Verdict> {
  const folder = basename(await mkdtemp(join(tools.workDirectory, 'unit-')))
  try {
    await writeFiles(join(tools.workDirectory, folder), files, ({text}) => text)
    await tools.shell.put(folder)
    let log = ''
    for (const path of paths) log += await complaint(tools, [...flags, path, '-o', 'unit.o'], folder, signal)
    return log === '' ? {outcome: 'compiled', executor: tools.identity} : refusal(tools, log)
  } finally {
    await discard(tools, folder)
  }
}

/** What the compiler said of code that it refuses; '' where it does not. */
async function complaint(
  tools: CannTools,
  args: readonly string[],
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  const {install, shell, seconds} = tools
  const end = await step(tools, [install.bisheng, ...args], {folder, seconds: seconds.compile, signal})
  if (end.timedOut) return `${end.stderr}error: compilation ran past its time limit\n`
  if (end.code === 0) return ''
  const fault = compileFault({...end, killedBy: end.signal ?? undefined, overtime: false}, install.home)
  if (fault !== undefined) throw cannFailure(fault)
  return end.stderr.replaceAll(`${join(shell.root, folder)}/`, '').replaceAll(/(^|[\s'"(])\.\//gm, '$1')
}
