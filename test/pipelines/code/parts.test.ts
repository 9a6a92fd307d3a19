import {readFileSync} from 'node:fs'
import {applyPatch} from 'diff'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import parts from '../../../pipelines/code/parts.ts'
import {describedSources} from '../../helpers/described.ts'
import {runStage} from '../../helpers/run-stage.ts'

const [line = ''] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const any = CheckedOperatorSource.parse(JSON.parse(line))
const source = (text: string, changes: Partial<CheckedOperatorSource> = {}): CheckedOperatorSource => ({
  ...any,
  role: 'kernel',
  target: {path: 'op_kernel/fold.h', text},
  dependencies: [],
  tiling: '',
  ...changes,
})
const lines = (call: string, count = 8) =>
  Array.from({length: count}, (_, at) => `    ${call}(a, b, ${at});`).join('\n')
const method = (name: string, body: string) =>
  `  // Says ${name}.\n  __aicore__ inline void ${name}(int32_t at) {\n${body}\n  }`
const file = (...methods: string[]) => `class Fold {\npublic:\n${methods.join('\n\n')}\n};\n`
const partsOf = async (text: string, options = {}, changes = {}) =>
  (await runStage(parts(options), [source(text, changes)])).outputs.slice(1)
const copy = method('Copy', lines('DataCopy'))
const work = method(
  'Work',
  `${lines('Adds', 4)}\n${lines('Exp', 4)}\n    Exp(a, b, 8);\n    Ln(a, a, 8);\n    Abs(a, a, 8);`,
)
const wait = method('Wait', lines('PipeBarrier'))

