import {join} from 'node:path'
import {expect, test} from 'vitest'
import {lostIn, qwen3, type ChatFormat} from '../../../datasets/tokens/chat-format.ts'
import {readChatFormat} from '../../../datasets/tokens/read-chat-format.ts'
import exportGate from '../../../datasets/gates/export-gate.ts'
import {completion} from '../../../datasets/tokens/chat-turns.ts'
import {writeWhole} from '../../../engine/files.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const standIn = 'test/fixtures/tokenizer'
const formats: Promise<ChatFormat>[] = [Promise.resolve(qwen3), readChatFormat(standIn)]

test.each([
  ['reasoning and answer', 'because', 'so'],
  ['no reasoning', '', 'so'],
  ['line breaks and indents', 'because\n\n  of\n', '```cpp\n  int a;\n```\n'],
  ['other tags', 'a <b> of std::vector<int>', 'auto x = "<thinking>";'],
])('%s come back from the template', async (_, reasoning, answer) => {
  for (const format of await Promise.all(formats))
    expect(lostIn(format, 'why?', completion(reasoning, answer), {reasoning, answer})).toBeUndefined()
})

test.each([
  ['an end tag in the answer', 'because', 'auto end = "</think>"; return end;', 'answer'],
  ['an opening tag in the reasoning', 'the tag <think> opens it', 'so', 'reasoning'],
  ['an end tag alone', '', 'because</think>\n\nso', 'reasoning'],
])('%s is told as a loss', async (_, reasoning, answer, lost) => {
  for (const format of await Promise.all(formats))
    expect(lostIn(format, 'why?', completion(reasoning, answer), {reasoning, answer})).toBe(lost)
})

test('a question that looks like the response of a tool costs the reasoning', () => {
  const parts = {reasoning: 'because', answer: 'so'}
  expect(lostIn(qwen3, '<tool_response>3</tool_response>', completion('because', 'so'), parts)).toBe('reasoning')
})

test('an empty think block stands where there is no reasoning', () => {
  expect(qwen3.render('why?', 'so')).toBe(
    '<|im_start|>user\nwhy?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\nso<|im_end|>\n',
  )
})

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeWhole(join(folder, name), text)
  return folder
}

const tokenizerText = JSON.stringify({
  version: '1.0',
  added_tokens: [{id: 3, content: '<|end|>', special: true}],
  normalizer: null,
  pre_tokenizer: {type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true},
  post_processor: null,
  decoder: {type: 'ByteLevel'},
  model: {type: 'BPE', vocab: {a: 0, b: 1, ab: 2}, merges: [['a', 'b']]},
})

test('a template that drops the reasoning, as for history, is told', async () => {
  const template =
    '{% for m in messages %}{{ m.role }}: {{ m.content.split("</think>")[-1] }}<|end|>{% endfor %}{{ "assistant: " if add_generation_prompt }}'
  const named = [
    {name: 'tool_use', template: '{{ nothing }}'},
    {name: 'default', template},
  ]
  const config = JSON.stringify({chat_template: named, eos_token: {content: '<|end|>'}})
  const format = await readChatFormat(
    await folderWith({'tokenizer.json': tokenizerText, 'tokenizer_config.json': config}),
  )
  const parts = {reasoning: 'because', answer: 'so'}
  expect(lostIn(format, 'why?', completion('because', 'so'), parts)).toBe('reasoning')
  expect(lostIn(format, 'why?', 'so', {reasoning: '', answer: 'so'})).toBeUndefined()
  expect([format.dropsReasoning, (await readChatFormat(standIn)).dropsReasoning]).toEqual([true, false])
  const said: string[] = []
  const sample = {
    kind: 'general' as const,
    prompt: 'why?',
    ...parts,
    files: [],
    language: 'en' as const,
    origin: {repository: 'a/b', revision: 'c', path: 'x', licence: 'MIT'},
    teacher: {kind: 'offline' as const},
    stages: {x: 1},
  }
  const {dropped} = await runStage(exportGate({config: 'sft', format}), [sample, sample], {
    warn: (text) => void said.push(text),
  })
  expect(dropped.map(({reason}) => reason)).toEqual(['template-loses-text', 'template-loses-text'])
  expect(said).toEqual([expect.stringMatching(/drops the reasoning.*rows with reasoning are refused/)])
})

