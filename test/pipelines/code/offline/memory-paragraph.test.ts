import {expect, test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {memoryParagraph} from '../../../../pipelines/code/offline/memory-paragraph.ts'
import {both, kernelOf, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

async function told(text: string, changes: Partial<OperatorSource> = {}): Promise<string> {
  const facts = await kernelOf(text, changes)
  return both((speaker) => memoryParagraph(sourceOf(text, changes), facts, speaker))
}

/** Members with their set-up: `in 2 tile * 4` is a queue of two blocks, `work 512` plain memory. */
function kernel(setUps: string, head = 'class K', between = ''): string {
  const parts = setUps.split(';').map((one) => one.trim().split(/\s+/))
  const members = parts.map(([name = '', count = '']) => {
    const position = name.startsWith('out') ? 'VECOUT' : 'VECIN'
    return /^(?:\d|two|rows)$/.test(count) ? `TQue<TPosition::${position}, 1> ${name};` : `TBuf<> ${name};`
  })
  const calls = parts.map(([name = '', count = '', ...size]) =>
    /^(?:\d|two|rows)$/.test(count)
      ? `pipe.InitBuffer(${name}, ${count}, ${size.join(' ')});`
      : `pipe.InitBuffer(${name}, ${[count, ...size].join(' ')});`,
  )
  return `${head} { public: void Init() { ${calls.join(' ')} } ${between} ${members.join(' ')} };`
}

const many = (count: number, size: (at: number) => string) =>
  Array.from({length: count}, (_, at) => `in${at} 1 ${size(at)}`).join('; ')
const generic = 'template <typename T> class K'
const half: Partial<OperatorSource> = {dtypes: {x: 'float16', y: 'float16'}}

const kernels: Readonly<Record<string, string | readonly [string, Partial<OperatorSource>]>> = {
  'one queue': kernel('in 1 tile * 4'),
  'two queues and plain memory': kernel('in 2 tile * 4; out 2 tile * 2; work 1000'),
  'one doubled of two': kernel('in 2 tile * 4; out 1 tile * 4'),
  'eight buffers': kernel(many(8, () => 'tile * 4')),
  'nine buffers': kernel(many(9, () => 'tile * 4')),
  'seven doubled queues': kernel(many(7, () => 'tile * 4').replaceAll(' 1 ', ' 2 ')),
  'six doubled queues': kernel(many(6, () => 'tile * 4').replaceAll(' 1 ', ' 2 ')),
  'bytes that are one for each length': kernel('in 1 tile; out 2 tile'),
  'a fraction': kernel('in 1 tile / 3; out 1 tile'),
  'two lengths': kernel('in 1 rows * cols * 4; out 1 rows * cols * 4'),
  'lengths that differ': kernel('in 1 rows * 4; out 1 cols * 4; work n * 8'),
  'all constant': kernel('in 2 1024; out 1 512'),
  'constants that fill it': kernel('in 1 196608'),
  'constants that are too many': kernel('in 1 196608; out 1 32'),
  'a size that is not read': kernel('in 1 Align(tile); out 1 tile * 4'),
  'several that are not read': kernel(
    many(7, (at) => `Align(tile${at})`)
      .replace(' 1 ', ' 2 ')
      .replace(' 1 ', ' rows '),
  ),
  'a size of ninety letters': kernel(`in 1 A(${'a'.repeat(87)}); out 1 A(${'a'.repeat(88)})`),
  'a count that is not read': kernel('in rows 256; out 1 256'),
  'memory that is given back': kernel('in 1 tile * 4', 'class K', 'void Run() { pipe.Reset(); }'),
  'a condition':
    'class K { public: void Init() { if (a) { pipe.InitBuffer(in, 1, tile * 4); } } TQue<TPosition::VECIN, 1> in; };',
  'seven conditions':
    'class K { public: void Init() { if (a) { ' +
    `${Array.from({length: 7}, (_, at) => `pipe.InitBuffer(in${at}, 64);`).join(' ')} } } ` +
    `${Array.from({length: 7}, (_, at) => `TBuf<> in${at};`).join(' ')} };`,
  'three classes': ['A', 'B', 'C'].map((name) => kernel('in 1 tile * 4', `class ${name}`)).join(' '),
  'four classes': ['A', 'B', 'C', 'D'].map((name) => kernel('in 1 tile * 4', `class ${name}`)).join(' '),
  'a base': `${kernel('work 100', 'class B')} ${kernel('in 1 tile * 4', 'class K : public B')}`,
  'a base of constants': `${kernel('work 100', 'class B')} ${kernel('in 1 64', 'class K : public B')}`,
  'a base that sets up by case':
    'class B { public: void Set() { if (a) { pipe.InitBuffer(w, 64); } } TBuf<> w; }; ' +
    `${kernel('in 1 64', 'class K : public B')}`,
  'elements of a type': [kernel('in 2 tile * sizeof(T); out 2 tile * sizeof(T)', generic), half],
  'elements of a type that is not given': kernel('in 2 tile * sizeof(T); out 2 tile * sizeof(T)', generic),
  'elements of four bytes': [kernel('in 2 tile * sizeof(T)', generic), {dtypes: {x: 'float32', y: 'float32'}}],
  'elements of eight bytes': [kernel('in 2 tile * sizeof(T)', generic), {dtypes: {x: 'int64', y: 'int64'}}],
  'two types': [
    kernel('in 1 tile * sizeof(T); out 1 tile * sizeof(U)', 'template <typename T, typename U> class K'),
    {dtypes: {x: 'float16', y: 'float32'}},
  ],
  'the type of an input': [kernel('in 1 tile * sizeof(DTYPE_X)'), half],
  'constants of a type': [kernel('in 2 1024 * sizeof(T)', generic), half],
  'memory that another file sets up': [
    kernel('in 1 tile * 4'),
    {
      dependencies: [
        ...['a', 'b', 'c', 'd'].map((name) => ({path: `${name}.h`, text: 'void Set() { pipe.InitBuffer(x, 1, 4); }'})),
        {path: 'e.h', text: 'int e;'},
      ],
    },
  ],
  'a queue that only the cube unit has':
    'class K { public: void Init() { pipe.InitBuffer(a, 2, 64); } TQue<TPosition::A1, 1> a; };',
  'nothing at all': 'class K { public: void Init() {} };',
  'a queue that nobody sets up':
    'class K { public: void Init() { pipe.InitBuffer(w, 64); } TBuf<> w; TQue<TPosition::VECIN, 2> q; };',
  'three blocks': kernel('in 3 tile * 4'),
  'one block and three': kernel('in 1 tile * 4; out 3 tile * 4'),
}

test('memory is told class by class: what is set up, what it adds up to, and how long a tile may get', async () => {
  const cases: Record<string, string> = {}
  for (const [name, given] of Object.entries(kernels)) {
    const [text, changes] = typeof given === 'string' ? [given] : given
    cases[name] = await told(text, changes)
  }
  expect(cases['nothing at all']).toBe('\n')
  toldCases('memory', cases)
})
