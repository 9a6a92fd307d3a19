import {describe, expect, test} from 'vitest'
import type {OperatorDefinition, OpParameter} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {
  completeDtypes,
  coresOf,
  deviceText,
  entryFile,
  entryName,
  kernelUnit,
  numberedConstants,
  preamble,
  selectionSpaceOf,
  usedDtypeNames,
} from '../../../eval/executors/kernel-unit.ts'

const parameter = (name: string, ...dtypes: Dtype[]): OpParameter => ({name, kind: 'required', dtypes})

const definitionOf = (inputs: OpParameter[], outputs: OpParameter[]): OperatorDefinition => ({
  operator: 'AddCustom',
  inputs,
  outputs,
  attributes: [],
  socs: ['ascend910b'],
  shapeFromKernel: false,
})
const add = definitionOf([parameter('x', 'float16', 'float32')], [parameter('z', 'float16', 'int32')])

const entry = (text: string): SourceFile => ({path: 'op_kernel/add_custom.cpp', text})
const kernel = (list: string, name = 'add_custom') => `extern "C" __global__ __aicore__ void ${name}(${list}) {}`

const cores = 'vector' as 'vector' | 'cube' | 'mix11' | 'mix12'
const unit = {entry: entry(kernel('GM_ADDR x')), operator: 'AddCustom', definition: add, dtypes: {}, tiling: '', cores}

/** What a unit holds behind its preamble. */
function below(given: Partial<typeof unit> & {selectionSpace?: string}): string[] {
  const all = {...unit, ...given}
  const before = preamble(all.dtypes, all.tiling, all.operator)
  const text = kernelUnit(all)
  expect(text.startsWith(`${before}\n`)).toBe(true)
  return text.slice(before.length + 1).split('\n')
}

const call = (what: string) =>
  `extern "C" __aicore__ void twin_kernel_entry(GM_ADDR* args) { twin::EnterKernel(); ${what}; }`

describe('the constants of a build', () => {
  test("have the graph engine's numbers", () => {
    expect(numberedConstants.map(({constant, number}) => `${constant} ${number}`)).toEqual([
      ...['DT_FLOAT 0', 'DT_FLOAT16 1', 'DT_INT8 2', 'DT_INT32 3', 'DT_UINT8 4', 'DT_INT16 6', 'DT_UINT16 7'],
      ...['DT_UINT32 8', 'DT_INT64 9', 'DT_UINT64 10', 'DT_DOUBLE 11', 'DT_BOOL 12', 'DT_COMPLEX64 16', 'DT_BF16 27'],
      ...['DT_STRING 13', 'DT_COMPLEX128 17', 'DT_UNDEFINED 28', 'DT_INT4 29', 'DT_UINT1 30', 'DT_INT2 31'],
      ...['DT_UINT2 32', 'DT_COMPLEX32 33', 'DT_HIFLOAT8 34', 'DT_FLOAT8_E5M2 35', 'DT_FLOAT8_E4M3FN 36'],
      ...['FORMAT_NCHW 0', 'FORMAT_NHWC 1', 'FORMAT_ND 2', 'FORMAT_NC1HWC0 3', 'FORMAT_FRACTAL_Z 4'],
      ...['FORMAT_NDHWC 27', 'FORMAT_FRACTAL_NZ 29', 'FORMAT_NCDHW 30', 'FORMAT_NDC1HWC0 32'],
      'FORMAT_FRACTAL_Z_3D 33',
    ])
  })

  test('stand before any kernel code, with the dtypes of the tensors behind them', () => {
    const lines = preamble({x: 'float16', out_y: 'bfloat16'}, '').split('\n')
    expect(lines.slice(0, 5)).toEqual([
      '#include "kernel_operator.h"',
      '#include "kernel_tiling/kernel_tiling.h"',
      '#ifndef DT_FLOAT',
      '#define DT_FLOAT 0',
      '#endif',
    ])
    const constants = 3 * numberedConstants.length
    expect(lines.slice(2 + constants, 2 + constants + 6)).toEqual([
      '#define DTYPE_X half',
      '#define ORIG_DTYPE_X DT_FLOAT16',
      '#define FORMAT_X 2',
      '#define DTYPE_OUT_Y bfloat16_t',
      '#define ORIG_DTYPE_OUT_Y DT_BF16',
      '#define FORMAT_OUT_Y 2',
    ])
  })
})

