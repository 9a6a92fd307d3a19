import {createTwoFilesPatch, FILE_HEADERS_ONLY} from 'diff'
import {DescribedSource} from '../../datasets/schema/code-facts.ts'
import {type Decision, isHollow} from '../../datasets/schema/decision.ts'
import {CotSample, type Teacher} from '../../datasets/schema/sample.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {asOption, lackDetail, lackingNames} from './closed-world.ts'
import {disagreements} from '../facts/agreement.ts'
import {notBorneOut} from '../facts/borne-out.ts'
import {factsJson, handedFacts} from '../facts/facts-json.ts'
import {fence, givenCode} from './given-code.ts'
import {extensionCut} from './extension-cut.ts'
import {extension} from './offline/extension.ts'
import {isReadable} from './offline/purpose-sentence.ts'
import {code, paragraphs, voice, type Language, type Voice} from '../../datasets/voice.ts'
import {requestOf, writtenPurpose} from './offline/tell.ts'
import {fileDecisions} from '../facts/decisions/file-decisions.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import {tellChosen} from '../telling/tell-chosen.ts'
import {ofEvery, tellDecisions} from '../telling/tell-decisions.ts'
import {againPrompt, askTagged} from './kernel-reply.ts'

const requestPrompt = loadPrompt(new URL('kernel-cot-request.md', import.meta.url))
const reasoningPrompt = loadPrompt(new URL('kernel-cot-reasoning.md', import.meta.url))

interface KernelCotOptions {
  /** Names of the SDK: with them, a row is refused whose answer uses a name that its prompt does not show. */
  known?: ReadonlySet<string>
  /**
   * Most UTF-8 bytes of a file and the code that its request shows. Default 60,000: about 20,000 tokens, what a
   * training context holds in addition to the reasoning.
   */
  maxBytes?: number
}

const name = 'kernel-cot'

/**
 * A compiled source becomes request, reasoning and code (paper §4.1.2, tables 9 and 13): by a model in two requests,
 * the request from the code and the reasoning for the pair; without a model from facts of static analysis. Rows are
 * written in both languages, one language per record. Drops: `source-too-long` with what it uses, `hollow` (hardly a
 * decision of the code is known), `prompt-lacks-name` with the names, `reply-empty`, `reply-cut-off`,
 * `reply-malformed`, `reply-speaks-of-answer`, `reply-claims-run`, and `code-disagreement` with what contradicts the
 * code.
 */
export default function kernelCot({
  known,
  maxBytes = 60_000,
}: KernelCotOptions = {}): Stage<DescribedSource, CotSample> {
  return {
    name,
    version: 36,
    options: {
      request: requestPrompt,
      reasoning: reasoningPrompt,
      again: againPrompt,
      maxBytes,
      words: catalogueDigest(),
      ...asOption(known),
    },
    teacher: 'kernel',
    requestsPerRecord: 2,
    input: DescribedSource,
    output: CotSample,
    run: each(
      async (source, context): Promise<readonly CotSample[]> => {
        const uses = await givenCode(source, 'en')
        const bytes = Buffer.byteLength(source.target.text) + Buffer.byteLength(uses)
        return bytes > maxBytes
          ? context.drop(source, 'source-too-long', `${placeOf(source)}: ${bytes} bytes with what it uses`)
          : samplesOf(source, known, context)
      },
      {concurrency: 16},
    ),
  }
}

async function samplesOf(
  source: DescribedSource,
  known: ReadonlySet<string> | undefined,
  context: Context,
): Promise<readonly CotSample[]> {
  const random = randomFrom(context.seed, name, source.origin.repository, source.origin.path)
  const speaker = voice(random.pick<Language>(['en', 'zh']), random)
  const decisions = decisionsOf(source)
  const own = isDocumentedIn(speaker, source) ? speaker : inOther(speaker, random)
  const material = {source, known, voice: own, decisions}
  return context.llm ? askModel(material, context.llm, context) : writeOffline(material, context)
}

/** What a run's decision of that topic says as well. */
const saysToo: Readonly<Record<string, string>> = {
  'conversion route': 'element-type',
  'conversion bfloat16': 'element-type',
}

