import {expect, test} from 'vitest'
import {givenCode} from '../../../pipelines/code/given-code.ts'
import {usedDeclarations} from '../../../pipelines/code/used-declarations.ts'

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
