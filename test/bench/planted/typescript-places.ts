import ts from 'typescript'

/** One single fault: `text` in place of what stands from `start` to `end` (UTF-16 code units) of a file. */
export interface Plant {
  file: string
  start: number
  end: number
  text: string
  kind: string
}

type Found = Omit<Plant, 'file'>

/** An operator's neighbour: what a tired author writes in its place. */
const neighbours: Readonly<Record<string, [text: string, kind: string]>> = {
  '<': ['<=', 'off by one'],
  '<=': ['<', 'off by one'],
  '>': ['>=', 'off by one'],
  '>=': ['>', 'off by one'],
  '===': ['!==', 'inverted condition'],
  '!==': ['===', 'inverted condition'],
  '&&': ['||', 'inverted condition'],
  '||': ['&&', 'inverted condition'],
  '+': ['-', 'wrong operator'],
  '-': ['+', 'wrong operator'],
  '*': ['/', 'wrong unit'],
  '/': ['*', 'wrong unit'],
}

/** Operators whose operands may not change places. */
const ordered: ReadonlySet<string> = new Set(['-', '/', '%', '<', '<=', '>', '>='])

/** Calls that make the key of kept work from an object, and properties that hold such an object. */
const keyCalls: ReadonlySet<string> = new Set(['contentId', 'canonicalJson'])
const keyProperties: ReadonlySet<string> = new Set(['options'])

/**
 * Every place of a TypeScript file where a single fault can be planted. Stryker was weighed and left: it
 * instruments all
 * mutants of a project at once and dry-runs the whole suite first, which takes longer here than a whole sample,
 * it draws
 * no seeded sample, and it has no fault for a part that is missing from a key.
 */
export function typescriptPlants(file: string, text: string): Plant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Plant[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isLogged(node)) return
    for (const one of faultsOf(node, source)) found.push({file, ...one})
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function faultsOf(node: ts.Node, source: ts.SourceFile): Found[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node, source)
  if (ts.isIfStatement(node)) return ofCondition(node, source)
  if (ts.isNumericLiteral(node)) return ofNumber(node, source)
  if (ts.isConditionalExpression(node)) return ofChoice(node, source)
  if (ts.isObjectLiteralExpression(node) && isKey(node)) return ofKey(node, source)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [over(node, source, 'false', 'wrong default')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [over(node, source, 'true', 'wrong default')]
  return []
}

/** What is only said to who watches a run, and changes nothing that it does or keeps. */
function isLogged(node: ts.Node): boolean {
  return ts.isCallExpression(node) && /^console\.|^(?!Math\.)(?:.*\.)?log(?:\.\w+)?$/.test(node.expression.getText())
}

function over(node: ts.Node, source: ts.SourceFile, text: string, kind: string): Found {
  return {start: node.getStart(source), end: node.getEnd(), text, kind}
}

function ofBinary(node: ts.BinaryExpression, source: ts.SourceFile): Found[] {
  const operator = node.operatorToken.getText(source)
  const neighbour = neighbours[operator]
  if (!neighbour || isOfText(node)) return []
  const faults = isOrder(node) ? [] : [over(node.operatorToken, source, ...neighbour)]
  const [left, right] = [node.left.getText(source), node.right.getText(source)]
  if (ordered.has(operator) && left !== right) {
    faults.push(over(node, source, `(${right}) ${operator} (${left})`, 'swapped operands'))
  }
  if (operator === '&&') {
    faults.push(over(node, source, `(${right})`, 'dropped check'))
    faults.push(over(node, source, `(${left})`, 'dropped check'))
  }
  return faults
}

/** `a < b ? -1 : 1` is written where no two are equal: `<=` then gives the same order. */
function isOrder({parent, operatorToken}: ts.BinaryExpression): boolean {
  if (!ts.isConditionalExpression(parent) || !/^[<>]$/.test(operatorToken.getText())) return false
  const ends = [parent.whenTrue, parent.whenFalse].map((one) => one.getText())
  return ends.join() === '-1,1' || ends.join() === '1,-1'
}

/** Of the numbers of an order, only the sign counts. */
function isSign({parent}: ts.NumericLiteral): boolean {
  const choice = ts.isPrefixUnaryExpression(parent) ? parent.parent : parent
  return ts.isConditionalExpression(choice) && ts.isBinaryExpression(choice.condition) && isOrder(choice.condition)
}

/** Whether `+` joins texts: another operator there does not compile. */
function isOfText({left, right}: ts.BinaryExpression): boolean {
  return [left, right].some((one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one))
}

function ofCondition(node: ts.IfStatement, source: ts.SourceFile): Found[] {
  const condition = node.expression
  const inverted = over(condition, source, `!(${condition.getText(source)})`, 'inverted condition')
  return node.elseStatement ? [inverted] : [inverted, over(condition, source, 'false', 'dropped check')]
}

/** A place in a list is no number of the rule: `parts[0]`. */
function ofNumber(node: ts.NumericLiteral, source: ts.SourceFile): Found[] {
  if (ts.isElementAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent.parent)) return []
  if (isSign(node)) return []
  const value = Number(node.text)
  const unit = [8, 60, 1000, 1024, 60_000].includes(value)
  const faults = [over(node, source, `(${node.getText(source)} + 1)`, 'off by one')]
  return unit ? [...faults, over(node, source, '1', 'wrong unit')] : faults
}

function ofChoice(node: ts.ConditionalExpression, source: ts.SourceFile): Found[] {
  const [condition, yes, no] = [node.condition, node.whenTrue, node.whenFalse].map((one) => one.getText(source))
  return [over(node, source, `(${condition}) ? (${no}) : (${yes})`, 'inverted condition')]
}

function isKey({parent}: ts.ObjectLiteralExpression): boolean {
  if (ts.isCallExpression(parent)) return keyCalls.has(parent.expression.getText())
  return ts.isPropertyAssignment(parent) && keyProperties.has(parent.name.getText())
}

function ofKey(node: ts.ObjectLiteralExpression, source: ts.SourceFile): Found[] {
  return node.properties.map((left) => {
    const rest = node.properties.filter((one) => one !== left).map((one) => one.getText(source))
    return over(node, source, `{${rest.join(', ')}}`, 'missing part of a key')
  })
}
