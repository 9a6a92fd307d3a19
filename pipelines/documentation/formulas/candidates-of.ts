import {readExpression, styles, toLatex, type Expression} from './expression.ts'
import {normalLatex} from './latex-form.ts'
import type {PageFacts} from './page-facts.ts'

/**
 * What the interfaces of this documentation compute, by name; `a`, `b` and `c` are the sources, `r` is the result. A
 * formula from here is never taken for itself: the picture must show it.
 */
const knownFormulas: Readonly<Record<string, readonly string[]>> = {
  abs: ['abs(a)'],
  acos: ['acos(a)', 'arccos(a)'],
  add: ['a+b'],
  adds: ['a+scalar', 'a+scalarValue'],
  asin: ['asin(a)', 'arcsin(a)'],
  atan: ['atan(a)', 'arctan(a)'],
  axpy: ['scalar*a+r', 'a*scalar+r', 'a*scalarValue+r'],
  ceil: ['ceil(a)'],
  cos: ['cos(a)'],
  cosh: ['cosh(a)', '(exp(a)+exp(-a))/2'],
  div: ['a/b'],
  erf: ['erf(a)'],
  exp: ['exp(a)'],
  exp2: ['2^a'],
  exp10: ['10^a'],
  floor: ['floor(a)'],
  fma: ['a*b+c'],
  fmod: ['fmod(a,b)'],
  gelu: ['0.5*a*(1+tanh(sqrt(2/π)*(a+0.044715*a^3)))', 'a/(1+exp(-1.702*a))'],
  hypot: ['sqrt(a^2+b^2)'],
  leakyrelu: ['max(a,0)+scalar*min(a,0)'],
  ln: ['ln(a)'],
  log: ['ln(a)', 'log(a)'],
  max: ['max(a,b)'],
  maxs: ['max(a,scalar)', 'max(a,scalarValue)'],
  min: ['min(a,b)'],
  mins: ['min(a,scalar)', 'min(a,scalarValue)'],
  mul: ['a*b'],
  muls: ['a*scalar', 'a*scalarValue', 'scalar*a'],
  muladddst: ['a*b+r', 'r+a*b'],
  neg: ['-a'],
  power: ['a^b', 'pow(a,b)'],
  pow: ['a^b', 'pow(a,b)'],
  reciprocal: ['1/a'],
  relu: ['max(a,0)', 'max(0,a)', 'relu(a)'],
  rmsnorm: ['a/sqrt(mean(a^2)+ε)*γ'],
  round: ['round(a)'],
  rsqrt: ['1/sqrt(a)'],
  sigmoid: ['1/(1+exp(-a))', 'sigmoid(a)'],
  silu: ['a/(1+exp(-a))', 'a*sigmoid(a)', 'a*Sigmoid(a)', 'silu(a)'],
  sin: ['sin(a)'],
  sinh: ['sinh(a)', '(exp(a)-exp(-a))/2'],
  softmax: ['exp(a-max(a))/sum(exp(a-max(a)))', 'exp(a-max)/sum', 'softmax(a)'],
  sqrt: ['sqrt(a)'],
  sub: ['a-b'],
  subs: ['a-scalar', 'a-scalarValue'],
  swish: ['a/(1+exp(-β*a))', 'a*sigmoid(β*a)', 'swish(a)'],
  tan: ['tan(a)', 'sin(a)/cos(a)'],
  tanh: ['tanh(a)', '(exp(a)-exp(-a))/(exp(a)+exp(-a))', '(exp(2*a)-1)/(exp(2*a)+1)', '1-2/(exp(2*a)+1)'],
  trunc: ['trunc(a)'],
}

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
