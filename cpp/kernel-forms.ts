import {madeOf, pattern} from './pattern.ts'
import {foundIn, type SourceView} from './source-view.ts'

// How kernels are written: forms that are planted with faults, taken back and decided otherwise.

const copyShapes = ['{1, static_cast<uint32_t>($$count * sizeof', ''].map((shape) =>
  pattern(`DataCopyExtParams $params${shape}`, {count: madeOf('.')}),
)

/**
 * The number of elements that a `DataCopyExtParams` with one block moves, by the parameter's name: what is declared
 * nearest above `before`.
 */
export function elementsOf(source: SourceView, params: string, before: number): string | undefined {
  const above = foundIn(source, ...copyShapes).filter(({end, hole}) => end < before && hole('params') === params)
  return above.at(-1)?.hole('count') || undefined
}

const choiceParts = (text: string) => !text.includes('?') && !text.includes(':')

/** `count = rest < tile ? rest : tile`, by names that indicate a length. */
export const lengthByCase = pattern('$type $length = $$is ? $$one : $$other;', {
  type: new Set(['int32_t', 'uint32_t', 'int64_t', 'uint64_t', 'auto']),
  length: (name) => /count|tail|rest|len/i.test(name),
  is: (text) => !text.includes('?'),
  one: choiceParts,
  other: choiceParts,
})

const twos = ['const $type', 'constexpr $type', 'const static $type', 'constexpr static $type'].map((head) =>
  pattern(`${head} $name = 2;`, {type: (text) => text.startsWith('int') || text.startsWith('uint')}),
)

/** Whether an argument is 2, or the name of a constant of the file that is. */
export function isTwo(source: SourceView, argument: string): boolean {
  return argument === '2' || foundIn(source, ...twos).some(({hole}) => hole('name') === argument)
}
