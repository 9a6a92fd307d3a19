import {readExpression, styles, toLatex, type Expression} from './expression.ts'
import {knownFormulas} from './known-formulas.ts'
import {normalLatex} from './latex-form.ts'
import type {PageFacts} from './page-facts.ts'

const made = new WeakMap<PageFacts, string[]>()

/** Formulas that the page's words, pseudo-code and prototypes allow for, each in the ways that it can be typeset. */
export function formulasOf(facts: PageFacts): readonly string[] {
  const known = made.get(facts) ?? makeFormulas(facts)
  // A page may have hundreds of pictures.
  made.set(facts, known)
  return known
}

function makeFormulas(facts: PageFacts): string[] {
  const found = new Map<string, string>()
  for (const {left, right, operands} of equations(facts))
    for (const style of styles) {
      const latex = `${toLatex(left, style, operands)}=${toLatex(right, style, operands)}`
      found.set(normalLatex(latex), latex)
    }
  return [...found.values()]
}

// A page may be called Constructor, which every object has.
const known = new Map(Object.entries(knownFormulas))

interface Equation {
  left: Expression
  right: Expression
  operands: ReadonlySet<string>
}

function equations(facts: PageFacts): Equation[] {
  const roles = rolesOf(facts)
  const stems = new Set(roles.flatMap(({result, sources}) => [result, ...sources]))
  const written = facts.equations.flatMap(({left, right}) => {
    const [one, other] = [readExpression(left), readExpression(right)]
    if (!one || !other) return []
    const operands = new Set([...namesIn(one), ...namesIn(other)].filter((name) => stems.has(name)))
    return [{left: one, right: other, operands: one.kind === 'name' ? operands.add(one.text) : operands}]
  })
  const named = known.get(facts.title.replace(/\W.*$/, '').replace(/-\d+$/, '').toLowerCase()) ?? []
  return [...written, ...named.flatMap((formula) => roles.flatMap((role) => withOperands(formula, role, facts.title)))]
}

interface Role {
  result: string
  sources: readonly string[]
}

/** Operands as prototypes name them, and as mathematics does. */
function rolesOf({operands}: PageFacts): Role[] {
  return [
    ...operands,
    {result: 'y', sources: ['x']},
    {result: 'dst', sources: ['src']},
    {result: 'dst', sources: ['src0', 'src1']},
  ]
}

function withOperands(formula: string, {result, sources}: Role, title: string): Equation[] {
  const taken: Record<string, string | undefined> = {a: sources[0], b: sources[1], c: sources[2], r: result}
  let isWhole = true
  const text = formula.replace(/\b[abcr]\b/g, (letter) => {
    isWhole &&= taken[letter] !== undefined
    return taken[letter] ?? letter
  })
  const right = isWhole ? readExpression(text) : undefined
  if (!right) return []
  const operands = new Set([result, ...sources])
  const name = title.replace(/\W.*$/, '')
  const lefts = [result, `${name}(${sources[0]})`, `${name.toLowerCase()}(${sources[0]})`].map(readExpression)
  return lefts.flatMap((left) => (left ? [{left, right, operands}] : []))
}

function namesIn(of: Expression): string[] {
  if (of.kind === 'name') return [of.text]
  if (of.kind === 'binary') return [...namesIn(of.left), ...namesIn(of.right)]
  if (of.kind === 'negative') return namesIn(of.of)
  return of.kind === 'call' ? of.of.flatMap(namesIn) : []
}
