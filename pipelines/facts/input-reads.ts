import type {InputReads} from '../../datasets/schema/code-facts.ts'
import type {FunctionSyntax} from '../../cpp/syntax.ts'
import {evaluate, type Scope} from '../../cpp/expressions.ts'

interface Read {
  index: number
  what: keyof InputReads
}

/** What the functions of a file ask of the inputs. */
export function inputReads(functions: readonly FunctionSyntax[], scope: Scope): InputReads {
  const reads = functions.flatMap((one) => readsOf(one, scope))
  const of = (what: keyof InputReads) => [...new Set(reads.filter((one) => one.what === what).map(({index}) => index))]
  const [shapes, types] = [of('shapes'), of('types')].map((one) => one.sort((a, b) => a - b))
  const rest = of('presence').filter((index) => !shapes!.includes(index) && !types!.includes(index))
  return {shapes: shapes!, types: types!, presence: rest.sort((a, b) => a - b)}
}

const getter = /\bGet(?:Optional)?Input(Shape|Desc|Tensor)\s*\(((?:[^()]|\([^()]*\))*)\)/g

function readsOf({body}: FunctionSyntax, scope: Scope): Read[] {
  return [...body.matchAll(getter)].flatMap((found) => {
    const [whole, kind = '', argument = ''] = found
    const index = evaluate(argument.trim(), scope)
    if (index === undefined) return []
    const [before, after] = [body.slice(0, found.index), body.slice(found.index + whole.length)]
    return lookedAt(kind, before, after, body).map((what) => ({index, what}))
  })
}

/** By the getter, the chain behind it, and the variable that takes it. */
function lookedAt(kind: string, before: string, after: string, body: string): Read['what'][] {
  if (/^\s*[!=]= nullptr\b/.test(after) || /\bnullptr [!=]= [\w.>:-]*$/.test(before)) return ['presence']
  const name = /(\w+)\s*=\s*[\w.>:-]*$/.exec(before)?.[1] ?? ''
  const uses = name === '' ? '' : usesOf(name, body)
  const chain = `${/^(?:\s*->\s*\w+\([^()]*\))*/.exec(after)?.[0] ?? ''}${uses}`
  const isUsed = chain !== ''
  if (name !== '' && !isUsed && !handsOn(name, body)) return isCompared(name, body) ? ['presence'] : []
  const [asksShape, asksType] = [/Shape|Dim|GetSize/.test(chain), /DataType/.test(chain)]
  if (kind === 'Shape') return ['shapes']
  if (kind === 'Desc') return asksType || !/Format/.test(chain) ? ['types'] : []
  return [...(asksShape ? (['shapes'] as const) : []), ...(asksType ? (['types'] as const) : [])]
}

/** `->GetDataType()` of every use of a pointer, and `*x` as a use of what it points to. */
function usesOf(name: string, body: string): string {
  const members = body.matchAll(new RegExp(String.raw`\b${name}\s*(?:->|\.)\s*\w+`, 'g'))
  const whole = new RegExp(String.raw`\*\s*${name}\b`).test(body) ? `*${name}` : ''
  return [...members].map(([use]) => use.slice(name.length)).join(' ') + whole
}

function isCompared(name: string, body: string): boolean {
  return new RegExp(String.raw`\b${name} [!=]= nullptr\b|\bnullptr [!=]= ${name}\b`).test(body)
}

/** Whether a variable is an argument of a function that may look at it. */
function handsOn(name: string, body: string): boolean {
  const calls = body.matchAll(new RegExp(String.raw`\b(\w+)\s*\(([^()]*\b${name}\b[^()]*)\)`, 'g'))
  const looks = ([, call = '', list = '']: RegExpMatchArray) =>
    !/^(?:if|while|OPS?_\w+|CHECK_\w+)$/.test(call) && !/[!=]= nullptr|nullptr [!=]=/.test(list)
  return [...calls].some(looks) || new RegExp(String.raw`=\s*${name}\s*;`).test(body)
}
