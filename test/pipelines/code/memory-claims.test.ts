import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {kernelReasoning} from '../../../pipelines/code/offline/kernel-reasoning.ts'
import {voice} from '../../../datasets/voice.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

type Given = Partial<Pick<CheckedOperatorSource, 'dependencies' | 'dtypes'>>

async function told(text: string, given: Given = {}, language: 'en' | 'zh' = 'en'): Promise<string> {
  const target = {path: 'op_kernel/a.h', text}
  const changed = {...source, side: 'kernel' as const, dependencies: [], target, ...given}
  return kernelReasoning(changed, await kernelFacts(changed), voice(language, randomFrom('memory')))
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

  test('that every core with a share sets up is there in any case', async () => {
    const init = (condition: string, value: string) =>
      kernel(
        `void Init() { uint32_t block = GetBlockIdx(); uint32_t from = ${value}; if (${condition}) { pipe.InitBuffer(q, 2, n * 2); } }`,
        `${queue} q;`,
      )
    expect(await told(init('!(from >= total)', 'block * share'))).toContain('Together that is 4 × n bytes')
    expect(await told(init('from < tiling.total', 'GetBlockIdx() * share'))).toContain('Together that is 4 × n bytes')
    expect(await told(init('from > 0', 'hasScale'))).toContain('depends on the case')
    expect(await told(init('block < formerCores', 'block * share'))).toContain('depends on the case')
  })

  test('whose element type cannot be read is told with its number of blocks', async () => {
    const text = await told(kernel('void Init() { pipe.InitBuffer(q, 2, n * sizeof(CT)); }', `${queue} q;`))
    expect(text).toContain('`q` takes 2 × `n * sizeof(CT)` bytes')
    expect(text).toContain('`q` has two blocks')
  })

  test('that is declared but never set up has no blocks', async () => {
    const init = 'void Init() { pipe.InitBuffer(q, 2, n * 2); }'
    const text = await told(kernel(init, `${queue} q;\nTQue<QuePosition::VECIN, 2> unused;`))
    expect(text).toContain('`q` has two blocks')
    expect(text).not.toContain('unused')
  })

  test('of one phase does not add up with those of another', async () => {
    const phases = 'void Init() { pipe->InitBuffer(q, 1, n * 2); pipe->Reset(); pipe->InitBuffer(r, 1, n * 4); }'
    const text = await told(kernel(phases, `${queue} q;\n${queue} r;`))
    expect(text).toContain('`Reset` gives all memory of the pipe back in between')
    expect(text).not.toContain('Together')
  })
})

