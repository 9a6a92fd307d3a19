import {describe, expect, test} from 'vitest'
import {statementsOf} from '../../../pipelines/facts/code-statements.ts'
import {nthWording, said as inWords} from '../../helpers/nth-wording.ts'
import {surplusReason} from '../../../pipelines/correction/offline/surplus-reasons.ts'

const around = 'TQue<QuePosition::VECIN, 1> queue;\nGlobalTensor<T> gm;\nLocalTensor<T> x;\nLocalTensor<T> y;\n'
interface Given {
  /** The right kernel; default: the declarations alone. */
  right?: string
  /** Another file of the failed candidate. */
  beside?: string
  errors?: string[]
}
/** What is said of statements that go out of a failed kernel: those that stand between `«` and `»`. */
function said(marked: string, {right = '', beside = '', errors = []}: Given = {}): string {
  const [before = '', gone = '', after = ''] = marked.split(/[«»]/)
  const text = before + gone + after
  const line = before.split('\n').length
  const statements = statementsOf(gone)
  const placed = statementsOf(text).filter((one) => statements.some(({key}) => key === one.key) && one.line >= line)
  const scene = {
    apis: new Map(),
    failed: [
      {path: 'k.cpp', text},
      {path: 'other.cpp', text: beside},
    ],
    right: [{path: 'k.cpp', text: around + right}],
    errors,
    log: '',
  }
  const edit = {kind: 'removed', path: 'k.cpp', line, statements: placed.slice(0, statements.length)} as const
  const reason = inWords(surplusReason(edit, scene), nthWording('en'))
  return reason === undefined ? 'nothing' : `${reason.fromCode ? '' : '? '}${reason.fault} ${reason.why}`
}

const twice = 'Each EnQue needs one DeQue, and there is only one.'
const whole = 'each core works on its own part.'

describe('what stands twice', () => {
  test.each([
    [
      '«queue.EnQue(x);» queue.EnQue(x);',
      `\`EnQue\` is called twice for \`x\`, one call right after the other. ${twice}`,
    ],
    [
      '«queue.EnQue(x);»\nqueue.EnQue(x);',
      `\`EnQue\` is called twice for \`x\`, one call right after the other. ${twice}`,
    ],
    [
      'queue.EnQue(x);\n«queue.EnQue(x);»',
      `\`EnQue\` is called twice for \`x\`, one call right after the other. ${twice}`,
    ],
    ['«queue.EnQue(x);»\nf();\nqueue.EnQue(x);', 'nothing'],
    ['«EnQue(x);»\nEnQue(x);', 'nothing'],
    ['«queue.EnQue();»\nqueue.EnQue();', `\`EnQue\` is called twice, one call right after the other. ${twice}`],
    [
      '«SetFlag<E>(0);»\nSetFlag<E>(0);',
      '`SetFlag` is called twice, one call right after the other. Each SetFlag needs one WaitFlag, and there is ' +
        'only one.',
    ],
    [
      'WaitFlag<E>(0);\n«WaitFlag<E>(0);»',
      '`WaitFlag` is called twice, one call right after the other. One SetFlag lets one WaitFlag pass; the ' +
        'second waits forever.',
    ],
    [
      '«queue.FreeTensor(x);»\nqueue.FreeTensor(x);',
      '`FreeTensor` is called twice for `x`, one call right after the other. After the first call the block ' +
        'belongs to `queue` again, and nothing may give it back a second time.',
    ],
  ])('%s', (text, reason) => expect(said(text)).toBe(reason))
})

describe('a flag without its partner', () => {
  const [sets, waits] = [
    'Nothing waits for that event, so it stays set when the kernel ends',
    'Nothing sets that event, so the wait never ends',
  ]
  const queues = '; the data is passed on by the queues, '
  test.each<[string, Given, string]>([
    ['«SetFlag<E>(0);»', {}, `\`SetFlag<E>(0);\` has no WaitFlag. ${sets}.`],
    ['«WaitFlag<E>(0);»', {}, `\`WaitFlag<E>(0);\` has no SetFlag. ${waits}.`],
    [
      '«SetFlag<E>(0);»',
      {right: 'queue.DeQue<T>();'},
      `\`SetFlag<E>(0);\` has no WaitFlag. ${sets}${queues}and no flag is needed.`,
    ],
    [
      '«WaitFlag<E>(0);»',
      {right: 'queue.DeQue<T>();'},
      `\`WaitFlag<E>(0);\` has no SetFlag. ${waits}${queues}whose DeQue already waits, so no flag is needed.`,
    ],
    ['«SetFlag<E>(0);»', {right: 'queue.DeQue<T>(); SetFlag<F>(1);'}, `\`SetFlag<E>(0);\` has no WaitFlag. ${sets}.`],
    ['«SetFlag<E>(0);»\nWaitFlag<E>(0);', {}, 'nothing'],
    ['«SetFlag<E>(0);»', {beside: 'WaitFlag<E>(0);'}, 'nothing'],
    ['«SetFlag<E>(0);»\nWaitFlag<E>(1);', {}, `\`SetFlag<E>(0);\` has no WaitFlag. ${sets}.`],
    ['«SetFlag<E>(0);»\nWaitFlag<F>(0);', {}, `\`SetFlag<E>(0);\` has no WaitFlag. ${sets}.`],
  ])('%s %o', (text, given, reason) => expect(said(text, given)).toBe(reason))
})

