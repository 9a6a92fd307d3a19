import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Program} from '../../../datasets/schema/executor.ts'
import {buildIn} from '../../../eval/executors/build.ts'
import {identity, namedTools, scriptedBench} from './scripted-bench.ts'

const definition = `
class AddCustom : public OpDef {
 public:
  explicit AddCustom(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
    this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(AddCustom);
`
const kernel = 'extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR z, GM_ADDR w, GM_ADDR t) { BODY }\n'
const vector = kernel.replace('BODY', 'Add(z, x, y, 8);')
const cube = kernel.replace('BODY', 'Mmad(c, a, b, p);')

interface Given {
  /** null where there is none. */
  files?: Record<string, string | null>
  folder?: string
  dtypes?: Program['dtypes']
  refusals?: Record<string, string>
}

async function built({files = {}, folder, dtypes = {}, refusals = {}}: Given = {}) {
  const {bench, commands, directory, text} = await scriptedBench(refusals)
  const prefix = folder === undefined ? '' : `${folder}/`
  const all = {
    [`${prefix}op_host/add_custom.cpp`]: definition,
    [`${prefix}op_kernel/add_custom.cpp`]: vector,
    ...files,
  }
  const program = {
    operator: 'AddCustom',
    files: Object.entries(all).flatMap(([path, text]) => (text === null ? [] : [{path, text}])),
    dtypes,
    ...(folder !== undefined && {folder}),
  }
  const end = await buildIn(namedTools(), bench, program as Program)
  return {end, commands, directory, text}
}

const folders = (side: 'op_host' | 'op_kernel', folder = '') => {
  const other = side === 'op_host' ? 'op_kernel' : 'op_host'
  const below = folder === '' ? [] : [folder]
  const paths = ['.', ...below, ...[side, other].map((one) => (folder === '' ? one : `${folder}/${one}`))]
  return paths.map((path) => `-I ${path}`).join(' ')
}
const object = (side: 'host' | 'kernel' | 'cube', path: string, output: string, folder = '') =>
  `compile-${side === 'host' ? 'host' : 'kernel'} -O0 --${side}-header -I /twin/include ` +
  `${folders(side === 'host' ? 'op_host' : 'op_kernel', folder)} -MMD -MF ${output}.d -c ${path} -o ${output}`
const link = (output: string, objects: string, options = '') =>
  `link -z defs${options} -rpath /twin ${objects} /twin/libtwin.so > ${output}`

describe('a program', () => {
  test('is a library for the host and one for the device', async () => {
    const {end, commands, text} = await built({dtypes: {x: 'float32'}})
    expect(end).toEqual({ok: true, imports: []})
    expect([...commands].sort()).toEqual(
      [
        object('host', 'op_host/add_custom.cpp', 'host-0.o'),
        object('kernel', 'kernel_unit.cpp', 'kernel.o'),
        link('host.so', 'host-0.o'),
        link('kernel.so', 'kernel.o'),
      ].sort(),
    )
    const unit = text('kernel_unit.cpp').split('\n')
    expect(unit).toContain('#include "op_kernel/add_custom.cpp"')
    expect(unit).toContain('#define DTYPE_X float')
    expect(unit).toContain('#define DTYPE_Z float')
  })

  test('with work for the cube core has a third one', async () => {
    const {commands} = await built({files: {'op_kernel/add_custom.cpp': cube}})
    expect(commands).toContain(object('cube', 'kernel_unit.cpp', 'cube.o'))
    expect(commands).toContain(link('kernel.so.cube', 'cube.o', ' -Bsymbolic-functions'))
    expect(commands).toHaveLength(6)
  })

  test('may lie in a folder of a larger one', async () => {
    const other = {'math/mul/op_kernel/mul.cpp': cube.replace('add_custom', 'mul')}
    const {commands, text} = await built({folder: 'math/add', files: {'op_kernel/x.h': 'int x;', ...other}})
    expect(commands).toContain(object('host', 'math/add/op_host/add_custom.cpp', 'host-0.o', 'math/add'))
    expect(text('kernel_unit.cpp')).toContain('#include "math/add/op_kernel/add_custom.cpp"')
  })

  test('may define things twice where its definitions and its tiling are two libraries of CANN', async () => {
    const tiling = 'ge::graphStatus Tiling(gert::TilingContext* context) { return 0; }\n'
    const options = async (files: Record<string, string>) =>
      (await built({files})).commands.find((line) => line.endsWith('> host.so'))
    const two = {'op_host/tiling.cc': tiling}
    expect(await options(two)).toBe(link('host.so', 'host-0.o host-1.o', ' -z muldefs'))
    const one = {'op_host/add_custom.cpp': tiling + definition}
    expect(await options(one)).toBe(link('host.so', 'host-0.o'))
    expect(await options({...one, ...two})).toBe(link('host.so', 'host-0.o host-1.o'))
  })

  test('leaves out code of other libraries of the package', async () => {
    const graph = '#include "register/op_proto.h"\nint graph;\n'
    const both = `${graph}ge::graphStatus Tiling(gert::TilingContext* context);\n`
    const hosts = async (text: string, path = 'op_host/more.cpp') =>
      (await built({files: {[path]: text}})).commands.filter((line) => line.startsWith('compile-host')).length
    expect(await hosts(graph)).toBe(1)
    expect(await hosts(both)).toBe(2)
    for (const header of ['opdev/x.h', 'aclnn/aclnn_base.h', 'acl/acl.h', 'graph/operator.h'])
      expect(await hosts(`#include <${header}>\n`)).toBe(1)
    expect(await hosts('int more;\n')).toBe(2)
    expect(await hosts('int more;\n', 'op_host/more.h')).toBe(1)
    expect(await hosts('int more;\n', 'op_host/deep/more.cc')).toBe(2)
  })

  test('has macros for types that nobody named, and structures of files that a kernel includes', async () => {
    const tiling = [
      'BEGIN_TILING_DATA_DEF(Data)',
      'TILING_DATA_FIELD_DEF(uint32_t, n);',
      'END_TILING_DATA_DEF;',
      'REGISTER_TILING_DATA_CLASS(AddCustom, Data)',
    ].join('\n')
    const own = {'op_kernel/data.h': 'struct Data { uint32_t n; };\n'}
    const uses = vector.replace('Add(', 'DTYPE_BIAS b; DTYPE_X c; Add(')
    const unit = async (files: Record<string, string>) => (await built({files})).text('kernel_unit.cpp').split('\n')
    const text = await unit({'op_kernel/add_custom.cpp': uses, 'op_host/tiling.h': tiling})
    expect(text.filter((line) => line.startsWith('#define DTYPE_'))).toEqual([
      '#define DTYPE_BIAS float',
      '#define DTYPE_X half',
      '#define DTYPE_Z half',
    ])
    expect(text.join('\n')).toContain('Data')
    const beside = {'op_host/tiling.h': tiling, ...own}
    expect((await unit(beside)).join('\n')).toContain('uint32_t n')
    const included = {...beside, 'op_kernel/add_custom.cpp': `#include "../x/data.h"\n${vector}`}
    expect((await unit(included)).join('\n')).not.toContain('uint32_t n')
  })

  test('stays in its folder', async () => {
    const files = {'../outside.h': 'int a;', '/etc/outside.h': 'int b;', 'op_host/../inside.h': 'int c;'}
    const {text} = await built({files})
    expect(text('inside.h')).toBe('int c;')
  })

  test('is written as a C++ compiler takes it: launches are blanks in the files of its kernels alone', async () => {
    const launch = 'void f() { add_custom<<<8, nullptr, s>>>(x); }\n'
    const files = {'op_kernel/launch.h': launch, 'op_host/launch.h': launch}
    const {text} = await built({files})
    expect(text('op_host/launch.h')).toBe(launch)
    expect(text('op_kernel/launch.h')).toMatch(/^void f\(\) \{ +; *\}\n$/)
  })

  test('has no file outside', async () => {
    const files = {'../outside.h': 'int a;', '/etc/outside.h': 'int b;', 'op_host/../inside.h': 'int c;'}
    const {directory} = await built({files})
    expect(existsSync(join(directory, '../outside.h'))).toBe(false)
    expect(existsSync('/etc/outside.h')).toBe(false)
  })
})

