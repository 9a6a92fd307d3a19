import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {isInstalled, runCommand} from '../../engine/subprocess.ts'

/** A C++ compiler of this machine. `command` is what to start, `version` the first line of its version output. */
export interface Compiler {
  command: string
  kind: 'clang' | 'gcc'
  major: number
  version: string
  /** The drawback compared with clang 15, on which the device compiler is based; '' for clang 15 itself. */
  cost: string
}

/** In order of preference: Huawei's compiler is a clang 15, so the nearest clang first, gcc last. */
const candidates = [
  'clang++-15',
  'clang++-16',
  'clang++-14',
  'clang++-17',
  'clang++-18',
  'clang++-19',
  'clang++-20',
  'clang++-21',
  'clang++',
  'g++',
  'g++-14',
  'g++-13',
  'g++-12',
  'g++-11',
]

export const compilerFix =
  'Install clang 15 (Debian, Ubuntu: `apt install clang-15 mold`), or any clang or g++ that supports C++17.'

/** All usable compilers, best first; each version once. `only` restricts the search to one command. */
export async function findCompilers(only?: string): Promise<Compiler[]> {
  const found = await Promise.all(only === undefined ? candidates.map(describeInstalled) : [describe(only)])
  const compilers = found.filter((compiler) => compiler !== undefined)
  const distinct = compilers.filter(
    (compiler, index) => compilers.findIndex((other) => other.version === compiler.version) === index,
  )
  return distinct.sort((a, b) => rank(a) - rank(b))
}

/** @throws PipelineError `toolchain-missing` when none is found */
export async function chooseCompiler(only?: string): Promise<Compiler> {
  const [best] = await findCompilers(only)
  if (best) return best
  if (only !== undefined) throw noCompilerAt(only, await isInstalled(only))
  throw new PipelineError('toolchain-missing', `No C++ compiler was found; looked for ${candidates.join(', ')}.`, {
    fix: compilerFix,
    evidence: {searched: candidates},
  })
}

function noCompilerAt(command: string, isThere: boolean): PipelineError {
  const seen = isThere ? 'does not identify itself as clang or g++' : 'is not a program on this machine'
  return new PipelineError('toolchain-missing', `executor.compiler is wrong: ${command} ${seen}.`, {
    fix: 'Set it to the name or path of a clang++ or g++, or remove it to use the best installed one.',
    evidence: {searched: [command]},
  })
}

/** Most candidates are not installed. */
async function describeInstalled(command: string): Promise<Compiler | undefined> {
  return (await isInstalled(command)) ? describe(command) : undefined
}

