import {availableParallelism} from 'node:os'
import type {Extracted} from '../../../datasets/operator-reply.ts'
import type {RequestedTask} from '../../../datasets/operator-request.ts'
import {isHollow} from '../../../datasets/schema/decision.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {CotSample, type Teacher} from '../../../datasets/schema/sample.ts'
import {PairRequest, type HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {disagreements} from '../../facts/agreement.ts'
import {notBorneOut} from '../../facts/borne-out.ts'
import {factsJson, handedFacts} from '../../facts/facts-json.ts'
import {catalogueDigest} from '../../telling/catalogue.ts'
import {asOption, lackDetail, lackingNames, sided} from '../closed-world.ts'
import {againPrompt, askTagged} from '../kernel-reply.ts'
import {wrongSums} from '../../facts/sums.ts'
import type {Voice} from '../../../datasets/voice.ts'
import type {Inline} from '../specialise/host-files.ts'
import {fullForm} from './full-form.ts'
import {faultOf, type Close} from './judged-files.ts'
import {purposeText, requestedTask, speakerOf, definitionOf} from './requested-task.ts'
import {type Solution, type Solved, kernelSource} from './solution.ts'
import {kernelFacts} from '../../facts/kernel-facts.ts'
import {declaredHost} from '../specialise/declared-host.ts'
import {evaluatedReasoning} from './evaluated-reasoning.ts'

const replyPrompt = loadPrompt(new URL('evaluated-reply.md', import.meta.url))

/** How the benchmark asks, in English and in Chinese, and how it reads a reply. */
interface AskedMode {
  prompt: string
  chinese: string
  values(task: RequestedTask): Record<string, string>
  read(reply: {reasoning: string; text: string}, paths: readonly string[]): Extracted
}

interface EvaluatedCotOptions {
  executor: Executor
  modes: Readonly<Record<PairRequest['form'], AskedMode>>
  inline: Inline
  /** Whether a model's output is right. */
  close: Close
  /** Names of the SDK: with them, a row is refused whose answer uses a name that its prompt does not show. */
  known?: ReadonlySet<string>
  /** Longest answer with several files, in UTF-8 bytes. Default 60,000: what a training context holds. */
  mostBytes?: number
}

/**
 * A request for a pair → a sample in the form in which a benchmark asks for code (paper tables 10, 11). Without a
 * model, the reasoning is composed of observations of the run of the case that the request states, and the answer is
 * code that was proven: the kernel alone when the pair was made, the whole operator here, parsed as the benchmark
 * parses it. A model writes both, and its code is run. Drops: `hollow`; for the kernel the pair's own reason when none
 * is standalone; for the whole operator `entry-named-otherwise`, `tiling-in-no-header`, `host-in-pieces`,
 * `definition-unread`, `source-too-long`, `whole-not-right`; `purpose-unknown`, `prompt-lacks-name`, `answer-not-read`,
 * `code-disagreement`; of a model's reply also `reply-empty`, `reply-cut-off`, `reply-malformed`,
 * `reply-speaks-of-answer`, `reply-claims-run` and `code-not-right`.
 */
export default function evaluatedCot(options: EvaluatedCotOptions): Stage<PairRequest, CotSample> {
  const {executor, modes, known, mostBytes = 60_000} = options
  return {
    name: 'evaluated-cot',
    version: 23,
    options: {
      executor: executor.identity,
      requests: [modes['kernel-only'], modes.full].flatMap(({prompt, chinese}) => [prompt, chinese]),
      reply: replyPrompt,
      again: againPrompt,
      words: catalogueDigest(),
      mostBytes,
      ...asOption(known),
    },
    teacher: 'kernel',
    input: PairRequest,
    output: CotSample,
    run: each((request, context) => sampleOf(request, {...options, mostBytes}, context), {
      concurrency: availableParallelism(),
    }),
  }
}

type Options = EvaluatedCotOptions & {mostBytes: number}

async function sampleOf(request: PairRequest, options: Options, context: Context): Promise<readonly CotSample[]> {
  const {pair, form} = request
  if (isHollow(pair.decisions ?? []))
    return context.drop(request, 'hollow', `${pair.operator}: hardly a decision of it has evidence`)
  const solved = await solve(request, options, context.signal)
  if (!solved.ok) return context.drop(request, solved.reason, solved.detail)
  const {solution} = solved
  const mode = options.modes[form]
  const speaker = speakerOf(request, context)
  const purpose = purposeText(pair, solution.facts, speaker)
  if (purpose === undefined) return context.drop(request, 'purpose-unknown', pair.operator)
  const task = requestedTask(pair, purpose, speaker)
  if (!task) return context.drop(request, 'no-definition', pair.operator)
  const prompt = renderPrompt(speaker.language === 'zh' ? mode.chinese : mode.prompt, mode.values(task))
  const lacking = options.known ? await lackingNames(sided(solution.files), prompt, options.known) : []
  if (lacking.length > 0) return context.drop(request, 'prompt-lacks-name', lackDetail(pair.operator, lacking))
  const material = {request, solution, speaker, purpose, prompt, options}
  return context.llm ? askModel(material, context.llm, context) : writeOffline(material, context)
}

function solve({pair, form}: PairRequest, options: Options, signal: AbortSignal): Promise<Solved> {
  return form === 'full' ? fullForm(pair, {...options, signal}) : kernelForm(pair)
}

interface Material {
  request: PairRequest
  solution: Solution
  speaker: Voice
  purpose: string
  prompt: string
  options: Options
}

function writeOffline(material: Material, context: Context): readonly CotSample[] {
  const {solution, speaker, purpose} = material
  const reasoning = solution.reasoning(purpose, speaker)
  return checked(material, {reasoning, files: solution.files, teacher: {kind: 'offline'}}, context)
}

async function askModel(material: Material, llm: LanguageModel, context: Context): Promise<readonly CotSample[]> {
  const {request, solution, speaker, prompt, options} = material
  const {pair, form} = request
  const {decisions = []} = pair
  const content = renderPrompt(replyPrompt, {
    language: speaker.language === 'zh' ? 'Chinese' : 'English',
    facts: factsJson({...solution.handed(), decisions}),
    code: solution.answer(solution.shown(solution.files)),
    request: prompt,
  })
  // Names of the code that it writes are known when that is read.
  const faults = (text: string, beside: string) => [
    ...wrongSums(text),
    ...notBorneOut(text, {text: `${content}\n${beside}`, decisions}),
  ]
  const {reply, parsed: reasoning} = await askTagged(llm, content, {tag: 'reasoning', faults}, context.signal)
  if (!reasoning.ok) return context.drop(request, reasoning.reason, reasoning.detail)
  const read = options.modes[form].read({reasoning: '', text: reply.text}, pathsOf(solution))
  if (!read.ok) return context.drop(request, 'reply-malformed', read.problem)
  const [right, written] = [solution.files, read.files].map((files) => [...solution.given, ...files])
  const judging = {...options, pair, right: right ?? [], signal: context.signal}
  const fault = await faultOf(written ?? [], judging)
  if (fault !== undefined) return context.drop(request, 'code-not-right', `${pair.operator}: ${fault}`)
  const teacher: Teacher = {kind: 'model', model: reply.model}
  return checked(material, {reasoning: reasoning.value, files: read.files, teacher}, context)
}

const pathsOf = ({files}: Solution) => files.map(({path}) => path)

interface Draft {
  reasoning: string
  /** As they are built. */
  files: readonly SourceFile[]
  teacher: Teacher
}

function checked(
  {request, solution, speaker, purpose, prompt, options}: Material,
  {reasoning, files, teacher}: Draft,
  context: Context,
): readonly CotSample[] {
  const {pair, form} = request
  const shown = solution.shown(files)
  const answer = solution.answer(shown)
  const read = options.modes[form].read({reasoning, text: answer}, pathsOf(solution))
  if (!read.ok || !isSame(read.files, files))
    return context.drop(request, 'answer-not-read', read.ok ? 'other files than those that were proven' : read.problem)
  const {dtypes, attributes, trace} = pair.scenario
  const names = [...Object.keys({...dtypes, ...attributes}), ...(form === 'full' ? Object.keys(trace.tiling) : [])]
  const seen = form === 'full' ? trace.buffers.map(({name}) => name) : []
  const text = [...files.map((file) => file.text), pair.operator, ...names, ...seen, purpose].join('\n')
  const faults = disagreements(reasoning, {text, constants: solution.constants})
  if (faults.length > 0)
    return context.drop(request, 'code-disagreement', `${pair.operator}: ${faults.slice(0, 5).join('; ')}`)
  return [
    {
      kind: 'evaluated',
      prompt,
      reasoning,
      answer,
      files: shown,
      language: speaker.language,
      origin: pair.origin,
      teacher,
      stages: context.stages,
      verdict: {outcome: 'compiled', executor: options.executor.identity},
      proof: 'ran',
      ...(pair.scenario.call && {contract: pair.scenario.call.contract}),
      ...(pair.scenario.formula && {formula: pair.scenario.formula}),
      ...(pair.decisions && {decisions: pair.decisions}),
    },
  ]
}

function isSame(read: readonly SourceFile[], built: readonly SourceFile[]): boolean {
  return read.length === built.length && read.every(({text}, index) => text === built[index]?.text)
}

/** The kernel alone, with constants for tiling, under a host that launches every core; it was run when the pair was. */
async function kernelForm(pair: HostKernelPair): Promise<Solved> {
  const {alone, notAlone, scenario} = pair
  if (!alone) return {ok: false, reason: notAlone?.reason ?? 'not-alone', detail: notAlone?.detail ?? ''}
  const definition = definitionOf(pair)
  if (!definition) return {ok: false, reason: 'no-definition', detail: pair.operator}
  const source = kernelSource(pair, alone)
  const facts = await kernelFacts(source)
  return {
    ok: true,
    solution: {
      files: [alone],
      given: [declaredHost(definition, scenario.dtypes)],
      facts,
      constants: new Map(facts.constants),
      shown: (files) => files.map(({path, text}) => ({path, text: asked(text)})),
      answer: ([kernel]) => `<kernel_impl>\n${fenced(kernel)}\n</kernel_impl>`,
      reasoning: (purpose, voice) => evaluatedReasoning(pair, {text: alone.text, purpose}, voice),
      handed: () => handedFacts(source, {role: 'kernel', facts}),
    },
  }
}

const fenced = (file: SourceFile | undefined) => `\`\`\`cpp\n${file?.text.trimEnd() ?? ''}\n\`\`\``

/** The build adds the last parameter. */
function asked(text: string): string {
  return text.replaceAll('GM_ADDR workspace, GM_ADDR tiling', 'GM_ADDR workspace')
}
