import type {Unit} from '../../datasets/schema/executor.ts'
import {closing, readPrototypes, splitTop} from './prototype.ts'

/**
 * The translation units to try for one listing, in order; the listing compiles when one of them does.
 * A listing is a whole file, a row of declarations, or statements. Statements of a documentation page use names that the page
 * never declares (`dstLocal`, `inQueueX`, `count`), so they become the body of a function that has those names as parameters;
 * what cannot be known, the element types, is tried in turn.
 */
export function unitsFor(code: string): {units: Unit[]; areGuesses: boolean} {
  // Longer texts are files, and to guess what they lack takes time that grows faster than they do.
  if (code.length > longestSnippet) return {units: [kernel(code)], areGuesses: false}
  const bare = stripComments(code)
  const fixed = fixedUnits(code, bare)
  if (fixed) return {units: fixed, areGuesses: false}
  const isSelfContained =
    !/\bthis\s*->/.test(bare) && freeNames(bare).every((name) => typeOf(name, bare, elementTypes(bare)[0]!) !== '')
  return {
    units: isSelfContained ? elementTypes(bare).map((types) => kernel(asFunction(code, bare, types))) : [],
    areGuesses: true,
  }
}

const longestSnippet = 12_000

/** The units of a listing that needs no guess; undefined for statements. */
function fixedUnits(code: string, bare: string): Unit[] | undefined {
  if (/^\s*this\s*->\s*(?:Input|Output|Attr|AICore|SetInfer|Comment)\b/.test(bare)) return [operatorDefinition(code)]
  if (/\b(?:gert|ge|optiling|platform_ascendc)::|BEGIN_TILING_DATA_DEF|\bOpDef\b|TilingContext/.test(bare))
    return [host(code, bare)]
  if (isDeclarations(bare)) return declarations(code, bare)
  return isWholeFile(bare) ? [kernel(code)] : undefined
}

/** Free functions, members (which may be const, or construct), or members of a class template. */
function declarations(code: string, bare: string): Unit[] {
  const text = code.trim().replace(/([^;{}\s])\s*$/, '$1;')
  const constructed = readPrototypes(bare).find((prototype) => prototype.returns === '')?.name ?? 'Declared'
  const own = new Set(
    readPrototypes(bare).flatMap((prototype) => prototype.templates.map((parameter) => parameter.name)),
  )
  const outer = [...new Set(bare.match(/(?<![\w:])(?:T|U|PrimType|[A-Z][a-z0-9]*T)(?!\w)/g) ?? [])].filter(
    (name) => !own.has(name),
  )
  const members = `struct ${constructed} {\n${text}\n};`
  return [
    kernel(text),
    kernel(members),
    ...(outer.length > 0
      ? [kernel(`template <${outer.map((name) => `typename ${name}`).join(', ')}>\n${members}`)]
      : []),
  ]
}

export function stripComments(code: string): string {
  return code
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\/\/[^\n]*/g, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
}

