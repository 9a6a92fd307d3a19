import {parseBlocks, type Block} from '../../../datasets/blocks.ts'
import type {ContractParameter, Dimension} from '../../../datasets/schema/contract.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {readTable, type Table} from '../../../datasets/tables.ts'
import {dtypeOfConstant} from '../../../cpp/types.ts'

/**
 * The parameters of a page's tables, its README or that of its interface, with what the rest of the page says about
 * shapes.
 */
export function pageParameters(page: string, path: string): PageParameter[] {
  const text = page.replaceAll('\r\n', '\n')
  const found = new Map<string, PageParameter & Pick<Row, 'said'>>()
  let from = 0
  for (const block of parseBlocks(text)) {
    const at = Math.max(from, text.indexOf(block.source, from))
    from = at
    if (block.kind !== 'table') continue
    const line = text.slice(0, at).split('\n').length
    for (const one of tableParameters(block)) {
      const row = block.source.split('\n').findIndex((text) => new RegExp(`\\b${one.name}\\b`).test(text))
      const place = {path, line: line + Math.max(0, row)}
      if (!found.has(one.name)) found.set(one.name, {...one, place})
    }
  }
  const told = toldShapes(prose(text), new Set(found.keys()))
  const tensors = [...found.values()].flatMap(({kind, name}) => (kind === 'attribute' ? [] : name))
  return [...found.values()].map(({said, ...one}) => {
    if (one.kind === 'attribute') return one
    const others = one.shapes.length > 0 ? [] : (told.get(one.name) ?? [])
    const shapes = others.filter(({length}) => one.ranks.length === 0 || one.ranks.includes(length))
    const like = likeIn(said, one.name, tensors)
    return {...one, ...(shapes.length > 0 && {shapes}), ...(like !== undefined && {like})}
  })
}

function prose(text: string): string {
  return parseBlocks(text)
    .flatMap((block) => (block.kind === 'table' || block.kind === 'code' ? [] : block.source))
    .join('\n')
}

/** `meaning` is on one line; used in requests, not for drawing calls. */
type PageParameter = ContractParameter & {meaning?: string}
/** `said` is everything that its row says about its shape. */
type Row = Omit<PageParameter, 'place'> & {said: string}

const columns = {
  name: /^(?:参数名称?|名称|name|parameter)/i,
  kind: /^(?:输入\/输出|参数类型|类别|in(?:put)?\/out|i\/o)/i,
  description: /^(?:描述|说明|含义|使用说明|description|usage)/i,
  dtypes: /^(?:数据类型|dtype|data ?type)/i,
  shape: /^(?:维度|shape|形状)/i,
  optional: /^(?:可选|是否必选|是否可选|required|optional)/i,
}

function tableParameters(block: Extract<Block, {kind: 'table'}>): Row[] {
  const {header, rows} = readTable(block)
  const at = (pattern: RegExp) => header.flatMap((title, index) => (pattern.test(title.trim()) ? [index] : []))
  const places = Object.fromEntries(Object.entries(columns).map(([name, pattern]) => [name, at(pattern)])) as Columns
  if (places.name.length === 0 || places.kind.length === 0) return []
  return rows.flatMap((row) => rowParameter(row, places))
}

type Columns = Record<keyof typeof columns, number[]>

function rowParameter(row: Table['rows'][number], places: Columns): Row[] {
  const cell = (column: keyof Columns) => places[column].map((index) => row[index] ?? '').join('\n')
  const name = /^[A-Za-z]\w*/.exec(cell('name').replace(/\\_/g, '_').trim())?.[0]
  const kind = kindOf(cell('kind'), cell('name'))
  if (name === undefined || !kind || /^(?:workspaceSize|executor|workspace|stream)$/.test(name)) return []
  const [shape, description] = [cell('shape'), cell('description')]
  const isOptional = /可选|optional/i.test(cell('kind')) || /^(?:可选|否|optional)/i.test(cell('optional'))
  const ranks = kind === 'attribute' ? [] : ranksIn(shape, description)
  // Names of what a list holds are written as a shape is.
  const shapes = shapesIn(shape, description).filter(({length}) => ranks.length === 0 || ranks.includes(length))
  const range = rangeIn(description)
  const given = defaultIn(description)
  return [
    {
      name,
      kind,
      ...(description !== '' && {meaning: meaningIn(description)}),
      optional: isOptional || /可选参数|可传(?:入)?空指针|支持传(?:入)?空|可以?为空/.test(description),
      dtypes: dtypesIn(cell('dtypes')),
      shapes: kind === 'attribute' ? [] : shapes,
      ranks,
      said: `${shape}\n${description}`,
      ...(range && {range}),
      ...(kind === 'input' && namesPlaces.test(`${description}\n${shape}`) && {hasPlaces: true}),
      ...(given !== undefined && {default: given}),
    },
  ]
}

