import type {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {CraftedOperator, type CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import {labelOf} from '../../../datasets/schema/label.ts'
import type {CostedCandidate} from '../../../datasets/schema/optimisation.ts'
import {SearchedOperator, type FoundProgram, type SearchStep} from '../../../datasets/schema/searched-operator.ts'
import {randomFrom, type Random} from '../../../engine/random.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {designDecisions} from '../factory/design-decisions.ts'
import {tileUnit} from '../factory/frame.ts'
import {programOf} from '../factory/tile-program.ts'
import {readProgram} from '../language/check.ts'
import {lower} from '../lower/lower.ts'
import {movesOf, startOf} from './design-moves.ts'
import {stepDecisions} from './step-decisions.ts'

interface SearchOptions {
  /** Judges a program against the operator's task. */
  judge: Stage<Candidate, JudgedCandidate>
  /** Models the time of a correct one. */
  cost: Stage<JudgedCandidate, CostedCandidate>
  /** Programs to try for one operator. */
  most?: number
  /** A step is modelled at least as many times as fast as the one before it. */
  leastGain?: number
  /** Operators in progress at once. */
  concurrency?: number
}

/**
 * Operator → a search for faster programs of it: from a drawn design, step by step to one that is modelled as faster
 * and found correct, until none is or enough were tried. Drops `not-green` where no first one is correct,
 * `not-modelled` where it has no cost, and `no-faster-design`.
 */
export default function fasterDesigns(options: SearchOptions): Stage<CraftedOperator, SearchedOperator> {
  const {judge, cost, most = 24, leastGain = 1.1, concurrency = 2} = options
  const parts = [judge, cost].map(({name, version, options: own}) => [name, version, own ?? null])
  return {
    name: 'faster-designs',
    version: 2,
    options: {parts, most, leastGain},
    tally: ({design}) => design.category,
    input: CraftedOperator,
    output: SearchedOperator,
    run: each((operator, context) => new Search(operator, {...options, most, leastGain}, context).run(), {concurrency}),
  }
}

/** Starts that are drawn: one that holds whole rows cannot serve an operator whose rows are longer. */
const mostStarts = 4

/** A program that was modelled; whether it is correct is only asked once it is faster. */
type Trial = Omit<FoundProgram, 'verdict'> & {sizes: string}

class Search {
  private readonly operator: CraftedOperator
  private readonly options: Required<Omit<SearchOptions, 'concurrency'>>
  private readonly context: Context
  private readonly random: Random
  private readonly seen = new Set<string>()
  /** Why judge or cost model refused the last program that they refused. */
  private refused = ''

  constructor(operator: CraftedOperator, options: Search['options'], context: Context) {
    this.operator = operator
    this.options = options
    this.context = context
    this.random = randomFrom(context.seed, 'faster-designs', operator.design.name)
  }

  async run(): Promise<readonly SearchedOperator[]> {
    const {design, structure, task} = this.operator
    let [first, start]: [Trial?, FoundProgram?] = []
    for (let tries = 0; tries < mostStarts && !start; tries += 1) {
      const trial = await this.modelled(startOf(design, this.random))
      first = trial ?? first
      start = trial && (await this.judged(trial))
    }
    if (!first) return this.context.drop(this.operator, 'not-modelled', `${design.name}: ${this.refused}`)
    if (!start)
      return this.context.drop(this.operator, 'not-green', `${design.name}: ${mostStarts} drawn; ${this.refused}`)
    const steps: SearchStep[] = []
    for (let next = await this.better(start); next; next = await this.better(next)) steps.push(next)
    if (steps.length === 0)
      return this.context.drop(this.operator, 'no-faster-design', `${design.name}: ${this.seen.size} programs tried`)
    return [{design, structure, task, sizes: first.sizes, start, steps, tried: this.seen.size}]
  }

  /** The first neighbour, in drawn order, that is faster by enough and correct. */
  private async better(before: FoundProgram): Promise<SearchStep | undefined> {
    for (const {knob, design} of this.random.shuffle(movesOf(before.design))) {
      const trial = await this.modelled(design)
      if (!trial) continue
      const gain = before.cost.microseconds / trial.cost.microseconds
      const found = gain < this.options.leastGain ? undefined : await this.judged(trial)
      if (found) return {...found, knob, gain, because: stepDecisions(knob, before, found)}
    }
    return undefined
  }

  /** Undefined for one that does not run, that was tried before, or that is one too many. */
  private async modelled(design: CraftDesign): Promise<Trial | undefined> {
    const crafted = programOf(design)
    const {text, plan} = crafted
    if (plan.tile < tileUnit || this.seen.has(text) || this.seen.size >= this.options.most) return undefined
    this.seen.add(text)
    const read = readProgram(text)
    // The factory and the checker are both ours: a refusal is a fault in one of them.
    if (!read.ok) throw new TypeError(`${design.name}: ${read.faults[0]?.message}\n${text}`)
    const {files} = lower(read.checked, {operator: design.name})
    const costed = await this.one(this.options.cost, {...this.candidate(files), verdict: this.operator.verdict})
    if (!costed?.cost) return undefined
    const decisions = designDecisions(design, crafted)
    return {design, program: text, tile: plan.tile, files, cost: costed.cost, sizes: costed.sizes ?? '', decisions}
  }

  private async judged({sizes: _, ...trial}: Trial): Promise<FoundProgram | undefined> {
    const judged = await this.one(this.options.judge, this.candidate(trial.files))
    if (judged && labelOf(judged.verdict) === 'green') return {...trial, verdict: judged.verdict}
    if (judged) this.refused = judged.verdict.outcome
    return undefined
  }

  private candidate(files: Candidate['files']): Candidate {
    const {task} = this.operator
    const written = files.map(({path}) => path)
    return {task: {...task, answer: []}, sampler: {kind: 'answer'}, prompt: task.name, reasoning: '', files, written}
  }

  /** What a stage makes of one record; what it refuses is a design that the search passes over. */
  private async one<In, Out>(stage: Stage<In, Out>, item: In): Promise<Out | undefined> {
    async function* only() {
      yield item
    }
    const drop = (_: unknown, reason: string, detail = '') => {
      this.refused = `${reason} ${detail}`.trim()
      return []
    }
    for await (const made of stage.run(only(), {...this.context, drop})) return made
    return undefined
  }
}
