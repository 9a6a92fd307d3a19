import {describe, expect, test} from 'vitest'
import type {CompileError} from '../../../pipelines/correction/compile-error.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import type {FailureFacts} from '../../../pipelines/correction/failure-facts.ts'
import type {Observation} from '../../../pipelines/correction/observation.ts'
import {answerOf, reasoningOf} from '../../../pipelines/correction/offline/correction-text.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import type {Fault} from '../../../pipelines/correction/offline/explanation.ts'

const english = nthWording('en')
const path = 'op_kernel/k.cpp'
const reason = (right = 'a', why: readonly string[] = ['init-buffer-why']) => ({
  fault: [{topic: 'name-reasons', situation: 'called', values: {right}}],
  why: why.map((situation) => ({topic: 'missing-reasons', situation, values: {}})),
  fromCode: true,
})
const why = 'Nothing can be allocated from it before that.'
/** The step between two texts, with a reason. */
function fault(before: string, after: string, because = reason()): Fault {
  const [edit] = editsBetween([{path, text: before}], [{path, text: after}])
  if (!edit) throw new Error('nothing changes')
  return {edit, reason: because, trace: [], rest: []}
}
const error = (over: Partial<CompileError> = {}): CompileError => ({
  file: path,
  line: 1,
  text: 'f(a);',
  message: 'no f',
  cause: {kind: 'other'},
  errors: 1,
  others: [],
  log: '',
  ...over,
})
const crashed = {kind: 'stopped', case: '0', how: 'crashed', detail: 'signal 11'} as const
const wrong: Observation = {
  kind: 'numbers',
  failing: [{case: '0', reason: 'x'}],
  cases: 1,
  passesItsOwn: false,
}
const wrongRead =
  'It runs to the end and breaks none of the checked rules, but the values are wrong. 1 of 1 cases fail.'

function reasoning(faults: Fault[], facts: Partial<FailureFacts>, speaker = english): string[] {
  const all = {error: undefined, observed: undefined, ...facts} as FailureFacts
  return reasoningOf(all, faults, speaker).split('\n\n')
}
const one = fault('f(a);', 'f(b);')
const two = fault('g(a);\nh(a);', 'g(a);\nh(b);', reason('c', []))
const told = `op_kernel/k.cpp, line 1: The name is \`a\`. ${why}`
const mends = 'It should be `f(b);`.'
const toldToo = 'op_kernel/k.cpp, line 2: The name is `c`. It should be `h(b);`.'

describe('from a compile error to its cause', () => {
  test('that stands in its line, which is named once', () => {
    const fault = `The name is \`a\`. ${why}`
    expect(reasoning([one], {error: error()})).toEqual([`The error is in ${path}, line 1: \`f(a);\`.`, fault, mends])
    expect(reasoning([one], {error: error({errors: 2})})).toEqual([
      `The log contains 2 errors; the first is in ${path}, line 1: \`f(a);\`.`,
      fault,
      mends,
    ])
  })
  test('that is missing in front of another line', () => {
    const missing = fault('f(a);\nh();', 'f(a);\ng(b);\nh();')
    const [, cause, place] = reasoning([missing], {error: error({line: 1})})
    expect(cause).toBe(`Line 1 itself can stay. The name is \`a\`. ${why}`)
    expect(place).toBe('`g(b);` has to come before line 2.')
  })
  test('that stands elsewhere', () => {
    expect(reasoning([one], {error: error({line: 7})})[1]).toBe(
      `The fault is elsewhere: line 7 only shows the effect of line 1 of ${path}. The name is \`a\`. ${why}`,
    )
  })
  test('which the compiler may guess', () => {
    const cause = {kind: 'undeclared', name: 'a', near: 'b'} as const
    const [first] = reasoning([one], {error: error({cause})})
    const [second] = reasoning([fault('f(a);', '')], {error: error({cause})})
    expect(first).not.toBe(second)
  })
  test('and to other faults, of which later messages may speak', () => {
    const others = [{file: path, line: 2, message: 'no h'}]
    expect(reasoning([one, two], {error: error({errors: 2, others})}).slice(3)).toEqual([
      `A later message is about another fault. ${toldToo}`,
    ])
    expect(reasoning([one, two], {error: error()}).slice(3)).toEqual([
      `The code has another fault, which this message does not mention. ${toldToo}`,
    ])
  })
  test('in Chinese', () => {
    const zh = nthWording('zh')
    expect(reasoning([one], {error: error({errors: 2, line: 7})}, zh)).toEqual([
      `日志里有2个错误，第一个在${path}第7行：\`f(a);\`。`,
      `出错的地方不是根源：第7行的问题来自${path}的第1行。名字是\`a\`。在此之前无法从它分配。`,
      '要写成`f(b);`。',
    ])
  })
})

