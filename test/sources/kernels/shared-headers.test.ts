import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {CheckoutFiles} from '../../../sources/kernels/checkout-files.ts'
import {sharedHeaders, sideOf, type Surroundings} from '../../../sources/kernels/shared-headers.ts'
import {tilingDeclarations} from '../../../sources/kernels/flatten.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** A checkout of these files, in a folder beside which others may lie. */
async function checkoutOf(files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(await temporaryFolder(), 'repository')
  for (const [path, text] of Object.entries({LICENSE: '', ...files})) {
    mkdirSync(dirname(join(root, path)), {recursive: true})
    writeFileSync(join(root, path), text)
  }
  return root
}

describe('headers of the repository', () => {
  const base = 'math/add'
  /** What a kernel file of `math/add` that begins so is given besides, by path. */
  const shared = async (
    text: string,
    files: Record<string, string>,
    part: Partial<Surroundings> = {},
    of = 'op_kernel/add.cpp',
  ) => {
    const root = await checkoutOf({[`${base}/${of}`]: text, ...files})
    const around = {root, base: join(root, base), byEnding: () => undefined, absent: new Set<string>(), ...part}
    return (await sharedHeaders([{path: of, text}], around)).map(({path}) => path)
  }

  test('are told from namesakes that a library has in other folders', async () => {
    const files = {
      'math/add/tile/copy.h': '#include "lib/conv/tile/copy.h"\n',
      'include/lib/conv/tile/copy.h': 'int conv;\n',
    }
    expect(await shared('#include "../tile/copy.h"\n', files)).toEqual([
      'tile/copy.h',
      '../../include/lib/conv/tile/copy.h',
    ])
  })

  test.each([
    ['beside the file', '"a.h"', `${base}/op_kernel/a.h`, 'op_kernel/a.h'],
    ['by the way from it', '"../../../common/x.h"', 'common/x.h', '../../common/x.h'],
    ['from the top', '"math/mul/op_kernel/x.h"', 'math/mul/op_kernel/x.h', '../mul/op_kernel/x.h'],
    ['in common', '"x.h"', 'common/x.h', '../../common/x.h'],
    ['in common/inc', '"x.h"', 'common/inc/x.h', '../../common/inc/x.h'],
    ['for kernels', '"x.h"', 'common/include/kernel/x.h', '../../common/include/kernel/x.h'],
    ['in common/include', '"x.h"', 'common/include/x.h', '../../common/include/x.h'],
    ['of hosts', '"x.h"', 'common/inc/op_host/x.h', '../../common/inc/op_host/x.h'],
    ['of kernels', '"x.h"', 'common/inc/op_kernel/x.h', '../../common/inc/op_kernel/x.h'],
    ['in inc', '"x.h"', 'inc/x.h', '../../inc/x.h'],
    ['in include', '"x.h"', 'include/x.h', '../../include/x.h'],
    [
      'of a family, though the SDK has such a folder',
      '"tiling/x.h"',
      'math/common/inc/tiling/x.h',
      '../common/inc/tiling/x.h',
    ],
    ['as installed beside it', '"../mul/x.h"', 'math/mul/op_kernel/x.h', '../mul/op_kernel/x.h'],
    ['as installed in inc', '"../inc/x.h"', 'common/inc/op_kernel/x.h', '../../common/inc/op_kernel/x.h'],
  ])('are found %s', async (_, name, at, path) => {
    expect(await shared(`#include ${name}\n`, {[at]: ''})).toEqual([path])
  })

  test('are read with those that they include, each once', async () => {
    const files = {'common/a.h': '#include "b.h"\n#include "a.h"\n', 'common/b.h': '#include "a.h"\n'}
    expect(await shared('#include "a.h"\n#include "b.h"\n', files)).toEqual(['../../common/a.h', '../../common/b.h'])
    const own = {path: 'op_kernel/own.h', text: ''}
    const root = await checkoutOf({'op_kernel/own.h': 'from the disk'})
    const around = {root, base: root, byEnding: () => undefined, absent: new Set<string>()}
    const files2 = [{path: 'op_kernel/a.cpp', text: '#include "own.h"\n'}, own]
    expect(await sharedHeaders(files2, around), 'what is given is not read again').toEqual([])
  })

  test('of the checkout come before those of a family, and those of another family never', async () => {
    const [own, near, far] = ['common/inc/tiling/x.h', 'math/common/inc/tiling/x.h', 'nn/common/inc/tiling/x.h']
    const include = '#include "tiling/x.h"\n'
    expect(await shared(include, {[own]: '', [near]: ''})).toEqual([`../../${own}`])
    expect(await shared(include, {[far]: ''})).toEqual([])
  })

  test.each(['<x.h>', '<vector>', '"kernel_operator.h"', '"gone.h"'])('are none for %s', async (name) => {
    const files = {'common/x.h': '', 'common/vector': '', 'common/kernel_operator.h': ''}
    expect(await shared(`#include ${name}\n`, files)).toEqual([])
  })

  test('are those that the chip compiles', async () => {
    const text = '#if __CCE_AICORE__ == 200\n#include "x.h"\n#endif\n'
    expect(await shared(text, {'common/x.h': ''})).toEqual([])
    expect(await shared(text.replace('200', '220'), {'common/x.h': ''})).toEqual(['../../common/x.h'])
  })

  test('are looked for by the end of their path at last', async () => {
    const files = {'deep/down/x.h': '', 'common/y.h': ''}
    const root = await checkoutOf(files)
    const asked: string[] = []
    const byEnding = (name: string, near: string) => {
      asked.push(`${name} ${near}`)
      return join(root, 'deep/down/x.h')
    }
    const around = {root, base: join(root, base), byEnding, absent: new Set<string>()}
    const of = (text: string) => sharedHeaders([{path: 'op_kernel/a.cpp', text}], around)
    expect((await of('#include "x.h"\n')).map(({path}) => path)).toEqual(['../../deep/down/x.h'])
    expect(asked).toEqual([`x.h ${join(root, base, 'op_kernel/a.cpp')}`])
    await of('#include "y.h"\n#include "kernel_operator.h"\n')
    expect(asked).toHaveLength(1)
    expect(around.absent.has(join(root, 'x.h'))).toBe(true)
    writeFileSync(join(root, 'common/inc.h'), '')
    around.absent.add(join(root, 'common/inc.h'))
    around.byEnding = () => undefined as never
    expect(await of('#include "inc.h"\n'), 'what was absent once is not looked for again').toEqual([])
  })

  test('never lie outside of it', async () => {
    const root = await checkoutOf({'common/real.h': ''})
    writeFileSync(join(root, '../secret.h'), 'secret')
    symlinkSync(join(root, '../secret.h'), join(root, 'common/link.h'))
    symlinkSync(join(root, 'common/real.h'), join(root, 'common/inner.h'))
    const around = {root, base: root, byEnding: () => undefined, absent: new Set<string>()}
    const of = async (name: string) =>
      (await sharedHeaders([{path: 'op_kernel/a.cpp', text: `#include "${name}"\n`}], around)).map(({path}) => path)
    expect(await of('../../secret.h')).toEqual([])
    expect(await of('link.h')).toEqual([])
    expect(await of('inner.h')).toEqual(['common/inner.h'])
  })

  test('belong to the side that the path names', () => {
    expect(['op_host/a.cpp', '../x/op_host/a.h', 'op_kernel/a.h', 'my_op_host/a.h'].map(sideOf)).toEqual([
      ...['host', 'host'],
      ...['kernel', 'kernel'],
    ])
  })
})

