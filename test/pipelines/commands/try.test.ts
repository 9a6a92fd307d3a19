import {existsSync, readdirSync} from 'node:fs'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {tryStage} from '../../../pipelines/commands/try.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {chatServer, profileFor} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

/** A stage that takes numbers, drops odd ones, and yields what its options say of the others. */
const stageText = `
const number = {
  safeParse: (value) =>
    typeof value.n === 'number'
      ? {success: true, data: {n: value.n}}
      : {success: false, error: {issues: [{path: ['n', 0], message: 'no number'}, {path: ['m'], message: 'missing'}]}},
}
export default (options) => {
  const {broken, wrong} = options
  if (options.refused) throw new Error('not so')
  if (options.unnamed) return unnamedThing
  return {
    name: 'halves',
    version: 3,
    input: options.schemaless ? undefined : number,
    output: number,
    async *run(items, context) {
      for await (const item of items) {
        if (broken) null.x
        if (item.n % 2 === 1) context.drop(item, 'odd', item.n === 1 ? undefined : 'it is ' + item.n)
        else yield wrong ? {n: 'x'} : {n: item.n / 2, seed: context.seed, ...context.stages, llm: context.llm}
      }
    },
  }
}
`

async function folder(records = '{"n": 4, "more": 1}\n\n{"n": 1}\n{"n": 3}\n', stage = stageText) {
  const directory = await temporaryFolder()
  const [file, input] = [join(directory, 'stage.mjs'), join(directory, 'in.jsonl')]
  await writeFile(file, stage)
  await writeFile(input, records)
  return {directory, file, input}
}

const exported = (text: string) => `export default ${text}`

const config = Config.parse({out: 'runs', cache: 'cache', seed: '7'})

async function tried(
  given: {file: string; input: string},
  more: {options?: string; record?: string; json?: boolean} = {},
) {
  const world = recordedWorld()
  const request = {...given, options: '{}', record: undefined, json: false, ...more}
  const code = await tryStage(request, config, world)
  return {code, printed: world.printed, said: world.said}
}

const refusal = async (given: {file: string; input: string}, options = '{}') =>
  tried(given, {options}).then(
    () => undefined,
    ({code, message, fix}: {code: string; message: string; fix: string}) => ({code, message, fix}),
  )

describe('a stage that is tried', () => {
  test('shows what went in, what came out, and what was dropped', async () => {
    const given = await folder()
    const {code, printed, said} = await tried(given)
    const out = {n: 2, seed: '7', halves: 3}
    expect(code).toBe(0)
    expect(printed).toEqual([
      `── in\n${JSON.stringify({n: 4, more: 1}, null, 2)}`,
      `── out\n${JSON.stringify(out, null, 2)}`,
      `── in\n${JSON.stringify({n: 1}, null, 2)}`,
      `── in\n${JSON.stringify({n: 3}, null, 2)}`,
      '── dropped: odd ',
      '── dropped: odd it is 3',
    ])
    expect(said).toEqual([])
    expect((await tried(given, {json: true})).printed).toEqual([JSON.stringify(out)])
    const inspected = await folder('{"id": "ab", "way": [], "record": {"n": 4}}')
    expect((await tried(inspected, {json: true})).printed).toEqual([JSON.stringify(out)])
  })

  test('asks its teacher, and shows what was said', async () => {
    const given = await folder(
      undefined,
      stageText
        .replace('const number', "const messages = [{role: 'user', content: 'Well?'}]\nconst number")
        .replace("name: 'halves'", "teacher: 'one', name: 'halves'")
        .replace("name: 'halves'", "options: {asks: options.asks}, name: 'halves'")
        .replace(
          'yield wrong',
          'yield options.asks ? {n: 1, said: (await context.llm.complete({messages})).text} : wrong',
        ),
    )
    const server = await chatServer()
    const asking = {...config, teachers: {one: profileFor(server.url)}, cache: join(given.directory, 'cache')}
    const world = recordedWorld()
    const record = join(given.directory, 'kept')
    const request = {...given, options: '{"asks": true}', record, json: false}
    expect(await tryStage(request, asking, world)).toBe(0)
    const [reply] = (await readFile(join(record, 'replies.jsonl'), 'utf8')).trimEnd().split('\n')
    const {text} = JSON.parse(reply ?? '') as {text: string}
    expect(text).not.toBe('')
    expect(world.printed[1]).toBe(
      `── asked\nWell?\n── reply\n${text}\n── out\n${JSON.stringify({n: 1, said: text}, null, 2)}`,
    )
  })

  test('can be kept as a fixture', async () => {
    const given = await folder()
    const record = join(given.directory, 'kept')
    await tried(given, {record, json: true, options: '{"wrong": 0}'})
    const text = (name: string) => readFile(join(record, name), 'utf8')
    expect(readdirSync(record).sort()).toEqual(['dropped.jsonl', 'in.jsonl', 'out.jsonl', 'stage.json'])
    expect(await text('in.jsonl')).toBe('{"n":4,"more":1}\n{"n":1}\n{"n":3}\n')
    expect(await text('out.jsonl')).toBe('{"n":2}\n')
    expect(await text('dropped.jsonl')).toBe('{"reason":"odd","detail":""}\n{"reason":"odd","detail":"it is 3"}\n')
    expect(await text('stage.json')).toBe(`${JSON.stringify({file: given.file, options: {wrong: 0}}, null, 2)}\n`)
    expect(existsSync(join(given.directory, 'undefined'))).toBe(false)
  })
})