describe('a flag between cores without its partner', () => {
  const [set, wait] = [
    '`CrossCoreSetFlag(3);` has no CrossCoreWaitFlag on any core.',
    '`CrossCoreWaitFlag(3);` has no CrossCoreSetFlag on any core.',
  ]
  test.each<[string, Given, string]>([
    ['«CrossCoreSetFlag(3);»', {}, `${set} No core waits for that flag; ${whole}`],
    ['«CrossCoreSetFlag(3);»', {right: 'SyncAll();'}, `${set} No core waits for that flag.`],
    ['«CrossCoreWaitFlag(3);»', {}, `${wait} No core sets that flag, so the wait never ends; ${whole}`],
    ['«CrossCoreWaitFlag(3);»', {right: 'IBWait();'}, `${wait} No core sets that flag, so the wait never ends.`],
    ['«CrossCoreSetFlag(3);»', {beside: 'CrossCoreWaitFlag(3);'}, 'nothing'],
    ['«for (int i = 0; i < 2; ++i) {\nCrossCoreSetFlag(3);\n}»', {}, `${set} No core waits for that flag; ${whole}`],
    ['«for (int i = 0; i < 2; ++i) {\nCrossCoreSetFlag(3);\n}»', {beside: 'CrossCoreWaitFlag(3);'}, 'nothing'],
    ['«if (a) {\nCrossCoreSetFlag(3);\n}»', {}, 'nothing'],
    ['«f();\nCrossCoreSetFlag(3);\n}»', {}, 'nothing'],
    ['«for (int i = 0; i < 2; ++i) {\nCrossCoreSetFlag(3);\nf();»\n}', {}, 'nothing'],
    ['«for (int i = 0; i < 2; ++i) {\nCrossCoreSetFlag(3);\nf();\n}»', {}, 'nothing'],
    ['«for (int i = 0; i < 2; ++i) {\n}»', {}, 'nothing'],
    ['«for (int i = 0; i < 2; ++i) {\na = 1;\n}»', {}, 'nothing'],
  ])('%s %o', (text, given, reason) => expect(said(text, given)).toBe(reason))
})

describe('a tensor taken or given back once too often', () => {
  test.each([
    [
      '«auto z = queue.AllocTensor<T>();»\nf(w);',
      '`z` is an additional tensor of `queue`, which nothing uses or gives back. Each AllocTensor occupies a ' +
        'block until its FreeTensor.',
    ],
    ['«auto z = queue.AllocTensor<T>();»\nf(z);', 'nothing'],
    [
      'z = queue.DeQue<T>();\n«z = queue.DeQue<U>();»',
      '`queue` is asked twice for `z`. One EnQue puts in one tensor, so the second DeQue finds nothing.',
    ],
    [
      'z = queue.DeQue<T>(); «z = queue.DeQue<U>();»',
      '`queue` is asked twice for `z`. One EnQue puts in one tensor, so the second DeQue finds nothing.',
    ],
    ['«z = queue.DeQue<U>();»\nz = queue.DeQue<T>();', 'nothing'],
    ['z = queue.DeQue<T>();\n«z = queue.Get<U>();»', 'nothing'],
    ['z = queue.DeQue<T>();\n«queue.DeQue<U>();»', 'nothing'],
    ['z = queue.AllocTensor<T>();\n«z = queue.DeQue<U>();»', 'nothing'],
    [
      'queue.EnQue(x);\n«queue.FreeTensor(x);»',
      '`x` is given back to `queue` while it is in that queue. The EnQue before it puts it in; the step that ' +
        'takes it out with DeQue gives it back.',
    ],
    [
      'queue.EnQue(x); «queue.FreeTensor(x);»',
      '`x` is given back to `queue` while it is in that queue. The EnQue before it puts it in; the step that ' +
        'takes it out with DeQue gives it back.',
    ],
    ['«queue.FreeTensor(x);»\nqueue.EnQue(x);', 'nothing'],
    ['queue.EnQue(x);\nf();\n«queue.FreeTensor(x);»', 'nothing'],
    ['queue.EnQue(y);\n«queue.FreeTensor(x);»', 'nothing'],
    [
      '«queue.FreeTensor(x);»\nf(x);\nqueue.FreeTensor(x);',
      '`x` is given back to `queue` before line 2 uses it. After FreeTensor the queue may give the block to the ' +
        'next tile; line 3 already gives it back at the right place.',
    ],
    ['«queue.FreeTensor(x);» f(x);\ng();\nqueue.FreeTensor(x);', 'nothing'],
    ['f(x);\n«queue.FreeTensor(x);»\ng();\nqueue.FreeTensor(x);', 'nothing'],
    ['«queue.FreeTensor(x);»\nf(x);', 'nothing'],
    ['«queue.FreeTensor();»\nf(x);', 'nothing'],
  ])('%s', (text, reason) => expect(said(text)).toBe(reason))
})

