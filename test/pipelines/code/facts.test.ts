import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {disagreements} from '../../../pipelines/facts/agreement.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {formulas} from '../../../pipelines/facts/formula.ts'
import {isSize} from '../../../pipelines/facts/host-sizes.ts'
import {hostFacts} from '../../../pipelines/facts/host-facts.ts'
import {memoryPlans} from '../../../pipelines/facts/memory-plan.ts'
import {kernelOf} from '../../helpers/told-parts.ts'

const fixture = 'test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl'
const [kernel, host] = readFileSync(fixture, 'utf8')
  .trim()
  .split('\n')
  .map((line) => CheckedOperatorSource.parse(JSON.parse(line)))
  .sort((a) => (a.side === 'kernel' ? -1 : 1)) as [CheckedOperatorSource, CheckedOperatorSource]
const withText = (text: string): CheckedOperatorSource => ({...kernel, target: {...kernel.target, text}})

describe('kernelFacts', () => {
  test('finds queues with their bytes, movement, split, tail and tiling of a kernel', async () => {
    const facts = await kernelFacts(kernel)
    expect(facts.buffers.map(({name, position, count, bytes}) => `${name} ${position} ${count} ${bytes}`)).toEqual([
      'inQueue_ VECIN BUFFER_NUM tileLength_ * sizeof(T)',
      'outQueue_ VECOUT BUFFER_NUM tileLength_ * sizeof(T)',
    ])
    expect(facts.moves.map(({api, direction, method}) => `${api} ${direction} ${method}`)).toEqual([
      'DataCopyPad in CopyIn',
      'DataCopyPad out CopyOut',
    ])
    expect(facts.split[0]?.statement).toBe('offset = GetBlockIdx() * tiling.blockLength')
    expect(facts.tilingFields).toEqual(['blockLength', 'totalLength', 'tileLength'])
    expect(facts.methods.map(({role}) => role)).toEqual(['init', 'process', 'copy-in', 'compute', 'copy-out', 'entry'])
    expect(new Map(facts.constants).get('BUFFER_NUM')).toBe(2)
  })

  test('adds the unified buffer up: two queues of two tiles of 4-byte elements', async () => {
    expect(memoryPlans(await kernelFacts(kernel))[0]).toMatchObject({
      fixed: 0,
      perUnit: 16,
      lengths: ['tileLength_'],
      most: 12288,
    })
  })

  test('tells functions step by step where the vector unit has nothing to do, and only there', async () => {
    const text =
      'inline uint32_t Rest(uint32_t a, uint32_t b)\n{\n    if (b == 0) {\n        return 0;\n    }\n  ' +
      '  return a % b;\n}\n'
    expect((await kernelFacts(withText(text))).scalar.map(({name}) => name)).toEqual(['Rest'])
    expect((await kernelFacts(kernel)).scalar).toEqual([])
  })

  test('follows values from input to output, and gives up where a branch decides', async () => {
    expect(formulas(await kernelFacts(kernel))).toEqual([{output: 'y', expression: 'x * scale'}])
    const factor = kernel.target.text.replace('static_cast<T>(scale)', '1.0f - scale')
    expect(formulas(await kernelFacts(withText(factor)))).toEqual([{output: 'y', expression: 'x * (1.0 - scale)'}])
    const branched = kernel.target.text.replace('Muls(', 'if (count > 8) Muls(')
    expect(formulas(await kernelFacts(withText(branched)))).toEqual([])
  })

  test.each([
    ['AscendC::Muls(yLocal, xLocal, 3, count);', ['x * 3']],
    ['Acos(yLocal, xLocal, count);', ['acos(x)']],
    ['AscendC::Muls(yLocal, xLocal, 3, count); LayerNorm(yLocal, yLocal, mean, count);', []],
    ['Muls(yLocal, xLocal, 3, count); Later(yLocal, count);', []],
    ['Muls(yLocal, xLocal, 3, count); SetMaskCount();', ['x * 3']],
    ['Muls(yLocal, xLocal, 3, count); SetVectorMask<T>(0, 8);', ['x * 3']],
    ['for (int i = 0; i < 2; i++) { Muls(yLocal, xLocal, 3, count); }', []],
    ['Axpy(yLocal, xLocal, 3, count);', []],
    ['Muls(yLocal, xLocal, 3, count); Axpy(yLocal, xLocal, 2, count);', ['(x * 3) + x * 2']],
    [`Exp(yLocal, xLocal, count); ${'Adds(yLocal, yLocal, 1000, count); '.repeat(14)}`, []],
  ])('follows values through %s', async (calls, expressions) => {
    const text = kernel.target.text.replace(/Muls\([^;]*;/, calls)
    expect(formulas(await kernelFacts(withText(text))).map(({expression}) => expression)).toEqual(expressions)
  })

  test('does not take a method of the class for the instruction of the same name', async () => {
    const own = kernel.target.text
      .replace(
        'private:',
        'private:\n    __aicore__ inline uint32_t Min(uint32_t a, uint32_t b) { return a < b ? a : b; }\n',
      )
      .replace('Muls(', 'Min(count, 3);\n        Muls(')
    expect((await kernelFacts(withText(own))).vectorCalls.map(({call}) => call.name)).toEqual(['Muls'])
  })

  test('reads what is left of a file that does not parse', async () => {
    const torn =
      `MACRO_WITHOUT_SEMICOLON(${'a, '.repeat(5)}b)\n#define OPEN {\n${kernel.target.text}` +
      '\nadd<<<8, nullptr, stream>>>(x, y);\n}}}\n'
    const facts = await kernelFacts(withText(torn))
    expect(facts.vectorCalls.map(({call}) => call.name)).toContain('Muls')
  })
})

describe('hostFacts', () => {
  test('finds fields, formulas, refusals, launch and definition of a tiling file', async () => {
    const facts = await hostFacts(host)
    expect(facts.sets.map(({field, value}) => `${field} = ${value}`)).toEqual([
      'totalLength = totalLength',
      'blockLength = blockLength',
      'tileLength = TILE_LENGTH',
    ])
    const sizes = facts.flows.flatMap(({statements}) => statements.filter(isSize))
    expect(sizes.map(({target, text}) => `${target} = ${text}`)).toEqual([
      'blockLength = (totalLength + coreNum - 1) / coreNum',
    ])
    expect(facts.refusals).toEqual([{condition: 'coreNum == 0', branches: []}])
    expect(facts.blockDim).toEqual(['coreNum'])
    expect(facts.definitions[0]?.inputs[0]?.dtypes).toEqual(['int32', 'float32'])
    expect(facts.structures[0]?.fields.map(({name}) => name)).toEqual(['totalLength', 'blockLength', 'tileLength'])
  })
})

describe('disagreements', () => {
  const code = {
    text: 'constexpr int BUFFER_NUM = 1; void CopyIn() { DataCopy(a, b, n); }',
    constants: new Map([['BUFFER_NUM', 1]]),
  }
  test.each([
    ['`CopyIn` moves data with `DataCopy(a, b, n)`, and `BUFFER_NUM` is 1.', 0],
    ['I could use `DataCopyPad` here, but lengths are aligned.', 0],
    ['I use DataCopyPad for the tail.', 1],
    ['The tail goes through `CopyTail(n)`.', 1],
    ['With `BUFFER_NUM` = 2 the copies overlap.', 1],
    ['`BUFFER_NUM` 为 2。', 1],
    ['Double buffering hides the latency.', 1],
    ['There is no double buffering here.', 0],
    ['Both queues live in `VECIN` and `VECOUT` position of UB.', 0],
  ])('%s', (text, count) => expect(disagreements(text, code)).toHaveLength(count))
})

test('fields of the tiling are read through a member that keeps it as well', async () => {
  const {tilingFields} = await kernelOf(`class A {
    __aicore__ inline void Init(GM_ADDR x, const FoldTilingData* given) { rows = given->rows; this->tiling = given; }
    __aicore__ inline void Start(const FoldTilingData* given) { kept = given; size = other; }
    __aicore__ inline void Process() { Work(tiling->cols, kept->tail, other->none, size->less); }
  };`)
  expect(tilingFields).toEqual(['rows', 'cols', 'tail'])
})
