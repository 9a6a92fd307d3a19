import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {disagreements} from '../../../pipelines/facts/agreement.ts'
import {hostFacts} from '../../../pipelines/facts/host-facts.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {hostReasoning} from '../../../pipelines/code/offline/host-reasoning.ts'
import {kernelRequest} from '../../../pipelines/code/offline/kernel-request.ts'
import {kernelReasoning} from '../../../pipelines/code/offline/kernel-reasoning.ts'
import {voice} from '../../../datasets/voice.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

async function kernelText(text: string): Promise<string> {
  const changed = {...source, side: 'kernel' as const, dependencies: [], target: {path: 'op_kernel/a.h', text}}
  return kernelReasoning(changed, await kernelFacts(changed), voice('en', randomFrom('claims')))
}

async function hostText(text: string): Promise<string> {
  const changed = {...source, side: 'host' as const, dependencies: [], target: {path: 'op_host/a.cpp', text}}
  return hostReasoning(changed, await hostFacts(changed), voice('en', randomFrom('claims')))
}

const tensors = 'LocalTensor<float> a, LocalTensor<float> b'
const inClass = (name: string, body: string) => `class ${name} {\npublic:\n${body}\n};\n`

describe('a statement is quoted as it stands', () => {
  test('with its operator', async () => {
    const text = await kernelText(inClass('K', 'void Init() { offset = GetBlockIdx() * n; offset -= GetBlockIdx(); }'))
    expect(text).toContain('`offset -= GetBlockIdx()`')
    expect(text).not.toContain('`offset = GetBlockIdx()`')
  })

  test('and a tiling field has a value only where there is one way to set it', async () => {
    const body = 'ge::graphStatus F() { tiling.set_a(n / 8); if (m) { tiling.set_a(1); } tiling.set_b(n % 8); }'
    const text = await hostText(body)
    expect(text).toContain('`b = n % 8`')
    expect(text).not.toContain('`a = n / 8`')
  })

  test('which core comes last is not told as the length of the last piece', async () => {
    const process = (statement: string) =>
      inClass('K', `void CopyIn(int i) {}\nvoid Process() { ${statement} for (int i = 0; i < n; i++) { CopyIn(i); } }`)
    const place = await kernelText(process('lastCoreNum = remain == 0 ? cores - 1 : remain - 1;'))
    const length = await kernelText(process('count = i < n ? tile : tail;'))
    const bound = await kernelText(process('count = (count < 0) ? 0 : count;'))
    expect(place + bound).not.toContain('may be shorter')
    expect(length).toContain('may be shorter, which `count = i < n ? tile : tail`')
  })

  test('a remainder of a group index shares nothing out', async () => {
    const text = await kernelText(inClass('K', 'void Init() { group = GetBlockIdx() % groups; }'))
    expect(text).toContain('`group = GetBlockIdx() % groups`')
    expect(text).not.toContain('remainder')
  })
})

describe('an entry', () => {
  const entry = (body: string) =>
    `template <uint32_t mode>\n__global__ __aicore__ void a(GM_ADDR x, GM_ADDR y) {${body}}`
  const arm = (condition: string, type: string) => `if (${condition}) { K<${type}> op; op.Init(x); op.Process(); }`

  test('tells an arm by its keys alone, also where it has several', async () => {
    const shared = 'TILING_KEY_IS(0) || TILING_KEY_IS(1)'
    const text = await kernelText(entry(`${arm(shared, 'half')} else ${arm('TILING_KEY_IS(6)', 'float')}`))
    expect(text).toContain('key `0` or `1` → `K<half>`; key `6` → `K<float>`.')
  })

  test('that calls a template tells which', async () => {
    const run = (value: string, type: string) => `if constexpr (mode == ${value}) { Ns::Run<${type}>(x, y); }`
    const text = await kernelText(entry(`GM_ADDR own = Own(y); ${run('A', 'half')} else ${run('B', 'float')}`))
    expect(text).toContain('where `mode == A` holds → `Ns::Run<half>`; where `mode == B` holds → `Ns::Run<float>`.')
    expect(text).toContain('only the variant that it needs')
  })
})

