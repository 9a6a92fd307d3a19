import {posix} from 'node:path'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {activeText, type Macros} from '../../cpp/conditions.ts'
import {guardLines} from '../../cpp/include-guard.ts'

/** Where an `#include` leads: into the project, to the SDK, to the C++ library, or nowhere that is known. */
type IncludeKind = 'local' | 'sdk' | 'system' | 'missing'

export interface Include {
  /** As written between the quotes or brackets. */
  name: string
  /** 0-based line in its file. */
  line: number
  kind: IncludeKind
  /** Path of the included project file, for `local`. */
  path: string | undefined
  /** Those of every `#if` around it, except the file's own include guard; `#else` is `!(…)`. */
  conditions: string[]
  /** Whether its branch is active under the macros. */
  active: boolean
  quoted: boolean
}

// The vendor's own folders on the include path of a CANN project; files there are never part of an operator.
const sdkFolders = new Set(
  `register tiling exe_graph graph platform kernel_tiling lib log util error error_manager acl aclnn base external ge
  hccl runtime metadef atvoss op_common opdev toolchain experiment op_host ascendc op_api utils impl include
  tikicpulib basic_api adv_api op_kernel version`.split(/\s+/),
)
const sdkHeaders = [
  String.raw`kernel_\w+|infershape_\w+_util|acl|acl_\w+|aclrtlaunch_\w+|aclnn_\w+|graph_\w+|op_def\w*`,
  String.raw`asc_\w+|experiment\w*|tikicpulib|tiling_api|securec|cpu_debug_launch|simt_api`,
]
const sdkHeader = new RegExp(String.raw`^(?:${sdkHeaders.join('|')})\.h$`)

/**
 * The includes of one file.
 * @param find gives the project path of an include name as seen from a file, or undefined
 * @param macros what the compilation defines; without, every branch may be taken
 */
export function readIncludes(
  path: string,
  text: string,
  find: (name: string, from: string) => string | undefined,
  macros: Macros = new Map(),
): Include[] {
  const lines = withoutComments(text).split('\n')
  const active = activeText(text, macros).split('\n')
  const guard = guardLines(lines)
  const includes: Include[] = []
  const conditions: string[] = []
  for (const [line, content] of lines.entries()) {
    if (guard?.open === line || guard?.close === line) continue
    enterBranch(conditions, content, `${path}:${line}`)
    const match = /^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)/.exec(content)
    if (!match) continue
    const name = (match[1] ?? match[2]) as string
    const quoted = match[1] !== undefined
    const found = find(name, path)
    includes.push({
      name,
      line,
      quoted,
      path: found,
      conditions: [...conditions],
      active: active[line] !== '',
      kind: found === undefined ? outside(name, quoted) : 'local',
    })
  }
  return includes
}

/** @param place tells an `#elif` from others: written out with all before it, a long chain would fill the memory */
function enterBranch(conditions: string[], line: string, place: string): void {
  const [, directive, rest = ''] = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)$/.exec(line) ?? []
  if (directive === undefined) return
  if (!directive.startsWith('if')) {
    const before = conditions.pop()
    if (before !== undefined && directive === 'else') conditions.push(`!(${before})`)
    if (before !== undefined && directive === 'elif') conditions.push(`${rest.trim()} at ${place}`)
    return
  }
  const name = rest.trim().replace(/\s+/g, ' ')
  conditions.push({if: name, ifdef: `defined(${name})`}[directive] ?? `!defined(${name})`)
}

const cHeaders =
  'assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio'
// Quoted or not, they are the library's once the project has no file of the name.
const cHeader = new RegExp(`^(?:${cHeaders}|stdlib|string|time|uchar|unistd|wchar|wctype)\\.h$`)

function outside(name: string, quoted: boolean): IncludeKind {
  // Only headers of the C++ library have no ending.
  if (/^\w+$/.test(name) || cHeader.test(name)) return 'system'
  const [first] = name.split('/')
  if (sdkHeader.test(posix.basename(name)) || (name.includes('/') && sdkFolders.has(first as string))) return 'sdk'
  if (!quoted) return /^(?:c?(?:std)?\w+\.h|sys\/\w+\.h)$/.test(name) ? 'system' : 'sdk'
  return 'missing'
}

/**
 * Where an include leads when kernels are installed: `<op>/<file>` without `op_kernel`, operators and the repository's
 * `common/inc/op_kernel` (as `inc`) next to each other. Paths are relative to the operator's folder; undefined for a
 * file that is not installed.
 */
export function installedPath(name: string, from: string): string | undefined {
  const [, operator = '.', file] = /^(?:(?:\.\.\/)*(?:[^/]+\/)*?([^/]+)\/)?op_kernel\/(.*)$/.exec(from) ?? []
  if (file === undefined) return undefined
  const folder = {'.': 'self', inc: 'inc'}[operator] ?? operator
  const [first, ...rest] = posix.join(folder, posix.dirname(file), name).split('/')
  if (first === '..' || first === undefined || rest.length === 0) return undefined
  if (first === 'self') return posix.join('op_kernel', ...rest)
  return posix.join('..', first, 'op_kernel', ...rest)
}

/** `../inc/x.h` of an installed kernel is the repository's own header. */
export function sharedKernelHeader(name: string): string | undefined {
  const file = /^(?:\.\.\/)+inc\/(.+)$/.exec(name)?.[1]
  return file === undefined ? undefined : `common/inc/op_kernel/${file}`
}

/**
 * Finds files of a project by include name: next to the including file, then from the usual include folders, then by
 * unique ending.
 */
export function finder(paths: readonly string[]): (name: string, from: string) => string | undefined {
  const known = new Set(paths)
  return (name, from) => {
    const places = [
      posix.join(posix.dirname(from), name),
      ...[installedPath(name, from) ?? []].flat(),
      ...['', 'op_kernel', 'op_host', '..', '../..', '../../..'].map((folder) => posix.join(folder, name)),
    ]
    const direct = places.find((place) => known.has(place))
    if (direct !== undefined) return direct
    // Build scripts of the large repositories put sub-folders such as `op_host/op_tiling` on the include path.
    const plain = name.replace(/^(?:\.\.?\/)+/, '')
    const endings = paths.filter((path) => path.endsWith(`/${plain}`))
    const shared = sharedKernelHeader(name)
    const own = paths.find((path) => shared !== undefined && path.endsWith(shared))
    if (own !== undefined) return own
    // Includes from the repository's top (`math/add/op_kernel/add.h`) name files of this very project.
    const beginnings = paths.filter((path) => `/${plain}`.endsWith(`/${inside(path)}`))
    const longest = Math.max(...beginnings.map((path) => inside(path).length))
    const [whole, ...alike] = beginnings.filter((path) => inside(path).length === longest)
    if (whole !== undefined && alike.length === 0) return whole
    const sameSide = endings.filter((path) => path.split('/')[0] === from.split('/')[0])
    if (sameSide.length === 1) return sameSide[0]
    return endings.length === 1 ? endings[0] : undefined
  }
}

const inside = (path: string) => path.replace(/^(?:\.\.\/)+/, '')

/** Whether including the file twice is harmless by its own means. */
export function isOnceOnly(text: string): 'guard' | 'pragma' | undefined {
  const lines = withoutComments(text).split('\n')
  if (lines.some((line) => /^\s*#\s*pragma\s+once\b/.test(line))) return 'pragma'
  return guardLines(lines) ? 'guard' : undefined
}
