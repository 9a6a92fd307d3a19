import {expect, test} from 'vitest'
import {proseFault} from '../../datasets/gates/row-words.ts'
import {operatorPaths, operatorRequest, requestFor} from '../../datasets/operator-request.ts'
import benchmark from '../../eval/bench/npukernelbench/benchmark.ts'
import {fixtureTask} from '../pipelines/preference/records.ts'

const task = await fixtureTask()
const banners = (text: string) => text.match(/^={18} .* ={18}$/gm)

test.each([
  ['en', 'Scales and shifts.'],
  ['zh', '缩放并平移。'],
] as const)('a task is asked for in the language of its description: %s', (language, description) => {
  const prompt = requestFor({...task, description})
  expect(proseFault(prompt, language)).toBeUndefined()
  expect(prompt).toContain(description)
  expect(banners(prompt)).toEqual(operatorPaths(task).map((path) => `${'='.repeat(18)} ${path} ${'='.repeat(18)}`))
})

test.each(Object.entries(benchmark.modes))('both languages of %s ask for the same', (_, {prompt, chinese = ''}) => {
  const kept = (text: string) => [
    new Set(text.match(/\{\{\w+\}\}/g)),
    banners(text),
    text.match(/^\d\. /gm),
    text.match(/^```.*$/gm),
    new Set(text.match(/`[^`\n]+`/g)),
    text.match(/\b(?:24|48|32|256|196608)\b/g)?.sort(),
  ]
  expect(kept(chinese)).toEqual(kept(prompt))
  expect(proseFault(chinese, 'zh')).toBeUndefined()
})

test('whole operators of every benchmark are asked for in English', () => {
  expect(proseFault(operatorRequest.en, 'en')).toBeUndefined()
})
