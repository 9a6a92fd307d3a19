import {expect, test} from 'vitest'
import {syntaxMutations} from '../../../../pipelines/preference/mutations/broken-syntax.ts'
import {madeBy} from './places.ts'

const inKernel = madeBy(syntaxMutations, 'op_kernel/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'missing-semicolon',
    'f(a);\nint n = 1;\nif (g()) {}',
    [
      ['f(a)\nint n = 1;\nif (g()) {}', 'no semicolon after f(…)'],
      ['f(a);\nint n = 1\nif (g()) {}', 'no semicolon after n'],
    ],
  ],
  [
    'missing-brace',
    'void F() {\n  if (x) {\n    f();\n  }\n}\n',
    [['void F() {\n  if (x) {\n    f();\n}\n', 'a closing brace is missing']],
  ],
  ['missing-brace', 'class K {\n  int n; }\n  };\n}\n', []],
  [
    'member-declared-twice',
    'int n;\nconst int k = 1;\nvoid F() {\n  int m;\n}',
    [['int n; int n;\nconst int k = 1;\nvoid F() {\n  int m;\n}', 'the member n is declared twice']],
  ],
  ['missing-parenthesis', 'f(g(a)); x = h(a);', [['f(g(a); x = h(a);', 'f(… is not closed']]],
  [
    'missing-comma',
    'f(a, b,c); x = g(a, b); h(a);',
    [
      ['f(a b,c); x = g(a, b); h(a);', 'no comma between arguments of f'],
      ['f(a, b c); x = g(a, b); h(a);', 'no comma between arguments of f'],
    ],
  ],
  [
    'name-starts-with-a-digit',
    'int n = 1;\nTQue<X, 1> queue_;\n',
    [
      ['int 2N = 1;\nTQue<X, 1> queue_;\n', 'a name that begins with a digit, for n'],
      ['int n = 1;\nTQue<X, 1> 2Queue_;\n', 'a name that begins with a digit, for queue_'],
    ],
  ],
  [
    'class-without-semicolon',
    'class K {\n};\nstruct L {\n  int n;\n  };\n',
    [['class K {\n}\nstruct L {\n  int n;\n  };\n', 'no semicolon after the class']],
  ],
  [
    'unknown-tiling-field',
    'n = tiling.n + tilingData.m2;',
    [
      ['n = tiling.nNum + tilingData.m2;', 'nNum is no field of the tiling data'],
      ['n = tiling.n + tilingData.m2Num;', 'm2Num is no field of the tiling data'],
    ],
  ],
  ['unknown-tiling-field', 'n = tiling.get_n() + tiling.get_m + tiling.f() + tiling.N + plan.n;', []],
  [
    'host-accessor-in-kernel',
    'n = tiling.n + tiling.f() + tiling.get_m + plan.n;',
    [['n = tiling.get_n() + tiling.f() + tiling.get_m + plan.n;', "tiling.get_n() is an accessor of the host's class"]],
  ],
  [
    'unknown-method',
    'op.Process(); op.Init(x);',
    [
      ['op.ProcessKernel(); op.Init(x);', "the kernel's class has no ProcessKernel"],
      ['op.RunProcess(); op.Init(x);', "the kernel's class has no RunProcess"],
      ['op.Process(); op.InitKernel(x);', "the kernel's class has no InitKernel"],
      ['op.Process(); op.RunInit(x);', "the kernel's class has no RunInit"],
    ],
  ],
  ['unknown-method', 'kernel.Process(); x = op.Get(); Process(); op->Init();', []],
  [
    'missing-method',
    'class K {\n  void F() {}\n  void G() {}\n};\nvoid H() { k.F(); G(); }\n',
    [['class K {\n  void G() {}\n};\nvoid H() { k.F(); G(); }\n', 'F is called but not written']],
  ],
  [
    'unknown-enumerator',
    'f(RoundMode::CAST_NONE, AscendC::HardEvent::V_S, TPosition::VECIN);',
    [
      ['f(RoundMode::CAST_NONE_MODE, AscendC::HardEvent::V_S, TPosition::VECIN);', 'RoundMode has no CAST_NONE_MODE'],
      ['f(RoundMode::CAST_NONE, AscendC::HardEvent::V_S_MODE, TPosition::VECIN);', 'HardEvent has no V_S_MODE'],
    ],
  ],
  [
    'unknown-enumerator',
    'f(QuePosition::VECIN, SELMODE::X, CMPMODE::LT);',
    [
      ['f(QuePosition::VECIN_MODE, SELMODE::X, CMPMODE::LT);', 'QuePosition has no VECIN_MODE'],
      ['f(QuePosition::VECIN, SELMODE::X_MODE, CMPMODE::LT);', 'SELMODE has no X_MODE'],
      ['f(QuePosition::VECIN, SELMODE::X, CMPMODE::LT_MODE);', 'CMPMODE has no LT_MODE'],
    ],
  ],
  [
    'function-without-type',
    'class K { __aicore__ inline void F() {} };',
    [['class K { __aicore__ inline F() {} };', 'a function without a type of result']],
  ],
  ['function-without-type', '__aicore__ inline int F() {} inline void G() {} __aicore__ inline void *h;', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(syntaxMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})

const inHost = madeBy(syntaxMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'unknown-context-method',
    'context->GetAttrs(); platform.GetCoreNum(); other->Get(); a.context->Get(); Get();',
    [
      [
        'context->GetAttrsInfo(); platform.GetCoreNum(); other->Get(); a.context->Get(); Get();',
        'GetAttrsInfo is no member of the context',
      ],
      [
        'context->GetAttrs(); platform.GetCoreNumInfo(); other->Get(); a.context->Get(); Get();',
        'GetCoreNumInfo is no member of the context',
      ],
    ],
  ],
  [
    'host-missing-semicolon',
    'int n = 1;\nf(n);\nauto k = n;\n',
    [
      ['int n = 1\nf(n);\nauto k = n;\n', 'no semicolon after n'],
      ['int n = 1;\nf(n);\nauto k = n\n', 'no semicolon after k'],
    ],
  ],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(syntaxMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
