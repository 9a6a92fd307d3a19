import {expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import type {Check} from '../../../../pipelines/facts/checks.ts'
import {checkText, flowSentence, shortened} from '../../../../pipelines/code/offline/flow-paragraph.ts'
import {both, flowOf, toldCases} from '../../../helpers/told-parts.ts'

const long = Array.from({length: 12}, (_, at) => `argument${at}OfTheCall`)
const sum = long.join(' + ')
const call = `Compute(${long.join(', ')})`
const words = (count: number) => 'w'.repeat(count)

/** Bodies of functions, by what is asked of them. */
const bodies: Readonly<Record<string, string>> = {
  'one statement': 'x = 1;',
  'one after the other': 'x = 1; y += 2; Set(x); return ok;',
  'a return without a value': 'x = 1; if (x) { return; }',
  'a branch, and what comes after it': 'if (a) { x = 1; y = 2; } else { x = 3; } z = 4;',
  'a branch in a loop and a loop in a branch':
    'for (int i = 0; i < n; i++) { if (a) { x = 1; } } if (b) { while (c) { y = 2; } }',
  'a condition, a loop, a condition': 'if (a) { for (int i = 0; i < n; i++) { if (b) { x = i; } } }',
  'two loops, one in the other': 'for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { x = j; } y = i; }',
  'loops side by side': 'while (a) { x = 1; } while (b) { x = 1; }',
  'the same twice is said once': 'x = 1; x = 1; x = 2; if (a) { x = 2; }',
  'logging is not said': 'OP_LOGD("a"); x = 1; OP_LOGE("b");',
  'nothing but logging': 'OP_LOGD("a");',
  'checks for null that follow each other':
    'OP_CHECK_NULL(a, return 1); OP_CHECK_NULL(b, return 1); OP_CHECK_NULL(c, return 2); x = 1; ' +
    'OP_CHECK_NULL(d, return 2);',
  'checks for null in different places': 'OP_CHECK_NULL(a, return 1); if (p) { OP_CHECK_NULL(b, return 1); }',
  'other checks do not join': 'CHECK_RET(a, 1); CHECK_RET(b, 1);',
  'what follows a return in any case is not in order': 'return 1; x = 2;',
  'a return in a branch ends nothing': 'if (a) { return 1; } x = 2; return 2;',
  'a return in a loop ends nothing': 'for (int i = 0; i < n; i++) { return 1; } x = 2;',
  'a comment that gives a reason': '// keeps the last block whole\nx = 1;\n// so that nothing is left\ny = 2;',
  'comments that give none':
    '// short\nx = 1;\n// step 1. do that\ny = 2;\n// double buffer here\nz = 3;\n// a = b; is ' +
    'set\nw = 4;\n// 2 things here\nv = 5;',
  'comments as long as may be': [6, 70, 71, 5].map((count, at) => `// ${words(count)}\n${'abcd'[at]} = 1;`).join('\n'),
  'a comment before a check':
    '// never null by now\nOP_CHECK_NULL(a, return 1);\n// never more than that\nCHECK_RET(b, 1);',
  'a long sum is cut between two words': `total = ${sum};`,
  'a long call keeps its first arguments': `${call}; x = ${call}; object->${call};`,
  'a call that just fits': `Compute(${words(145)}); Compute(${words(138)}, abc);`,
  'a sum that just fits': `x = ${words(146)};\nx = ${words(140)} + abcd;`,
  'first arguments of sixty letters':
    `Compute(${words(28)}, ${words(30)}, ${words(99)}); Compute(${words(28)}, ${words(31)}, ` + `${words(99)});`,
  'a receiver of sixty letters': `${words(58)}->${call}; ${words(59)}->${call};`,
  'a check among others': 'OP_CHECK_NULL(a, return 1); CHECK_RET(b, return 1); OP_CHECK_NULL(c, return 1);',
  'a long receiver is cut': `${words(61)}->${call};`,
  'a call of one long argument': `Compute(${words(160)}, b);`,
  'long conditions are cut': `if (${sum} > 1) { x = 1; }`,
}

test('a function is told as it runs', async () => {
  const cases: Record<string, string> = {}
  for (const [name, body] of Object.entries(bodies)) {
    const flow = await flowOf(`int F() { ${body} }`)
    cases[name] = both((speaker) => flowSentence(flow, speaker))
  }
  const member = await flowOf('template <typename T> void Fold<T, Pair<T>>::Run() { x = 1; }')
  cases['a function of a class'] = both((speaker) => flowSentence(member, speaker))
  toldCases('flow', cases)
})

test('what is too much is told by what it gives, calls and checks', async () => {
  const many = Array.from({length: 10}, (_, at) => `v${at} = ${at}; Call${at}();`).join(' ')
  const rest =
    `first = 1; ${many} CHECK_RET(a, 1); if (b) { return GRAPH_FAILED; } ${'t'.repeat(41)} = 1; ` +
    `${'u'.repeat(40)} = 1; Vector v(n); return c;`
  const one = 'first = 1; second = 2; if (b) { return false; }'
  const last = 'first = 1; if (b) { other = 1; } return ACL_ERR_PARAM;'
  const two = `${one} if (c) { return ACL_ERR_PARAM; } if (d) { return 3; }`
  const cases: Record<string, string> = {}
  for (const [name, body] of Object.entries({rest, one, two, last})) {
    const flow = await flowOf(`int F() { ${body} }`)
    for (const most of [1, 2, 3])
      cases[`${name}, ${most} told`] = both((speaker) => flowSentence(flow, speaker, {most}))
  }
  const flow = await flowOf('int F() { x = 1; return 2; }')
  cases['nothing to say of what is left'] = both((speaker) => flowSentence(flow, speaker, {most: 1}))
  cases['only values'] = both((speaker) => flowSentence(flow, speaker, {keep: ({kind}) => kind === 'value'}))
  const fifteen = await flowOf(`void F() { ${Array.from({length: 15}, (_, at) => `v${at} = ${at};`).join(' ')} }`)
  cases['fourteen are told'] = both((speaker) => flowSentence(fifteen, speaker))
  toldCases('flow-rest', cases)
})

test('one check has the opposite meaning in the interface of operators', async () => {
  const flow = await flowOf('int F() { OP_CHECK(a, LOG("b"), return false); }')
  const told = (isApi: boolean) => flowSentence(flow, voice('en', randomFrom('flow')), {isApi})
  expect(told(true)).toBe('In `F`: unless `a` holds, it returns `false`.')
  expect(flowSentence(flow, voice('en', randomFrom('flow')))).toBe(told(false))
  expect(told(false)).toBe('In `F`: `OP_CHECK(a, LOG("b"), false)`.')
})

test('each check is told by what it asks for', () => {
  const kinds: Check['kind'][] = [
    ...(['not-null', 'holds', 'fails', 'dtype-in', 'dtype-is', 'dtype-same', 'dtype-converts'] as const),
    ...(['shape-same', 'shape-is', 'dims-at-most', 'dims-at-least', 'dims-exactly'] as const),
    ...(['broadcast', 'broadcast-to'] as const),
  ]
  const cases: Record<string, string> = {}
  for (const kind of kinds)
    for (const result of ['', 'return', 'false'])
      if (result === 'false' || kind === 'holds' || kind === 'fails')
        cases[`${kind} ${result}`] = both((speaker) => checkText({kind, subjects: ['a', 'b', 'c'], result}, speaker))
  toldCases('checks', cases)
})

test('text is cut between two words', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('abc def', 7)).toBe('abc def')
  expect(shortened('abc def', 6)).toBe('abc …')
  expect(shortened('abc, def', 4)).toBe('abc, …')
  expect(shortened('x'.repeat(150))).toBe('x'.repeat(150))
  expect(shortened(`${'x'.repeat(148)}, y`)).toBe(`${'x'.repeat(148)}, …`)
})
