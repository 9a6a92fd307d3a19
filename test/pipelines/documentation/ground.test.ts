import {describe, expect, test} from 'vitest'
import ground, {findUngrounded} from '../../../pipelines/documentation/ground.ts'
import {runStage} from '../../helpers/run-stage.ts'

const page =
  'Add把两个LocalTensor相加。起始地址需要32字节对齐，repeatTime取值范围是[0, 255]，空间共192KB。\n```cpp\nAscendC::Add(dst, src0, src1, 512);\n```'
const check = (answer: string, question = 'Add怎样使用？') => findUngrounded(question, answer, page)

describe('findUngrounded', () => {
  test.each([
    '地址需要32字节对齐。',
    'The address must be 32-byte aligned.',
    '32B对齐',
    'Unified Buffer有196608字节。',
    '32字节等于16个half元素。',
    'repeatTime最大为255次。',
    '```cpp\nAscendC::Add(dst, a, b, 512);\n```',
    '```cpp\nclass KernelMine { void Helper() {} };\n```',
    '一句没有名字和数字的话。',
  ])('accepts %j', (answer) => {
    expect(check(answer)).toBeUndefined()
  })

  test.each([
    ['需要调用PipeBarrier。', 'name-not-in-page', 'PipeBarrier'],
    ['用`Muls`代替。', 'name-not-in-page', 'Muls'],
    ['类型是bfloat16_x2_t。', 'name-not-in-page', 'bfloat16_x2_t'],
    ['```cpp\nAscendC::AddExtra(dst, a, b, 512);\n```', 'name-not-in-page', 'AddExtra'],
    ['地址需要48字节对齐。', 'number-not-in-page', '48 bytes'],
    ['The address must be 512-byte aligned.', 'number-not-in-page', '512 bytes'],
    ['需要64字节对齐。', 'number-not-in-page', '64 bytes'],
    ['空间共256KB。', 'number-not-in-page', '256 KB'],
  ])('refuses %j as %s', (answer, reason, detail) => {
    expect(check(answer)).toEqual({reason, detail})
  })

  test('takes a number from a table whose header has the unit', () => {
    expect(findUngrounded('', '容量是192 KB。', '| 名称 | 容量（KB） |\n| --- | --- |\n| UB | 192 |')).toBeUndefined()
  })

  test('lets an answer use the names and numbers of its question', () => {
    expect(check('不支持bfloat16_x2_t，1000字节太多。', '支持bfloat16_x2_t吗？1000字节呢？')).toBeUndefined()
  })

  test('lets an answer count the bits of a type and the calls that a number takes', () => {
    const typed = 'repeatTime是const uint8_t类型。'
    const said = (answer: string) => findUngrounded('repeatTime取300可以吗？', answer, typed)
    expect(said('类型只有8位，要分成2次调用。')).toBeUndefined()
    expect(said('类型只有16位。')?.detail).toBe('16 bits')
    expect(said('要分成3次调用。')?.detail).toBe('3 times')
  })

  test('reads escaped and encoded names of the page', () => {
    expect(findUngrounded('', '`dst_rep_stride`', 'dst\\_rep\\_stride')).toBeUndefined()
  })
})

describe('ground', () => {
  const sample = (answer: string) => ({
    sample: {
      kind: 'documentation' as const,
      prompt: 'Add怎样使用？',
      reasoning: 'r',
      answer,
      files: [],
      language: 'zh' as const,
      origin: {repository: 'r', revision: 'v', path: 'p', licence: 'Apache-2.0'},
      teacher: {kind: 'model' as const, model: 'm'},
      stages: {'documentation-cot': 1},
    },
    reference: page,
  })

  test('keeps what the page bears out and says what it does not', async () => {
    const {outputs, dropped} = await runStage(ground(), [
      sample('32字节对齐。'),
      sample('64字节对齐。'),
      sample('调用SyncAll。'),
    ])
    expect(outputs.map(({answer, stages}) => [answer, stages['documentation-ground']])).toEqual([['32字节对齐。', 3]])
    expect(dropped).toEqual([
      {reason: 'number-not-in-page', detail: '64 bytes'},
      {reason: 'name-not-in-page', detail: 'SyncAll'},
    ])
  })
})
