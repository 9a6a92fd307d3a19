import {describe, expect, test} from 'vitest'
import {describe as inWords, diskOf, exitCode, notTried, stateOf} from '../../../pipelines/commands/doctor.ts'
import type {Finding} from '../../../pipelines/commands/machine-finding.ts'

test.each([
  [true, '', 'good'],
  [true, 'slower', 'limited'],
  [false, '', 'missing'],
  [false, 'slower', 'missing'],
] as const)('what is found (%s) and costs %j is %s', (found, cost, state) => {
  expect(stateOf(found, {cost})).toBe(state)
})

describe('the exit code', () => {
  test.each(['compiler', 'sandbox', 'twin', 'disk'])('tells that %s is missing, not that it is limited', (what) => {
    expect(
      exitCode([
        {what: 'other', state: 'good'},
        {what, state: 'missing'},
      ]),
    ).toBe(1)
    expect(exitCode([{what, state: 'limited'}])).toBe(0)
    expect(exitCode([{what, state: 'good'}])).toBe(0)
  })

  test.each(['linker', 'python', 'teachers', 'teacher twin', 'torch'])('does not tell that %s is missing', (what) => {
    expect(exitCode([{what, state: 'missing'}])).toBe(0)
  })

  test('is good where nothing was looked for', () => {
    expect(exitCode([])).toBe(0)
  })
})

describe('the twin is tried', () => {
  const tools = (compiler: Finding['state'], sandbox: Finding['state']) => [
    {what: 'compiler', state: compiler},
    {what: 'sandbox', state: sandbox},
    {what: 'linker', state: 'limited' as const},
  ]
  const untried = (detail: string): Finding => ({
    what: 'twin',
    state: 'missing',
    detail,
    cost: 'no code can be judged',
    fix: 'Fix the problems above first.',
  })

  test('where compiler and sandbox are there, limited or not', () => {
    expect(notTried(tools('good', 'limited'))).toBe(undefined)
    expect(notTried([])).toBe(undefined)
  })

  test.each([
    ['missing', 'good', 'not tested: no compiler'],
    ['limited', 'missing', 'not tested: no sandbox'],
    ['missing', 'missing', 'not tested: no compiler, no sandbox'],
  ] as const)('not with a compiler that is %s and a sandbox that is %s', (compiler, sandbox, detail) => {
    expect(notTried(tools(compiler, sandbox))).toEqual(untried(detail))
  })
})

describe('free space', () => {
  const short = {
    cost: 'a run may fill the disk and stop (`ascend-cot resume` continues it)',
    fix: 'Free some space, or choose another folder with --out.',
  }
  const enough = {cost: '', fix: ''}
  test.each([
    [0, '0.0', 'limited', short],
    [1e9 - 1, '1.0', 'limited', short],
    [1e9, '1.0', 'limited', short],
    [1e9 + 1, '1.0', 'good', enough],
    [12.34e9, '12.3', 'good', enough],
  ] as const)('of %d bytes: %s GB, %s', (free, gigabytes, state, rest) => {
    expect(diskOf('/out', free)).toEqual({
      what: 'disk',
      state,
      detail: `${gigabytes} GB free for /out`,
      ...rest,
    })
  })
})

describe('a finding in words', () => {
  test.each<[Finding, string]>([
    [{what: 'compiler', state: 'good', detail: 'clang 15', cost: '', fix: ''}, '✓ compiler     clang 15'],
    [
      {what: 'linker', state: 'limited', detail: 'none', cost: 'slower', fix: 'Install mold.'},
      ['! linker       none', '               cost: slower', '               fix:  Install mold.'].join('\n'),
    ],
    [
      {what: 'sandbox', state: 'missing', detail: 'none', cost: 'nothing', fix: ''},
      ['✗ sandbox      none', '               cost: nothing'].join('\n'),
    ],
    [
      {what: 'teacher candidates', state: 'missing', detail: 'm at u', cost: '', fix: 'Start it.'},
      ['✗ teacher candidates m at u', '               fix:  Start it.'].join('\n'),
    ],
  ])('%j', (finding, text) => {
    expect(inWords(finding)).toBe(text)
  })
})
