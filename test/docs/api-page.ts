import {readdirSync, readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import ts from 'typescript'
import {z} from 'zod'
import {code, generated, page, prose, table} from './page-parts.ts'

// The page on what the package exports, read off the declarations that it is built with.

const {exports: entries} = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, {types: string} | string>
}

/** Subpaths that are meant for users' stages and recipes, in the order in which one needs them. */
export const shownInFull: Readonly<Record<string, string>> = {
  './stage': 'What a stage is, and how a function over one record becomes one.',
  './pipeline': 'How stages are put in a line.',
  './recipe': 'What a recipe file exports, and what it is made from.',
  './from-run': 'Reading what finished runs left.',
  './errors': 'What stages and recipes throw. The codes are explained under [errors](errors.md).',
  './prompt': 'Prompts as Markdown files.',
  './reference': "What a task's `validation/reference.ts` is written with.",
}

const rooms: Readonly<Record<string, string>> = {
  './datasets/*': 'gates, deduplication, decontamination, Parquet, card, views',
  './sources/*': 'documentation, operators, general data',
  './eval/*': 'judge, executors, tasks, scores',
  './documentation/*': 'stages of the family *documentation*',
  './code/*': 'stages of the family *code*',
  './facts/*': 'facts and decisions of code',
  './correction/*': 'stages of the family *correction*',
  './preference/*': 'candidates, labels, pairs',
  './recipes/*': "the recipes themselves, for a recipe that extends one's line",
}

interface Export {
  name: string
  /** The declaration without its docstring; docstrings of members stay in it. */
  text: string
  doc: string
  notes: string[]
  isExported: boolean
}

const treeOf = (file: string) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)

/** Everything that a declaration file declares; helper types that are not exported, behind what uses them. */
export function exportsOf(file: string): Export[] {
  return treeOf(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return borrowed(file, statement)
    return isDeclaration(statement) ? [exportOf(statement)] : []
  })
}

type Declaration = ts.Statement & {name?: ts.Identifier; modifiers?: ts.NodeArray<ts.ModifierLike>}

function isDeclaration(node: ts.Statement): node is Declaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableStatement(node)
  )
}

/** `export type {A, B} from './other.ts'`. */
function borrowed(file: string, {moduleSpecifier, exportClause}: ts.ExportDeclaration): Export[] {
  if (!moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
  const target = (moduleSpecifier as ts.StringLiteral).text.replace(/\.ts$/, '.d.ts')
  const names = new Set(exportClause.elements.map(({name}) => name.text))
  return exportsOf(join(dirname(file), target)).filter(({name}) => names.has(name))
}

function exportOf(statement: Declaration): Export {
  const variable = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.name.getText() : ''
  const docs = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc)
  return {
    name: statement.name?.text ?? variable ?? '',
    text: statement
      .getText()
      .replace(/^export /, '')
      .replace(/^declare /, '')
      .replaceAll(/^ {4}(?= *\S)/gm, '  '),
    doc: docs.map(({comment}) => ts.getTextOfJSDocComment(comment) ?? '').join('\n'),
    notes: docs.flatMap(({tags}) => [...(tags ?? [])].map(noteOf)),
    isExported: statement.modifiers?.some(({kind}) => kind === ts.SyntaxKind.ExportKeyword) ?? false,
  }
}

function noteOf(tag: ts.JSDocTag): string {
  const text = (ts.getTextOfJSDocComment(tag.comment) ?? '').trim()
  if (tag.tagName.text === 'example') return `Example:\n\n${text}`
  if (ts.isJSDocParameterTag(tag)) return `- ${code(tag.name.getText())}: ${prose(text.replaceAll('\n', ' '))}`
  // The first word after @throws is taken for a type.
  const thrown = tag
    .getText()
    .replace(/^@throws\s+/, '')
    .replaceAll(/\s*\n\s*\*\s*/g, ' ')
    .trim()
  return `- throws ${prose(thrown)}`
}

