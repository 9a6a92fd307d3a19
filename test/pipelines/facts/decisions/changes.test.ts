import {describe, expect, test} from 'vitest'
import {applyEdits} from '../../../../cpp/edit.ts'
import {viewSource} from '../../../../cpp/source-view.ts'
import type {ChangeKind} from '../../../../pipelines/facts/decisions/change.ts'
import {allCores, hostChanges, largerTiles, smallerTiles} from '../../../../pipelines/facts/decisions/host-changes.ts'
import {kernelChanges} from '../../../../pipelines/facts/decisions/kernel-changes.ts'

const kinds = new Map([...kernelChanges, ...hostChanges].map((one) => [one.name, one]))

/** What a text becomes by each place at which it can be decided otherwise. */
function changed(kind: ChangeKind | string, text: string): string[] {
  const {find} = typeof kind === 'string' ? (kinds.get(kind) as ChangeKind) : kind
  return find(viewSource('a.cpp', text)).map(({edits}) => applyEdits(text, edits))
}

const function_ = (body: string, tensors = 'x y') => {
  const parameters = tensors.split(' ').map((name) => `const LocalTensor<float>& ${name}`)
  return `void F(${parameters.join(', ')}, uint32_t n)\n{\n    ${body}\n}\n`
}

describe('of a kernel', () => {
  test.each<[string, string, string[]]>([
    ['a bound in place goes', 'Mins(x, x, 20.0f, n);', ['\n']],
    ['another passes its operand on', 'Maxs(y, x, LOW, n);', ['Adds(y, x, static_cast<float>(0), n);']],
    ['a value that is computed is what the formula asks for', 'Maxs(x, x, s1, n);', []],
    ['a sum is no bound', 'Adds(y, x, 20.0f, n);', []],
    ['a bound on what is no tensor of the function', 'Mins(z, a, 1.0f, n);', []],
  ])('no bound: %s', (_, before, after) => {
    const texts = changed('no-bound', function_(before))
    expect(texts).toEqual(after.map((one) => (one === '\n' ? function_('').replace('    \n', '') : function_(one))))
  })

  test.each<[string, string, number]>([
    ['before an exponential of it', 'Adds(y, x, -largest, n); Exp(y, y, n);', 1],
    ['before an exponential of another', 'Adds(y, x, -largest, n); Exp(x, x, n);', 0],
    ['of a number', 'Adds(y, x, -1.0f, n); Exp(y, y, n);', 0],
    ['upwards', 'Adds(y, x, largest, n); Exp(y, y, n);', 0],
    ['in two places, of which one has no exponential', 'Adds(y, x, -m, n); Exp(y, y, n); Adds(x, x, -m, n);', 0],
    ['by two scalars', 'Adds(y, x, -m, n); Exp(y, y, n); Adds(x, x, -k, n); Exp(x, x, n);', 0],
  ])('no shift: %s', (_, body, count) => {
    expect(changed('no-shift', function_(body))).toHaveLength(count)
  })

  test('a shift that stands twice goes twice', () => {
    const places = (one: string) => function_(`${one}Exp(x, x, n); Sum(y, x, n); ${one}Exp(x, x, n);`)
    expect(changed('no-shift', places('Adds(x, x, -m, n); '))).toEqual([expect.not.stringContaining('Adds')])
  })

  test('a farther bound is one at five times its scalar', () => {
    expect(changed('farther-bound', function_('Mins(y, x, LIMIT, n);'))).toEqual([
      function_('Mins(y, x, (LIMIT) * 5, n);'),
    ])
    // Five times zero is zero.
    for (const zero of ['0', '0.0f', '-0.0f'])
      expect(changed('farther-bound', function_(`Mins(y, x, ${zero}, n);`))).toEqual([])
    expect(changed('farther-bound', function_('Mins(y, x, 0.5f, n);'))).toHaveLength(1)
  })

  test('copies of one block become copies of whole blocks, those of rows stay', () => {
    const one = 'const DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};'
    const rows = one.replace('{1,', '{static_cast<uint16_t>(m),')
    const copies = 'DataCopyPad(x, gm[at], p, pad);\n    DataCopyPad(gm[at], y, p);'
    expect(changed('plain-copy', function_(`${one}\n    ${copies}`))).toEqual([
      function_(`${one}\n    DataCopy(x, gm[at], n);\n    DataCopy(gm[at], y, n);`),
    ])
    expect(changed('plain-copy', function_(`${rows}\n    ${copies}`))).toEqual([])
  })

  test.each<[string, string, string]>([
    ['a choice', 'rest < tile ? rest : tile', ' tile'],
    ['a minimum', 'Min(rest, tile)', ' tile'],
  ])('whole tiles: %s in a loop', (_, cut, whole) => {
    const loop = (value: string) => `for (uint32_t i = 0; i < n; i += tile) {\n    const uint32_t count =${value};\n}`
    expect(changed('whole-tiles', function_(loop(` ${cut}`)))).toEqual([expect.stringContaining(`count =${whole};`)])
    expect(changed('whole-tiles', function_(`const uint32_t count = ${cut};`))).toEqual([])
  })

  test('queues of two blocks have one, by a number or a constant', () => {
    const text = 'constexpr int32_t NUM = 2;\nvoid F() { pipe.InitBuffer(a, NUM, 64); pipe.InitBuffer(b, 2, 64); }\n'
    const [single] = changed('single-blocks', text)
    expect(single).toContain('pipe.InitBuffer(a, 1, 64); pipe.InitBuffer(b, 1, 64);')
    expect(changed('single-blocks', text.replace('= 2', '= 3').replace('b, 2', 'b, 4'))).toEqual([])
  })

  test('the cast back truncates; one that rounds otherwise stays', () => {
    const cast = 'Cast(y, x, RoundMode::CAST_RINT, n);'
    expect(changed('truncated', function_(cast))).toEqual([function_(cast.replace('RINT', 'TRUNC'))])
    expect(changed('truncated', function_(cast.replace('RINT', 'NONE')))).toEqual([])
  })

  test.each<[string, string, number]>([
    ['between two pipes', 'HardEvent::V_MTE3', 1],
    ['with the scalar unit', 'HardEvent::V_S', 0],
    ['of an event that has a name', 'Event', 0],
  ])('no flag: %s', (_, event, count) => {
    const body = `SetFlag<${event}>(id);\n    WaitFlag<${event}>(id);`
    expect(changed('no-flag', function_(body))).toHaveLength(count)
    expect(changed('no-flag', function_(body.replace('WaitFlag', 'Add(x, x, y, n); WaitFlag')))).toEqual([])
  })

  test('a barrier goes, one of the scalar unit stays', () => {
    expect(changed('no-barrier', function_('PipeBarrier<PIPE_V>();'))).toHaveLength(1)
    expect(changed('no-barrier', function_('PipeBarrier<PIPE_S>();'))).toEqual([])
  })

  test('arithmetic in half: tensors, buffers, casts and scalars; float alone is no detour', () => {
    const body = `LocalTensor<half> h = q.DeQue<half>();
    LocalTensor<float> f = buf.Get<float>();
    Cast(f, h, RoundMode::CAST_NONE, n);
    Muls(f, f, factor, n);`
    const [inHalf] = changed('computed-in-half', `void F(uint32_t n)\n{\n    ${body}\n}\n`)
    expect(inHalf).toContain('LocalTensor<half> f = buf.Get<half>();')
    expect(inHalf).toContain('Adds(f, h, static_cast<half>(0), n);')
    expect(inHalf).toContain('Muls(f, f, static_cast<half>(factor), n);')
    expect(changed('computed-in-half', function_('Muls(y, x, factor, n);'))).toEqual([])
  })

  test.each([
    ['down', 'Cast(f, f, RoundMode::CAST_FLOOR, n);', 0],
    ['up', 'Cast(f, f, RoundMode::CAST_CEIL, n);', 0],
    ['to the nearest', 'Cast(f, f, RoundMode::CAST_RINT, n);', 0],
    ['to an integer', 'Cast(k, f, RoundMode::CAST_ROUND, n);', 0],
    ['back to half', 'Cast(h, f, RoundMode::CAST_ROUND, n);', 1],
  ])('no half where the formula rounds to whole numbers: %s', (_, cast, count) => {
    const tensors = 'LocalTensor<half> h; LocalTensor<float> f; LocalTensor<int32_t> k;'
    const text = `void F(uint32_t n)\n{\n    ${tensors}\n    Cast(f, h, RoundMode::CAST_NONE, n);\n    ${cast}\n}\n`
    expect(changed('computed-in-half', text)).toHaveLength(count)
  })

  test('scratch buffers by the size of the tensor', () => {
    const text =
      'void F(LocalTensor<half>& h) { pipe.InitBuffer(a, n * sizeof(float)); pipe.InitBuffer(q, 2, n * 4); }\n'
    expect(changed('small-buffers', text)).toEqual([text.replace('sizeof(float)', 'sizeof(half)')])
    expect(changed('small-buffers', text.replace('LocalTensor<half>', 'LocalTensor<float>'))).toEqual([])
  })
})

