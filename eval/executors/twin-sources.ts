import {existsSync, readFileSync} from 'node:fs'
import {chmod, mkdir, mkdtemp, rename, rm, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {isSystemError} from '../../engine/errors.ts'
import {walk} from '../../engine/files.ts'
import {numberedConstants} from './kernel-unit.ts'

/** A header or runtime file of the twin; `path` starts with `include/` or `runtime/`. */
export interface TwinSource {
  path: string
  text: string
}

export type Side = 'kernel' | 'host'

const twinRoot = fileURLToPath(new URL('../twin/', import.meta.url))
// The standard headers come first: their declarations belong to the host, even if included again.
const umbrella: Record<Side, string> = {
  kernel: [
    ...['cstddef', 'cstdint', 'initializer_list', 'type_traits', 'utility'].map((name) => `#include <${name}>`),
    '#pragma clang force_cuda_host_device begin',
    '#include "kernel_operator.h"',
    '#include "kernel_tiling/kernel_tiling.h"',
    '#pragma clang force_cuda_host_device end',
    '#include "twin/device_words.h"',
    '',
  ].join('\n'),
  host: '#include "twin_host/host.h"\n',
}

/**
 * Standard headers that kernel files include, although little in them is for the device. They use words that
 * `device_words.h` redefines.
 */
const standardHeaders = `algorithm array atomic bitset cassert cctype cerrno cfloat chrono cinttypes climits cmath
  complex condition_variable cstddef cstdint cstdio cstdlib cstring ctime cwchar deque exception forward_list fstream
  functional initializer_list iomanip ios iosfwd iostream istream iterator limits list locale map memory mutex new
  numeric optional ostream queue random ratio set shared_mutex sstream stack stdexcept string string_view system_error
  thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector
  assert.h float.h inttypes.h limits.h math.h stdint.h stdio.h stdlib.h string.h time.h unistd.h wchar.h`.split(/\s+/)

const integers = ['__int128', '__int128_t', '__uint128_t']
const takenWords = [
  'double',
  '_Float16',
  ...integers,
  'thread_local',
  '_Thread_local',
  '__thread',
  'asm',
  '__asm',
  '__asm__',
]

/** A wrapper header: the words are not macros while the real one is read. */
function headerWithout(words: readonly string[], name: string): string {
  const hidden = cHeaders.has(name) ? [...words, cOnly] : words
  return [
    ...hidden.map((word) => `#pragma push_macro("${word}")\n#undef ${word}`),
    ...(cHeaders.has(name) ? [`#define ${cOnly}`] : []),
    `#include_next <${name}>`,
    ...hidden.map((word) => `#pragma pop_macro("${word}")`),
    '',
  ].join('\n')
}

/**
 * Only those of the C library: libstdc++ adds its own functions to the same names, and calls of `sqrt(float)` and `abs`
 * that the device's compiler has itself would be calls of the host's.
 */
const cHeaders = new Set(['math.h', 'stdlib.h'])
const cOnly = '_GLIBCXX_INCLUDE_NEXT_C_HEADERS'

/** Headers of the host side that kernels include; their enumerators share names with the build's macros. */
const hostHeaders = `graph/types.h register/op_def_registry.h register/op_impl_registry.h register/tilingdata_base.h
  tiling/tiling_api.h exe_graph/runtime/tiling_context.h exe_graph/runtime/storage_shape.h`.split(/\s+/)

/** Some six hundred short files: one at a time through Node's threads, reading is ten times slower. */
const readText = (path: string) => readFileSync(path, 'utf8')

export async function readSources(): Promise<TwinSource[]> {
  const sources = [...writtenOut(await sourcesIn('include')), ...(await sourcesIn('runtime'))]
  const headers = {...umbrella, cube: umbrella.kernel}
  for (const [side, text] of Object.entries(headers)) sources.push({path: `gch/${side}.h`, text})
  for (const name of standardHeaders) sources.push({path: `std/${name}`, text: headerWithout(takenWords, name)})
  const constants = numberedConstants.map(({constant}) => constant)
  const hidden = [...constants, ...takenWords]
  for (const name of hostHeaders) sources.push({path: `std/${name}`, text: headerWithout(hidden, name)})
  return sources
}

async function sourcesIn(folder: string): Promise<TwinSource[]> {
  const sources: TwinSource[] = []
  for await (const path of walk(join(twinRoot, folder))) {
    sources.push({path: `${folder}/${path}`, text: readText(join(twinRoot, folder, path))})
  }
  return sources
}

/**
 * Every identifier of the headers. Read from the originals: with a damaged copy, names would seem to be missing from
 * the twin.
 */
export function identifiers(sources: readonly TwinSource[]): Set<string> {
  const headers = sources.filter(({path}) => path.startsWith('include/'))
  return new Set(headers.flatMap(({text}) => withoutComments(text).match(/\b[A-Za-z_]\w+\b/g) ?? []))
}

/** Headers are copied, because a precompiled header is invalid once its source files change their date. */
export async function placeSources(directory: string, sources: readonly TwinSource[]): Promise<void> {
  if (arePlaced(directory, sources)) return
  await discardFolder(directory)
  const temporary = await mkdtemp(`${directory}-`)
  try {
    // Readable by other users of the same cache; mkdtemp makes folders private.
    await chmod(temporary, 0o755)
    for (const {path, text} of sources) {
      await mkdir(dirname(join(temporary, path)), {recursive: true})
      await writeFile(join(temporary, path), text)
    }
    await rename(temporary, directory)
  } catch (error) {
    await rm(temporary, {recursive: true, force: true})
    // Another process was first.
    if (!isSystemError(error, 'ENOTEMPTY') && !isSystemError(error, 'EEXIST')) throw error
  }
}

/** Whether every copy exists and equals the original. */
export function arePlaced(directory: string, sources: readonly TwinSource[]): boolean {
  try {
    return sources.every(({path, text}) => readText(join(directory, path)) === text)
  } catch {
    return false
  }
}

/** Renamed first, so that it disappears at once even while its files are being removed. */
export async function discardFolder(directory: string): Promise<void> {
  if (!existsSync(directory)) return
  const away = await mkdtemp(`${directory}-old-`)
  try {
    await rename(directory, away)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  } finally {
    await rm(away, {recursive: true, force: true})
  }
}

/** A header of the twin, by its path. */
interface Header {
  path: string
  text: string
}

/** A macro that declares the forms of an operation at once; as its name says. */
interface Forms {
  parameters: readonly string[]
  body: string
}

const definition = /^#define (TWIN_FORMS_\w+)\(([^)]*)\) *\\\n((?:.*\\\n)*.*\n)/gm
const call = /^(TWIN_FORMS_\w+)\(((?:"[^"]*"|[^"()])*)\)\n/gm