function kernel(text: string): Unit {
  const include = /#include\s*["<]kernel_operator/.test(text) ? '' : '#include "kernel_operator.h"\n'
  const body =
    include === ''
      ? text.replace(/(#include\s*["<]kernel_operator\.h[">])/, '$1\nusing namespace AscendC;')
      : `using namespace AscendC;\n${text}`
  return {side: 'kernel', tiling: '', dtypes: {}, text: `${include}${body}\n`}
}

function host(code: string, bare: string): Unit {
  const includes = /#include/.test(code)
    ? ''
    : ['register/op_def_registry.h', 'register/tilingdata_base.h', 'tiling/platform/platform_ascendc.h']
        .map((path) => `#include "${path}"\n`)
        .join('')
  const isStatements = /\bcontext\s*->/.test(bare) && !/\)\s*(?:const\s*)?\{/.test(bare)
  const spaces = includes === '' || /\bnamespace\b/.test(code) ? '' : 'using namespace ops;\nusing namespace gert;\n'
  const text = isStatements
    ? `static ge::graphStatus Example(gert::TilingContext* context)\n{\n${code}\nreturn ge::GRAPH_SUCCESS;\n}`
    : code
  return {side: 'host', tiling: '', dtypes: {}, text: `${includes}${spaces}${text}\n`}
}

/** The body of an operator definition's constructor. */
function operatorDefinition(code: string): Unit {
  return host(
    `namespace ops {\nclass Example : public OpDef {\npublic:\nexplicit Example(const char* name) : OpDef(name)\n{\n${code}\n}\n};\n}`,
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

/** Element types of tensors by role: destination, other tensors, scratch space and bit masks. */
interface ElementTypes {
  destination: string
  source: string
  scratch: string
  bits: string
}

function elementTypes(bare: string): ElementTypes[] {
  const named = /\b(half|float|bfloat16_t|u?int(?:8|16|32)_t)\s*>/.exec(bare)?.[1]
  const same = (type: string, scratch = type): ElementTypes => ({
    destination: type,
    source: type,
    scratch,
    bits: 'uint8_t',
  })
  const tries = [
    same(named ?? 'half'),
    same('half'),
    same('float'),
    same('float', 'uint8_t'),
    same('half', 'uint8_t'),
    {...same('half'), destination: 'float'},
    {...same('float'), destination: 'half'},
    {...same('float'), destination: 'int32_t'},
    {...same('half'), destination: 'uint8_t'},
    same('int16_t'),
    same('int32_t'),
  ]
  return tries.filter(
    (types, index) => tries.findIndex((other) => JSON.stringify(other) === JSON.stringify(types)) === index,
  )
}

function asFunction(code: string, bare: string, types: ElementTypes): string {
  const parameters: string[] = []
  const constants: string[] = [`using T = ${types.source};`]
  for (const name of freeNames(bare)) {
    const type = typeOf(name, bare, types)
    const isAssigned = new RegExp(`(?<![\\w.])${name}\\s*(?:[-+*/]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${name}\\b`).test(
      bare,
    )
    // A constant, because pages put such names between braces, where a variable would narrow.
    if (type === 'uint32_t' && !isAssigned) constants.push(`constexpr uint32_t ${name} = 32;`)
    else parameters.push(`${type}${type.endsWith('&') ? '' : ' '}${name}`)
  }
  return `${constants.join('\n')}\n__aicore__ inline void Example(${parameters.join(', ')})\n{\n${code}\n}`
}

const keywords = new Set(
  (
    'alignas auto bool break case char class const constexpr continue decltype default delete do double else enum extern false float for friend goto half if inline int long namespace new ' +
    'nullptr operator private public register reinterpret_cast return short signed sizeof static static_cast struct switch template this throw true try typedef typename union unsigned using virtual void volatile while T std'
  ).split(' '),
)

/** Characters around a name that tell what it is. */
const nearby = 300

/** Names that the statements use and do not declare: not members, not qualified, not called, not types. */
function freeNames(bare: string): string[] {
  const found = new Set<string>()
  for (const match of bare.matchAll(/(?<![\w.]|->|::)([A-Za-z_]\w*)(?!\w)(?!\s*::)/g)) {
    const name = match[1]!
    const end = match.index + name.length
    const after = bare.slice(end, end + nearby)
    const before = bare.slice(Math.max(0, match.index - nearby), match.index)
    if (keywords.has(name) || /_t$|^__|^U?INT\d+_M|^GM_ADDR$|^MASK_PLACEHOLDER$|^PIPE_|^EVENT_ID\d$/.test(name))
      continue
    if (/^\s*\(/.test(after) || /^\s*<[^;()=]*>\s*[\w(&{]/.test(after)) continue
    if (/^\s+[A-Za-z_]/.test(after) || /^[&*]\s+[A-Za-z_]\w*\s*[=;,(]/.test(after)) continue // a type in front of its variable
    if (/^[A-Z][a-z]/.test(name)) continue
    if (
      /[\w>&*]\s+[&*]?$/.test(before) &&
      !/\b(?:return|else|case)\s+$/.test(before) &&
      /^\s*(?:[=;,({[:]|$)/.test(after) &&
      !/[-+*/%<>=!&|]\s*$/.test(before.replace(/>\s+$/, ''))
    )
      continue // a declared variable
    found.add(name)
  }
  for (const name of declared(bare)) found.delete(name)
  return [...found]
}

function declared(bare: string): string[] {
  const type = String.raw`(?:const\s+|constexpr\s+|static\s+)*(?:auto|bool|int|float|half|double|unsigned|[a-z]\w*_t|(?:AscendC::)?[A-Z]\w*(?:<[^;=]*?>)?(?:::\w+)?)\s*[&*]?\s+[&*]?`
  const names = String.raw`([A-Za-z_]\w*)((?:\s*,\s*[A-Za-z_]\w*)*)\s*(?=[=;,({[:])`
  const declarations = bare.matchAll(new RegExp(String.raw`(?:^|[;{}(])[^\S\r\n]*${type}${names}`, 'gm'))
  return [...declarations].flatMap((match) => [match[1]!, ...(match[2]!.match(/[A-Za-z_]\w*/g) ?? [])])
}

/** The type that a name has by custom and by its use; '' for an object of a class that nothing tells. */
function typeOf(name: string, bare: string, types: ElementTypes): string {
  const used = (pattern: string) => new RegExp(`(?<![\\w])${name}\\s*${pattern}`).test(bare)
  const queue = `TQue<TPosition::${/out/i.test(name) ? 'VECOUT' : 'VECIN'}, 1>&`
  if (
    used(
      String.raw`\.\s*(?:template\s+)?(?:AllocTensor|DeQue|EnQue|FreeTensor|VacantInQue|HasTensorInQue|HasIdleBuffer)\b`,
    )
  )
    return queue
  if (used(String.raw`\.\s*(?:template\s+)?(?:Get|GetWithOffset)\s*[<(]`)) return 'TBuf<TPosition::VECCALC>&'
  if (used(String.raw`\.\s*(?:InitBuffer|FetchEventID|AllocEventID|ReleaseEventID|Destroy|Init)\b`)) return 'TPipe&'
  const initialised = new RegExp(`InitBuffer\\s*(\\(\\s*${name}\\b)`).exec(bare)
  if (initialised) {
    const open = initialised.index + initialised[0].indexOf('(')
    return splitTop(bare.slice(open + 1, closing(bare, open))).length >= 3 ? queue : 'TBuf<TPosition::VECCALC>&'
  }
  if (new RegExp(`__gm__\\s+\\w+\\s*\\*\\s*[)>]\\s*\\(?\\s*${name}\\b`).test(bare)) return 'GM_ADDR'
  if (/(?:gm|global)$/i.test(name) || used(String.raw`\.\s*SetGlobalBuffer\b`)) return `GlobalTensor<${types.source}>`
  if (/^mask$/i.test(name)) return used(String.raw`\[`) ? 'uint64_t*' : 'uint64_t'
  if (/params?$/i.test(name)) return parametersType(name, bare)
  if (/event|flag/i.test(name)) return 'int32_t'
  if (/scalar|value$/i.test(name)) return types.source
  const isTensor =
    /local|tensor|ub$|^(?:dst|src\d?|x|y|z)$|buf(?:fer)?$|^(?:dst|src|tmp|work|shared)/i.test(name) &&
    !/(?:size|len(?:gth)?|stride|count|num|offset|rows?|cols?|height|width)$/i.test(name)
  if (isTensor || used(String.raw`\.\s*(?:SetValue|GetValue|ReinterpretCast|GetPhyAddr)\b`))
    return `LocalTensor<${elementOf(name, types)}>`
  return used(String.raw`(?:\.|->)\s*[A-Za-z_]`) ? '' : 'uint32_t'
}

function elementOf(name: string, types: ElementTypes): string {
  if (/mask|sel|cmp|bit/i.test(name)) return types.bits
  if (/tmp|work|shared|buf/i.test(name)) return types.scratch
  return /^(?:dst|out|y|z)|dst|out/i.test(name) ? types.destination : types.source
}

function parametersType(name: string, bare: string): string {
  if (/pad/i.test(name) && /DataCopyPad/.test(bare)) return 'DataCopyPadExtParams<T>'
  if (/copy/i.test(name)) return /DataCopyPad/.test(bare) ? 'DataCopyExtParams' : 'DataCopyParams'
  return /\b(?:Adds|Muls|Maxs|Mins|Abs|Exp|Ln|Sqrt|Rsqrt|Reciprocal|Relu|Not|Cast|LeakyRelu)\s*[(<]/.test(bare)
    ? 'UnaryRepeatParams'
    : 'BinaryRepeatParams'
}
