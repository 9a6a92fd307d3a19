import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import {chipMacros} from '../../../cpp/conditions.ts'
import {elementTypes} from '../../../cpp/types.ts'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {foldBranches} from './fold-branches.ts'
import {tilingSources, type Inline} from './host-files.ts'
import {reachableFrom} from './reachable.ts'
import {resolveConditions} from '../../../cpp/resolve-conditions.ts'
import {staticTruth, type Answer} from './static-truth.ts'
import {tidy} from './tidy.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import {applyEdits, type Edit} from '../../../cpp/edit.ts'

type Dtypes = Readonly<Record<string, Dtype>>

/** What a reduction of the host leaves alone, the most thorough one first. */
export const hostReductions = [[], ['host types']] as const
type HostKept = (typeof hostReductions)[number]

/**
 * The definition and the tiling of an operator, each in one file with all that it includes from the project: without
 * what no registration reaches, shape inference, other chips, and, unless types are kept, columns and branches of types
 * that the scenario does not have. Undefined where a definition or a header cannot be found.
 */
export async function reduceHost(
  project: OperatorProject,
  {inline, dtypes, kept}: {inline: Inline; dtypes: Dtypes; kept: HostKept},
): Promise<SourceFile[] | undefined> {
  const sources = tilingSources(project)
  const files = new Map([...project.host, ...project.kernel].map((file) => [file.path, file]))
  const inlined = sources.map(({path}) => ({path, ...inline(path, files)}))
  if (
    inlined.length === 0 ||
    inlined.some(({missing, cycles, tooLong}) => tooLong || missing.length + cycles.length > 0)
  )
    return undefined
  const texts = await Promise.all(
    inlined.map(async ({path, text}) => ({
      path,
      text: await folded(withoutInference(resolveConditions(text, chipMacros.host)), {
        operator: project.operator,
        dtypes,
        kept,
      }),
    })),
  )
  return Promise.all(
    texts.map(async ({path, text}) => {
      const others = sources.filter((other) => other.path !== path)
      const roots = new Set([
        ...registeredWords(text),
        ...others.flatMap(({text: other}) => wordsOf(withoutInference(other))),
      ])
      return {path, text: tidy(await reachableFrom(text, '', roots))}
    }),
  )
}

async function folded(
  text: string,
  {operator, dtypes, kept}: {operator: string; dtypes: Dtypes; kept: HostKept},
): Promise<string> {
  const definition = parseOperatorDefinitions(text).find((one) => one.operator === operator)
  if (kept.length > 0) return foldBranches(text, {equal: onChip})
  const typed = definition ? oneColumn(text, definition, dtypes) : text
  const ofTypes = amongTypes(dtypes)
  const equal: Answer['equal'] = (left, right) => onChip(left, right) ?? ofTypes(left, right)
  const flags = settledFlags(typed, {equal})
  const branches = await foldBranches(withoutArms(typed, dtypes), {equal, name: (name) => flags.get(name)})
  return [...flags.keys()].reduce(withoutFlag, branches)
}

const settled = (name: string) =>
  String.raw`^[ \t]*(?:const\s+)?(?:bool|auto)\s+${name}\s*=\s*([^;=]*(?:==|!=)[^;=]*);[^\n]*\n`

/** Variables that hold the answer to such a question and are never assigned again. */
function settledFlags(text: string, answer: Answer): Map<string, boolean> {
  const code = withoutCommentsAndLiterals(text)
  const scope = {constants: new Map(), types: new Map()}
  const found = [...code.matchAll(new RegExp(settled(String.raw`(\w+)`), 'gm'))].flatMap(
    ([, name = '', question = '']) => {
      const value = staticTruth(question.trim(), scope, answer)
      const assigned = [...code.matchAll(new RegExp(String.raw`\b${name}\s*=(?!=)`, 'g'))]
      return value === undefined || assigned.length > 1 ? [] : [[name, value] as const]
    },
  )
  return new Map(found)
}

/** Without the variable, when nothing uses it any more. */
function withoutFlag(text: string, name: string): string {
  const uses = [...withoutCommentsAndLiterals(text).matchAll(new RegExp(String.raw`\b${name}\b`, 'g'))]
  return uses.length > 1 ? text : text.replace(new RegExp(settled(name), 'm'), '')
}

/** Without the cases of a `switch` for types that no tensor of the scenario has, where each ends by itself. */
function withoutArms(text: string, dtypes: Dtypes): string {
  const present = new Set(Object.values(dtypes).map((dtype) => elementTypes[dtype].constant))
  const body = String.raw`(?:(?!\b(?:case|default|switch)\b)[^{}])*?\b(?:break|return[^;{}]*);`
  const cases = new RegExp(
    String.raw`(?<=[{;}]\s*\n)[ \t]*case\s+(?:ge::)?(DT_\w+)\s*:\s*\{?${body}\s*\}?[^\S\n]*\n`,
    'g',
  )
  return text.replace(cases, (whole, name: string) => (present.has(name) ? whole : ''))
}