test('where a core stands is told with the cores for which it holds', async () => {
  const init =
    'void Init() { place = GetBlockIdx() * big; if (GetBlockIdx() >= rest) { place -= GetBlockIdx() * less; } }'
  const text = await kernelText(inClass('K', init))
  expect(text).toContain(
    '`place = GetBlockIdx() * big` and `place -= GetBlockIdx() * less` (where `GetBlockIdx() >= rest` holds)',
  )
})

test('elements that the scalar unit moves are told, and what leaves need not be a result', async () => {
  const body = `void Init() { xGm.SetGlobalBuffer(x); zGm.SetGlobalBuffer(z); }
    void Sum(${tensors}) { DataCopy(workGm, a, 8); zGm.SetValue(0, xGm.GetValue(1)); }
    GlobalTensor<float> xGm; GlobalTensor<float> zGm; GlobalTensor<float> workGm;`
  const text = await kernelText(inClass('K', body))
  expect(text).toContain('Data leaves through `DataCopy` on `workGm` in `Sum`.')
  expect(text).toContain(
    'elements of `xGm` are read with `GetValue`. Single elements of `zGm` are written with `SetValue`.',
  )
})

test('the one class that an entry runs is named', async () => {
  const entry = '__global__ __aicore__ void a(GM_ADDR x, GM_ADDR y) { Ns::K<DTYPE_X> op; op.Init(x, y); op.Process(); }'
  expect(await kernelText(entry)).toContain('Here `op` is an object of `Ns::K<DTYPE_X>`.')
})

test('what comes after the loop is told', async () => {
  const stages = 'void CopyIn(int i) {}\nvoid CopyOut(int i) {}\n'
  const process = (rest: string) =>
    inClass('K', `${stages}void Process() {\nfor (int i = 0; i < n; i++) {\nCopyIn(i);\n}\n${rest}\n}`)
  expect(await kernelText(process('CopyIn(n);'))).toContain('After the loop it calls `CopyIn` once more.')
  expect(await kernelText(process('CopyIn(n); CopyOut(n);'))).toContain(
    'After the loop it calls `CopyIn` and `CopyOut`.',
  )
  expect(await kernelText(process('if (rest) { CopyIn(n); }'))).not.toContain('After the loop')
})

