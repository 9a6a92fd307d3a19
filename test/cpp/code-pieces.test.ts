import {expect, test} from 'vitest'
import {behindOpening} from '../../cpp/code-pieces.ts'

test.each([
  ['/* licence\n * of all */\n// more\n\n#include "a.h"\n/* kept */ int b;\n', '#include "a.h"\n/* kept */ int b;\n'],
  ['int a; // kept\n', 'int a; // kept\n'],
  ['"// no comment"', '"// no comment"'],
  ['// nothing else\n', ''],
  ['', ''],
])('a text begins with its first code: %j', (text, code) => {
  expect(behindOpening(text)).toBe(code)
})
