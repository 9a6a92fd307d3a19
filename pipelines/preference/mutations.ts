import {lineAt} from '../../cpp/source-view.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {textId} from '../../engine/ids.ts'
import type {Random} from '../../engine/random.ts'
import {argumentMutations} from './mutations/argument-lists.ts'
import {arithmeticMutations} from './mutations/arithmetic.ts'
import {syntaxMutations} from './mutations/broken-syntax.ts'
import {copyMutations} from './mutations/copy-parameters.ts'
import {movementMutations} from './mutations/data-copies.ts'
import {eventMutations} from './mutations/events.ts'
import {paperShares, runFaults, type FaultClass, type RunFault} from './mutations/fault-classes.ts'
import {formulaMutations} from './mutations/host-formulas.ts'
import {hostMutations} from './mutations/host.ts'
import {limitMutations} from './mutations/limits.ts'
import {macroMutations} from './mutations/macro-misuse.ts'
import {plantAt, viewFiles, type Mutant, type Mutation, type Place} from './mutations/mutation.ts'
import {objectMutations} from './mutations/object-misuse.ts'
import {overloadMutations} from './mutations/overloads.ts'
import {queueLifeMutations} from './mutations/queue-life.ts'
import {queueMutations} from './mutations/queues.ts'
import {scopeMutations} from './mutations/scopes.ts'
import {syncMutations} from './mutations/sync.ts'
import {tilingMutations} from './mutations/tiles.ts'
import {typeMutations} from './mutations/types.ts'
import {valueMutations} from './mutations/values.ts'

/** By what they get wrong. */
export const mutationsByClass: Readonly<Record<FaultClass, readonly Mutation[]>> = {
  'api-signature-and-overload': [...argumentMutations, ...overloadMutations],
  'data-type-and-conversion': typeMutations,
  'variable-scope-and-lifetime': scopeMutations,
  'memory-and-object-usage': objectMutations,
  'syntax-and-structure': syntaxMutations,
  'macro-and-preprocessing': macroMutations,
  logic: [...arithmeticMutations, ...valueMutations],
  tiling: [...tilingMutations, ...hostMutations, ...formulaMutations],
  'queue-life': [...queueMutations, ...queueLifeMutations],
  synchronisation: [...syncMutations, ...eventMutations],
  copies: [...movementMutations, ...copyMutations],
  'hardware-limits': limitMutations,
}

export const mutationFamilies: readonly (readonly Mutation[])[] = Object.values(mutationsByClass)

/** What mutants are made of, as shares of all of them. */
export interface Mix {
  /** Faults that compile and show when the kernel runs; the others do not compile. */
  faultsThatRun: number
  /** Mutants with two or three faults. */
  severalFaults: number
}

export interface NamedMutant extends Mutant {
  mutation: string
  /** Faults after the first one. */
  more?: {mutation: string; detail: string}[]
  /** Where the first fault is in the files as they are now. */
  place?: {path: string; line: number}
}

export const defaultMix: Mix = {faultsThatRun: 0.5, severalFaults: 0.2}

/**
 * Up to `count` different faulty variants of an operator; fewer when it offers no more places. The same files and the
 * same random stream give the same mutants, and a larger count gives the same ones and more.
 */
export function mutate(
  files: readonly SourceFile[],
  count: number,
  random: Random,
  mix: Mix = defaultMix,
): NamedMutant[] {
  const mutants: NamedMutant[] = []
  if (count <= 0) return mutants
  for (const mutant of drawMutants(files, random, mix)) {
    mutants.push(mutant)
    if (mutants.length >= count) break
  }
  return mutants
}

/** Ends when every place has been the first of a mutant: shares hold to the end, and generation terminates. */
function* drawMutants(files: readonly SourceFile[], random: Random, mix: Mix): Generator<NamedMutant> {
  const decks = makeDecks(files, random)
  const seen = new Set([fingerprint(files)])
  for (;;) {
    const wantsRunning = random.unit() < mix.faultsThatRun
    const number = drawNumber(mix, random)
    const first = takePlace(decks, wantsRunning, random)
    // Where one side of the mix has no place left, its share goes to the other, unless that was not asked for at all.
    const otherAsked = wantsRunning ? mix.faultsThatRun < 1 : mix.faultsThatRun > 0
    const lead = first ?? (otherAsked ? takePlace(decks, !wantsRunning, random) : undefined)
    if (!lead) return
    const runs = wantsRunning === (first !== undefined)
    const faults = [lead, ...furtherFaults(decks, {lead, number, runs}, random)]
    const mutant = plantAll(files, faults)
    const id = fingerprint(mutant.files)
    if (seen.has(id)) continue
    seen.add(id)
    for (const {deck} of faults) deck.drawn += 1
    yield mutant
  }
}

