import {expandSources} from '../../cpp/macros.ts'
import {readElf} from './elf.ts'
import type {ElfObject, ElfRelocation, ElfSymbol} from './elf.ts'
import {nameScopes, readableName} from './mangled-names.ts'
import type {FileTexts} from './objects.ts'

// What the device compiler refuses and clang's device mode lets pass, read from the compilation's output. Rules:
// "Device C++ restrictions" of asc-devkit (no virtual functions, recursion, dynamic memory, STL, typeid).

/** One compilation of a kernel. */
interface DeviceCompilation {
  object: Uint8Array
  /** The compiler's remarks. */
  said: string
  /** The candidate's files, in which places are searched. */
  files: FileTexts
}

interface Fault {
  sentence: string
  /** Names to look for in the candidate's files, best first. */
  names: readonly string[]
}

/** The section in which `__BLOCK_LOCAL__` puts per-core variables. */
const ownOfCores = 'twin_block_local'
/**
 * Undefined symbols that device code may have: the twin's library, what the compiler itself calls, edges from the
 * linker.
 */
const mayImport = new RegExp(
  `^(?:_ZNK?4twin\\w+|mem(?:cpy|move|set|cmp)|printf|_GLOBAL_OFFSET_TABLE_|__(?:start|stop)_${ownOfCores})$`,
)
/** What the operator build tells the compiler: `-cce-aicore-function-stack-size=0x8000` (bisheng_intf.cmake, c220). */
const stackBytes = 0x8000

/** The faults in the form of a compiler's messages; '' when there are none. */
export function deviceFaults({object, said, files}: DeviceCompilation): string {
  const faults = [...wordFaults(files), ...objectFaults(readElf(object), files)]
  return [...new Set([...conversionFaults(said, files), ...asMessages(faults, files)])].join('')
}

/** Frames too large for the device, in the same form. */
export function stackFaults(object: Uint8Array, files: FileTexts): string {
  return asMessages(largeFrames(readElf(object)), files).join('')
}

function asMessages(faults: readonly Fault[], files: FileTexts): string[] {
  return faults.map(({sentence, names}) => {
    const place = names.map((name) => placeOf(name, files)).find((one) => one !== undefined)
    return `${place ? `${place}: ` : ''}error: ${sentence}\n`
  })
}

/**
 * Builtin functions that this machine's compiler supports and the device's does not: of other processors (clang knows
 * the builtins of its target alone), atomic ones (the device's headers have a relaxed `__atomic_store_n` and no other),
 * and those that compute in double.
 */
