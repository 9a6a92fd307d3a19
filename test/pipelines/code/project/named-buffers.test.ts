import {expect, test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {namedBuffers} from '../../../../pipelines/code/project/kernel-plan.ts'
import type {TakenPath} from '../../../../pipelines/facts/taken-path.ts'
import {kernelOf} from '../../../helpers/told-parts.ts'

type Buffer = RunTrace['buffers'][number]

const buffer = (position: string, bytes: number, name: string, kind = 'queue') =>
  ({name, kind, position, bytes}) as unknown as Buffer
const run = [buffer('VECIN', 64, 'VECIN 0'), buffer('VECIN', 128, 'VECIN 1'), buffer('VECOUT', 64, 'VECOUT 0')]
const setUps = 'pipe.InitBuffer(a, 2, n); pipe.InitBuffer(b, 2, 2 * n); pipe.InitBuffer(c, 2, 64);'

/** With 64 for `n`, as the call of the run had it. */
async function named(init: string, buffers: Buffer[] = run, more = '', declared = ''): Promise<unknown[]> {
  const facts = await kernelOf(`class Fold { public:
  __aicore__ inline void Init(int n) { ${init} }
  ${more}
private:
  TPipe pipe; TQue<QuePosition::VECIN, 2> a, b; TQue<QuePosition::VECOUT, 2> c; TBuf<QuePosition::VECCALC> t;
};
${declared}`)
  const values = new Map([
    ['n', 64],
    ['2 * n', 128],
    ['64', 64],
  ])
  const settled = {value: (text: string) => values.get(text)} as unknown as TakenPath['settled']
  return namedBuffers({buffers} as RunTrace, facts, settled).map(({name, size}) =>
    size === undefined ? name : [name, size],
  )
}
const unnamed = ['VECIN 0', 'VECIN 1', 'VECOUT 0']

test('buffers have the names of the code, in the order of their set-up', async () => {
  expect(await named(setUps)).toEqual([['`a`', 'n'], ['`b`', '2 * n'], '`c`'])
})

test('an expression that gives other bytes than the run had is no size', async () => {
  const other = [buffer('VECIN', 32, 'VECIN 0'), ...run.slice(1)]
  expect(await named(setUps, other)).toEqual(['`a`', ['`b`', '2 * n'], '`c`'])
})

test.each([
  ['a branch', 'if (n > 1) { pipe.InitBuffer(a, 2, n); } pipe.InitBuffer(b, 2, 2 * n); pipe.InitBuffer(c, 2, 64);'],
  ['a loop', `for (int i = 0; i < n; i++) { pipe.InitBuffer(a, 2, n); } ${setUps.slice(setUps.indexOf(';') + 1)}`],
  ['an unknown buffer', setUps.replace('(c,', '(unknown,')],
  ['fewer set-ups than buffers', setUps.slice(0, setUps.lastIndexOf(' '.concat('pipe')))],
  ['more set-ups than buffers', `${setUps} pipe.InitBuffer(t, 64);`],
  ['none', ''],
])('none is sure with %s', async (_, init) => {
  expect(await named(init)).toEqual(unnamed)
})

test('none is sure where two functions set up', async () => {
  const [first, ...others] = setUps.split('; ')
  expect(await named(`${first};`, run, `__aicore__ inline void More(int n) { ${others.join('; ')} }`)).toEqual(unnamed)
})

test('a call of one argument sets up nothing', async () => {
  expect(await named(`pipe.InitBuffer(a); ${setUps}`)).toEqual([['`a`', 'n'], ['`b`', '2 * n'], '`c`'])
})

test('only a position with as many set-ups as buffers is named', async () => {
  const moved = [run[0]!, buffer('VECOUT', 128, 'VECOUT 0'), buffer('VECOUT', 64, 'VECOUT 1')]
  expect(await named(setUps, moved)).toEqual(['VECIN 0', 'VECOUT 0', 'VECOUT 1'])
})
