import {cpSync, mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {operatorPaths} from '../../../datasets/operator-request.ts'
import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {Label} from '../../../datasets/schema/label.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {randomFrom} from '../../../engine/random.ts'
import {openRun, readRunRecord, type RunRecord} from '../../../engine/run.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {main} from '../../../pipelines/cli.ts'
import {startChatServer, type ChatBody, type ChatServer} from '../../helpers/chat-server.ts'
import {dealKernels, type Kind, type KnownKernel} from '../../helpers/known-kernels.ts'
import type {Misbehaviour} from '../../helpers/misbehaviour.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {twinCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'

const folders = ['level1/Math/AbsDiff', 'level2/Activation/LeakyRelu', 'level1/Quant/QuantizeInt8']
const counts: Record<Kind, number> = {good: 2, wrong: 2, broken: 2, truncated: 1, hacking: 3}
const samples = Object.values(counts).reduce((sum, count) => sum + count)
const operators = 'sources/starter/operators'

interface Sent extends KnownKernel {
  task: string
  /** In the reply's reasoning, so that a candidate tells which reply it was. */
  mark: string
}

interface Outcome {
  sent: Sent[]
  /** By the mark of their reply. */
  labelled: Map<string, LabelledCandidate>
  record: RunRecord
  code: number
}

/** Deals out each task's mix in order of arrival: nothing in a request says which sample it is. */
async function endpoint(tasks: readonly OperatorTask[], sent: Sent[]): Promise<ChatServer> {
  const decks = tasks.map((task) => ({
    task,
    deck: dealKernels(task, counts, randomFrom('known-mix', task.name)),
  }))
  const answer = (body: ChatBody, repeat: number): Misbehaviour => {
    const prompt = body.messages.at(-1)?.content ?? ''
    const {task, deck} = decks.find((one) => prompt.includes(`class ${one.task.name} : public OpDef`)) ?? {}
    const kernel = deck?.[repeat]
    if (!task || !kernel) return {kind: 'status', status: 400}
    const mark = `${task.name} reply ${repeat}`
    sent.push({...kernel, task: task.name, mark})
    const asked = operatorPaths(task).flatMap((path) => kernel.files.filter((file) => file.path === path))
    const content = formatFiles(asked)
    if (kernel.kind !== 'truncated') return {kind: 'words', content, reasoning: mark}
    // Within the last file: those before it are whole.
    const cut = content.slice(0, Math.floor(content.length * 0.8))
    return {kind: 'words', content: cut, reasoning: mark, finishReason: 'length'}
  }
  return startChatServer({script: ({body, repeat}) => answer(body, repeat)})
}

async function runCandidates(): Promise<Outcome> {
  const [root, out] = [await temporaryFolder(), await temporaryFolder()]
  for (const folder of folders) cpSync(join('sources/starter/tasks', folder), join(root, folder), {recursive: true})
  // References import the package by its name; only the command's own loader finds it from any folder.
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(process.cwd(), join(root, 'node_modules/ascend-cot'))
  mkdirSync(join(out, 'cache'))
  mkdirSync(twinCache, {recursive: true})
  symlinkSync(twinCache, join(out, 'cache/twin'))
  const sent: Sent[] = []
  const server = await endpoint(await loadTasks({root, operators}, () => []), sent)
  const teacher = {model: 'mixed-model', baseUrl: server.url, concurrency: 4, expectedCompletionTokens: 4000}
  const settings = {
    cache: join(out, 'cache'),
    'teachers.candidates': JSON.stringify(teacher),
    'sources.tasks': JSON.stringify([{root, operators, licence: 'Apache-2.0'}]),
    'samples.candidatesPerTask': samples,
    ...(testCompiler.compiler && {'executor.compiler': testCompiler.compiler}),
  }
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const code = await main(['run', 'candidates', '--out', out, '--json', ...set], {
    ...recordedWorld(),
    now: () => performance.now(),
  })
  await server.close()
  const directory = join(out, 'candidates')
  const [run, record] = [await openRun(directory), await readRunRecord(directory)]
  if (!run || !record) throw new Error('the run left no record')
  const all = [...run.emitted()].map(({json}) => LabelledCandidate.parse(JSON.parse(json)))
  run.close()
  return {sent, labelled: new Map(all.map((one) => [one.reasoning, one])), record, code}
}

const colourOf: Partial<Record<Kind, Label>> = {good: 'green', wrong: 'orange', broken: 'purple', hacking: 'orange'}

interface Agreement {
  precision: number
  recall: number
}

/** How well a colour tells what it is a label of. */
function agreement({sent, labelled}: Outcome, colour: Label, kinds: readonly Kind[]): Agreement {
  const known = sent.filter(({kind}) => kinds.includes(kind)).map(({mark}) => mark)
  const found = [...labelled].filter(([, {label}]) => label === colour).map(([mark]) => mark)
  const both = found.filter((mark) => known.includes(mark)).length
  return {precision: both / found.length, recall: both / known.length}
}

const sum = (kinds: readonly Kind[]) => folders.length * kinds.reduce((all, kind) => all + counts[kind], 0)

test('labels tell good, wrong, broken and hacking kernels of an endpoint apart, and no hack is green', async () => {
  const outcome = await runCandidates()
  const {sent, labelled, record, code} = outcome
  expect([code, record.state, record.error]).toEqual([0, 'finished', undefined])
  expect(sent).toHaveLength(folders.length * samples)
  for (const [kind, count] of Object.entries(counts))
    expect(sent.filter((one) => one.kind === kind)).toHaveLength(folders.length * count)

  // Kernel by kernel first, so that a wrong label names the kernel.
  const mistaken = sent.flatMap(({kind, what, mark}) => {
    const [expected, label] = [colourOf[kind], labelled.get(mark)?.label]
    return label === expected ? [] : [`${mark}, ${kind}, ${what}: ${label}`]
  })
  expect(mistaken).toEqual([])
  const perfect = {precision: 1, recall: 1}
  expect(agreement(outcome, 'purple', ['broken'])).toEqual(perfect)
  expect(agreement(outcome, 'green', ['good'])).toEqual(perfect)
  expect(agreement(outcome, 'orange', ['wrong', 'hacking'])).toEqual(perfect)

  // No label but of what was sent, and each candidate holds the files that were sent under its mark.
  const readable = sent.filter(({kind}) => kind !== 'truncated')
  expect([...labelled.keys()].toSorted()).toEqual(readable.map(({mark}) => mark).toSorted())
  for (const {mark, files, task} of readable) {
    const candidate = labelled.get(mark)
    expect(candidate?.task.name).toBe(task)
    expect(Object.fromEntries(candidate?.files.map(({path, text}) => [path, text]) ?? [])).toEqual(
      Object.fromEntries(files.map(({path, text}) => [path, text])),
    )
  }

  const counted = new Map(record.counts.map((one) => [one.stage, one]))
  const truncated = sum(['truncated'])
  const rest = sum(['good', 'wrong', 'broken', 'hacking'])
  expect(counted.get('candidates')).toMatchObject({
    ...{read: folders.length, written: rest, failed: 0, reasons: {'reply-without-code': truncated}},
  })
  expect(counted.get('judge')).toMatchObject({read: rest, written: rest, dropped: 0, failed: 0})
  expect(counted.get('label')).toMatchObject({read: rest, written: rest, dropped: 0, failed: 0})
})