function wordFaults(files: FileTexts): Fault[] {
  const device = [...files].flatMap(([path, text]) => (/(?:^|\/)op_host\//.test(path) ? [] : [text]))
  if (!device.some((text) => /__(?:builtin|atomic|sync|c11)|##/.test(text))) return []
  const words = expandSources(device).flatMap(({code}) => code.flatMap(({kind, text}) => (kind === 'word' ? text : [])))
  return [...new Set(words)].flatMap((name): Fault[] => {
    if (otherProcessor.test(name)) return [{sentence: `use of undeclared identifier '${name}'`, names: [name]}]
    if (otherAtomic.test(name)) return [{sentence: `undefined symbol: ${name}`, names: [name]}]
    const sentence = 'cast to/from double precision floating variable is not allowed in aicore function'
    return inDouble.test(name) ? [{sentence, names: [name]}] : []
  })
}

const otherProcessor = /^__builtin_(?:ia32|arm|aarch64|neon|sve|altivec|amdgcn|nvvm)_/
const otherAtomic = /^__(?:sync|c11_atomic|opencl_atomic)_|^__atomic_(?!store_n$)/
const inDouble = /^__builtin_(?:sqrt|fabs|copysign|fma|fmin|fmax|floor|ceil|trunc|rint|nearbyint|round)$/

const missed =
  /^(?:\.\/)?([^\s/:][^:\n]*):(\d+):(\d+): remark: FastISel missed[^:]*:\s+(?:%\S+ = )?(\w+) (?:<\d+ x )?(\S+)/gm

/**
 * Conversions of variables: those of constants are folded before code generation. A bool is not a number here. The
 * operator repositories divide by unsigned numbers without a cast (`1.0f / numCol`), so to floating only a cast is
 * refused.
 */
function conversionFaults(said: string, files: FileTexts): string[] {
  return [...said.matchAll(missed)].flatMap(([, path = '', line = '', column = '', instruction, type]) => {
    const text =
      files
        .get(path)
        ?.split('\n')
        [Number(line) - 1]?.slice(0, Number(column) - 1) ?? ''
    const cast = instruction === 'uitofp' && type !== 'i1' && writtenCast.test(text)
    const sentence = 'cast between floating and unsigned integer variable is not allowed in aicore function'
    return cast || instruction === 'fptoui' ? [`${path}:${line}:${column}: error: ${sentence}\n`] : []
  })
}

/** The text before the converted value in `static_cast<float>(a.n)`, `(float)p->n`, `float(n)`, `T{n}`. */
const writtenCast = new RegExp(
  [
    String.raw`(?:static_cast\s*<[^<>]*>\s*\(|\(\s*(?:const\s+)?[A-Za-z_][\w:]*\s*\)|`,
    String.raw`\b(?:float|float32_t|[A-Z]\w*)\s*[({])`,
    String.raw`[\s(]*(?:[\w:\[\]]+(?:\(\))?(?:\.|->))*$`,
  ].join(''),
)

function objectFaults(elf: ElfObject, files: FileTexts): Fault[] {
  return [
    ...imports(elf),
    ...variables(elf, files),
    ...libraryFunctions(elf),
    ...virtualFunctions(elf),
    ...startupCode(elf),
    ...callFaults(elf),
    ...changingFrames(elf),
  ]
}

function imports({symbols}: ElfObject): Fault[] {
  return symbols
    .filter(({name, section}) => section === undefined && name !== '' && !mayImport.test(name))
    .filter(({name}) => !/^_ZT[VIS]/.test(name))
    .map(({name}) => ({
      sentence: `undefined symbol: ${readableName(name)}`,
      names: [...(/^_Zn/.test(name) ? ['new'] : []), ...(/^_Zd/.test(name) ? ['delete'] : []), ...ownNames(name)],
    }))
}

/** Names in C++ code for a symbol, innermost first. */
function ownNames(symbol: string): string[] {
  const scopes = nameScopes(symbol).toReversed()
  return [...scopes, ...scopes.map((name) => `__builtin_${name}`)]
}

/** `static __gm__ uint32_t flags[8];`: kernels of the operator libraries keep such variables, in GM. */
function isInGm(name: string, files: FileTexts): boolean {
  return /^\w+$/.test(name) && [...files.values()].some((text) => holdsVariableInGm(text, name))
}

/** Whether a text declares a variable in GM; pointers to GM do not count. @param name a regular expression */
export function holdsVariableInGm(text: string, name = '\\w+'): boolean {
  return new RegExp(`__gm__\\s+[\\w:<>, \\t]+\\b${name}\\s*[[=;{]`).test(text)
}

function variables({sections, symbols}: ElfObject, files: FileTexts): Fault[] {
  return symbols
    .filter(({kind}) => kind === 'object' || kind === 'thread-local')
    .filter(({section}) => {
      const place = section === undefined ? undefined : sections[section]
      return place?.writable === true && place.name !== ownOfCores && !place.name.startsWith('.data.rel.ro')
    })
    .filter(({name}) => !isInGm(nameScopes(name).at(-1) ?? '', files))
    .map(({name}) => ({
      sentence: `variable '${readableName(name)}' keeps its value: the device has no mutable globals and static locals`,
      names: ownNames(name),
    }))
}

function libraryFunctions({symbols}: ElfObject): Fault[] {
  return symbols
    .filter(({kind, section}) => kind === 'function' && section !== undefined)
    .filter(({name}) => /^_ZN?K?St/.test(name) && !isNumericLimit(name))
    .map(({name}) => ({
      sentence: `reference to __host__ function '${readableName(name)}' in __device__ function`,
      names: ownNames(name),
    }))
}

/** Constants in the form of functions; kernels in the vendor's repositories use their infinities. */
function isNumericLimit(name: string): boolean {
  return name.startsWith('_ZNSt14numeric_limitsI')
}

function virtualFunctions({symbols}: ElfObject): Fault[] {
  return symbols
    .filter(({name}) => /^_ZT[VIS]/.test(name))
    .map(({name}) => ({
      sentence: `'${readableName(name)}' has virtual functions or type information, which the device lacks`,
      names: ['virtual', 'typeid', ...ownNames(name)],
    }))
}

function startupCode({sections}: ElfObject): Fault[] {
  return sections
    .filter(({name, size}) => /^\.(?:init|fini|preinit)(?:_array)?(?:\.|$)|^\.[cd]tors/.test(name) && size > 0)
    .map(() => ({sentence: 'the device runs no code before or after a kernel', names: ['constructor', 'destructor']}))
}

/** A function of the object; `key` is the same for every way to name it. */
interface Code {
  symbol: ElfSymbol
  key: string
}

/** Recursion, and functions whose address is taken. */
function callFaults(elf: ElfObject): Fault[] {
  const {sections, symbols, relocations} = elf
  const functions = functionsOf(symbols)
  const within = (section: number | undefined, offset: number) =>
    functions.bySection
      .get(section ?? -1)
      ?.find(({symbol}) => symbol.value <= offset && offset < symbol.value + Math.max(1, symbol.size))
  const target = ({symbol: index, addend, absolute}: ElfRelocation) => {
    const symbol = symbols[index]
    if (symbol?.kind !== 'section') return functions.byName.get(symbol?.name ?? '')
    // For a section symbol, the addend gives the position; in code, it counts from after the four bytes.
    return functions.byKey.get(`${symbol.section}:${absolute ? addend : addend + 4}`)
  }
  const calls = new Map<string, Set<string>>()
  const taken = new Set<Code>()
  for (const relocation of relocations) {
    const place = sections[relocation.section]
    if (!place?.allocated || place.name.startsWith('.eh_frame')) continue
    // In data only whole addresses are pointers; a switch has a table of distances.
    if (!place.executable && !relocation.absolute) continue
    const callee = target(relocation)
    if (!callee) continue
    const caller = within(relocation.section, relocation.offset)
    if (!relocation.call && !isResolved(callee, caller)) taken.add(callee)
    if (relocation.call && caller) calls.set(caller.key, (calls.get(caller.key) ?? new Set()).add(callee.key))
  }
  const local = functions.all.filter(({symbol}) => symbol.binding === 'local')
  const recursive = functions.all.filter(isInCycle(calls, new Set(local.filter((code) => callsItself(elf, code)))))
  return [
    ...recursive.map(({symbol: {name}}) => ({
      sentence: `function '${readableName(name)}' calls itself: the device has no recursion at run time`,
      names: ownNames(name),
    })),
    ...[...taken].map(({symbol: {name}}) => ({
      sentence: `the address of function '${readableName(name)}' is taken: the device has no calls through pointers`,
      names: ownNames(name),
    })),
  ]
}

/**
 * A template argument is known at compile time, so the device calls it directly; the same holds for instances of
 * function templates, which Catlass passes as callbacks.
 */
function isResolved({symbol: {name}}: Code, caller: Code | undefined): boolean {
  const own = nameScopes(name).at(-1) ?? ''
  const spelled = `${own.length}${own}`
  const calledFrom = caller?.symbol.name ?? ''
  return name.includes(`${spelled}I`) || (calledFrom.includes('L_Z') && calledFrom.includes(spelled))
}

function functionsOf(symbols: readonly ElfSymbol[]) {
  const all = symbols.flatMap((symbol): Code[] => {
    const here = symbol.kind === 'function' && symbol.section !== undefined
    return here ? [{symbol, key: `${symbol.section}:${symbol.value}`}] : []
  })
  const bySection = new Map<number, Code[]>()
  for (const code of all) {
    const section = code.symbol.section as number
    bySection.set(section, [...(bySection.get(section) ?? []), code])
  }
  const byName = new Map(all.map((code) => [code.symbol.name, code]))
  return {all, bySection, byName, byKey: new Map(all.map((code) => [code.key, code]))}
}

/** A function local to this file calls itself by a distance, without a relocation. */
function callsItself({machine, sections}: ElfObject, {symbol}: Code): boolean {
  const {data} = sections[symbol.section as number] ?? {data: new Uint8Array()}
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const end = Math.min(data.length, symbol.value + symbol.size)
  const step = machine === 'aarch64' ? 4 : 1
  for (let at = symbol.value; at + 5 <= end; at += step) {
    if (machine === 'x86-64') {
      // An empty distance has a relocation.
      if (data[at] === 0xe8 && at + 5 + view.getInt32(at + 1, true) === symbol.value) return true
    } else {
      const word = view.getUint32(at, true)
      if (word >>> 26 === 0b100101 && at + ((word << 6) >> 4) === symbol.value) return true
    }
  }
  return false
}

/** Whether a function can call itself, directly or not. */
function isInCycle(
  calls: ReadonlyMap<string, ReadonlySet<string>>,
  itself: ReadonlySet<Code>,
): (code: Code) => boolean {
  const callers = new Map<string, Set<string>>()
  for (const [caller, callees] of calls)
    for (const callee of callees) callers.set(callee, (callers.get(callee) ?? new Set()).add(caller))
  // A cycle has neither a first nor a last function.
  const first = peeled(calls, callers)
  const last = peeled(callers, calls)
  const isEnd = (key: string) => first.has(key) || last.has(key) || !calls.has(key) || !callers.has(key)
  return (code) => itself.has(code) || !isEnd(code.key)
}

/** What remains after repeatedly removing everything unreachable. */
function peeled(
  after: ReadonlyMap<string, ReadonlySet<string>>,
  before: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const open = [...after.keys()].filter((key) => !before.has(key))
  const gone = new Set(open)
  const left = new Map([...before].map(([key, leading]) => [key, leading.size]))
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const next of after.get(key) ?? []) {
      const count = (left.get(next) ?? 0) - 1
      left.set(next, count)
      if (count > 0 || gone.has(next)) continue
      gone.add(next)
      open.push(next)
    }
  }
  return gone
}

/** Frames whose size is only known at run time: the compiler lists no size of those. */
function changingFrames(elf: ElfObject): Fault[] {
  return frames(elf).flatMap(({name, size}) => {
    const sentence = `the size of the stack frame of function '${readableName(name)}' is not constant`
    return size === undefined ? [{sentence, names: ownNames(name)}] : []
  })
}

function largeFrames(elf: ElfObject): Fault[] {
  return frames(elf).flatMap(({name, size = 0}) => {
    const sentence = `stack frame size (${size}) exceeds limit (${stackBytes}) in '${readableName(name)}'`
    return size > stackBytes ? [{sentence, names: ownNames(name)}] : []
  })
}

function frames({sections, symbols, relocations}: ElfObject): {name: string; size: number | undefined}[] {
  const lists = sections.flatMap((section, index) => (section.name === '.stack_sizes' ? [index] : []))
  const sizes = new Map<string, number>()
  for (const relocation of relocations) {
    if (!lists.includes(relocation.section)) continue
    const symbol = symbols[relocation.symbol]
    const data = sections[relocation.section]?.data ?? new Uint8Array()
    const offset = symbol?.kind === 'section' ? relocation.addend : (symbol?.value ?? 0)
    sizes.set(`${symbol?.section}:${offset}`, variableLength(data, relocation.offset + 8))
  }
  return functionsOf(symbols).all.map(({symbol: {name}, key}) => ({name, size: sizes.get(key)}))
}

/** Reads an unsigned number in LEB128. */
function variableLength(data: Uint8Array, at: number): number {
  let [value, factor] = [0, 1]
  for (let index = at; index < data.length; index += 1) {
    const byte = data[index] ?? 0
    value += (byte & 127) * factor
    factor *= 128
    if (byte < 128) break
  }
  return value
}

/** `file:line:column` of a name in the candidate's kernel, of a call or definition before anything else. */
function placeOf(name: string, files: FileTexts): string | undefined {
  if (!/^\w+$/.test(name)) return undefined
  const paths = [...files.keys()].sort(
    (a, b) => Number(b.startsWith('op_kernel/')) - Number(a.startsWith('op_kernel/')),
  )
  for (const pattern of [new RegExp(`\\b${name}\\s*[(<]`), new RegExp(`\\b${name}\\b`)]) {
    for (const path of paths) {
      const text = files.get(path) ?? ''
      const at = pattern.exec(text)?.index
      if (at === undefined || path === 'kernel_unit.cpp') continue
      const before = text.slice(0, at).split('\n')
      return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
    }
  }
  return undefined
}