describe('a member that a type does not have', () => {
  const no = (name: string) => ({errors: [`no member named '${name}' in 'AscendC::LocalTensor<float>'`]})
  test.each<[string, Given, string]>([
    [
      '«x.Shape();»',
      no('Shape'),
      '`x` is a LocalTensor, and a LocalTensor has no member `Shape`. Nothing uses what the call would return, ' +
        'so it can go.',
    ],
    [
      '«x.EnQue();»',
      no('EnQue'),
      '`x` is a LocalTensor, and a LocalTensor has no member `EnQue`. Nothing uses what the call would return, ' +
        'so it can go. EnQue is called on a queue, with the tensor as its argument.',
    ],
    ['«x.Shape(1);»', no('Shape'), 'nothing'],
    ['«x.Shape();»', no('Other'), 'nothing'],
    ['«gm.Shape();»', no('Shape'), 'nothing'],
    ['«unknown.Shape();»', no('Shape'), 'nothing'],
  ])('%s %o', (text, given, reason) => expect(said(text, given)).toBe(reason))
})

describe('a copy beside the queues', () => {
  const own = 'Copies run on a separate pipe'
  const second = (place: number) =>
    '`DataCopy(gm[9], x, 8);` copies `x` out a second time, to another place in `gm`. ' +
    `Line ${place} copies it to the right place; here it overwrites what belongs to other tiles or other cores.`
  const written =
    '`DataCopy(gm, x, 8);` writes `x` over `gm`, which is otherwise only read. It is an input and must stay ' +
    'unchanged; moreover, the copy runs on a separate pipe, so nothing makes it wait for the instruction before ' +
    'it.'
  test.each([
    [
      '«DataCopy(x, gm, 8);»',
      `\`DataCopy(x, gm, 8);\` copies into \`x\` outside the queues. ${own}: nothing makes this one and the ` +
        'instructions on `x` wait for each other, and their results there may be overwritten.',
    ],
    ['«DataCopy(gm, x, 8);»', written],
    ['«DataCopy(gm, x, 8);»\nf(gm, y);', written],
    ['«DataCopy(gm, x, 8);»\nDataCopy(other, y, 8);', written],
    ['«DataCopy(gm, x, 8);»\nDataCopy(gm, y, 8);', 'nothing'],
    ['«DataCopy(gm, unknown, 8);»\nDataCopy(gm, y, 8);', 'nothing'],
    ['«DataCopy(unknown, gm, 8);»', 'nothing'],
    ['«DataCopyPad(gm, x, p);»', 'nothing'],
    ['«DataCopy(gm[9], x, 8);»\nDataCopy(gm[1], x, 8);', second(2)],
    ['DataCopy(gm[1], x, 8);\nf();\nf();\n«DataCopy(gm[9], x, 8);»\nf();\nDataCopy(gm[2], x, 8);', second(6)],
    ['DataCopy(gm[1], x, 8);\nf();\n«DataCopy(gm[9], x, 8);»\nf();\nf();\nDataCopy(gm[2], x, 8);', second(1)],
    ['«DataCopy(gm[9], x, 8);»\nDataCopy(gmOther[1], x, 8);', 'nothing'],
    ['«DataCopy(gm[9], x, 8);»\nDataCopy(gm[1], y, 8);', 'nothing'],
    [
      '«DataCopy(gm[9], x, 8);»\nDataCopy(gm[1], y, 8);\nqueue.EnQue(x);',
      `\`DataCopy(gm[9], x, 8);\` copies out of \`x\` while the vector unit works on it. ${own}, and only EnQue and ` +
        'DeQue, or a flag, make one wait for the other; the tile is copied where the queue passes it on, so this ' +
        'copy can go.',
    ],
  ])('%s', (text, reason) => expect(said(text)).toBe(reason))
})

describe('what else is too many', () => {
  const on = 'switches copies to global memory to an atomic'
  const combine =
    'Each core writes its own part here, so there is nothing to combine. Left on, the mode changes every later ' +
    'copy to global memory, in this kernel and the next.'
  test.each<[string, Given, string]>([
    [
      '«TPipe p;»',
      {},
      '`p` is a second TPipe on the core. A core has one TPipe, which manages its whole UB and its events; a ' +
        'second one resets what the first has allocated.',
    ],
    ['«SetAtomicAdd<T>();»', {}, `\`SetAtomicAdd<T>();\` ${on} add on \`T\`, and nothing switches it off. ${combine}`],
    ['«SetAtomicMax();»', {}, `\`SetAtomicMax();\` ${on} max, and nothing switches it off. ${combine}`],
    ['«SetAtomicAdd<T>();»', {right: 'SetAtomicMax<T>();'}, 'nothing'],
    ['«SetAtomicNone();»', {}, 'nothing'],
    ['«f(x);»', {}, 'nothing'],
    ['«a = 1;»', {}, 'nothing'],
    ['«if (a) {»\n}', {}, 'nothing'],
    ['«f();\ng();»', {}, 'nothing'],
  ])('%s %o', (text, given, reason) => expect(said(text, given)).toBe(reason))
})
