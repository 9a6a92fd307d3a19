import {expect, test} from 'vitest'
import {extractFiles, formatFiles} from '../../datasets/operator-reply.ts'
import {proseFault} from '../../datasets/gates/row-words.ts'
import {operatorPaths, operatorRequest, requestedPaths, requestFor} from '../../datasets/operator-request.ts'
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

test.each(['Scales and shifts.', '缩放并平移。'])(
  'headers of the answer are asked for with the rest: %s',
  (description) => {
    const header = {path: 'op_kernel/steps.h', text: '#pragma once\n'}
    const asked = {...task, description, answer: [...task.answer, header]}
    expect(requestedPaths(asked)).toEqual([...operatorPaths(task), header.path])
    expect(banners(requestFor(asked))).toEqual(
      banners(formatFiles(requestedPaths(asked).map((path) => ({...header, path})))),
    )
    const reply = extractFiles(formatFiles(asked.answer), requestedPaths(asked))
    expect(reply.ok && reply.files.length).toBe(4)
  },
)
