import {expect, test} from 'vitest'
import {dispatchParagraph, loopParagraph} from '../../../../pipelines/code/offline/control-paragraphs.ts'
import {both, kernelOf, toldCases} from '../../../helpers/told-parts.ts'

/** Bodies of a kernel's Process; the class has CopyIn, Compute and CopyOut besides. */
const processes: Readonly<Record<string, string>> = {
  'one loop': 'for (int i = 0; i < n; i++) { CopyIn(i); Compute(i); CopyOut(i); }',
  'a loop that calls one thing twice': 'for (int i = 0; i < n; i++) { CopyIn(i); Compute(i); CopyIn(i); }',
  'a loop in a loop': 'for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { CopyIn(j); } CopyOut(i); }',
  'two loops': 'for (int i = 0; i < n; i++) { CopyIn(i); } while (more) { CopyOut(0); }',
  'five loops': Array.from({length: 5}, (_, at) => `for (int i = ${at}; i < n; i++) { CopyIn(i); }`).join(' '),
  'the rest after the loop': 'for (int i = 0; i < n; i++) { CopyIn(i); CopyOut(i); } CopyIn(n); CopyOut(n);',
  'something else after the loop': 'for (int i = 0; i < n; i++) { CopyIn(i); } CopyIn(n); CopyOut(n);',
  'a branch after the loop': 'for (int i = 0; i < n; i++) { CopyIn(i); } if (left) { CopyOut(n); }',
  'before the loop': 'CopyOut(0); for (int i = 0; i < n; i++) { CopyIn(i); }',
  'a loop without any of its own': 'for (int i = 0; i < n; i++) { Other(i); } CopyIn(0);',
  'after a branch with a loop':
    'if (a) { for (int i = 0; i < n; i++) { CopyIn(i); } CopyOut(1); } CopyIn(0); CopyIn(1);',
  'no loop': 'CopyIn(0);',
  'a chosen length': 'for (int i = 0; i < n; i++) { uint32_t len = i < n - 1 ? tile : last; CopyIn(len); }',
  'a chosen tail': 'for (int i = 0; i < n; i++) { uint32_t len = isLast ? tailLength : tile; CopyIn(len); }',
  'a minimum': 'for (int i = 0; i < n; i++) { uint32_t len = min(tile, total - i * tile); CopyIn(len); }',
  'no length below zero': 'for (int i = 0; i < n; i++) { int len = i - 1 < 0 ? 0 : i - 1; CopyIn(len); }',
  'the core that comes last': 'for (int i = 0; i < n; i++) { int coreNum = i < m ? 1 : 2; CopyIn(i); }',
  'a tail that is asked for': 'for (int i = 0; i < n; i++) { CopyIn(i); } if (tail > 0) { CopyOut(0); }',
  'a remainder that is asked for': 'if (remainder != 0) { for (int i = 0; i < n; i++) { CopyIn(i); } }',
  'a length of 120 letters': `for (int i = 0; i < n; i++) { int len = min(${'a'.repeat(112)}, b); CopyIn(len); }`,
  'a length of 121 letters': `for (int i = 0; i < n; i++) { int len = min(${'a'.repeat(113)}, b); CopyIn(len); }`,
  'a condition of 120 letters': `for (int i = 0; i < n; i++) { CopyIn(i); } if (tail > ${'a'.repeat(113)}) { CopyOut(0); }`,
  'a condition of 121 letters': `for (int i = 0; i < n; i++) { CopyIn(i); } if (tail > ${'a'.repeat(114)}) { CopyOut(0); }`,
}

const stages = ['CopyIn', 'Compute', 'CopyOut'].map((name) => `void ${name}(int i) { x = i; }`).join(' ')
/** A line for each loop and branch: what stands after a loop stands on a later line. */
const process = (body: string) => `class K { public: void Process() { ${body.replaceAll('} ', '}\n')} } ${stages} };`

