import ts from 'typescript'
import {z} from 'zod'
import {columns} from '../../datasets/parquet/columns.ts'
import type {ColumnType} from '../../datasets/parquet/column-types.ts'
import {labels, meaningOf} from '../../datasets/schema/label.ts'
import {commands} from '../../pipelines/command-line/commands.ts'
import type {Declared} from '../../pipelines/command-line/declared.ts'
import {exitCodes} from '../../pipelines/command-line/read-command-line.ts'
import {Config} from '../../pipelines/workspace/config.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {JobSpec} from '../../trainers/spec.ts'
import {stageFiles, textOf, treeOf} from '../helpers/house.ts'
import {code, generated, page, prose, table, type Row} from './page-parts.ts'
import {schemaComments} from './schema-comments.ts'

// Pages of the reference, made of what the program itself is declared by.

export function commandsPage(): string {
  const codes = Object.entries(exitCodes).map(([number, meaning]) => [number, meaning])
  return page([
    '# Commands',
    generated('`pipelines/command-line/`'),
    'Every command prints the same with `ascend-cot <command> --help`. Inside a checkout, type `npx ascend-cot`.',
    table(
      ['command', 'what it does'],
      commands.map(({name, help}) => [`[\`${name}\`](#${name.replaceAll(' ', '-')})`, help]),
    ),
    '## Exit codes',
    table(['code', 'meaning'], codes),
    ...commands.flatMap(commandParts),
  ])
}

function commandParts({name, operands, about = {}, help, more = '', options, examples}: Declared): string[] {
  const flags = Object.entries(options).map(([key, {takes, help: meaning, initial, mandatory}]) => {
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return [code([flag, takes].filter(Boolean).join(' ')), meaning, mandatory ? 'required' : shown(initial)]
  })
  return [
    `## ${name}`,
    prose(`${help[0]?.toUpperCase()}${help.slice(1)}.`),
    ['```text', ['ascend-cot', name, ...operands, '[options]'].join(' '), '```'].join('\n'),
    ...Object.entries(about).map(([operand, meaning]) => `\`${operand}\`: ${meaning}.`),
    flags.length > 0 ? table(['option', 'meaning', 'default'], flags) : '',
    more.trim(),
    ['```', ...examples.map((one) => `ascend-cot ${one}`), '```'].join('\n'),
  ]
}

/** A default that says nothing, such as an empty list, is left out as in `--help`. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return value === undefined || ['false', '[]', '{}'].includes(text) ? '' : code(text)
}

export type Schema = z.core.JSONSchema.JSONSchema

/** A key of the configuration, by its path: `executor.soc`, `sources.tasks[].root`, `teachers.<name>.model`. */
export interface Key {
  path: string
  type: string
  default: string
  meaning: string
  /** Whether it may be left out. */
  optional: boolean
}

/** Every key of the configuration that holds a value. */
export function configurationKeys(): Key[] {
  const comments = schemaComments('pipelines/workspace/config.ts', 'Config')
  const ofFolder = schemaComments('datasets/schema/source-folder.ts', 'TaskFolder')
  const sentence = (help: string) => `${help[0]?.toUpperCase()}${help.slice(1).replace('; repeatable', '')}.`
  const kinds = new Map(sourceKinds.map(({name, help}) => [`sources.${name}`, sentence(help)]))
  const schema = z.toJSONSchema(Config, {io: 'input', unrepresentable: 'any', reused: 'inline'})
  return keysOf(
    schema,
    (path) => kinds.get(path) ?? comments.get(path) ?? ofFolder.get(path.replace(/^sources\.\w+\[\]\./, '')),
  )
}

export function keysOf(whole: Schema, meaning: (path: string) => string | undefined): Key[] {
  return keysBelow('', whole).map(({path, schema, optional}) => ({
    path,
    optional,
    type: typeOf(schema),
    default: path in computed || schema.default === undefined ? '' : JSON.stringify(schema.default),
    meaning: meaning(path) ?? '',
  }))
}

/** Defaults that depend on the machine: the comment tells them. */
const computed: Readonly<Record<string, true>> = {cache: true}

