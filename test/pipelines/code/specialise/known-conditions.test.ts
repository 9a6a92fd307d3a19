import {expect, test} from 'vitest'
import {conditionsKnown} from '../../../../pipelines/code/specialise/alone.ts'

const constants = `struct TilingDataDef {
    static constexpr int64_t rows = 4;
    static constexpr uint64_t wide = 8ULL;
    static constexpr bool keep = true;
    static constexpr float scale = 0.5f;
    static constexpr int64_t twice = 1;
    struct Inner {
        static constexpr int64_t twice = 2;
    };
};
`

test.each([
  ['TilingDataDef::rows == 4', '(true)'],
  ['TilingDataDef::rows > 4', '(false)'],
  ['TilingDataDef::wide == 8', '(true)'],
  ['TilingDataDef::keep', '(true)'],
  ['!TilingDataDef::keep || TilingDataDef::rows < 2', '(false)'],
  ['TilingDataDef::rows == LIMIT', '(true)'],
  ['TilingDataDef::rows == other', undefined],
  ['TilingDataDef::scale == 1', undefined],
  ['TilingDataDef::twice == 1', undefined],
  ['TilingDataDef::rows == SHADOWED', undefined],
  ['TilingDataDef::rows == SETAGAIN', undefined],
  ['LIMIT == 4', undefined],
])('a condition of %s', async (condition, settled) => {
  const text = `${constants}constexpr int LIMIT = 4;\nconstexpr int SHADOWED = 4;\nconstexpr int SETAGAIN = 4;
void G(int SHADOWED, int b) { SETAGAIN = 5; }
void F() { if (${condition}) { a(); } while (${condition}) { b(); } }\n`
  const expected = settled === undefined ? text : text.replace(`if (${condition})`, `if ${settled}`)
  expect(await conditionsKnown(text)).toBe(expected)
})
