import {describe, expect, test} from 'vitest'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import {isOperation, operation} from '../../../pipelines/correction/offline/operations.ts'
import {type Message, tell} from '../../../pipelines/telling/tell-message.ts'
import type {Voice} from '../../../datasets/voice.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import {
  changedArgument,
  changedWord,
  declarationOf,
  failedStatements,
  kindOf,
  parameterNames,
  part,
  place,
  type Replaced,
  type Scene,
  sitesOf,
  stretchOf,
} from '../../../pipelines/correction/offline/reason.ts'
import {isLarger, isSmaller, offsetOf, scaleOf} from '../../../pipelines/correction/offline/text-relations.ts'

const english = nthWording('en')
const chinese = nthWording('zh')

describe('how one expression differs from another', () => {
  test.each([
    ['n * 4', 'n', '4'],
    ['(n) * sizeof(float)', 'n', 'sizeof(float)'],
    ['n * 32', 'n', '32'],
    ['n * 3', 'n', undefined],
    ['m * 4', 'n', undefined],
    ['a[i] * 2', 'a[i]', '2'],
    ['2 * n * 4', 'n', undefined],
  ])('%s is %s, scaled by %s', (wrong, right, scale) => expect(scaleOf(wrong, right)).toBe(scale))

  test.each([
    ['n + 1', 'n', '1'],
    ['n - 1', 'n', '-1'],
    ['n + GetBlockIdx()', 'n', 'GetBlockIdx()'],
    ['n + a[1]', 'n', undefined],
    ['n * 1', 'n', undefined],
    ['m + 1', 'n', undefined],
  ])('%s is %s, moved by %s', (wrong, right, offset) => expect(offsetOf(wrong, right)).toBe(offset))

  test.each<[string, string, boolean, boolean]>([
    ['4', '8', true, false],
    ['8', '8', false, false],
    ['9', '8', false, true],
    ['n - 1', 'n', true, false],
    ['(n) - 1', 'n', true, false],
    ['n - 2', 'n', false, false],
    ['n / 2', 'n', true, false],
    ['(n) / 32', 'n', true, false],
    ['n + 1', 'n', false, true],
    ['(n) * 4', 'n', false, true],
    ['n * m', 'n', false, false],
    ['0', 'n', true, false],
    ['8', 'n', true, false],
    ['7', 'n', false, false],
    ['65536', 'n', false, true],
    ['4096', 'n', false, false],
    ['m', 'n', false, false],
  ])('%s for %s is smaller: %s, larger: %s', (wrong, right, smaller, larger) => {
    expect([isSmaller(wrong, right), isLarger(wrong, right)]).toEqual([smaller, larger])
  })
})

const right = [
  {
    path: 'k.cpp',
    text: `
const LocalTensor<float>& local;
auto taken = queue.DeQue<half>();
auto got = buf.Get<float>();
auto plain = Other();
GlobalTensor<T> gm;
TQue<QuePosition::VECIN, 1> queue;
TBuf<QuePosition::VECCALC> buf;
DataCopyExtParams copy{1, 2, 0, 0, 0};
DataCopyPadExtParams<T> pad{false, 0, 0, 0};
uint32_t count = 8;
float scale = 2;
void Own(const LocalTensor<half>& to, uint32_t n, int32_t list[] = x) {
}
void Own(int one) {
}
void Nameless(int, uint32_t n) {
}
`,
  },
]

describe('what an expression is, by the declaration of its name', () => {
  test.each([
    ['local', 'local'],
    ['this->local', 'local'],
    ['local[8]', 'local'],
    ['taken', 'local'],
    ['got', 'local'],
    ['plain', undefined],
    ['gm', 'global'],
    ['gm[count * 2]', 'global'],
    ['queue', 'queue'],
    ['buf', 'buffer'],
    ['copy', 'copy'],
    ['pad', 'pad'],
    ['count', 'number'],
    ['scale', 'number'],
    ['8', 'number'],
    ['-1.5f', 'number'],
    ['static_cast<float>(local)', 'number'],
    ['uint32_t(x)', 'number'],
    ['float(x)', 'number'],
    ['sizeof(T)', 'number'],
    ['count * other', 'number'],
    ['a / b', 'number'],
    ['RoundMode::CAST_NONE', 'mode'],
    ['CMPMODE::LT', 'mode'],
    ['SELMODE::X', 'mode'],
    ['Other::X', undefined],
    ['unknown', undefined],
    ['f(x)', undefined],
    ['locals', undefined],
  ])('%s: %s', (expression, kind) => expect(kindOf(expression, {right})).toBe(kind))

  test('kinds have their words', () => {
    const kinds = ['local', 'global', 'queue', 'buffer', 'copy', 'pad', 'number', 'mode'] as const
    expect(kinds.map((kind) => tell(part(kind, {}), english))).toEqual([
      'a tensor in UB',
      'a tensor in global memory',
      'a queue',
      'a buffer',
      'the parameters of the copy',
      'the parameters of the padding',
      'a number',
      'a mode',
    ])
    expect(tell(part('number', {}), chinese)).toBe('一个数')
  })
})

