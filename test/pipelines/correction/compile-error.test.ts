import {describe, expect, test} from 'vitest'
import type {Diagnostic, Verdict} from '../../../datasets/schema/verdict.ts'
import {compileErrorOf, type Cause} from '../../../pipelines/correction/compile-error.ts'
import {executor} from '../preference/records.ts'

const path = 'op_kernel/k.cpp'
const files = [{path, text: 'int a;\n    Adds(out, in, n);\nint b;\n'}]

function failed(messages: readonly (readonly [Diagnostic['severity'], string, string?])[], log = '') {
  const diagnostics = messages.map(([severity, message, file = path]) => ({
    severity,
    file,
    line: 2,
    column: 5,
    message,
  }))
  return {outcome: 'compile-failed', diagnostics, log, executor} as Extract<Verdict, {outcome: 'compile-failed'}>
}

const call = "no matching function for call to 'Adds'"
const causes: [string, string[], Cause][] = [
  [
    call,
    ['candidate function template not viable: requires 4 arguments, but 3 were provided'],
    {kind: 'count', api: 'Adds', given: 3, wanted: [4]},
  ],
  [
    call,
    [
      'candidate function template not viable: requires 4 arguments, but 3 were provided',
      'candidate function template not viable: requires at least 5 arguments, but 3 were provided',
    ],
    {kind: 'count', api: 'Adds', given: 3, wanted: [4, 5]},
  ],
  [
    call,
    ["candidate template ignored: deduced conflicting types for parameter 'T' ('float' vs. 'LocalTensor<float>')"],
    {kind: 'conflict', api: 'Adds', parameter: 'T', types: ['float', 'LocalTensor<float>']},
  ],
  [
    call,
    ["candidate template ignored: could not match 'LocalTensor' against 'GlobalTensor'"],
    {kind: 'other-kind', api: 'Adds', wanted: 'LocalTensor', given: 'GlobalTensor'},
  ],
  [
    call,
    [
      'candidate function template not viable: requires 4 arguments, but 3 were provided',
      "candidate template ignored: could not match 'LocalTensor' against 'GlobalTensor'",
    ],
    {kind: 'call', api: 'Adds'},
  ],
  ["use of undeclared identifier 'VecAdd'", [], {kind: 'undeclared', name: 'VecAdd', near: ''}],
  ["use of undeclared identifier 'inQ_'; did you mean 'outQ_'?", [], {kind: 'undeclared', name: 'inQ_', near: 'outQ_'}],
  ["unknown type name 'float16'", [], {kind: 'undeclared', name: 'float16', near: ''}],
  ["no member named 'get_n' in 'Tiling'", [], {kind: 'member', name: 'get_n', of: 'Tiling'}],
  ["no member named 'Foo' in namespace 'AscendC'", [], {kind: 'undeclared', name: 'Foo', near: ''}],
  [
    "no viable conversion from 'LocalTensor<half>' to 'LocalTensor<float>'",
    [],
    {kind: 'conversion', from: 'LocalTensor<half>', to: 'LocalTensor<float>'},
  ],
  ["expected ';' after expression", [], {kind: 'expected', what: "';' after expression"}],
  ["redefinition of 'tiling' with a different type", [], {kind: 'redefinition', name: 'tiling'}],
  ['static assertion failed', [], {kind: 'other'}],
]

describe('the first error of a build', () => {
  test.each(causes)('%s %j', (message, notes, cause) => {
    const verdict = failed([['error', message], ...notes.map((note) => ['note', note, 'twin/x.h'] as const)])
    expect(compileErrorOf(verdict, files)).toMatchObject({file: path, line: 2, text: 'Adds(out, in, n);', cause})
  })

  test('has its own notes only, and its own part of the log', () => {
    const note = 'candidate function template not viable: requires 4 arguments, but 3 were provided'
    const log = [
      'In file included from kernel_unit.cpp:1:',
      `${path}:2:5: error: ${call}`,
      '    Adds(out, in, n);',
      `${path}:9:1: error: later`,
      '2 errors generated.',
    ].join('\n')
    const found = compileErrorOf(
      failed(
        [
          ['error', call],
          ['error', 'later'],
          ['note', note],
        ],
        log,
      ),
      files,
    )
    expect(found).toMatchObject({
      cause: {kind: 'call'},
      errors: 2,
      log: `${path}:2:5: error: ${call}\n    Adds(out, in, n);`,
    })
  })

  test('is none where it stands in a file of the executor', () => {
    expect(compileErrorOf(failed([['error', 'x', 'kernel_unit.cpp']]), files)).toBeUndefined()
  })
})
