import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {activeText, chipMacros} from '../../cpp/conditions.ts'
import {globalFunctions} from '../../cpp/global-functions.ts'
import {elementTypes} from '../../cpp/types.ts'
import {kernelName} from '../../cpp/op-def.ts'
import {balanced} from '../../cpp/tokenized.ts'
import type {OperatorDefinition} from '../../cpp/op-def.ts'
import {tilingStructs} from './tiling-def.ts'

/** Types that no tensor here has; kernels name them in conditions. */
const furtherTypes = [
  {constant: 'DT_STRING', number: 13},
  {constant: 'DT_COMPLEX128', number: 17},
  {constant: 'DT_UNDEFINED', number: 28},
  {constant: 'DT_INT4', number: 29},
  {constant: 'DT_UINT1', number: 30},
  {constant: 'DT_INT2', number: 31},
  {constant: 'DT_UINT2', number: 32},
  {constant: 'DT_COMPLEX32', number: 33},
  {constant: 'DT_HIFLOAT8', number: 34},
  {constant: 'DT_FLOAT8_E5M2', number: 35},
  {constant: 'DT_FLOAT8_E4M3FN', number: 36},
]

/** Layouts with the graph engine's numbers; kernels name them in conditions. */
const formats = {
  NCHW: 0,
  NHWC: 1,
  ND: 2,
  NC1HWC0: 3,
  FRACTAL_Z: 4,
  NDHWC: 27,
  FRACTAL_NZ: 29,
  NCDHW: 30,
  NDC1HWC0: 32,
  FRACTAL_Z_3D: 33,
}

/**
 * Kernel names that clash with the C library; the build renames them, because the device compiler has no such
 * functions.
 */
const libraryNames = new Set([
  'abs',
  'acos',
  'acosh',
  'asin',
  'asinh',
  'atan',
  'atan2',
  'atanh',
  'cbrt',
  'ceil',
  'cos',
  'cosh',
  'div',
  'erf',
  'erfc',
  'exp',
  'exp2',
  'expm1',
  'fabs',
  'floor',
  'fma',
  'fmax',
  'fmin',
  'fmod',
  'gamma',
  'index',
  'lgamma',
  'log',
  'log10',
  'log1p',
  'log2',
  'logb',
  'modf',
  'pow',
  'remainder',
  'rint',
  'round',
  'select',
  'sin',
  'sinh',
  'sqrt',
  'tan',
  'tanh',
  'tgamma',
  'trunc',
  'y0',
  'y1',
  'j0',
  'j1',
])

/** What a kernel's build defines as macros and the graph engine's headers as enumerators. */
export const numberedConstants = [
  ...Object.values(elementTypes).sort((a, b) => a.number - b.number),
  ...furtherTypes,
  ...Object.entries(formats).map(([name, number]) => ({constant: `FORMAT_${name}`, number})),
]

/** `DTYPE_X` and `ORIG_DTYPE_X` for each name, as the operator build defines them for the kernel. */
function dtypeMacros(dtypes: Readonly<Record<string, Dtype>>): string {
  const constants = numberedConstants.flatMap(({constant, number}) => [
    `#ifndef ${constant}`,
    `#define ${constant} ${number}`,
    '#endif',
  ])
  const names = Object.entries(dtypes).flatMap(([name, dtype]) => {
    const {type, constant} = elementTypes[dtype]
    return [
      `#define DTYPE_${name.toUpperCase()} ${type}`,
      `#define ORIG_DTYPE_${name.toUpperCase()} ${constant}`,
      `#define FORMAT_${name.toUpperCase()} ${formats.ND}`,
    ]
  })
  return [...constants, ...names].join('\n')
}

/**
 * The dtype of every parameter: as given, and for parameters that were not given (absent optional ones) from the
 * definition's column that fits those that were.
 */
export function completeDtypes(
  definition: OperatorDefinition | undefined,
  given: Readonly<Record<string, Dtype>>,
): Record<string, Dtype> {
  const parameters = [...(definition?.inputs ?? []), ...(definition?.outputs ?? [])]
  const columns = Math.max(1, ...parameters.map(({dtypes}) => dtypes.length))
  const fits = (column: number) =>
    parameters.every(
      ({name, dtypes}) => given[name] === undefined || dtypes[column] === undefined || dtypes[column] === given[name],
    )
  const column = Array.from({length: columns}, (_, index) => index).find(fits) ?? 0
  const complete: Record<string, Dtype> = {}
  for (const {name, dtypes} of parameters) {
    const dtype = given[name] ?? dtypes[column] ?? dtypes[0]
    if (dtype) complete[name] = dtype
  }
  return {...complete, ...given}
}

/**
 * The file of `op_kernel/` that holds the entry: named after the operator, otherwise the one with a `__global__`
 * function.
 */
export function entryFile(files: readonly SourceFile[], operator: string): SourceFile | undefined {
  const sources = files.filter(({path}) => path.startsWith('op_kernel/') && /\.(cpp|cc|asc)$/.test(path))
  return (
    sources.find(({path}) => path === `op_kernel/${kernelName(operator)}.cpp`) ??
    sources.find(({text}) => entryName(text) !== undefined)
  )
}