/** Of mutants with several faults, one in four has three. */
function drawNumber({severalFaults}: Mix, random: Random): 1 | 2 | 3 {
  if (random.unit() >= severalFaults) return 1
  return random.unit() < 0.25 ? 3 : 2
}

/** The places of one mutation in an operator. */
interface Deck {
  mutation: string
  all: readonly Place[]
  /** Those that were not yet the first of a mutant, in random order. */
  left: Place[]
  drawn: number
}

type Decks = Readonly<Record<FaultClass, readonly Deck[]>>

interface Fault {
  deck: Deck
  place: Place
}

function makeDecks(files: readonly SourceFile[], random: Random): Decks {
  const sources = viewFiles(files)
  const ofClass = ([name, mutations]: [string, readonly Mutation[]]) => {
    const decks = random.shuffle(mutations).map((mutation): Deck => {
      const all = mutation.places(sources)
      return {mutation: mutation.name, all, left: random.shuffle(all), drawn: 0}
    })
    return [name, decks.filter(({all}) => all.length > 0)] as const
  }
  return Object.fromEntries(Object.entries(mutationsByClass).map(ofClass)) as unknown as Decks
}

function takePlace(decks: Decks, runs: boolean, random: Random): Fault | undefined {
  const deck = pickDeck(decks, runs, random, ({left}) => left.length > 0)
  const place = deck?.left.pop()
  return deck && place && {deck, place}
}

interface Several {
  lead: Fault
  number: number
  runs: boolean
}

/** All of the side of the first one: a fault that does not compile would hide one that shows when the kernel runs. */
function furtherFaults(decks: Decks, {lead, number, runs}: Several, random: Random): Fault[] {
  const faults = [lead]
  for (let attempt = 0; attempt < 4 * number && faults.length < number; attempt += 1) {
    const deck = pickDeck(decks, runs, random, () => true)
    if (!deck) break
    const place = random.pick(deck.all)
    if (!faults.some((fault) => collide(fault.place, place))) faults.push({deck, place})
  }
  return faults.slice(1)
}

const collide = (a: Place, b: Place) => a.path === b.path && a.start <= b.end && b.start <= a.end

/** A class by its share among those that have something, then the mutation of it that was drawn least. */
function pickDeck(decks: Decks, runs: boolean, random: Random, has: (deck: Deck) => boolean): Deck | undefined {
  const shares: Partial<Record<FaultClass, number>> = runs ? evenShares : paperShares
  const open = Object.entries(shares).flatMap(([name, share]) => {
    const usable = decks[name as FaultClass].filter(has)
    return usable.length > 0 ? [{share, usable}] : []
  })
  let point = random.unit() * open.reduce((sum, {share}) => sum + share, 0)
  const chosen = open.find(({share}) => (point -= share) < 0) ?? open.at(-1)
  if (!chosen) return undefined
  const least = Math.min(...chosen.usable.map(({drawn}) => drawn))
  return random.pick(chosen.usable.filter(({drawn}) => drawn === least))
}

const evenShares = Object.fromEntries(runFaults.map((name) => [name, 1])) as Record<RunFault, number>

/** From the last place to the first, so that none moves the next. */
function plantAll(files: readonly SourceFile[], faults: readonly Fault[]): NamedMutant {
  let planted: readonly SourceFile[] = files
  for (const {place} of faults.toSorted((a, b) => b.place.start - a.place.start))
    planted = plantAt(planted, place).files
  const [first, ...more] = faults.map(({deck, place}) => ({
    mutation: deck.mutation,
    detail: plantAt(files, place).detail,
  }))
  const place = placeOf(planted, faults)
  return {mutation: '', detail: '', ...first, files: [...planted], ...(more.length > 0 && {more}), place}
}

/** The line of the first fault, which further ones before it in its file have moved. */
function placeOf(planted: readonly SourceFile[], faults: readonly Fault[]): {path: string; line: number} {
  const [{place: {path, start} = {path: '', start: 0}} = {}] = faults
  const moved = faults
    .filter(({place}) => place.path === path && place.start < start)
    .reduce((sum, {place}) => sum + place.replacement.length - (place.end - place.start), 0)
  const {text = ''} = planted.find((file) => file.path === path) ?? {}
  return {path, line: lineAt(text, Math.min(start + moved, text.length))}
}

function fingerprint(files: readonly SourceFile[]): string {
  return textId(files.map(({path, text}) => `${path}\0${text}`).join('\0'))
}
