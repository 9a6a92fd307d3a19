import {splitBetween} from './linear-text.ts'

/** A tiling structure that host code declares by macro. */
export interface TilingBlock {
  name: string
  /** The whole block, from `BEGIN_TILING_DATA_DEF` to `END_TILING_DATA_DEF`. */
  text: string
}

/** The blocks of a source without comments, in order. */
export function tilingBlocks(source: string): TilingBlock[] {
  const begin = /\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)/g
  const parts = splitBetween(source, begin, /\bEND_TILING_DATA_DEF\b/g)
  return parts.flatMap((text, index) => {
    begin.lastIndex = 0
    const name = index % 2 === 1 ? begin.exec(text)?.[1] : undefined
    return name === undefined ? [] : [{name, text}]
  })
}

/** `TILING_DATA_FIELD_DEF(type, name)`, `…_ARR(type, size, name)` or `…_STRUCT(type, name)` of a block. */
export interface TilingFieldMacro {
  form: 'value' | 'array' | 'structure'
  arguments: string[]
}

const forms: Readonly<Record<string, TilingFieldMacro['form']>> = {_ARR: 'array', _STRUCT: 'structure'}

export function tilingFields({text}: TilingBlock): TilingFieldMacro[] {
  // A size may be a product in brackets, one level deep.
  const field = /\bTILING_DATA_FIELD_DEF(_ARR|_STRUCT)?\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g
  return [...text.matchAll(field)].map(([, form = '', list = '']) => ({
    form: forms[form] ?? 'value',
    arguments: list.split(',').map((part) => part.trim()),
  }))
}

/** What binds a structure to an operator, or to the tiling keys that an operator names `Operator_<key>`. */
interface TilingRegistration {
  text: string
  operator: string
  structure: string
}

/** The registrations of a source without comments, in order. */
export function tilingRegistrations(source: string): TilingRegistration[] {
  return [...source.matchAll(/\bREGISTER_TILING_DATA_CLASS\s*\(([^)]*)\)/g)].map(([text, list = '']) => {
    const [operator = '', structure = ''] = list.split(',').map((part) => part.trim())
    return {text, operator, structure: structure.replace(/^optiling::/, '')}
  })
}
