import {readFileSync} from 'node:fs'
import {castRoundings} from '../../../cpp/interfaces/casts.ts'
import {type ElementType, elementBytes} from './dtypes.ts'
import {type PrimitiveName, primitiveOf, primitives} from './primitives.ts'
import {signatureOf} from './signature.ts'

/** The description of the language, for people and for prompts, with the table of its operations filled in. */
export function languagePage(): string {
  const text = readFileSync(new URL('./page.md', import.meta.url), 'utf8')
  return text.replace('{{operations}}', `${operationsTable()}\n\n${castsLine()}`)
}

const short: Record<ElementType, string> = {
  float32: 'f32',
  float16: 'f16',
  bfloat16: 'bf16',
  int64: 'i64',
  int32: 'i32',
  int16: 'i16',
  int8: 'i8',
  uint8: 'u8',
  bool: 'bool',
}

/** One line for each form and each choice of element types that operations share. */
function operationsTable(): string {
  const rows = (Object.keys(primitives) as PrimitiveName[]).map((name) => {
    const {types, meaning} = primitiveOf(name)
    const taken = types.map((type) => short[type]).join(' ')
    return `| \`${signatureOf(name)}\` | ${taken} | ${[meaning, ...notesOf(name)].join('; ')} |`
  })
  return ['| operation | types | meaning |', '|--|--|--|', ...rows].join('\n')
}

/** Requirements of only some operations. */
function notesOf(name: PrimitiveName): string[] {
  const {scratch, apart, ubTaken} = primitiveOf(name)
  const notes: string[] = []
  if (scratch) {
    const factors = Object.entries(scratch).map(([type, factor]) => `${factor} for ${short[type as ElementType]}`)
    notes.push(`tmp: n x 256 bytes at least, n x the bytes of src at best, n is ${factors.join(', ')}`)
  }
  if (apart) notes.push('dst is not src')
  if (ubTaken) notes.push(`a kernel that has it leaves ${ubTaken} bytes of UB free`)
  return notes
}

/** Pairs of types that `cast` takes, by source. */
function castsLine(): string {
  const types = Object.keys(elementBytes) as ElementType[]
  const pairs = types.flatMap((from) => {
    const to = types.filter((one) => one !== from && castRoundings(from, one))
    if (to.length === 0) return []
    const targets = to.map((one) => `${short[one]}${castRoundings(from, one)!.length === 1 ? '*' : ''}`)
    return `${short[from]} to ${targets.join(' ')}`
  })
  return `Casts: ${pairs.join('; ')}. Those with * do not round. f32 to f32 rounds to whole numbers.`
}