describe('dtypes that were not given', () => {
  const two = definitionOf(
    [parameter('x', 'float16', 'float32', 'int8'), parameter('bias', 'float32', 'int32', 'int64')],
    [parameter('z', 'float16', 'float32')],
  )

  test.each<[string, Record<string, Dtype>, Record<string, Dtype>]>([
    ['the first column where nothing is given', {}, {x: 'float16', bias: 'float32', z: 'float16'}],
    ['the column of a given input', {x: 'float32'}, {x: 'float32', bias: 'int32', z: 'float32'}],
    ['the column of a given output', {z: 'float32'}, {x: 'float32', bias: 'int32', z: 'float32'}],
    ['the first entry in a column that is too short', {x: 'int8'}, {x: 'int8', bias: 'int64', z: 'float16'}],
    ['the first column where none fits', {x: 'int8', bias: 'int32'}, {x: 'int8', bias: 'int32', z: 'float16'}],
    ['what is given besides', {y: 'bool'}, {x: 'float16', bias: 'float32', z: 'float16', y: 'bool'}],
  ])('are those of %s', (_what, given, complete) => {
    expect(completeDtypes(two, given)).toEqual(complete)
  })

  test('are none without a definition or without columns', () => {
    expect(completeDtypes(undefined, {x: 'bool'})).toEqual({x: 'bool'})
    expect(completeDtypes(definitionOf([parameter('x')], []), {})).toEqual({})
  })
})

describe('the entry', () => {
  const file = (path: string, text = kernel('GM_ADDR x', 'other')) => ({path, text})

  test.each<[string, SourceFile[], string | undefined]>([
    [
      'the file of its name',
      [file('op_kernel/a.cpp'), file('op_kernel/add_custom.cpp', '')],
      'op_kernel/add_custom.cpp',
    ],
    ['else one with a kernel', [file('op_kernel/a.cpp', 'int a;'), file('op_kernel/b.cc')], 'op_kernel/b.cc'],
    ['of the third kind of source too', [file('op_kernel/a.asc')], 'op_kernel/a.asc'],
    ['and no header', [file('op_kernel/a.h')], undefined],
    ['and nothing of the host', [file('op_host/add_custom.cpp'), file('x/op_kernel/a.cpp')], undefined],
  ])('is in %s', (_what, files, path) => {
    expect(entryFile(files, 'AddCustom')?.path).toBe(path)
  })

  test('is the kernel that is named after the operator, else the last', () => {
    const three = ['first', 'add_custom', 'last'].map((name) => kernel('GM_ADDR x', name)).join('\n')
    expect(entryName(three, 'AddCustom')).toBe('add_custom')
    expect(entryName(three, 'Mul')).toBe('last')
    expect(entryName(three)).toBe('last')
    expect(entryName('void f(int a) {}')).toBeUndefined()
    expect(entryName(`// ${kernel('GM_ADDR x')}`)).toBeUndefined()
    expect(deviceText('#if 0\nint a;\n#endif\nint b;')).toBe('#if 0\n\n#endif\nint b;')
  })
})

