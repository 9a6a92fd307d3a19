import {describe, expect, test} from 'vitest'
import {statementsOf} from '../../../pipelines/facts/code-statements.ts'
import {nthWording, said as inWords} from '../../helpers/nth-wording.ts'
import {blockReason, orderReason} from '../../../pipelines/correction/offline/step-reasons.ts'

const scene = (text: string, errors: string[] = []) => ({
  apis: new Map(),
  failed: [{path: 'k', text}],
  right: [],
  errors,
  log: '',
})
const textOf = (given: ReturnType<typeof orderReason>) => {
  const reason = inWords(given, nthWording('en'))
  return reason ? `${reason.fromCode ? '' : '? '}${reason.fault} ${reason.why}` : 'nothing'
}

/** What is said of a statement that passes others on its way, to a later place or an earlier one. */
function moved(text: string, passed: string, isLater: boolean): string {
  const [statement] = statementsOf(text)
  if (!statement) throw new Error('no statement')
  const edit = {path: 'k', line: 1, kind: 'moved', statement, to: 9, isLater, passed: statementsOf(passed)} as const
  return textOf(orderReason(edit))
}

const never = 'Both are in one program: the flag can only be set after the wait, which therefore never ends.'
const enQue =
  '`x` is put into `q` before `f(x);`, which still works on it. EnQue says that the tensor is complete: the next ' +
  'step may take it from then on, and nothing else may touch it.'
const free =
  '`x` is given back to `q` before `f(x);`, which still uses it. After FreeTensor the queue may give the block ' +
  "to the next tile, and its contents are no longer this tile's."
const flags = `\`WaitFlag(0);\` comes before \`SetFlag(0);\`, which it waits for. ${never}`

describe('a statement that comes too early or too late', () => {
  test.each<[string, string, boolean, string]>([
    ['q.EnQue(x);', 'g(); f(x);', true, enQue],
    ['q.EnQue(x);', 'f(x);', false, 'nothing'],
    ['q.EnQue(x);', 'f(y); f(a.x); f(xx);', true, 'nothing'],
    ['q.FreeTensor(x);', 'f(x); g(x);', true, free],
    ['q.FreeTensor(x);', 'f(x);', false, 'nothing'],
    ['q.FreeTensor(x);', 'f(y);', true, 'nothing'],
    ['q.FreeTensor();', 'f();', true, 'nothing'],
    ['q.Other(x);', 'f(x);', true, 'nothing'],
    ['WaitFlag(0);', 'g(); SetFlag(0);', true, flags],
    ['WaitFlag(0);', 'SetFlag(0);', false, 'nothing'],
    ['WaitFlag(0);', 'g();', true, 'nothing'],
    ['SetFlag(0);', 'g(); WaitFlag(0);', false, flags],
    ['SetFlag(0);', 'WaitFlag(0);', true, 'nothing'],
    ['SetFlag(0);', 'g();', false, 'nothing'],
    ['f(0);', 'WaitFlag(0);', false, 'nothing'],
    ['f(0);', 'SetFlag(0);', true, 'nothing'],
    ['a = 1;', 'f(a);', true, 'nothing'],
  ])('%s passes %s, later: %s', (text, passed, isLater, reason) => expect(moved(text, passed, isLater)).toBe(reason))
})

describe('a name that is declared in a block and used after it', () => {
  const missed = ["use of undeclared identifier 'n'"]
  const said = (name: string, use: number, line = 2) =>
    `\`${name}\` is declared inside the block that \`if (a) {\` opens, but used after it, in line ${use}. A name ` +
    `ends with its block, so the declaration in line ${line} has to be outside.`
  function reason(inner: string, after: string, errors = missed): string {
    const text = `g(n);\nif (a) {\n${inner}\n}\n${after}`
    const [, head, ...rest] = statementsOf(text)
    const close = rest.findIndex((one) => one.text === '}')
    if (!head) throw new Error('no head')
    const edit = {path: 'k', line: 2, kind: 'unwrapped', head, inner: rest.slice(0, close)} as const
    return textOf(blockReason(edit, scene(text, errors)))
  }
  test.each([
    ['uint32_t n = 1;', 'f(n);', said('n', 5, 3)],
    ['const LocalTensor<T> n{1};', 'h();\nf(n);', said('n', 6, 3)],
    ['auto& n = x;', 'f(n);', said('n', 5, 3)],
    ['h(1);\nint n;', 'f(n);', said('n', 6, 4)],
    ['uint32_t n = 1; }', 'f(n);', said('n', 5, 3)],
    ['uint32_t n = 1;', 'f(m);', 'nothing'],
    ['uint32_t n = 1;', 'f(a.n, nn);', 'nothing'],
    ['n = 1;', 'f(n);', 'nothing'],
    ['uint32_t n = 1;\nf(n);', 'h();', 'nothing'],
  ])('%s … %s', (inner, after, text) => expect(reason(inner, after)).toBe(text))
  test('is told where the compiler misses it', () => {
    expect(reason('uint32_t n = 1;', 'f(n);', ["use of undeclared identifier 'm'"])).toBe('nothing')
    expect(reason('uint32_t m = 1;\nuint32_t n = 1;', 'f(m, n);')).toBe(said('n', 6, 4))
  })
})
