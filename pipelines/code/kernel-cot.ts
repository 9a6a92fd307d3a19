import {CheckedOperatorSource} from '../../datasets/schema/operator.ts'
import {CotSample, type Teacher} from '../../datasets/schema/sample.ts'
import type {ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {disagreements} from './agreement.ts'
import {factSheet, type Described} from './fact-sheet.ts'
import {kernelFacts} from './kernel-facts.ts'
import {hostFacts} from './host-facts.ts'
import {hostReasoning} from './offline/host-reasoning.ts'
import {hostRequest} from './offline/host-request.ts'
import {kernelReasoning} from './offline/kernel-reasoning.ts'
import {kernelRequest} from './offline/kernel-request.ts'
import {voice, type Language, type Voice} from './offline/say.ts'
import {parseTagged} from './kernel-reply.ts'
import type {ObservedRun} from './observed-run.ts'

const requestPrompt = loadPrompt(new URL('kernel-cot-request.md', import.meta.url))
const reasoningPrompt = loadPrompt(new URL('kernel-cot-reasoning.md', import.meta.url))

interface KernelCotOptions {
  /**
   * What a run of the program was observed to do, for programs with a case that is known to run: the case enters the
   * request, what was observed the reasoning.
   */
  trace?: (source: CheckedOperatorSource, signal: AbortSignal) => Promise<ObservedRun | undefined>
  /** Sources in progress at once when a model is asked. Default 16. */
  concurrency?: number
}

const name = 'kernel-cot'

/**
 * A compiled source becomes request, reasoning and code (paper §4.1.2, tables 9 and 13): by a model in two requests,
 * the request from the code and the reasoning for the pair; without a model from facts of static analysis. Both
 * languages are written, one a record.
 * Drops: `reply-empty`, `reply-cut-off`, `reply-malformed`, `reply-speaks-of-answer`, and `code-disagreement` with what
 * contradicts the code.
 */
export default function kernelCot({
  trace,
  concurrency = 16,
}: KernelCotOptions = {}): Stage<CheckedOperatorSource, CotSample> {
  return {
    name,
    version: 3,
    options: {request: requestPrompt, reasoning: reasoningPrompt, traced: trace !== undefined},
    teacher: 'kernel',
    requestsPerRecord: 2,
    input: CheckedOperatorSource,
    output: CotSample,
    run: each(
      async (source, context): Promise<readonly CotSample[]> => {
        const described: Described =
          source.side === 'kernel'
            ? {side: 'kernel', facts: await kernelFacts(source)}
            : {side: 'host', facts: await hostFacts(source)}
        const observed = await trace?.(source, context.signal)
        const random = randomFrom(context.seed, name, source.origin.repository, source.origin.path)
        const speaker = voice(random.pick<Language>(['en', 'zh']), random)
        return context.llm
          ? askModel({source, described, language: speaker.language}, context.llm, context)
          : writeOffline(source, described, speaker, observed, context)
      },
      {concurrency},
    ),
  }
}

interface Material {
  source: CheckedOperatorSource
  described: Described
  language: Language
}

function writeOffline(
  source: CheckedOperatorSource,
  described: Described,
  speaker: Voice,
  observed: ObservedRun | undefined,
  context: Context,
): readonly CotSample[] {
  const request =
    described.side === 'kernel'
      ? kernelRequest(source, described.facts, speaker, observed)
      : hostRequest(source, described.facts, speaker)
  const reasoning =
    described.side === 'kernel'
      ? kernelReasoning(source, described.facts, speaker, observed)
      : hostReasoning(source, described.facts, speaker)
  return checked(
    {source, described, language: speaker.language},
    {request, reasoning, teacher: {kind: 'offline'}},
    context,
  )
}

async function askModel(material: Material, llm: LanguageModel, context: Context): Promise<readonly CotSample[]> {
  const {source, described} = material
  const shared = {
    language: material.language === 'zh' ? 'Chinese' : 'English',
    facts: factSheet(source, described),
    code: source.target.text,
  }
  const request = parseTagged(await complete(llm, renderPrompt(requestPrompt, shared), context), 'request')
  if (!request.ok) return context.drop(source, request.reason, request.detail)
  const reply = await complete(
    llm,
    renderPrompt(reasoningPrompt, {...shared, request: `${request.value}${givenCode(source, material.language)}`}),
    context,
  )
  const reasoning = parseTagged(reply, 'reasoning')
  if (!reasoning.ok) return context.drop(source, reasoning.reason, reasoning.detail)
  return checked(
    material,
    {request: request.value, reasoning: reasoning.value, teacher: {kind: 'model', model: reply.model}},
    context,
  )
}

function complete(llm: LanguageModel, content: string, context: Context): Promise<ChatReply> {
  return llm.complete({messages: [{role: 'user', content}]}, context.signal)
}

interface Draft {
  request: string
  reasoning: string
  teacher: Teacher
}

function checked(
  {source, described, language}: Material,
  {request, reasoning, teacher}: Draft,
  context: Context,
): readonly CotSample[] {
  const text = [source.target, ...source.dependencies].map((file) => file.text).join('\n')
  const faults = disagreements(reasoning, {
    text: `${text}\n${source.tiling}\n${source.operator} ${Object.keys(source.dtypes).join(' ')}`,
    constants: described.facts.constants,
  })
  if (faults.length > 0)
    return context.drop(
      source,
      'code-disagreement',
      `${source.operator} ${source.target.path}: ${faults.slice(0, 5).join('; ')}`,
    )
  return [
    {
      kind: 'kernel',
      prompt: `${request}${givenCode(source, language)}`,
      reasoning,
      answer: fence(source.target.text),
      files: [source.target],
      language,
      origin: source.origin,
      teacher,
      stages: context.stages,
      verdict: source.verdict,
    },
  ]
}

/**
 * The code that the request builds on: dependencies in the order in which they are needed, and the tiling structure of
 * the host side.
 */
function givenCode({dependencies, tiling}: CheckedOperatorSource, language: Language): string {
  const parts = dependencies.map(({path, text}) => `===== ${path} =====\n${fence(text)}`)
  if (tiling !== '') parts.push(`===== ${tilingTitle[language]} =====\n${fence(tiling)}`)
  if (parts.length === 0) return ''
  const opening =
    language === 'zh' ? '以下依赖代码已经存在,请在其基础上完成实现:' : 'The following code exists already; build on it:'
  return `\n\n${opening}\n\n${parts.join('\n\n')}`
}

const tilingTitle = {en: 'tiling structure declared on the host side', zh: 'Host 侧声明的 tiling 结构'}

/** A fence longer than any inside the code. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}cpp\n${code.trimEnd()}\n${ticks}`
}
