import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {textId} from '../../../engine/ids.ts'
import type {Random} from '../../../engine/random.ts'
import type {Mutant, Mutation} from '../../../pipelines/preference/mutations/mutation.ts'
import {mutationFamilies, type NamedMutant} from '../../../pipelines/preference/mutations.ts'
import {bakedInShape, halfPrecision} from './degradations.ts'
import {kinds, ofManyCores} from './kinds.ts'
import {runEach, verdictOf, type Bench, type Subject} from './subject.ts'
import {writers} from './writers.ts'

export interface Tried {
  task: string
  /** On how many cores the answer runs the first rows. */
  cores: number[]
  kind: string
  mutant: NamedMutant
  verdict: Verdict
  /** Noticed only in other rows than the first two. */
  late?: boolean
  /** Of a survivor: whether it leaves the answer's outputs to the bit, in every row and family of the judge. */
  sameBits?: boolean
}

export interface Planted {
  tried: Tried[]
  /** Mutants that do not compile say nothing about checks; others take their place. */
  uncompiled: number
}

/** Outcomes that tell nothing about checks while a kernel runs. */
const sayNothing = ['compile-failed', 'link-failed', 'not-covered']

/** Places tried for a mutation whose mutants do not compile. */
const places = 3

/** Up to `most` mutants of a subject, the kinds in turns, at most one of each mutation; every one is judged. */
export async function plant(subject: Subject, most: number, bench: Bench, random: Random): Promise<Planted> {
  const known = new Map(
    [...mutationFamilies.flat(), ...writers, ...degradations(subject)].map((mutation) => [mutation.name, mutation]),
  )
  // On one core, what is wrong about the share of a core is not.
  const alone = subject.runs.every(({trace}) => trace.blockDim === 1)
  const lists = random
    .shuffle(Object.entries(kinds))
    .map(([kind, names]) =>
      random
        .shuffle(names.filter((name) => !alone || !ofManyCores.has(name)).flatMap((name) => known.get(name) ?? []))
        .map((mutation) => ({kind, mutation})),
    )
  const result: Planted = {tried: [], uncompiled: 0}
  const seen = new Set<string>()
  while (lists.some((list) => list.length > 0)) {
    for (const list of lists) {
      // A kind whose first mutation finds no place has its turn with the next.
      while (list.length > 0 && result.tried.length < most) {
        const {kind, mutation} = list.shift() as {kind: string; mutation: Mutation}
        const tried = await plantOne(subject, mutation, {bench, random, seen, result})
        if (!tried) continue
        result.tried.push({
          task: subject.task.name,
          cores: subject.runs.map(({trace}) => trace.blockDim),
          kind,
          ...tried,
        })
        break
      }
    }
    if (result.tried.length >= most) break
  }
  return result
}

function degradations({dtypes, runs}: Subject): Mutation[] {
  const baked = bakedInShape(runs.map(({trace}) => trace))
  // Where a task computes in 16 bits, half's precision is what its own tolerance allows.
  const wide = Object.values(dtypes).every((dtype) => dtype === 'float32')
  return [...(wide ? [halfPrecision] : []), ...(baked ? [baked] : [])]
}

interface Planting {
  bench: Bench
  random: Random
  seen: Set<string>
  result: Planted
}

async function plantOne(
  subject: Subject,
  mutation: Mutation,
  {bench, random, seen, result}: Planting,
): Promise<Pick<Tried, 'mutant' | 'verdict' | 'late' | 'sameBits'> | undefined> {
  for (let place = 0; place < places; place += 1) {
    const mutant = mutation.apply(subject.task.answer, random, subject.fits)
    if (!mutant) return undefined
    const id = textId(JSON.stringify(mutant.files))
    if (seen.has(id)) continue
    seen.add(id)
    const verdict = await verdictOf(subject.task, mutant.files, bench)
    if (sayNothing.includes(verdict.outcome)) {
      result.uncompiled += 1
      continue
    }
    const named = {mutation: mutation.name, ...mutant}
    if (verdict.outcome !== 'correct') return {mutant: named, verdict}
    const wider = await subject.wider()
    const again = wider && (await verdictOf(wider, mutant.files, {...bench.wider, executor: bench.executor}))
    if (again && !['correct', ...sayNothing].includes(again.outcome)) return {mutant: named, verdict: again, late: true}
    return {mutant: named, verdict, sameBits: await sameBits(subject, mutant, bench)}
  }
  return undefined
}

async function sameBits({task, source, dtypes}: Subject, mutant: Mutant, {executor}: Bench): Promise<boolean> {
  const outputs = async (files: Mutant['files']) => {
    const ends = await runEach(executor, {operator: task.name, files, dtypes}, source, [
      'normal',
      'uniform',
      'boundary',
    ])
    return ends.map((end) =>
      end.outcome === 'ran' ? end.outputs.map((bytes) => Buffer.from(bytes).toString('base64')) : end.outcome,
    )
  }
  return JSON.stringify(await outputs(task.answer)) === JSON.stringify(await outputs(mutant.files))
}
