import {readFile, writeFile} from 'node:fs/promises'
import {join, posix} from 'node:path'
import {deviceFaults, stackFaults} from './device-rules.ts'
import {outwardLog} from './diagnostics.ts'
import {readElf} from './elf.ts'
import type {FileTexts} from './objects.ts'
import {compileFault, linkFault} from './tool-fault.ts'
import type {Bench, Tools} from './tools.ts'
import type {Side} from './twin-sources.ts'

/** Where a library is built: the bench, and the texts in its folder. */
export interface Workplace {
  tools: Tools
  bench: Bench
  files: FileTexts
}

interface LibraryUnit {
  side: Side
  path: string
  flags: readonly string[]
  output: string
}

/** Units of one library, and what its linking needs beyond the twin. Names are relative to the bench's folder. */
export interface LibraryPlan {
  units: readonly LibraryUnit[]
  options: readonly (readonly string[])[]
  output: string
}

export type LibraryEnd = {stage: 'made'; imports: string[]} | {stage: 'not-compiled' | 'not-linked'; log: string}

/** `said` is the compiler's output, warnings and remarks. */
type Compiled = {ok: true; said: string; object?: Uint8Array} | {ok: false; log: string}

/** One compiler call inside the sandbox; `args` name files relative to the bench's folder. */
export async function compileIn(tools: Tools, bench: Bench, side: Side, args: readonly string[]): Promise<Compiled> {
  const twin = tools.prebuilt.directory
  const run = (these: readonly string[]) =>
    bench.tool(tools.prebuilt.command(side, these), (result) => compileFault(result, twin))
  const end = await run(args)
  if (end.ok) return {ok: true, said: end.stderr}
  // With a precompiled header clang does not suggest corrections for misspelled names, and a device build has no such
  // header.
  const again = mayHaveAHint.test(end.stderr) ? await run(withWholeHeader(tools, readOnly(args))) : end
  return {ok: false, log: logOf(tools, bench.directory, again.ok ? end.stderr : again.stderr)}
}

const mayHaveAHint =
  /: error: (?:no (?:member|type|template) named|use of undeclared identifier|unknown (?:type|class) name)/

/** A compilation's arguments with the text of the precompiled header instead. */
function withWholeHeader({prebuilt}: Tools, args: readonly string[]): string[] {
  const place = args.indexOf('-include-pch')
  const header = posix.basename(args[place + 1] ?? '', '.pch')
  const whole = ['-include', join(prebuilt.directory, 'gch', `${header}.h`), '-I', prebuilt.include]
  return place < 0 ? [...args] : args.toSpliced(place, 2, ...whole)
}

/** A compilation's arguments, without output. */
function readOnly(args: readonly string[]): string[] {
  const made = new Set(['-o', '-MF'])
  const kept = args.filter((arg, index) => arg !== '-MMD' && !made.has(arg) && !made.has(args[index - 1] ?? ''))
  return kept.map((arg) => (arg === '-c' ? '-fsyntax-only' : arg))
}

async function compileObject({tools, bench}: Workplace, {side, path, flags, output}: LibraryUnit): Promise<Compiled> {
  const end = await compileIn(tools, bench, side, [...flags, '-c', path, '-o', output])
  return end.ok ? {...end, object: await readFile(join(bench.directory, output))} : end
}

/**
 * A part of the device's rules is read from a kernel's object: again for a cached one, because the rules may have
 * changed. Other compilers check no rules.
 */
async function keptToRules(place: Workplace, unit: LibraryUnit, compiled: Compiled): Promise<Compiled> {
  const {tools, files} = place
  if (unit.side !== 'kernel' || !tools.prebuilt.device || !compiled.ok || !compiled.object) return compiled
  const {object, said} = compiled
  const log = deviceFaults({object, said, files}) + (await deepFrames(place, unit, object))
  return log === '' ? compiled : {ok: false, log: outwardLog(log, [])}
}

/**
 * Frames too large for the device, with optimisation: without it, objects of consecutive scopes have separate slots
 * (frames of kernels in public repositories then have up to 140 KiB).
 */
async function deepFrames(place: Workplace, unit: LibraryUnit, object: Uint8Array): Promise<string> {
  if (stackFaults(object, place.files) === '') return ''
  const flags = withWholeHeader(place.tools, unit.flags).map((flag) => (flag === '-O0' ? '-O2' : flag))
  const optimised = {...unit, flags, output: `optimised-${unit.output}`}
  const {fresh: _, ...end} = await once(place, optimised, 'words and optimised object', (listing) =>
    compileObject(place, {...optimised, flags: [...flags, ...listing]}),
  )
  return end.ok && end.object ? stackFaults(end.object, place.files) : ''
}

