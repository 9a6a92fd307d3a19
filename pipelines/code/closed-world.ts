import {contentId} from '../../engine/ids.ts'
import {activeText, chipMacros} from '../../cpp/conditions.ts'
import {namesOf} from '../../cpp/names-used.ts'
import {tilingBlocks} from '../../cpp/tiling.ts'
import type {Side, SourceFile} from '../../datasets/schema/operator.ts'

/** Functions of the C library, which host code calls without a namespace: `strcmp`, `ceil`. */
const ofTheHost = /^[a-z]+\d*$/

/** Macros of the build for each tensor and of the C library, words with double underscores, and short fields. */
const ofTheBuild = new RegExp(
  `^(?:${[
    '[A-Za-z]|__\\w+|KERNEL_TYPE_\\w+|(?:ORIG_)?DTYPE_\\w+',
    'U?INT(?:\\d+|MAX|PTR)?_(?:MAX|MIN)|SIZE_MAX|(?:FLT|DBL|M)_\\w+|INFINITY|NAN|PRI[diouxX](?:8|16|32|64|MAX|PTR)',
  ].join('|')})$`,
)

type SidedCode = Pick<SourceFile, 'text'> & {side: Side}

/** Files of a project by folder. */
export function sided(files: readonly SourceFile[]): SidedCode[] {
  return files.map(({path, text}) => ({text, side: path.startsWith('op_host/') ? 'host' : 'kernel'}))
}

/**
 * Names that a writer of some files could not know: none of the files declares them, the prompt does not show them and
 * the SDK does not have them. Code for other chips must be written too, but its declarations do not count for this one.
 * @param known names of the SDK
 */
export async function lackingNames(
  code: readonly SidedCode[],
  prompt: string,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const shown = new Set(prompt.match(/[A-Za-z_]\w*/g))
  const fields = new Set([...shown, ...code.flatMap(({text}) => fieldsIn(text))])
  const isShown = (name: string) => shown.has(name) || known.has(name) || ofTheBuild.test(name)
  const active = code.map(({text, side}) => ({text: activeText(text, chipMacros[side]), side}))
  const lacking = [...(await undeclared(active)), ...(await undeclared(code))].filter((name) => !isShown(name))
  // The macros of a tiling structure give each field a getter and a setter.
  return [...new Set(lacking)].filter((name) => !fields.has(name) && !fields.has(name.replace(/^[gs]et_/, '')))
}

async function undeclared(code: readonly SidedCode[]): Promise<string[]> {
  const read = await Promise.all(code.map(async ({text, side}) => ({side, ...(await namesOf(text))})))
  const declared = new Set(read.flatMap((one) => [...one.declared]))
  return read.flatMap(({side, used}) =>
    used.filter((name) => !declared.has(name) && !(side === 'host' && ofTheHost.test(name))),
  )
}

function fieldsIn(text: string): string[] {
  return tilingBlocks(text).flatMap(({name, fields}) => [name, ...fields.map((field) => field.name)])
}

/** Their description in a drop. */
export function lackDetail(place: string, names: readonly string[]): string {
  return `${place}: ${names.slice(0, 20).join(', ')}`
}

/** The names of the SDK among a stage's options. */
export const asOption = (known: ReadonlySet<string> | undefined) => (known ? {known: contentId([...known].sort())} : {})
