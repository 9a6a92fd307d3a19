import {describe, expect, test} from 'vitest'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'

const path = 'k.cpp'
const texts = (statements: readonly {text: string}[]) => statements.map(({text}) => text).join(' | ')

/** A step in one line. */
function shown(edit: Edit): string {
  const head = `${edit.line} ${edit.kind}`
  switch (edit.kind) {
    case 'added':
    case 'removed':
      return `${head}: ${texts(edit.statements)}`
    case 'replaced':
      return `${head}: ${edit.before.text} -> ${edit.after.text}`
    case 'moved':
      return (
        `${head}: ${edit.statement.text} to ${edit.to} ${edit.isLater ? 'later' : 'earlier'} past ` +
        `${texts(edit.passed)}`
      )
    case 'unwrapped':
      return `${head}: ${edit.head.text} around ${texts(edit.inner)}`
    case 'marks':
      return `${head}: missing '${edit.missing}' surplus '${edit.surplus}' behind '${edit.before}' of '${edit.opener}'`
  }
}

const steps = (failed: string, right: string) => editsBetween([{path, text: failed}], [{path, text: right}]).map(shown)

describe('the steps from failed code to right code', () => {
  test.each<[string, string, string, string[]]>([
    ['none', 'a();\nb();', 'a();\nb();', []],
    ['layout alone', 'a( x );', 'a(x);', []],
    ['one comes in front', 'b();', 'a();\nb();', ['1 added: a();']],
    ['one comes between', 'a();\nb();', 'a();\nc(1);\nb();', ['2 added: c(1);']],
    ['one comes at the end', 'a();\nb(\n1);', 'a();\nb(1);\nc();', ['4 added: c();']],
    ['all comes', '', 'a();', ['1 added: a();']],
    ['several come', 'a();\nd();', 'a();\nb();\nc();\nd();', ['2 added: b(); | c();']],
    ['one goes', 'a();\nb();\nc();', 'a();\nc();', ['2 removed: b();']],
    ['several go', 'a();\nb();\nc();\nd();', 'a();\nd();', ['2 removed: b(); | c();']],
    ['one changes', 'a();\nb(1);\nc();', 'a();\nb(2);\nc();', ['2 replaced: b(1); -> b(2);']],
    ['one becomes another', 'a();\nb(1);\nc();', 'a();\nxyz = 7 + y;\nc();', ['2 replaced: b(1); -> xyz = 7 + y;']],
    [
      'as many change',
      'a();\nb(1);\nc(1);\nd();',
      'a();\nc(2);\nb(2);\nd();',
      ['2 replaced: b(1); -> c(2);', '3 replaced: c(1); -> b(2);'],
    ],
    [
      'one of two changes, and the other goes',
      'a();\nfirst(x, y, 1);\nsecond = 1;\nd();',
      'a();\nfirst(x, y, 2);\nd();',
      ['2 replaced: first(x, y, 1); -> first(x, y, 2);', '3 removed: second = 1;'],
    ],
    [
      'the one that is more alike changes',
      'a();\nsecond = 1;\nfirst(x, y, 1);\nd();',
      'a();\nfirst(x, y, 2);\nd();',
      ['2 removed: second = 1;', '3 replaced: first(x, y, 1); -> first(x, y, 2);'],
    ],
    [
      'one changes and another comes',
      'a();\nfirst(x, y, 1);\nd();',
      'a();\nsecond = 1;\nfirst(x, y, 2);\nd();',
      ['2 replaced: first(x, y, 1); -> first(x, y, 2);', '2 added: second = 1;'],
    ],
    [
      // Of seven and eight tokens `=`, `3` and `;` are shared: 6 of 15, which is alike enough.
      'two fifths of the tokens are enough',
      'x();\nn = 3 + k + p;\ny();',
      'x();\nm(n = 3);\nq();\ny();',
      ['2 replaced: n = 3 + k + p; -> m(n = 3);', '2 added: q();'],
    ],
  ])('%s', (_, failed, right, edits) => expect(steps(failed, right)).toEqual(edits))
})

describe('a statement that changes its place', () => {
  test.each<[string, string, string, string[]]>([
    [
      'later',
      'a(1);\nb(1);\nc(1);\nd(1);',
      'b(1);\nc(1);\na(1);\nd(1);',
      ['1 moved: a(1); to 4 later past b(1); | c(1);'],
    ],
    [
      'earlier',
      'a(1);\nb(1);\nc(1);\nd(1);',
      'a(1);\nd(1);\nb(1);\nc(1);',
      ['4 moved: d(1); to 2 earlier past b(1); | c(1);'],
    ],
    ['to the end', 'a(1);\nb(1);\nc(1);', 'b(1);\nc(1);\na(1);', ['1 moved: a(1); to 4 later past b(1); | c(1);']],
    [
      'no statement moves that is a mark',
      '}\na(1);\nb(1);',
      'a(1);\nb(1);\n}',
      ['1 removed: }', "4 marks: missing '}' surplus '' behind 'b(1);' of ''"],
    ],
    ['of three tokens', 'x y;\na(1);\nb(1);', 'a(1);\nb(1);\nx y;', ['1 moved: x y; to 4 later past a(1); | b(1);']],
    ['of two tokens', 'x;\na(1);\nb(1);', 'a(1);\nb(1);\nx;', ['1 removed: x;', '4 added: x;']],
    [
      'past nothing but one that comes',
      'a(1);\nb(1);',
      'b(1);\nc(1);\na(1);',
      ['1 moved: a(1); to 3 later past b(1);', '3 added: c(1);'],
    ],
    [
      'past what stays, before one that comes',
      'x(1);\na(1);\nb(1);',
      'a(1);\nc(1);\nx(1);\nb(1);',
      ['1 moved: x(1); to 3 later past a(1);', '3 added: c(1);'],
    ],
    [
      'beside one that goes',
      'a(1);\nz = 0;\nb(1);\nc(1);',
      'b(1);\na(1);\nc(1);',
      ['1 moved: a(1); to 4 later past z = 0; | b(1);', '2 removed: z = 0;'],
    ],
  ])('%s', (_, failed, right, edits) => expect(steps(failed, right)).toEqual(edits))
})

