import {posix} from 'node:path'
import {globalFunctions} from '../../cpp/global-functions.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'

/** The operators in a folder: by the vendor's project layout, `op_host/` next to `op_kernel/`, at any depth. */
export interface OperatorFolder {
  /** Project root relative to the folder; '' when the folder is the project. */
  path: string
  host: string[]
  kernel: string[]
  /** Kernel files skipped because they are for another chip generation. */
  foreign: string[]
  /** Files of `op_api/`: the operator's C interface. */
  api: string[]
  /** Chips that have their own folder in `op_host/config/`, as the build scripts name them: `ascend910b`. */
  chips: string[]
}

interface Layout {
  operators: OperatorFolder[]
  /** Folders of the SDK's implementation of one high-level API each. */
  libraries: {path: string; api: string; files: string[]}[]
  /** Sources outside any operator folder, which may contain directly launched kernels. */
  loose: string[]
}

const sourceFile = /\.(?:cpp|cc|cxx|h|hpp|inc|asc)$/
/** Whether a path has the ending of C++, or of what is included by it. */
export function isSourceFile(path: string): boolean {
  return sourceFile.test(path)
}

/** Unit tests, examples of calling, other back ends and build results: their code is not the operator. */
const skipped = new Set(
  'test tests ut st build build_out cmake scripts third_party op_kernel_aicpu op_graph framework stub stubs'.split(' '),
)

/** Whether a path is in a folder whose code is no operator's. */
export function isSkipped(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  return folders.some((folder) => skipped.has(folder.toLowerCase()))
}

/**
 * Sorts the paths of a folder (relative, `/`-separated) into operators. Order is by path, whatever order they come in.
 * `arch35` is the vendor's name for the 950 generation, whose register API this generation does not have; `_apt` are
 * its entry files.
 */
export function findOperators(paths: readonly string[]): Layout {
  const folders = new Map<string, OperatorFolder>()
  const libraries = new Map<string, string[]>()
  const loose: string[] = []
  for (const path of [...paths].sort(byCodeUnit)) {
    const segments = path.split('/')
    addChip(folders, segments)
    if (!sourceFile.test(path) || isSkipped(path)) continue
    const library = libraryFolder(segments)
    const at = segments.findIndex((segment) => sideFolders.includes(segment))
    if (library !== undefined) addTo(libraries, library, path)
    else if (at < 0 || at === segments.length - 1) {
      if (!isForeignPath(path)) loose.push(path)
    } else addFile(folderAt(folders, segments.slice(0, at).join('/')), segments, at)
  }
  const operators = [...folders.values()].filter(
    ({host, kernel, foreign, api}) => host.length + kernel.length + foreign.length + api.length > 0,
  )
  return {
    operators: operators.sort((a, b) => byCodeUnit(a.path, b.path)),
    libraries: [...libraries]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([path, files]) => ({path: posix.dirname(path), api: posix.basename(path), files})),
    loose,
  }
}

const sideFolders = ['op_host', 'op_kernel', 'op_api']

function addFile(folder: OperatorFolder, segments: readonly string[], at: number): void {
  const path = segments.join('/')
  if (segments.includes('op_api')) folder.api.push(path)
  else if (isForeignPath(path)) folder.foreign.push(path)
  else (segments[at] === 'op_host' ? folder.host : folder.kernel).push(path)
}

/**
 * The folder of a file of the SDK's own high-level APIs, and the API: `impl/adv_api/detail/<family>/<api>`; in
 * `impl/adv_api/tiling/<family>` and in the interface below `include/adv_api` the file's name tells it.
 */
function libraryFolder(segments: readonly string[]): string | undefined {
  const at = libraryStart(segments)
  if (at < 0 || otherLibrary.test(segments.slice(at).join('/'))) return undefined
  const folder = segments.slice(0, Math.min(segments.length - 1, at + 5))
  const inDetail = segments[at + 2] === 'detail' && folder.length === at + 5
  const api = inDetail
    ? folder.at(-1)
    : segments.at(-1)?.replace(/(?:_(?:tiling|impl|intf|utils|common|base|v220))*\.\w+$/, '')
  return `${folder.join('/')}/${api}`
}

function libraryStart(segments: readonly string[]): number {
  return segments.findIndex(
    (segment, index) => (segment === 'impl' || segment === 'include') && segments[index + 1] === 'adv_api',
  )
}

/** Whether a path is in an operator's folders, or in a high-level API's. */
export function isSideFile(path: string): boolean {
  const segments = path.split('/')
  return segments.slice(0, -1).some((segment) => sideFolders.includes(segment)) || libraryStart(segments) >= 0
}

/** Whether a path is in the part of the SDK's high-level APIs that this chip does not have. */
export function isOtherLibrary(path: string): boolean {
  const segments = path.split('/')
  const at = libraryStart(segments)
  return at >= 0 && otherLibrary.test(segments.slice(at).join('/'))
}

/** Code for other chips, by their numbers, and what talks to other devices. */
const otherLibrary = /(?:^|[/_])(?:regbase|hccl|hcomm|\d{4}|[vml](?:100|2[013-9]\d|3\d\d)|c310|310)(?:[/_.]|$)/

/** Adds to the list of a name. */
export function addTo(lists: Map<string, string[]>, name: string, path: string): void {
  const list = lists.get(name)
  if (list) list.push(path)
  else lists.set(name, [path])
}

function folderAt(folders: Map<string, OperatorFolder>, path: string): OperatorFolder {
  const folder = folders.get(path) ?? {path, host: [], kernel: [], foreign: [], api: [], chips: []}
  folders.set(path, folder)
  return folder
}

function addChip(folders: Map<string, OperatorFolder>, segments: readonly string[]): void {
  const at = segments.findIndex((segment, index) => segment === 'op_host' && segments[index + 1] === 'config')
  const chip = segments[at + 2]
  if (at < 0 || chip === undefined || segments.length < at + 4) return
  const {chips} = folderAt(folders, segments.slice(0, at).join('/'))
  if (!chips.includes(chip)) chips.push(chip)
}

/** Atlas A2, and A3 with the same core, as definitions and build scripts name them. */
export const chips: readonly string[] = ['ascend910b', 'ascend910_93']

/** By its name (A5 is the 950 generation's); what else decides is which files the chip's entries include. */
export function isForeignPath(path: string): boolean {
  return /(?:^|[/_])(?:arch35|regbase|ascend950|a5)(?:[/_.]|$)|_apt\.\w+$/.test(path)
}

/** Whether a text uses the register or SIMT interface of the 950 generation, as files outside of `arch35` may. */
export function usesForeignApi(text: string): boolean {
  return /\b(?:RegTensor|MaskReg|MicroAPI|__VEC_SCOPE__|__simd_vf__|__simt_vf__|asc_vf_call)\b/.test(text)
}

/** A macro of a library's own may replace the device's keywords (`CATLASS_DEVICE`, `FORCE_INLINE_AICORE`). */
export function hasDeviceCode(text: string): boolean {
  return /\b__(?:aicore|global)__\b|\b[A-Z]\w*_(?:DEVICE|AICORE|GLOBAL)\s+\w/.test(text)
}

/** Names of the kernels that a text defines (not of those that it only declares in order to launch them). */
export function definedKernels(text: string): string[] {
  return [...new Set(globalFunctions(text).flatMap(({name, isDefined}) => (isDefined ? name : [])))]
}

/** `add_custom` → `AddCustom`. */
export function operatorName(kernel: string): string {
  return kernel
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
