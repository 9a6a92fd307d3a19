import type {Stage} from './stage.ts'

/** A stage of any input and output. */
// biome-ignore lint/suspicious/noExplicitAny: a list of stages of any kind; `via` checks each seam.
export type AnyStage = Stage<any, any>

/**
 * A straight line of stages; `Out` is what the last one gives. `via` and `through` are the only compositions: a stage
 * after the wrong neighbour does not compile. Branches and joins go through finished runs (`fromRun`).
 * @example
 * ```ts
 * // counted-lines.ts
 * import {Pipeline} from 'ascend-cot/pipeline'
 * import wordCount from './word-count.ts'
 *
 * // Two lines go in, one record comes out: the blank one is dropped.
 * export const countedLines = Pipeline.from('counted-lines', [{text: 'a b'}, {text: ' '}], wordCount())
 * ```
 */
export class Pipeline<Out> {
  /** Of the recipe, kebab-case; its run is in `<out>/<name>`. */
  readonly name: string
  /** What the first stage reads, in order. */
  readonly origins: readonly unknown[]
  /** At least one. */
  readonly stages: readonly AnyStage[]

  private constructor(name: string, origins: readonly unknown[], stages: readonly AnyStage[]) {
    this.name = name
    this.origins = origins
    this.stages = stages
  }

  /**
   * @param name the recipe's name, kebab-case
   * @param origins what the first stage reads from: folders, URLs, finished runs
   */
  static from<In, Out>(name: string, origins: readonly In[], first: Stage<In, Out>): Pipeline<Out> {
    return new Pipeline<Out>(name, origins, [first])
  }

  /** A line of stages that was checked where it was written, e.g. the first part of a pipeline. */
  static of(name: string, origins: readonly unknown[], stages: readonly AnyStage[]): Pipeline<unknown> {
    return new Pipeline<unknown>(name, origins, stages)
  }

  /** The line with one more stage; this one stays as it is. */
  via<Next>(stage: Stage<Out, Next>): Pipeline<Next> {
    return new Pipeline<Next>(this.name, this.origins, [...this.stages, stage])
  }

  /** The line with further stages that give what they take: as many as there are, which may be none. */
  through(stages: readonly Stage<Out, Out>[]): Pipeline<Out> {
    return new Pipeline<Out>(this.name, this.origins, [...this.stages, ...stages])
  }
}
