import {availableParallelism} from 'node:os'
import type {Extracted} from '../../../datasets/operator-reply.ts'
import type {RequestedTask} from '../../../datasets/operator-request.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {OperatorSource, SourceFile} from '../../../datasets/schema/operator.ts'
import {CotSample, type Teacher} from '../../../datasets/schema/sample.ts'
import {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'
import {randomFrom} from '../../../engine/random.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {disagreements} from '../agreement.ts'
import {factSheet} from '../fact-sheet.ts'
import {type KernelFacts, kernelFacts} from '../kernel-facts.ts'
import {parseTagged} from '../kernel-reply.ts'
import {voice, type Language, type Voice} from '../offline/say.ts'
import {declaredHost} from '../specialise/declared-host.ts'
import {evaluatedReasoning} from './evaluated-reasoning.ts'
import {faultOf, type Close} from './judged-kernel.ts'
import {definitionOf, purposeText, requestedTask} from './requested-task.ts'

const replyPrompt = loadPrompt(new URL('evaluated-reply.md', import.meta.url))

interface EvaluatedCotOptions {
  executor: Executor
  /** How the benchmark asks for a kernel, and how it reads a reply. */
  mode: {
    prompt: string
    values(task: RequestedTask): Record<string, string>
    read(reply: {reasoning: string; text: string}, paths: readonly string[]): Extracted
  }
  /** Whether a model's output is right. */
  close: Close
  /** Why a pair may not be taught, e.g. because a benchmark asks for its operator; undefined when it may. */
  refuse?: (pair: HostKernelPair) => string | undefined
  /** Pairs at once; default one per core. */
  concurrency?: number
}

/**
 * A pair whose kernel stands alone → a sample in the form in which a benchmark asks for kernels (paper tables 10, 11).
 * Without a model, reasoning is composed of what was seen in the run of the very case that the request states, and the
 * answer is the kernel that was proven. A model writes both, and its kernel is run.
 * Drops: `refused`, the pair's own reason when it has no such kernel, `purpose-unknown`, `answer-not-read`,
 * `code-disagreement`; of a model's reply also `reply-empty`, `reply-cut-off`, `reply-malformed`,
 * `reply-speaks-of-answer` and `kernel-not-right`.
 */
export default function evaluatedCot(options: EvaluatedCotOptions): Stage<HostKernelPair, CotSample> {
  const {executor, mode, refuse, concurrency = availableParallelism()} = options
  return {
    name: 'evaluated-cot',
    version: 1,
    options: {executor: executor.identity, request: mode.prompt, reply: replyPrompt},
    teacher: 'kernel',
    input: HostKernelPair,
    output: CotSample,
    run: each(
      async (pair, context): Promise<readonly CotSample[]> => {
        const refused = refuse?.(pair)
        if (refused !== undefined) return context.drop(pair, 'refused', refused)
        const {alone, notAlone} = pair
        if (!alone) return context.drop(pair, notAlone?.reason ?? 'not-alone', notAlone?.detail)
        const source = sourceOf(pair, alone)
        const facts = await kernelFacts(source)
        const speaker = speakerOf(pair, context)
        const purpose = purposeText(pair, facts, speaker)
        if (purpose === undefined) return context.drop(pair, 'purpose-unknown', pair.operator)
        const task = requestedTask(pair, purpose, speaker)
        if (!task) return context.drop(pair, 'no-definition', pair.operator)
        const prompt = renderPrompt(mode.prompt, mode.values(task))
        const material = {pair, alone, source, facts, speaker, purpose, prompt, options}
        return context.llm ? askModel(material, context.llm, context) : writeOffline(material, context)
      },
      {concurrency},
    ),
  }
}

interface Material {
  pair: HostKernelPair
  alone: SourceFile
  source: OperatorSource
  facts: KernelFacts
  speaker: Voice
  purpose: string
  prompt: string
  options: EvaluatedCotOptions
}

/** Facts are read without the name of the interface's space, which means the same with it and without it. */
function sourceOf({origin, operator, purpose, scenario}: HostKernelPair, alone: SourceFile): OperatorSource {
  const text = alone.text.replace(/\bAscendC::(?=\w)/g, '')
  return {
    origin,
    operator,
    ...(purpose && {purpose}),
    side: 'kernel',
    role: 'kernel',
    target: {path: alone.path, text},
    dependencies: [],
    externalIncludes: [],
    flattened: text,
    tiling: '',
    dtypes: scenario.dtypes,
  }
}

/** In the language of the documentation, so that the request can quote it. */
function speakerOf({origin, purpose, scenario}: HostKernelPair, context: Context): Voice {
  const shapes = JSON.stringify(scenario.inputs.map(({dtype, shape}) => [dtype, shape]))
  const random = randomFrom(context.seed, 'evaluated-cot', origin.repository, origin.path, shapes)
  const drawn = random.pick<Language>(['en', 'zh'])
  const text = purpose?.text ?? ''
  const documented = /[\u4e00-\u9fff]/.test(text) ? 'zh' : 'en'
  return voice(text === '' ? drawn : documented, random)
}

function writeOffline(material: Material, context: Context): readonly CotSample[] {
  const {pair, alone, facts, speaker, purpose} = material
  const reasoning = evaluatedReasoning(pair, facts, {text: alone.text, purpose}, speaker)
  return checked(material, {reasoning, kernel: alone, teacher: {kind: 'offline'}}, context)
}

async function askModel(material: Material, llm: LanguageModel, context: Context): Promise<readonly CotSample[]> {
  const {pair, alone, source, facts, speaker, prompt, options} = material
  const content = renderPrompt(replyPrompt, {
    language: speaker.language === 'zh' ? 'Chinese' : 'English',
    facts: factSheet(source, {role: 'kernel', facts}),
    code: asked(alone.text),
    request: prompt,
  })
  const reply = await llm.complete({messages: [{role: 'user', content}]}, context.signal)
  const reasoning = parseTagged(reply, 'reasoning')
  if (!reasoning.ok) return context.drop(pair, reasoning.reason, reasoning.detail)
  const read = options.mode.read({reasoning: '', text: reply.text}, [alone.path])
  if (!read.ok) return context.drop(pair, 'reply-malformed', read.problem)
  const [kernel] = read.files
  const definition = definitionOf(pair)
  if (!kernel || !definition) return context.drop(pair, 'reply-malformed', 'no kernel')
  const host = declaredHost(definition, pair.scenario.dtypes)
  const fault = await faultOf(kernel, {...options, pair, host}, context.signal)
  if (fault !== undefined) return context.drop(pair, 'kernel-not-right', `${pair.operator}: ${fault}`)
  const teacher: Teacher = {kind: 'model', model: reply.model}
  return checked(material, {reasoning: reasoning.value, kernel, teacher}, context)
}

/** As the request has it: the build adds the last parameter. */
function asked(text: string): string {
  return text.replaceAll('GM_ADDR workspace, GM_ADDR tiling', 'GM_ADDR workspace')
}

interface Draft {
  reasoning: string
  /** As it is built. */
  kernel: SourceFile
  teacher: Teacher
}

function checked(
  {pair, facts, speaker, purpose, prompt, options}: Material,
  {reasoning, kernel, teacher}: Draft,
  context: Context,
): readonly CotSample[] {
  const answer = `<kernel_impl>\n\`\`\`cpp\n${asked(kernel.text).trimEnd()}\n\`\`\`\n</kernel_impl>`
  const read = options.mode.read({reasoning, text: answer}, [kernel.path])
  if (!read.ok || read.files[0]?.text !== kernel.text)
    return context.drop(pair, 'answer-not-read', read.ok ? 'another file than the one that was proven' : read.problem)
  const names = Object.keys({...pair.scenario.dtypes, ...pair.scenario.attributes}).join(' ')
  const text = [kernel.text, pair.operator, names, purpose].join('\n')
  const faults = disagreements(reasoning, {text, constants: facts.constants})
  if (faults.length > 0)
    return context.drop(pair, 'code-disagreement', `${pair.operator}: ${faults.slice(0, 5).join('; ')}`)
  return [
    {
      kind: 'evaluated',
      prompt,
      reasoning,
      answer,
      files: [{...kernel, text: asked(kernel.text)}],
      language: speaker.language,
      origin: pair.origin,
      teacher,
      stages: context.stages,
      verdict: {outcome: 'compiled', executor: options.executor.identity},
      proof: 'ran',
    },
  ]
}
