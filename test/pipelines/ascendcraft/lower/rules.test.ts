import {describe, expect, test} from 'vitest'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {checkedFixture, checkedText, runLowered, wave} from '../../../helpers/lowering.ts'

/** A program around the body of a kernel with x and y of `total` elements, one core. */
const program = (body: string, host = '', attributes = '', given = '') => `import tile.language as tl


@ascend_kernel
def rule_kernel(x_ptr, y_ptr, total, tile${given}):
${body.replaceAll(/^(?=.)/gm, '    ')}


def rule_host(x: tl.tensor(tl.float32), y: tl.output(tl.float32, shape=[x.shape[0]])${attributes}):
    total = x.shape[0]
${host.replaceAll(/^(?=.)/gm, '    ')}    # Core Partitioning: one core.
    n_cores = 1
    # Tiling Strategy: 64 elements, 2048 bytes of UB.
    tile = 64
    rule_kernel[n_cores](x, y, total, tile${given})
`

const kernelOf = (text: string, pass: 'compute' | 'aligned' = 'aligned') =>
  lower(checkedText(text), {operator: 'RuleCustom'}).passes[pass].at(-1)?.text ?? ''

const hostOf = (text: string) => lower(checkedText(text), {operator: 'RuleCustom'}).files[1]?.text ?? ''

async function run(text: string, count: number, pass: 'compute' | 'aligned' = 'aligned') {
  const checked = checkedText(text)
  const files = lower(checked, {operator: 'RuleCustom'}).passes[pass]
  return runLowered('RuleCustom', checked, files, {x: {shape: [count], values: wave(count)}})
}

const buffers = `x_ub = tl.alloc_ub(tile, dtype=tl.float32)
y_ub = tl.alloc_ub(tile, dtype=tl.float32)
`

const twice = program(`${buffers}for offset in range(0, total, tile):
    count = min(tile, total - offset)
    with tl.copyin():
        tl.load(x_ptr + offset, x_ub, count=count)
    with tl.compute():
        tl.muls(y_ub, x_ub, 2.0, count=count)
    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=count)
`)

describe('alignment', () => {
  test('pass 3 moves whole blocks, pass 4 any count', async () => {
    expect((await run(twice, 128, 'compute')).outcome).toBe('ran')
    expect(await run(twice, 100, 'compute')).toEqual({outcome: 'stopped', why: 'unaligned-copy'})
    const refined = await run(twice, 100)
    expect(refined.outcome === 'ran' && refined.values['y']?.[99]).toBeCloseTo(2 * (wave(100)[99] as number))
  }, 60_000)

  test('what the host asserts lets pass 4 keep plain copies', () => {
    expect(kernelOf(twice)).toContain('DataCopyPad(')
    const asserted = twice.replace('    # Core', '    assert total % 8 == 0, "whole blocks"\n    # Core')
    expect(kernelOf(asserted)).not.toContain('DataCopyPad(')
    const short = twice.replace('    # Core', '    assert total % 4 == 0, "half blocks"\n    # Core')
    expect(kernelOf(short)).toContain('DataCopyPad(')
    // Of a name with two values, an assertion says nothing about the first.
    const changed = short
      .replace('total % 4', 'total % 8')
      .replace('total = x.shape[0]', 'total = x.shape[0]\n    total = total + 0')
    expect(kernelOf(changed)).toContain('DataCopyPad(')
  })

  test('whole blocks at an address that is no multiple of 32 bytes are copied by bytes', () => {
    const shifted = (by: number) =>
      kernelOf(twice.replace('x_ptr + offset', `x_ptr + ${by}`).replaceAll('count=count', 'count=8'))
    expect(shifted(8)).toContain('DataCopy(xLocal, xGm_[8], 8)')
    expect(shifted(1)).toContain('DataCopyPad(xLocal, xGm_[1], copyParams, padParams)')
  })

  test('comparisons take whole repeats', async () => {
    const masked = twice
      .replace(
        'tl.muls(y_ub, x_ub, 2.0, count=count)',
        [
          'tl.compares(mask_ub, x_ub, 0.0, mode="lt", count=count)',
          'tl.selects(y_ub, mask_ub, x_ub, 9.0, count=count)',
        ].join('\n            '),
      )
      .replace('    for offset', '    mask_ub = tl.alloc_ub(32, dtype=tl.uint8)\n    for offset')
    expect(await run(masked, 100, 'compute')).toMatchObject({outcome: 'stopped'})
    const refined = await run(masked, 100)
    const wanted = Array.from(wave(100), (one) => (one < 0 ? one : 9))
    expect(refined.outcome === 'ran' && [...(refined.values['y'] ?? [])]).toEqual(wanted)
  }, 60_000)
})