/** @param folder of the operator in the bench's */
export function objectFlags({prebuilt}: Tools, side: Side | 'cube', folder = ''): string[] {
  const sides = side === 'host' ? ['op_host', 'op_kernel'] : ['op_kernel', 'op_host']
  const folders = [...new Set(['.', posix.join('.', folder), ...sides.map((one) => posix.join(folder, one))])]
  return ['-O0', ...prebuilt.header[side], '-I', prebuilt.include, ...folders.flatMap((one) => ['-I', one])]
}

/** Waits for all, even if one fails, because their folder is removed afterwards. */
export async function allDone<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

/** Compiles what was not compiled before, and links what was not linked before. */
export async function makeLibrary(place: Workplace, plan: LibraryPlan): Promise<LibraryEnd> {
  const compiled = await allDone(plan.units.map((unit) => compileOnce(place, unit)))
  const log = compiled.map((one) => (one.ok ? '' : one.log)).join('')
  if (compiled.some(({ok}) => !ok)) return {stage: 'not-compiled', log}
  const objects = compiled.flatMap((one) => (one.ok && one.object ? [one.object] : []))
  return link(place, plan, objects)
}

/** An object, compiled now or before. Written to where the linker expects it. */
export async function compileOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  const {side, flags, output} = unit
  const {fresh, ...compiled} = await once(place, unit, `words and object of ${side}`, (listing) =>
    compileObject(place, {...unit, flags: [...flags, ...listing]}),
  )
  if (compiled.ok && compiled.object && !fresh) await writeFile(join(place.bench.directory, output), compiled.object)
  return keptToRules(place, unit, compiled)
}

/** Whether a unit compiles, determined now or before. An object is only made for a kernel, for the device's rules. */
export function checkOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  return unit.side === 'kernel' && place.tools.prebuilt.device ? compileOnce(place, unit) : readOnce(place, unit)
}

/** Whether the compiler understands a unit, determined now or before; `output` is not a file. */
export async function readOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  const {side, path, flags} = unit
  const {fresh: _, ...read} = await once(place, unit, `words on ${side}`, async (listing) => {
    const args = [...flags, ...listing, '-fsyntax-only', path]
    const end = await compileIn(place.tools, place.bench, side, args)
    return end.ok ? {...end, object: Buffer.alloc(0)} : end
  })
  return read
}

/**
 * @param kind names the cached item and its format: files of earlier versions coexist
 * @param compile is given the flags by which a compiler lists the files that it reads
 */
async function once(
  {tools, bench, files}: Workplace,
  {path, flags, output}: LibraryUnit,
  kind: string,
  compile: (listing: readonly string[]) => Promise<Compiled>,
): Promise<Compiled & {fresh: boolean}> {
  const list = `${output}.d`
  let end: Compiled | undefined
  const kept = await tools.objects.get({args: [kind, ...flags], path, files}, async () => {
    end = await compile(['-MMD', '-MF', list])
    if (!end.ok || !end.object) return undefined
    const dependencies = await readFile(join(bench.directory, list), 'utf8')
    return {object: withWords(end.said, end.object), dependencies}
  })
  if (end || !kept) return {...(end ?? {ok: false, log: ''}), fresh: true}
  return {ok: true, ...wordsAndObject(kept), fresh: false}
}

/** The compiler's output precedes the object, after its length: some rules are read from it. */
function withWords(said: string, object: Uint8Array): Uint8Array {
  const words = Buffer.from(said)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(words.length)
  return Buffer.concat([length, words, object])
}

function wordsAndObject(kept: Uint8Array): {said: string; object: Uint8Array} {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const end = 4 + bytes.readUInt32LE(0)
  return {said: bytes.toString('utf8', 4, end), object: bytes.subarray(end)}
}

async function link(place: Workplace, plan: LibraryPlan, objects: readonly Uint8Array[]): Promise<LibraryEnd> {
  const {tools, bench} = place
  const {units, output} = plan
  const options = [['-z', 'defs'], ...plan.options, ['-rpath', tools.prebuilt.directory]]
  let end: LibraryEnd = {stage: 'made', imports: [...new Set(objects.flatMap(importsOf))]}
  let fresh = false
  const inputs = [...units.map((unit) => unit.output), tools.prebuilt.library]
  const command = tools.linker({options, inputs, output})
  const library = await tools.objects.linked(command, objects, async () => {
    const linked = await bench.tool(command, linkFault)
    if (!linked.ok) {
      end = {stage: 'not-linked', log: logOf(tools, bench.directory, linked.stderr)}
      return undefined
    }
    fresh = true
    return readFile(join(bench.directory, output))
  })
  if (library && !fresh) await writeFile(join(bench.directory, output), library)
  return end
}

/** Empty for objects of an unsupported processor. */
function importsOf(object: Uint8Array): string[] {
  try {
    return readElf(object).symbols.flatMap(({name, section}) => (section === undefined && name !== '' ? [name] : []))
  } catch {
    return []
  }
}

function logOf({prebuilt}: Tools, directory: string, stderr: string): string {
  return outwardLog(stderr, [directory, prebuilt.include, prebuilt.directory])
}
