import {expect, test} from 'vitest'
import {corePlaces} from '../../../pipelines/facts/core-places.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'

/** Places told of a kernel whose `Init` has this body. */
async function told(body: string): Promise<string[]> {
  const flattened = `class Kernel {\n  __aicore__ inline void Init()\n  {\n    ${body}\n  }\n};\n`
  const target = {path: 'op_kernel/op.cpp', text: flattened}
  const origin = {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'}
  return corePlaces(
    await kernelFacts({
      ...{origin, operator: 'Op', side: 'kernel', role: 'kernel', target, flattened},
      ...{dependencies: [], externalIncludes: [], tiling: '', dtypes: {}},
    }),
  )
}

test('a place is the index of a core times a share', async () => {
  expect(await told('start_ = GetBlockIdx() * share;')).toEqual(['start_ = GetBlockIdx() * share'])
  expect(await told('this->block = GetBlockIdx();\nstart = share * block;')).toEqual(['start = share * block'])
})

test.each([
  ['a length', 'remainderLength = total - share * GetBlockIdx();'],
  ['the number of cores', 'cores = GetBlockNum();\nwork = workspace + cores * 8;'],
  ['what is assigned again', 'start = GetBlockIdx() * big;\nstart = GetBlockIdx() * small;'],
  ['what only some cores do', 'if (GetBlockIdx() < tail) {\nstart = GetBlockIdx() * big;\n}'],
  ['what is added', 'start += GetBlockIdx() * share;'],
])('%s is none', async (_, body) => {
  expect(await told(body)).toEqual([])
})
