import {readdirSync, readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {loadPrompt, usePromptsOf} from '../../../engine/prompt.ts'
import {teacherPrompts, useOwnPrompts} from '../../../pipelines/workspace/own-prompts.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const ours = pathToFileURL('pipelines/code/reply-again.md')
let folder = ''

beforeEach(async () => {
  folder = await temporaryFolder()
})
// Another test must not meet this folder.
afterEach(() => usePromptsOf('/nowhere'))

const written = async (text: string, name = 'reply-again.md') => {
  await writeFile(join(folder, name), text)
  await useOwnPrompts(folder)
}

test('prompts of teachers are files beside the stages, each name once', () => {
  const files = readdirSync('pipelines', {recursive: true, encoding: 'utf8'}).map(
    (path) => path.split('/').at(-1) ?? '',
  )
  for (const name of teacherPrompts)
    expect(
      files.filter((one) => one === name),
      name,
    ).toHaveLength(1)
})

test('a file of the folder stands in the place of ours, others stay', async () => {
  await written('Again, please: {{finding}}\r\n')
  expect(loadPrompt(ours)).toBe('Again, please: {{finding}}\n')
  const other = 'pipelines/code/project/project-cot.md'
  expect(loadPrompt(pathToFileURL(other))).toBe(readFileSync(other, 'utf8'))
})

test.each([
  ['Again.', /reply-again\.md has the placeholders \(none\), not \{\{finding\}\}/],
  ['{{finding}} {{mood}}', /\{\{finding\}\} \{\{mood\}\}, not \{\{finding\}\}/],
])('one with other placeholders is refused: %s', async (text, message) => {
  await written(text)
  expect(() => loadPrompt(ours)).toThrow(message)
})

test('so is a name that none of ours has, and a folder that does not exist', async () => {
  await expect(written('x', 'kernel-reasoning.md')).rejects.toThrow('No built-in prompt is named kernel-reasoning.md')
  await expect(useOwnPrompts(join(folder, 'lost'))).rejects.toThrow(/cannot be read/)
  await expect(written('x', 'notes.txt')).rejects.toThrow(/kernel-reasoning/)
})