const form = (...parameters: [name: string, type: string][]) => ({
  text: '',
  returns: '',
  templates: [],
  parameters: parameters.map(([name, type]) => ({name, type})),
})
const tensor = 'const LocalTensor<T>&'
const apis = new Map(
  [
    {
      name: 'Adds',
      prototypes: [
        form(['dst', tensor], ['src', tensor], ['scalarValue', 'T'], ['count', 'int32_t']),
        form(['dst', tensor], ['src', tensor], ['value', 'T'], ['mask', 'uint64_t'], ['times', 'uint8_t']),
      ],
    },
    // Two forms of one length: tensors tell them apart.
    {
      name: 'Cast',
      prototypes: [
        form(['dst', tensor], ['src', tensor], ['roundMode', 'RoundMode']),
        form(['dst', tensor], ['src0', tensor], ['src1', tensor]),
      ],
    },
    {name: 'Two', prototypes: [form(['a', 'T'], ['b', 'T']), form(['a', 'T'], ['c', 'T'])]},
    {name: 'Bare', prototypes: [form(['', 'T'], ['b', 'T'])]},
    {name: 'Middle', prototypes: [form(['a', 'T'], ['', 'T'], ['c', 'T'])]},
    {name: 'End', prototypes: [form(['a', 'T'], ['', 'T'])]},
  ].map((one) => [one.name, one as unknown as ApiEntry]),
)
const scene = (more: Partial<Scene> = {}): Scene => ({
  apis,
  failed: [{path: 'k.cpp', text: 'int a = 1;\nf();'}],
  right,
  errors: [],
  log: '',
  ...more,
})

describe('the names of parameters', () => {
  test.each<[string, string, string[], string[] | undefined]>([
    ['of the form with so many', 'Adds', ['local', 'got', '1', 'count'], ['dst', 'src', 'scalarValue', 'count']],
    ['of the longer form', 'Adds', ['local', 'got', '1', '2', '3'], ['dst', 'src', 'value', 'mask', 'times']],
    ['no form has so many', 'Adds', ['local'], undefined],
    ['a mode is no tensor', 'Cast', ['local', 'got', 'RoundMode::CAST_NONE'], ['dst', 'src', 'roundMode']],
    ['a number is no tensor', 'Adds', ['local', '1', '1', 'count'], undefined],
    ['what may be both', 'Cast', ['local', 'got', 'unknown'], undefined],
    ['two lists of names', 'Two', ['1', '2'], undefined],
    ['no name in front', 'Bare', ['1', '2'], undefined],
    ['no name between', 'Middle', ['1', '2', '3'], undefined],
    ['no name at the end', 'End', ['1', '2'], undefined],
    ['of a function of the file', 'Own', ['local', '1', 'x'], ['to', 'n', 'list']],
    ['of the other one', 'Own', ['1'], ['one']],
    ['one without a name', 'Nameless', ['1', '2'], undefined],
    ['of no function', 'Unknown', ['1'], undefined],
  ])('%s', (_, name, args, names) => expect(parameterNames(name, args, scene())).toEqual(names))

  test('are printed by the compiler, where it prints one list', () => {
    const log = 'note: candidate\nvoid Far(const LocalTensor<T>& to, uint32_t n) {\n'
    expect(parameterNames('Far', ['a', '1'], scene({log}))).toEqual(['to', 'n'])
    expect(parameterNames('Far', ['a'], scene({log}))).toBeUndefined()
    expect(parameterNames('Far', ['a', '1'], scene({log: `${log}void Far(T from, T m);`}))).toBeUndefined()
    expect(parameterNames('Far', ['a', '1'], scene({log: 'void Far(T from, T);'}))).toBeUndefined()
  })

  test('of a call with one argument the compiler says it', () => {
    const errors = ["too few arguments to function call, single argument 'mode' was not specified"]
    expect(parameterNames('Far', ['a'], scene({errors}))).toEqual(['mode'])
    expect(parameterNames('Far', ['a', 'b'], scene({errors}))).toBeUndefined()
    expect(parameterNames('Far', ['a'], scene({errors: [...errors, "single argument 'other'"]}))).toBeUndefined()
  })

  test('places are counted from 1', () => {
    expect(tell(place(0, ['dst']), english)).toBe('argument 1 (`dst`)')
    expect(tell(place(2, ['dst']), english)).toBe('argument 3')
    expect(tell(place(1), chinese)).toBe('第2个实参')
    expect(tell(place(0, ['dst']), chinese)).toBe('第1个实参（`dst`）')
  })
})

