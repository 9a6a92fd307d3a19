import {type Reason, type Replaced, reasons, type Scene, stretchOf} from './reason.ts'
import {escaped} from './text-relations.ts'

const because = reasons('value-reasons')

/** A value that is assigned, or a condition: which field, which bound. */
export function valueReason(edit: Replaced, scene: Scene): Reason | undefined {
  const {before, after} = edit
  const {wrong, right} = stretchOf(edit)
  if (isOtherField(before.text, after.text, wrong, right)) return otherField(wrong, right, edit, scene)
  const guard = / \|\| GetBlockIdx\(\) == 0/.exec(before.text)
  if (guard && before.text.replace(guard[0], '') === after.text)
    return because('first-core', {condition: after.text.replace(/^if \((.*)\) \{?.*$/, '$1')})
  return loopBound(edit) ?? comparison(edit) ?? tail(edit) ?? roundedUp(edit) ?? dimension(edit)
}

function isOtherField(before: string, after: string, wrong: string, right: string): boolean {
  const fields = /\b(\w*[tT]iling\w*)\.(\w+)/g
  const [a, b] = [[...before.matchAll(fields)], [...after.matchAll(fields)]]
  const index = b.findIndex(([text], at) => text !== a[at]?.[0])
  const [mine, theirs] = [a[index], b[index]]
  if (!mine || !theirs || a.length !== b.length || mine[1] !== theirs[1]) return false
  return wrong === mine[2] && right === theirs[2]
}

function otherField(wrong: string, right: string, {before, after}: Replaced, scene: Scene): Reason | undefined {
  const isKnown = scene.right.some(({text}) => new RegExp(`\\b${wrong}\\b`).test(text.replaceAll(before.text, '')))
  const [mine, other] = [setTo(right, scene), setTo(wrong, scene)]
  if (!isKnown || mine === undefined || other === undefined || mine === right || mine === other) return undefined
  return because('field', {wrong, right, mine, other, target: /(\w+) = /.exec(after.text)?.[1] ?? 'none'})
}

/** What the host sets a field to. */
function setTo(name: string, {right}: Scene): string | undefined {
  const host = right.map(({text}) => text).join('\n')
  const given = new RegExp(`\\bset_${name}\\((.+)\\);`).exec(host)?.[1]
  const value = given === undefined ? undefined : new RegExp(`\\b${escaped(given)} = ([^;]+);`).exec(host)?.[1]
  return value?.replace(/\s+/g, ' ') || given
}

/** `i <= n` for `i < n`. */
function loopBound({before, after}: Replaced): Reason | undefined {
  const [, index, bound, by = '1'] = /^for \(.*?; (\w+) < ([^;]+);(?: \w+ \+= ([\w.>-]+)\))?/.exec(after.text) ?? []
  if (index === undefined || bound === undefined) return undefined
  if (before.text.includes(`; ${index} <= ${bound};`)) return because('turn-more', {index, bound})
  const step = new RegExp(`; ${index} \\+ ([\\w.>-]+) < `).exec(before.text)?.[1]
  // By another step it is more than one turn, or less.
  return step === by ? because('turn-less', {index, bound, step}) : undefined
}

const opposite: Readonly<Record<string, string>> = {'<': '>=', '>=': '<', '>': '<=', '<=': '>', '==': '!=', '!=': '=='}

function comparison(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const [condition, was] = [edit.after, edit.before].map(
    ({text}) => /^if (?:constexpr )?\((.*)\) ?(?:\{|return;)?$/.exec(text)?.[1],
  )
  if (condition === undefined || was === undefined || opposite[wrong] !== right) return undefined
  return because('opposite', {was, condition})
}

/** The last piece is shorter than the others. */
function tail({before, after}: Replaced): Reason | undefined {
  const [, name, test = '', less, other] = /(\w+) = (.+?) \? (.+) : ([^;]+);$/.exec(after.text) ?? []
  if (name === undefined || other === undefined || !before.text.endsWith(`${name} = ${other};`)) return undefined
  // Other choices than that of the last piece have reasons of their own.
  const isLast =
    /tail|last|rest|remain/i.test(`${test} ${less}`) || / == .* - 1\)?$/.test(test) || isShorter(test, other)
  return isLast ? because('tail', {name, other, test}) : undefined
}

/** `n - start < tile`, with the tile for the other value. */
function isShorter(test: string, other: string): boolean {
  const sides = / (?:<|<=|>|>=) /.exec(test)
  return sides !== null && test.includes(other)
}

function roundedUp({before, after}: Replaced): Reason | undefined {
  const [, value, unit = ''] = /\((\S+) \+ (\S+) - 1\) \/ \2/.exec(after.text) ?? []
  if (value === undefined || !before.text.includes(`${value} / ${unit}`)) return undefined
  return because('rounded', {value, unit})
}

function dimension({before, after}: Replaced): Reason | undefined {
  const right = /GetDim\((.*GetDimNum\(\) - 1)\)/.exec(after.text)?.[1]
  const wrong = /GetDim\((.*)\)/.exec(before.text)?.[1]
  if (right === undefined || wrong === undefined || wrong === right) return undefined
  return because('dimension', {wrong, right, behind: wrong.includes(' + ') ? 'yes' : 'no'})
}