describe('the files of a checkout', () => {
  const files = ['a/x.h', 'a/b/y.h', 'c/b/y.h', 'c/op_api/z.h', 'c/arch35/w.h', 'd/README.md', 'c/d/inner/y.h']
  const byEnding = (name: string, near: string) => {
    const found = new CheckoutFiles('/r', files).byEnding(name, resolve('/r', near))
    return found?.slice('/r/'.length)
  }

  test.each([
    ['x.h', 'c/a.cpp', 'a/x.h'],
    ['../../x.h', 'c/a.cpp', 'a/x.h'],
    ['b/y.h', 'a/a.cpp', 'a/b/y.h'],
    ['b/y.h', 'c/a.cpp', 'c/b/y.h'],
    ['b/y.h', 'e/a.cpp', undefined],
    ['y.h', 'c/d/a.cpp', 'c/d/inner/y.h'],
    ['inner/y.h', 'a/a.cpp', 'c/d/inner/y.h'],
    ['ner/y.h', 'a/a.cpp', undefined],
    ['z.h', 'c/a.cpp', undefined],
    ['w.h', 'c/a.cpp', undefined],
    ['README.md', 'c/a.cpp', undefined],
    ['gone.h', 'c/a.cpp', undefined],
  ])('%s near %s is %s', (name, near, found) => {
    expect(byEnding(name, near)).toBe(found)
  })

  test('register tilings of operators, wherever they lie', async () => {
    const texts = {
      'a/op_host/t.cpp': 'REGISTER_TILING_DATA_CLASS(Add, AddTiling)\nREGISTER_TILING_DATA_CLASS(Add, OtherTiling)\n',
      'op_host/u.cpp': '// REGISTER_TILING_DATA_CLASS(Mul, MulTiling)\nIMPL_OP_OPTILING(Sub).Tiling(f);\n',
      'b/op_host/v.cpp': 'IMPL_OP_OPTILING( Add );\n',
      'b/op_kernel/w.cpp': 'IMPL_OP_OPTILING(Div);\n',
    }
    const checkout = new CheckoutFiles(await checkoutOf(texts), Object.keys(texts))
    expect(await checkout.tilingOf('Add')).toEqual(['a/op_host/t.cpp', 'b/op_host/v.cpp'])
    expect(await checkout.tilingOf('Sub')).toEqual(['op_host/u.cpp'])
    for (const operator of ['Mul', 'Div']) expect(await checkout.tilingOf(operator)).toEqual([])
  })
})

