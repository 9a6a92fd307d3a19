import type {Message} from '../../telling/tell-message.ts'
import type {Bracketed} from '../../facts/bracketed.ts'
import {isOperation, operation} from './operations.ts'
import {
  changedArgument,
  type Kind,
  kindOf,
  parameterNames,
  part,
  place,
  type Reason,
  type Replaced,
  reasons,
  type Scene,
  type Site,
  sitesOf,
} from './reason.ts'

const because = reasons('argument-reasons')

/** A call whose arguments are too many, too few, in another order, or one of which is of another kind. */
export function argumentReason(edit: Replaced, scene: Scene): Reason | undefined {
  const [site] = sitesOf(edit).filter(({before}) => isCall(before))
  if (!site) return undefined
  return (
    surplus(site, scene) ??
    repeats(site) ??
    missing(site, scene) ??
    reordered(site, scene) ??
    listed(site) ??
    kind(site, scene)
  )
}

const isCall = ({mark, name}: Bracketed) =>
  mark === '(' && name !== '' && !/^(?:if|for|while|switch|sizeof)$/.test(name)

/** The place at which the longer list has one more than the shorter. */
function insertedAt(longer: readonly string[], shorter: readonly string[]): number | undefined {
  if (longer.length !== shorter.length + 1) return undefined
  const at = shorter.findIndex((text, index) => text !== longer[index])
  const place = at < 0 ? shorter.length : at
  return shorter.slice(place).every((text, index) => text === longer[place + 1 + index]) ? place : undefined
}

function surplus({before, after}: Site, scene: Scene): Reason | undefined {
  const at = insertedAt(before.args, after.args)
  if (at === undefined) return undefined
  const text = before.args[at]!
  const isTwice = kindOf(text, scene) === 'local' && after.args.includes(text)
  return because('surplus', {name: before.name, text, twice: isTwice ? 'yes' : 'no'}, {why: takes(after, scene)})
}

/** Which arguments a call takes, as the right one shows it. */
function takes({name, args}: Bracketed, scene: Scene): Message {
  const names = parameterNames(name, args, scene)
  if (args.length === 0) return because.says('takes-nothing', {name})
  if (!names) return because.says('takes', {given: args})
  const pairs = names.map((name, at) => (name === args[at] ? name : part('parameter', {name, given: args[at]!})))
  return because.says('takes-named', {pairs})
}

function missing({before, after}: Site, scene: Scene): Reason | undefined {
  const at = insertedAt(after.args, before.args)
  if (at === undefined && !isPrefix(before.args, after.args)) return undefined
  const {name, args} = after
  const why = takes(after, scene)
  if (at === undefined) return because('several-missing', {name, lost: args.slice(before.args.length)}, {why})
  const names = parameterNames(name, args, scene)
  // A name twice says no more than once.
  const which = place(at, names?.[at] === args[at] ? undefined : names)
  return because('missing', {name, lost: [args[at]!], place: which}, {why})
}

/** Of two lists that differ. */
function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.every((text, index) => text === longer[index])
}

function reordered({before, after}: Site, scene: Scene): Reason | undefined {
  const {name, args} = after
  const places = args.flatMap((text, at) => (text === before.args[at] ? [] : [at]))
  const isSame = [...before.args].sort().join('\n') === [...args].sort().join('\n')
  if (!isSame || places.length < 2) return undefined
  const [first, last] = [places[0]!, places.at(-1)!]
  if (/^DataCopy/.test(name) && first === 0 && last === 1)
    return because('sides', {name, to: args[0] ?? '', from: args[1] ?? ''})
  const fromCode = new Set(places.map((at) => kindOf(args[at]!, scene))).size > 1
  const why = fromCode ? takes(after, scene) : operation(after)
  if (!why) return undefined
  const wrong = before.args[first]!
  if (places.length === 2) return because('swapped', {name, one: wrong, other: before.args[last]!}, {why, fromCode})
  const to = place(args.indexOf(wrong), parameterNames(name, args, scene))
  return because('reordered', {name, wrong, from: place(first), to}, {why, fromCode})
}

/** `Mul(dst, {a, b}, n)`. */
function listed({before, after}: Site): Reason | undefined {
  const at = before.args.findIndex((text) => /^\{.*\}$/.test(text))
  const flat = before.args.map((text) => text.replace(/^\{(.*)\}$/, '$1')).join(', ')
  if (at < 0 || flat !== after.args.join(', ')) return undefined
  const operands = after.args.slice(at, at + after.args.length - before.args.length + 1)
  return because('listed', {name: after.name, list: before.args[at]!, operands})
}

/** `Mul(dst, a, b, 128, 4)`, or with strides: the form that repeats, for the one that counts. */
function repeats({before, after: {name, args}}: Site): Reason | undefined {
  const at = args.length - 1
  const isSame = args.slice(0, at).every((text, index) => text === before.args[index])
  if (!isSame || at < 1 || !isOperation(name)) return undefined
  const [mask = '', times, strides, ...others] = before.args.slice(at)
  if (times === undefined || others.length > 0) return undefined
  const values = {name, mask, times, count: args[at]!}
  if (strides === undefined) return because('mask-without-strides', values)
  return /^\{.*\}$/.test(strides) ? because('strided', {...values, strides}) : undefined
}

const computing = new Set<Kind>(['local', 'global', 'queue', 'buffer', 'copy', 'pad', 'number', 'mode'])

/** One argument of another kind than its parameter. */
function kind(site: Site, scene: Scene): Reason | undefined {
  const changed = changedArgument(site)
  if (!changed) return undefined
  const {at, wrong, right} = changed
  const {name, args} = site.after
  const values = {name, wrong, right, place: place(at, parameterNames(name, args, scene))}
  if (wrong === `&${right}` || wrong === `${right}.GetPhyAddr()`) return because('address', values)
  if (wrong === `*${right}`) return because('dereferenced', {wrong, right})
  if (wrong === `${right}.GetValue(0)`) return because('element', values)
  const [is, wanted] = [kindOf(wrong, scene), kindOf(right, scene)]
  if (is === undefined || wanted === undefined || is === wanted || !computing.has(is)) return undefined
  const kinds = {...values, is: part(is, {}), wanted: part(wanted, {})}
  const rules = wanted === 'local' ? [because.says(`kind-${is}`, {})] : []
  return because('kind', kinds, {why: [because.says('kind-why', kinds), ...rules]})
}
