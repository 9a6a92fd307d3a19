import {describe, expect, test} from 'vitest'
import {holdersGone} from '../../../../pipelines/code/specialise/holders.ts'
import {conditionsKnown, membersGone} from '../../../../pipelines/code/specialise/alone.ts'

const constants =
  'struct TilingDataDef {\n    static constexpr uint32_t mode = 0;\n    static constexpr bool tail = true;\n};\n'
const withClass = (body: string) => `class K {\n    void Init()\n    {\n${body}    }\n    uint32_t mode_;\n};\n`

describe('members that hold a tiling constant', () => {
  test('go, with the statement that sets them, wherever they are read', async () => {
    const text = withClass(
      '        this->mode_ = TilingDataDef::mode; // which\n        Use(mode_, this->mode_ + 1);\n',
    )
    expect(await membersGone(text)).toBe(withClass('        Use(TilingDataDef::mode, TilingDataDef::mode + 1);\n'))
  })

  test.each([
    ['set again', 'mode_ = TilingDataDef::mode; mode_ = 3;'],
    ['added to', 'mode_ = TilingDataDef::mode; mode_ += 1;'],
    ['added to once', 'mode_ += TilingDataDef::mode;'],
    ['counted', 'mode_ = TilingDataDef::mode; mode_++;'],
    ['handed out', 'mode_ = TilingDataDef::mode; Fill(&mode_);'],
    ['set in a branch', 'if (n > 0) { mode_ = TilingDataDef::mode; }'],
    ['computed', 'mode_ = TilingDataDef::mode * 2;'],
    ['hidden by a variable', 'mode_ = TilingDataDef::mode; { int mode_ = 3; Use(mode_); }'],
    ['of another object', 'mode_ = TilingDataDef::mode; other.mode_ = Count();'],
  ])('stay when they are %s', async (_, body) => {
    expect(await membersGone(withClass(body))).toBe(withClass(body))
  })
})

describe('conditions on tiling constants', () => {
  test.each([
    ['TilingDataDef::mode == NONE', '(true)'],
    ['TilingDataDef::mode != 0 && rest > 0', '(false)'],
    ['TilingDataDef::tail', '(true)'],
    ['!TilingDataDef::tail || rest > 0', '(!TilingDataDef::tail || rest > 0)'],
    ['TilingDataDef::mode == other', '(TilingDataDef::mode == other)'],
    ['TilingDataDef::list[0] == 0', '(TilingDataDef::list[0] == 0)'],
    ['GetBlockIdx() >= TilingDataDef::mode', '(GetBlockIdx() >= TilingDataDef::mode)'],
  ])('%s', async (condition, said) => {
    const text = `${constants}constexpr uint32_t NONE = 0;\nvoid F() {\n    if (${condition}) { Do(); }\n}\n`
    expect(await conditionsKnown(text)).toContain(`if ${said} { Do(); }`)
  })

  test('are not told by a name that something else has, too', async () => {
    const text = `${constants}constexpr uint32_t NONE = 0;\nvoid F(uint32_t NONE) { if (TilingDataDef::mode == NONE) { Do(); } }\n`
    expect(await conditionsKnown(text)).toBe(text)
  })
})

test('conditions on tiling constants are not told by a name that an inner structure has, too', async () => {
  const inner = '    struct Inner {\n        static constexpr int64_t NAME = 3;\n    };\n'
  for (const [name, asked] of [
    ['mode', 'TilingDataDef::mode == 3'],
    ['list', 'TilingDataDef::list[0] == 3'],
  ] as const) {
    const text = `${constants.replace('};', `${inner.replace('NAME', name)}};`)}void F() { if (${asked}) { Do(); } }\n`
    expect(await conditionsKnown(text)).toBe(text)
  }
})

test('a copy of the tiling in a member is asked for nothing, and no constant is set to itself', async () => {
  const text = [
    'void K::Parse(const TilingDataDef* from, TilingDataDef& own_)',
    '{',
    '    own_.mode = from->mode;',
    '}',
    'class K {',
    '    void F() { Use(this->own_.mode, own_.mode, other.own_.mode); }',
    '    TilingDataDef own_;',
    '};',
    '',
  ].join('\n')
  const left = await holdersGone(text)
  expect(left).not.toContain('= TilingDataDef::mode')
  expect(left).toContain('Use(TilingDataDef::mode, TilingDataDef::mode, other.own_.mode)')
})