describe('a program that cannot be built', () => {
  const failed = (message: string) => ({
    ok: false,
    verdict: {
      outcome: 'compile-failed',
      diagnostics: [expect.objectContaining({severity: 'error', message}) as unknown],
      log: `error: ${message}\n`,
      executor: identity,
    },
  })

  test('lacks a definition or a kernel', async () => {
    const none = await built({files: {'op_host/add_custom.cpp': definition.replaceAll('AddCustom', 'Mul')}})
    expect(none.end).toEqual(failed('op_host/: no definition of AddCustom: expected `class AddCustom : public OpDef`'))
    expect(none.commands).toEqual([])
    const without = {'op_kernel/add_custom.cpp': null, 'op_kernel/x.cpp': 'int x;'}
    expect((await built({files: without})).end).toEqual(failed('op_kernel/: no kernel of AddCustom'))
    // What lies in another operator's folder is no kernel of this one.
    const other = {'a/op_kernel/add_custom.cpp': null, 'ab/op_kernel/add_custom.cpp': vector}
    expect((await built({folder: 'a', files: other})).end).toEqual(failed('op_kernel/: no kernel of AddCustom'))
  })

  test('says first what does not compile, then what does not link', async () => {
    const noHost = {'-c op_host': "op_host/add_custom.cpp:2:1: error: expected ';'\n"}
    const noLink = {'> kernel.so': 'undefined symbol: f\n'}
    const failing = await built({refusals: {...noHost, ...noLink}})
    expect(failing.end).toMatchObject({ok: false, verdict: {outcome: 'compile-failed', log: noHost['-c op_host']}})
    expect((await built({refusals: noLink})).end).toEqual({
      ok: false,
      verdict: {outcome: 'link-failed', log: 'undefined symbol: f\n', executor: identity},
    })
  })

  test('may miss a name that the twin lacks', async () => {
    const text = `${definition}using namespace platform_ascendc;\nint n = PlatformAscendC(1);\n`
    const line = text.split('\n').findIndex((one) => one.startsWith('int n')) + 1
    const said = `op_host/add_custom.cpp:${line}:9: error: use of undeclared identifier 'PlatformAscendC'\n`
    const files = {'op_host/add_custom.cpp': text}
    const {end} = await built({files, refusals: {'-c op_host': said}})
    expect(end).toEqual({
      ok: false,
      verdict: {outcome: 'not-covered', missing: ['PlatformAscendC'], executor: identity},
    })
  })
})
