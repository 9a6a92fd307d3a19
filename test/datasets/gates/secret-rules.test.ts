import {performance} from 'node:perf_hooks'
import {expect, test} from 'vitest'
import {presetFindings} from '../../../datasets/gates/secrets.ts'

// Made up here, in pieces: what looks like a credential stands in no file.
const mixed = (length: number) => 'a1B2c3D4e5F6g7H8j9K0m1N2p3Q4r5S6t7U8v9W0x1Y2z3'.repeat(4).slice(0, length)
const sendGrid = `SG.${mixed(22)}.${mixed(43)}`
const linear = `lin_api_${mixed(40)}`

test('findings come in the order of the text, with the place and the name of the rule', async () => {
  const text = `one ${linear} two ${sendGrid}`
  const findings = await presetFindings(text)
  expect(findings.map(({rule, message, range}) => [rule, message, text.slice(...range)])).toEqual([
    ['linear', 'LINEAR_API_TOKEN', linear],
    ['sendgrid', 'SENDGRID_KEY', sendGrid],
  ])
})

test('texts read at once do not mix', async () => {
  const all = await Promise.all([presetFindings(sendGrid), presetFindings('nothing'), presetFindings(linear)])
  expect(all.map((findings) => findings.map(({rule}) => rule))).toEqual([['sendgrid'], [], ['linear']])
})

test('a thousand texts leave nothing behind in the process', async () => {
  const before = performance.getEntries().length
  for (let count = 0; count < 1000; count += 1) await presetFindings('int x = 1;')
  expect(performance.getEntries().length).toBe(before)
})

test('a text cannot ask not to be searched', async () => {
  const text = `// secretlint-disable\n${linear}\n// secretlint-enable`
  expect((await presetFindings(text)).map(({rule}) => rule)).toEqual(['linear'])
})
