import {namesOf} from '../../cpp/names-used.ts'
import {isTooDeep} from '../../cpp/parse.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'

/** Most files added to one header; one that needs more is written for a single includer. */
const most = 4

/** A name declared by this many files, such as `Process`, does not reveal its origin. */
const mostPlaces = 2

/**
 * Of other files those that declare what a header and its dependencies use and do not declare: such a header counts on
 * files that are included before it.
 */
export async function alsoNeeded(
  target: SourceFile,
  dependencies: readonly SourceFile[],
  others: readonly SourceFile[],
): Promise<SourceFile[]> {
  const lacking = await lackingIn(target, dependencies)
  const declared = new Map<SourceFile, ReadonlySet<string>>()
  if (lacking.length > 0) for (const file of others) declared.set(file, await declaredIn(file))
  const isTelling = (name: string) => [...declared.values()].filter((names) => names.has(name)).length <= mostPlaces
  let left = lacking.filter(isTelling)
  const added: SourceFile[] = []
  while (added.length < most) {
    const hits = (file: SourceFile) => left.filter((name) => declared.get(file)?.has(name)).length
    const [best] = [...declared.keys()].sort((a, b) => hits(b) - hits(a))
    if (!best || hits(best) === 0) break
    added.push(best)
    left = left.filter((name) => !declared.get(best)?.has(name))
  }
  return added
}

async function lackingIn(target: SourceFile, dependencies: readonly SourceFile[]): Promise<string[]> {
  const {declared, used} = await readNames(target)
  const given = new Set(dependencies.flatMap(({text}) => text.match(/[A-Za-z_]\w*/g) ?? []))
  return used.filter((name) => !declared.has(name) && !given.has(name))
}

async function declaredIn(file: SourceFile): Promise<ReadonlySet<string>> {
  return (await readNames(file)).declared
}

async function readNames({text}: SourceFile): ReturnType<typeof namesOf> {
  try {
    return await namesOf(text)
  } catch (error) {
    if (isTooDeep(error)) return {declared: new Set(), used: []}
    throw error
  }
}
