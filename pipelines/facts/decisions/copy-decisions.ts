import {evaluate} from '../../../cpp/expressions.ts'
import {argumentsAt, tokenized} from '../../../cpp/tokenized.ts'
import type {KernelFacts, MoveFact} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {scopeOfFacts} from '../memory-plan.ts'
import {cleaned} from './cleaned.ts'

/** A copy with its size: whole blocks by a count, or runs of bytes with gaps between them. */
interface Copy {
  move: MoveFact
  situation: 'bytes' | 'rows' | 'rows-gap' | 'count' | 'count-whole'
  values: Decision['values']
}

/** How data crosses the border of global memory: the form of copy, and the unit of its size. */
export function copyDecisions(facts: KernelFacts): Decision[] {
  const copies = facts.moves.flatMap((move) => (move.direction === 'inside' ? [] : (copyOf(move, facts) ?? [])))
  const groups = new Map<string, Copy[]>()
  for (const one of copies) {
    const key = JSON.stringify([one.situation, one.move.direction, one.values])
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const largest = [...groups.values()].sort((one, other) => other.length - one.length)
  const both = twoWays(facts)
  // Of each form one example is enough, and a choice between two is not repeated for either.
  const told = largest
    .filter((all, at) => largest.findIndex((other) => nameOf(other) === nameOf(all)) === at)
    .filter(([one]) => both.length === 0 || (one?.situation !== 'bytes' && one?.situation !== 'count'))
  return [...both, ...bothWays(told.slice(0, 3).map((all) => formDecision(all, copies)))]
}

function formDecision(all: readonly Copy[], copies: readonly Copy[]): Decision {
  const [first] = all as [Copy]
  const {api, local, global, amount, direction} = first.move
  const key = ({situation, values}: Copy) => JSON.stringify([situation, values])
  const back = copies.filter((one) => key(one) === key(first) && one.move.direction !== direction)
  const isCount = first.situation.startsWith('count') && back.length > 0
  const [ways, outs] = isCount && direction === 'out' ? [back, all] : [all, back]
  return {
    ...{topic: 'copies', situation: nameOf(all), subject: api},
    values: {
      ...{...first.values, tensors: globalsOf(ways)},
      ...{direction: isCount ? 'both' : direction, ...(isCount && {outs: globalsOf(outs)})},
    },
    because: [
      {kind: 'fact', code: `${api}(${local}, ${global}, ${amount})`},
      {kind: 'rule', api, rule: api === 'DataCopy' ? 'whole-blocks' : 'bytes-and-blocks'},
    ],
  }
}

const globalsOf = (all: readonly Copy[]) => [...new Set(all.map(({move}) => baseOf(move.global)))].slice(0, 4)

/** What is copied in and out in the same way is one decision. */
function bothWays(forms: readonly Decision[]): Decision[] {
  const of = (situation: string) => forms.find((one) => one.situation === situation)
  return forms.flatMap((one): Decision[] => {
    const [, form, direction] = /^(bytes|rows)-(in|out)$/.exec(one.situation) ?? []
    const other = form === undefined ? undefined : of(`${form}-${direction === 'in' ? 'out' : 'in'}`)
    if (!other) return [one]
    if (direction === 'out') return []
    const {count, length, tensors = ''} = other.values
    const isSame = count === one.values['count'] && length === one.values['length']
    const values = {...one.values, countOut: count ?? '', lengthOut: length ?? '', outs: tensors}
    const because = [...one.because, ...other.because.filter(({kind}) => kind === 'fact')]
    return [{...one, situation: `${form}-both`, values: {...values, same: isSame ? 'yes' : 'no'}, because}]
  })
}

/** Two arms of one branch that copy by whole blocks and by bytes. */
function twoWays({methods, moves}: KernelFacts): Decision[] {
  for (const {syntax} of methods) {
    const arms = (api: string) =>
      syntax.calls
        .filter(({name}) => name === api)
        .flatMap(({args, branches}) => branches.slice(-1).map((branch) => ({...branch, args})))
    const padded = arms('DataCopyPad')
    const plain = arms('DataCopy').find((one) =>
      padded.some((other) => other.line === one.line && String(other.arm) !== String(one.arm)),
    )
    const move = moves.find(({method, api, global}) => {
      return method === syntax.name && api === 'DataCopy' && plain?.args.includes(global)
    })
    const condition = cleaned(plain?.condition ?? '')
    if (!plain || condition.length > longest || !/%|align/i.test(condition)) continue
    const where = {direction: move?.direction ?? 'none', tensors: move ? [baseOf(move.global)] : []}
    const values = {condition, holds: plain.arm === 'then' ? 'yes' : 'no', ...where}
    return [
      {
        ...{topic: 'copies', situation: 'by-alignment', subject: condition, values},
        because: [
          {kind: 'fact', code: condition},
          {kind: 'rule', api: 'DataCopy', rule: 'whole-blocks'},
        ],
      },
    ]
  }
  return []
}

/** Where in global memory a piece begins. */
export function placeDecisions(facts: KernelFacts): Decision[] {
  for (const {global, method} of facts.moves) {
    const [, tensor = '', index = ''] = /^([\w.>-]+)\[([^]*)\]$/.exec(cleaned(global)) ?? []
    const offset = /^\w+$/.test(index) ? (assignedOnce(index, method, facts) ?? '') : index
    if (tensor === '' || !offset.includes(' * ') || offset.length > longestOffset || /[?[\]]/.test(offset)) continue
    const terms = offset.split(/ \+ (?![^(]*\))/)
    // Regions of a workspace that follow each other are not levels.
    if (terms.length < 2 || terms.slice(0, -1).some((one) => !one.includes(' * '))) continue
    const values = {tensor, offset, terms: terms.length}
    return [
      {
        ...{topic: 'places', situation: 'several', subject: tensor, values},
        because: [{kind: 'fact', code: global}],
      },
    ]
  }
  return []
}

const longestOffset = 130

function assignedOnce(name: string, method: string, {methods}: KernelFacts): string | undefined {
  const own = methods
    .filter(({syntax}) => syntax.name === method)
    .flatMap(({syntax}) => syntax.assignments.filter((one) => one.name === name))
  const [only] = own
  return own.length === 1 && only?.operator === '=' ? cleaned(only.value) : undefined
}

const nameOf = ([one]: readonly Copy[]): string =>
  one?.situation.startsWith('count') ? one.situation : `${one?.situation}-${one?.move.direction}`

const baseOf = (text: string) => cleaned(text).replace(/\[[^]*$/, '')

/** Elements of 2 bytes in a block of 32; those of 4 bytes are whole blocks then as well. */
const wholeBlocks = 16

/** Longer lengths are not quoted. */
const longest = 70

function copyOf(move: MoveFact, facts: KernelFacts): Copy | undefined {
  const {api, amount, direction} = move
  if (api === 'DataCopy') {
    const count = cleaned(amount)
    if (/ - 1\) \/ /.test(count)) return undefined
    if (!/^[\w.\s*/+()-]+$/.test(count) || count.length > longest || /param/i.test(count)) return undefined
    const number = evaluate(amount, scopeOfFacts(facts))
    const isWhole = number !== undefined && number % wholeBlocks === 0
    return isWhole
      ? {move, situation: 'count-whole', values: {count, number, blocks: number / wholeBlocks}}
      : {move, situation: 'count', values: {count}}
  }
  const given = api === 'DataCopyPad' ? parametersOf(move, facts) : undefined
  if (!given) return undefined
  const [count = '', length = '', source = '0', target = '0'] = given.map(cleaned)
  const [global, local] = direction === 'in' ? [source, target] : [target, source]
  if (length === '' || [count, length, global, local].some((one) => one.length > longest)) return undefined
  const values = {count, length, global, local}
  const isOne = evaluate(given[0] ?? '', scopeOfFacts(facts)) === 1
  if (isOne) return {move, situation: 'bytes', values}
  return {move, situation: global === '0' ? 'rows' : 'rows-gap', values}
}

/** Count, length and gaps that a copy is given: as a list, or through a variable that is filled once. */
function parametersOf({amount, method}: MoveFact, {methods}: KernelFacts): string[] | undefined {
  const [first = ''] = itemsOf(`(${amount})`)
  if (first.startsWith('{')) return itemsOf(`(${first.slice(1, -1)})`)
  if (!/^\w+$/.test(first)) return undefined
  const owners = methods.filter(({syntax}) => syntax.name === method)
  const own = owners.flatMap(({syntax}) => syntax.assignments).filter(({name}) => name.split('.')[0] === first)
  const lists = own.filter(({name, value}) => name === first && value.startsWith('{'))
  if (lists.length > 1) return undefined
  const listed = lists[0] ? itemsOf(`(${lists[0].value.slice(1, -1)})`) : []
  const fields = ['blockCount', 'blockLen', 'srcStride', 'dstStride'].map((field, at) => {
    const values = own.filter(({name}) => name === `${first}.${field}`)
    return values.length > 1 ? undefined : (values[0]?.value ?? listed[at])
  })
  return fields.every((one) => one !== undefined) ? fields : undefined
}

function itemsOf(list: string): string[] {
  return argumentsAt(tokenized(list, /./), 0)
}