/** Items of a list become sentences of one line. */
function meaningIn(description: string): string {
  const items = description.split('\n').map((line) => line.replace(/^[\s•]+/, '').trim())
  return items
    .filter((one) => one !== '')
    .map((one) => (/[。；;.:：，,]$/.test(one) ? one : `${one}；`))
    .join('')
    .replace(/[；;]$/, '')
}

/** A region gives its image before its corners. */
const namesPlaces = /batch_?(?:index|idx|ids?|inds?)\b|image_?(?:id|index)\b|索引|下标/i

function kindOf(text: string, name: string): ContractParameter['kind'] | undefined {
  if (/属性|attr/i.test(text)) return 'attribute'
  if (/输出|output/i.test(text) && !/输入|input/i.test(text)) return 'output'
  if (!/输入|input/i.test(text)) return undefined
  // A page of the interface calls everything passed in an input, and writes the type after the name.
  const type = /[（(]([^）)]*)[）)]/.exec(name)?.[1]
  return type !== undefined && !type.includes('aclTensor') ? 'attribute' : 'input'
}

const typeWords = new Map<string, Dtype>([
  ['FLOAT32', 'float32'],
  ['BFLOAT16', 'bfloat16'],
  ['FP32', 'float32'],
  ['FP16', 'float16'],
  ['HALF', 'float16'],
])

function dtypesIn(cell: string): Dtype[] {
  const words = cell.toUpperCase().match(/[A-Z]+\d*/g) ?? []
  return [...new Set(words.flatMap((word) => typeWords.get(word) ?? dtypeOfConstant(`DT_${word}`) ?? []))]
}

