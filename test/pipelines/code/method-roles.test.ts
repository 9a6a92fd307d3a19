import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {beforeAll, describe, expect, test} from 'vitest'
import {OperatorSource} from '../../../datasets/schema/operator.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'

const bringing = 'DataCopy(xLocal, xGm[0], 8);'
const taking = 'DataCopy(yGm[0], yLocal, 8);'
const inside = 'DataCopy(yLocal, xLocal, 8);'
const computing = 'Add(yLocal, xLocal, xLocal, 8);'

/** Names of methods, what they do and what they are for. */
const methods: [string, string, string][] = [
  ['Init', bringing, 'init'],
  ['initQueues', '', 'init'],
  ['InitValue', '', 'other'],
  ['InitDefaultValues', bringing, 'copy-in'],
  ['Reinit', '', 'other'],
  ['Process', bringing, 'process'],
  ['PROCESS', '', 'process'],
  ['ProcessTile', '', 'other'],
  ['Preprocess', computing, 'compute'],
  ['CopyIn', '', 'copy-in'],
  ['Copy_In_Tile', taking, 'copy-in'],
  ['copyin', computing, 'copy-in'],
  ['LoadTile', '', 'copy-in'],
  ['ReadTile', computing, 'copy-in'],
  ['Upload', '', 'other'],
  ['Spread', '', 'other'],
  ['Fetch', bringing, 'copy-in'],
  ['FetchAndAdd', bringing + computing, 'copy-in'],
  ['Exchange', bringing + taking, 'other'],
  ['ExchangeSums', bringing + taking + computing, 'compute'],
  ['Rearrange', inside, 'other'],
  ['RearrangeFetched', bringing + inside, 'other'],
  ['RearrangeDrained', taking + inside, 'other'],
  ['CopyOut', '', 'other'],
  ['CopyOutTail', bringing + taking, 'copy-out'],
  ['Copy_Out', inside, 'copy-out'],
  ['CopyOutFetched', bringing, 'copy-in'],
  ['StoreTile', '', 'other'],
  ['StoreSum', computing, 'compute'],
  ['StoreBoth', bringing + taking, 'copy-out'],
  ['WriteBoth', bringing + taking, 'copy-out'],
  ['Restore', bringing + taking, 'other'],
  ['Rewrite', bringing + taking, 'other'],
  ['Drain', taking, 'copy-out'],
  ['DrainSum', taking + computing, 'copy-out'],
  ['Compute', '', 'compute'],
  ['calcTile', '', 'compute'],
  ['Recompute', '', 'other'],
  ['Recalc', '', 'other'],
  ['Apply', computing, 'compute'],
  ['ApplyNamed', `AscendC::${computing}`, 'compute'],
  ['ApplyOther', `helper.${computing}`, 'other'],
  ['Finish', 'Later(yLocal, xLocal, 8);', 'other'],
]

/** Free functions, which are entries when they take two addresses at least, and nothing else. */
const functions: [string, string, string][] = [
  ['two', 'void two(GM_ADDR x, GM_ADDR y)', 'entry'],
  ['bytes', 'void bytes(uint8_t* x, uint8_t* y)', 'entry'],
  ['mixed', 'void mixed(GM_ADDR x, uint8_t* y, half* z, float* a, int32_t* b)', 'entry'],
  ['one', 'void one(GM_ADDR x, half* y)', 'other'],
  ['none', 'void none()', 'other'],
  ['counted', 'void counted(GM_ADDR x, GM_ADDR y, uint32_t n)', 'other'],
  ['giving', 'int giving(GM_ADDR x, GM_ADDR y)', 'other'],
  // What is launched is an entry whatever it takes.
  ['launched', '__global__ __aicore__ void launched(uint32_t n)', 'entry'],
]

let facts: KernelFacts
beforeAll(async () => {
  const text = [
    '#include "kernel_operator.h"\nusing namespace AscendC;\nclass Kernel {\npublic:',
    ...methods.map(([name, body]) => `    __aicore__ inline void ${name}(uint32_t n)\n    {\n        ${body}\n    }`),
    '    __aicore__ inline void launched(uint32_t n)\n    {\n        n += 1;\n    }',
    '    __aicore__ inline void addresses(GM_ADDR x, GM_ADDR y)\n    {\n    }',
    'private:\n    GlobalTensor<half> xGm;\n    GlobalTensor<half> yGm;\n    LocalTensor<half> xLocal;',
    '    LocalTensor<half> yLocal;\n};',
    ...functions.map(([, head]) => `${head}\n{\n}`),
  ].join('\n')
  facts = await kernelFacts(
    OperatorSource.parse({
      origin: {repository: 'r', revision: '1', path: 'k/op_kernel/k.cpp', licence: 'Apache-2.0'},
      operator: 'K',
      role: 'kernel',
      side: 'kernel',
      target: {path: 'op_kernel/k.cpp', text},
      dependencies: [],
      externalIncludes: [],
      flattened: text,
      tiling: '',
      dtypes: {},
    }),
  )
})

const rolesOf = (name: string, owner: string) =>
  facts.methods.filter(({syntax}) => syntax.name === name && syntax.owner === owner).map(({role}) => role)

describe('the role of a method goes by its name, else by what it copies and computes', () => {
  test.each(methods)('%s { %s } is %s', (name, _body, role) => {
    expect(rolesOf(name, 'Kernel')).toEqual([role])
  })
})

describe('entries are free functions of addresses, or what is launched', () => {
  test.each(functions)('%s: %s is %s', (name, _head, role) => {
    expect(rolesOf(name, '')).toEqual([role])
  })

  test('a method is none, whatever it takes and is called', () => {
    expect([rolesOf('addresses', 'Kernel'), rolesOf('launched', 'Kernel')]).toEqual([['other'], ['other']])
    expect(facts.entries.map(({name}) => name)).toEqual(['two', 'bytes', 'mixed', 'launched'])
  })
})