/**
 * Name of the kernel function of a file: the one named after the operator, otherwise the last; undefined for a file
 * that defines none.
 */
export function entryName(text: string, operator?: string): string | undefined {
  const names = globalFunctions(deviceText(text)).map(({name}) => name)
  return names.find((name) => operator !== undefined && name === kernelName(operator)) ?? names.at(-1)
}

/** What Atlas A2 compiles of a kernel's file. */
export function deviceText(text: string): string {
  return activeText(text, chipMacros.kernel)
}

/** Types of the entry's template parameters, `typename` for a type; empty when one of its forms is not a template. */
function templateParameters(text: string, name: string): string[] {
  const lists = globalFunctions(deviceText(text)).flatMap((one) => (one.name === name ? [one.templates] : []))
  const parameters = lists.includes(undefined) ? [] : (lists[0] ?? [])
  return parameters.map((parameter) => parameter.replace(/\s*\w+$/, '').replace(/^class$/, 'typename'))
}

/** Cores that each block of a kernel runs on, by number in the runtime's `Cores`. */
const coreKinds = {vector: 0, cube: 1, mix11: 2, mix12: 3} as const
type CoreKind = keyof typeof coreKinds

const kernelTypeCores: Record<string, CoreKind> = {
  KERNEL_TYPE_AIV_ONLY: 'vector',
  KERNEL_TYPE_MIX_AIV_1_0: 'vector',
  KERNEL_TYPE_AIC_ONLY: 'cube',
  KERNEL_TYPE_MIX_AIC_1_0: 'cube',
  KERNEL_TYPE_MIX_AIC_1_1: 'mix11',
  KERNEL_TYPE_MIX_AIC_1_2: 'mix12',
}

/**
 * As declared by the kernel, otherwise as the device build infers it from the instructions: both kinds, 1 to 2, when
 * there is work for both.
 */