async function describe(command: string): Promise<Compiler | undefined> {
  try {
    const {code, stdout} = await runCommand(command, ['--version'], {timeoutSeconds: 20})
    return code === 0 ? parseVersion(command, stdout) : undefined
  } catch (error) {
    if (error instanceof PipelineError || isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Parses the output of `--version`: `Debian clang version 15.0.6`, `g++ (Debian 12.2.0-14) 12.2.0`. */
export function parseVersion(command: string, text: string): Compiler | undefined {
  const version = text.split('\n', 1)[0]?.trim() ?? ''
  const clang = /\bclang version (\d+)/.exec(version)
  const gcc = /^\S*(?:\+\+|cc)\S* \((?!ICC\)).*\) (\d+)\.\d+/.exec(version)
  if (clang) {
    const major = Number(clang[1])
    return {command, kind: 'clang', major, version, cost: clangCost(major)}
  }
  if (!gcc) return undefined
  return {
    // The line starts with the name of the command, which is not part of the version: `g++` and `g++-12` may be one
    // program.
    command,
    kind: 'gcc',
    major: Number(gcc[1]),
    version: version.replace(/^\S+/, 'g++'),
    cost: [
      'code that only the device compiler refuses is accepted',
      'verdicts are the same, but error messages differ from the clang-based device compiler, so they teach less',
      'about 1.6 times slower',
    ].join('; '),
  }
}

function clangCost(major: number): string {
  if (major === 15) return ''
  if (major < 15) return 'an older clang than the device compiler; messages may differ a little'
  return 'a newer clang than the device compiler; messages may differ a little'
}

export function rank({kind, major}: Compiler): number {
  if (kind === 'gcc') return 1000 - major
  return Math.abs(major - 15) * 2 + (major < 15 ? 1 : 0)
}

/** Input of a shared library. Options are the linker's own, e.g. `['-z', 'defs']`. */
interface Link {
  options: readonly (readonly string[])[]
  inputs: readonly string[]
  output: string
}

/** The link command. */
export type Linker = (link: Link) => string[]

const inputsHere = '@@inputs@@'
const outputHere = '@@output@@'

/** In order of preference: mold links a small library in a quarter of lld's time, lld in half of GNU ld's. */
const fastLinkers = ['mold', 'lld'] as const

/** A fast linker if the compiler supports one, called directly: starting clang takes longer than linking. */
export async function chooseLinker(compiler: Compiler): Promise<Linker> {
  const fast = await findFastLinker(compiler)
  if (fast) return linkWith(fast.call)
  return ({options, inputs, output}) => [
    compiler.command,
    ...languageFlags(compiler),
    '-shared',
    ...options.map((option) => `-Wl,${option.join(',')}`),
    ...inputs,
    '-o',
    output,
  ]
}

/** The best fast linker that this compiler calls; undefined when there is none. */
export async function findFastLinker(
  compiler: Compiler,
): Promise<{name: (typeof fastLinkers)[number]; call: string[]} | undefined> {
  for (const name of fastLinkers) {
    const call = await directCall(compiler, name)
    // mold would leave a child process that frees its memory: uncounted work, and an extra process.
    if (call) return {name, call: name === 'mold' ? [...call, '--no-fork'] : call}
  }
  return undefined
}

async function directCall(compiler: Compiler, name: (typeof fastLinkers)[number]): Promise<string[] | undefined> {
  const {code, stderr} = await runCommand(
    compiler.command,
    [`-fuse-ld=${name}`, '-shared', '-###', `-Wl,${inputsHere}`, '-o', outputHere],
    {timeoutSeconds: 20},
  )
  return code === 0 ? linkerCall(stderr) : undefined
}

function linkWith(call: readonly string[]): Linker {
  return ({options, inputs, output}) =>
    call.flatMap((part) => {
      if (part === inputsHere) return [...options.flat(), ...inputs]
      return part === outputHere ? [output] : [part]
    })
}

/** The last command that `-###` prints; undefined unless it calls a fast linker for our inputs. */
export function linkerCall(printed: string): string[] | undefined {
  const parts = quotedParts(printed)
  const [program = ''] = parts
  return /(?:^|\/)ld\.(?:lld|mold)[^/]*$/.test(program) && parts.includes(inputsHere) && parts.includes(outputHere)
    ? parts
    : undefined
}

/** The last command that `-###` prints, part by part. */
export function quotedParts(printed: string): string[] {
  const line = printed.trimEnd().split('\n').at(-1) ?? ''
  return [...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, part = '']) => part.replaceAll(/\\(.)/g, '$1'))
}

/** Flags that affect the meaning of a candidate's code or its errors. Includes and optimisation are separate. */
export function languageFlags({kind, major}: Compiler): string[] {
  const shared = ['-std=c++17', '-fPIC', '-w', '-ffp-contract=off', '-fno-strict-aliasing']
  if (kind === 'gcc') return [...shared, '-fdiagnostics-color=never', '-fmax-errors=20']
  // Since clang 19 an error by default, although the device compiler accepts `queue.template FreeTensor(x)`.
  const template = major >= 19 ? ['-Wno-missing-template-arg-list-after-template-kw'] : []
  return [...shared, '-fno-color-diagnostics', '-ferror-limit=20', ...template]
}