describe('where a name is declared', () => {
  const text = `return a;
delete b;
static constexpr uint32_t c = 1;
LocalTensor<float> d{1};
TILING_DATA_FIELD_DEF(uint32_t, e);
int* f[2];
g = 1;
else h;
int i
`
  test.each([
    ['a', undefined],
    ['b', undefined],
    ['c', 3],
    ['d', 4],
    ['e', 5],
    ['f', 6],
    ['g', undefined],
    ['h', undefined],
    ['i', 9],
    ['j', undefined],
  ])('%s: line %s', (name, line) => {
    const other = {path: 'other.h', text: 'int z = 0;'}
    const found = declarationOf(name, [other, {path: 'k.cpp', text}])
    expect(found && [found.path, found.one.line]).toEqual(line === undefined ? undefined : ['k.cpp', line])
  })

  test('statements of the failed file', () => {
    expect(failedStatements('k.cpp', scene()).map((one) => one.text)).toEqual(['int a = 1;', 'f();'])
    expect(failedStatements('none.cpp', scene())).toEqual([])
  })
})

describe('what a step changes', () => {
  const replaced = (before: string, after: string) =>
    editsBetween([{path: 'k', text: before}], [{path: 'k', text: after}])[0] as Replaced
  test.each<[string, string, string[], [string, string], boolean]>([
    ['f(a, g(b));', 'f(a, g(c));', ['g: 0 b -> c', 'f: 1 g(b) -> g(c)'], ['b', 'c'], true],
    ['f(a, b);', 'f(c, d);', ['f: none'], ['a, b', 'c, d'], false],
    ['f(a, b);', 'f(a, b, c);', ['f: none'], ['', ', c'], false],
    ['x = 1;', 'x = 22;', [], ['1', '22'], true],
    ['x[i] = f(a);', 'x[i + 1] = f(a);', ['x: 0 i -> i + 1'], ['', '+ 1'], false],
    ['P p{1, 2};', 'P p{1, 3};', ['P: 1 2 -> 3'], ['2', '3'], true],
    ['f(a);', 'f[a];', [], ['(a)', '[a]'], false],
  ])('%s %s', (before, after, sites, [wrong, rightText], isWord) => {
    const edit = replaced(before, after)
    const told = sitesOf(edit).map((site) => {
      const changed = changedArgument(site)
      return `${site.after.name}: ${changed ? `${changed.at} ${changed.wrong} -> ${changed.right}` : 'none'}`
    })
    expect(told).toEqual(sites)
    expect(stretchOf(edit)).toEqual({wrong, right: rightText})
    expect(changedWord(edit)).toEqual(isWord ? {wrong, right: rightText} : undefined)
  })
})

const tellMaybe = (message: Message | undefined, speaker: Voice) => (message ? tell(message, speaker) : '')

describe('what an instruction writes', () => {
  const text = (name: string, args: string[], speaker = english) =>
    tellMaybe(operation({mark: '(', name, args, receiver: '', templates: '', open: 1}), speaker)
  test.each<[string, string[], string]>([
    ['Adds', ['y', 'x', '1', 'n'], '`Adds` writes `x + 1` into `y`.'],
    ['Adds', ['y', 'x', '-1', 'n'], '`Adds` writes `x + (-1)` into `y`.'],
    ['Mul', ['y', 'a + b', 'c', 'n'], '`Mul` writes `(a + b) * c` into `y`.'],
    ['Exp', ['y', 'a - b', 'n'], '`Exp` writes `exp(a - b)` into `y`.'],
    ['Exp', ['y', '-x', 'n'], '`Exp` writes `exp(-x)` into `y`.'],
    ['Duplicate', ['y', '0', 'n'], '`Duplicate` writes `0` in every element into `y`.'],
    ['Select', ['y', 'm', 'a', 'b'], '`Select` writes `a` where the bit of `m` is set, else `b` into `y`.'],
    ['Rsqrt', ['y', 'x', 'n'], '`Rsqrt` writes `1 / sqrt(x)` into `y`.'],
    ['MulAddDst', ['y', 'a', 'b', 'n'], '`MulAddDst` writes `y + a * b` into `y`.'],
    ['Sub', ['y'], '`Sub` writes ` - ` into `y`.'],
    ['Sub', [], ''],
    ['Unknown', ['y', 'x'], ''],
  ])('%s(%j)', (name, args, expected) => expect(text(name, args)).toBe(expected))
  test('in Chinese', () => {
    expect(text('Adds', ['y', 'x', '1', 'n'], chinese)).toBe('`Adds`把`x + 1`写进`y`。')
    expect(text('Duplicate', ['y', '0', 'n'], chinese)).toBe('`Duplicate`把每个元素都取`0`写进`y`。')
    expect([isOperation('Adds'), isOperation('DataCopy')]).toEqual([true, false])
  })
})
