import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readCheckpoint} from '../../../trainers/serving/checkpoint.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'checkpoint-7')
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const config = {'config.json': '{}'}

test('a whole model is its own folder', async () => {
  const folder = await folderOf(config)
  expect(await readCheckpoint(folder)).toEqual({model: folder, adapter: null, thinking: true})
})

test('an adapter names the model that it belongs to', async () => {
  const folder = await folderOf({'adapter_config.json': '{"base_model_name_or_path": "Qwen/Qwen3-8B"}'})
  expect(await readCheckpoint(folder)).toEqual({model: 'Qwen/Qwen3-8B', adapter: folder, thinking: true})
})

test('a name on the Hub is taken as it is', async () => {
  expect(await readCheckpoint('Qwen/Qwen3-8B')).toEqual({model: 'Qwen/Qwen3-8B', adapter: null, thinking: true})
})

describe('think blocks are what the template says', () => {
  const template = (text: string) => ({'tokenizer_config.json': JSON.stringify({chat_template: text})})
  test.each([
    ['a template file with them', {'chat_template.jinja': '{% if true %}<think>{% endif %}'}, true],
    ['a template file without', {'chat_template.jinja': '{% for m in messages %}{% endfor %}'}, false],
    ['a template in the tokenizer with them', template('<think>'), true],
    ['a template in the tokenizer without', template('{{ messages }}'), false],
    ['a tokenizer that has no template', {'tokenizer_config.json': '{"added": "<think>"}'}, true],
  ])('%s', async (_, files, thinking) => {
    expect(await readCheckpoint(await folderOf({...config, ...files}))).toMatchObject({thinking})
  })
})

describe('what holds no model is refused', () => {
  test('an empty folder, and a path that is not there', async () => {
    const folder = await folderOf({})
    await expect(readCheckpoint(folder)).rejects.toMatchObject({code: 'input-missing'})
    await expect(readCheckpoint('/no/such/folder')).rejects.toMatchObject({code: 'input-missing'})
  })

  test.each(['{}', 'no JSON', '{"base_model_name_or_path": ""}'])('an adapter without a base: %s', async (text) => {
    const folder = await folderOf({'adapter_config.json': text})
    await expect(readCheckpoint(folder)).rejects.toMatchObject({code: 'input-invalid'})
  })
})

test.each(['Qwen', 'a/b/c', '/nowhere/model', 'a b/c'])(
  '%s is neither a folder nor a name on the Hub',
  async (name) => {
    await expect(readCheckpoint(name)).rejects.toMatchObject({
      code: 'input-missing',
      message: `${name} is not a model: it has no config.json or adapter_config.json.`,
    })
  },
)

test('a folder without a model is none, though it is called like one', async () => {
  await expect(readCheckpoint('test/trainers')).rejects.toMatchObject({code: 'input-missing'})
})