describe('life of tensors', () => {
  test('what several blocks compute with is taken from its queue once', () => {
    const kernel = kernelOf(
      program(`${buffers}with tl.copyin():
    tl.load(x_ptr, x_ub, count=tile)
with tl.compute():
    tl.adds(y_ub, x_ub, 1.0, count=tile)
with tl.compute():
    tl.add(y_ub, y_ub, x_ub, count=tile)
with tl.copyout():
    tl.store(y_ptr, y_ub, count=tile)
`),
    )
    const process = /void Process\(\)\n {4}\{\n([\s\S]*?)\n {4}\}/
      .exec(kernel)?.[1]
      ?.replaceAll(/^ +/gm, '')
      .split('\n')
    expect(process).toEqual([
      'CopyIn();',
      'xLocal_ = xQueue_.DeQue<float>();',
      'yLocal_ = yQueue_.AllocTensor<float>();',
      'ComputeY();',
      'AccumulateY();',
      'xQueue_.FreeTensor(xLocal_);',
      'yQueue_.EnQue(yLocal_);',
      'CopyOut();',
    ])
  })

  test('an output that a loop writes on and stores is there at all times', async () => {
    const text = program(`${buffers}with tl.copyin():
    tl.load(x_ptr, x_ub, count=tile)
with tl.compute():
    tl.duplicate(y_ub, 1.0, count=tile)
for offset in range(0, total, tile):
    with tl.compute():
        tl.muls(y_ub, x_ub, 3.0, count=tile)
    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=tile)
`)
    const seen = await run(text, 192)
    const wanted = Array.from({length: 192}, (_, at) => Math.fround(3 * (wave(64)[at % 64] as number)))
    expect(seen.outcome === 'ran' && [...(seen.values['y'] ?? [])]).toEqual(wanted)
  }, 60_000)

  test('a store under a condition gives the tensor back either way', async () => {
    const text = (bound: number) =>
      program(`${buffers}for offset in range(0, total, tile):
    with tl.copyin():
        tl.load(x_ptr + offset, x_ub, count=tile)
    with tl.compute():
        tl.abs(y_ub, x_ub, count=tile)
    if offset >= ${bound}:
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=tile)
    else:
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=tile)
`)
    for (const bound of [0, 64, 1000]) expect((await run(text(bound), 256)).outcome).toBe('ran')
  }, 60_000)

  test('five queues of two blocks share eight events', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const allocs = names.map((name) => `${name}_ub = tl.alloc_ub(tile, dtype=tl.float32)\n`).join('')
    const loads = names.map((name) => `        tl.load(x_ptr + offset, ${name}_ub, count=tile)\n`).join('')
    const sums = names.map((name) => `        tl.add(y_ub, y_ub, ${name}_ub, count=tile)\n`).join('')
    const kernel = kernelOf(
      program(`${allocs}y_ub = tl.alloc_ub(tile, dtype=tl.float32)
for offset in range(0, total, tile):
    with tl.copyin():
${loads}    with tl.compute():
        tl.duplicate(y_ub, 0.0, count=tile)
${sums}    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=tile)
`),
    )
    expect(kernel.match(/VECIN, BUFFER_NUM/g)).toHaveLength(3)
    expect(kernel.match(/VECIN, 1>/g)).toHaveLength(2)
  })
})

