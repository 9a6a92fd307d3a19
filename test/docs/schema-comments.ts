import ts from 'typescript'
import {dirname, join, normalize} from 'node:path'
import {treeOf} from '../helpers/house.ts'

/** Doc comments by path. */
type Comments = Map<string, string>

/** What an object schema says of its keys: the doc comment above each. Schemas that it names are followed. */
export function schemaComments(file: string, name: string): Comments {
  const found: Comments = new Map()
  const at = declarationOf(file, name)
  if (at) collect(at, '', found)
  return found
}

interface Place {
  node: ts.Expression
  file: string
}

/** Of `const name = …` in the file, or in the file that it imports the name from. */
function declarationOf(file: string, name: string): Place | undefined {
  for (const statement of treeOf(file).statements) {
    if (ts.isVariableStatement(statement)) {
      const declared = statement.declarationList.declarations.find((one) => one.name.getText() === name)
      if (declared?.initializer) return {node: declared.initializer, file}
    }
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
    if (!bindings || !ts.isNamedImports(bindings)) continue
    const imported = bindings.elements.find((one) => one.name.text === name)
    const from = ((statement as ts.ImportDeclaration).moduleSpecifier as ts.StringLiteral).text
    if (imported && from.startsWith('.')) {
      return declarationOf(normalize(join(dirname(file), from)), (imported.propertyName ?? imported.name).text)
    }
  }
  return undefined
}

function collect({node, file}: Place, path: string, found: Comments): void {
  if (ts.isIdentifier(node)) {
    const at = declarationOf(file, node.text)
    if (at) collect(at, path, found)
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) collectProperty(property, {node, file}, path, found)
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) collect({node: element, file}, path, found)
  } else if (ts.isCallExpression(node)) {
    collectCall(node, file, path, found)
  }
}

function collectProperty(property: ts.ObjectLiteralElementLike, {file}: Place, path: string, found: Comments): void {
  if (ts.isSpreadAssignment(property)) collect({node: property.expression, file}, path, found)
  if (!ts.isPropertyAssignment(property)) return
  const at = path === '' ? property.name.getText() : `${path}.${property.name.getText()}`
  const text = ts
    .getJSDocCommentsAndTags(property)
    .filter(ts.isJSDoc)
    .map(({comment}) => ts.getTextOfJSDocComment(comment) ?? '')
  if (text.length > 0) found.set(at, text.join(' ').replaceAll(/\s+/g, ' '))
  collect({node: property.initializer, file}, at, found)
}

/** `z.array(X)` steps into `path[]`, a record into `path.<name>`; `X.optional()`, `X.extend({…})` say what X says. */
function collectCall(call: ts.CallExpression, file: string, path: string, found: Comments): void {
  const {expression: callee, arguments: given} = call
  const [name, of] = ts.isPropertyAccessExpression(callee)
    ? [callee.name.text, callee.expression]
    : [callee.getText(), undefined]
  if (of && of.getText() !== 'z') collect({node: of, file}, path, found)
  if (name === 'array') collect({node: given[0] as ts.Expression, file}, `${path}[]`, found)
  else if (/record/i.test(name)) collect({node: given.at(-1) as ts.Expression, file}, `${path}.<name>`, found)
  else if (/object|extend|union/i.test(name)) collect({node: given.at(-1) as ts.Expression, file}, path, found)
}