/**
 * Headers rewritten for better compiler messages. Notes quote one line of a declaration, and the macro for
 * macro-generated ones: so overloads are written out, and each declaration is on one line.
 */
export function writtenOut(headers: readonly Header[]): Header[] {
  const all = new Map(headers.flatMap(({text}) => [...text.matchAll(definition)].map(formsOf)))
  return headers.map(({path, text}) => ({path, text: onOneLine(withForms(text.replace(definition, ''), all))}))
}

function formsOf([, name = '', parameters = '', body = '']: RegExpMatchArray): [string, Forms] {
  return [name, {parameters: parameters.split(/,\s*/), body: body.replace(/^ {4}/gm, '').replace(/ *\\$/gm, '')}]
}

function withForms(text: string, all: ReadonlyMap<string, Forms>): string {
  return text.replace(call, (whole, name: string, listed: string) => {
    const forms = all.get(name)
    return forms ? filled(forms, listed) : whole
  })
}

/** The body with what the macro was called with, as by the preprocessor. */
function filled({parameters, body}: Forms, listed: string): string {
  const args = (listed.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((one) => one.trim().replace(/\s+/g, ' '))
  const named = parameters.filter((name) => name !== '...')
  const values = new Map(named.map((name, at) => [name, args[at] ?? '']))
  values.set('__VA_ARGS__', args.slice(named.length).join(', '))
  return body.replace(/(#?)\b([A-Za-z_]\w*)\b/g, (whole, quoted: string, name: string) => {
    const value = values.get(name)
    if (value === undefined) return whole
    return quoted ? `"${value}"` : value
  })
}

/** A type, a name and a bracket, or an assertion. Statements that look the same do no harm. */
const head = /^ *(?:(?:[\w:<>,*&]+ )+~?\w+|static_assert)\(/

function onOneLine(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const last = lines.at(-1)
    if (last !== undefined && isBroken(last)) lines[lines.length - 1] = joined(last, line.trim())
    else lines.push(line)
  }
  return lines.join('\n')
}

/** Macro definitions keep their lines, and so do lines ending with a comment. */
function isBroken(line: string): boolean {
  if (!head.test(line) || line.endsWith('\\')) return false
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/g, '')
  if (bare.includes('//')) return false
  return (bare.match(/\(/g) ?? []).length > (bare.match(/\)/g) ?? []).length
}

const joined = (start: string, rest: string) => (start.endsWith('(') ? start + rest : `${start} ${rest}`)
