import {describe, expect, test} from 'vitest'
import {diagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import type {Diagnostic, Verdict} from '../../datasets/schema/verdict.ts'
import {executor} from './rows.ts'

const names = new Set(['Add', 'Muls', 'DataCopyPad', 'LocalTensor', 'GlobalTensor', 'TQue', 'GetSize', 'Init', 'Cast'])
const own = 'op_kernel/add.cpp'

type Said = [severity: Diagnostic['severity'], message: string, file?: string]

/** A kernel of which one line does not compile, and what a compiler says of it. */
function of(code: string, ...said: Said[]) {
  const diagnostics = said.map(
    ([severity, message, file = severity === 'error' ? own : 'kernel_operator_vec_binary_intf.h'], at) => ({
      severity,
      message,
      file,
      line: file === own ? 3 : 70 + at,
      column: 1,
    }),
  )
  const verdict: Verdict = {outcome: 'compile-failed', diagnostics, log: '', executor}
  return diagnosticSignature(verdict, {names, files: [{path: own, text: `\n\n${code}\n`}]})
}

const error = (message: string, code = ''): string => of(code, ['error', message])?.signature ?? ''
const refused = (message: string, ...notes: string[]): string =>
  of('', ['error', message], ...notes.map((note): Said => ['note', note]))?.signature ?? ''

describe('a message', () => {
  test.each([
    ["use of undeclared identifier 'xTensor'", "use of undeclared identifier '…'"],
    ["use of undeclared identifier 'inQueue_'; did you mean 'outQueue_'?", "use of undeclared identifier '…'"],
    [
      "use of undeclared identifier 'GetSizes'; did you mean 'GetSize'?",
      "use of undeclared identifier '…'; did you mean 'GetSize'?",
    ],
    ["no matching function for call to 'DataCopyPad'", "no matching function for call to 'DataCopyPad'"],
    ["no matching function for call to 'CopyIn'", "no matching function for call to '…'"],
    ["no member named 'tailBlock' in 'KernelSnrm2'", "no member named '…' in '…'"],
    [
      "no member named 'GetSize' in 'AscendC::TQue<AscendC::TPosition::VECIN, 1, 0>'",
      "no member named 'GetSize' in 'TQue<…>'",
    ],
    [
      "no viable conversion from 'LocalTensor<half>' to 'const AscendC::LocalTensor<Pair<int, 4>> &'",
      "no viable conversion from 'LocalTensor<…>' to 'LocalTensor<…>'",
    ],
    [
      "cannot initialize a variable of type 'int32_t' (aka 'int') with an lvalue of type 'half'",
      "cannot initialize a variable of type 'integer' with an lvalue of type 'floating point'",
    ],
    ["expected ';' after expression", "expected ';' after expression"],
    [
      'too few arguments to function call, expected 5, have 4',
      'too few arguments to function call, expected #, have #',
    ],
    [
      "static assertion failed due to requirement 'sizeof(float) == 2': Cast takes no bool",
      'static assertion failed: Cast takes no bool',
    ],
    ["invalid suffix '_702_x' on integer constant", "invalid suffix '…' on integer constant"],
    [
      "redefinition of 'tiling' with a different type: 'Mine' (aka 'Data') vs '__attribute__((address_space(1))) uint8_t *' (aka 'unsigned char *')",
      "redefinition of '…' with a different type: '…' vs 'integer *'",
    ],
  ])('%s', (message, signature) => {
    expect(error(message)).toBe(signature)
  })

  test('of a function that does not exist is not one of a variable', () => {
    const message = "use of undeclared identifier 'VecAdd'"
    expect(error(message, '  VecAdd(z, x, y, 8);')).toBe("use of undeclared identifier '…', called")
    expect(error(message, '  VecAdd<float>(z, x, y, 8);')).toBe("use of undeclared identifier '…', called")
    expect(error(message, '  Add(z, VecAdd, y, 8);')).toBe("use of undeclared identifier '…'")
    expect(error(message, '  Add(z, OtherVecAdd(y), 8, VecAdd);')).toBe("use of undeclared identifier '…'")
  })

  test.each([
    ["'xTensor' was not declared in this scope; did you mean 'yTensor'?", "use of undeclared identifier 'a'"],
    [
      "'f' was not declared in this scope, and no declarations were found by argument-dependent lookup at the point of instantiation",
      "use of undeclared identifier 'a'",
    ],
    ["'mytype' does not name a type; did you mean 'Type'?", "unknown type name 'a'"],
    ["'Softmaxed' is not a member of 'AscendC'", "no member named 'a' in namespace 'AscendC'"],
    [
      "'class AscendC::TQue<AscendC::TPosition::VECIN, 1>' has no member named 'GetSize'",
      "no member named 'GetSize' in 'AscendC::TQue<AscendC::TPosition::VECIN, 1, 0>'",
    ],
    [
      "no matching function for call to 'Add(AscendC::LocalTensor<float>&, int (*)(float), int)'",
      "no matching function for call to 'Add'",
    ],
    ["no matching function for call to 'AscendC::TPipe::Init(int&)'", "no matching member function for call to 'Init'"],
    [
      "conversion from 'LocalTensor<float>' to non-scalar type 'LocalTensor<int>' requested",
      "no viable conversion from 'LocalTensor<half>' to 'LocalTensor<int32_t>'",
    ],
  ])('of g++ reads as that of clang: %s', (gcc, clang) => {
    expect(error(gcc)).toBe(error(clang))
  })

  test('counts from the first error on', () => {
    const late = of('', ['warning', 'unused'], ['error', "expected ';' after expression"], ['error', "expected '}'"])
    expect(late).toMatchObject({signature: "expected ';' after expression", message: "expected ';' after expression"})
    expect(of('')).toMatchObject({signature: 'no message', api: '', message: ''})
  })
})

describe('why overloads refuse a call', () => {
  const call = "no matching function for call to 'Muls'"
  const types = (one: string, other: string) =>
    `candidate template ignored: deduced conflicting types for parameter 'T' ('${one}' vs. '${other}')`
  const arguments_ = (wanted: number, given: number) =>
    `candidate function template not viable: requires ${wanted} arguments, but ${given} were provided`

  test('counts before how many arguments they take', () => {
    expect(refused(call, arguments_(6, 4), types('float', 'LocalTensor<float>'))).toBe(
      `${call}: deduced conflicting types ('floating point' vs. 'LocalTensor<…>')`,
    )
  })

  test('is one for all element types of a kind, and another for another kind or order', () => {
    const of = (one: string, other: string) => refused(call, types(one, other))
    expect(of('half', 'float')).toBe(of('float', 'half'))
    expect(of('int', 'uint64_t')).toBe(of('unsigned int', 'int8_t'))
    const kinds = [of('float', 'int'), of('int', 'float'), of('bool', 'float'), of('float', 'LocalTensor<float>')]
    expect(new Set([...kinds, of('half', 'float')]).size).toBe(5)
  })

  test.each([
    [[4, 6], 3, 'too few arguments'],
    [[4, 6], 7, 'too many arguments'],
    [[4, 6], 5, 'no overload takes so many arguments'],
  ])('of %j arguments, given %d: %s', (wanted, given, signature) => {
    expect(refused(call, ...wanted.map((count) => arguments_(count, given)))).toBe(`${call}: ${signature}`)
  })

  test('is not told by constructors that every class has, nor by notes of a later error', () => {
    const copy = (how: string) =>
      `candidate constructor (the implicit ${how} constructor) not viable: no known conversion`
    const message = "no viable conversion from 'LocalTensor<half>' to 'LocalTensor<float>'"
    expect(refused(message, copy('copy'), copy('move'))).toBe(
      "no viable conversion from 'LocalTensor<…>' to 'LocalTensor<…>'",
    )
    const later: Said[] = [
      ['error', call],
      ['note', types('float', 'half')],
    ]
    expect(of('', ['error', "expected ';' after expression"], ...later)?.signature).toBe(
      "expected ';' after expression",
    )
  })

  test('does not depend on their order, and no more than three reasons are told', () => {
    const reasons = [
      "'A' against 'B'",
      "'C<D>' against 'LocalTensor'",
      "'GlobalTensor' against 'LocalTensor'",
      "'int' against 'TQue'",
    ]
    const notes = reasons.map((what) => `candidate template ignored: could not match ${what}`)
    expect(refused(call, ...notes)).toBe(refused(call, ...notes.toReversed()))
    expect(refused(call, ...notes).split('; ')).toHaveLength(3)
  })

  test('reads the same in g++', () => {
    const gcc = (...notes: string[]) =>
      refused(
        "no matching function for call to 'Muls(int)'",
        "candidate: 'template<class T> void AscendC::Muls(T)'",
        ...notes,
      )
    expect(gcc("  deduced conflicting types for parameter 'const T' ('float' and 'AscendC::LocalTensor<float>')")).toBe(
      refused(call, types('float', 'LocalTensor<float>')),
    )
    expect(gcc('  candidate expects 4 arguments, 3 provided')).toBe(refused(call, arguments_(4, 3)))
    expect(gcc("  'AscendC::GlobalTensor<float>' is not derived from 'const AscendC::LocalTensor<T>'")).toMatch(
      /could not match 'LocalTensor<…>' against 'GlobalTensor<…>'$/,
    )
  })
})

describe('what an error is about', () => {
  test.each([
    ["no matching function for call to 'DataCopyPad'", 'DataCopyPad'],
    ["no member named 'GetSize' in 'AscendC::TQue<AscendC::TPosition::VECIN, 1, 0>'", 'TQue'],
    ["no viable conversion from 'LocalTensor<float>' to 'int32_t'", 'LocalTensor'],
    ["use of undeclared identifier 'GetSizes'; did you mean 'GetSize'?", 'GetSize'],
    ["use of undeclared identifier 'xTensor'", ''],
    ["expected ';' after expression", ''],
  ])('%s: %s', (message, api) => {
    expect(of('', ['error', message])?.api).toBe(api)
  })

  test('is found in what the notes declare or instantiate', () => {
    const few: Said = ['error', 'too few arguments to function call, expected 3, have 2']
    expect(of('', few, ['note', "'Cast' declared here"])?.api).toBe('Cast')
    const inside: Said = ['error', 'static assertion failed: no bool', 'twin/cast.h']
    const called: Said = [
      'note',
      "in instantiation of function template specialization 'AscendC::Cast<bool, float>' requested here",
      own,
    ]
    expect(of('  Cast(y, x);', inside, called)).toMatchObject({
      api: 'Cast',
      place: {file: own, line: 3},
      code: '  Cast(y, x);',
    })
  })

  test('is a name that no list has, where a header declares it', () => {
    const note = 'candidate function template not viable: requires 3 arguments, but 2 were provided'
    const call: Said = ['error', "no matching function for call to 'Ln'"]
    expect(of('Ln(y, x);', call, ['note', note])).toMatchObject({
      api: 'Ln',
      signature: "no matching function for call to 'Ln': too few arguments",
    })
    expect(of('Ln(y, x);', call)?.api).toBe('')
    const host = "no member named 'SetBlockDims' in 'gert::TilingContext'"
    expect(of('', ['error', host])).toMatchObject({
      api: 'TilingContext',
      signature: "no member named '…' in 'gert::TilingContext'",
    })
  })

  test('is not a function of the candidate that bears a name of the interface', () => {
    const note = 'candidate function not viable: requires 5 arguments, but 4 were provided'
    const call: Said = ['error', "no matching member function for call to 'Init'"]
    expect(of('op.Init(x);', call, ['note', note, own])).toMatchObject({
      api: '',
      signature: "no matching function for call to '…': too few arguments",
    })
    expect(of('pipe.Init(x);', call, ['note', note])?.api).toBe('Init')
    const few: Said = ['error', 'too few arguments to function call, expected 3, have 2']
    expect(of('', few, ['note', "'Cast' declared here", own])?.api).toBe('')
  })
})

describe('other verdicts', () => {
  const link = (log: string) => diagnosticSignature({outcome: 'link-failed', log, executor}, {names, files: []})
  test('an error of the linker is about a symbol', () => {
    const log = "/usr/bin/ld: k.o: in function `f':\nk.cpp: undefined reference to `AscendC::Add(int)'\n"
    expect(link(log)).toMatchObject({signature: "undefined symbol 'Add'", api: 'Add'})
    expect(link('mold: error: undefined symbol: mine(int)')?.signature).toBe("undefined symbol '…'")
    expect(link("multiple definition of `mine'; a.o: first defined here")?.signature).toBe("duplicate symbol '…'")
    expect(link('ld: cannot go on')).toMatchObject({signature: 'no message', message: 'ld: cannot go on'})
  })

  test('what was built has no signature', () => {
    expect(diagnosticSignature({outcome: 'correct', cases: [], executor}, {names, files: []})).toBeUndefined()
  })
})
