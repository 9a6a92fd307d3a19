import {knownNames} from '../../cpp/interfaces.ts'
import {wrongSums} from './sums.ts'

/** What the code of a sample says, for comparing a text about it with. */
interface CodeFacts {
  /** Target, dependencies and tiling declarations, joined. */
  text: string
  constants: ReadonlyMap<string, number>
}

/**
 * Where a text about code contradicts it, one sentence per contradiction: names in backticks or with call parentheses
 * that neither the code nor the vendor's interface has, values of constants that differ, APIs said to be used that are
 * not, missing double buffering, sums of numbers that come to something else. Prose is not judged.
 */
export function disagreements(reasoning: string, {text, constants}: CodeFacts): string[] {
  const known = new Set(text.match(/[A-Za-z_]\w*/g) ?? [])
  return [
    ...unknownNames(reasoning, known),
    ...wrongValues(reasoning, constants),
    ...unusedApis(reasoning, known),
    ...falseDoubleBuffer(reasoning, constants, text),
    ...wrongSums(reasoning),
  ]
}

/** Words of C++ and of the field that occur in backticks without being a name of the code. */
const vocabulary = new RegExp(
  `^(?:${[
    String.raw`[a-z]+|[A-Z]{1,4}\d?|Ascend\w*|Atlas\w*|BLOCK_DIM|CANN`,
    String.raw`double|float(?:16|32)?|bfloat16|int\d+|uint\d+|true|false|nullptr`,
    String.raw`(?:MTE\d|V|S|M|FIX|PIPE)_\w+|DT_\w+|ge|CAST_\w+`,
  ].join('|')})$`,
)

function unknownNames(reasoning: string, known: ReadonlySet<string>): string[] {
  const quoted = [...reasoning.matchAll(/`([^`\n]+)`/g)].flatMap(([, content]) => names(content as string))
  const called = [...reasoning.matchAll(/(?<![`\w])([A-Z][A-Za-z]\w+)\s*\(\)/g)].map((match) => match[1] as string)
  return [...new Set([...quoted, ...called])]
    .filter((name) => !known.has(name) && !knownNames.has(name) && !vocabulary.test(name))
    .map((name) => `${name} is not in the code`)
}

/** Identifiers of a quoted piece; a quoted path or plain text is not code. */
function names(content: string): string[] {
  if (/[\u4e00-\u9fff]|^[\w./-]+\.(?:h|cpp|hpp|inc)$|^\S+(?: [a-z]+){3,}$/.test(content)) return []
  return (
    content
      .replace(/"[^"]*"/g, '')
      .match(/[A-Za-z_]\w*/g)
      ?.filter((name) => name.length > 1) ?? []
  )
}

const statedValue = new RegExp(
  [
    String.raw`\`?\b([A-Z][A-Z\d_]{3,})\b\`?`,
    '(?:=(?!=)|:|is|equals|为|等于|取)',
    String.raw`\`?(\d+)\b(?!\w|\.\d|\s*[*+/×-])`,
  ].join(String.raw`\s*`),
  'g',
)

function wrongValues(reasoning: string, constants: ReadonlyMap<string, number>): string[] {
  // `c ? SIZE : 0` states no value.
  const plain = reasoning.replace(/\?\s[^`?\n]*?\s:\s/g, '? ; ')
  return [...plain.matchAll(statedValue)].flatMap(([, name = '', number]) => {
    const value = constants.get(name)
    return value === undefined || value === Number(number) ? [] : [`${name} is ${value} in the code, not ${number}`]
  })
}

const reservations = new RegExp(
  [
    String.raw`\b(?:not|no|never|without|instead|rather|avoid\w*|could|would|might|unlike|than|if)\b`,
    '不|无需|避免|而非|可以|若|如果',
  ].join('|'),
  'i',
)
const claimedUse = /(?:\b(?:uses?|using|calls?|calling|via)\s+(?:the\s+)?|使用|调用|通过)\s*`?([A-Z]\w+)`?/g

/** `I use X` for an API that the code does not use; a clause that says why not is not a claim. */
function unusedApis(reasoning: string, known: ReadonlySet<string>): string[] {
  return reasoning
    .split(/(?<=[.;!?。;!?,,])\s*/)
    .filter((clause) => !reservations.test(clause))
    .flatMap((clause) => [...clause.matchAll(claimedUse)].map((match) => match[1]!))
    .filter((name) => knownNames.has(name) && !known.has(name))
    .map((name) => `${name} is said to be used but is not in the code`)
}

function falseDoubleBuffer(reasoning: string, constants: ReadonlyMap<string, number>, text: string): string[] {
  const isClaimed =
    /double[- ]buffer(?:ing|ed)?(?! is not| would| could)|双缓冲/i.test(reasoning) &&
    !/\b(?:no|not|without) (?:\w+ )?double[- ]buffer|(?:不|未|无)\S{0,4}双缓冲/i.test(reasoning)
  const isSingle =
    constants.get('BUFFER_NUM') === 1 && !/InitBuffer\s*\([^,;]+,\s*2\s*,|\b(?:DOUBLE|ping|pong)\w*/i.test(text)
  return isClaimed && isSingle ? ['double buffering is claimed, but BUFFER_NUM is 1'] : []
}
