import {readFileSync} from 'node:fs'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import {describedSources} from '../../helpers/described.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {expect, test} from 'vitest'
import {givenCode, usedDeclarations} from '../../../pipelines/code/given-code.ts'

const header = `#ifndef PLAN_H
#define PLAN_H
#define TILE 32
#define UNUSED 1
namespace outer { namespace inner {
enum class Mode { FAST, SLOW };
struct Other { int b; };
template <typename T>
class Plan {
public:
    __aicore__ inline void Init(GM_ADDR x) { mode = Mode::FAST; Deep(x); }
    Mode mode;
};
inline int Twice(int value) { return 2 * value; }
} }
#endif
`

test('a specialisation is given where what it is for is used', async () => {
  const text = [
    'template <class P, class T> struct Block { static_assert(false); };',
    'struct Fast {};\nstruct Slow {};',
    'template <class T> struct Block<Lib::Fast, T> { void Run(); };',
    'template <class T> struct Block<Lib::Slow, T> { void Wait(); };',
    'template <class Other> struct Block<int, Other> { void Any(); };',
  ].join('\n')
  const [file] = await usedDeclarations([{path: 'a.h', text}], 'Block<Fast, int> x;')
  for (const kept of ['static_assert', 'struct Fast', 'Run', 'Any']) expect(file?.text).toContain(kept)
  for (const left of ['struct Slow {}', 'Wait']) expect(file?.text).not.toContain(left)
})

test('gives what the target uses, directly or through it, without bodies', async () => {
  const given = await usedDeclarations(
    [
      {path: 'plan.h', text: header},
      {path: 'unused.h', text: 'struct Nobody { int a; };\n'},
    ],
    'int Run() { outer::inner::Plan<float> plan; return TILE + outer::inner::Twice(3); }',
  )
  expect(given).toEqual([
    {
      path: 'plan.h',
      text: `#define TILE 32

namespace outer::inner {
enum class Mode { FAST, SLOW };

template <typename T>
class Plan {
public:
    __aicore__ inline void Init(GM_ADDR x);
    Mode mode;
};

inline int Twice(int value);
} // namespace outer::inner
`,
    },
  ])
})

test('long dependencies are shortened in a request, and it says so; short ones are whole', async () => {
  const target = {path: 'run.cpp', text: 'int Run() { return outer::inner::Twice(3); }'}
  const long = {path: 'plan.h', text: `${header}// ${'padding '.repeat(4000)}\n`}
  const given = await givenCode({dependencies: [long], tiling: '', target}, 'en')
  expect(given).toContain('the declarations that are needed are shown')
  expect(given).toContain('inline int Twice(int value);')
  expect(given).not.toContain('return 2 * value')
  const whole = await givenCode({dependencies: [{path: 'plan.h', text: header}], tiling: '', target}, 'en')
  expect(whole).toContain('return 2 * value')
  expect(whole).not.toContain('are shown')
})

test('around a function its own file stays whole where it is short, and the words of the device stay', async () => {
  const text = '__aicore__ inline int Turn(int a)\n{\n    return -a;\n};\nint Lost() { return 1; }\n'
  const target = {path: 'run.h', text: 'int Run() { return Turn(3) + Near(); }\n'}
  const padding = `// ${'padding '.repeat(4000)}\n`
  const part = {name: 'Run', signature: 'int Run()', comment: ''}
  const of = (own: string) =>
    givenCode(
      {
        dependencies: [
          {path: 'turn.h', text: `${text}${padding}`},
          {path: 'run.h', text: own},
        ],
        tiling: '',
        target,
        part,
      },
      'en',
    )
  const near = 'int Near() { return 7; }\nint Run()\n{\n    // to be written\n}\n'
  expect(await of(near)).toContain('__aicore__ inline int Turn(int a);\n```')
  expect(await of(near)).toContain('return 7')
  expect(await of(`${near}${padding}`)).not.toContain('return 7')
})

test('each kind of declaration is kept by the names that it introduces', async () => {
  const kinds = [
    'int Call(int a, int b);',
    'static const int LIMIT = Call(1, 2), OTHER = 3;',
    '#define TWICE(a) ((a) * 2)',
    '#define EMPTY',
    'using Alias = int;',
    'typedef int Named;',
    'enum { FIRST, SECOND };',
    'union Both { int a; };',
    'struct Plain { int a; } plain;',
    'template <typename T> void Made(T a) { Call(a, a); }',
    'int Plain::Member(int a) { return a; }',
    'class Outer { void Deep() { Call(1, 2); } struct Nested { void In() { a = 1; } }; };',
    '#if A\nint Cased(int a) { return 1; }\n#else\nint Other(int a) { return 2; }\n#endif',
    'extern "C" { int Linked(int a) { return 1; } }',
    'namespace { int Hidden(int a) { return 1; } }',
  ]
  const of = async (target: string) =>
    (await usedDeclarations([{path: 'a.h', text: kinds.join('\n')}], target))[0]?.text.trim().split('\n\n') ?? []
  const told: [string, string[]][] = [
    ['Call', ['int Call(int a, int b);']],
    ['OTHER', ['int Call(int a, int b);', 'static const int LIMIT = Call(1, 2), OTHER = 3;']],
    ['TWICE', ['#define TWICE(a) ((a) * 2)']],
    ['EMPTY', []],
    ['Alias', ['using Alias = int;']],
    ['Named', ['typedef int Named;']],
    ['SECOND', ['enum { FIRST, SECOND };']],
    ['Both', ['union Both { int a; };']],
    ['Made', ['template <typename T> void Made(T a);']],
    // A method behind its class comes with the class.
    ['Member', []],
    ['Plain', ['struct Plain { int a; } plain;']],
    ['Outer', ['class Outer { void Deep(); struct Nested { void In(); }; };']],
    ['Cased', ['int Cased(int a);']],
    ['Linked', ['int Linked(int a);']],
    ['Hidden', ['int Hidden(int a);']],
    ['Nothing', []],
  ]
  const found: [string, string[]][] = []
  for (const [name] of told) found.push([name, await of(`int x = ${name};`)])
  expect(found).toEqual(told)
})

test('what uses what is followed for six rounds', async () => {
  const chain = Array.from({length: 9}, (_, at) => `using T${at + 1} = T${at};`).reverse()
  const [file] = await usedDeclarations([{path: 'a.h', text: chain.reverse().join('\n')}], 'T9 x;')
  expect(file?.text.match(/using/g)).toHaveLength(6)
})

test('what a file uses counts with it: a row that is longer is refused', async () => {
  const [line = ''] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split(
    '\n',
  )
  const one = {
    ...CheckedOperatorSource.parse(JSON.parse(line)),
    tiling: '',
    target: {path: 'op_kernel/a.cpp', text: '__aicore__ int f() { return Used(); }\n'},
    dependencies: [{path: 'op_kernel/b.h', text: '__aicore__ inline int Used() { return 1; }\n'}],
  }
  const described = await describedSources([one])
  const bytes = Buffer.byteLength(one.target.text) + Buffer.byteLength(await givenCode(one, 'en'))
  const at = async (maxBytes: number) => (await runStage(kernelCot({maxBytes}), described)).dropped
  expect((await at(bytes)).map(({reason}) => reason)).toEqual(['hollow'])
  expect((await at(bytes - 1)).map(({reason}) => reason)).toEqual(['source-too-long'])
})
