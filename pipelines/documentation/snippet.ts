import type {Unit} from '../../datasets/schema/executor.ts'
import {freeNames} from './free-names.ts'
import {type ElementTypes, elementTypes, typeOf} from './guessed-types.ts'
import {type Prototype, readPrototypes} from './prototype.ts'

/**
 * The translation units to try for one listing, in order; the listing compiles when one of them does. A listing is a
 * whole file, a row of declarations, or statements. Statements of a documentation page use names that the page never
 * declares (`dstLocal`, `inQueueX`, `count`), so they become the body of a function that has those names as parameters;
 * what cannot be known, the element types, is tried in turn.
 */
export function unitsFor(code: string): {units: Unit[]; areGuesses: boolean} {
  // Longer texts are files, and to guess what they lack takes time that grows faster than they do.
  if (code.length > longestSnippet) return {units: [kernel(code)], areGuesses: false}
  const bare = stripComments(code)
  const fixed = fixedUnits(code, bare)
  if (fixed) return {units: fixed, areGuesses: false}
  const tries = elementTypes(bare)
  const isSelfContained =
    !/\bthis\s*->/.test(bare) && freeNames(bare).every((name) => typeOf(name, bare, tries[0]!) !== '')
  return {units: isSelfContained ? tries.map((types) => kernel(asFunction(code, bare, types))) : [], areGuesses: true}
}

const longestSnippet = 12_000

/** The units of a listing that needs no guess; undefined for statements. */
function fixedUnits(code: string, bare: string): Unit[] | undefined {
  if (/^\s*this\s*->\s*(?:Input|Output|Attr|AICore|SetInfer|Comment)\b/.test(bare)) return [operatorDefinition(code)]
  if (/\b(?:gert|ge|optiling|platform_ascendc)::|BEGIN_TILING_DATA_DEF|\bOpDef\b|TilingContext/.test(bare))
    return [host(code, bare)]
  if (isDeclarations(bare)) return declarations(code, bare)
  return isWholeFile(bare) ? [kernel(code), host(code, bare)] : undefined
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
  const ofTemplate = outer.length > 0 ? [kernel(`template <${outer.join(', ')}>\n${members}`)] : []
  return [kernel(text), kernel(members), ...ofTemplate, host(text, bare), host(members, bare)]
}

/** Names such as `T` that the declarations use and do not declare. */
function typeParametersOfClass(bare: string, prototypes: readonly Prototype[]): string[] {
  const own = new Set(prototypes.flatMap(({templates}) => templates.map(({name}) => name)))
  const used = new Set(bare.match(/(?<![\w:])(?:T|U|PrimType|[A-Z][a-z0-9]*T)(?!\w)/g) ?? [])
  return [...used].filter((name) => !own.has(name))
}

export function stripComments(code: string): string {
  return code
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\/\/[^\n]*/g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
}

const kernelHeader = /(#include\s*["<]kernel_operator\.h[">])/

function kernel(code: string): Unit {
  const text = /#include\s*["<]kernel_operator/.test(code)
    ? code.replace(kernelHeader, '$1\nusing namespace AscendC;')
    : `#include "kernel_operator.h"\nusing namespace AscendC;\n${code}`
  return {side: 'kernel', tiling: '', dtypes: {}, text: `${text}\n`}
}

const hostHeaders = ['register/op_def_registry.h', 'register/tilingdata_base.h', 'tiling/platform/platform_ascendc.h']

function host(code: string, bare: string): Unit {
  const hasIncludes = /#include/.test(code)
  const includes = hasIncludes ? '' : hostHeaders.map((path) => `#include "${path}"\n`).join('')
  const isQualified = hasIncludes || /\bnamespace\b/.test(code)
  const spaces = isQualified ? '' : 'using namespace ops;\nusing namespace gert;\n'
  const isStatements = /\bcontext\s*->/.test(bare) && !/\)\s*(?:const\s*)?\{/.test(bare)
  return {
    side: 'host',
    tiling: '',
    dtypes: {},
    text: `${includes}${spaces}${isStatements ? asTilingFunction(code) : code}\n`,
  }
}

function asTilingFunction(code: string): string {
  return [
    'static ge::graphStatus Example(gert::TilingContext* context)',
    '{',
    code,
    'return ge::GRAPH_SUCCESS;',
    '}',
  ].join('\n')
}

/** The body of an operator definition's constructor. */
function operatorDefinition(code: string): Unit {
  return host(
    [
      'namespace ops {',
      'class Example : public OpDef {',
      'public:',
      'explicit Example(const char* name) : OpDef(name)',
      '{',
      code,
      '}',
      '};',
      '}',
    ].join('\n'),
    '',
  )
}

/** Only function declarations: nothing is left when they are taken away. */
export function isDeclarations(bare: string): boolean {
  const prototypes = readPrototypes(bare)
  if (prototypes.length === 0 || bare.includes('{')) return false
  const rest = prototypes.reduce((text, prototype) => text.replace(prototype.text, ''), bare)
  return rest.replace(/[;\s]/g, '') === ''
}

/** Classes, functions, namespaces or preprocessor lines at the outermost level. */
function isWholeFile(bare: string): boolean {
  if (/^[^\S\r\n]*(?:#|namespace\b|extern\s+"|class\s+\w+|template\s*<|__global__)/m.test(bare)) return true
  return (
    /^(?:\w[\w:<>,&* ]*\s+)?\w+\s*\([^;]*\)\s*(?:const\s*)?\{/m.test(bare) &&
    !/^\s*(?:for|if|while|switch)\b/m.test(bare.split('\n')[0] ?? '') &&
    /\b(?:__aicore__|void|inline)\b/.test(bare.slice(0, bare.indexOf('{')))
  )
}

function asFunction(code: string, bare: string, types: ElementTypes): string {
  const parameters: string[] = []
  const constants: string[] = [`using T = ${types.source};`]
  for (const name of freeNames(bare)) {
    const type = typeOf(name, bare, types)
    // A constant, because pages put such names between braces, where a variable would narrow.
    if (type === 'uint32_t' && !isAssigned(name, bare)) constants.push(`constexpr uint32_t ${name} = 32;`)
    else parameters.push(`${type}${type.endsWith('&') ? '' : ' '}${name}`)
  }
  return `${constants.join('\n')}\n__aicore__ inline void Example(${parameters.join(', ')})\n{\n${code}\n}`
}

function isAssigned(name: string, bare: string): boolean {
  const assignment = String.raw`(?<![\w.])${name}\s*(?:[-+*/]?=(?!=)|\+\+|--)`
  const increment = String.raw`(?:\+\+|--)\s*${name}\b`
  return new RegExp(`${assignment}|${increment}`).test(bare)
}