describe('what cannot be tried', () => {
  test('is said of the options', async () => {
    const given = await folder()
    expect(await refusal(given, '{a: 1}')).toEqual({
      code: 'config-invalid',
      message: '--options is not JSON: {a: 1}',
      fix: 'Quote it for the shell, e.g. --options \'{"minCharacters": 100}\'.',
    })
    expect(await refusal(given, '{"refused":true}')).toEqual({
      code: 'config-invalid',
      message: `${given.file} could not make a stage from the options {"refused":true}: not so`,
      fix: 'Pass the options that its function expects with --options.',
    })
    expect(await refusal(given, '{"schemaless":true}')).toEqual({
      code: 'config-invalid',
      message: `${given.file} needs options before it can declare which records it accepts.`,
      fix: 'Give them with --options, e.g. --options \'{"config": "sft"}\'.',
    })
  })

  test('is said of options that the stage does not have', async () => {
    const known = 'broken, wrong, refused, unnamed, schemaless'
    expect(await refusal(await folder('{"n": 4}'), '{"wrong": 0, "Wrnog": 1}')).toEqual({
      code: 'config-invalid',
      message: 'halves has no option Wrnog.',
      fix: `Did you mean wrong? Its options are ${known}.`,
    })
    expect(await refusal(await folder('{"n": 4}'), '{"minCharacters": 1}')).toMatchObject({
      fix: `Its options are ${known}. If its \`run\` reads minCharacters, add that to the stage's \`options\`.`,
    })
    const made = "{name: 'own', version: 1, input: number, output: number, async *run() {}}"
    const own = (text: string) => folder('{"n": 4}', stageText.replace(/export default[^]*$/, exported(text)))
    expect(await refusal(await own(`() => (${made})`), '{"a": 1}')).toMatchObject({
      fix: "It takes none. If its `run` reads a, add that to the stage's `options`.",
    })
    for (const taken of [
      `(options) => ({...${made}, options: {a: 2}})`,
      `({b, ...options}) => (${made})`,
      `(options) => ({...${made}, options})`,
    ])
      expect(await refusal(await own(taken), '{"a": 1}'), taken).toBeUndefined()
    for (const text of ['3', 'null', '[1]'])
      expect(await refusal(await folder(), text)).toMatchObject({message: `--options is not an object: ${text}`})
  })

  test('is said of the file', async () => {
    const given = await folder('{"n": 4}')
    const file = join(given.directory, 'none.mjs')
    expect(await refusal({...given, file})).toEqual({
      code: 'input-missing',
      message: `There is no stage file ${file}.`,
      fix: 'Give the path of a file that default-exports a function that returns a Stage.',
    })
    const recipes = ['async ({finished}) => finished()', 'async () => 1']
    for (const text of ['1', '() => null', '() => ({run: 1, input: 1})', ...recipes].map(exported)) {
      const other = await folder('{"n": 4}', text)
      const message = `${other.file} does not default-export a function that returns a Stage.`
      const fix = `If it is a recipe, run \`ascend-cot run ${other.file}\`. For stages, see docs/guides/own-stages.md.`
      expect(await refusal(other)).toEqual({code: 'input-invalid', message, fix})
    }
    expect(await refusal(given, '{"unnamed":true}')).toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/ threw: ReferenceError: unnamedThing is not defined$/) as string,
    })
    expect(await refusal(given, '{"broken":true}')).toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/stage\.mjs line \d+ threw: TypeError: /) as string,
    })
  })

  test('is said of the records', async () => {
    const lines = 'Put one JSON record on each line.'
    const given = await folder('')
    expect(await refusal({...given, input: '/no/such/file'})).toEqual({
      code: 'input-missing',
      message: '/no/such/file cannot be read.',
      fix: 'Check the path given with --in.',
    })
    expect(await refusal(given)).toEqual({
      code: 'input-missing',
      message: `${given.input} contains no record.`,
      fix: lines,
    })
    const torn = await folder('{"n": 1}\n\n{"n":')
    expect(await refusal(torn)).toEqual({
      code: 'record-invalid',
      message: `${torn.input} line 3 is not JSON: Unexpected end of JSON input`,
      fix: lines,
    })
    expect(await refusal(await folder('{"n": "x"}'))).toEqual({
      code: 'record-invalid',
      message: 'This record does not fit the input schema of halves: n.0: no number; m: missing',
      fix: 'Take a record from a run with `ascend-cot inspect <id> --json`.',
    })
    expect(await refusal(await folder('{"n": 2}'), '{"wrong":true}')).toEqual({
      code: 'record-invalid',
      message: 'The output of halves does not fit its output schema: n.0: no number; m: missing',
      fix: "Fix the stage's output, or its output schema.",
    })
  })
})
