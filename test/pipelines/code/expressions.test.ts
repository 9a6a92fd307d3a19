import {describe, expect, test} from 'vitest'
import {evaluate, type Scope} from '../../../pipelines/code/expressions.ts'

const scope: Scope = {constants: new Map([['N', 7]]), types: new Map([['T', 2]])}

describe('a constant expression has the value that C++ gives it', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['100 / 7 / 2', 7],
    ['-7 / 2', -3],
    ['17 % 5 * 2', 4],
    ['1 << 2 + 3', 32],
    ['1 + 2 << 3', 24],
    ['64 >> 1 << 3', 256],
    ['32 - 8 >> 2', 6],
    ['N / 1', 7],
    ['N % 1', 0],
    ['sizeof(T) * N', 14],
    ['sizeof(int64_t) + sizeof(bool)', 9],
    ['0x10u + 1UL', 17],
    ['static_cast<uint32_t>(N * 2)', 14],
    ['--N', 7],
  ])('%s', (expression, value) => expect(evaluate(expression, scope)).toBe(value))
})

describe('it has none', () => {
  test.each(['', 'M', 'N / 0', 'N % 0', 'sizeof(U)', '1 +', '(1', '1)', '1 2', '* 2', 'N ? 1 : 2', '1.5'])(
    'for %j',
    (expression) => expect(evaluate(expression, scope)).toBeUndefined(),
  )
})
