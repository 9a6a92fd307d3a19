import {basename} from 'node:path/posix'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {expandSources, isInclude} from '../../../cpp/macros.ts'
import type {Expanded} from '../../../cpp/macros.ts'
import {literalValue} from '../../../cpp/tokens.ts'
import type {Token} from '../../../cpp/tokens.ts'
import {inspectSources} from '../../integrity.ts'

/** A source rule that a submission breaks, and the place. */
export interface BrokenSource {
  rule: string
  where: string
  seen: string
}

const headers = (...names: string[]) => new RegExp(`^(?:${names.join('|')})$`)

const plainHeaders =
  'vector|tuple|string|array|algorithm|utility|optional|limits|cstdint|stdint\\.h|cstddef|cmath|numeric'
const ofKernels = 'kernel_operator\\.h|kernel_tiling/kernel_tiling\\.h|lib/[\\w/]+\\.h'
const ofBindings =
  'torch/(?:extension|library|torch|all)\\.h|ATen/(?:ATen|Operators)\\.h|torch/csrc/autograd/custom_function\\.h'
/** For host code next to a kernel: how it queries the chip and launches kernels. */
const ofLaunches =
  '(?:tiling/)?platform/platform_ascendc\\.h|platform/platform_info\\.h|tiling/tiling_api\\.h|acl/acl(?:_rt|_base)?\\.h'

const kernelHeaders = headers(ofKernels, '\\w+_tiling\\.h|cstdint|stdint\\.h|limits')

const moreHeaders =
  'type_traits|functional|(?:unordered_)?(?:map|set)|memory|cstring|cassert|cstdio|cinttypes|climits|cfloat|iostream|' +
  'iomanip|sstream|stdexcept|exception|initializer_list|string_view|iterator'
const launchingHeaders = headers(ofKernels, ofLaunches, plainHeaders, moreHeaders)
const moduleHeaders = headers(
  ofBindings,
  ofLaunches,
  'torch_npu/csrc/core/npu/NPUStream\\.h|pybind11/(?:pybind11|stl)\\.h|c10/\\w+/\\w+\\.h',
  plainHeaders,
  moreHeaders,
)

/** The first rule that an operator's files break. */
export function brokenProject(project: readonly SourceFile[]): BrokenSource | undefined {
  const inspected = inspectSources(project)[0]
  if (inspected) return {rule: inspected.rule, where: `${inspected.path}:${inspected.line}`, seen: inspected.seen}
  const kernel = project.filter(({path}) => path.startsWith('op_kernel/'))
  for (const {path, text} of kernel) {
    const header = foreignHeader(expandSources([text])[0] as Expanded, (one) => kernelHeaders.test(one))
    if (header !== undefined) return {rule: 'forbidden-include', where: path, seen: `#include <${header}>`}
  }
  return undefined
}

/**
 * The first rule that the sources of a module with its own launches break. Its Python binding runs in a process without
 * values, and is unrestricted; the rest is loaded next to the device's memory. @param bindings paths of the binding's
 * sources
 */
export function brokenKernels(files: readonly SourceFile[], bindings: readonly string[]): BrokenSource | undefined {
  const sources = files.filter(({path}) => /\.(?:c|h|inc|cuh)[\w+]*$/.test(path) && !bindings.includes(path))
  const own = new Set(sources.map(({path}) => basename(path)))
  const expanded = expandSources(sources.map(({text}) => text))
  for (const [at, file] of sources.entries()) {
    // A header may belong only to the binding.
    const known = /\.(?:cpp|cc|cxx)$/.test(file.path) ? [launchingHeaders] : [moduleHeaders, launchingHeaders]
    const isKnown = (one: string) => own.has(basename(one)) || known.some((names) => names.test(one))
    const broken = brokenText(file, expanded[at] as Expanded, isKnown)
    if (broken) return broken
  }
  const found = inspectSources(sources).find(({rule}) => !ofTorch.has(rule))
  return found && {rule: found.rule, where: `${found.path}:${found.line}`, seen: found.seen}
}

/** Macros that reveal whether a compilation only checks device code or is run. */
const passMacros = headers(
  '__(?:CUDA|SYCL)\\w*|SYCL_\\w+|NDEBUG|__EXCEPTIONS|__GXX_RTTI|__cpp_(?:exceptions|rtti)|__NO_MATH_ERRNO__',
  '_*(?:gnu_)?(?:linux|unix)_*|__ELF__|__(?:pie|PIE)__|__\\w*FLOAT128__|__WINT_UNSIGNED__|_GNU_SOURCE',
  '__COUNTER__|__INCLUDE_LEVEL__|__has_(?:feature|extension|builtin|attribute)|__is_identifier',
)

function brokenText(file: SourceFile, expanded: Expanded, isKnown: (header: string) => boolean) {
  const asked = expanded.directives.find(({tokens}) => tokens.some(({text}) => passMacros.test(text)))
  if (asked) return brokenAt(file, 'touches-the-judge', `#${asked.name}`, asked.start)
  const foreign = foreignHeader(expanded, isKnown)
  return foreign === undefined ? undefined : brokenAt(file, 'forbidden-include', `#include <${foreign}>`)
}

function foreignHeader(expanded: Expanded, isKnown: (header: string) => boolean): string | undefined {
  return headersIn(expanded).find((header) => !isKnown(header))
}

function headersIn({directives}: Expanded): string[] {
  return directives.filter(isInclude).map(({tokens}) => {
    const [first] = tokens
    return first?.kind === 'header' || first?.kind === 'string'
      ? literalValue(first as Token)
      : tokens.map(({text: said}) => said).join('')
  })
}

function brokenAt({path, text}: SourceFile, rule: string, seen: string, start = 0): BrokenSource {
  return {rule, where: `${path}:${text.slice(0, start).split('\n').length}`, seen: seen.slice(0, 80)}
}

/** Rules against PyTorch's headers and names; for kernels, the headers above decide. */
const ofTorch = new Set(['forbidden-include', 'calls-a-finished-operator'])
