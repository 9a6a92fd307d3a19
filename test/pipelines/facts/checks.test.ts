import {describe, expect, test} from 'vitest'
import {checkOf, isSilent} from '../../../pipelines/facts/checks.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import {flowOf} from '../../helpers/told-parts.ts'

const statementOf = async (text: string): Promise<Statement> =>
  (await flowOf(`void F() {\n${text}\n}\n`)).statements[0]!

describe('what a checking macro asks for, and what comes of it', () => {
  // Signatures of `op_error_check.h` and `log.h` of the open operator base.
  test.each<[text: string, kind: string, subjects: string[], result: string]>([
    ['OP_CHECK_NULL(x, return false);', 'not-null', ['x'], 'false'],
    ['OP_CHECK_NULL_WITH_CONTEXT(context, x);', 'not-null', ['x'], ''],
    ['OPS_CHECK_NULL_WITH_CONTEXT(context, x);', 'not-null', ['x'], ''],
    ['OP_CHECK_IF(a > 1, Log(a), return false);', 'fails', ['a > 1'], 'false'],
    ['OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE(a, return b, c);', 'fails', ['a'], 'b'],
    ['OP_CHECK_INFERSHAPE(a, return b, c);', 'fails', ['a'], 'b'],
    ['OP_TILING_CHECK(a, Log(a), return b);', 'fails', ['a'], 'b'],
    ['ASCENDC_HOST_ASSERT(a, return b, "c");', 'holds', ['a'], 'b'],
    ['CHECK_RET(a, return b);', 'holds', ['a'], 'b'],
    ['CHECK_COND(a, return b, "c");', 'holds', ['a'], 'b'],
    ['OP_CHECK_DTYPE_NOT_SUPPORT(x, list, return b);', 'dtype-in', ['x', 'list'], 'b'],
    ['OP_CHECK_DTYPE_NOT_MATCH(x, type, return b);', 'dtype-is', ['x', 'type'], 'b'],
    ['OP_CHECK_DTYPE_NOT_SAME(x, y, return b);', 'dtype-same', ['x', 'y'], 'b'],
    ['OP_CHECK_RESULT_DTYPE_CAST_FAILED(x, y, return b);', 'dtype-converts', ['x', 'y'], 'b'],
    ['OP_CHECK_SHAPE_NOT_EQUAL(x, y, return b);', 'shape-same', ['x', 'y'], 'b'],
    ['OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(x, y, return b);', 'shape-is', ['x', 'y'], 'b'],
    ['OP_CHECK_MAX_DIM(x, 8, return b);', 'dims-at-most', ['x', '8'], 'b'],
    ['OP_CHECK_MIN_DIM(x, 1, return b);', 'dims-at-least', ['x', '1'], 'b'],
    ['OP_CHECK_WRONG_DIMENSION(x, 2, return b);', 'dims-exactly', ['x', '2'], 'b'],
    ['OP_CHECK_BROADCAST(x, y, return b);', 'broadcast', ['x', 'y'], 'b'],
    ['OP_CHECK_BROADCAST_WITH_SHAPE(x, y, return b);', 'broadcast', ['x', 'y'], 'b'],
    ['OP_CHECK_BROADCAST_AND_INFER_SHAPE(x, y, z, return b);', 'broadcast-to', ['x', 'y', 'z'], 'b'],
  ])('%s', async (text, kind, subjects, result) => {
    const statement = await statementOf(text)
    const check = {kind, subjects, result}
    expect([false, true].map((isApi) => checkOf(statement, {isApi}))).toEqual([check, check])
  })

  test('one of the API alone says there what holds', async () => {
    const statement = await statementOf('OP_CHECK(a, Log(a), return b);')
    expect(checkOf(statement, {isApi: true})).toEqual({kind: 'holds', subjects: ['a'], result: 'b'})
    expect(checkOf(statement, {isApi: false})).toBe(undefined)
  })

  test.each([
    ['CHECK_RET(a);', ''],
    ['CHECK_RET(a, return);', 'return'],
  ])('%s gives nothing back', async (text, result) => {
    expect(checkOf(await statementOf(text), {isApi: false})).toEqual({kind: 'holds', subjects: ['a'], result})
  })

  test.each(['Check(a, b);', 'x.CHECK_RET(a, b);', 'OP_CHECK_MAX_DIM(x);', 'a = CHECK_RET(b, c);', 'return b;'])(
    'none is %s',
    async (text) => expect(checkOf(await statementOf(text), {isApi: true})).toBe(undefined),
  )
})

test.each<[text: string, is: boolean]>([
  ['OP_LOGE("a");', true],
  ['OPS_LOG_D("a");', true],
  ['L2_DFX_PHASE_1(a);', true],
  ['MY_LOGW("a");', true],
  ['KERNEL_LOG_ERROR("a");', true],
  ['TILING_LOG_INFO("a");', true],
  ['ASCENDC_OP_LOG("a");', true],
  ['printf("a");', true],
  ['Log("a");', false],
  ['fprintf(stderr, "a");', false],
  ['OP_CHECK_NULL(a, b);', false],
  ['return printf("a");', false],
])('only watched: %s is %s', async (text, is) => expect(isSilent(await statementOf(text))).toBe(is))

test('a call that says nothing is silent, one that is not read is not', () => {
  const call = (text: string) => ({kind: 'call', call: undefined, text}) as unknown as Statement
  expect([isSilent(call('')), isSilent(call('(*f)(a)'))]).toEqual([true, false])
})
