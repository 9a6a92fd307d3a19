import {parseBlocks, type Block} from '../../../datasets/blocks.ts'
import type {ContractParameter} from '../../../datasets/schema/contract.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {readTable, type Table} from '../../../datasets/tables.ts'
import {dtypeOfConstant} from '../../../cpp/types.ts'
import {dimensionsIn, ranksIn, toldShapes} from './told-shapes.ts'

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
