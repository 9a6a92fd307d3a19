import {isDeepStrictEqual} from 'node:util'
import type {InputSize, Oracle} from './oracle/oracle.ts'
import type {Setting} from './tiers.ts'

type Describing = Pick<Oracle, 'describe'>

/**
 * Sizes between the scaled ones and the checkout's own, as large as the limit on input allows: the first constant grown
 * (more rows than cores or than a plan counts), then the last (rows that exceed a tile), neither beyond the checkout's
 * own. A kernel that is only correct up to some size is detected below the limit, not above it. Constants with the same
 * value are one size.
 */
export async function grownSettings(scaled: Setting, oracle: Describing, largest: number): Promise<Setting[]> {
  const keys = Object.keys(scaled.constants ?? {})
  const ends = [...new Set([keys[0], keys.at(-1)])].filter((key) => key !== undefined)
  if (ends.length === 0) return []
  const [own, now] = [await oracle.describe({}), await oracle.describe(scaled)]
  const found: Setting[] = []
  for (const key of ends) {
    const room = roomOf(own, now, await oracle.describe(grown(scaled, key, 2)))
    let factor = Math.min(room, Math.floor(largest / bytesOf(now)))
    // Equal sizes grow together, so bytes may grow faster.
    while (factor > 1 && bytesOf(await oracle.describe(grown(scaled, key, factor))) > largest)
      factor = Math.floor(factor / 2)
    if (factor > 1) found.push(grown(scaled, key, factor))
  }
  return found.filter((one, at) => !isDeepStrictEqual(one, found[at - 1]))
}

const bytesOf = (inputs: readonly InputSize[]) => inputs.reduce((sum, {bytes}) => sum + bytes, 0)

/** How many times the axes of a constant fit into the checkout's own. */
function roomOf(own: readonly InputSize[], now: readonly InputSize[], doubled: readonly InputSize[]): number {
  const rooms = now.flatMap(({shape}, input) =>
    shape.flatMap((size, axis) =>
      doubled[input]?.shape[axis] === size ? [] : [Math.floor((own[input]?.shape[axis] ?? 0) / size)],
    ),
  )
  return rooms.length === 0 ? 0 : Math.min(...rooms)
}

function grown(setting: Setting, key: string, factor: number): Setting {
  const given = setting.constants?.[key]
  const wanted = typeof given === 'number' ? given : given?.[0]
  const times = (value: number) => (value === wanted ? value * factor : value)
  const constants = Object.entries(setting.constants ?? {}).map(([name, value]): [string, number | number[]] => [
    name,
    typeof value === 'number' ? times(value) : value.map(times),
  ])
  return {...setting, constants: Object.fromEntries(constants)}
}
