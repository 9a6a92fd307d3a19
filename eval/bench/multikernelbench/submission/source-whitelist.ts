import {basename} from 'node:path/posix'
import type {SourceFile} from '../../../../datasets/schema/operator.ts'
import {expandSources, isInclude} from '../../../cpp-macros.ts'
import type {Expanded} from '../../../cpp-macros.ts'
import {literalValue} from '../../../cpp-tokens.ts'
import type {Token} from '../../../cpp-tokens.ts'
import {inspectSources} from '../../../integrity.ts'
import {brokenDeviceWord, brokenLaunchWord, brokenWord} from './word-rules.ts'
import type {WordRule} from './word-rules.ts'

/** A rule of the sources that a submission breaks, and where. */
interface BrokenSource {
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
/** Of host code beside a kernel: what it asks the chip, and how it starts kernels. */
const ofLaunches =
  '(?:tiling/)?platform/platform_ascendc\\.h|platform/platform_info\\.h|tiling/tiling_api\\.h|acl/acl(?:_rt|_base)?\\.h'

const kernelHeaders = headers(ofKernels, '\\w+_tiling\\.h|cstdint|stdint\\.h|limits')
const bindingHeaders = headers(ofBindings, 'pytorch_npu_helper\\.hpp', plainHeaders)

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

/** The first rule that the C++ of six strings breaks: of the operator's files, then of its binding. */
export function brokenSource(project: readonly SourceFile[], binding: string): BrokenSource | undefined {
  const inspected = inspectSources(project)[0]
  if (inspected) return {rule: inspected.rule, where: `${inspected.path}:${inspected.line}`, seen: inspected.seen}
  const kernel = project.filter(({path}) => path.startsWith('op_kernel/'))
  for (const {path, text} of kernel) {
    const header = foreignHeader(expandSources([text])[0] as Expanded, kernelHeaders)
    if (header !== undefined) return {rule: 'forbidden-include', where: path, seen: `#include <${header}>`}
  }
  const file = {path: 'python_bind_src', text: binding}
  const expanded = expandSources([binding])[0] as Expanded
  const broken = brokenText(file, expanded, {header: (one) => bindingHeaders.test(one), word: brokenWord})
  // What the rules of an operator's files say of the system, threads, assembly and the judge holds here as well.
  return broken ?? inspectedHost([{path: 'op_host/binding.cpp', text: binding}], file.path)
}

/**
 * The first rule that a module which launches its kernels itself breaks. Its host code lies in every text, and has the
 * addresses of tensors, which it hands to kernels; what they hold is out of its reach where it runs.
 * @param bindings paths of the texts that make the module; headers may be theirs
 */
export function brokenModule(files: readonly SourceFile[], bindings: readonly string[]): BrokenSource | undefined {
  const sources = files.filter(({path}) => /\.(?:c|h|inc|cuh)[\w+]*$/.test(path))
  const own = new Set(sources.map(({path}) => basename(path)))
  const expanded = expandSources(sources.map(({text}) => text))
  for (const [at, file] of sources.entries()) {
    const ofBinding = bindings.includes(file.path)
    const mayUseTorch = ofBinding || !/\.(?:cpp|cc|cxx)$/.test(file.path)
    const known = mayUseTorch ? [moduleHeaders, launchingHeaders] : [launchingHeaders]
    const broken = brokenText(file, expanded[at] as Expanded, {
      header: (one) => own.has(basename(one)) || known.some((names) => names.test(one)),
      word: mayUseTorch ? brokenLaunchWord : brokenDeviceWord,
    })
    if (broken) return broken
  }
  return inspectedHost(sources)
}

/** Macros by which a text tells the compilation that checks device code from the one that is run. */
const passMacros = headers(
  '__(?:CUDA|SYCL)\\w*|SYCL_\\w+|NDEBUG|__EXCEPTIONS|__GXX_RTTI|__cpp_(?:exceptions|rtti)|__NO_MATH_ERRNO__',
  '_*(?:gnu_)?(?:linux|unix)_*|__ELF__|__(?:pie|PIE)__|__\\w*FLOAT128__|__WINT_UNSIGNED__|_GNU_SOURCE',
  '__COUNTER__|__INCLUDE_LEVEL__|__has_(?:feature|extension|builtin|attribute)|__is_identifier',
)

interface TextRules {
  header: (name: string) => boolean
  word: WordRule
}

function brokenText(file: SourceFile, expanded: Expanded, {header, word}: TextRules): BrokenSource | undefined {
  const asked = expanded.directives.find(({tokens}) => tokens.some(({text}) => passMacros.test(text)))
  if (asked) return brokenAt(file, 'touches-the-judge', `#${asked.name}`, asked.start)
  const foreign = headersIn(expanded).find((one) => !header(one))
  if (foreign !== undefined) return brokenAt(file, 'forbidden-include', `#include <${foreign}>`)
  const {code} = expanded
  for (const [at, token] of code.entries()) {
    const rule = token.kind === 'word' ? word(code, at) : undefined
    const seen = `${code[at - 2]?.text ?? ''}${code[at - 1]?.text ?? ''}${token.text}`
    if (rule) return brokenAt(file, rule, seen, token.start)
  }
  return undefined
}

function foreignHeader(expanded: Expanded, allowed: RegExp): string | undefined {
  return headersIn(expanded).find((header) => !allowed.test(header))
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

/** Rules that refuse PyTorch's headers and names as such; the whitelists above are about those. */
const ofTorch = new Set(['forbidden-include', 'calls-a-finished-operator'])

function inspectedHost(files: readonly SourceFile[], named?: string): BrokenSource | undefined {
  const found = inspectSources(files).find(({rule}) => !ofTorch.has(rule))
  return found && {rule: found.rule, where: `${named ?? found.path}:${found.line}`, seen: found.seen}
}
