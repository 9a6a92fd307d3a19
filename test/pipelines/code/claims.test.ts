import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {disagreements} from '../../../pipelines/code/agreement.ts'
import {hostFacts} from '../../../pipelines/code/host-facts.ts'
import {kernelFacts} from '../../../pipelines/code/kernel-facts.ts'
import {hostReasoning} from '../../../pipelines/code/offline/host-reasoning.ts'
import {kernelRequest} from '../../../pipelines/code/offline/kernel-request.ts'
import {kernelReasoning} from '../../../pipelines/code/offline/kernel-reasoning.ts'
import {voice} from '../../../pipelines/code/offline/say.ts'

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
    expect(place).not.toContain('may be shorter')
    expect(length).toContain('may be shorter, which `count = i < n ? tile : tail`')
  })

  test('a remainder of a group index shares nothing out', async () => {
    const text = await kernelText(inClass('K', 'void Init() { group = GetBlockIdx() % groups; }'))
    expect(text).toContain('`group = GetBlockIdx() % groups`')
    expect(text).not.toContain('remainder')
  })
})

describe('steps', () => {
  test('of branches are told with their condition, as only one arm runs', async () => {
    const body = `void Compute(${tensors}) {
      Adds(a, b, 1.0f, n);
      if constexpr (isHalf) { Muls(a, b, 2.0f, n); } else { Exp(a, b, n); }
      switch (mode) { case 3: Sqrt(a, b, n); break; default: Abs(a, b, n); }
      Cast(a, b, RoundMode::CAST_NONE, n);
    }`
    const text = await kernelText(inClass('K', body))
    expect(text).toMatch(/where `isHalf` holds: `Muls\([^;]*; where `isHalf` does not hold: `Exp\(/)
    expect(text).toMatch(/where `mode` is `3`: `Sqrt\([^;]*; where `mode` is `default`: `Abs\(/)
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

describe('the unified buffer', () => {
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
  const code = {text: 'constexpr int BLOCK_SIZE = 32;', constants: new Map([['BLOCK_SIZE', 32]])}
  expect(disagreements('Refused where `BLOCK_SIZE == 0`.', code)).toEqual([])
  expect(disagreements('`BLOCK_SIZE` = 0.', code)).toHaveLength(1)
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
