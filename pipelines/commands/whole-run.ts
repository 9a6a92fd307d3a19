import {clock} from '../../engine/counted.ts'

/** Recipes of one command, one after another. */
interface WholeRun {
  /** The previous recipe has ended. */
  begin(recipe: string): void
  /** `then projects, evaluated, card: about 0:40 left in all`, without the time if it is unknown. */
  left(): string
}

/** @param usual seconds of each recipe on some machine; scaled to this machine as recipes finish */
export function wholeRun(
  recipes: readonly string[],
  usual: ReadonlyMap<string, number> | undefined,
  now: () => number,
): WholeRun {
  const [ended, begun] = [
    {usual: 0, real: 0},
    {at: -1, since: 0},
  ]
  const usualOf = (at: number) => usual?.get(recipes[at] ?? '') ?? 0
  const elapsed = () => (now() - begun.since) / 1000
  return {
    begin(recipe) {
      if (begun.at >= 0) {
        ended.usual += usualOf(begun.at)
        ended.real += elapsed()
      }
      Object.assign(begun, {at: recipes.indexOf(recipe), since: now()})
    },
    left() {
      const rest = recipes.slice(begun.at + 1)
      const pace = ended.usual > 0 ? ended.real / ended.usual : 1
      const later = rest.reduce((sum, recipe) => sum + (usual?.get(recipe) ?? 0), 0) * pace
      const seconds = later + Math.max(0, usualOf(begun.at) * pace - elapsed())
      const time = usual === undefined ? '' : `about ${clock(seconds)} left in all`
      if (rest.length === 0) return time
      return `then ${rest.join(', ')}${time === '' ? '' : `: ${time}`}`
    },
  }
}
