import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {golden} from '../../../helpers/golden.ts'

// The kernels of the library as they are written in Ascend C: they were compiled, run and read, and stay.
const root = 'pipelines/ascendcraft/library/solutions'

describe.each(readdirSync(root).sort())('%s', (category) => {
  test('every program is lowered to the text that was proven', () => {
    const names = readdirSync(`${root}/${category}`).filter((name) => /^\w+\.py$/.test(name))
    const texts = names.sort().map((name) => {
      const read = readProgram(readFileSync(`${root}/${category}/${name}`, 'utf8'), {})
      if (!read.ok) return `# ${name}\n\n${read.faults.map(({line, message}) => `${line}: ${message}`).join('\n')}\n`
      const {files} = lower(read.checked, {operator: 'Solution'})
      return `# ${name}\n\n${files.map(({path, text}) => `===== ${path}\n${text}`).join('\n')}`
    })
    expect(texts.length).toBeGreaterThan(1)
    golden(`test/fixtures/told/lowered-${category}.txt`, texts.join('\n'))
  })
})
