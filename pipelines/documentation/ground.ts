import {cutComments} from '../../cpp/code-pieces.ts'
import {ReferencedSample} from '../../datasets/schema/document.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {withoutCode} from './overlap.ts'

/** Keeps the samples whose answers their references support. Drops: `name-not-in-page`, `number-not-in-page`. */
export default function ground(): Stage<ReferencedSample, CotSample> {
  return {
    name: 'documentation-ground',
    version: 3,
    input: ReferencedSample,
    output: CotSample,
    run: each(({sample, reference}, context): readonly CotSample[] => {
      const problem = findUngrounded(sample.prompt, sample.answer, reference)
      if (problem) return context.drop(sample, problem.reason, problem.detail)
      return [{...sample, stages: {...sample.stages, ...context.stages}}]
    }),
  }
}

/** Why an answer is not borne out by its page, with the first few things that are missing there. */
interface Ungrounded {
  reason: 'name-not-in-page' | 'number-not-in-page'
  detail: string
}

/**
 * Checks an answer against the text it may lean on: names of APIs, types and constants, and numbers with a unit, must
 * occur there or in the question. Element counts and byte counts may also follow from a number there by the size of an
 * element.
 * @param reference the section, the rest of its page and whatever else was shown to the writer
 */
export function findUngrounded(question: string, answer: string, reference: string): Ungrounded | undefined {
  const known = `${question}\n${decode(reference)}`
  const names = missingNames(answer, known)
  if (names.length > 0) return {reason: 'name-not-in-page', detail: names.slice(0, 5).join(', ')}
  const numbers = missingNumbers(withoutCode(answer), question, decode(reference))
  if (numbers.length > 0) return {reason: 'number-not-in-page', detail: numbers.slice(0, 5).join(', ')}
  return undefined
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\\([_*])/g, '$1')
}

function codeOf(answer: string): string {
  return [...answer.matchAll(/^\s*```[\w+-]*\n([^]*?)^\s*```/gm)].map((block) => block[1]).join('\n')
}

// The language, its library, and the words of this field that name no API.
const everywhere = new Set(
  [
    'AscendC GlobalTensor LocalTensor TPipe TQue TBuf TPosition GM_ADDR CopyIn CopyOut Compute Process Init',
    'GlobalMemory UnifiedBuffer DataBlock DoubleBuffer VECIN VECOUT VECCALC int8_t uint8_t int16_t uint16_t int32_t',
    'uint32_t int64_t uint64_t size_t bfloat16_t sizeof static_cast reinterpret_cast constexpr std min max',
  ].flatMap((line) => line.split(' ')),
)

function missingNames(answer: string, known: string): string[] {
  const knownNames = new Set(known.match(/[A-Za-z_]\w*/g) ?? [])
  const code = codeOf(answer)
  const own = declaredIn(code)
  const used = [...namesInProse(withoutCode(answer)), ...namesInCode(code)]
  return [...new Set(used.filter((name) => !knownNames.has(name) && !everywhere.has(name) && !own.has(name)))]
}

/** Names that a reader would look up: qualified, called, in code ticks, or of several words run together. */
function namesInProse(prose: string): string[] {
  const found: string[] = []
  for (const match of prose.matchAll(/`([^`\n]+)`/g))
    found.push(
      ...(match[1]!.match(/[A-Za-z_]\w{2,}/g) ?? []).filter((word) => isNameLike(word) || /^[A-Z]\w{2,}$/.test(word)),
    )
  for (const match of prose.replace(/`[^`\n]+`/g, '').matchAll(/(?<![\w./-])[A-Za-z_]\w{2,}(?![\w./-])/g))
    if (isNameLike(match[0])) found.push(match[0])
  return found
}

function isNameLike(word: string): boolean {
  return (
    /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$/.test(word) ||
    /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(word) ||
    /\w_\w/.test(word) ||
    /^__\w+/.test(word)
  )
}