describe('from a run to its cause', () => {
  test('with what the only fault leads to, unless it is traced', () => {
    const so = 'That is why the values are wrong.'
    expect(reasoning([one], {observed: wrong})).toEqual([wrongRead, `${told} ${so}`, mends])
    const trace = [{topic: 'traces', situation: 'events', values: {sets: 2, waits: 1}}]
    const rest = [{topic: 'rests', situation: 'only-there', values: {name: 'a'}}]
    const traced = 'In the code that event has 2 SetFlag and 1 WaitFlag; each set needs exactly one wait.'
    expect(reasoning([{...one, trace, rest}], {observed: wrong})).toEqual([
      wrongRead,
      `${told} ${traced}`,
      `${mends} No other line uses \`a\`.`,
    ])
    expect(reasoning([one], {observed: crashed})).toEqual(["The operator's process dies: signal 11.", told, mends])
  })
  test('that is missing in front of a line', () => {
    const [, cause] = reasoning([fault('f(a);\nh();', 'f(a);\ng(b);\nh();')], {observed: crashed})
    expect(cause).toContain(`Something is missing before line 2 of ${path}. The name is \`a\`.`)
  })
  test('and what holds of the rest is said once', () => {
    const rest = [{topic: 'rests', situation: 'only-there', values: {name: 'a'}}]
    const all = reasoning(
      [
        {...one, rest},
        {...two, rest},
      ],
      {observed: wrong},
    ).join(' ')
    expect(all.match(/No other line uses `a`/g)).toHaveLength(1)
  })
  test('of several faults none is the only one', () => {
    expect(reasoning([one, two], {observed: wrong})).toEqual([
      wrongRead,
      told,
      mends,
      `There is another fault. ${toldToo}`,
      'A case ends at the first fault it reaches, so the output need not show all of them.',
    ])
  })
})

describe('what has to be written', () => {
  const mended = (of: Fault) => {
    const [, text = ''] = reasoning([of], {})
    return text
  }
  const call = (arguments_: string) => `Long(${arguments_});`
  const of = (length: number, rest = '') => 'a'.repeat(length - rest.length - 'Long();'.length) + rest
  test('is the right statement, without the brace behind it', () => {
    expect(mended(fault('if (a) {\n}', 'if (b) {\n}'))).toBe('It should be `if (b)`.')
  })
  test('up to a length, else the call that differs', () => {
    const right = call(of(140))
    expect(right).toHaveLength(140)
    expect(mended(fault(call('x'), right))).toBe(`It should be \`${right}\`.`)
    const inner = `${of(141, ', g(2)')}`
    expect(call(inner)).toHaveLength(141)
    // Without its semicolon the call itself is short enough.
    expect(mended(fault(call(inner.replace('2', '1')), call(inner)))).toBe(`It should be \`Long(${inner})\`.`)
    const longer = of(142, ', g(2)')
    expect(mended(fault(call(longer.replace('2', '1')), call(longer)))).toBe('It should be `g(2)`.')
  })
  test('else the stretch that differs, but not one argument of a list, which the fault names', () => {
    const long = of(200)
    expect(mended(fault(call(`${long}, 1`), call(`${long}, 2`)))).toBe('It should be `2`.')
    expect(mended(fault(call(long), call(`${long}, 2`)))).toBe('')
    expect(mended(fault(call(long), call(`2, ${long}`)))).toBe('')
  })
  test('is what comes, unless the fault says it or it is long', () => {
    const added = (text: string, because = reason()) => mended(fault('f();', `${text}\nf();`, because))
    expect(added('g();')).toBe('`g();` belongs there.')
    expect(added('g();\nh();')).toBe('`g(); h();` belongs there.')
    expect(added('g();', reason('g();'))).toBe('')
    const right = call(of(140))
    expect(added(right)).toBe(`\`${right}\` belongs there.`)
    expect(added(call(of(141)))).toBe('')
  })
  test('is what goes', () => {
    expect(mended(fault('g();\nf();', 'f();'))).toBe('`g();` has to be removed.')
    expect(mended(fault('g();\nh();\nf();', 'f();'))).toBe('These lines have to be removed.')
  })
  test('is where a statement has to stand', () => {
    const later = fault('move(1);\nf(1);\ng(2);\nh(3);', 'f(1);\ng(2);\nmove(1);\nh(3);')
    expect([later.edit.kind, mended(later)]).toEqual(['moved', 'It has to come after `g(2);`.'])
    const about = fault('q.Free(a);\nMul(c, b, a);\nr.Free(b);\nh();', 'Mul(c, b, a);\nr.Free(b);\nq.Free(a);\nh();')
    expect([about.edit.kind, mended(about)]).toEqual(['moved', 'It has to come after `Mul(c, b, a);`.'])
    const earlier = fault('h(3);\nf(1);\ng(2);\nmove(1);', 'h(3);\nmove(1);\nf(1);\ng(2);')
    expect([earlier.edit.kind, mended(earlier)]).toEqual(['moved', 'It has to come before `f(1);`.'])
    const nowhere = {...later.edit, passed: []} as unknown as Edit
    expect(mended({...later, edit: nowhere})).toBe('')
  })
  test('is no block, or nothing where marks are missing', () => {
    const block = fault('if (a) {\nf();\ng();\n}', 'f();\ng();')
    expect([block.edit.kind, mended(block)]).toEqual(['unwrapped', 'The block has to go, but its contents stay.'])
    const marks = fault('f(a)\ng(b);', 'f(a);\ng(b);')
    expect([marks.edit.kind, mended(marks)]).toEqual(['marks', ''])
  })
})

test('an answer tells its causes and gives the files', () => {
  const facts = {right: [{path, text: 'f(b);\n'}]} as FailureFacts
  const files = `================== ${path} ==================\n\`\`\`cpp\nf(b);\n\`\`\``
  expect(answerOf(facts, [one], english)).toBe(`Cause: The name is \`a\`.\n\n${files}`)
  expect(answerOf(facts, [one, two], english)).toBe(`Causes:\n1. The name is \`a\`.\n2. The name is \`c\`.\n\n${files}`)
})