describe('order', () => {
  test('the vector unit and scalars wait for each other', () => {
    const kernel = kernelOf(checkedFixtureText('softmax'))
    expect(kernel.match(/Synchronise<HardEvent::V_S>\(\);\n.*GetValue/g)).toHaveLength(2)
    expect(kernel.match(/GetValue\(0\);\n.*Synchronise<HardEvent::S_V>\(\);/g)).toHaveLength(2)
  })

  test('single elements of an input are waited for once, where a copy of it is taken', () => {
    const kernel = kernelOf(
      program(`x_ub = tl.alloc_ub(64, dtype=tl.float32)
g_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
with tl.copyin():
    tl.load(x_ptr, g_ub, count=64)
for offset in range(0, total, tile):
    with tl.copyin():
        tl.load(x_ptr + offset, x_ub, count=64)
    with tl.compute():
        tl.muls(y_ub, x_ub, tl.extract(g_ub, 0), count=64)
        tl.adds(y_ub, y_ub, tl.extract(g_ub, 1), count=64)
    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=64)
`),
    )
    expect(kernel.match(/Synchronise<HardEvent::V_S>\(\);/g)).toHaveLength(1)
    expect(kernel).toMatch(/gQueue_\.DeQue<float>\(\);\n\s*Synchronise<HardEvent::V_S>\(\);\n\s*for /)
    expect(kernel).toMatch(/Adds\(yLocal, .*\n\s*Synchronise<HardEvent::S_V>\(\);/)
    const own = kernelOf(
      program(`x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
for offset in range(0, total, tile):
    with tl.copyin():
        tl.load(x_ptr + offset, x_ub, count=64)
    with tl.compute():
        tl.muls(y_ub, x_ub, tl.extract(x_ub, 0), count=64)
        tl.adds(y_ub, y_ub, tl.extract(x_ub, 1), count=64)
    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=64)
`),
    )
    expect(own.match(/Synchronise<HardEvent::V_S>\(\);/g)).toHaveLength(1)
  })

  test('a core reads its own stores behind them, and not where a barrier stands between', () => {
    const centre = lower(checkedFixture('centre-square'), {operator: 'A'}).files.at(-1)?.text ?? ''
    expect(centre.match(/MTE3_MTE2/g)).toHaveLength(1)
    const partial = lower(checkedFixture('mean-square'), {operator: 'A'}).files.at(-1)?.text ?? ''
    expect(partial).not.toContain('MTE3_MTE2')
    expect(partial).toContain('PipeBarrier<PIPE_ALL>();\n        SyncAll();')
  })
})

function checkedFixtureText(name: 'softmax'): string {
  expect(name).toBe('softmax')
  return program(`${buffers}work_ub = tl.alloc_ub(tile, dtype=tl.float32)
sum_ub = tl.alloc_ub(8, dtype=tl.float32)
with tl.copyin():
    tl.load(x_ptr, x_ub, count=tile)
with tl.compute():
    tl.reduce_max(sum_ub, x_ub, work_ub, count=tile)
    largest = tl.extract(sum_ub, 0)
    tl.subs(y_ub, x_ub, largest, count=tile)
    tl.reduce_sum(sum_ub, y_ub, work_ub, count=tile)
    tl.divs(y_ub, y_ub, tl.extract(sum_ub, 0), count=tile)
with tl.copyout():
    tl.store(y_ptr, y_ub, count=tile)
`)
}

describe('scalars', () => {
  const scalarIn = (expression: string) =>
    /const \w+ s = (.*);/.exec(
      kernelOf(
        program(`${buffers}s = ${expression}
with tl.copyin():
    tl.load(x_ptr, x_ub, count=tile)
with tl.compute():
    tl.muls(y_ub, x_ub, 1.0 * s, count=tile)
with tl.copyout():
    tl.store(y_ptr, y_ub, count=tile)
`),
      ),
    )?.[1]

  test.each([
    ['total - (tile - 2)', 'total_ - (tile_ - 2)'],
    ['total + (tile + 2)', 'total_ + tile_ + 2'],
    ['(total + tile) * 2', '(total_ + tile_) * 2'],
    ['total // 8 * 8', 'total_ / 8 * 8'],
    ['(total - tile) // 8', 'FloorDiv(total_ - tile_, 8)'],
    ['(tile - total) % 8', 'FloorMod(tile_ - total_, 8)'],
    ['total / 4', 'static_cast<float>(total_) / 4.0f'],
    ['total * 0.5', 'static_cast<float>(total_) * 0.5f'],
    ['-(total + 1)', '-(total_ + 1)'],
    ['max(total, tile, 3)', 'Larger(Larger(total_, tile_), 3)'],
    ['max(abs(total / 4), 3.0)', 'Larger(Magnitude(static_cast<float>(total_) / 4.0f), 3.0f)'],
    ['tl.align(tile, 8)', 'tile_'],
    ['tl.align(total, 8)', 'AlignUp(total_, 8)'],
    ['tl.cdiv(total, tile)', 'CeilDiv(total_, tile_)'],
    [
      'total if total > 3 and (tile < 9 or not tile == 2) else 3',
      'total_ > 3 && (tile_ < 9 || !(tile_ == 2)) ? total_ : 3',
    ],
    ['tl.sqrt(total)', 'sqrt(static_cast<float>(total_))'],
    ['int(total / 2)', 'static_cast<int64_t>(static_cast<float>(total_) / 2.0f)'],
    ['total ** 2', 'total_ * total_'],
  ])('%s', (python, cpp) => {
    expect(scalarIn(python)).toBe(cpp)
  })

  test('assertions of the host are turned round, and what nothing needs is left out', () => {
    const text = twice.replace(
      '    # Core',
      `    assert total > 3, "more than three"
    assert total != 5 and total < 100, "few"
    unused = total * 7
    # Core`,
    )
    const host = hostOf(text)
    expect(host).toContain('if (total <= 3) {\n        // served: more than three\n        return ge::GRAPH_FAILED;')
    expect(host).toContain('if (!(total != 5 && total < 100)) {')
    expect(host).not.toMatch(/unused|\* 7/)
  })
})

test('what is added to where it stands is one instruction’s work: its destination is not counted twice', async () => {
  const added = await run(
    program(`${buffers}for offset in range(0, total, tile):
    with tl.copyin():
        tl.load(x_ptr + offset, x_ub, count=64)
    with tl.compute():
        tl.muls(y_ub, x_ub, 2.0, count=64)
        tl.axpy(y_ub, x_ub, 3.0, count=64)
        tl.mul_add(y_ub, x_ub, x_ub, count=64)
    with tl.copyout():
        tl.store(y_ptr + offset, y_ub, count=64)
`),
    640,
  )
  const {Muls, ...others} = (added.outcome === 'ran' && added.execution.trace.repeats) || {}
  expect(others).toEqual({Axpy: Muls, MulAddDst: Muls})
}, 60_000)