const loop = (body: string) => `{% for m in messages %}${body}{% endfor %}`
const turns = '[{{ m.role }}] {{ m.content }} '

test.each<[string, Record<string, string>]>([
  ['a template null, as without one', {'tokenizer_config.json': '{"chat_template": null, "bos_token": null}'}],
  ['a byte-order mark', {'tokenizer_config.json': `\uFEFF${JSON.stringify({chat_template: loop(turns)})}`}],
  ['chat_template.json', {'chat_template.json': JSON.stringify({chat_template: loop(turns)})}],
  ['a default among the additional', {'additional_chat_templates/default.jinja': loop(turns)}],
  ['templates by name', {'tokenizer_config.json': JSON.stringify({chat_template: {default: loop(turns), rag: 'x'}})}],
  [
    'content in parts',
    {'chat_template.jinja': loop('[{{ m.role }}] {% for p in m.content %}{{ p.text }} {% endfor %}')},
  ],
  ['the file of its own first', {'chat_template.jinja': loop(turns), 'chat_template.json': '{"chat_template": "x"}'}],
])('a folder with %s is read', async (name, files) => {
  const format = await readChatFormat(await folderWith({'tokenizer.json': tokenizerText, ...files}))
  const own = '[user] why? [assistant] so '
  expect(format.render('why?', 'so')).toBe(name.includes('null') ? qwen3.render('why?', 'so') : own)
})

test('tokens are those of the tokenizer file, template included', async () => {
  const format = await readChatFormat(standIn)
  expect(format.reserved).toContain('<|fim_prefix|>')
  expect(format.reserved).not.toContain('<think>')
  // Counted once with the Python package tokenizers 0.23.3 over the same rendered text.
  expect(format.tokens('Write Add.', '<think>\nOne tile.\n</think>\n\nDataCopy(xLocal, xGm, 32);')).toBe(44)
  expect((await readChatFormat(join(standIn, 'tokenizer.json'))).fingerprint).toBe(format.fingerprint)
})

test('a run of 300,000 letters is counted without stalling', {timeout: 8000}, async () => {
  expect((await readChatFormat(standIn)).tokens('q', 'x'.repeat(300_000))).toBeGreaterThan(100_000)
})

test.each([
  [{}, 'tokenizer.json cannot be used: it does not exist'],
  [
    {'tokenizer.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\n'},
    'cannot be used: it is a Git LFS pointer',
  ],
  [{'tokenizer.json': tokenizerText, 'chat_template.jinja': ''}, 'it renders neither a question nor its reply'],
  [{'tokenizer.json': tokenizerText, 'chat_template.jinja': loop('{% continue %}')}, 'it renders neither a question'],
  [{'tokenizer.json': tokenizerText, 'chat_template.jinja': loop('{{ m.role }}')}, 'it does not render the question'],
  [
    {'tokenizer.json': tokenizerText, 'chat_template.jinja': '{{ messages[0].content }}'},
    'it does not render the reply',
  ],
  [
    {
      'tokenizer.json': tokenizerText,
      'chat_template.jinja': `{# {% raw %} #}\n${loop('{{ m.content }}')}\n{% raw %}x{% endraw %}`,
    },
    'Unknown statement type: raw (line 3, {% raw %})',
  ],
  [
    {
      'tokenizer.json': tokenizerText,
      'chat_template.jinja': `\n{% if messages[0].role != "system" %}\n{{ raise_exception("Say a system message") }}\n{% endif %}`,
    },
    'Say a system message (line 3, {{ raise_exception("Say a system message") }})',
  ],
  [
    {'tokenizer.json': tokenizerText, 'additional_chat_templates/rag.jinja': loop('{{ m.content }}')},
    'its chat templates are named rag, and none is the default',
  ],
  [{'tokenizer.json': '{"a": 1}'}, 'tokenizer.json cannot be used'],
  [{'tokenizer.json': tokenizerText, 'chat_template.jinja': '{% if %}'}, 'the chat template in'],
  [{'tokenizer.json': tokenizerText, 'tokenizer_config.json': '[]'}, 'tokenizer_config.json cannot be used'],
])('files that are no model are refused: %j', async (files: Record<string, string>, words) => {
  const problem = await readChatFormat(await folderWith(files)).catch((error: unknown) => error)
  expect(problem).toMatchObject({code: 'config-invalid', scope: 'run'})
  expect((problem as Error).message).toContain(words)
})
