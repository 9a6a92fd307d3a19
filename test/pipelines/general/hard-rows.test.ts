import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import exportGate from '../../../datasets/gates/export-gate.ts'
import {parquetRows} from '../../../datasets/parquet/parquet-rows.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import {detectColumns} from '../../../sources/general/detect-columns.ts'
import generalRows from '../../../sources/general/general-rows.ts'
import generalLanguage from '../../../pipelines/general/general-language.ts'
import generalLength from '../../../pipelines/general/general-length.ts'
import {collect, recordingContext, sftRow, stream} from '../../datasets/rows.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const q = 'How many are there?'
const r = `${'We count what is there, one after the other, and then we look at it again. '.repeat(6)}So it is right.`
const a = 'There are twelve of them.'
const digits = '123456789012345678901234567890123456789012345678901234567890'

/** What becomes of a line of a data set: its texts as they lie in the exported file, or who refused it and why. */
async function sent(line: string): Promise<string[] | {stage: string; reason: string}> {
  const root = await temporaryFolder()
  writeFileSync(join(root, 'train.jsonl'), `${line}\n`)
  const columns = line.includes('"messages"')
    ? {messages: 'messages'}
    : detectColumns([{prompt: q, reasoning: r, answer: a}], 'x')
  const origin = {repository: 'a/b', revision: 'c', licence: 'MIT'}
  const files = [{path: 'train.jsonl', format: 'jsonl' as const, sha256: ''}]
  const refusal = (stage: string, dropped: readonly {reason: string}[]) => ({stage, reason: dropped[0]?.reason ?? ''})
  const read = await runStage(generalRows(), [{root, files, columns, origin}])
  if (read.outputs.length === 0) return refusal('general-rows', read.dropped)
  const told = await runStage(generalLanguage(), read.outputs)
  if (told.outputs.length === 0) return refusal('general-language', told.dropped)
  const fit = await runStage(generalLength(), told.outputs)
  if (fit.outputs.length === 0) return refusal('general-length', fit.dropped)
  const gated = await runStage(exportGate({config: 'sft'}), fit.outputs)
  if (gated.outputs.length === 0) return refusal('export-gate', gated.dropped)
  const write = parquet({config: 'sft', directory: root, codec: 'zstd'}).run(
    stream(gated.outputs.map((one) => sftRow(one))),
    recordingContext(),
  )
  const [file] = await collect(write)
  const [row = {}] = await collect(parquetRows(join(root, file?.path ?? ''), ['prompt', 'completion']))
  return [row['prompt'], row['completion']].map((turns) => (turns as {content: string}[])[0]?.content ?? '')
}

const row = (over: object) => JSON.stringify({prompt: q, reasoning: r, answer: a, ...over})
const bare = (answer: string) =>
  `{"prompt": ${JSON.stringify(q)}, "reasoning": ${JSON.stringify(r)}, "answer": ${answer}}`
const turns = (question: string, answer: string) =>
  JSON.stringify({
    messages: [
      {role: 'user', content: question},
      {role: 'assistant', content: answer},
    ],
  })

test.each<[string, string, {stage: string; reason: string} | string]>([
  ['a lone surrogate', row({answer: `${a} \ud83d`}), {stage: 'general-language', reason: 'half-a-character'}],
  ['a pair of surrogates', row({answer: `${a} 🚀`}), `${a} 🚀`],
  ['a number of sixty digits', bare(digits), {stage: 'general-rows', reason: 'number-not-exact'}],
  ['the same as text', row({answer: `It is ${digits}.`}), `It is ${digits}.`],
  ['NaN, which is a missing value', bare('NaN'), {stage: 'general-rows', reason: 'empty-answer'}],
  ['NaN as a word', row({answer: 'NaN'}), 'NaN'],
  ['null', row({answer: null}), {stage: 'general-rows', reason: 'empty-answer'}],
  ['null as a word', row({answer: 'null'}), 'null'],
  ['an empty message', turns(q, ''), {stage: 'general-rows', reason: 'empty-answer'}],
  ['an empty question', turns(' ', `<think>${r}</think>${a}`), {stage: 'general-rows', reason: 'empty-prompt'}],
  ['byte order marks alone', row({answer: '\ufeff \ufeff'}), {stage: 'general-rows', reason: 'empty-answer'}],
  ['marks without width alone', row({answer: '\u200b\u200b'}), {stage: 'export-gate', reason: 'empty-side'}],
  ['5 MB of words', row({reasoning: 'the word '.repeat(600_000)}), {stage: 'general-length', reason: 'too-long'}],
  ['5 MB of one letter', row({answer: 'a'.repeat(5_000_000)}), {stage: 'general-length', reason: 'too-long'}],
  ['a think tag inside code', row({answer: `${a} \`</think>\``}), {stage: 'export-gate', reason: 'template-mark'}],
  [
    'a think tag inside code of a message',
    turns(q, `<think>${r}</think>\n\n\`\`\`py\nprint('<think>')\n\`\`\``),
    {stage: 'export-gate', reason: 'template-mark'},
  ],
  ['a null character', row({answer: `${a}\u0000`}), {stage: 'general-language', reason: 'control-character'}],
  ['a separator of lines', row({answer: `One.\u2028Two.`}), 'One.\u2028Two.'],
])('%s', async (_, line, outcome) => {
  const found = await sent(line)
  expect(found).toEqual(typeof outcome === 'string' ? [q, `<think>\n${r}\n</think>\n\n${outcome}`] : outcome)
})