/** What its facts say, and behind it what a run says better. */
function decisionsOf({ran, described, ...source}: DescribedSource): Decision[] {
  const known = fileDecisions(source, described, ran?.tiling)
  const seen = ran?.decisions ?? []
  const isWorked = seen.some(({because}) => because.some(({kind}) => kind === 'arithmetic'))
  // Which copy it has to be, a run says by its lengths.
  const isMeasured = seen.some(({topic, situation}) => topic === 'copy' && situation !== 'observed')
  const isSaid = ({topic, situation}: Decision) =>
    seen.some((one) => one.topic === topic && !(one.situation === 'observed' && isCommon(one))) ||
    (isWorked && situation.startsWith('example-')) ||
    (/^(?:limited|capped)/.test(situation) && seen.some((one) => one.situation.startsWith('cap-'))) ||
    seen.some((one) => one.situation !== 'observed' && one.topic === saysToo[`${topic} ${situation}`]) ||
    (topic === 'conversion' && situation === 'rint' && seen.some((one) => one.topic === 'rounding')) ||
    (isMeasured && topic === 'copies' && /^(?:bytes|count$|by-alignment)/.test(situation))
  return [...known.filter((one) => !isSaid(one)), ...seen]
}

/** Whether the authors' description of the purpose exists in the voice's language, or in none. */
function isDocumentedIn(speaker: Voice, source: DescribedSource): boolean {
  const texts = writtenPurpose(source)
  const other = inOther(speaker, randomFrom('any'))
  return texts.some((one) => isReadable(one, speaker)) || !texts.some((one) => isReadable(one, other))
}

function inOther({language}: Voice, random: Random): Voice {
  return voice(language === 'en' ? 'zh' : 'en', random)
}

interface Material {
  source: DescribedSource
  known: ReadonlySet<string> | undefined
  voice: Voice
  decisions: Decision[]
}

/** What one decision is enough for, by topic or situation. */
const telling = new Set<string>([
  ...['formula', 'keys', 'matmul', 'buffers', 'elements'],
  ...['by-alignment', 'rows-gap-in', 'rows-gap-out', 'horner', 'transpose', 'cores', 'border'],
])

/** Whether its evidence is only of what any operator shows. */
const isCommon = ({because}: Decision) =>
  because.length > 0 && because.every((one) => one.kind === 'counterfactual' && ofEvery.has(one.change))

function isThin(all: readonly Decision[]): boolean {
  const decisions = all.filter((one) => !isCommon(one))
  if (!isHollow(decisions)) return false
  // Two instructions in their only order decide nothing, and where an operand lies is the least of a product.
  const isShort = ({situation, values}: Decision) =>
    (situation === 'in-place' && Number(values['instructions']) <= 2) || /^chosen-|^shaped$/.test(situation)
  return !decisions.some((one) => (telling.has(one.topic) && !isShort(one)) || telling.has(one.situation))
}

function dropThin(source: DescribedSource, context: Context): readonly CotSample[] {
  return context.drop(source, 'hollow', `${placeOf(source)}: hardly a decision of its code is known`)
}

async function writeOffline(material: Material, context: Context): Promise<readonly CotSample[]> {
  const {source, voice: speaker} = material
  const teacher: Teacher = {kind: 'offline'}
  const {decisions} = material
  const reasoning = toldDecisions(source, decisions, speaker)
  const whole = {request: requestOf(source, speaker), reasoning, given: '', teacher, decisions}
  const samples = await checked(material, whole, context)
  const cut = source.part ? undefined : await extensionCut(source, source.described)
  if (!cut || samples.length === 0) return samples
  const more = extension(source, cut, speaker)
  const before = speaker.say('The file as it is:', '现有文件：')
  const answer = patch(source.target.path, more.given, source.target.text)
  const given = `\n\n${before}\n\n${fence(more.given)}`
  return [...samples, ...(await checked(material, {...more, given, answer, teacher}, context))]
}

/** A file or a function of the device with fewer paragraphs says too little of itself. */
const leastOfDevice = 3

/** Other files' code is not described; device code, whose decisions are much alike, only in part. */
function toldDecisions({ran, role, target}: DescribedSource, decisions: readonly Decision[], speaker: Voice): string {
  const seen = ran?.decisions ?? []
  const own = decisions.filter((one) => !seen.includes(one))
  const told = role === 'kernel' ? tellChosen(own, speaker, {least: leastOfDevice}) : tellDecisions(own, speaker)
  return paragraphs([...told, ...tellDecisions(seen, speaker, target.text)])
}

function asked({part}: DescribedSource, patched: string | undefined): CotSample['asks'] {
  if (patched !== undefined) return 'change'
  return part ? 'function' : 'file'
}

/** What is added, as a unified diff: most of the file is in the prompt. */
function patch(path: string, before: string, after: string): string {
  const options = {context: 3, headerOptions: FILE_HEADERS_ONLY}
  return fence(createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, options), 'diff')
}