describe('the sum of all buffers', () => {
  const sum = (init: string, members: string, head?: string) => told(kernel(`void Init() { ${init} }`, members, head))

  test('leaves what is fixed out of what a tile may take, in whole blocks of 32 bytes', async () => {
    const text = await sum('pipe.InitBuffer(x, 1000); pipe.InitBuffer(q, 2, n * 4);', `TBuf<> x;\n${queue} q;`)
    expect(text).toContain('`x` (VECCALC) 1024 bytes')
    expect(text).toContain('Together that is 1024 + 8 × n bytes, so n must not exceed 24448')
  })

  test('depends on several lengths, and is unknown where a size is', async () => {
    const two = `${queue} q;\n${queue} r;`
    const both = await sum('pipe.InitBuffer(q, 1, n * 4); pipe.InitBuffer(r, 1, m * 4);', two)
    expect(both).toContain('The sum depends on `n` and `m` and must stay within the 196608 bytes.')
    const unread = await sum('pipe.InitBuffer(q, 1, n * 4); pipe.InitBuffer(r, 1, n * sizeof(CT));', two)
    expect(unread).not.toMatch(/must not exceed|The sum depends/)
  })

  test('is not said to fit where it does not, and counts no other memory', async () => {
    expect(await sum('pipe.InitBuffer(x, 200000);', 'TBuf<> x;')).not.toContain('the sum is')
    const text = await sum(
      'pipe.InitBuffer(x, 64); pipe.InitBuffer(l1, 1, 512);',
      'TBuf<> x;\nTQue<QuePosition::A1, 1> l1;',
    )
    expect(text).toContain('the sum is 64 bytes')
    expect(text).not.toContain('`l1` (')
  })

  test('is none where a base gives its memory back, or a buffer comes in two counts', async () => {
    const base = (reset: string) =>
      kernel(`void Init() { pipe.InitBuffer(a, n * 4); } void End() { ${reset}; }`, 'TBuf<> a;', 'class B')
    const derived = kernel('void InitMore() { pipe.InitBuffer(b, n * 4); }', 'TBuf<> b;', 'class D : public B')
    expect(await told(base('count.Reset()') + derived)).toContain('With what `B` sets up that is 8 × n bytes')
    expect(await told(base('pipe.Reset()') + derived)).not.toContain('With what')
    const counts = 'pipe.InitBuffer(q, 1, n * 4); } void InitMore() { pipe.InitBuffer(q, 2, n * 4);'
    expect(await sum(counts, `${queue} q;`)).toContain('Whether `q` is set up, or how large it is')
  })

  test('is that of a class alone where two classes name a buffer alike', async () => {
    const one = (head: string, bytes: number) =>
      kernel(`void Init() { pipe.InitBuffer(q, 1, n * ${bytes}); }`, `${queue} q;`, head)
    const text = await told(one('class A', 2) + one('class B', 4))
    expect(text).toContain('Together that is 2 × n bytes')
    expect(text).toContain('Together that is 4 × n bytes')
  })

  test('is not told where an included file sets up more', async () => {
    const own = kernel('void Init() { pipe.InitBuffer(q, 1, n * 4); }', `${queue} q;`)
    const text = await told(own, {
      dependencies: [{path: 'op_kernel/b.h', text: 'void More() { pipe.InitBuffer(r, 64); }'}],
    })
    expect(text).toContain('To these come the buffers that `op_kernel/b.h` sets up for itself')
    expect(text).not.toContain('Together')
  })
})

test('blocks of a queue are told where they are one or two, and only of one that is set up', async () => {
  const init = (...counts: number[]) =>
    kernel(
      `void Init() { ${counts.map((count, at) => `pipe.InitBuffer(q${at}, ${count}, 64);`).join(' ')} }`,
      counts.map((_, at) => `${queue} q${at};`).join('\n'),
    )
  expect(await told(init(1, 1))).toContain('Each queue holds one block')
  expect(await told(init(1, 2))).toMatch(/`q1` has two blocks|Two blocks per queue \(`q1`\)/)
  expect(await told(init(1, 3))).not.toMatch(/[Tt]wo blocks|one block/)
  expect(await told(kernel('', 'TQue<QuePosition::VECIN, 2> q;'))).not.toMatch(/[Tt]wo blocks|one block/)
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
    expect(await told(both(''))).toMatch(/no flag is needed|order the pipes/)
  })

  test('but not where an included file has both sides of it', async () => {
    const own = kernel('void Init() { pipe.InitBuffer(q, 1, 64); }', `${queue} q;`)
    const both = [{path: 'op_kernel/b.h', text: 'void Pass() { q.EnQue(t); t = q.DeQue<half>(); }'}]
    expect(await told(own, {dependencies: both})).not.toContain('`EnQue`')
  })
})

describe('a flag', () => {
  const flags = (event: string, more = '') =>
    kernel(`void Compute() { Exp(a, b, n); SetFlag<${event}>(e); WaitFlag<${event}>(e); ${more} }`, '')

  test('says which pipe waits for which', async () => {
    expect(await told(flags('HardEvent::MTE2_V'))).toContain(
      'No queue orders the pipes here, so `SetFlag` and `WaitFlag` do: `MTE2_V` lets the vector unit wait for copying in.',
    )
    expect(await told(flags('HardEvent::V_MTE3'), {}, 'zh')).toContain('`V_MTE3` 让搬出等待矢量计算')
    expect(await told(flags('event'))).toContain('makes one pipe wait for another where no queue does')
  })

  test('covers what queues do not', async () => {
    const passing = kernel(
      'void CopyIn() { q.EnQue(t); SetFlag<HardEvent::S_V>(e); } void Compute() { t = q.DeQue<half>(); }',
      `${queue} q;`,
    )
    expect(await told(passing)).toContain('What queues do not cover is done by hand with `SetFlag` and `WaitFlag`:')
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
