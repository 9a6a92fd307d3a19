import {readFile, writeFile} from 'node:fs/promises'
import {join, posix} from 'node:path'
import {deviceFaults} from './device-rules.ts'
import {withoutPaths} from './diagnostics.ts'
import {readElf} from './elf.ts'
import type {FileTexts} from './objects.ts'
import {compileFault, linkFault} from './tool-fault.ts'
import type {Bench, Tools} from './tools.ts'
import type {Side} from './twin-sources.ts'

/** Where a library is made: the bench, and the texts that stand in its folder. */
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

/** `said` is what the compiler printed, warnings and remarks. */
type Compiled = {ok: true; said: string; object?: Uint8Array} | {ok: false; log: string}

/** One compiler call inside the sandbox; `args` name files relative to the bench's folder. */
export async function compileIn(tools: Tools, bench: Bench, side: Side, args: readonly string[]): Promise<Compiled> {
  const twin = tools.prebuilt.directory
  const end = await bench.tool(tools.prebuilt.command(side, args), (result) => compileFault(result, twin))
  return end.ok ? {ok: true, said: end.stderr} : {ok: false, log: logOf(tools, bench.directory, end.stderr)}
}

async function compileObject({tools, bench}: Workplace, {side, path, flags, output}: LibraryUnit): Promise<Compiled> {
  const end = await compileIn(tools, bench, side, [...flags, '-c', path, '-o', output])
  return end.ok ? {...end, object: await readFile(join(bench.directory, output))} : end
}

/**
 * A part of the device's rules is read off the object of a kernel: again for one that was kept, as the rules may have
 * been others then. A compiler that cannot tell knows none.
 */
function keptToRules({tools, files}: Workplace, side: Side, compiled: Compiled): Compiled {
  if (side !== 'kernel' || !tools.prebuilt.device || !compiled.ok || !compiled.object) return compiled
  const log = deviceFaults({object: compiled.object, said: compiled.said, files})
  return log === '' ? compiled : {ok: false, log}
}

/** @param folder of the operator in the bench's */
export function objectFlags({prebuilt}: Tools, side: Side | 'cube', folder = ''): string[] {
  const sides = side === 'host' ? ['op_host', 'op_kernel'] : ['op_kernel', 'op_host']
  const folders = [...new Set(['.', posix.join('.', folder), ...sides.map((one) => posix.join(folder, one))])]
  return ['-O0', ...prebuilt.header[side], '-I', prebuilt.include, ...folders.flatMap((one) => ['-I', one])]
}

/** Waits for all, also when one fails: the folder in which they work is removed afterwards. */
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

/** An object, compiled now or before. It is written where the linker looks for it. */
export async function compileOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  const {side, flags, output} = unit
  const {fresh, ...compiled} = await once(place, unit, `words and object of ${side}`, (listing) =>
    compileObject(place, {...unit, flags: [...flags, ...listing]}),
  )
  if (compiled.ok && compiled.object && !fresh) await writeFile(join(place.bench.directory, output), compiled.object)
  return keptToRules(place, side, compiled)
}

/** Whether a unit compiles, found out now or before. Only of a kernel an object is made, for the device's rules. */
export function checkOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  return unit.side === 'kernel' && place.tools.prebuilt.device ? compileOnce(place, unit) : readOnce(place, unit)
}

/** Whether the compiler understands a unit, found out now or before; `output` names no file. */
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
 * @param kind names what is kept and its form: files of earlier versions lie beside it
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

/** What the compiler said stands before the object, behind its length: some rules are read off it. */
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

/** Empty for objects of another processor than the reader knows. */
function importsOf(object: Uint8Array): string[] {
  try {
    return readElf(object).symbols.flatMap(({name, section}) => (section === undefined && name !== '' ? [name] : []))
  } catch {
    return []
  }
}

function logOf({prebuilt}: Tools, directory: string, stderr: string): string {
  return withoutPaths(stderr, [directory, prebuilt.include, prebuilt.directory])
}