describe('a unit', () => {
  test('calls the entry with tensors, workspace and tiling', () => {
    expect(below({})).toEqual([
      '#include "op_kernel/add_custom.cpp"',
      call('add_custom(args[0], args[1], args[2], args[3])'),
      '',
    ])
  })

  test('has one argument more where a shape is known only to the kernel', () => {
    const five = 'args[0], args[1], args[2], args[3], args[4]'
    expect(below({definition: {...add, shapeFromKernel: true}})[1]).toBe(call(`add_custom(${five})`))
  })

  test('counts the parameters of the kernel where the definition computes its own', () => {
    const definition = definitionOf([], [])
    const given = (list: string) => below({definition, entry: entry(kernel(list))})[1]
    expect(given('GM_ADDR x, GM_ADDR y, GM_ADDR t')).toBe(call('add_custom(args[0], args[1], args[2])'))
    expect(given('GM_ADDR x')).toBe(call('add_custom(args[0])'))
    expect(given(' ')).toBe(call('add_custom()'))
    expect(below({definition, entry: entry('')})[1]).toBe(call('add_custom()'))
  })

  test('renames a kernel whose name the C library has taken', () => {
    const sinh = {entry: {path: 'op_kernel/sinh.cpp', text: kernel('GM_ADDR x', 'sinh')}, operator: 'Sinh'}
    expect(below(sinh).slice(0, 2)).toEqual(['#define sinh twin_entry_sinh', '#include "op_kernel/sinh.cpp"'])
  })

  test.each([
    ['cube', 1],
    ['mix11', 2],
    ['mix12', 3],
  ] as const)('says that it runs on the cores %s by the number %i', (kind, number) => {
    expect(below({cores: kind}).slice(0, 4)).toEqual([
      'extern "C" {',
      'extern __aicore__ const int twin_kernel_cores;',
      `__aicore__ const int twin_kernel_cores = ${number};`,
      '}',
    ])
  })

  test('of the cube core alone is empty for the other', () => {
    const lines = below({cores: 'cube'})
    expect(lines.slice(4)).toEqual([
      '#ifndef TWIN_CUBE_CORE',
      'extern "C" __aicore__ void twin_kernel_entry(GM_ADDR*) {}',
      '#else',
      '#include "op_kernel/add_custom.cpp"',
      call('add_custom(args[0], args[1], args[2], args[3])'),
      '#endif',
      '',
    ])
    expect(below({cores: 'mix12'}).join('\n')).not.toContain('TWIN_CUBE_CORE')
  })

  test('of a template calls the combination that the tiling key stands for', () => {
    const text = `template <typename T, class U, uint32_t mode, bool last>\n${kernel('GM_ADDR x')}`
    const lines = below({entry: entry(text), dtypes: {x: 'int8'}, selectionSpace: 'ops::'})
    const types = [0, 1].map((at) => `typename twin::TypeOfNumber<kValues.values[${at}]>::type`)
    const values = ['static_cast<uint32_t>(kValues.values[2])', 'static_cast<bool>(kValues.values[3])']
    const combination = 'ops::twin_template_params, ops::twin_template_selections, N, twin_template_dtypes, 1'
    expect(lines).toEqual([
      '#include "op_kernel/add_custom.cpp"',
      '#include "twin/template_entry.h"',
      'constexpr uint64_t twin_template_dtypes[] = {2, 0};',
      'template <size_t N> struct TwinTemplateCall {',
      `  static constexpr twin::TemplateValues kValues = twin::TemplateCombination(${combination});`,
      '  static constexpr uint64_t kKey = kValues.key;',
      '  static __aicore__ void Run(GM_ADDR* args) { ' +
        `add_custom<${[...types, ...values].join(', ')}>(args[0], args[1], args[2], args[3]); }`,
      '};',
      'extern "C" __aicore__ void twin_kernel_entry(GM_ADDR* args) {',
      '  twin::EnterKernel();',
      '  twin::CallCombination<TwinTemplateCall>(args, std::make_index_sequence<' +
        'twin::TemplateCombinations(ops::twin_template_selections)>());',
      '}',
      '',
    ])
  })

  test('is no template where one of the forms of its kernel is none, nor where the list is empty', () => {
    const isTemplate = (text: string) => below({entry: entry(text)}).includes('#include "twin/template_entry.h"')
    const list = 'template<int mode>'
    expect(isTemplate(`${list}\n${kernel('GM_ADDR x')}`)).toBe(true)
    expect(isTemplate(`${list}\n${kernel('GM_ADDR x')}\n${kernel('GM_ADDR x')}`)).toBe(false)
    expect(isTemplate(`${list}\n${kernel('GM_ADDR x')}\n${list}\n${kernel('GM_ADDR x')}`)).toBe(true)
    expect(isTemplate(`template<>\n${kernel('GM_ADDR x')}`)).toBe(false)
  })

  test('reads the argument of a call from a template without namespace by default', () => {
    const lines = below({entry: entry(`template<int mode>\n${kernel('GM_ADDR x')}`)})
    expect(lines[4]).toContain('(twin_template_params, twin_template_selections, N, twin_template_dtypes, 1)')
    expect(lines[2]).toBe('constexpr uint64_t twin_template_dtypes[] = {0, 0};')
  })
})