/** Shapes are inferred by another library of the package, which tiling never calls. */
function withoutInference(text: string): string {
  return text
    .replace(/^[ \t]*IMPL_OP_INFERSHAPE\s*\([^()]*\)[^;]*;[ \t]*\n/gm, '')
    .replace(
      /^[ \t]*this->SetInfer(?:Shape|DataType)\s*\([^()]*\)(?:\s*\.\s*SetInfer\w+\s*\([^()]*\))*\s*;[ \t]*\n/gm,
      '',
    )
}

const otherChips = /\bSocVersion::ASCEND(?:310\w*|910|910_95|910_55|950\w*|610\w*|035|031)$/

/** Whether a condition tests for Atlas A2. */
function onChip(left: string, right: string): boolean | undefined {
  return otherChips.test(left) || otherChips.test(right) ? false : undefined
}

/**
 * Whether a tensor has a tested type, as far as the scenario's types decide without knowing the tensor: for a type that
 * no tensor has, or that all of them have. An attribute may name a type too, so a run has to confirm it.
 */
function amongTypes(dtypes: Dtypes): NonNullable<Answer['equal']> {
  const present = new Set(Object.values(dtypes).map((dtype) => elementTypes[dtype].constant))
  return (left, right) => {
    const name = typeNamed(right) ?? typeNamed(left)
    return name === undefined || (present.has(name) && present.size > 1) ? undefined : present.has(name)
  }
}

const typeNamed = (text: string) => /^(?:ge::)?(?:DataType::)?(DT_\w+)$/.exec(text.trim())?.[1]

/** Words of the macros that register an operator, its tiling and its tiling data: what these name stays. */
function registeredWords(text: string): string[] {
  const code = withoutCommentsAndLiterals(text)
  const calls = code.match(
    /\b(?:REGISTER_\w+|OP_ADD|IMPL_OP\w*)\s*\([^()]*\)|\bBEGIN_TILING_DATA_DEF\b[^]*?\bEND_TILING/g,
  )
  return (calls ?? []).flatMap(wordsOf)
}

const wordsOf = (text: string) => withoutCommentsAndLiterals(text).match(/[A-Za-z_]\w*/g) ?? []

/**
 * A definition with the column of types of one scenario only, and without the configurations of other chips. Lists that
 * are computed stay, and so does the text if no column has these types.
 */
export function oneColumn(
  text: string,
  {operator, inputs, outputs}: OperatorDefinition,
  dtypes: Readonly<Record<string, Dtype>>,
): string {
  const parameters = [...inputs, ...outputs]
  const count = Math.max(...parameters.map((one) => one.dtypes.length))
  const column = Array.from({length: count}, (_, at) => at).find((at) =>
    parameters.every((one) => one.dtypes.length === count && one.dtypes[at] === dtypes[one.name]),
  )
  const opening = new RegExp(String.raw`\bclass\s+${operator}\s*:\s*public\s+OpDef\s*\{`).exec(text)
  if (!opening) return text
  const open = opening.index + opening[0].length - 1
  const body = balanced(text, open) ?? ''
  const chosen = column === undefined || count === 1 ? body : withColumn(body, column, count)
  return `${text.slice(0, open + 1)}${withoutOtherChips(chosen)}${text.slice(open + 1 + body.length)}`
}

function withColumn(body: string, column: number, count: number): string {
  const edits = [...body.matchAll(/\.\s*(?:DataType|Format|UnknownShapeFormat)\s*\(\s*\{/g)].flatMap(
    ({index, 0: call}): Edit[] => {
      const open = index + call.length - 1
      const list = balanced(body, open) ?? ''
      const entries = list
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
      if (entries.length !== count) return []
      return [{start: open + 1, end: open + 1 + list.length, text: entries[column] ?? ''}]
    },
  )
  return applyEdits(body, edits)
}

const ourChip = /^ascend910(?:b|_93)$/

/** `AddConfig` of other chips, and the statements that fill a configuration which is then unused. */
function withoutOtherChips(body: string): string {
  const added = [
    ...body.matchAll(
      /^[ \t]*(?:this->)?AICore\(\)\s*\.\s*AddConfig\s*\(\s*"(\w+)"\s*(?:,\s*(\w+)\s*)?\)\s*;[^\n]*\n/gm,
    ),
  ]
  const foreign = added.filter(([, chip]) => !ourChip.test(chip ?? ''))
  if (foreign.length === added.length) return body
  const without = foreign.reduce((text, [statement]) => text.replace(statement, ''), body)
  const used = new Set(added.flatMap(([, chip, config]) => (ourChip.test(chip ?? '') ? (config ?? []) : [])))
  const idle = new Set(foreign.flatMap(([, , config]) => (config !== undefined && !used.has(config) ? config : [])))
  return [...idle].reduce((text, config) => withoutConfig(text, config), without)
}

function withoutConfig(body: string, config: string): string {
  const statements = new RegExp(String.raw`^[ \t]*(?:OpAICoreConfig\s+${config}\b|${config}\s*\.)[^;]*;[^\n]*\n`, 'gm')
  return body.replace(statements, '')
}