function shapesIn(shape: string, description: string): ContractParameter['shapes'] {
  const own = dimensionsIn(shape)
  if (own.length > 0) return own
  const said = /(?:shape|形状|维度|张量|梯度|坐标|Tensor)[^\n。；;]{0,16}?(?=[（([])/i.exec(description)
  return said ? dimensionsIn(description.slice(said.index)) : []
}

const alike = [
  String.raw`(?:shape|形状)[^\n。；;，,第轴]{0,12}?(?:与|和|同)[^\n。；;，,A-Za-z]{0,8}NAME[^\n。；;，,]{0,14}?(?:相同|一致|一样)`,
  String.raw`(?:与|和|同)[^\n。；;A-Za-z]{0,8}NAME的?[^\n。；;]{0,10}?(?:shape|形状)[^\n。；;轴第]{0,8}?(?:相同|一致)`,
  '(?:same shape as|shape (?:is )?the same as)\\s+`?NAME',
]

/** The tensor of the page whose shape a parameter should have; `dtype` and the sizes of a list are not tensors. */
function likeIn(text: string, name: string, tensors: readonly string[]): string | undefined {
  const others = tensors.filter((one) => one !== name).map((one) => one.replace(/(?:_o|O)ptional$/, '(?:_?Optional)?'))
  if (others.length === 0) return undefined
  // Without its marks of code, a name may stand right before the next word.
  const names = String.raw`(${others.join('|')})(?=\W|shape|$)`
  return alike
    .map((pattern) => new RegExp(pattern.replace('NAME', names), 'i').exec(text)?.[1])
    .find((one) => one !== undefined)
}

const number = String.raw`(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)`

function rangeIn(text: string): [number, number] | undefined {
  const found = new RegExp(
    String.raw`(?:取值|范围|range)[^\n。；;]{0,12}?[[(（]\s*${number}\s*[,，~]\s*${number}\s*[\])）]`,
    'i',
  )
  const [, least, most] = found.exec(text) ?? []
  return least === undefined || most === undefined ? undefined : [Number(least), Number(most)]
}

function defaultIn(text: string): ContractParameter['default'] {
  const written = /(?:默认值?|default)\s*(?:是|为|：|:|to|is)?\s*([-\w.]+|"[^"\n]*")/i.exec(text)?.[1]
  if (written === undefined) return undefined
  if (/^(?:true|false)$/i.test(written)) return /^true$/i.test(written)
  const value = Number(written.replace(/\.$/, ''))
  if (Number.isFinite(value)) return value
  return written.startsWith('"') ? written.slice(1, -1) : undefined
}

type Shapes = Dimension[][]

/** A bracket right after a name indexes it, `x3[0]`, except in `shape(4, N)`. */
const list = /(?:(?<=shape)|(?<![A-Za-z0-9_]))([[(（【])\s*([^[\](（）)【】\n]{0,90}?)\s*([\])）】])/gi
const dimension = /^(?:\d+|\$?[A-Za-z]\w*\$?|\d+\s*\*\s*[A-Za-z]\w*|[A-Za-z]\w*\s*(?:\*|\/\/?)\s*(?:\d+|[A-Za-z]\w*))$/

/**
 * The lists of sizes in a text: `[numRois, 5]`, `(N, C, H_in, W_in)`. A list of coordinates is not a shape: its names
 * are small letters with numbers, or words repeated with `min` and `max`.
 */
export function dimensionsIn(text: string): Shapes {
  const found: Shapes = []
  for (const [, open = '', inner = '', shut = ''] of latexless(text).matchAll(list)) {
    if (open === '[' && shut === ')') continue // a range without its end: `[0, B)`
    const parts = inner.split(/[,，、]/).map((one) => one.trim())
    if (parts.at(-1) === '') parts.pop()
    if (parts.length === 0 || parts.length > 8 || !parts.every((one) => dimension.test(one))) continue
    if (isCoordinates(parts) || parts.includes('0')) continue
    const sizes = parts.map((one) => (/^\d+$/.test(one) ? Number(one) : plainSize(one)))
    if (sizes.every((one) => typeof one === 'number') && parts.length === 2 && isRange(sizes as number[])) continue
    if (!found.some((other) => JSON.stringify(other) === JSON.stringify(sizes))) found.push(sizes)
  }
  return found
}

const isRange = ([least = 0, most = 0]: readonly number[]) => least <= 1 && most > least

const corner = /^[xyzwhrdt]\d?'?$|_?(?:min|max)$|^(?:true|false|none|mean|sum)$/i

/** The corners of a box, or one index in a formula. */
function isCoordinates(parts: readonly string[]): boolean {
  const isOneIndex = parts.length === 1 && /^[a-z]$/.test(parts[0] ?? '')
  return isOneIndex || parts.some((one) => corner.test(one) && !/^[A-Z]$/.test(one))
}

/** `H_{in}` → `H_in`; formulas write sizes so. */
function latexless(text: string): string {
  return text
    .replace(/\\_/g, '_')
    .replace(/\\(?:text|mathrm|rm)\s*/g, '')
    .replace(/_\{([\w, ]+)\}/g, '_$1')
    .replace(/[$`{}]|\\\\/g, '')
}

const plainSize = (text: string) => text.replace(/\s+/g, '').replace('//', '/').replace(/\$/g, '')

const digits = new Map([...'零一二三四五六七八'].map((one, value) => [one, value]))
const numeral = (text: string) => digits.get(text) ?? Number(text)
const count = '([0-8一二三四五六七八])'

/** How many dimensions a column of shapes or a description allows; empty if neither says. */
export function ranksIn(shape: string, description: string): number[] {
  const column = shape.replace(/[（(][^）)]*[）)]/g, '').trim()
  const span = /^(\d)\s*(?:-|~|—|至|到)\s*(\d)\s*(?:维|D)?$/.exec(column)
  if (span) return between(Number(span[1]), Number(span[2]))
  const listed = /^\d(?:\s*[,，、/或]\s*\d)*\s*(?:维|D)?$/.test(column) ? column.match(/\d/g) : null
  if (listed) return listed.map(Number).filter((one) => one <= 8)
  const text = `${shape}\n${description}`
  const spanned = new RegExp(`${count}\\s*(?:维|D)?\\s*(?:-|~|到|至)\\s*${count}\\s*(?:维|D\\b)`).exec(text)
  if (spanned) return between(numeral(spanned[1] as string), numeral(spanned[2] as string))
  const either = new RegExp(`${count}\\s*(?:维|D)?\\s*[或、/]\\s*${count}\\s*(?:维|D\\b)`).exec(text)
  if (either) return [numeral(either[1] as string), numeral(either[2] as string)]
  const one = new RegExp(`(?:^|[^\\d第前后末最每])${count}\\s*(?:维|D\\b)(?!度?大小|度?上)`, 'm').exec(text)
  return one ? [numeral(one[1] as string)] : []
}

function between(least: number, most: number): number[] {
  return most < least || most > 8 ? [] : Array.from({length: most - least + 1}, (_, at) => least + at)
}

/** Shapes that sentences and formulas give to parameters: `query的shape用（b, s, n, d）表示`, `grid: (N, H_{out}, …)`. */
function toldShapes(text: string, names: ReadonlySet<string>): Map<string, Shapes> {
  const found = new Map<string, Shapes>()
  for (const line of latexless(text).split('\n')) {
    for (const sentence of line.split(/[。；;]/)) {
      for (const match of sentence.matchAll(announced)) {
        const shapes = dimensionsIn(match[2] ?? '')
        const named = (match[1] ?? '').match(/[A-Za-z]\w*/g)?.filter((one) => names.has(one)) ?? []
        for (const name of shapes.length > 0 ? named : []) found.set(name, [...(found.get(name) ?? []), ...shapes])
      }
    }
  }
  return found
}

const announced = new RegExp(
  [
    String.raw`((?:[A-Za-z]\w*)(?:\s*(?:[、,，/]|和|与|及|and)\s*[A-Za-z]\w*)*)`,
    String.raw`(?:\s*[：:]\s*|[^[\](（）)A-Za-z\n]{0,16}?(?:[（(]\s*)?(?:shape|形状)[^[(（A-Z\n]{0,14})`,
    String.raw`([[(（][^\])）\n]{1,90}[\])）])`,
  ].join(''),
  'gi',
)