describe('of what a queue or a comparison is given', () => {
  const body = 'LocalTensor<float> x = q.DeQue<float>();\n    Add(y, x, x, n);\n    q.FreeTensor(x);'

  test('a tensor is not given back, or before it is read', () => {
    expect(changed('not-given-back', function_(body, 'y'))).toEqual([
      function_(body.replace('\n    q.FreeTensor(x);', ''), 'y'),
    ])
    expect(changed('freed-early', function_(body, 'y'))).toEqual([
      function_('LocalTensor<float> x = q.DeQue<float>(); q.FreeTensor(x);\n    Add(y, x, x, n);', 'y'),
    ])
  })

  test.each([
    ['that nothing reads', body.replace('Add(y, x, x, n);', 'Add(y, y, y, n);')],
    ['that comes from elsewhere', body.replace('x = q.DeQue<float>()', 'x = Get()')],
    ['that is taken again', body.replace('    q.Free', '    x = q.DeQue<float>();\n    q.Free')],
  ])('a tensor %s has no place to be freed early', (_, text) => {
    expect(text).not.toBe(body)
    expect(changed('freed-early', function_(text, 'y'))).toEqual([])
  })

  test('a comparison of a rounded length gets the length itself', () => {
    const round = 'const uint32_t padded = (n + 64 - 1) / 64 * 64;'
    const compare = (length: string) => function_(`${round}\n    CompareScalar(m, x, 0.0f, CMPMODE::LT, ${length});`)
    expect(changed('unpadded-comparison', compare('padded'))).toEqual([compare('n')])
    expect(changed('unpadded-comparison', compare('n'))).toEqual([])
    expect(changed('unpadded-comparison', compare('padded').replace('CompareScalar', 'Duplicate'))).toEqual([])
  })
})

