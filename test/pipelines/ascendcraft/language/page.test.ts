import {countTokens} from 'gpt-tokenizer'
import {expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import {languagePage} from '../../../../pipelines/ascendcraft/language/language-page.ts'
import {primitives} from '../../../../pipelines/ascendcraft/language/primitives.ts'

const page = languagePage()

test('the page fits into a prompt', () => {
  expect(countTokens(page)).toBeLessThanOrEqual(6000)
})

test('the page names every operation once, and no placeholder is left', () => {
  expect(page).not.toContain('{{')
  for (const name of Object.keys(primitives)) expect(page.split(`| \`tl.${name}(`).length).toBe(2)
})

test('the table says what scratch memory, overlaps and selections ask for', () => {
  expect(page).toMatch(/tl\.erf\(.*n is 3 for f32, 8 for f16; dst is not src/)
  expect(page).toMatch(/tl\.select\(.*8192 bytes/)
  expect(page).toContain('i64 to f32 i32*')
})

test('the program of the page is legal', () => {
  const [, program] = /```python\n([\s\S]*?)```/.exec(page)!
  const outcome = readProgram(program!)
  expect(outcome.ok ? [] : outcome.faults).toEqual([])
})
