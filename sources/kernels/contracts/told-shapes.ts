import type {Dimension} from '../../../datasets/schema/contract.ts'

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
export function toldShapes(text: string, names: ReadonlySet<string>): Map<string, Shapes> {
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
