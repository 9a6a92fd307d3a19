import {code, type Voice} from '../../../datasets/voice.ts'
import type {Bracketed} from '../bracketed.ts'

/** What an instruction writes into its first argument; $1, $2 … are those after it. */
const operations: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  Add: ['$1 + $2', '$1 + $2'],
  Sub: ['$1 - $2', '$1 - $2'],
  Mul: ['$1 * $2', '$1 * $2'],
  Div: ['$1 / $2', '$1 / $2'],
  Max: ['max($1, $2)', 'max($1, $2)'],
  Min: ['min($1, $2)', 'min($1, $2)'],
  Adds: ['$1 + $2', '$1 + $2'],
  Muls: ['$1 * $2', '$1 * $2'],
  Maxs: ['max($1, $2)', 'max($1, $2)'],
  Mins: ['min($1, $2)', 'min($1, $2)'],
  Abs: ['|$1|', '|$1|'],
  Exp: ['exp($1)', 'exp($1)'],
  Ln: ['ln($1)', 'ln($1)'],
  Sqrt: ['sqrt($1)', 'sqrt($1)'],
  Relu: ['max($1, 0)', 'max($1, 0)'],
  LeakyRelu: ['$1 where it is not negative, else $1 * $2', '$1非负时取$1，否则取$1 * $2'],
  Axpy: ['itself + $1 * $2', '自身 + $1 * $2'],
  Duplicate: ['$1 in every element', '每个元素都取$1'],
  Cast: ['$1 in another element type', '转换了元素类型的$1'],
  ReduceSum: ['the sum of $1', '$1的和'],
  ReduceMax: ['the largest element of $1', '$1的最大值'],
  ReduceMin: ['the smallest element of $1', '$1的最小值'],
  Select: ['$2 where the bit of $1 is set, else $3', '$1的位为1时取$2，否则取$3'],
  Compare: ['one bit an element, from $1 and $2', '由$1和$2得到的逐元素比特'],
  CompareScalar: ['one bit an element, from $1 and $2', '由$1和$2得到的逐元素比特'],
}

/** What a call writes where; '' for calls that are not known. */
export function operationText({name, args}: Bracketed, {say, language}: Voice): string {
  const known = operations[name]
  const [to, ...sources] = args
  if (!known || to === undefined) return ''
  const isFormula = known[0] === known[1]
  const value = known[language === 'en' ? 0 : 1].replace(/\$(\d)/g, (_, at: string) => {
    const source = sources[Number(at) - 1] ?? ''
    if (!isFormula) return code(source)
    return /^-|[-+*/] /.test(source) && known[0] !== 'exp($1)' ? `(${source})` : source
  })
  const shown = isFormula ? code(value) : value
  return say(`${code(name)} writes ${shown} into ${code(to)}.`, `${code(name)}把${shown}写进${code(to)}。`)
}

export const isOperation = (name: string) => name in operations