describe('of a host', () => {
  test('every core is started, if the call leaves some idle', () => {
    const text = (blocks: string) =>
      `void F() {\n    const uint32_t all = platform.GetCoreNumAiv();\n    context->SetBlockDim(${blocks});\n}\n`
    const kind = (blockDim: number) => allCores({blockDim})
    expect(changed(kind(7), text('used'))).toEqual([text('all')])
    expect(changed(kind(48), text('used'))).toEqual([])
    expect(changed(kind(7), text('used').replace('GetCoreNumAiv', 'GetCoreNum'))).toEqual([])
  })

  test('one core, with all that the number is asked of', () => {
    const text = 'void F() { uint32_t n = platform.GetCoreNumAiv(); auto m = p->GetCoreNum(); }\n'
    expect(changed('one-core', text)).toEqual(['void F() { uint32_t n = 1; auto m = 1; }\n'])
  })

  test('rows that are not rounded up, not other lengths', () => {
    const text = 'void F() { uint32_t alignedCols = RoundUp(cols, unit); uint32_t share = RoundUp(total, unit); }\n'
    expect(changed('unaligned-rows', text)).toEqual([text.replace('RoundUp(cols, unit)', 'cols')])
  })

  const buffers = [
    {name: 'a', count: 2, bytes: 4},
    {name: 'b', count: 1, bytes: 0.125},
  ]
  const tile = {
    field: 'tile',
    value: 64,
    isRows: false,
    isRow: false,
    perUnit: 8.125,
    fixed: 32,
    buffers,
    kept: 0,
    keeper: '',
  }
  const fields =
    'void F() { tiling.set_tile(length); tiling->tile = a + b; tiling.set_other(length); other->tile = 1; }\n'

  test('larger tiles, and what they take in whole blocks', () => {
    const kind = largerTiles(tile, 3)
    expect(changed(kind, fields)).toEqual([
      fields.replace('set_tile(length)', 'set_tile((length) * 3)').replace('a + b', '(a + b) * 3'),
    ])
    const [found] = kind.find(viewSource('a.cpp', fields))
    expect(found?.values).toEqual({larger: 192, needed: 32 + 8 * 192 + 32})
  })

  test('smaller tiles', () => {
    const [text] = changed(smallerTiles(tile, 16), fields)
    expect(text).toContain('tiling.set_tile((length) < 16 ? (length) : 16);')
    expect(text).toContain('tiling->tile = (a + b) < 16 ? (a + b) : 16;')
  })
})
