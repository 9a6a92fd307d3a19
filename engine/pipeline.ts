import type {Stage} from './stage.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of stages of any kind; `via` checks each seam.
export type AnyStage = Stage<any, any>

/** A straight line of stages. `via` is the only composition: a stage after the wrong neighbour does not compile. */
export class Pipeline<Out> {
  readonly name: string
  readonly origins: readonly unknown[]
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

  via<Next>(stage: Stage<Out, Next>): Pipeline<Next> {
    return new Pipeline<Next>(this.name, this.origins, [...this.stages, stage])
  }
}