/** Names that the code takes from outside: qualified ones, calls, and template types. */
function namesInCode(code: string): string[] {
  const text = cutComments(code)
    .replace(/"[^"\n]*"/g, '""')
    .replace(/^\s*#.*$/gm, '')
  return [
    ...[...text.matchAll(/AscendC::([A-Za-z_]\w*)/g)].map((match) => match[1]!),
    ...[...text.matchAll(/(?<![\w])([A-Z]\w{2,})\s*(?:<[^;(){}]*>)?\s*[({]/g)].map((match) => match[1]!),
    ...[...text.matchAll(/(?<![\w])([A-Z]\w{2,})\s*</g)].map((match) => match[1]!),
  ]
}

const typeDeclaration = /\b(?:class|struct|enum|namespace|using|typename|define)\s+(?:class\s+)?([A-Za-z_]\w*)/g
const variableDeclaration = /\b(?:void|bool|auto|\w+_t|int|float|half|graphStatus)\s*[&*]?\s+([A-Za-z_]\w*)\s*[(=;{[]/g
const tilingDeclaration = /BEGIN_TILING_DATA_DEF\((\w+)\)/g

function declaredIn(code: string): Set<string> {
  const patterns = [typeDeclaration, variableDeclaration, tilingDeclaration]
  return new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!)))
}

type Unit = 'bytes' | 'bits' | 'elements' | 'blocks' | 'cores' | 'times'

const units: readonly [RegExp, Unit, number][] = [
  [/^(?:KB|KiB)/i, 'bytes', 1024],
  [/^(?:MB|MiB)/i, 'bytes', 1024 ** 2],
  [/^(?:GB|GiB)/i, 'bytes', 1024 ** 3],
  [/^(?:字节|bytes?\b|B\b|-byte)/i, 'bytes', 1],
  [/^(?:比特|bits?\b|-bit|位(?!置))/i, 'bits', 1],
  [/^(?:个)?(?:\w+)?(?:元素|elements?\b)/i, 'elements', 1],
  [/^(?:个)?(?:DataBlocks?|数据块|data blocks?)/i, 'blocks', 1],
  [/^(?:个)?(?:核|cores?\b)/i, 'cores', 1],
  [/^(?:次|times?\b)/i, 'times', 1],
]

interface Quantity {
  number: string
  written: string
  value: number
  unit: Unit
}

const quantityText = /(?<![\w.])(\d+(?:\.\d+)?)\s*(?=[-A-Za-z\u4E00-\u9FFF])([-A-Za-z\u4E00-\u9FFF _]{1,20})/g

function quantities(text: string): Quantity[] {
  return [...text.matchAll(quantityText)].flatMap(([, number = '', words = '']) => {
    const found = units.find(([pattern]) => pattern.test(words))
    if (!found) return []
    const [, unit, size] = found
    const written = unit === 'bytes' && size > 1 ? words.slice(0, 2) : unit
    return [{number, written: `${number} ${written}`, value: Number(number) * size, unit}]
  })
}

function missingNumbers(prose: string, question: string, reference: string): string[] {
  const stated = [...quantities(reference), ...quantities(question)]
  const apart = numbersApart(reference)
  const asked = (question.match(/\d+/g) ?? []).map(Number)
  return quantities(prose)
    .filter((quantity) => !apart.has(quantity.number) && !isBorneOut(quantity, stated, asked))
    .filter(({value, unit}) => !(unit === 'bits' && reference.includes(`int${value}_t`)))
    .map(({written}) => written)
}

/** In a table or a range the unit is separate from the number: in the header, or in the sentence around it. */
function numbersApart(reference: string): Set<string> {
  return new Set(
    reference
      .split('\n')
      .filter((line) => /\||<td|单位|\bunit\b|\[\s*-?\d+\s*[,，]/i.test(line))
      .flatMap((line) => line.match(/\d+(?:\.\d+)?/g) ?? []),
  )
}

/** What one call can count at most by the type of its parameter: an amount that was asked about may take several. */
const countsPerCall = [255, 65_535]

/**
 * Stated as such, or a count of elements and their bytes, one of which is stated, or the calls that a number of the
 * question takes.
 */
function isBorneOut({value, unit}: Quantity, stated: readonly Quantity[], asked: readonly number[]): boolean {
  const values = (of: Unit) => stated.filter((each) => each.unit === of).map((each) => each.value)
  const counts = unit === 'bytes' ? [...values('elements'), ...asked] : []
  const bytes = unit === 'elements' ? values('bytes') : []
  return (
    values(unit).includes(value) ||
    (unit === 'times' &&
      value > 1 &&
      countsPerCall.some((most) => asked.some((each) => Math.ceil(each / most) === value))) ||
    [1, 2, 4, 8].some((size) => counts.includes(value / size) || bytes.includes(value * size))
  )
}
