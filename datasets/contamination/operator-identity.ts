import {z} from 'zod'
import {dtypeOfConstant, dtypeOfType} from '../../cpp/types.ts'
import {operatorKey, type Content} from '../content.ts'
import {operatorRequests} from '../operator-requests.ts'

/**
 * What makes two operators the same: `name` and `formula` each suffice, and so does `request` if the prompt asks for
 * the name and the reply is operator code; with `dtype`, only if they share a data type.
 */
export const OperatorTrait = z.enum(['request', 'name', 'formula', 'dtype'])
export type OperatorTrait = z.infer<typeof OperatorTrait>

interface Named {
  name: string
  operator?: string | undefined
  texts: readonly string[]
}

export interface Recognised {
  reference: string
  by: 'request' | 'name' | 'formula'
}

/**
 * Finds the reference whose operator the texts are about, by the given traits; without traits, none.
 * @param api names of interfaces, which only count as operators if the request says so
 */
export function operatorIdentity(
  references: readonly Named[],
  asked: readonly OperatorTrait[],
  api: Iterable<string> = [],
): (content: Content) => Recognised | undefined {
  if (asked.length === 0) return () => undefined
  const among = (trait: OperatorTrait, find: (text: string) => Iterable<string>, text: string): ReadonlySet<string> =>
    new Set(asked.includes(trait) ? find(text) : [])
  const known = references.map(({name, operator, texts}) => {
    const text = texts.join('\n')
    const key = operator === undefined ? undefined : operatorKey(operator)
    return {name, key, formulas: among('formula', formulasIn, text), dtypes: among('dtype', dtypesIn, text)}
  })
  const keys = new Set(known.flatMap(({key}) => (key === undefined ? [] : [key])))
  const requested = operatorRequests(keys, api)
  const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((one) => b.has(one))
  return (content) => {
    const {prompt, files, replies, operator} = content
    const text = [prompt, ...files.map((file) => file.text), ...replies].join('\n')
    const named = () => [...namesIn(text), ...(operator === undefined ? [] : [operatorKey(operator)])]
    const request = asked.includes('request') ? requested(content, named) : undefined
    const names = among('name', () => [...named(), ...requestedIn(prompt).map(operatorKey)], text)
    const formulas = among('formula', formulasIn, text)
    const dtypes = among('dtype', dtypesIn, text)
    for (const one of known) {
      if (asked.includes('dtype') && !isSame(one.dtypes, dtypes)) continue
      if (one.key !== undefined && one.key === request) return {reference: one.name, by: 'request'}
      if (one.key !== undefined && names.has(one.key)) return {reference: one.name, by: 'name'}
      if (isSame(one.formulas, formulas)) return {reference: one.name, by: 'formula'}
    }
    return undefined
  }
}

const captured = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? '')
const namesIn = (text: string) => captured(text, naming).map(operatorKey)
const formulasIn = (text: string) => captured(text, mathematics).flatMap(formulaKey)
const dtypesIn = (text: string) =>
  [...text.matchAll(dtypeWord)].map(([word]) => dtypeOfConstant(word) ?? dtypeOfType(word) ?? word)

/** Where code or a request names its operator: called or included ones are named differently. */
const naming = new RegExp(
  [
    String.raw`\b(?:OP_ADD|IMPL_OP\w*)\s*\(\s*(\w+)`,
    String.raw`__global__\s+__aicore__\s+void\s+(\w+)`,
    String.raw`\baclnnStatus\s+aclnn(\w+?)(?:GetWorkspaceSize)?\s*\(`,
    String.raw`(?:[Oo]perator|算子)\s*\x60(\w+)\x60`,
  ].join('|'),
  'g',
)

// A request names its subject next to the word for it, in either language: `the Sqrt operator`, `算子Sqrt`,
// `implement aclnnSqrt`, `a kernel for sqrt_custom`. A benchmark's names decide which of those words is its operator.
const asked = String.raw`[\x60"'“‘*]*(?:aclnn)?([A-Za-z]\w+)[\x60"'”’*]*`
const thing = '(?:operators?|kernels?|op|算子|核函数)'
const requests = [
  new RegExp(
    String.raw`${thing}(?:\s+(?:named|called|for|of|that computes)|名为|名称为|为)?\s*[:：]?\s*(?:the\s+)?${asked}`,
    'gi',
  ),
  new RegExp(String.raw`${asked}\s*(?:的)?\s*(?:Ascend\s*C\s*)?${thing}`, 'gi'),
  /\baclnn([A-Z]\w+)/g,
]

function requestedIn(prompt: string): string[] {
  return requests.flatMap((pattern) => [...prompt.matchAll(pattern)].map(([, name = '']) => name))
}

const mathematics = /\$\$([^$]+)\$\$|\$([^$\n]+)\$|\\\[([^]+?)\\\]|\\\(([^]+?)\\\)/g

/** Shorter right-hand sides fit many operators: `x+y`. */
const leastFormula = 6

/** The right-hand side of the first `=`, normalised; none if too short. */
function formulaKey(latex: string): string[] {
  const [, ...right] = latex.split('=')
  const plain = right
    .join('=')
    .replace(/\\(?:left|right|mathrm|mathbf|mathit|text|operatorname|quad|qquad|displaystyle|limits|[,;:! ])/g, '')
    .replace(/\\(?:cdot|times|ast)\b/g, '*')
    .replace(/[\s{}&]|\\\\/g, '')
    .toLowerCase()
  return plain.length < leastFormula ? [] : [plain]
}

const dtypeWord = new RegExp(
  [
    String.raw`\bDT_(?:FLOAT16|BF16|FLOAT|U?INT(?:8|16|32|64)|BOOL|DOUBLE)\b`,
    String.raw`\b(?:float16|bfloat16|float32|u?int(?:8|16|32|64)|bool|double)\b`,
  ].join('|'),
  'g',
)
