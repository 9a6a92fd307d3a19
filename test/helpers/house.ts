import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'
import ts from 'typescript'

// What the tests of the house read: its files, their imports, their functions.

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {encoding: 'utf8'})

/** Every file of the repository, new ones included. */
export const files = listed
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
  .sort()

const rooms = /^(engine|pipelines|sources|datasets|trainers|eval)\//

export const source = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts') && rooms.test(file))

/** The starter corpus is data: its references are programs of tasks, not modules of ours. */
export const code = source.filter((file) => !file.startsWith('sources/starter/'))

/** What imports the code: itself, its tests and its benchmarks; fixtures are data. */
export const readers = [...code, ...files.filter((file) => /^test\/(?!fixtures\/).*\.ts$/.test(file))]

const texts = new Map<string, string>()
const trees = new Map<string, ts.SourceFile>()

export function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(file, 'utf8')
  texts.set(file, known)
  return known
}

export function treeOf(file: string): ts.SourceFile {
  const known = trees.get(file) ?? ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true)
  trees.set(file, known)
  return known
}

export function importsOf(file: string): string[] {
  return ts.preProcessFile(textOf(file), true, true).importedFiles.map(({fileName}) => fileName)
}

/** Files of ours that a file imports, for their types alone too. */
export function localImports(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))
}

/** Files that default-export a function from options to a stage. */
export const stageFiles = code.filter(
  (file) => /^export default function/m.test(textOf(file)) && /\): Stage</.test(textOf(file)),
)

export const lineCount = (file: string) => textOf(file).trimEnd().split('\n').length

/** Every ring of files, as `a → b → a`. */
export function cyclesOf(of: readonly string[]): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) return cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of localImports(file)) if (of.includes(next)) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of of) visit(file, [])
  return cycles
}

export interface FunctionLength {
  name: string
  lines: number
  /** Whether it has a name of its own; a closure that is handed over at once has none. */
  named: boolean
}

/** Every function of a file: declarations, methods, arrow functions and closures. */
export function functionsOf(file: string): FunctionLength[] {
  const tree = treeOf(file)
  const found: FunctionLength[] = []
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [from, to] = [node.getStart(), node.end].map((at) => tree.getLineAndCharacterOfPosition(at).line)
      found.push({name: `${file}:${nameOf(node)}`, lines: (to ?? 0) - (from ?? 0) + 1, named: isNamed(node)})
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText()
  const {parent} = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : 'anonymous'
}

function isNamed(node: ts.SignatureDeclaration): boolean {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isVariableDeclaration(node.parent)
}

/** Names that a file exports for others to import by name. */
export function exportsOf(file: string): string[] {
  return treeOf(file).statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return []
    const kinds = (ts.getModifiers(statement) ?? []).map(({kind}) => kind)
    if (!kinds.includes(ts.SyntaxKind.ExportKeyword) || kinds.includes(ts.SyntaxKind.DefaultKeyword)) return []
    return declaredNames(statement)
  })
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({name}) => name.getText())
  }
  const {name} = statement as ts.Statement & {name?: ts.Identifier}
  return name ? [name.text] : []
}

/** `file name` of everything that a file imports by name; `file *` where it imports the whole module. */
export function importedNames(file: string): string[] {
  const byName = staticNames(file)
  const named = new Set(byName.map((one) => one.split(' ')[0]))
  const whole = localImports(file).filter((target) => !named.has(target))
  return [...byName, ...whole.map((target) => `${target} *`)]
}

function staticNames(file: string): string[] {
  return treeOf(file).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return []
    const target = normalize(join(dirname(file), statement.moduleSpecifier.text))
    const bindings = statement.importClause?.namedBindings
    if (bindings === undefined) return []
    if (ts.isNamespaceImport(bindings)) return [`${target} *`]
    return bindings.elements.map(({name, propertyName}) => `${target} ${(propertyName ?? name).text}`)
  })
}