describe('steps', () => {
  test('in functions of the file are steps among instructions', async () => {
    const body = `void Part(${tensors}) { Exp(a, b, n); }
      void Compute(${tensors}) { Cast(a, b, RoundMode::CAST_NONE, n); Part(a, b); Muls(a, b, 2.0f, n); }
      void Choose(${tensors}) { Part(a, b); }`
    const text = await kernelText(inClass('K', body))
    expect(text).toContain('converts the element type, then `Part(a, b)`, a function of this file, then `Muls(')
    expect(text).not.toContain('`Choose`')
  })

  test('that are told by name alone stay with their branch', async () => {
    const ten = Array.from({length: 10}, (_, index) => `Adds(a, b, ${index}, n);`).join(' ')
    const compute = (rest: string) =>
      inClass('K', `void Compute(${tensors}) { if (isHalf) { ${ten} Cast(a, b, M, n); } ${rest} }`)
    const both = await kernelText(compute('else { Exp(a, b, n); }'))
    expect(both).toContain('; after these come `Cast`; other branches use `Exp`.')
    const after = await kernelText(compute('Exp(a, b, n);'))
    expect(after).toContain('; after these come `Cast`; further on it uses `Exp`.')
  })

  test.each([
    ['case 1: case 2: Adds(a, b, 1, n); break;', 'where `mode` is `1` or `2`'],
    ['case 1: n = 8; case 2: Adds(a, b, 1, n); break;', 'where `mode` is `1` or `2`'],
    ['case 1: { n = 8; break; } case 2: Adds(a, b, 1, n); break;', 'where `mode` is `2`'],
    ['case 1: return; case 2: Adds(a, b, 1, n); break;', 'where `mode` is `2`'],
    ['case 1: if (n) { break; } else { return; } case 2: Adds(a, b, 1, n); break;', 'where `mode` is `2`'],
    ['case 1: if (n) { break; } case 2: Adds(a, b, 1, n); break;', 'where `mode` is `1` or `2`'],
    [
      'case 1: if (n) { break; } else { n = 8; } case 2: default: Adds(a, b, 1, n);',
      'is `1` or `2` or any other value',
    ],
  ])('in a `switch` are told with all labels that come to them: %s', async (cases, told) => {
    const text = await kernelText(inClass('K', `void Compute(${tensors}, int n) { switch (mode) { ${cases} } }`))
    expect(text).toContain(told)
  })

  test('of branches are told with their condition, as only one arm runs', async () => {
    const body = `void Compute(${tensors}) {
      Adds(a, b, 1.0f, n);
      if constexpr (isHalf) { Muls(a, b, 2.0f, n); } else { Exp(a, b, n); }
      switch (mode) { case 3: Sqrt(a, b, n); break; default: Abs(a, b, n); }
      Cast(a, b, RoundMode::CAST_NONE, n);
    }`
    const text = await kernelText(inClass('K', body))
    expect(text).toMatch(/where `isHalf` holds: `Muls\([^;]*; where `isHalf` does not hold: `Exp\(/)
    expect(text).toMatch(/where `mode` is `3`: `Sqrt\([^;]*; where `mode` is any other value: `Abs\(/)
    expect(text).toMatch(/; outside of these branches: `Cast\([^;]*` converts the element type/)
  })

  test('of the preprocessor are branches, too', async () => {
    const text = await kernelText(
      inClass('K', `void Compute(${tensors}) {\n#if FAST\n Muls(a, b, 2.0f, n);\n#else\n Exp(a, b, n);\n#endif\n }`),
    )
    expect(text).toMatch(/where `FAST` holds: `Muls\([^;]*; where `FAST` does not hold: `Exp\(/)
  })

  test('of overloads and of classes with equal names are kept apart', async () => {
    const text = await kernelText(
      inClass('A', `void Compute(${tensors}) { Exp(a, b, n); }\n void Compute(int k) { Abs(x, y, k); }`) +
        inClass('B', `void Compute(${tensors}) { Sqrt(a, b, n); }`),
    )
    expect(text).toMatch(/In `A::Compute\(LocalTensor<float>, LocalTensor<float>\)`: `Exp\(/)
    expect(text).toMatch(/In `A::Compute\(int\)`: `Abs\(/)
    expect(text).toMatch(/In `B::Compute`: `Sqrt\(/)
  })

  test('beyond the tenth are named', async () => {
    const adds = Array.from({length: 10}, (_, index) => `Adds(a, b, ${index}.0f, n);`).join(' ')
    const text = await kernelText(inClass('K', `void Compute(${tensors}) { ${adds} Cast(a, b, mode, n); }`))
    expect(text).toContain('; after these come `Cast`.')
  })
})

describe('what an entry runs', () => {
  const entry = (body: string) => `extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR y) {\n${body}\n}\n`

  test('is told with the condition that chooses it, also while compiling', async () => {
    const text = await kernelText(
      entry('TPipe pipe; if constexpr (mode == 0) { Fast<half> op; op.Init(x); } else { Slow<half> op; op.Init(y); }'),
    )
    expect(text).toContain('where `mode == 0` holds → `Fast<half>`; where `mode == 0` does not hold → `Slow<half>`')
    expect(text).toContain('`if constexpr` settles the choice')
  })

  test('has no one way of being set up where the variants differ in it', async () => {
    const text = await kernelText(
      entry(
        'if (TILING_KEY_IS(1)) { A<half> op; op.Init(x); op.Process(); } else { B<half> op; op.Init(y); op.Process(); }',
      ),
    )
    expect(text).not.toContain('hands addresses')
    expect(text).toContain('key `1` → `A<half>`; otherwise → `B<half>`')
  })

  test('is told by key, and by the macro that makes it', async () => {
    const arms = 'if (TILING_KEY_IS(7)) { RUN_IMPL(half); } else if (TILING_KEY_IS(8)) { RUN_IMPL(float); }'
    const text = await kernelText(`#define RUN_IMPL(T) do { K<T> op; op.Process(); } while (0)\n${entry(arms)}`)
    expect(text).toContain('key `7` → `RUN_IMPL(half)`; key `8` → `RUN_IMPL(float)`')
  })

  test('is an entry as well where the tiling comes by value', async () => {
    const text = '__global__ __vector__ void g(__gm__ uint8_t* x, Tiling tiling) { K op; op.Init(x); op.Process(); }'
    const facts = await kernelFacts({...source, dependencies: [], target: {path: 'g.asc', text}})
    expect(facts.entries.map(({name}) => name)).toEqual(['g'])
  })
})

test('code for other chips is not told, only that it is there', async () => {
  const text = await kernelText(
    inClass(
      'K',
      `void Compute(${tensors}) {\n#if defined(__DAV_M200__)\n Exp(a, b, n);\n#else\n Abs(a, b, n);\n#endif\n }`,
    ),
  )
  expect(text).toContain('In `Compute`: `Abs(')
  expect(text).not.toContain('Exp(')
  expect(text).toContain('under `defined(__DAV_M200__)` serve other chips')
})

test('templates that differ in their constraints alone are no one chain', async () => {
  const text = await kernelText(
    `template <typename T>\nvoid Same(${tensors}) { Exp(a, b, n); }\n` +
      `template <typename T, int N>\nvoid Same(${tensors}) { Abs(a, b, n); }\n`,
  )
  expect(text).toMatch(/\/\* 1 \*\/`: `Exp\([^.]*\. In `Same\([^`]*\/\* 2 \*\/`: `Abs\(/)
})

test('flags between two cores are no barrier of all', async () => {
  const text = async (call: string) => kernelText(inClass('K', `void Compute(${tensors}) { Exp(a, b, n); ${call} }`))
  expect(await text('SyncAll();')).toContain('All cores have to reach it')
  expect(await text('CrossCoreSetFlag<2, PIPE_V>(3);')).not.toContain('All cores have to reach it')
})

test('a queue that serves both ways names input and output apart', async () => {
  const text = await kernelText(
    inClass(
      'K',
      `TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> both;\n GlobalTensor<float> xGm;\n GlobalTensor<float> yGm;
       void Init(GM_ADDR x, GM_ADDR y) { xGm.SetGlobalBuffer((__gm__ float*)x); yGm.SetGlobalBuffer((__gm__ float*)y); }
       void CopyIn() { auto t = both.AllocTensor<float>(); DataCopy(t, xGm, n); both.EnQue(t); }
       void Compute() { auto t = both.DeQue<float>(); Muls(t, t, 2.0f, n); both.EnQue(t); }
       void CopyOut() { auto t = both.DeQue<float>(); DataCopy(yGm, t, n); }`,
    ),
  )
  expect(text).toContain('the result is `y = x * 2.0`')
})

describe('the unified buffer', () => {
  test('of a class counts what its base sets up, and a base alone has no sum', async () => {
    const text = await kernelText(
      'class Base {\npublic:\n void Init() { pipe.InitBuffer(q, 2, tile * sizeof(float)); }\n' +
        ' TQue<TPosition::VECIN, 1> q;\n};\n' +
        'class Kid : public Base {\npublic:\n void Extra() { pipe.InitBuffer(t, tile * sizeof(float)); }\n TBuf<> t;\n};\n',
    )
    expect(text).toContain('With what `Base` sets up that is 12 × tile bytes, so tile must not exceed 16384')
    expect(text).not.toContain('8 × tile bytes, so')
  })

  test('depends on the width of the elements', async () => {
    const text = await kernelText(
      'template <typename T>\nclass K {\npublic:\n void Init() { pipe.InitBuffer(q, 2, tile * sizeof(T)); }\n' +
        ' TQue<TPosition::VECIN, 1> q;\n};\n',
    )
    expect(text).toMatch(/For elements of 2 bytes it would be 4 × tile, at most 49152\./)
  })

  const members = 'TBuf<> x;\n TBuf<> y;'
  const init = 'pipe.InitBuffer(x, 1024); pipe.InitBuffer(y, 2048);'

  test('is summed up for a class', async () => {
    expect(await kernelText(inClass('K', `void Init() { ${init} }\n ${members}`))).toContain('the sum is 3072 bytes')
  })

  test('is not summed up over classes, which may be alternatives', async () => {
    const text = await kernelText(
      inClass('A', `void Init() { ${init} }\n ${members}`) +
        inClass('B', 'void Init() { pipe.InitBuffer(z, 4096); }\n TBuf<> z;'),
    )
    expect(text).toContain('the sum is 3072 bytes')
    expect(text).toContain('the sum is 4096 bytes')
    expect(text).not.toContain('7168')
  })

  test.each([
    ['a branch', 'void Init() { pipe.InitBuffer(x, 1024); if (m) { pipe.InitBuffer(y, 2048); } }'],
    ['an overload', `void Init() { ${init} }\n void Init(int n) { pipe.InitBuffer(x, 512); }`],
  ])('has no sum where %s decides', async (_, body) => {
    const text = await kernelText(inClass('K', `${body}\n ${members}`))
    expect(text).toContain('depends on the case')
    expect(text).not.toContain('the sum is')
  })
})

describe('order', () => {
  test('what runs once is not told of each round', async () => {
    const text = await kernelText(
      inClass(
        'K',
        `void Prepare() {}\n void CopyIn(int i) {}
         void Process() { Prepare(); for (int i = 0; i < n; i++) { CopyIn(i); } }`,
      ),
    )
    expect(text).toContain('runs `for (int i = 0; i < n; i++)` and calls `CopyIn` in it')
    expect(text).not.toContain('Prepare')
  })

  test('loops of two branches do not follow each other', async () => {
    const loop = (call: string) => `for (int i = 0; i < n; i++) { ${call}(i); }`
    const process = `void Process() { if (m) { ${loop('A')} } else { ${loop('B')} } }`
    const text = await kernelText(inClass('K', `void A(int i) {}\n void B(int i) {}\n ${process}`))
    expect(text).toContain('Another loop, `for (int i = 0; i < n; i++)`, calls `B`')
    expect(text).not.toMatch(/[Tt]hen `for/)
  })

  test('a barrier of all pipes is not one of a single pipe', async () => {
    const text = await kernelText(
      inClass('K', `void Compute(${tensors}) { PipeBarrier<PIPE_ALL>(); Exp(a, b, n); PipeBarrier<PIPE_V>(); }`),
    )
    expect(text).toContain('`PipeBarrier<PIPE_V>` keeps dependent instructions on the same pipe in order')
    expect(text).toContain('`PipeBarrier<PIPE_ALL>` lets nothing start on any pipe')
  })

  test('a queue that passes nothing on orders nothing', async () => {
    const text = await kernelText(
      inClass(
        'K',
        `TQue<TPosition::VECIN, 1> in;\n TQue<TPosition::VECIN, 1> spare;\n void Init() { pipe.InitBuffer(in, 1, 64); }
         void CopyIn() { auto t = spare.AllocTensor<float>(); in.EnQue(t); }
         void Compute() { auto t = in.DeQue<float>(); }`,
      ),
    )
    expect(text).toMatch(/`EnQue`[^.]*`in`|`in`[^.]*`EnQue`/)
    expect(text).not.toContain('`spare`')
  })
})

test('a comparison states no value', () => {
  const code = {text: 'constexpr int BLOCK_SIZE = 32;\nbool isOld;', constants: new Map([['BLOCK_SIZE', 32]])}
  expect(disagreements('Refused where `BLOCK_SIZE == 0`.', code)).toEqual([])
  expect(disagreements('`BLOCK_SIZE` = 0.', code)).toHaveLength(1)
  expect(disagreements('`x = isOld ? BLOCK_SIZE : 0`', code)).toEqual([])
})

describe('the request says what the operator computes', () => {
  const purpose = {text: '把输入加倍。', formulas: ['y = 2x']}
  const request = async (language: 'en' | 'zh', given = purpose) => {
    const text = inClass('K', `void Compute(${tensors}) { Muls(a, b, 2.0f, n); }`)
    const changed = {...source, purpose: given, side: 'kernel' as const, dependencies: [], target: {path: 'a.h', text}}
    return kernelRequest(changed, await kernelFacts(changed), voice(language, randomFrom('claims')))
  }

  test('in the words of its documentation, in the language of the request', async () => {
    expect(await request('zh')).toContain('把输入加倍,文档给出的公式为 $y = 2x$。')
    expect(await request('en')).toContain('documented as $y = 2x$.')
    expect(await request('en')).not.toMatch(/[\u4e00-\u9fff]/)
  })

  test('and by its instructions where no documentation can be read', async () => {
    expect(await request('en', {text: '把输入加倍。', formulas: []})).toContain('`Muls`')
  })
})
