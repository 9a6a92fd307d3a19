import {mkdtemp, readFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {ZodError} from 'zod'
import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {removeFolder, writeWhole} from '../../engine/files.ts'
import type {ChatReply, ChatRequest, LanguageModel} from '../../engine/llm/model.ts'
import {nearest} from '../../engine/nearest.ts'
import {importOwn, isOwnFault, ownFault} from '../../engine/own-module.ts'
import {isStage, type Context, type Stage} from '../../engine/stage.ts'
import {makeExecutor} from './executor.ts'
import {connectTeachers} from './teachers.ts'
import {terminalLog} from './terminal.ts'
import type {World} from './world.ts'

interface Exchange {
  request: ChatRequest
  reply: ChatReply
}

interface TryRequest {
  file: string
  input: string
  /** JSON; `"executor": "twin"` selects the configured executor. */
  options: string
  record: string | undefined
  json: boolean
}

/**
 * `ascend-cot try <stage file> --in one.jsonl`: in → reply → out, record by record, without a run directory.
 */
export async function tryStage(request: TryRequest, config: Config, world: World): Promise<number> {
  const {terminal} = world
  const stage = await loadStage(request.file, await stageOptions(request.options, config, world))
  const records = await recordsOf(request.input)
  const teachers = connectTeachers(config, world)
  const directory = await mkdtemp(join(tmpdir(), 'ascend-cot-try-'))
  const exchanges: Exchange[] = []
  const replies: ChatReply[] = []
  const drops: {reason: string; detail: string}[] = []
  const model = stage.teacher === undefined ? undefined : teachers(stage.teacher)
  const context: Context = {
    llm: model && overheard(model, exchanges, replies),
    seed: config.seed,
    now: world.now,
    signal: world.signal,
    directory,
    log: terminalLog(terminal),
    stages: {[stage.name]: stage.version},
    drop(_item, reason, detail = '') {
      drops.push({reason, detail})
      return []
    },
  }
  const [ins, outs]: [unknown[], unknown[]] = [[], []]
  async function* items() {
    for (const item of records) {
      ins.push(item)
      if (!request.json) terminal.print(`── in\n${pretty(item)}`)
      yield parsed(stage, item)
    }
  }
  try {
    for await (const output of stage.run(items(), context)) {
      outs.push(yielded(stage, output))
      const asked = exchanges.splice(0).map(told).join('')
      terminal.print(request.json ? JSON.stringify(output) : `${asked}── out\n${pretty(output)}`)
    }
  } catch (error) {
    throw isOwnFault(error) ? ownFault(request.file, error) : error
  } finally {
    await removeFolder(directory)
    teachers.close()
  }
  if (!request.json) for (const {reason, detail} of drops) terminal.print(`── dropped: ${reason} ${detail}`)
  if (request.record !== undefined) await keepFixture(request, {ins, outs, drops, replies})
  return 0
}

async function keepFixture(
  {file, options, record}: TryRequest,
  {ins, outs, drops, replies}: {ins: unknown[]; outs: unknown[]; drops: unknown[]; replies: ChatReply[]},
): Promise<void> {
  const folder = record as string
  const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  await writeWhole(
    join(folder, 'stage.json'),
    `${JSON.stringify({file, options: JSON.parse(options) as unknown}, null, 2)}\n`,
  )
  await writeWhole(join(folder, 'in.jsonl'), lines(ins))
  if (replies.length > 0) await writeWhole(join(folder, 'replies.jsonl'), lines(replies))
  await writeWhole(join(folder, 'out.jsonl'), lines(outs))
  await writeWhole(join(folder, 'dropped.jsonl'), lines(drops))
}

async function stageOptions(text: string, config: Config, world: World): Promise<Record<string, unknown>> {
  let options: Record<string, unknown>
  try {
    options = JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new PipelineError('config-invalid', `--options is not JSON: ${text}`, {
      fix: 'Quote it for the shell, e.g. --options \'{"minCharacters": 100}\'.',
      cause: error,
    })
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new PipelineError('config-invalid', `--options is not an object: ${text}`, {
      fix: 'Give names with values, e.g. --options \'{"minCharacters": 100}\'.',
    })
  if (options['executor'] === 'twin') options['executor'] = await makeExecutor(config, world)
  return options
}

async function loadStage(file: string, options: Record<string, unknown>): Promise<Stage<unknown, unknown>> {
  const fix = 'Give the path of a file that default-exports a function that returns a Stage.'
  const {default: factory} = await importOwn(file, {what: 'stage file', fix})
  const noted = noting(options)
  const stage = typeof factory === 'function' ? await made(file, factory as Factory, noted.options) : undefined
  if (isStage(stage)) {
    checkNames(stage, noted)
    if (!stage.input || !stage.output) {
      throw new PipelineError(
        'config-invalid',
        `${file} needs options before it can declare which records it accepts.`,
        {
          fix: 'Give them with --options, e.g. --options \'{"config": "sft"}\'.',
        },
      )
    }
    return stage
  }
  throw new PipelineError('input-invalid', `${file} does not default-export a function that returns a Stage.`, {
    fix: `If it is a recipe, run \`ascend-cot run ${pathOf(file)}\`. For stages, see docs/guides/own-stages.md.`,
  })
}

interface Noted {
  options: Record<string, unknown>
  /** Those that were asked for; undefined when all were. */
  read(): Set<string> | undefined
}

/** Options that note which of them a function asks for: it has no other list of the names that it knows. */
function noting(given: Record<string, unknown>): Noted {
  let read: Set<string> | undefined = new Set()
  const options = new Proxy(given, {
    get(target, name) {
      if (typeof name === 'string' && name !== 'toJSON') read?.add(name)
      return Reflect.get(target, name) as unknown
    },
    ownKeys(target) {
      read = undefined
      return Reflect.ownKeys(target)
    },
  })
  return {options, read: () => read}
}

/** @throws PipelineError `config-invalid` for an option that the stage neither read when it was made nor declares */
function checkNames({name, options: declared}: Stage<unknown, unknown>, {options, read}: Noted): void {
  const asked = read()
  if (asked === undefined || declared === options) return
  const known = [...new Set([...asked, ...Object.keys(declared ?? {})])]
  const unknown = Object.keys(options).find((one) => !known.includes(one))
  if (unknown === undefined) return
  const guess = nearest(unknown, known)
  const list = known.length === 0 ? 'It takes none.' : `Its options are ${known.join(', ')}.`
  const late = `If its \`run\` reads ${unknown}, add that to the stage's \`options\`.`
  throw new PipelineError('config-invalid', `${name} has no option ${unknown}.`, {
    fix: guess === undefined ? `${list} ${late}` : `Did you mean ${guess}? ${list}`,
  })
}

/** A bare name would mean a built-in recipe. */
const pathOf = (file: string) => (file.includes('/') ? file : `./${file}`)

type Factory = (options: unknown) => unknown

async function made(file: string, factory: Factory, options: Record<string, unknown>): Promise<unknown> {
  let stage: unknown
  try {
    stage = factory(options)
    // A stage is returned synchronously; a recipe returns a promise, and fails without its workspace.
    if (stage instanceof Promise) return await stage.catch(() => undefined)
    return stage
  } catch (error) {
    // A missing import is not a fault of the options.
    if (error instanceof PipelineError || error instanceof ReferenceError) throw ownFault(file, error)
    const given = JSON.stringify(options)
    const why = error instanceof Error ? error.message : String(error)
    throw new PipelineError('config-invalid', `${file} could not make a stage from the options ${given}: ${why}`, {
      fix: 'Pass the options that its function expects with --options.',
      cause: error,
    })
  }
}

/**
 * The records of a file. A line that is not JSON is an error, even the last one: the file was written by hand.
 * @throws PipelineError `record-invalid` with the line, `input-missing` without a file or a record
 */
async function recordsOf(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const fix = 'Check the path given with --in.'
    throw new PipelineError('input-missing', `${file} cannot be read.`, {fix, cause})
  })
  const lines = text.split('\n').map((line, index) => ({line, place: `${file} line ${index + 1}`}))
  const records = lines
    .filter(({line}) => line.trim() !== '')
    .map(({line, place}) => inspected(parsedLine(line, place)))
  if (records.length > 0) return records
  const fix = 'Put one JSON record on each line.'
  throw new PipelineError('input-missing', `${file} contains no record.`, {fix})
}

function parsedLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const fix = 'Put one JSON record on each line.'
    throw new PipelineError('record-invalid', `${place} is not JSON: ${why}`, {fix, cause})
  }
}

/** `inspect --json` prints the record with its path. */
function inspected(item: unknown): unknown {
  const keys = typeof item === 'object' && item !== null ? Object.keys(item).join() : ''
  return keys === 'id,way,record' ? (item as {record: unknown}).record : item
}

function parsed(stage: Stage<unknown, unknown>, item: unknown): unknown {
  const result = stage.input.safeParse(item)
  if (result.success) return result.data
  const fix = 'Take a record from a run with `ascend-cot inspect <id> --json`.'
  throw unfit(`This record does not fit the input schema of ${stage.name}`, result.error, fix)
}

function yielded(stage: Stage<unknown, unknown>, output: unknown): unknown {
  const result = stage.output.safeParse(output)
  if (result.success) return result.data
  const fix = "Fix the stage's output, or its output schema."
  throw unfit(`The output of ${stage.name} does not fit its output schema`, result.error, fix)
}

function unfit(what: string, {issues}: ZodError, fix: string): PipelineError {
  const problem = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  return new PipelineError('record-invalid', `${what}: ${problem}`, {fix})
}

function told({request, reply}: Exchange): string {
  return `── asked\n${request.messages.map((message) => message.content).join('\n')}\n── reply\n${reply.text}\n`
}

function overheard(model: LanguageModel, exchanges: Exchange[], replies: ChatReply[]): LanguageModel {
  return {
    ...model,
    async complete(request, signal) {
      const reply = await model.complete(request, signal)
      exchanges.push({request, reply})
      replies.push(reply)
      return reply
    },
  }
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)
