import {describe, expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {rewindsOf, rewindSteps} from '../../../pipelines/preference/rewinds.ts'
import {causes} from '../../../pipelines/preference/rewinds/causes.ts'
import {fixtureTask} from './records.ts'

const {answer} = await fixtureTask()
const starter = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])

function operator(kernel: string, host = ''): SourceFile[] {
  return [
    {path: 'op_host/a.cpp', text: host},
    {path: 'op_kernel/a.cpp', text: kernel},
  ]
}

/** What a step makes of the kernel, or of the host where there is no kernel. */
function taken(step: string, kernel: string, host = ''): string | undefined {
  const files = rewindSteps.find(({name}) => name === step)?.take(operator(kernel, host), randomFrom('a'))
  return files?.[kernel === '' ? 0 : 1]?.text
}

const queues = `constexpr int32_t BUFFER_NUM = 2;
TQue<QuePosition::VECIN, BUFFER_NUM> in_;
TQue<AscendC::TPosition::VECOUT, 1> out_;
TQue<TPosition::VECIN, 1> bias_;
void Init() {
    pipe_.InitBuffer(in_, BUFFER_NUM, n);
    pipe_.InitBuffer(out_, 2, n);
    pipe_.InitBuffer(bias_, 1, n);
    pipe_.InitBuffer(temp_, n);
}`

describe('each step', () => {
  test('single-buffer-in and single-buffer-out take a block from queues of two', () => {
    expect(taken('single-buffer-in', queues)).toBe(queues.replace('(in_, BUFFER_NUM', '(in_, 1'))
    expect(taken('single-buffer-out', queues)).toBe(queues.replace('(out_, 2', '(out_, 1'))
    expect(taken('single-buffer-in', queues.replace('BUFFER_NUM = 2', 'BUFFER_NUM = 3'))).toBeUndefined()
  })

  test('split-copies makes loops of short copies, whose pieces begin at whole blocks', () => {
    expect(taken('split-copies', '    DataCopy(yGm_[start], yLocal, count);\n')).toMatch(
      new RegExp(
        [
          String.raw`^    for \(uint32_t part = 0; part < count; part \+= (256|512)\) \{\n`,
          String.raw`        DataCopy\(yGm_\[start\]\[part\], yLocal\[part\], count - part < \1 \? count - part : \1\);\n    \}\n$`,
        ].join(''),
      ),
    )
    const padded = `DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
DataCopyPad(xLocal, xGm_[start], p, pad);`
    expect(taken('split-copies', padded)).toContain(
      'const DataCopyExtParams partParams{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};\n' +
        '    DataCopyPad(xLocal[part], xGm_[start][part], partParams, pad);',
    )
    expect(taken('split-copies', padded)).toContain('part < n; part += ')
  })

  test.each([
    ['a copy within UB', 'DataCopy(a, b, count);'],
    ['a copy by parameters', 'DataCopy(xLocal, xGm_, copyParams);'],
    [
      'the parameters of another function',
      `{ DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0}; }
{ DataCopyExtParams p{1, sizeof(T), 0, 0, 0}; DataCopyPad(xLocal, xGm_, p, q); }`,
    ],
    [
      'rows with gaps',
      'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 4, 0, 0}; DataCopyPad(x, xGm_, p);',
    ],
  ])('split-copies leaves %s', (_, text) => expect(taken('split-copies', text)).toBeUndefined())

  const rows = `const DataCopyExtParams p{
    static_cast<uint16_t>(count), static_cast<uint32_t>(cols_ * sizeof(T)), 0, 0, 0};
DataCopyPad(xLocal, xGm_[first], p, pad);
DataCopyPad(yGm_[first], yLocal, p);`
  test('copies-row-by-row copies each row to where the whole copy puts it', () => {
    const text = taken('copies-row-by-row', rows)
    expect(text).toContain('for (uint32_t line = 0; line < count; ++line) {')
    const [ub, gm] = ['line * ((cols_ * sizeof(T) + 31) / 32 * 32 / sizeof(T))', 'static_cast<uint64_t>(line) * cols_']
    expect(text).toContain(`DataCopyPad(xLocal[${ub}], xGm_[first][${gm}], lineParams, pad);`)
    expect(text).toContain(`DataCopyPad(yGm_[first][${gm}], yLocal[${ub}], lineParams);`)
    expect(taken('split-copies', rows)).toBeUndefined()
  })

  test('copied-in-twice repeats one copy from GM, behind a barrier', () => {
    expect(taken('copied-in-twice', rows.replace('yGm_[first], yLocal', 'yLocal, ubTemp'))).toContain(
      'DataCopyPad(xLocal, xGm_[first], p, pad);\nPipeBarrier<PIPE_MTE2>();\nDataCopyPad(xLocal, xGm_[first], p, pad);',
    )
    expect(taken('copied-in-twice', 'DataCopy(yGm_, yLocal, n);')).toBeUndefined()
  })

  test('barrier-in-loop stands behind an EnQue', () => {
    expect(taken('barrier-in-loop', '    in_.EnQue(x);\n    y;')).toBe(
      '    in_.EnQue(x);\n    PipeBarrier<PIPE_ALL>();\n    y;',
    )
  })

  const tensors = 'void F(const LocalTensor<T>& z, const LocalTensor<T>& x, LocalTensor<float> w, float s, int n) {'
  test.each([
    [
      'Sub(z, x, z, n);',
      'z.SetValue(index, static_cast<T>(a - b));',
      'const float a = static_cast<float>(x.GetValue(index));',
    ],
    ['Maxs(w, w, s, n);', 'w.SetValue(index, a > b ? a : b);', 'const float b = s;'],
    [
      'Abs(w[8], w, static_cast<int32_t>(n));',
      'w[8].SetValue(index, a < 0 ? -a : a);',
      'index < static_cast<int32_t>(n)',
    ],
    ['Relu(z, x, n);', 'z.SetValue(index, static_cast<T>(a < 0 ? 0 : a));', '++index'],
  ])('scalar-loop: %s', (call, ...parts) => {
    const text = taken('scalar-loop', `${tensors}\n    ${call}\n}`)
    for (const part of parts) expect(text).toContain(part)
    expect(text).not.toContain(call)
  })

  test.each(['Add(z, x, y, mask, 1, params);', 'Exp(z, x, n);', 'Add(unknown, x, z, n);', 'Sub(z, x, z, n / 2);'])(
    'scalar-loop leaves %s',
    (call) => expect(taken('scalar-loop', `${tensors}\n    ${call}\n}`)).toBeUndefined(),
  )

  const cores =
    'const uint32_t coreNum = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();'
  test('fewer-cores and one-core change what the host splits by', () => {
    expect(taken('fewer-cores', '', cores)).toBe(cores.replace('Aiv()', 'Aiv() / 4'))
    expect(taken('one-core', '', cores)).toBe('const uint32_t coreNum = 1;')
    expect(taken('one-core', '', 'auto n = std::min(rows, platform->GetCoreNum() / 4);')).toBe(
      'auto n = std::min(rows, 1);',
    )
    expect(taken('fewer-cores', '', 'auto n = platform.GetCoreNumAiv() / 4;')).toBeUndefined()
  })

  test('smaller-tiles caps what the tiling says of a tile', () => {
    expect(taken('smaller-tiles', '', 'tiling.set_tileLength(length);')).toMatch(
      /^tiling\.set_tileLength\(length < (256|512) \? length : \1\);$/,
    )
    expect(taken('smaller-tiles', '', 'tiling->tileRows = a + b;')).toMatch(
      /^tiling->tileRows = \(a \+ b\) < ([12]) \? \(a \+ b\) : \1;$/,
    )
    expect(taken('smaller-tiles', '', 'tiling.set_tileNum(n); tiling.set_blockLength(n);')).toBeUndefined()
  })

  test('has a cause that can be told', () => {
    expect(Object.keys(causes).sort()).toEqual(rewindSteps.map(({name}) => name).sort())
  })
})