describe('cores', () => {
  test('are the most that any declaration asks for, whatever it is written beside', () => {
    const declared = (name: string) => `KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_${name});`
    expect(coresOf([declared('MIX_AIV_1_0'), declared('AIC_ONLY')])).toBe('cube')
    expect(coresOf([declared('MIX_AIC_1_0')])).toBe('cube')
    expect(coresOf([declared('MIX_AIC_1_2'), declared('MIX_AIC_1_1')])).toBe('mix12')
    expect(coresOf([declared('UNHEARD_OF'), 'Mmad(c, a, b, p);'])).toBe('cube')
  })

  test.each(['AIV', 'ASCEND_IS_AIV', 'VECIN', 'VECOUT', 'CrossCoreSetFlag'])('are both where %s is named', (name) => {
    expect(coresOf([`${name}; Mmad(c, a, b, p);`])).toBe('mix12')
    expect(coresOf([`${name}; Add(c, a, b, p);`])).toBe('vector')
  })
})

describe('the namespace of template parameters', () => {
  const declared = 'ASCENDC_TPL_ARGS_DECL(Add, ASCENDC_TPL_DTYPE_DECL(D, 0));'
  test.each([
    ['none without a declaration', ['namespace a { int b; }'], ''],
    ['none outside of any', [`namespace a { int b; }\n${declared}`], ''],
    ['the one around it', [`namespace a {\n${declared}\n}`], 'a::'],
    ['all of them, from the outermost', [`namespace a {\nnamespace b::c {\n  ${declared}\n}\n}`], 'a::b::c::'],
    ['that of the first text that declares some', ['int a;', `namespace b {\n${declared}\n}`, declared], 'b::'],
    ['none where it is only used', [`namespace a {\nint b = f(ASCENDC_TPL_ARGS_DECL);\n}`], ''],
    ['that of a file which begins with it', [declared, `namespace b {\n${declared}\n}`], ''],
  ])('is %s', (_what, texts, space) => {
    expect(selectionSpaceOf(texts)).toBe(space)
  })
})

describe('dtype names that the build has to define', () => {
  test.each([
    ['as types', 'Add<DTYPE_X> op; DTYPE_Y y; Other<DTYPE_X> again;', ['X', 'Y']],
    ['in conditions', 'if constexpr (ORIG_DTYPE_X == DT_BF16) {}', ['X']],
    ['compared, which defines nothing', 'if (DTYPE_X == 3) {}', ['X']],
    ['not in comments', '// DTYPE_X\nDTYPE_Y y;', ['Y']],
    ['not as macros of their own', '#define DTYPE_X half\nDTYPE_X x; DTYPE_Y y;', ['Y']],
    ['not as constants', 'constexpr int DTYPE_X = 1; f(DTYPE_X, DTYPE_Y);', ['Y']],
    ['not as arrays and aggregates', 'T DTYPE_X[2]; T DTYPE_Y{1}; f(DTYPE_X, DTYPE_Y, DTYPE_Z);', ['Z']],
    ['not as types of their own', 'template <typename DTYPE_X> struct A { DTYPE_X x; DTYPE_Y y; };', ['Y']],
    ['not as enumerators', 'enum Kind : int { DTYPE_X, DTYPE_Y }; f(DTYPE_X, DTYPE_Y, DTYPE_Z);', ['Z']],
    ['only in capitals', 'DTYPE_x a; XDTYPE_Y b;', []],
  ])('are those that stand %s', (_what, text, names) => {
    expect(usedDtypeNames(text)).toEqual(names)
  })
})