export function coresOf(texts: readonly string[]): CoreKind {
  const source = texts.map(deviceText).join('\n')
  const declared = [
    ...[...source.matchAll(/\bKERNEL_TASK_TYPE(?:_DEFAULT)?\s*\([^)]*?\b(KERNEL_TYPE_\w+)/g)].map(
      ([, name]) => kernelTypeCores[name as string],
    ),
    ...[...source.matchAll(/\bASCENDC_TPL_KERNEL_TYPE_SEL\s*\(\s*ASCENDC_TPL_(\w+)/g)].map(
      ([, name]) => kernelTypeCores[`KERNEL_TYPE_${name}`],
    ),
  ]
  const most = declared.flatMap((kind) => kind ?? []).sort((a, b) => coreKinds[b] - coreKinds[a])[0]
  if (most) return most
  // The high-level Matmul is called by the vector cores, unless the kernel is only for the cube core.
  if (/\bREGIST_MATMUL_OBJ\s*\(/.test(source)) return /#\s*define\s+ASCENDC_CUBE_ONLY\b/.test(source) ? 'cube' : 'mix12'
  if (!/\bMmad\s*[<(]/.test(source)) return 'vector'
  // Templates for kernels of every kind come in one file; a kernel's specialisation shows its kind.
  const specialised = [...source.matchAll(/\boperator\s*\(\)\s*<\s*(?:AscendC::)?(AI[CV])\s*>/g)].map(
    ([, name]) => name,
  )
  if (specialised.length > 0) return specialised.includes('AIV') ? 'mix12' : 'cube'
  return /\b(?:AIV|ASCEND_IS_AIV|VECIN|VECOUT|CrossCoreSetFlag)\b/.test(source) ? 'mix12' : 'cube'
}

interface KernelUnit {
  entry: SourceFile
  operator: string
  definition: OperatorDefinition
  dtypes: Readonly<Record<string, Dtype>>
  /** Text that holds the host side's macro-declared structures. */
  tiling: string
  cores: CoreKind
  /** The namespace in which the kernel declares its template parameters, with a trailing `::`. Default: none. */
  selectionSpace?: string
}

/** The namespace around the declaration of a kernel's template parameters, with a trailing `::`; '' without one. */
export function selectionSpaceOf(texts: readonly string[]): string {
  for (const text of texts) {
    const at = text.search(/^[ \t]*ASCENDC_TPL_ARGS_DECL\b/m)
    if (at < 0) continue
    const around = [...text.slice(0, at).matchAll(/\bnamespace\s+([\w:]+)\s*\{/g)].filter((match) => {
      const open = match.index + match[0].length - 1
      return open + (balanced(text, open)?.length ?? 0) > at
    })
    return around.map(([, name]) => `${name}::`).join('')
  }
  return ''
}

/**
 * The translation unit around a kernel file: build macros, tiling structures, the file, and a call of its entry from an
 * argument array.
 */
export function kernelUnit(unit: KernelUnit): string {
  const {entry, operator, definition, dtypes, tiling, cores, selectionSpace = ''} = unit
  const name = entryName(entry.text, operator) ?? kernelName(operator)
  const count = argumentCount(definition) ?? parameterCount(entry.text, name)
  const args = Array.from({length: count}, (_, index) => `args[${index}]`).join(', ')
  return [
    preamble(dtypes, tiling, operator),
    ...(libraryNames.has(name) ? [`#define ${name} twin_entry_${name}`] : []),
    ...(cores === 'vector'
      ? []
      : [
          'extern "C" {',
          'extern __aicore__ const int twin_kernel_cores;',
          `__aicore__ const int twin_kernel_cores = ${coreKinds[cores]};`,
          '}',
        ]),
    // A kernel of the cube core alone is not compiled for the other.
    ...(cores === 'cube'
      ? ['#ifndef TWIN_CUBE_CORE', 'extern "C" __aicore__ void twin_kernel_entry(GM_ADDR*) {}', '#else']
      : []),
    `#include "${entry.path}"`,
    ...entryCall(templateParameters(entry.text, name), {name, args, definition, dtypes, selectionSpace}),
    ...(cores === 'cube' ? ['#endif'] : []),
    '',
  ].join('\n')
}

/**
 * Tensors, workspace and tiling; undefined if the definition computes its parameters, which cannot be read statically.
 */
function argumentCount({inputs, outputs, shapeFromKernel}: OperatorDefinition): number | undefined {
  const tensors = inputs.length + outputs.length
  return tensors === 0 ? undefined : tensors + (shapeFromKernel ? 1 : 0) + 2
}

function parameterCount(text: string, name: string): number {
  return globalFunctions(deviceText(text)).findLast((one) => one.name === name)?.parameters.length ?? 0
}

/** The call from an argument array; for a template, with the combination that the launch's tiling key selects. */
function entryCall(
  parameters: readonly string[],
  {
    name,
    args,
    definition,
    dtypes,
    selectionSpace,
  }: Pick<KernelUnit, 'definition' | 'dtypes'> & {name: string; args: string; selectionSpace: string},
): string[] {
  if (parameters.length === 0)
    return [`extern "C" __aicore__ void twin_kernel_entry(GM_ADDR* args) { twin::EnterKernel(); ${name}(${args}); }`]
  const numbers = [...definition.inputs, ...definition.outputs].map(
    (parameter) => elementTypes[dtypes[parameter.name] ?? 'float32'].number,
  )
  const values = parameters.map((type, index) =>
    type === 'typename'
      ? `typename twin::TypeOfNumber<kValues.values[${index}]>::type`
      : `static_cast<${type}>(kValues.values[${index}])`,
  )
  const selections = `${selectionSpace}twin_template_selections`
  const combination = [
    `${selectionSpace}twin_template_params`,
    selections,
    'N',
    'twin_template_dtypes',
    definition.inputs.length,
  ]
  const combinations = `twin::TemplateCombinations(${selections})`
  return [
    '#include "twin/template_entry.h"',
    `constexpr uint64_t twin_template_dtypes[] = {${numbers.join(', ')}};`,
    'template <size_t N> struct TwinTemplateCall {',
    `  static constexpr twin::TemplateValues kValues = twin::TemplateCombination(${combination.join(', ')});`,
    '  static constexpr uint64_t kKey = kValues.key;',
    `  static __aicore__ void Run(GM_ADDR* args) { ${name}<${values.join(', ')}>(${args}); }`,
    '};',
    'extern "C" __aicore__ void twin_kernel_entry(GM_ADDR* args) {',
    '  twin::EnterKernel();',
    `  twin::CallCombination<TwinTemplateCall>(args, std::make_index_sequence<${combinations}>());`,
    '}',
  ]
}

/** What precedes any kernel code: the API, the build's macros, the host side's structures. */
export function preamble(dtypes: Readonly<Record<string, Dtype>>, tiling: string, operator?: string): string {
  return [
    '#include "kernel_operator.h"',
    '#include "kernel_tiling/kernel_tiling.h"',
    dtypeMacros(dtypes),
    tilingStructs(tiling, operator),
  ].join('\n')
}

/**
 * `DTYPE_X` names that a text uses as types of a build and does not define: neither as a macro nor as its own constant,
 * enumerator or type.
 */
export function usedDtypeNames(text: string): string[] {
  const source = withoutComments(text)
  const own = [
    ...source.matchAll(/#\s*define\s+(\w+)/g),
    ...source.matchAll(/\b((?:ORIG_)?DTYPE_\w+)\s*(?:=(?!=)|\{|\[)/g),
    ...source.matchAll(/\b(?:typename|class|struct|using|enum|auto|bool|int|size_t|u?int\d+_t)\s+(DTYPE_\w+)/g),
    ...[...source.matchAll(/\benum\b[^{};]{0,200}\{([^{}]*)\}/g)].flatMap(([, list = '']) => [
      ...list.matchAll(/(\w+)/g),
    ]),
  ]
  const defined = new Set(own.map(([, name]) => name))
  const used = [...source.matchAll(/\b(?:ORIG_)?DTYPE_([A-Z]\w*)\b/g)]
    .filter(([whole]) => !defined.has(whole))
    .map(([, name]) => name as string)
  return [...new Set(used)]
}
