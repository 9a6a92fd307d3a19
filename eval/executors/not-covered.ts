import {normalize} from 'node:path'
import type {Execution} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import {expandSources} from '../../cpp/macros.ts'
import type {Expanded} from '../../cpp/macros.ts'
import {literalValue, tokenize} from '../../cpp/tokens.ts'
// Facts only: names from the API lists and prototypes of asc-devkit (82b89a15), without those whose pages say that
// Atlas A2 lacks them (IsInf, Clamp, Neg, ...) and those that only a build for the CPU declares (GetBaseAddr): the
// device's compiler does not know them either; what CATLASS and the operator repositories use of the SDK's own parts
// without a page for it (MATMUL_USE_MODULE, bufferAddr, icache_preload); and paths of headers that CANN 8.1.RC1 or
// 9.1.0 (asc-devkit, metadef) has and the twin has not.
import names from './api-names.json' with {type: 'json'}

const documented = {kernel: new Set(names.names), host: new Set([...names.names, ...names.hostNames])}
const sdkHeaders = new Set(names.headers)
/** By folder; of `impl`, which is the SDK's own, the folders in it. */
const headersIn = new Map(Object.entries(names.headersIn).map(([folder, files]) => [folder, new Set<string>(files)]))
const wholeFolders = new Set([...headersIn.keys()].map((folder) => folder.replace(/\/.*/, '')))

/**
 * Ways in which clang and gcc say that a name is unknown; the first group is the name. Each is the start of the whole
 * message: a static assertion or an attribute may quote anything further on.
 */
const unknownName = [
  /^use of undeclared identifier '(?:\w+::)*(\w+)'/,
  /^no (?:member|template|type) named '(\w+)'/,
  /^unknown (?:type|class|template) name '(?:\w+::)*(\w+)'/,
  /^no matching member function for call to '(\w+)'/,
  /^'(?:\w+::)*(\w+)' was not declared in this scope/,
  /^'(\w+)' is not a member of/,
  /^'[^']*' has no member named '(\w+)'/,
  /^'(\w+)' (?:does not name a (?:template )?type|has not been declared)/,
]

const unknownHeader = [/^'([^']+)' file not found/, /^([^\s:]+): No such file or directory/]

interface Coverage {
  /** Every identifier in the twin's headers. */
  twinNames: ReadonlySet<string>
  /** The texts that were compiled, by their paths in the compilation. */
  files: ReadonlyMap<string, string>
  /**
   * `sdk` counts a missing header only when an installed SDK brings it; `any` is for one flattened file, which already
   * contains its project, so that any remaining include is external.
   */
  headers: 'sdk' | 'any'
}

/**
 * Documented Ascend C names and SDK headers that the errors miss and the twin does not have: then the twin cannot
 * judge. A name that the twin has elsewhere, or that is undocumented, is the candidate's own mistake and not listed;
 * the same holds for messages written by the candidate.
 */
export function missingNames(diagnostics: readonly Diagnostic[], {twinNames, files, headers}: Coverage): string[] {
  const suspects = diagnostics.flatMap((diagnostic) => {
    if (diagnostic.severity !== 'error') return []
    const name = firstGroup(unknownName, diagnostic.message)
    const known = name !== undefined && documented[isKernel(diagnostic.file) ? 'kernel' : 'host'].has(name)
    if (name !== undefined) return known && !twinNames.has(name) ? [{diagnostic, missing: name}] : []
    const header = firstGroup(unknownHeader, diagnostic.message)
    if (header === undefined || header.startsWith('/')) return []
    return mayExist(header, headers) ? [{diagnostic, missing: header}] : []
  })
  if (suspects.length === 0) return []
  const sources = readSources(files)
  const missing = suspects
    .filter((one) => sources.holds(one.diagnostic, one.missing) && !(isBare(one.diagnostic) && !entersSpaces(files)))
    .map((one) => one.missing)
  return [...new Set(missing)].sort()
}

/**
 * Checks that the missing name is where the message points: `#error` and its kin can word a message like the
 * compiler's, but not place it on a name.
 */