function exportParts({name, text, doc, notes}: Export): string[] {
  const lists = notes.filter((note) => note.startsWith('- ')).join('\n')
  return [
    `### ${name}`,
    prose(doc.replaceAll('\n', ' ')),
    ['```ts', text, '```'].join('\n'),
    lists,
    ...notes.filter((note) => !note.startsWith('- ')),
  ]
}

/** Of every module of records: its schemas with their fields, and its functions. */
async function schemaParts(): Promise<string[]> {
  const modules = readdirSync('datasets/schema').filter((name) => name.endsWith('.ts'))
  const parts = await Promise.all(
    modules.map(async (name) => {
      const values = (await import(`../../datasets/schema/${name}`)) as Record<string, unknown>
      const declared = exportsOf(`dist/datasets/schema/${name.replace(/ts$/, 'd.ts')}`).filter((one) => one.isExported)
      const typed = declared.filter((one) => !/^type (\w+) = z\.infer/.test(one.text))
      const rows = typed.map((one) => [
        code(one.name),
        one.doc.replaceAll('\n', ' '),
        fieldsOf(values[one.name]) ?? code(one.text.length > 160 ? '' : one.text.replaceAll(/\s+/g, ' ')),
      ])
      const path = `datasets/schema/${name}`
      return [
        `### ascend-cot/schema/${basename(name, '.ts')}`,
        `Source: [${code(path)}](../../${path}).`,
        table(['export', 'what it is', 'fields, or its declaration'], rows),
      ]
    }),
  )
  return parts.flat()
}

/** Names of a schema's fields, `?` behind those that may be absent; undefined for what is no schema. */
function fieldsOf(value: unknown): string | undefined {
  if (!(value instanceof z.ZodType)) return undefined
  const schema = z.toJSONSchema(value, {unrepresentable: 'any', io: 'output'})
  const choices = schema.anyOf ?? schema.oneOf ?? [schema]
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(', ')
  const named = choices.flatMap((one) => Object.entries((one as typeof schema).properties ?? {}).map(([key]) => key))
  const always = (key: string) => choices.every((one) => (one as typeof schema).required?.includes(key))
  return [...new Set(named)].map((key) => code(`${key}${always(key) ? '' : '?'}`)).join(', ')
}

export async function apiPage(introduction: string): Promise<string> {
  const full = Object.entries(shownInFull).flatMap(([entry, about]) => {
    const target = entries[entry] as {types: string}
    return [`## ascend-cot${entry.slice(1)}`, about, ...exportsOf(target.types).flatMap(exportParts)]
  })
  return page([
    '# API of the package',
    generated('the declarations of the package'),
    introduction,
    ...full,
    '## ascend-cot/schema/…',
    'Records, as zod schemas: each is a value to check with and a type of the same name. A field with `?` may be absent. ' +
      'What the columns of the data set mean is listed under [columns and labels](columns.md).',
    ...(await schemaParts()),
    '## Our own stages and recipes',
    'A file of these folders is imported by its path: `ascend-cot/datasets/gates/licence-gate`. A stage file ' +
      'default-exports a function from options to a stage; [stages](stages.md) lists them, with links to the source, ' +
      'and an editor shows their options. They follow the pipeline and may change with it in any release.',
    table(
      ['import', 'files of', 'what they are'],
      Object.entries(rooms).map(([entry, about]) => [
        code(`ascend-cot${entry.slice(1).replace('*', '…')}`),
        code((entries[entry] as {types: string}).types.replace('./dist/', '').replace('*.d.ts', '')),
        about,
      ]),
    ),
  ])
}

/** Entries of the package that the page says nothing about. */
export const unsaid = () =>
  Object.keys(entries).filter(
    (entry) => !(entry in shownInFull || entry in rooms || ['./schema/*', './package.json'].includes(entry)),
  )
