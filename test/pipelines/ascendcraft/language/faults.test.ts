import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'

/**
 * A fixture is a faulty program and the nearest legal one as one text: lines with `-` stand in the faulty one only,
 * those with `+` in the legal one only. Above them: the rule, the line and words of the message.
 */
const folder = 'test/fixtures/language/faults'
const names = readdirSync(folder).map((file) => file.replace('.diff', ''))

function programOf(lines: readonly string[], sign: '-' | '+'): string {
  return `${lines
    .filter((line) => line[0] === ' ' || line[0] === sign)
    .map((line) => line.slice(1))
    .join('\n')}\n`
}

describe('faulty programs', () => {
  test('there are forty and more', () => expect(names.length).toBeGreaterThanOrEqual(40))

  test.each(names)('%s', (name) => {
    const text = readFileSync(join(folder, `${name}.diff`), 'utf8')
    const [rule, line, words, ...lines] = text.trimEnd().split('\n')
    const legal = readProgram(programOf(lines, '+'))
    expect(legal.ok ? [] : legal.faults).toEqual([])
    const faulty = readProgram(programOf(lines, '-'))
    const found = faulty.ok ? [] : faulty.faults
    expect(found[0] && {rule: `rule: ${found[0].rule}`, line: `line: ${found[0].line}`}).toEqual({rule, line})
    expect(found[0]?.message).toContain(words!.replace('words: ', ''))
    expect(found[0]?.mend).toMatch(/^\S.{10,}[^.]$/)
  })
})
