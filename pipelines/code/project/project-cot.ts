import {DescribedPair} from '../../../datasets/schema/code-facts.ts'
import {isHollow} from '../../../datasets/schema/decision.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {CotSample, type Teacher} from '../../../datasets/schema/sample.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'
import {randomFrom} from '../../../engine/random.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {disagreements} from '../../facts/agreement.ts'
import {notBorneOut} from '../../facts/borne-out.ts'
import {factsJson, handedFacts} from '../../facts/facts-json.ts'
import {asOption, lackDetail, lackingNames, sided} from '../closed-world.ts'
import {againPrompt, askTagged} from '../kernel-reply.ts'
import {paragraphs, voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {catalogueDigest} from '../../telling/catalogue.ts'
import {tellChosen} from '../../telling/tell-chosen.ts'
import {handedOver, sizesParagraph} from './host-plan.ts'
import {sideOfPair} from '../../facts/pair-source.ts'
import {projectRequest} from './project-request.ts'
import {scoreSummary, summaryText} from './tiling-summary.ts'

const modelPrompt = loadPrompt(new URL('project-cot.md', import.meta.url))

interface ProjectCotOptions {
  /** Names of the SDK: with them, a row is refused whose code uses a name that the prompt does not show. */
  known?: ReadonlySet<string>
  /** Share of a model's tiling values that must be right; tiling key and block count always must. Default 0.9. */
  leastScore?: number
}

const name = 'project-cot'

/** Most numbers that a summary may hold. */
const mostValues = 600

/**
 * A host-kernel pair becomes a prompt of instruction, call, hardware and code, reasoning on the host's tiling and on
 * the kernel's pipeline, and a summary of all tiling values (paper §4.1.2, tables 10 and 14): by a model in one
 * request, or offline from computed facts. The summary is compared with the values that the host really computed.
 * Drops: `tiling-unknown`, `tiling-too-large`, `prompt-lacks-name` and `hollow` (fewer than two decisions with
 * evidence) before any request; `reply-empty`, `reply-cut-off`, `reply-malformed`, `reply-speaks-of-answer`,
 * `reply-claims-run`; `tiling-summary-missing`, `tiling-summary-wrong` with score and values, and `code-disagreement`
 * with what contradicts the code.
 */
export default function projectCot({known, leastScore = 0.9}: ProjectCotOptions = {}): Stage<DescribedPair, CotSample> {
  return {
    name,
    version: 26,
    options: {
      prompt: modelPrompt,
      again: againPrompt,
      words: catalogueDigest(),
      leastScore,
      mostValues,
      ...asOption(known),
    },
    teacher: 'project',
    input: DescribedPair,
    output: CotSample,
    run: each(
      async (described, context): Promise<readonly CotSample[]> => {
        const {pair} = described
        const count = Object.values(pair.scenario.trace.tiling).flat().length
        if (count === 0)
          return context.drop(described, 'tiling-unknown', `${pair.operator}: no field of the tiling is known`)
        if (count > mostValues)
          return context.drop(described, 'tiling-too-large', `${pair.operator}: ${count} values, at most ${mostValues}`)
        const lacking = known ? await lackingIn(pair, known) : []
        if (lacking.length > 0) return context.drop(described, 'prompt-lacks-name', lackDetail(pair.operator, lacking))
        if (isHollow(pair.decisions ?? []))
          return context.drop(described, 'hollow', `${pair.operator}: hardly a decision of it has evidence`)
        const {seed, digests} = pair.scenario
        const random = randomFrom(context.seed, name, pair.origin.path, pair.operator, seed, digests.join())
        const speaker = voice(random.pick<Language>(['en', 'zh']), random)
        const material = {described, speaker, request: projectRequest(pair, described.kernel, speaker)}
        return context.llm
          ? askModel(material, leastScore, context.llm, context)
          : checked(material, writeOffline(material), 1, context)
      },
      {concurrency: 16},
    ),
  }
}

/** All code is shown: what it uses has to be declared in it, and the requested values must be in it. */
async function lackingIn({host, kernel, scenario}: HostKernelPair, known: ReadonlySet<string>): Promise<string[]> {
  const fields = Object.keys(scenario.trace.tiling).flatMap((name) => name.match(/[A-Za-z_]\w*/g) ?? [])
  const text = [...host, kernel].map((file) => file.text).join('\n')
  return [
    ...(await lackingNames(sided([...host, kernel]), '', known)),
    ...fields.filter((name) => !new RegExp(String.raw`\b${name}\b`).test(text)),
  ]
}

interface Material {
  described: DescribedPair
  speaker: Voice
  request: string
}

interface Draft {
  reasoning: string
  /** The text that holds the summary. */
  reply: string
  teacher: Teacher
}

function writeOffline({described: {pair, host}, speaker}: Material): Draft {
  const decisions = tellChosen(pair.decisions ?? [], speaker, {isAsked: true})
  const reasoning = paragraphs([sizesParagraph(pair, speaker), ...decisions, handedOver(pair, host, speaker)])
  return {reasoning, reply: summaryText(pair.scenario.trace), teacher: {kind: 'offline'}}
}

async function askModel(
  material: Material,
  leastScore: number,
  llm: LanguageModel,
  context: Context,
): Promise<readonly CotSample[]> {
  const {described, speaker, request} = material
  const content = renderPrompt(modelPrompt, {
    language: speaker.language === 'zh' ? 'Chinese' : 'English',
    facts: factsOf(material),
    request,
  })
  const {decisions = [], scenario} = described.pair
  const given = {
    text: `${content}\n${summaryText(scenario.trace)}`,
    decisions: decisions.filter(({because}) => because.some(({kind}) => kind === 'counterfactual')),
  }
  const faults = (text: string) => [...faultsOf(text, material), ...notBorneOut(text, given)]
  const {reply, parsed: reasoning} = await askTagged(llm, content, {tag: 'reasoning', faults}, context.signal)
  if (!reasoning.ok) return context.drop(described, reasoning.reason, reasoning.detail)
  const after = reply.text.slice(reply.text.indexOf('</reasoning>') + '</reasoning>'.length)
  const teacher: Teacher = {kind: 'model', model: reply.model}
  return checked(material, {reasoning: reasoning.value, reply: after, teacher}, leastScore, context)
}

/** What the code says and what a run showed; not the tiling, which the reply is scored by. */
function factsOf({described: {pair, host, kernel}}: Material): string {
  const {ubPeakBytes, buffers, blocks} = pair.scenario.trace
  const shares = [...new Set(blocks.map(({readBytes, writtenBytes}) => `${readBytes} in, ${writtenBytes} out`))]
  return factsJson({
    host: handedFacts(sideOfPair(pair, 'host'), {role: 'tiling', facts: host}),
    kernel: handedFacts(sideOfPair(pair, 'kernel'), {role: 'kernel', facts: kernel}),
    run: {buffers, ubPeakBytes, bytesMovedByCores: shares.slice(0, 4)},
    otherwise: (pair.decisions ?? []).map(({topic, subject, because}) => ({
      ...{topic, subject},
      because: because.filter(({kind}) => kind === 'counterfactual'),
    })),
  })
}

function faultsOf(reasoning: string, {described: {pair, host, kernel}, request}: Material): string[] {
  const {buffers, tiling} = pair.scenario.trace
  return disagreements(reasoning, {
    text: `${request}\n${buffers.map((one) => one.name).join(' ')}\n${Object.keys(tiling).join(' ')}`,
    constants: agreedConstants(new Map(host.constants), new Map(kernel.constants)),
  })
}

function checked(
  material: Material,
  {reasoning, reply, teacher}: Draft,
  leastScore: number,
  context: Context,
): readonly CotSample[] {
  const {described, speaker, request} = material
  const {pair} = described
  const {trace} = pair.scenario
  const scored = scoreSummary(reply, trace)
  if (!scored.found) return context.drop(described, 'tiling-summary-missing', `${pair.operator}: ${scored.detail}`)
  if (!scored.exact || scored.score < leastScore) {
    const detail = `${pair.operator}: score ${scored.score.toFixed(2)}: ${scored.wrong.slice(0, 5).join('; ')}`
    return context.drop(described, 'tiling-summary-wrong', detail)
  }
  const faults = faultsOf(reasoning, material)
  if (faults.length > 0)
    return context.drop(described, 'code-disagreement', `${pair.operator}: ${faults.slice(0, 5).join('; ')}`)
  return [
    {
      kind: 'project',
      prompt: request,
      reasoning,
      // What was wrong within the tolerated share is put right: the values are known.
      answer: summaryText(trace),
      files: [],
      language: speaker.language,
      origin: pair.origin,
      teacher,
      stages: context.stages,
      verdict: {outcome: 'compiled', executor: pair.executor},
      proof: 'ran',
      ...(pair.scenario.call && {contract: pair.scenario.call.contract}),
      ...(pair.scenario.formula && {formula: pair.scenario.formula}),
      ...(pair.decisions && {decisions: pair.decisions}),
    },
  ]
}

/** A name may have one value on the host and another in the kernel. */
function agreedConstants(host: ReadonlyMap<string, number>, kernel: ReadonlyMap<string, number>): Map<string, number> {
  const differs = (name: string) => host.has(name) && kernel.has(name) && host.get(name) !== kernel.get(name)
  return new Map([...host, ...kernel].filter(([name]) => !differs(name)))
}
