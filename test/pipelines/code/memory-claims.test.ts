import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {kernelFacts} from '../../../pipelines/code/kernel-facts.ts'
import {kernelReasoning} from '../../../pipelines/code/offline/kernel-reasoning.ts'
import {voice} from '../../../pipelines/code/offline/say.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

type Given = Partial<Pick<CheckedOperatorSource, 'dependencies' | 'dtypes'>>

async function told(text: string, given: Given = {}): Promise<string> {
  const target = {path: 'op_kernel/a.h', text}
  const changed = {...source, side: 'kernel' as const, dependencies: [], target, ...given}
  return kernelReasoning(changed, await kernelFacts(changed), voice('en', randomFrom('memory')))
}

const queue = 'TQue<QuePosition::VECIN, 1>'
const kernel = (body: string, members: string, head = 'class K') => `${head} {\npublic:\n${body}\n${members}\n};\n`

describe('a buffer', () => {
  test('that the preprocessor declares in two ways counts once', async () => {
    const members = `#if A\n${queue} q;\n#else\nTQue<QuePosition::VECIN, 2> q;\n#endif\n${queue} r;`
    const text = await told(
      kernel('void Init() { pipe.InitBuffer(q, 1, n * 2); pipe.InitBuffer(r, 1, n * 4); }', members),
    )
    expect(text).toContain('`q` (VECIN) 2 × n bytes and `r`')
    expect(text).toContain('Together that is 6 × n bytes')
    expect(text).not.toContain('reserve')
  })

  test('of one kind of core is there in any case, one of a condition is not', async () => {
    const init = (condition: string) =>
      kernel(`void Init() { if (${condition}) { pipe.InitBuffer(q, 2, n * 2); } }`, `${queue} q;`)
    expect(await told(init('ASCEND_IS_AIV'))).toContain('Together that is 4 × n bytes')
    const onCondition = await told(init('hasScale'))
    expect(onCondition).toContain('Whether `q` is set up, or how large it is, depends on the case')
    expect(onCondition).not.toContain('Together')
  })

  test('whose element type cannot be read is told with its number of blocks', async () => {
    const text = await told(kernel('void Init() { pipe.InitBuffer(q, 2, n * sizeof(CT)); }', `${queue} q;`))
    expect(text).toContain('`q` takes 2 × `n * sizeof(CT)` bytes')
    expect(text).toContain('`q` has two blocks')
  })

  test('of one phase does not add up with those of another', async () => {
    const phases = 'void Init() { pipe->InitBuffer(q, 1, n * 2); pipe->Reset(); pipe->InitBuffer(r, 1, n * 4); }'
    const text = await told(kernel(phases, `${queue} q;\n${queue} r;`))
    expect(text).toContain('`Reset` gives all memory of the pipe back in between')
    expect(text).not.toContain('Together')
  })
})

describe('the type of an element', () => {
  const dtypes = {x: 'float16', y: 'int8'}
  const twoTypes = (first: string, second: string) =>
    `template <typename ${first}, typename ${second}>\n${kernel(
      `void Init() { pipe.InitBuffer(a, n * sizeof(${first})); pipe.InitBuffer(b, n * sizeof(${second})); }`,
      'TBuf<> a;\nTBuf<> b;',
    )}`

  test('is that of the tensor that the parameter is named after', async () => {
    const text = await told(twoTypes('xDtype', 'yDtype'), {dtypes})
    expect(text).toContain('`a` (VECCALC) 2 × n bytes and `b` (VECCALC) n bytes')
    expect(text).toContain('counted for float16/int8')
  })

  test('is unknown for other parameters, unless all tensors have one type', async () => {
    const mixed = await told(twoTypes('T1', 'T2'), {dtypes})
    expect(mixed).toContain('`b` takes `n * sizeof(T2)` bytes')
    expect(mixed).not.toContain('Together')
    expect(await told(twoTypes('T1', 'T2'), {dtypes: {x: 'float16', y: 'float16'}})).toContain('that is 4 × n bytes')
  })

  test('is what the class gives its base', async () => {
    const base = kernel('void Init() { pipe.InitBuffer(a, n * sizeof(T)); }', 'TBuf<> a;', 'class B')
    const derived = kernel('void InitMore() { pipe.InitBuffer(b, n * 4); }', 'TBuf<> b;', 'class D : public B<float>')
    const text = await told(`template <typename T>\n${base}${derived}`, {dtypes})
    expect(text).toContain('With what `B` sets up that is 8 × n bytes, so n')
    expect(text).not.toContain('6 × n')
  })
})

describe('a queue orders the pipes', () => {
  const compute = 'void Compute() { LocalTensor<half> t = q.DeQue<half>(); q.FreeTensor(t); }'

  test('also where an included file fills it', async () => {
    const own = kernel(`void Init() { pipe.InitBuffer(q, 1, 64); }\n${compute}`, `${queue} q;`)
    const filling = [{path: 'op_kernel/b.h', text: 'void CopyIn() { q.EnQue(t); }'}]
    expect(await told(own)).not.toContain('`EnQue`')
    expect(await told(own, {dependencies: filling})).toMatch(/`EnQue` and `DeQue` on `q`|queues \(`q`\)/)
  })

  test('also where a function gets it as an argument', async () => {
    const fill = (name: string) => `void CopyIn(${queue}& ${name}) { ${name}.EnQue(t); }\n`
    const own = kernel(`void Run() { CopyIn(q); }\n${compute}`, `${queue} q;\n${queue} other;`)
    const text = await told(fill('given') + own)
    expect(text).toMatch(/`EnQue` and `DeQue` on `q`|queues \(`q`\)/)
    expect(await told(fill('given') + own.replace('CopyIn(q)', 'CopyIn(other)'))).not.toContain('`EnQue`')
  })

  test('and alone only where no flag and no barrier of all pipes stands beside it', async () => {
    const both = (more: string) => kernel(`void CopyIn() { q.EnQue(t); ${more} }\n${compute}`, `${queue} q;`)
    for (const more of ['PipeBarrier<PIPE_ALL>();', 'SetFlag<HardEvent::MTE2_S>(e);'])
      expect(await told(both(more))).not.toContain('no flag is needed')
    expect(await told(both(''))).toMatch(/no flag is needed|is complete when/)
  })
})

test('a reduction is told with the tensor in which it works', async () => {
  const reduce = (args: string) => kernel(`void Compute() { ReduceMax(${args}, n, false); }`, '')
  expect(await told(reduce('t, x, t'))).toContain('`ReduceMax` works in `t`, which must be long enough')
  expect(await told(reduce('t, x, t'))).toContain('first element of the same tensor')
  expect(await told(reduce('t, x, w'))).toContain(
    'works in `w`, which must be long enough for it, and leaves its result',
  )
  expect(await told(reduce('t, x, w'))).toContain('first element of `t`')
})

test('what runs once is not told of each tile', async () => {
  const text = await told(kernel('void Process() { Cast(a, b, RoundMode::CAST_NONE, n); }', ''))
  expect(text).toContain('function by function')
  expect(text).not.toMatch(/each tile|one tile|a tile/)
})

test('a parameter that is the block index in every call places a core', async () => {
  const run = 'void Run(int core) { offset = core * n; }\n'
  const one = await told(kernel(`${run}void Process() { id = GetBlockIdx(); Run(id); }`, ''))
  expect(one).toContain('the statement that places a core is `offset = core * n`')
  const other = await told(kernel(`${run}void Process() { id = GetBlockIdx(); Run(id); Run(3); }`, ''))
  expect(other).not.toContain('offset = core')
  expect(other).not.toMatch(/split over cores|All cores execute/)
})
