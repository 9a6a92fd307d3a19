import {diffLines} from 'diff'
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {allRewrites} from '../../../pipelines/preference/variants.ts'
import {golden} from '../../helpers/golden.ts'

const root = 'test/fixtures/mutations/odd'
const files = ['op_host/odd_tiling.h', 'op_host/odd.cpp', 'op_kernel/odd.cpp', 'op_kernel/odd_more.cpp'].map(
  (path) => ({
    path,
    text: readFileSync(`${root}/${path}`, 'utf8'),
  }),
)

const seeds = ['a', 'b', 'c', 'd', 'e', 'f']

/** The first changes of the first seed, a line each that goes or comes. */
function changes(written: readonly SourceFile[]): string[] {
  const all = files.flatMap(({text}, at) => diffLines(text, written[at]?.text ?? ''))
  const lines = all.flatMap(({added, removed, value}) => {
    if (!added && !removed) return []
    const sign = added ? '+' : '-'
    return value
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `  ${sign} ${line.trim().slice(0, 90)}`)
  })
  return lines.slice(0, 6)
}

/** Lines that go and that come. */
function linesChanged(written: readonly SourceFile[]): string {
  const all = files.flatMap(({text}, at) => diffLines(text, written[at]?.text ?? ''))
  const sum = (kind: 'added' | 'removed') => all.reduce((total, one) => total + (one[kind] ? one.count : 0), 0)
  return `-${sum('removed')}+${sum('added')}`
}

test('what rewrites make of an operator that is written in unusual ways, for some seeds', () => {
  const lines = allRewrites.flatMap(({name, apply}) => {
    const results = seeds.map((seed) => apply(files, randomFrom(seed)))
    const [first] = results
    const sizes = results.map((one) => (one ? linesChanged(one) : 'none'))
    return [`${name}: ${sizes.join(' ')}`, ...(first ? changes(first) : [])]
  })
  golden(`${root}/rewrites.txt`, `${lines.join('\n')}\n`)
  expect(lines.length).toBeGreaterThan(100)
})
