import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {disagreements} from '../../../pipelines/facts/agreement.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {kernelRequest} from '../../../pipelines/code/offline/kernel-request.ts'
import {voice} from '../../../datasets/voice.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

test('a comparison states no value', () => {
  const code = {text: 'constexpr int BLOCK_SIZE = 32;\nbool isOld;', constants: new Map([['BLOCK_SIZE', 32]])}
  expect(disagreements('Refused where `BLOCK_SIZE == 0`.', code)).toEqual([])
  expect(disagreements('`BLOCK_SIZE` = 0.', code)).toHaveLength(1)
  expect(disagreements('`x = isOld ? BLOCK_SIZE : 0`', code)).toEqual([])
})

describe('the request says what the operator computes', () => {
  const purpose = {text: '把输入加倍。', formulas: ['y = 2x']}
  const request = async (language: 'en' | 'zh', given = purpose) => {
    const text =
      'class K {\npublic:\nvoid Compute(LocalTensor<float> a, LocalTensor<float> b) { Muls(a, b, 2.0f, n); }\n};'
    const changed = {...source, purpose: given, side: 'kernel' as const, dependencies: [], target: {path: 'a.h', text}}
    return kernelRequest(changed, await kernelFacts(changed), voice(language, randomFrom('claims')))
  }

  test('in the words of its documentation, in the language of the request', async () => {
    expect(await request('zh')).toContain('把输入加倍，文档给出的公式为 $y = 2x$。')
    expect(await request('en')).toContain('documented as $y = 2x$.')
    expect(await request('en')).not.toMatch(/[\u4e00-\u9fff]/)
  })

  test('and by its instructions where no documentation can be read', async () => {
    expect(await request('en', {text: '把输入加倍。', formulas: []})).toContain('`Muls`')
  })
})