describe('rewindsOf', () => {
  const rewinds = rewindsOf(answer, 12, randomFrom('a'))

  test('gives versions that differ from the answer and from each other', () => {
    const texts = [answer, ...rewinds.map(({files}) => files)].map((files) => JSON.stringify(files))
    expect(rewinds.length).toBeGreaterThan(6)
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('each is one step behind one that stands before it', () => {
    for (const [index, {files, steps}] of rewinds.entries()) {
      const before = rewinds.slice(0, index).find((other) => other.steps.join() === steps.slice(0, -1).join())
      const from = steps.length === 1 ? answer : before?.files
      const step = rewindSteps.find(({name}) => name === steps.at(-1))
      expect(from && step?.take(from, randomFrom('x'))?.map(({path}) => path)).toEqual(files.map(({path}) => path))
      expect(files.filter((file, at) => file.text !== from?.[at]?.text)).toHaveLength(1)
    }
  })

  test('the same steps are the same operator', () => {
    for (const {answer: files} of starter) {
      const of = rewindsOf(files, 40, randomFrom('b'))
      expect(new Set(of.map(({steps}) => steps.join())).size).toBe(of.length)
    }
  })

  test('is the same for the same seed, and another for another', () => {
    expect(rewindsOf(answer, 12, randomFrom('a'))).toEqual(rewinds)
    expect(rewindsOf(answer, 12, randomFrom('c'))).not.toEqual(rewinds)
  })

  test('gives no more than were asked for, and none of an operator without a place', () => {
    expect(rewindsOf(answer, 3, randomFrom('a'))).toEqual(rewinds.slice(0, 3))
    expect(rewindsOf(operator('// DataCopy(xGm, x, n);\n'), 8, randomFrom('a'))).toEqual([])
  })

  test('a chain changes the number of cores once', () => {
    const chains = starter.flatMap((task) => ['a', 'b'].flatMap((seed) => rewindsOf(task.answer, 12, randomFrom(seed))))
    const ofCores = chains.map(({steps}) => steps.filter((one) => ['fewer-cores', 'one-core'].includes(one)).length)
    expect(new Set(ofCores)).toEqual(new Set([0, 1]))
  })

  test('every kind of step comes first in some chain of the bundled operators', () => {
    const all = starter.flatMap(({answer: files, name}) => rewindsOf(files, 12, randomFrom(name)))
    expect(new Set(all.map(({steps}) => steps.at(-1)))).toEqual(new Set(rewindSteps.map(({name}) => name)))
    expect(all.every(({steps}) => steps.length <= 4)).toBe(true)
  })
})