interface Found {
  path: string
  schema: Schema
  optional: boolean
}

function keysBelow(path: string, schema: Schema): Found[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, given]) => {
    const at = path === '' ? key : `${path}.${key}`
    const below = withoutSource(given as Schema)
    const under = keysBelow(at, below)
    const optional = !schema.required?.includes(key)
    if (below.properties === undefined) return [{path: at, schema: below, optional}, ...under]
    const initial: Record<string, unknown> = Object(below.default)
    return under.map((one) => ({...one, schema: {default: initial[one.path.slice(at.length + 1)], ...one.schema}}))
  })
  const named = isObject(schema.additionalProperties) ? keysBelow(`${path}.<name>`, schema.additionalProperties) : []
  const items = isObject(schema.items) ? keysBelow(`${path}[]`, schema.items as Schema) : []
  const choices = (schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => keysBelow(path, one as Schema))
  return merged([...own, ...named, ...items, ...choices])
}

/** Of schemas that may stand in one place, the keys of all; where each has a word of its own there, all the words. */
function merged(found: readonly Found[]): Found[] {
  const paths = [...new Set(found.map(({path}) => path))]
  return paths.map((path) => {
    const alike = found.filter((one) => one.path === path)
    const words = alike.flatMap(({schema}) => (schema.const === undefined ? [] : [schema.const]))
    const [first] = alike as [Found]
    return {...first, ...(words.length > 1 && {schema: {enum: words}})}
  })
}

/** A value of a specification may be written plainly, or with its source and a note. */
function withoutSource(schema: Schema): Schema {
  const {value, source} = schema.properties ?? {}
  if (!isObject(value) || !isObject(source)) return schema
  return schema.default === undefined ? value : {...value, default: (schema.default as {value: unknown}).value}
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** To the section of a page on something of this name. */
export const linked = (name: string) => `[${code(name)}](#${name.toLowerCase()})`

function typeOf(schema: Schema): string {
  const {enum: names, items, minimum, maximum, exclusiveMinimum, $ref} = schema
  // Any JSON is a schema that names itself, without a name of ours.
  if ($ref !== undefined) return $ref.includes('__schema') ? 'any' : linked($ref.replace(/^.*\//, ''))
  if (names) return names.map((name) => code(String(name))).join(', ')
  const anyOf = schema.anyOf ?? schema.oneOf
  if (schema.const !== undefined) return code(String(schema.const))
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one as Schema)))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({...schema, type})).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(items as Schema)}${atMost(schema.maxItems)}`
  if (isObject(schema.additionalProperties)) return `by name: ${typeOf(schema.additionalProperties)}`
  if (schema.type === 'string') return `text${atMost(schema.maxLength, ' characters')}`
  if (schema.type !== 'integer' && schema.type !== 'number') return typeNames[String(schema.type)] ?? 'any'
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`
  const least = exclusiveMinimum === undefined ? leastOf(minimum) : `above ${exclusiveMinimum}`
  return [schema.type === 'integer' ? 'whole number' : 'number', ...[least, most].filter(Boolean)].join(', ')
}

const atMost = (count?: number, unit = '') => (count === undefined ? '' : `, at most ${count}${unit}`)
const leastOf = (minimum?: number) => (minimum === undefined || minimum < 0 ? '' : `at least ${minimum}`)
const typeNames: Readonly<Record<string, string>> = {boolean: '`true` or `false`', object: 'section', null: 'null'}

export function configurationPage(introduction: string): string {
  const from = '`pipelines/workspace/config.ts` and the schemas that it names'
  return page(['# Configuration', generated(from), introduction, ...keySections(configurationKeys())])
}

/** Every key of the specification of a training job. */
export function specificationKeys(): Key[] {
  const comments = schemaComments('trainers/spec.ts', 'JobSpec')
  const schema = z.toJSONSchema(JobSpec, {unrepresentable: 'any', reused: 'inline'})
  return keysOf(schema, (path) => comments.get(path))
}

