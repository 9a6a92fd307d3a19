import {byCodeUnit} from '../../../engine/code-unit-order.ts'

/** A worked program that may stand in prompts. */
export interface CraftExample {
  name: string
  category: string
  /** What is special about its shapes, e.g. `rows larger than UB`. */
  shapes: string
  text: string
}

const words = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])

/**
 * The examples that help most with a task: those of its category first, among them those whose shapes are described
 * most like the task's, then by name.
 */
export function chooseExamples(
  examples: readonly CraftExample[],
  task: {category: string; shapes: string},
  count: number,
): CraftExample[] {
  const wanted = words(task.shapes)
  const likeness = ({category, shapes}: CraftExample): number => {
    const shared = [...words(shapes)].filter((word) => wanted.has(word)).length
    return (category === task.category ? 1000 : 0) + shared
  }
  return [...examples].sort((a, b) => likeness(b) - likeness(a) || byCodeUnit(a.name, b.name)).slice(0, count)
}
