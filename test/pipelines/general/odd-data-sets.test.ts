import {symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {PipelineError} from '../../../engine/errors.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {generalFiles} from '../../../pipelines/workspace/general-files.ts'
import generalRows from '../../../sources/general/general-rows.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {a, further, q, r, tried, type OddDataSet} from './odd-data-sets.ts'

/** What a run makes of a folder: its rows, what it drops, and what it says on the way or at its end. */
async function outcomeOf(root: string, options: object = {}) {
  const config = Config.parse({sources: {general: [{root, licence: 'MIT', ...options}]}})
  const said: string[] = []
  const note = (text: string) => void said.push(text)
  try {
    const files = await generalFiles({config, hub: () => Promise.reject(new Error('offline')), say: note})
    const {outputs, dropped} = await runStage(generalRows(), files, {warn: note})
    return {rows: outputs, dropped: dropped.map(({reason}) => reason), said: said.join('\n')}
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    return {rows: [], dropped: [], said: `${error.message}\n${error.fix}`}
  }
}

async function folderOf({files}: OddDataSet): Promise<string> {
  const root = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content)
  return root
}

describe('data sets as they are found', () => {
  test.each([...tried, ...further].map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const {rows, dropped, said} = await outcomeOf(await folderOf(one), one.options)
    const {says = /^$/, prompt = q} = one
    expect([rows.length, dropped]).toEqual([one.rows ?? 1, one.dropped ?? []])
    expect(said).toMatch(says)
    if (rows.length === 0) return
    const {reasoning, answer} = rows[0] ?? {}
    expect(rows[0]?.prompt).toBe(prompt)
    if (prompt.includes(q)) expect([reasoning, answer]).toEqual([r, a])
  })
})

// Links: github.com/huggingface/datasets/issues/6764, and the Hub's cache, whose snapshots are links.
test('a file is as good as its folder, and files that are links are read', async () => {
  const [one] = further
  const root = await folderOf(one as OddDataSet)
  expect((await outcomeOf(join(root, 'a.jsonl'))).rows).toHaveLength(1)
  const links = await temporaryFolder()
  symlinkSync(join(root, 'a.jsonl'), join(links, 'train.jsonl'))
  expect((await outcomeOf(links)).rows).toHaveLength(1)
})

test('a system turn is kept or left out as it is wished', async () => {
  const system = {role: 'system', content: 'Be brief.'}
  const asked = {role: 'user', content: q}
  const answered = {role: 'assistant', content: a, reasoning_content: r}
  const root = await temporaryFolder()
  const prompts: string[] = []
  for (const row of [{prompt: [system, asked], completion: [answered]}, {messages: [system, asked, answered]}]) {
    writeFileSync(join(root, 'a.jsonl'), `${JSON.stringify(row)}\n`)
    for (const options of [{}, {system: 'keep'}, {system: 'leave-out'}])
      prompts.push((await outcomeOf(root, options)).rows[0]?.prompt ?? '')
  }
  const both = `Be brief.\n\n${q}`
  expect(prompts).toEqual([both, both, q, q, both, q])
})