export function specificationPage(introduction: string): string {
  return page([
    '# Training specification',
    generated('`trainers/spec.ts`'),
    introduction,
    ...keySections(specificationKeys()),
  ])
}

function keySections(keys: readonly Key[]): string[] {
  const sections = [...new Set(keys.map(({path}) => sectionOf(path)))]
  return sections.flatMap((section) => [
    section === '' ? '## At the top' : `## ${section}`,
    table(
      ['key', 'type', 'default', 'meaning'],
      keys
        .filter(({path}) => sectionOf(path) === section)
        .map((key) => [code(key.path), key.type, code(key.default), key.meaning]),
    ),
  ])
}

const sectionOf = (path: string) => /^(\w+)[.[]/.exec(path)?.[1] ?? (['teachers', 'backend'].includes(path) ? path : '')

export function columnsPage(): string {
  return page([
    '# Columns and labels',
    generated('`datasets/parquet/` and `datasets/schema/label.ts`'),
    'Each configuration of the data set is a folder below `data/`. Every column is always there; a cell without a ' +
      'value is null.',
    ...Object.entries(columns).flatMap(([name, list]) => [
      `## ${name}`,
      table(
        ['column', 'type', 'meaning'],
        list.map((column) => [code(column.name), code(typeText(column.type)), column.meaning]),
      ),
    ]),
    '## Labels',
    'Labels are observed by running a candidate, never assumed. Best first:',
    table(
      ['label', 'what its candidates did', 'outcomes of the executor'],
      labels.map((label) => [
        label,
        meaningOf(label)
          .deeds.map(({what}) => what)
          .join('; '),
        meaningOf(label)
          .deeds.flatMap(({outcomes}) => outcomes.map(code))
          .join(', '),
      ]),
    ),
  ])
}

function typeText(type: ColumnType): string {
  if (typeof type === 'string') return type
  if ('list' in type) return `list<${typeText(type.list)}>`
  return `struct<${Object.entries(type.struct)
    .map(([name, one]) => `${name}: ${typeText(one as ColumnType)}`)
    .join(', ')}>`
}

/** Of `ErrorCode`, from the comment above each member. */
export function errorsPage(): string {
  const codes = [...textOf('engine/errors.ts').matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}\| '([a-z-]+)'$/gm)]
  return page([
    '# Errors',
    generated('`engine/errors.ts`'),
    'What the outside world can do to a record or a run. A failed record is retried by `ascend-cot resume`; each message ' +
      'ends in what to do. With `--json` an error is `{"error": {"code", "message", "fix", "evidence"}}`.',
    table(
      ['code', 'meaning'],
      codes.map(([, meaning = '', name = '']) => [code(name), meaning]),
    ),
  ])
}

/** Every stage with what its docstring says, and the reasons for which it drops records. */
export function stagesPage(): string {
  const rooms = ['sources', 'pipelines', 'eval', 'datasets']
  return page([
    '# Stages',
    generated('the docstrings of the stages'),
    'A stage takes records and returns records. A *dropped* record is unfit: [drop reasons](drop-reasons.md) ' +
      'says what each reason means and what to do. For *failed* records, see [errors](errors.md).',
    ...rooms.flatMap((room) => [
      `## ${room}`,
      table(['stage', 'what it does', 'drops'], stageFiles.filter((file) => file.startsWith(`${room}/`)).map(stageRow)),
    ]),
  ])
}

function stageRow(file: string): Row {
  const name = /\bname(?::| =) ['`]([a-z][\w${}-]*)['`]/.exec(textOf(file))?.[1] ?? ''
  const declared = treeOf(file).statements.find(
    (one) => ts.isFunctionDeclaration(one) && one.modifiers?.some(({kind}) => kind === ts.SyntaxKind.DefaultKeyword),
  )
  const text = ts
    .getJSDocCommentsAndTags(declared as ts.Node)
    .filter(ts.isJSDoc)
    .map(({comment}) => ts.getTextOfJSDocComment(comment) ?? '')
  return [`[${code(name)}](../../${file})`, text.join(' ').replace(/\bDrops\b/, '**Drops**')]
}
