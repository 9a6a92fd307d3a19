import {expect, test} from 'vitest'
import {said} from './told-reasons.ts'

type Given = Parameters<typeof said>[2]
const before = (text: string) => `It has to be preceded by \`${text}\`.`
const next = (line: number, text: string) => ` Line ${line}, \`${text}\`, uses it next.`
const there = (text: string) => ` \`${text}\` uses it next.`
const put = 'The next step takes it out with DeQue, which finds nothing and has nothing to wait for.'
const freed = 'Its block stays allocated, so the queue has one fewer with every iteration and finally none.'
const steps = (count: number) => Array.from({length: count}, (_, at) => `q${at}_.FreeTensor(z);`).join('\n')
const step = (at: number) => `\`z\` is taken from \`q${at}_\` and never given back: \`FreeTensor\` is missing.`

test.each<[string, string, string, Given?]>([
  // Several at once: three are told, more are not.
  ['', steps(2), `${step(0)} ${step(1)} ${freed}`],
  ['', steps(3), `${step(0)} ${step(1)} ${step(2)} ${freed}`],
  ['', steps(4), 'nothing'],
  ['', `${steps(1)}\nf();`, 'nothing'],
  [
    '',
    'Adds(y, x, 1, n);\nq_.EnQue(z);',
    '? Nothing computes `y`: `Adds` is missing. `z` is never put into `q_`: `EnQue` is missing. `Adds` writes `x + ' +
      `1\` into \`y\`.${there('outQueue_.EnQue(y);')} ${put}`,
  ],
  // Functions.
  [
    'Help(1);',
    'Help(1);\nvoid Help(int n) {\nf(n);\n}',
    '`Help` is called but defined nowhere. A function of that name has to be written, `void Help(int n)`, based ' +
      'on what the call passes and what the surrounding code expects.',
  ],
  // A field that the file shows nowhere else is known to those who have the task.
  ...(['tiling.size', 'tiling.rows'] as const).map((field): [string, string, string] => [
    'Help(tiling);\nf(rows);',
    `Help(tiling);\nvoid Help(const Tiling& tiling) {\ng(${field});\n}\nf(rows);`,
    `${field === 'tiling.size' ? '? ' : ''}\`Help\` is called but defined nowhere. A function of that name has to be ` +
      'written, `void Help(const Tiling& tiling)`, based on what the call passes and what the surrounding code expects.',
  ]),
  ['void Help(int n);', 'void Help(int n);\nvoid Help(int n) {\nf(n);\n}', 'nothing'],
  // Declarations.
  [
    '',
    'using namespace AscendC;',
    'The file uses AscendC names without `using namespace AscendC;`. The types and functions of the interface ' +
      'are in namespace AscendC, and their unqualified names are not found without it.',
  ],
  ['', '#include "a.h"', '`"a.h"` is not included. It declares what this file uses.'],
  ['f(n);', 'uint32_t n = 1;\nf(n);', `\`n\` is used in line 8 but declared nowhere. ${before('uint32_t n = 1;')}`],
  [
    'f(n);\ng(n);',
    'uint32_t n = 1;\nf(n);\ng(n);',
    `\`n\` is used, first in line 8, but declared nowhere. ${before('uint32_t n = 1;')}`,
  ],
  [
    'f(n);\ng(n);',
    'uint32_t n = 1;\nf(n);\ng(n);',
    `\`n\` is used in line 9 but declared nowhere. ${before('uint32_t n = 1;')}`,
    {log: "op_kernel/k.cpp:9:3: error: use of undeclared identifier 'n'"},
  ],
  [
    'f(n);\ng(n);',
    'uint32_t n = 1;\nf(n);\ng(n);',
    `\`n\` is used, first in line 8, but declared nowhere. ${before('uint32_t n = 1;')}`,
    {log: "op_kernel/other.cpp:9:3: error: use of undeclared identifier 'n'"},
  ],
  [
    'f(n);\ng();',
    'f(n);\nuint32_t n = 1;\ng();',
    `\`n\` is used in line 8 but declared nowhere. ${before('uint32_t n = 1;')}`,
  ],
  [
    'f(n);\nint n = 2;',
    'uint32_t n = 1;\nf(n);\nint n = 2;',
    `\`n\` is used in line 8 but not declared there. ${before('uint32_t n = 1;')}`,
  ],
  ['a.n = 1;', 'uint32_t n = 1;\na.n = 1;', 'nothing'],
  [
    'this->n = 1;',
    'uint32_t n;\nthis->n = 1;',
    `\`n\` is used in line 8 but declared nowhere. ${before('uint32_t n;')}`,
  ],
  ['f(n);', 'return n;\nf(n);', 'nothing'],
  // The host.
  [
    '',
    't.SaveToBuffer(a, b);',
    'The tiling data is never written to the buffer that the kernel receives: `SaveToBuffer` is missing. The ' +
      'fields are set only in a host object; the bytes that the kernel reads stay as they were.',
  ],
  [
    '',
    't.set_length(n);',
    'The field `length` of `t` is never set. The kernel still reads it and gets a value that did not come from ' +
      'the tiling; it should be `n` here.',
  ],
  [
    '',
    'c->SetBlockDim(n);',
    'Nothing sets how many cores are launched: `SetBlockDim` is missing. The split is made for `n` cores.',
  ],
  ['', 'c->SetTilingKey(1);', 'nothing'],
  // Queues and flags.
  ['', 'q_.FreeTensor(z);', `\`z\` is taken from \`q_\` and never given back: \`FreeTensor\` is missing. ${freed}`],
  ['', 'q_.EnQue(z);', `\`z\` is never put into \`q_\`: \`EnQue\` is missing. ${put}`],
  [
    '',
    'SetFlag<HardEvent::V_MTE3>(0);',
    '`SetFlag<HardEvent::V_MTE3>(0);` is missing, so nothing sets the flag from V to MTE3. Its WaitFlag waits for it.',
  ],
  ['', 'SetFlag<E>(0);', '`SetFlag<E>(0);` is missing, so nothing sets the flag. Its WaitFlag waits for it.'],
  [
    '',
    'WaitFlag<HardEvent::V_MTE3>(0);',
    '`WaitFlag<HardEvent::V_MTE3>(0);` is missing, so nothing waits for the flag from V to MTE3. The pipes run ' +
      'in parallel: without the wait the later one may start before the earlier has finished, and the flag stays ' +
      'set.',
  ],
  ['', 'SyncAll();', '`SyncAll();` is missing. Cores do not wait for each other on their own.'],
  [
    '',
    'PipeBarrier<PIPE_V>();',
    '`PipeBarrier<PIPE_V>();` is missing. The code after it may start before the code before it has finished.',
  ],
  // What is set up.
  [
    '',
    'p.InitBuffer(q_, 2, n);',
    '`q_` never gets memory: `InitBuffer` is missing. Nothing can be allocated from it before that.',
  ],
  [
    '',
    'g_.SetGlobalBuffer(a);',
    '`g_` never gets an address: `SetGlobalBuffer` is missing. A GlobalTensor points nowhere before that.',
  ],
  [
    '',
    'GET_TILING_DATA(t, tiling);',
    'The kernel never reads its tiling: `GET_TILING_DATA` is missing. It turns the bytes into the structure `t`.',
  ],
  // Results.
  [
    '',
    'DataCopy(x, xGm_, 8);',
    'Nothing is copied from `xGm_` into `x`. The buffer holds whatever was there ' +
      `before.${next(10, 'inQueue_.FreeTensor(x);')}`,
  ],
  ['LocalTensor<T> w;', 'LocalTensor<T> w;\nDataCopy(w, xGm_, 8);', 'nothing'],
  ['', 'f(x, xGm_);', 'nothing'],
  ['g(w);', 'DataCopy(w, xGm_, 8);\ng(w);', 'nothing'],
  ['', 'DataCopy(xGm_, y, 8);', 'The result `y` is never copied to `xGm_`. Data in UB is lost when the kernel ends.'],
  ['', 'f(xGm_, y);', 'nothing'],
  [
    'Exp(x, x, n);',
    'Exp(x, x, n);\nExp(y, x, n);',
    '? Nothing computes `y`: `Exp` is missing. ' +
      `\`Exp\` writes \`exp(x)\` into \`y\`.${there('outQueue_.EnQue(y);')}`,
  ],
  [
    'Exp(y, x, n);',
    'Exp(y, x, n);\nAbs(y, x, n);',
    `? The step \`Abs(y, x, n)\` is missing. \`Abs\` writes \`|x|\` into \`y\`.${there('outQueue_.EnQue(y);')}`,
  ],
  [
    '',
    'Abs(y, y, n);',
    `? The step \`Abs(y, y, n)\` is missing. \`Abs\` writes \`|y|\` into \`y\`.${there('outQueue_.EnQue(y);')}`,
  ],
  [
    'f();\nExp(y, x, n);',
    'Abs(y, x, n);\nf();\nExp(y, x, n);',
    '? Nothing computes `y` before line 9: `Abs` is missing. `Abs` writes `|x|` into ' +
      `\`y\`.${next(9, 'Exp(y, x, n);')}`,
  ],
  ['', 'Abs(w, x, n);', '? Nothing computes `w`: `Abs` is missing. `Abs` writes `|x|` into `w`.'],
  ['', 'a = 1;', 'nothing'],
])('%j lacks %j', (failed, right, reason, given) => expect(said(failed, right, given)).toBe(reason))

test('in Chinese a name that is used in several lines is used from the first on', () => {
  const zh = (failed: string) => said(failed, `uint32_t n = 1;\n${failed}`, {language: 'zh'})
  expect(zh('f(n);')).toBe('第8行用到`n`，却没有声明。 在那之前要有`uint32_t n = 1;`。')
  expect(zh('f(n);\ng(n);')).toBe('第8行起用到`n`，却没有声明。 在那之前要有`uint32_t n = 1;`。')
})