function readSources(files: ReadonlyMap<string, string>) {
  const texts = [...files].map(([path, text]) => ({path: normalize(path), text}))
  const expanded = expandSources(texts.map(({text}) => text))
  const forged = expanded.some(wordsMessages)
  const macros = new Set(expanded.flatMap(definedNames))
  return {
    holds({file, line, column}: Diagnostic, missing: string): boolean {
      const text = texts.find(({path}) => path === normalize(file))?.text
      if (forged || text === undefined) return false
      const whole = Buffer.from(text.split('\n')[line - 1] ?? '')
      const written = whole.subarray(column - 1)
      const [word, ...behind] = tokenize(written.toString())
      if (word === undefined) return false
      // A name from a macro is reported where the macro is used.
      if (macros.has(word.text)) return true
      if (word.kind === 'string' || word.text === '<') return written.includes(missing)
      // gcc points at the bracket of a call that depends on types.
      const before = whole.subarray(0, column - 1).toString()
      if (word.text === '(' && before.trimEnd().endsWith(missing)) return true
      // gcc points at the first name of `A::B::missing`.
      const chain = [
        word,
        ...behind.slice(
          0,
          behind.findIndex(({kind, text: mark}) => kind !== 'word' && mark !== '::'),
        ),
      ]
      return word.text === missing || (chain[1]?.text === '::' && chain.some(({text: part}) => part === missing))
    },
  }
}

/** `diagnose_if`, `#pragma GCC error` and `#line` can produce any message at any place. */
function wordsMessages({directives, code}: Expanded): boolean {
  const says = directives.some(
    ({name, tokens}) => name === 'line' || (name === 'pragma' && tokens.some(({text}) => text === 'error')),
  )
  const said = code.some(
    (token, at) => token.text === '_Pragma' && /\berror\b/.test(literalValue(code[at + 2] ?? token)),
  )
  return says || said || code.some(({kind, text}) => kind === 'word' && /^_*diagnose_if_*$/.test(text))
}

function definedNames({directives}: Expanded): string[] {
  return directives.flatMap(({name, tokens: [first]}) => (name === 'define' && first ? [first.text] : []))
}

function firstGroup(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/** A text of the host side, or one for both, as in a program that launches kernels, may use names of both sides. */
function isKernel(file: string): boolean {
  return /(?:^|\/)op_kernel\/|^kernel(?:_unit)?\.cpp$/.test(file)
}

/** A mixed-case name is not one of the global ones (macros, `asc_*`, instructions). */
function isBare({message}: Diagnostic): boolean {
  return /^(?:use of undeclared identifier|unknown (?:type|class) name) '[A-Z]\w*[a-z]\w*'/.test(message)
}

/** Whether names in the SDK's namespaces can be used unqualified. */
function entersSpaces(files: ReadonlyMap<string, string>): boolean {
  return [...files.values()].some((text) => /\busing\b|\bnamespace\s+(?:AscendC|ge|gert|optiling)\b/.test(text))
}

/**
 * Whether an SDK may provide a header: for listed folders, only the listed ones. A project's own missing header is the
 * candidate's fault.
 */
function mayExist(path: string, headers: Coverage['headers']): boolean {
  const [, top = ''] = /^([^/]+)\//.exec(path) ?? []
  if (wholeFolders.has(top)) return isListed(path)
  return headers === 'any' || sdkHeaders.has(path) || names.headerFolders.includes(top)
}

function isListed(path: string): boolean {
  const [, folder = '', file = ''] = /^(.*)\/([^/]+)\.h$/.exec(path) ?? []
  if (headersIn.get(folder)?.has(file)) return true
  const [, inner = ''] = /^impl\/([^/]+\/)/.exec(path) ?? []
  return headersIn.get('impl')?.has(inner) ?? false
}

/** Node reads no larger file at once. */
const largestRead = 2 ** 31 - 1

/**
 * A case whose tensors exceed the twin's own limits, which is not the candidate's fault.
 * @param limits of the run, bytes
 */
export function pastOurLimits(
  {inputs, outputs}: Pick<OperatorCase, 'inputs' | 'outputs'>,
  limits: {fileBytes: number; memoryBytes: number},
): Execution | undefined {
  const bytes = ({dtype, shape}: TensorSpec) => elementCount(shape) * dtypeBytes[dtype]
  const gibi = (count: number) => `${(count / 2 ** 30).toFixed(1)} GiB`
  const largest = Math.min(limits.fileBytes, largestRead)
  const tooLarge = [...inputs, ...outputs].find((tensor) => bytes(tensor) > largest)
  const total = [...inputs, ...outputs].reduce((sum, tensor) => sum + bytes(tensor), 0)
  const most = limits.memoryBytes * 0.75
  if (!tooLarge && total <= most) return undefined
  const message = tooLarge
    ? `tensors of more than ${gibi(largest)}: ${tooLarge.name} has ${gibi(bytes(tooLarge))}`
    : `cases of more than ${gibi(most)} in all tensors together: this one has ${gibi(total)}`
  const violation = {rule: 'not-covered', block: -1, api: '', tensor: tooLarge?.name ?? '', message, fix: ''}
  return {outcome: 'violated', violation}
}
