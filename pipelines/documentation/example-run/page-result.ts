import {balanced} from '../../../cpp/tokenized.ts'

/** A number as a page writes it. */
export interface Written {
  value: number
  /** One unit of the last place that is written; 0 for an integer. */
  unit: number
}

/** What a page says of one operand of an example. */
export interface Stated {
  name: string
  role: 'input' | 'output' | 'initial'
  /** The element type that stands beside the values, as C++ writes it. */
  type?: string
  /** Runs of neighbouring values; between two of them something is left out. */
  runs: Written[][]
  /** Whether something is left out behind the last run. */
  isOpen: boolean
}

const elementType = `half|float|bfloat16_t|u?int(?:8|16|32|64)_t`
const word = String.raw`(?<role>输入|输出|inputs?\b|outputs?\b)(?:数据|\s+data)?`
const shape = String.raw`(?:shape\s*[：:]\s*\[[^\]\n]*\]\s*)?`
const name = String.raw`[（(]?\s*(?<name>[A-Za-z_]\w*)(?<note>[^\n[：:=]*?${shape})[）)]?`
const label = new RegExp(String.raw`${word}\s*${name}\s*(?<initial>初始值)?\s*[：:=]\s*(?=[-[\d.])`, 'gi')

/**
 * The values that a page gives for the operands of an example: `输入数据src0Local: [1 2 3 ... 512]`,
 * `输出数据(dstLocal): [...]`. Nested brackets are read in row-major order. Undefined where a value is none.
 */
export function readPageResult(text: string): Stated[] | undefined {
  const labels = [...text.matchAll(label)]
  const stated: Stated[] = []
  for (const [index, match] of labels.entries()) {
    const from = match.index + match[0].length
    const written = text.slice(from, labels[index + 1]?.index)
    const values = readValues(valuesIn(written))
    if (!values) return undefined
    const {role = '', name = '', note = '', initial} = match.groups ?? {}
    const type = new RegExp(String.raw`\b(${elementType})\b`).exec(`${note} ${lineRest(written)}`)?.[1]
    const given = /输入|input/i.test(role) ? 'input' : 'output'
    stated.push({name, role: initial ? 'initial' : given, ...values, ...(type === undefined ? {} : {type})})
  }
  return stated
}

/** What is in the brackets, or the number up to the end of the line. */
function valuesIn(written: string): string {
  if (!written.startsWith('[')) return /^\S+/.exec(written)?.[0] ?? ''
  const inside = balanced(written, 0)
  return inside === undefined ? written : `[${inside}]`
}

/** `// int8_t类型` behind the values. */
function lineRest(written: string): string {
  return written.slice(valuesIn(written).length).split('\n')[0] ?? ''
}

function readValues(text: string): Pick<Stated, 'runs' | 'isOpen'> | undefined {
  const pieces = text.replace(/[[\],，;]/g, ' ').split(/\.{3,}|…+/)
  const runs = pieces.map((piece) =>
    piece
      .split(/\s+/)
      .filter((token) => token !== '')
      .map(readNumber),
  )
  if (runs.some((run) => run.includes(undefined)) || runs.flat().length === 0) return undefined
  const known = runs as Written[][]
  const isOpen = known.length > 1 && known.at(-1)?.length === 0
  return {runs: isOpen ? known.slice(0, -1) : known, isOpen}
}

function readNumber(token: string): Written | undefined {
  const special = new Map([
    ['nan', NaN],
    ['-nan', NaN],
    ['inf', Infinity],
    ['-inf', -Infinity],
    ['true', 1],
    ['false', 0],
  ]).get(token.toLowerCase())
  if (special !== undefined) return {value: special, unit: 0}
  const number = /^[-+]?(?:\d+(\.\d*)?|(\.\d+))(?:e([-+]?\d+))?$/i.exec(token)
  if (!number) return undefined
  const fraction = number[1] ?? number[2]
  const unit = fraction === undefined ? 0 : 10 ** (1 - fraction.length + Number(number[3] ?? 0))
  return {value: Number(token), unit: fraction === '.' ? 0 : unit}
}
