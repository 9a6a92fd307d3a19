import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {definitionDecisions, definitionOf} from './definition-decisions.ts'
import {coresDecision, pieceDecisions, shareDecisions, unitDecisions} from './host-cores.ts'
import {exampleDecision} from './host-example.ts'
import * as handing from './host-handing.ts'
import {keyDecision} from './host-keys.ts'
import {refusalDecisions} from './host-refusals.ts'
import {tileDecisions, typeDecision} from './host-tile.ts'
import {lastName} from '../settled-values.ts'
import {decided, factOf, HostView, launchedName, namesInside, type Size} from './host-view.ts'

/** Most paragraphs of one file. */
const mostDecisions = 10

/** What many files decide alike: some of these are omitted if there is much else to say. */
const common = new Set([
  ...['host-known/sizes', 'host-known/sizes-and-types', 'host-known/parsed', 'host-types/bytes', 'host-order/chain'],
  ...['host-unit/repeat', 'host-tile/fits', 'host-tile/rounded-down', 'host-refusal/platform', 'host-workspace/none'],
  ...['host-share/rounds', 'host-workspace/constant', 'host-workspace/library', 'host-key/one'],
])

/** Why a host file computes, refuses and passes what it does, in the order of dependence. */
export function hostDecisions(source: OperatorSource, facts: HostFacts): Decision[] {
  const view = new HostView(facts)
  const [definition] = facts.definitions
  const all = [
    ...orderDecision(view),
    ...handing.unknownDecision(view),
    ...handing.structureDecisions(view),
    ...handing.parsedDecision(view),
    ...typeDecision(view),
    ...unitDecisions(view),
    ...handing.cornersDecision(view),
    ...shareDecisions(view),
    ...pieceDecisions(view),
    ...handing.thresholdDecision(view),
    ...handing.listsDecision(view),
    ...coresDecision(view),
    ...handing.scheduleDecision(view),
    ...tileDecisions(view),
    ...exampleDecision(view, source),
    ...keyDecision(view),
    ...refusalDecisions(view),
    ...handing.matmulDecision(view),
    ...handing.widthDecision(view),
    ...handing.workspaceDecision(view),
    ...handing.attributeDecision(view),
    ...(definition ? definitionDecisions(source, definitionOf(definition)).slice(0, 2) : []),
  ]
  return kept(all, source.operator)
}

/** Limits the decisions: of common ones, a different selection in each operator. */
function kept(all: readonly Decision[], operator: string): Decision[] {
  const isCommon = ({topic, situation}: Decision) => common.has(`${topic}/${situation}`)
  const shared = all.filter(isCommon)
  const seed = [...operator].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7)
  const turned = shared.map((_, at) => shared[(at + seed) % shared.length])
  const left = new Set(turned.slice(0, Math.max(0, all.length - mostDecisions)))
  return all.filter((one) => !left.has(one)).slice(0, mostDecisions + 2)
}

/** Which size needs which, from a question to what is handed over. */
function orderDecision(view: HostView): Decision[] {
  const chain = longestChain(view)
  if (chain.length < 3) return []
  const sizes = chain.map((name) => view.of(name)[0]).filter((one) => one !== undefined)
  const [first, last] = [chain[0] ?? '', chain.at(-1) ?? '']
  const values = {chain: chain.slice(-6), first, last}
  return [decided('host-order', 'chain', last, values, sizes.slice(-3).map(factOf))]
}

/** The longest way from a queried value to one that the kernel gets. */
function longestChain(view: HostView): string[] {
  const known = new Map<string, string[]>()
  const chainTo = (name: string, around: readonly string[]): string[] => {
    const before = known.get(name)
    if (before || around.includes(name)) return before ?? []
    const own = view.of(name).filter(isArithmetic)
    if (own.length === 0) return view.of(name).some(isAsked) ? [name] : []
    // A name that several functions give a value to may be another one in each.
    const isOne = (one: string) => new Set(view.of(one).map(({method}) => method)).size === 1
    const inner = [...new Set(own.flatMap(({expression}) => namesInside(expression)))]
    const ways = inner.filter((one) => one !== name && isOne(one)).map((one) => chainTo(one, [...around, name]))
    const chain = [...longest(ways), name]
    known.set(name, chain)
    return chain
  }
  const ends = view.sizes
    .filter(({isField}) => isField)
    .map(({name, text}) => (/^[\w.>-]+$/.test(text) ? lastName(text) : name))
  return longest([...ends, ...view.facts.blockDim.map(launchedName)].map((name) => chainTo(name, [])))
}

const longest = (chains: readonly string[][]) =>
  chains.reduce<string[]>((best, one) => (one.length > best.length ? one : best), [])

const isArithmetic = ({form, expression: {kind, text}, statement: {loops}}: Size) =>
  loops.length === 0 && (form !== undefined || (kind === 'operation' && /^[-+*/%]$/.test(text)))

const isAsked = ({statement: {text}}: Size) => /Get(?:Dim|ShapeSize|CoreNum\w*)\(/.test(text)
