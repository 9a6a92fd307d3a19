import {activeText, chipMacros} from '../../cpp/conditions.ts'
import {namesOf} from '../../cpp/names-used.ts'
import {tilingBlocks} from '../../cpp/tiling.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'

/** Functions of the C library, which host code calls without a namespace: `strcmp`, `ceil`. */
const ofTheHost = /^[a-z]+\d*$/

/** Macros of the build for each tensor, limits of the C library, words with double underscores, and short fields. */
const ofTheBuild =
  /^(?:[A-Za-z]|KERNEL_TYPE_\w+|(?:ORIG_)?DTYPE_\w+|U?INT(?:\d+|MAX|PTR)?_(?:MAX|MIN)|SIZE_MAX|FLT_\w+|DBL_\w+|__\w+)$/

/**
 * Names that a writer of the target could not know: the target does not declare them, the prompt does not show them and
 * they are none of the SDK's. Code for other chips does not count.
 * @param known names of the SDK
 */
export async function lackingNames(
  {target, side}: OperatorSource,
  prompt: string,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const {declared, used} = await namesOf(activeText(target.text, chipMacros[side]))
  const shown = new Set(prompt.match(/[A-Za-z_]\w*/g))
  const fields = new Set([...shown, ...fieldsIn(target.text)])
  const isOfTheHost = (name: string) => side === 'host' && ofTheHost.test(name)
  const isShown = (name: string) => shown.has(name) || known.has(name) || ofTheBuild.test(name) || isOfTheHost(name)
  // The macros of a tiling structure give each field a getter and a setter.
  return used.filter(
    (name) => !declared.has(name) && !isShown(name) && !fields.has(name) && !fields.has(name.replace(/^[gs]et_/, '')),
  )
}

function fieldsIn(text: string): string[] {
  return tilingBlocks(text).flatMap(({name, fields}) => [name, ...fields.map((field) => field.name)])
}
