import type {HostFunction, KernelFunction, Module, TypeParameter} from './ast.ts'
import type {Fault} from './program-fault.ts'
import {argumentsOf} from './read/read-call.ts'
import {typeOf} from './read/read-expression.ts'
import {readHost} from './read/read-host.ts'
import {readKernel} from './read/read-kernel.ts'
import {readStatements} from './read/read-statements.ts'
import {Source} from './read/source.ts'
import {errorsIn, parsePython, type SyntaxNode} from './read/syntax.ts'

/**
 * Reads a program. What the language does not have is refused, all faults of the text together in the order of its
 * lines; if the text is not Python at all, only that is reported. Never throws.
 */
export function readModule(text: string): {ok: true; module: Module} | {ok: false; faults: Fault[]} {
  const source = new Source(text.replaceAll('\r\n', '\n'))
  const top = parsePython(source.text)
  refuseSyntax(source, top)
  if (source.faults.length > 0) return {ok: false, faults: source.faults}
  const found: Found = {imports: 0, typeParameters: [], kernels: [], hosts: []}
  readStatements(source, top, (node) => readTopLevel(source, node, found))
  refuseMissing(source, found)
  const [kernel, host] = [found.kernels[0], found.hosts[0]]
  if (source.faults.length > 0 || !kernel || !host) return {ok: false, faults: inOrder(source.faults)}
  return {ok: true, module: {typeParameters: found.typeParameters, kernel, host, text: source.text}}
}

interface Found {
  imports: number
  typeParameters: TypeParameter[]
  kernels: KernelFunction[]
  hosts: HostFunction[]
}

/** Faults by line and column. */
export function inOrder(faults: Fault[]): Fault[] {
  return [...faults].sort((one, other) => one.line - other.line || one.column - other.column)
}

/** More would be the echo of the first: after an error the grammar guesses. */
const mostSyntaxFaults = 5

function refuseSyntax(source: Source, top: SyntaxNode): void {
  for (const [at, line] of source.lines.entries()) {
    if (/^ *\t/.test(line)) {
      source.refuse({line: at + 1, column: 1}, 'syntax', 'the line is indented with a tab', 'indent with spaces')
    }
  }
  for (const node of errorsIn(top, (offset) => source.lineOf(offset)).slice(0, mostSyntaxFaults)) {
    const place = source.placeOf(node)
    const line = source.lines[place.line - 1]!
    const before = line.slice(0, place.column - 1).trim()
    const rest = line.slice(place.column - 1).trim()
    const where = before === '' ? 'at the start of the line' : `after \`${before.slice(-40)}\``
    const message = rest === '' ? `the line ends too early, ${where}` : `\`${rest.slice(0, 40)}\` is no Python ${where}`
    source.refuse(
      place,
      'syntax',
      message,
      'look for a missing bracket, comma, colon or operator, or a wrong indentation',
    )
  }
}

function readTopLevel(source: Source, node: SyntaxNode, found: Found): true | undefined {
  switch (node.name) {
    case 'ImportStatement':
      found.imports++
      if (/^import\s+tile\.language\s+as\s+tl$/.test(source.textOf(node))) return true
      source.refuse(
        node,
        'import',
        `\`${source.quote(node)}\` is not needed`,
        'import tile.language as tl, and no more',
      )
      return undefined
    case 'AssignStatement':
      return readTypeParameter(source, node, found)
    case 'DecoratedStatement':
      return readDecorated(source, node, found)
    case 'FunctionDefinition':
      return readPlainFunction(source, node, found)
    default: {
      const mend = 'write the import, types with tl.dtypes, one kernel function and one host function'
      source.refuse(node, 'top-level', `\`${source.quote(node)}\` stands outside of the two functions`, mend)
      return undefined
    }
  }
}

/** `T = tl.dtypes(tl.float16, tl.float32)`. */
function readTypeParameter(source: Source, node: SyntaxNode, found: Found): true | undefined {
  const [name, , call] = [node.firstChild!, null, node.lastChild!]
  const isTypes = call.name === 'CallExpression' && source.textOf(call.firstChild!) === 'tl.dtypes'
  const choices = isTypes ? argumentsOf(source, call).positional.map((one) => typeOf(source, one)) : []
  const types = choices.flatMap((type) => (type?.kind === 'type' ? [type.type] : []))
  if (name.name !== 'VariableName' || types.length === 0 || types.length !== choices.length) {
    const mend = 'write `T = tl.dtypes(tl.float16, tl.float32)`; put numbers into the host function'
    source.refuse(node, 'top-level', `\`${source.quote(node)}\` is no choice of element types`, mend)
    return undefined
  }
  source.typeNames.add(source.textOf(name))
  found.typeParameters.push({...source.placeOf(node), name: source.textOf(name), choices: types})
  return true
}

function readDecorated(source: Source, node: SyntaxNode, found: Found): true | undefined {
  const decorators = node.getChildren('Decorator')
  const definition = node.getChild('FunctionDefinition')
  if (decorators.length !== 1 || source.textOf(decorators[0]!).trim() !== '@ascend_kernel' || !definition) {
    const mend = 'write `@ascend_kernel` alone above the kernel function'
    source.refuse(node, 'decorator', `\`${source.quote(node)}\` is no kernel function`, mend)
    return undefined
  }
  if (source.placeOf(definition).column !== source.placeOf(node).column) {
    source.refuse(definition, 'indentation', '`def` does not stand below its decorator', 'indent both alike')
  }
  if (!isPlain(source, definition)) return undefined
  found.kernels.push(readKernel(source, definition))
  return true
}

function readPlainFunction(source: Source, node: SyntaxNode, found: Found): true | undefined {
  const name = source.textOf(node.getChild('VariableName')!)
  if (!name.endsWith('_host')) {
    const mend = 'put `@ascend_kernel` above the kernel, and let the name of the host function end in `_host`'
    source.refuse(node, 'top-level', `${name} is neither a kernel nor a host function`, mend)
    return undefined
  }
  if (!isPlain(source, node)) return undefined
  found.hosts.push(readHost(source, node))
  return true
}

/** Whether a function has no `async`, no type parameters of Python and no annotation of its result. */
function isPlain(source: Source, definition: SyntaxNode): boolean {
  const extra = ['async', 'TypeParamList', 'TypeDef'].map((name) => definition.getChild(name)).find((one) => one)
  if (!extra) return true
  const mend = 'write `def name(parameters):`'
  source.refuse(extra, 'top-level', `\`${source.quote(extra)}\` stands in the head of a function`, mend)
  return false
}

function refuseMissing(source: Source, {imports, kernels, hosts}: Found): void {
  if (imports === 0) {
    const mend = 'start with `import tile.language as tl`'
    source.refuse({line: 1, column: 1}, 'import', 'the language is not imported', mend)
  }
  if (source.faults.length > 0 && (kernels.length === 0 || hosts.length === 0)) return
  const {line} = source.placeOf({from: source.text.length} as SyntaxNode)
  const count = (found: {line: number; column: number}[], what: string, mend: string): void => {
    if (found.length === 1) return
    const place = found[1] ?? {line, column: 1}
    source.refuse(place, 'top-level', `the program has ${found.length} ${what} functions, not one`, mend)
  }
  count(kernels, 'kernel', 'write one function below `@ascend_kernel`')
  count(hosts, 'host', 'write one function whose name ends in `_host`')
}
