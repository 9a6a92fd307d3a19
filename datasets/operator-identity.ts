import {z} from 'zod'
import {operatorKey, type Content} from './content.ts'
import {operatorRequests} from './operator-requests.ts'

/**
 * What makes two operators the same: `name` and `formula` each do, and `request` does where the name is asked for and
 * the reply is code of an operator; with `dtype`, only where both are about a data type in common.
 */
export const OperatorTrait = z.enum(['request', 'name', 'formula', 'dtype'])
export type OperatorTrait = z.infer<typeof OperatorTrait>

interface Named {
  name: string
  operator?: string | undefined
  texts: readonly string[]
}

interface Traits {
  names: Set<string>
  formulas: Set<string>
  dtypes: Set<string>
}

export interface Recognised {
  reference: string
  by: 'request' | 'name' | 'formula'
}

/**
 * Finds the reference whose operator texts are about, by the traits that are asked for; without any, none.
 * @param api names of interfaces, which are asked for as operators only where the request says so
 */
export function operatorIdentity(
  references: readonly Named[],
  asked: readonly OperatorTrait[],
  api: Iterable<string> = [],
): (content: Content) => Recognised | undefined {
  if (asked.length === 0) return () => undefined
  const known = references.map(({name, operator, texts}) => {
    const {formulas, dtypes} = traitsOf(texts)
    return {name, key: operator === undefined ? undefined : operatorKey(operator), formulas, dtypes}
  })
  const keys = new Set(known.flatMap(({key}) => (key === undefined ? [] : [key])))
  const requested = operatorRequests(keys, api)
  const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((one) => b.has(one))
  return (content) => {
    const {prompt, files, replies, operator} = content
    const traits = traitsOf([prompt, ...files.map((file) => file.text), ...replies])
    if (operator !== undefined) traits.names.add(operatorKey(operator))
    const request = asked.includes('request') ? requested(content, traits.names) : undefined
    for (const name of requestedIn(prompt)) traits.names.add(operatorKey(name))
    for (const {name, key, formulas, dtypes} of known) {
      if (asked.includes('dtype') && !isSame(dtypes, traits.dtypes)) continue
      if (key !== undefined && key === request) return {reference: name, by: 'request'}
      if (asked.includes('name') && key !== undefined && traits.names.has(key)) return {reference: name, by: 'name'}
      if (asked.includes('formula') && isSame(formulas, traits.formulas)) return {reference: name, by: 'formula'}
    }
    return undefined
  }
}

function traitsOf(texts: readonly string[]): Traits {
  const text = texts.join('\n')
  return {
    names: new Set([...text.matchAll(naming)].map((match) => operatorKey(match.slice(1).find(Boolean) ?? ''))),
    formulas: new Set(
      [...text.matchAll(mathematics)].flatMap((match) => formulaKey(match.slice(1).find(Boolean) ?? '')),
    ),
    dtypes: new Set([...text.matchAll(dtypeWord)].map(([word]) => dtypeNames[word] ?? word)),
  }
}

/** Where code or a request says which operator it is about: what is only called or included is named otherwise. */
const naming = new RegExp(
  [
    String.raw`\b(?:OP_ADD|IMPL_OP\w*)\s*\(\s*(\w+)`,
    String.raw`__global__\s+__aicore__\s+void\s+(\w+)`,
    String.raw`\baclnnStatus\s+aclnn(\w+?)(?:GetWorkspaceSize)?\s*\(`,
    String.raw`(?:[Oo]perator|算子)\s*\x60(\w+)\x60`,
  ].join('|'),
  'g',
)

// What a request is about stands beside the word for it, in either language: `the Sqrt operator`, `算子Sqrt`,
// `implement aclnnSqrt`, `a kernel for sqrt_custom`. Which of those words is a benchmark's operator, its names tell.
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

/** Right-hand sides shorter than this are those of many operators: `x+y`. */
const leastFormula = 6

/** What stands to the right of the first `=`, however it is set; none when too little is left. */
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

const dtypeNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['float16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'bool', 'double'].map(
      (name) => [`DT_${name.toUpperCase()}`, name],
    ),
  ),
  DT_BF16: 'bfloat16',
  DT_FLOAT: 'float32',
}
