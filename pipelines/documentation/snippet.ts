import {cutComments} from '../../cpp/code-pieces.ts'
import type {Unit} from '../../datasets/schema/executor.ts'
import {freeNames} from './free-names.ts'
import {type ElementTypes, elementTypes, isUsedAsType, typeOf} from './guessed-types.ts'
import {hostFile, hostStatements, isHostCode, operatorDefinition} from './host-snippet.ts'
import {type Prototype, readPrototypes} from './prototype.ts'

/** What the listing is tried as; `areGuesses` where the units differ in the types that nothing tells. */
interface Tries {
  units: Unit[]
  areGuesses: boolean
}

/**
 * The translation units to try for one listing, in order; the listing compiles when one of them does. A listing is a
 * whole file, a row of declarations, or statements. Statements of a documentation page use names that the page never
 * declares (`dstLocal`, `inQueueX`, `count`), so they become the body of a function that has those names as parameters;
 * what cannot be known, the element types, is tried in turn.
 */
export function unitsFor(code: string): Tries {
  // Longer texts are files, and to guess what they lack takes time that grows faster than they do.
  if (code.length > longestSnippet) return {units: [kernelFile(code)], areGuesses: false}
  const bare = stripComments(code)
  const fixed = fixedUnits(code, bare)
  if (fixed) return {units: fixed, areGuesses: false}
  if (isHostCode(bare)) return hostTries(code, bare)
  return {units: functionsOf(code).map(({text}) => kernelFile(text)), areGuesses: true}
}

const longestSnippet = 12_000

/** The units of a listing that needs no guess; undefined for statements. */
function fixedUnits(code: string, bare: string): Unit[] | undefined {
  if (/^\s*this\s*->\s*(?:Input|Output|Attr|AICore|SetInfer|Comment)\b/.test(bare)) return [operatorDefinition(code)]
  if (isDeclarations(bare)) return declarations(code, bare)
  if (!isWholeFile(bare)) return undefined
  const sides = [kernelFile(code, undeclaredTypes(bare)), hostFile(code)]
  return isHostCode(bare) ? sides.reverse() : sides
}

/** Element types that a file leaves open: `T` outside of any template. */
function undeclaredTypes(bare: string): string {
  const names = [...new Set(bare.match(/(?<![\w.:])[A-Za-z]\w*(?!\w|\s*::)/g) ?? [])]
  const isDeclared = (name: string) =>
    new RegExp(String.raw`\b(?:typename|class|struct|using|define)\s+${name}\b|\btypedef\b[^;]*\b${name}\s*;`).test(
      bare,
    )
  const types = names.filter((name) => isUsedAsType(name, bare) && !isDeclared(name))
  return types.map((name) => `\nusing ${name} = half;`).join('')
}

/** As a file too: an initialiser or a `using` of a page is at the outermost level. */
function hostTries(code: string, bare: string): Tries {
  const statements = hostStatements(code, bare)
  return {units: [...(statements ? [statements] : []), hostFile(code)], areGuesses: false}
}

/**
 * Free functions, members (which may be const, or construct), or members of a class template, of the kernel's side or
 * of the host's.
 */
function declarations(code: string, bare: string): Unit[] {
  const text = code.trim().replace(/([^;{}\s])\s*$/, '$1;')
  const prototypes = readPrototypes(bare)
  const constructed = prototypes.find((prototype) => prototype.returns === '')?.name ?? 'Declared'
  const members = `struct ${constructed} {\n${text}\n};`
  const outer = typeParametersOfClass(bare, prototypes).map((name) => `typename ${name}`)
  const ofTemplate = outer.length > 0 ? [kernelFile(`template <${outer.join(', ')}>\n${members}`)] : []
  const ofKernel = [kernelFile(text), kernelFile(members), ...ofTemplate]
  // Pages omit the namespace of the class that they describe.
  const inside = ['matmul_tiling', 'platform_ascendc'].map((space) => `namespace ${space} {\n${members}\n}`)
  const ofHost = [text, members, ...inside].map(hostFile)
  return isHostCode(bare) ? [...ofHost, ...ofKernel] : [...ofKernel, ...ofHost]
}

/** Names such as `T` that the declarations use and do not declare. */
function typeParametersOfClass(bare: string, prototypes: readonly Prototype[]): string[] {
  const own = new Set(prototypes.flatMap(({templates}) => templates.map(({name}) => name)))
  const used = new Set(bare.match(/(?<![\w:])(?:T|U|PrimType|[A-Z][a-z0-9]*T)(?!\w)/g) ?? [])
  return [...used].filter((name) => !own.has(name))
}