describe('functions of a kernel', () => {
  test('stand as answers beside their file without their bodies, and put back they are the file', async () => {
    const text = file(copy, work)
    const found = await partsOf(text)
    expect(found.map(({part}) => part)).toEqual([
      {name: 'Fold::Work', signature: '__aicore__ inline void Work(int32_t at)', comment: 'Says Work.'},
      {name: 'Fold::Copy', signature: '__aicore__ inline void Copy(int32_t at)', comment: 'Says Copy.'},
    ])
    for (const {target, dependencies, origin} of found) {
      const rest = dependencies.at(-1)!
      expect(rest.path).toBe(target.path)
      const indented = target.text.trimEnd().replaceAll('\n', '\n  ')
      const gap = `${indented.slice(0, indented.indexOf('{'))}{\n      // to be written\n  }`
      expect(rest.text.replace(gap, indented)).toBe(text)
      const [first, last] = origin.lines!
      expect(
        text
          .split('\n')
          .slice(first - 1, last)
          .join('\n')
          .trim(),
      ).toBe(indented)
    }
  })

  test.each(['MY_DEVICE\n  ', 'MY_HOST_DEVICE '])(
    'have their own names behind a word of a library: %j',
    async (word) => {
      const own = (head: string, call: string) => `  ${word}${head} {\n${lines(call)}\n  }\n`
      const made = own('Fold(Arch::Resource<Tag> const& resource, Params const& params = Params{})', 'DataCopy')
      const text = `template <class A>\nstruct Fold<A,\n  Tag> {\n${made}${own('void operator()(Params& p)', 'Exp')}};\n`
      const found = await partsOf(text, {mostShare: 1})
      expect(found.map(({part}) => part?.name)).toEqual(['Fold<A, Tag>::Fold', 'Fold<A, Tag>::operator()'])
      for (const {target, part} of found) {
        expect(target.text.startsWith(word.trim())).toBe(true)
        expect(part?.signature.startsWith(word.trim())).toBe(true)
      }
    },
  )

  test('have their own names, whatever their types are qualified with', async () => {
    const head = '__aicore__ inline AscendC::Pair Work(const AscendC::LocalTensor<T>& a, Other::Kind b)'
    const names = async (text: string) => (await partsOf(text)).map(({part}) => part?.name)
    const body = `{\n${lines('Adds')}\n}\n`
    expect(await names(`${head} ${body}\n${file(copy)}`)).toContain('Work')
    expect(await names(`${head.replace('Work', 'Fold<T>::Work')} ${body}\n${file(copy)}`)).toContain('Fold::Work')
  })

  test.each<[why: string, text: string, names: string[]]>([
    ['of too few lines are left out', file(copy, method('Short', lines('Exp', 7))), ['Fold::Copy']],
    ['that are nearly the whole file are left out', file(method('All', lines('Exp', 40)), copy), ['Fold::Copy']],
    ['without a call of the device are left out', file(copy, method('Sum', lines('Plain'))), ['Fold::Copy']],
    ['with the same calls count once', file(copy, method('Again', lines('DataCopy'))), ['Fold::Copy']],
    [
      'that hold a branch of the preprocessor are left out',
      file(copy, method('If', `#if A\n${lines('Exp')}\n#endif`)),
      ['Fold::Copy'],
    ],
    [
      'that are entries are left out',
      `${file(copy, wait)}extern "C" __global__ __aicore__ void e() {\n${lines('Exp')}\n}`,
      ['Fold::Copy', 'Fold::Wait'],
    ],
    [
      'behind their class have its name',
      `template <typename T> __aicore__ inline void Fold<T>::Out(int n) {\n${lines('Exp')}\n}\n${file(copy)}`,
      ['Fold::Out', 'Fold::Copy'],
    ],
  ])('%s', async (_, text, names) => {
    expect((await partsOf(text)).map(({part}) => part?.name)).toEqual(names)
  })

  test('are taken by how many interfaces they call, so many of a file', async () => {
    const names = (most: number) =>
      partsOf(file(wait, copy, work), {most}).then((all) => all.map(({part}) => part?.name))
    expect(await names(1)).toEqual(['Fold::Work'])
    expect(await names(9)).toHaveLength(3)
  })

  test('are those of device code alone', async () => {
    expect(await partsOf(file(copy, work), {}, {role: 'tiling', side: 'host'})).toEqual([])
  })

  test('are asked for by their heads, and the answer is the function', async () => {
    const [whole, one] = await describedSources((await runStage(parts(), [source(file(work, copy))])).outputs)
    const {outputs} = await runStage(kernelCot(), [whole!, one!])
    expect(outputs.map(({asks, side, role}) => [asks, side, role])).toEqual([
      ['file', 'kernel', 'kernel'],
      ['function', 'kernel', 'kernel'],
    ])
    const {prompt, answer, origin} = outputs[1]!
    expect(prompt).toContain('`__aicore__ inline void Work(int32_t at)`')
    expect(prompt).toContain('// to be written')
    expect(prompt).not.toContain('Exp(a, b, 3)')
    expect(answer).toContain('Exp(a, b, 3)')
    expect(answer).not.toContain('DataCopy')
    expect(origin.lines).toBeDefined()
  })

  test('of two instructions in their only order decide nothing', async () => {
    const short = method('Work', `${lines('Mins', 4)}\n${lines('Exp', 4)}\n    Exp(a, b, 8);\n    Ln(a, a, 8);`)
    const [, one] = await describedSources((await runStage(parts(), [source(file(short, copy))])).outputs)
    const {dropped} = await runStage(kernelCot(), [one!])
    expect(dropped.map(({reason}) => reason)).toEqual(['hollow'])
  })
})

test('a change is answered by a patch that makes the file', async () => {
  const definition = `
class Twice : public OpDef {
public:
  explicit Twice(const char* name) : OpDef(name) {
    this->Input("x").DataType({ge::DT_FLOAT, ge::DT_BF16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Twice);
`
  const host = {role: 'definition', side: 'host', target: {path: 'op_host/twice.cpp', text: definition}} as const
  const {outputs} = await runStage(kernelCot(), await describedSources([source('', host)]))
  const change = outputs.find(({asks}) => asks === 'change')!
  const fenced = (text: string, language: string) => text.split(`\`\`\`${language}\n`)[1]!.split('\n```')[0]!
  const before = `${fenced(change.prompt, 'cpp')}\n`
  expect(before).not.toContain('DT_BF16')
  expect(applyPatch(`\n${before.trimStart()}`, fenced(change.answer, 'diff'))).toBe(definition)
})