async function askModel(material: Material, llm: LanguageModel, context: Context): Promise<readonly CotSample[]> {
  const {source, decisions} = material
  const uses = await givenCode(source, material.voice.language)
  // What a request composed of the facts cannot name, a model's cannot either: then no request is made.
  const unnamed = await lackingIn(material, `${requestOf(source, material.voice)}${uses}`)
  if (unnamed.length > 0) return dropLacking(source, unnamed, context)
  if (isThin(decisions)) return dropThin(source, context)
  const shared = {
    language: material.voice.language === 'zh' ? 'Chinese' : 'English',
    facts: factsJson({...handedFacts(source, source.described), decisions}),
    code: source.target.text,
  }
  const names = (await lackingIn(material, uses)).map(code).join(', ')
  const asking = renderPrompt(requestPrompt, {...shared, names: names === '' ? 'none' : names})
  const {parsed: request} = await askTagged(llm, asking, {tag: 'request'}, context.signal)
  if (!request.ok) return context.drop(source, request.reason, request.detail)
  const left = await lackingIn(material, `${request.value}${uses}`)
  if (left.length > 0) return dropLacking(source, left, context)
  const content = renderPrompt(reasoningPrompt, {...shared, request: `${request.value}${uses}`})
  const faults = (text: string) => [...faultsOf(text, material), ...notBorneOut(text, {text: content, decisions})]
  const {reply, parsed: reasoning} = await askTagged(llm, content, {tag: 'reasoning', faults}, context.signal)
  if (!reasoning.ok) {
    const place = reasoning.reason === 'code-disagreement' ? `${placeOf(source)}: ` : ''
    return context.drop(source, reasoning.reason, `${place}${reasoning.detail}`)
  }
  return checked(
    material,
    {
      ...{request: request.value, reasoning: reasoning.value, given: ''},
      teacher: {kind: 'model', model: reply.model},
      decisions,
    },
    context,
  )
}

/** Names that the target uses and neither the SDK nor the prompt has; empty for code that was only parsed. */
async function lackingIn({source, known}: Pick<Material, 'source' | 'known'>, prompt: string): Promise<string[]> {
  if (!known || source.proof === 'parsed') return []
  return lackingNames([{text: source.target.text, side: source.side}], prompt, known)
}

function dropLacking(source: DescribedSource, lacking: readonly string[], context: Context): readonly CotSample[] {
  return context.drop(source, 'prompt-lacks-name', lackDetail(placeOf(source), lacking))
}

const placeOf = ({operator, target, part}: DescribedSource) =>
  `${operator} ${target.path}${part ? ` ${part.name}` : ''}`

interface Draft {
  request: string
  /** Code after the request, besides the file's dependencies; '' without any. */
  given: string
  /** Instead of the target, if only a part is requested. */
  answer?: string
  reasoning: string
  /** What the reasoning tells. */
  decisions?: Decision[]
  teacher: Teacher
}

function faultsOf(reasoning: string, {source}: Material): string[] {
  const text = [source.target, ...source.dependencies].map((file) => file.text).join('\n')
  return disagreements(reasoning, {
    text: `${text}\n${source.tiling}\n${source.operator} ${Object.keys(source.dtypes).join(' ')}`,
    constants: new Map(source.described.facts.constants),
  })
}

async function checked(
  material: Material,
  {request, reasoning, given, answer, decisions, teacher}: Draft,
  context: Context,
): Promise<readonly CotSample[]> {
  const {
    source,
    voice: {language},
  } = material
  const prompt = `${request}${given}${await givenCode(source, language)}`
  const lacking = await lackingIn(material, prompt)
  if (lacking.length > 0) return dropLacking(source, lacking, context)
  if (isThin(material.decisions)) return dropThin(source, context)
  const faults = faultsOf(reasoning, material)
  if (faults.length > 0)
    return context.drop(source, 'code-disagreement', `${placeOf(source)}: ${faults.slice(0, 5).join('; ')}`)
  return [
    {
      kind: 'kernel',
      side: source.side,
      role: source.role,
      asks: asked(source, answer),
      prompt,
      reasoning,
      answer: answer ?? fence(source.target.text),
      files: [source.target],
      language,
      origin: source.origin,
      teacher,
      stages: context.stages,
      ...(source.verdict && {verdict: source.verdict}),
      proof: source.ran ? 'ran' : source.proof,
      ...(decisions && {decisions}),
    },
  ]
}