test('the loops of Process are told with what they call, and what becomes of the last piece', async () => {
  const cases: Record<string, string> = {}
  for (const [name, body] of Object.entries(processes)) {
    const facts = await kernelOf(process(body))
    cases[name] = both((speaker) => loopParagraph(facts, speaker))
  }
  const others = await kernelOf(`class L { public: void CopyIn(int i) { x = i; } };
class K { public: void Process() { for (int i = 0; i < n; i++) { CopyIn(i); Compute(i); } } void Compute(int i) {} };`)
  cases['a function of another class'] = both((speaker) => loopParagraph(others, speaker))
  const elsewhere = await kernelOf(
    `class K { public: void CopyIn(int i) { for (int j = 0; j < i; j++) { Compute(j); } } void ` +
      `Process() { CopyIn(1); } void Compute(int i) {} };`,
  )
  cases['a loop elsewhere'] = both((speaker) => loopParagraph(elsewhere, speaker))
  const itself = await kernelOf('class K { public: void Process() { for (int i = 0; i < n; i++) { Process(); } } };')
  cases['Process itself'] = both((speaker) => loopParagraph(itself, speaker))
  toldCases('loops', cases)
})

const run = (type: string) => `${type} op; op.Init(x, y, &t); op.Process();`
const keys = (count: number) =>
  Array.from({length: count}, (_, at) => `if (TILING_KEY_IS(${at})) { int a = ${at}; }`).join(' ')

/** Bodies of an entry. */
const entries: Readonly<Record<string, string>> = {
  'one object': run('Fold<half>'),
  'an object that is not processed': 'Fold op; op.Init(x, y);',
  'another object is processed': 'Fold a; Fold b; a.Init(x, y); b.Process();',
  'a free Init': 'Init(x, y); Process();',
  'two objects set up alike':
    'if (a) { Fold op; op.Init(x, y); op.Process(); } else { Other op; op.Init(x, y); op.Process(); }',
  'two objects set up differently':
    'if (a) { Fold op; op.Init(x, y); op.Process(); } else { Other op; op.Init(y, x); op.Process(); }',
  'two keys': `if (TILING_KEY_IS(1)) { ${run('Fold<half>')} } else if (TILING_KEY_IS(2)) { ${run('Fold<float>')} }`,
  'a key, or else': `if (TILING_KEY_IS(1)) { ${run('Fold<half>')} } else { ${run('Fold<float>')} }`,
  'an object after a branch': `if (a) { return; } ${run('Fold<half>')}`,
  'a choice of none, settled while compiling': `if constexpr (A) { int b = 1; } ${run('Fold')}`,
  'a type from elsewhere': run('decltype(other)'),
  'one key': `if (TILING_KEY_IS(1)) { ${run('Fold<half>')} }`,
  'keys together':
    `if (TILING_KEY_IS(1) || TILING_KEY_IS(3)) { ${run('Fold<half>')} } else if ` +
    `(TILING_KEY_IS(2)) { ${run('Fold<float>')} }`,
  'a key under a condition':
    `if (TILING_KEY_IS(1)) { if (wide) { ${run('Fold<half>')} } else { ${run('Fold<float>')} } } ` +
    `else { ${run('Rest')} }`,
  'keys of one variant': `if (TILING_KEY_IS(1)) { ${run('Fold')} } else if (TILING_KEY_IS(2)) { ${run('Fold')} }`,
  'settled while compiling': `if constexpr (A == 1) { ${run('Fold<half>')} } else { ${run('Fold<float>')} }`,
  'keys without variants': keys(3),
  'thirteen keys': keys(13),
  'eleven variants': Array.from({length: 11}, (_, at) => `if (TILING_KEY_IS(${at})) { ${run(`Fold<${at}>`)} }`).join(
    ' ',
  ),
}

test('an entry is told by what it starts, and by which keys', async () => {
  const cases: Record<string, string> = {}
  for (const [name, body] of Object.entries(entries)) {
    const facts = await kernelOf(
      `extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR y, GM_ADDR w, GM_ADDR t) { ${body} }`,
    )
    cases[name] = both((speaker) => dispatchParagraph(facts, speaker))
  }
  const none = await kernelOf(process(''))
  expect(both((speaker) => dispatchParagraph(none, speaker))).toBe('\n')
  toldCases('dispatch', cases)
})
