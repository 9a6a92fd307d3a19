import type {Purpose} from '../../datasets/schema/operator.ts'

/** Characters. */
const longest = {text: 400, formulas: 800}

/**
 * What an operator computes, as the README beside its code says: the section on its function, a sentence or two and the
 * formula in LaTeX. Undefined when it says neither.
 */
export function purposeOf(readme: string): Purpose | undefined {
  const section = functionSection(readme.replaceAll('\r\n', '\n'))
  if (section === undefined) return undefined
  const text = firstParagraph(section.replace(/\$\$[^]*$/, ''))
  const formulas = formulasIn(section)
  return text === '' && formulas.length === 0 ? undefined : {text, formulas}
}

const heading = /^#{1,6}\s*(?:\d[\d.]*\s*)?(.*)$/
const functionTitle =
  /^(?:功能(?:说明|描述|介绍)?|算子(?:功能|描述|说明|介绍)|description|function(?:ality| description)?)$/i

function functionSection(text: string): string | undefined {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => functionTitle.test((heading.exec(line)?.[1] ?? '').trim()))
  if (start < 0) return undefined
  const end = lines.findIndex((line, index) => index > start && heading.test(line))
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n')
}

/** `- 算子功能：` and the like, alone or before what they announce. */
const label =
  /^\s*(?:[-*+•]\s*)?(?:\*\*)?(?:(?:算子|接口)?功能(?:描述|说明)?|计算公式|description)(?:\*\*)?\s*(?:[:：](?:\*\*)?|$)/i

/** The first prose; what follows a blank line, a table or a formula's label tells of other things. */
function firstParagraph(prose: string): string {
  const found: string[] = []
  for (const line of prose.split('\n')) {
    const isLabelled = label.test(line)
    const words = line
      .replace(label, '')
      .replace(/^\s*[-*+•]\s+/, '')
      .trim()
    if (found.length > 0 && (words === '' || isLabelled || /^\s*[-*+•]\s/.test(line))) break
    if (/^[<|`!>]/.test(words)) break
    if (words !== '') found.push(words)
  }
  const text = found.join(' ')
  // What announces a formula, an example or a list says nothing without it.
  return text.length <= longest.text ? text.replace(/[,，;；。.]?[^,，;；。.]*[:：]$/, '') : ''
}

/** All of them or none: some of the steps alone would be another function. */
function formulasIn(section: string): string[] {
  const blocks = [...section.matchAll(/\$\$([^$]*)\$\$/g)].map((match) => (match[1] ?? '').replace(/\s+/g, ' ').trim())
  const formulas = blocks.filter((block) => block !== '' && !outputSize.test(block))
  return formulas.join('').length <= longest.formulas ? formulas : []
}

/** `H_{out} = …`: how long an axis of the output is, not what stands in it. */
const outputSize = /^\\?(?:text|mathrm)?\{?[A-Z]{1,3}\}?_\{?\\?(?:text|mathrm)?\{?o(?:ut)?\b/
