import {readFile, writeFile} from 'node:fs/promises'
import {join, posix} from 'node:path'
import {deviceFaults} from './device-rules.ts'
import type {DeviceCompilation} from './device-rules.ts'
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

/** To an object, off which a part of the device's rules is read. */
export async function compileObject(place: Workplace, {side, path, flags, output}: LibraryUnit): Promise<Compiled> {
  const {tools, bench, files} = place
  const end = await compileIn(tools, bench, side, [...flags, '-c', path, '-o', output])
  if (!end.ok) return end
  const object = await readFile(join(bench.directory, output))
  const faults = side === 'kernel' ? kernelFaults(tools, {object, said: end.said, files}) : ''
  return faults === '' ? {...end, object} : {ok: false, log: faults}
}

/** What the device compiler refuses; '' when it is nothing, or with a compiler that cannot tell. */
function kernelFaults({prebuilt}: Tools, compilation: DeviceCompilation): string {
  return prebuilt.device ? deviceFaults(compilation) : ''
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
  const {side, path, flags, output} = unit
  const compiled = await once(place, {kind: `compiled as ${side}`, path, flags, output}, (listing) =>
    compileObject(place, {...unit, flags: [...flags, ...listing]}),
  )
  if (compiled.ok && compiled.object && !compiled.fresh)
    await writeFile(join(place.bench.directory, output), compiled.object)
  return compiled
}

/** Whether a unit compiles, found out now or before; nothing is kept of it. */
export function checkOnce(place: Workplace, unit: LibraryUnit): Promise<Compiled> {
  const {side, path, flags, output} = unit
  // Only of a kernel an object is made: a part of the device's rules is read off it.
  if (side !== 'kernel' || !place.tools.prebuilt.device) return readOnce(place, unit)
  return once(place, {kind: 'kept to the rules', path, flags, output}, async (listing) =>
    withoutObject(await compileObject(place, {...unit, flags: [...flags, ...listing]})),
  )
}

/** Whether the compiler understands a unit, found out now or before; `output` names no file. */
export function readOnce({tools, bench, files}: Workplace, unit: LibraryUnit): Promise<Compiled> {
  const {side, path, flags, output} = unit
  return once({tools, bench, files}, {kind: `read as ${side}`, path, flags, output}, async (listing) =>
    withoutObject(await compileIn(tools, bench, side, [...flags, ...listing, '-fsyntax-only', path])),
  )
}

function withoutObject(end: Compiled): Compiled {
  return end.ok ? {...end, object: new Uint8Array(0)} : end
}

interface Once {
  kind: string
  path: string
  flags: readonly string[]
  output: string
}

/** @param compile is given the flags by which a compiler lists the files that it reads */
async function once(
  {tools, bench, files}: Workplace,
  {kind, path, flags, output}: Once,
  compile: (listing: readonly string[]) => Promise<Compiled>,
): Promise<Compiled & {fresh: boolean}> {
  const list = `${output}.d`
  let end: Compiled | undefined
  const object = await tools.objects.get({args: [kind, ...flags], path, files}, async () => {
    end = await compile(['-MMD', '-MF', list])
    if (!end.ok || !end.object) return undefined
    return {object: end.object, dependencies: await readFile(join(bench.directory, list), 'utf8')}
  })
  const fresh = end !== undefined
  return object ? {ok: true, said: '', object, fresh} : {...(end ?? {ok: false, log: ''}), fresh}
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
