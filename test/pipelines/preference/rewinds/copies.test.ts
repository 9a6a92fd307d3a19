import {expect, test} from 'vitest'
import {copySteps} from '../../../../pipelines/preference/rewinds/copies.ts'
import {firstAndReversed} from '../variants/chance.ts'
import {taking} from './taking.ts'

const taken = taking(copySteps, 'op_kernel/a.cpp')
const shape = (rows: string, count = 'n', type = 'T') =>
  `DataCopyExtParams p{${rows}, static_cast<uint32_t>(${count} * sizeof(${type})), 0, 0, 0};\n`

test('split-copies: a copy of a count becomes a loop of copies of 256 elements', () => {
  expect(
    taken('split-copies', '    DataCopy(x, xGm_[i], t.n);\n'),
  ).toBe(`    for (uint32_t part = 0; part < t.n; part += 256) {
        DataCopy(x[part], xGm_[i][part], t.n - part < 256 ? t.n - part : 256);
    }
`)
})

test('split-copies: pieces may have 512 elements', () => {
  const last = {...firstAndReversed, pick: <T>(items: readonly T[]) => items.at(-1) as T}
  expect(taken('split-copies', 'DataCopy(x, xGm_, n);', last)).toBe(`for (uint32_t part = 0; part < n; part += 512) {
    DataCopy(x[part], xGm_[part], n - part < 512 ? n - part : 512);
}`)
})

test('split-copies: a copy by parameters has parameters for each part', () => {
  expect(taken('split-copies', `${shape('1', 'm', 'half')}  DataCopyPad(yGm_[i], y, p, q, r);`)).toBe(
    `${shape('1', 'm', 'half')}  for (uint32_t part = 0; part < m; part += 256) {
      const uint32_t length = m - part < 256 ? m - part : 256;
      const DataCopyExtParams partParams{1, static_cast<uint32_t>(length * sizeof(half)), 0, 0, 0};
      DataCopyPad(yGm_[i][part], y[part], partParams, q, r);
  }`,
  )
})

test.each([
  ['n / 2 elements', 'DataCopy(x, xGm_, n / 2);'],
  ['a call for a count', 'DataCopy(x, xGm_, F(n));'],
  ['parameters that are not declared', 'DataCopyPad(x, xGm_, p);'],
  ['parameters of a caller', 'DataCopy(x, xGm_, params);'],
  ['parameters in the call', 'DataCopyPad(x, xGm_, {1, 2, 0, 0, 0});'],
  ['rows', `${shape('static_cast<uint16_t>(rows)')}DataCopyPad(x, xGm_, p);`],
  ['two rows', `${shape('2')}DataCopyPad(x, xGm_, p);`],
  ['a count that is computed', `${shape('1', '(n + 1)')}DataCopyPad(x, xGm_, p);`],
  ['a gap', `${shape('1').replace('0, 0, 0', '0, 1, 0')}DataCopyPad(x, xGm_, p);`],
  ['parameters that are declared later', `DataCopyPad(x, xGm_, p);\n${shape('1')}`],
  ['a copy within UB', 'DataCopy(x, y, n);'],
  ['a copy within GM', 'DataCopy(xGm, out_global, n);'],
  ['a copy of what it is not told', 'DataCopy(x, xGm_);'],
  ['a function of the operator', 'DataCopyCustom(x, xGm_, n);'],
  ['a value', 'ok = DataCopy(x, xGm_, n);'],
])('split-copies leaves %s', (_, text) => expect(taken('split-copies', text)).toBeUndefined())

const lines = (to: string, from: string, rest = '') => `for (uint32_t line = 0; line < rows; ++line) {
    const DataCopyExtParams lineParams{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
    DataCopyPad(${to}, ${from}, lineParams${rest});
}`
const inUb = 'line * ((n * sizeof(T) + 31) / 32 * 32 / sizeof(T))'
const inGm = 'static_cast<uint64_t>(line) * n'
const many = shape('static_cast<uint16_t>(rows)')

test('copies-row-by-row: lines lie at whole blocks in UB and close together in GM', () => {
  expect(taken('copies-row-by-row', `${many}DataCopyPad(x, xGm_[i], p, q);`)).toBe(
    many + lines(`x[${inUb}]`, `xGm_[i][${inGm}]`, ', q'),
  )
  expect(taken('copies-row-by-row', `${many}DataCopyPad(yGm_, y, p);`)).toBe(
    many + lines(`yGm_[${inGm}]`, `y[${inUb}]`),
  )
})

test.each([
  ['one row', `${shape('1')}DataCopyPad(x, xGm_, p);`],
  ['a copy of a count', `${many}DataCopy(x, xGm_, p);`],
  ['a copy within UB', `${many}DataCopyPad(x, y, p);`],
  ['rows that are a number', `${shape('8')}DataCopyPad(x, xGm_, p);`],
  ['rows that are computed', `${shape('static_cast<uint16_t>(a + b)')}DataCopyPad(x, xGm_, p);`],
  ['another shape nearer by', `${many}${shape('1')}DataCopyPad(x, xGm_, p);`],
])('copies-row-by-row leaves %s', (_, text) => expect(taken('copies-row-by-row', text)).toBeUndefined())

test('copied-in-twice: one copy from GM is made again behind a barrier', () => {
  expect(taken('copied-in-twice', '  DataCopy(x, xGm_, n);\n  DataCopy(y, yGm_, n);\n')).toBe(
    '  DataCopy(x, xGm_, n);\n  PipeBarrier<PIPE_MTE2>();\n  DataCopy(x, xGm_, n);\n  DataCopy(y, yGm_, n);\n',
  )
  expect(taken('copied-in-twice', 'DataCopy(yGm_, y, n); DataCopy(x, y, n); DataCopy(xGm_, yGm_, n);')).toBeUndefined()
})

test.each(['split-copies', 'copies-row-by-row', 'copied-in-twice'])('%s is no step of the host', (step) => {
  const host = taking(copySteps, 'op_host/a.cpp')
  expect(host(step, `${many}DataCopyPad(x, xGm_, p); DataCopy(x, xGm_, n);`)).toBeUndefined()
})