describe('tilings that the host declares', () => {
  const declared = (...texts: string[]) =>
    tilingDeclarations(texts.map((text, at) => ({path: `op_host/${at}.h`, text}))).split('\n')
  const block = (name: string, ...fields: string[]) => [
    `BEGIN_TILING_DATA_DEF(${name})`,
    ...fields.map((field) => `TILING_DATA_FIELD_DEF${field};`),
    'END_TILING_DATA_DEF;',
  ]

  test('stand once, behind what they contain, with constants before and registrations behind', () => {
    const text = [
      ...block('Outer', '_STRUCT(Inner, inner)', '_ARR(int, CORES, a)', '_ARR(int, 8, b)', '_ARR(int, MOST, c)'),
      ...block('Inner', '(float, x)'),
      ...block('Loop', '_STRUCT(Loop, self)', '_STRUCT(Gone, gone)'),
      'REGISTER_TILING_DATA_CLASS(Add, Outer)',
    ].join('\n')
    const constants = '  static constexpr  uint32_t CORES = 48;\n#define MOST 64\nconst int UNUSED = 1;\n'
    expect(declared(`${text}\n// BEGIN_TILING_DATA_DEF(No)\n`, constants, text)).toEqual([
      'static constexpr uint32_t CORES = 48;',
      '#define MOST 64',
      ...block('Inner', '(float, x)'),
      ...block('Outer', '_STRUCT(Inner, inner)', '_ARR(int, CORES, a)', '_ARR(int, 8, b)', '_ARR(int, MOST, c)'),
      ...block('Loop', '_STRUCT(Loop, self)', '_STRUCT(Gone, gone)'),
      'REGISTER_TILING_DATA_CLASS(Add, Outer);',
    ])
    expect(declared('int a;')).toEqual([''])
  })
})