describe('blocks and marks', () => {
  test.each<[string, string, string, string[]]>([
    [
      'a block around what stays',
      'if (a) {\nb();\nc();\n}\nd();',
      'b();\nc();\nd();',
      ['1 unwrapped: if (a) { around b(); | c();'],
    ],
    ['a block that goes with what is in it', 'if (a) {\nb();\n}\nd();', 'd();', ['1 removed: if (a) { | b(); | }']],
    [
      'a head that becomes another',
      'if (a) {\nb();\n}\nd();',
      'z = 1;\nb();\nd();',
      ['1 replaced: if (a) { -> z = 1;', '3 removed: }'],
    ],
    ['a head that is none', 'z = 1;\nb();\n}\nd();', 'b();\nd();', ['1 removed: z = 1;', '3 removed: }']],
    [
      'a statement before the head goes too',
      'z = 1;\nif (a) {\nb();\n}\nd();',
      'b();\nd();',
      ['1 removed: z = 1;', '2 unwrapped: if (a) { around b();'],
    ],
    [
      'a brace that closes a block',
      'void F() {\nif (a) {\nb();\n}\nd();',
      'void F() {\nif (a) {\nb();\n}\n}\nd();',
      ["5 marks: missing '}' surplus '' behind '}' of 'void F() {'"],
    ],
    [
      'a brace that closes the inner block',
      'void F() {\nif (a) {\nb();\nd();\n}',
      'void F() {\nif (a) {\nb();\n}\nd();\n}',
      ["4 marks: missing '}' surplus '' behind 'b();' of 'if (a) {'"],
    ],
    ['a semicolon', 'a()\nb();', 'a();\nb();', ["1 marks: missing ';' surplus '' behind 'a()' of ''"]],
    ['a bracket', 'f(a, b;\nc();', 'f(a, b);\nc();', ["1 marks: missing ')' surplus '' behind 'f(a, b' of ''"]],
    ['a comma too many', 'f(a,, b);', 'f(a, b);', ["1 marks: missing '' surplus ',' behind 'f(a,' of ''"]],
    ['a mark for another', 'f(a; b);', 'f(a, b);', ["1 marks: missing ',' surplus ';' behind 'f(a' of ''"]],
    ['marks at the end', 'f(a', 'f(a);', ["1 marks: missing ') ;' surplus '' behind 'f(a' of ''"]],
    ['a mark in front', '(a);', 'a);', ["1 marks: missing '' surplus '(' behind '' of ''"]],
    [
      'the statement before is not of the place',
      'x = 1\ny = 2\nz = 3;',
      'x = 1;\ny = 2;\nz = 3;',
      ['1 replaced: x = 1 y = 2 z = 3; -> x = 1;', '1 added: y = 2; | z = 3;'],
    ],
    [
      'fourteen tokens of a long statement are shown',
      'f(a1, a2, a3, a4, a5, a6, a7, a8, a9;',
      'f(a1, a2, a3, a4, a5, a6, a7, a8, a9);',
      ["1 marks: missing ')' surplus '' behind ', a3, a4, a5, a6, a7, a8, a9' of ''"],
    ],
    [
      'the line is that of the token before',
      'f(a,\nb\n;\nc();',
      'f(a,\nb\n);\nc();',
      ["2 marks: missing ')' surplus '' behind 'f(a, b' of ''"],
    ],
    ['behind a short statement', 'a; f(b;', 'a; f(b);', ["1 marks: missing ')' surplus '' behind 'f(b' of ''"]],
    ['a word is no mark', 'f(a b);', 'f(a, c);', ['1 replaced: f(a b); -> f(a, c);']],
  ])('%s', (_, failed, right, edits) => expect(steps(failed, right)).toEqual(edits))
})

describe('files', () => {
  test('go in the order of the right ones; one that failed code lacks comes whole; one that stays has no step', () => {
    const failed = [
      {path: 'b.cpp', text: 'b(1);'},
      {path: 'same.cpp', text: 'c();'},
      {path: 'gone.cpp', text: 'd();'},
    ]
    const right = [
      {path: 'a.cpp', text: 'a();'},
      {path: 'b.cpp', text: 'b(2);'},
      {path: 'same.cpp', text: 'c();'},
    ]
    expect(editsBetween(failed, right).map((edit) => `${edit.path} ${shown(edit)}`)).toEqual([
      'a.cpp 1 added: a();',
      'b.cpp 1 replaced: b(1); -> b(2);',
    ])
  })
})