export function stripComments(code: string): string {
  return cutComments(code)
    .replace(/^[^\S\n]*#\s*include\b.*$/gm, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
}

const kernelHeader = /(#include\s*["<]kernel_operator\.h[">])/

/** What `kernel_operator.h` leaves to headers of their own. */
const otherHeaders: readonly [RegExp, string][] = [
  [/\b(?:Matmul\w*|CubeFormat|LayoutMode|MatrixOffset|REGIST_MATMUL_OBJ)\b/, 'lib/matmul_intf.h'],
  [/\basc_[a-z]\w*\s*\(/, 'c_api/asc_simd.h'],
]

/** A listing as a file of the kernel's side; `types` are declarations that it lacks. */
function kernelFile(code: string, types = ''): Unit {
  const others = otherHeaders.filter(([names, path]) => names.test(code) && !code.includes(path))
  const includes = others.map(([, path]) => `#include "${path}"\n`).join('')
  const text = /#include\s*["<]kernel_operator/.test(code)
    ? code.replace(kernelHeader, `$1\n${includes}using namespace AscendC;${types}`)
    : `#include "kernel_operator.h"\n${includes}using namespace AscendC;${types}\n${code}`
  return {side: 'kernel', tiling: '', dtypes: {}, text: `${text}\n`}
}

/** Only function declarations: nothing is left when they are taken away. */
export function isDeclarations(bare: string): boolean {
  const prototypes = readPrototypes(bare)
  if (prototypes.length === 0 || bare.includes('{') || prototypes.some(isCall)) return false
  const rest = prototypes.reduce((text, prototype) => text.replace(prototype.text, ''), bare)
  return rest.replace(/[;\s]/g, '') === ''
}

/** `AscendC::SetMMRowMajor()`: a constructor is declared without its namespace. */
function isCall({returns, text}: Prototype): boolean {
  return returns === '' && /^(?:\w+::)+\w+\s*\(/.test(text)
}

/** Classes, functions, namespaces or preprocessor lines at the outermost level. */
function isWholeFile(bare: string): boolean {
  if (/^[^\S\r\n]*(?:#(?!\s*include)|namespace\b|extern\s+"|class\s+\w+|template\s*<|__global__)/m.test(bare))
    return true
  return (
    /^(?:\w[\w:<>,&* ]*\s+)?\w+\s*\([^;]*\)\s*(?:const\s*)?\{/m.test(bare) &&
    !/^\s*(?:for|if|while|switch)\b/m.test(bare.split('\n')[0] ?? '') &&
    /\b(?:__aicore__|void|inline|static|graphStatus|u?int\d+_t|int|bool)\b/.test(bare.slice(0, bare.indexOf('{')))
  )
}

/** Statements as a function of the names that they use and do not declare. */
interface SnippetFunction {
  parameters: {name: string; type: string}[]
  /** Names of unknown value that appear in the text with one that compiles. */
  guesses: string[]
  /** The function, `Example`, with the constants and types that it uses. */
  text: string
}

/**
 * One function for each guess at the element types; empty if some name is unknown. @param known types of names known
 * from elsewhere
 */
export function functionsOf(code: string, known: ReadonlyMap<string, string> = new Map()): SnippetFunction[] {
  const bare = stripComments(code)
  const tries = elementTypes(bare)
  const typed = (types: ElementTypes) =>
    freeNames(bare).map((name) => ({name, type: known.get(name) ?? typeOf(name, bare, types)}))
  const isSelfContained = !/\bthis\s*->/.test(bare) && typed(tries[0]!).every(({type}) => type !== '')
  return isSelfContained ? tries.map((types) => asFunction(code, typed(types), types)) : []
}

function asFunction(code: string, names: SnippetFunction['parameters'], types: ElementTypes): SnippetFunction {
  const bare = stripComments(code)
  const includes: string[] = []
  const body = code.replace(/^[^\S\n]*#\s*include\b.*\n?/gm, (line) => {
    includes.push(line.trim())
    return ''
  })
  const parameters: SnippetFunction['parameters'] = []
  const constants = [...includes, `using T = ${types.source};`]
  const guesses: string[] = []
  for (const {name, type} of names) {
    const constant = isAssigned(name, bare) ? undefined : constantOf(name, type, types)
    if (constant === undefined) parameters.push({name, type})
    else constants.push(constant)
    if (constant !== undefined && type === 'uint32_t') guesses.push(name)
  }
  const list = parameters.map(({name, type}) => `${type}${type.endsWith('&') ? '' : ' '}${name}`).join(', ')
  return {
    parameters,
    guesses,
    text: `${constants.join('\n')}\n__aicore__ inline void Example(${list})\n{\n${body}\n}`,
  }
}

/** A constant, because pages put such names between braces, where a variable would narrow, or between angles. */
function constantOf(name: string, type: string, types: ElementTypes): string | undefined {
  if (type === 'typename') return `using ${name} = ${/^(?:dst|out)/.test(name) ? types.destination : types.source};`
  if (type === 'bool') return `constexpr bool ${name} = false;`
  return type === 'uint32_t' ? `constexpr uint32_t ${name} = 32;` : undefined
}

function isAssigned(name: string, bare: string): boolean {
  const assignment = String.raw`(?<![\w.])${name}\s*(?:[-+*/]?=(?!=)|\+\+|--)`
  const increment = String.raw`(?:\+\+|--)\s*${name}\b`
  return new RegExp(`${assignment}|${increment}`).test(bare)
}
