import {join, posix, resolve} from 'node:path'
import {OperatorProject, type SourceFile} from '../../datasets/schema/operator.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import {SourceFolder} from '../../datasets/schema/source-folder.ts'
import {findFiles, readInput, type Refusal} from '../../engine/input-files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {describeCheckout, pathInCheckout, sourceBytes, type Checkout} from '../checkout.ts'
import {assertFolder} from '../input-folder.ts'
import {CheckoutFiles} from './checkout-files.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {activeText, chipMacros} from '../../cpp/conditions.ts'
import {decodeSource} from './decode.ts'
import {readContract} from './contracts/contract.ts'
import {documentedPurpose} from './documented.ts'
import {
  chips,
  definedKernels,
  findOperators,
  hasDeviceCode,
  isForeignPath,
  isOtherLibrary,
  isSideFile,
  isSourceFile,
  operatorName,
  usesForeignApi,
  type OperatorFolder,
} from './layout.ts'
import {FileAccount} from './file-account.ts'
import {calledForeign} from './foreign-tilings.ts'
import {IncludeGraph} from './reach.ts'
import {sharedHeaders, sideOf, type Surroundings} from './shared-headers.ts'
import {sharedUnits} from './shared-units.ts'

/**
 * Every operator below each folder, by default in path order: `op_host/` with `op_kernel/`, its C interface in
 * `op_api/`, the SDK's implementations of high-level APIs, and kernels that are launched directly. Drops half a project
 * (`host-missing`, `kernel-missing`), one for another chip generation (`other-chip`) and `binary-file`; what cannot be
 * read: `name-not-utf-8`, `symbolic-link`, `not-a-file`, `unreadable`, `file-too-large`; and each other source file
 * that belongs to no project: `other-chip`, `not-operator-code`, `of-no-operator`.
 * @throws PipelineError `input-missing` when a folder does not exist
 */
export default function operatorProjects({
  order = 'path',
}: OperatorProjectsOptions = {}): Stage<SourceFolder, OperatorProject> {
  return {
    name: 'operator-projects',
    version: 15,
    ...(order === 'path' ? {} : {options: {order}}),
    input: SourceFolder,
    output: OperatorProject,
    async *run(folders, context) {
      for await (const folder of folders) yield* readFolder(folder, order, context)
    },
  }
}

interface OperatorProjectsOptions {
  /** `whole-first`: of each folder, operators with host and kernel come before all other code. Default `path`. */
  order?: 'path' | 'whole-first'
}

interface Place {
  root: string
  /** Top of the checkout around the root: headers shared by several operators may be anywhere in it. */
  top: string
  /** Path of the root inside its checkout, with a slash at the end; '' at the top. */
  prefix: string
  checkout: Checkout
  files: CheckoutFiles
  absent: Set<string>
  /** Every file below the root, relative to it. */
  paths: readonly string[]
  account: FileAccount
}

const missing = {holds: 'folder with operators', fix: 'Check the path, or check the repository out first.'}

async function* readFolder(
  folder: SourceFolder,
  order: NonNullable<OperatorProjectsOptions['order']>,
  context: Context,
): AsyncIterable<OperatorProject> {
  const root = resolve(folder.root)
  await assertFolder(root, missing)
  const found = await describeCheckout(root)
  const checkout = {
    repository: folder.repository ?? found.repository,
    revision: folder.revision ?? found.revision,
    licence: folder.licence ?? found.licence,
  }
  const prefix = await pathInCheckout(root, folder.top)
  const paths: string[] = []
  for await (const {path, refused, ...entry} of findFiles(root)) {
    if (!refused) paths.push(path)
    else if (('folder' in entry && entry.folder) || isSourceFile(path)) {
      const where = prefix + path
      context.drop({...checkout, path: where}, refused.reason, `${where}: ${refused.detail}`)
    }
  }
  const top = prefix === '' ? root : root.slice(0, -prefix.length)
  const files = new CheckoutFiles(root, paths)
  const account = new FileAccount(paths.map((path) => prefix + path))
  const place: Place = {root, top, prefix, checkout, files, absent: new Set(), paths, account}
  for await (const project of readLayout(place, order, context)) {
    place.account.hold(project)
    yield project
  }
  for (const {path, reason, detail} of place.account.leftOut())
    context.drop({...checkout, path}, reason, `${path}: ${detail}`)
}

async function* readLayout(
  place: Place,
  order: NonNullable<OperatorProjectsOptions['order']>,
  context: Context,
): AsyncIterable<OperatorProject> {
  const {operators, libraries, loose} = findOperators(place.paths)
  const interfaceOf = ({path, api}: OperatorFolder) =>
    readBeside({role: 'api', path, name: posix.basename(path || 'operator'), paths: api}, place, context)
  for (const operator of operators) {
    context.signal.throwIfAborted()
    if (operator.host.length + operator.kernel.length + operator.foreign.length > 0)
      yield* await readOperator(operator, place, context)
    if (order === 'path') yield* await interfaceOf(operator)
  }
  for (const operator of order === 'path' ? [] : operators) {
    context.signal.throwIfAborted()
    yield* await interfaceOf(operator)
  }
  for (const {path, api, files} of libraries) {
    context.signal.throwIfAborted()
    yield* await readBeside({role: 'library', path, name: api, paths: files}, place, context)
  }
  for (const path of loose) {
    context.signal.throwIfAborted()
    yield* await readDirectLaunch(path, place, context)
  }
  const lent = operators.flatMap(({kernel}) => (kernel.some(isUnit) ? [] : kernel))
  const open = [...loose, ...lent].filter(
    (path) => !isUnit(path) && !isOtherLibrary(path) && place.account.isOpen(place.prefix + path),
  )
  for (const folder of new Set(open.map((path) => posix.dirname(path)))) {
    context.signal.throwIfAborted()
    const headers = open.filter((path) => posix.dirname(path) === folder)
    yield* await readHeaders(folder === '.' ? '' : folder, headers, place, context)
  }
}

/** Headers with device code that belong to no operator: building blocks of kernels (CATLASS), by folder. */
async function readHeaders(
  folder: string,
  paths: readonly string[],
  place: Place,
  context: Context,
): Promise<readonly OperatorProject[]> {
  const {files} = await readSources(paths, folder, place)
  const around = surroundings(folder, place)
  const device = files.filter(({text}) => hasDeviceCode(deviceText(text)))
  const own = await ofThisChip(device, around)
  for (const {path, text} of files.filter((file) => !own.includes(file))) {
    const reason = hasDeviceCode(withoutComments(text)) ? ofOtherChip : withoutDevice
    if (reason === ofOtherChip || isSideFile(posix.join(folder, path)))
      refuseFile(posix.join(folder, path), reason, place, context)
  }
  if (own.length === 0) return []
  // A header may rely on the context of its include.
  const graph = new IncludeGraph(new Map(files.map((file) => [file.path, file])), 'kernel')
  const outer = new Set(own.flatMap(({path}) => graph.around(path)))
  own.push(...files.filter((file) => !device.includes(file) && outer.has(file.path)))
  // Files further down belong to the headers there.
  const shared = (await sharedHeaders(own, around)).map((file) =>
    /^(?!\.\.\/).*\//.test(file.path) ? {...file, path: posix.join('..', posix.basename(folder), file.path)} : file,
  )
  const name = folder
    .split('/')
    .filter((one) => !/^(?:include|src|inc)$/.test(one))
    .slice(-2)
    .join('_')
  return [
    {
      origin: {...place.checkout, path: (place.prefix + folder).replace(/\/$/, '') || '.'},
      operator: operatorName(name || 'headers'),
      host: [],
      kernel: [...own, ...shared],
    },
  ]
}

/** Drops one file. */
function refuseFile(
  path: string,
  {reason, detail}: Refused,
  {prefix, checkout, account}: Place,
  context: Context,
): void {
  const where = prefix + path
  account.settle([where])
  context.drop({...checkout, path: where}, reason, `${where}: ${detail}`)
}

type Refused = Omit<Refusal, 'reason'> & {reason: string}

async function readOperator(
  folder: OperatorFolder,
  place: Place,
  context: Context,
): Promise<readonly OperatorProject[]> {
  const where = place.prefix + folder.path
  const all = [...folder.host, ...folder.kernel, ...folder.foreign]
  const refuse = (reason: string, detail: string, paths = all) => {
    place.account.settle(paths.map((path) => place.prefix + path))
    const names = paths.map((path) => relativeTo(folder.path, path)).join(', ')
    return context.drop({...place.checkout, path: where}, reason, `${where}: ${detail}; with it go ${names}`)
  }
  const kernel = await readSources(folder.kernel, folder.path, place)
  const host = await readSources(folder.host, folder.path, place)
  const [unfit] = [...kernel.unfit, ...host.unfit]
  if (unfit) return refuse(unfit.reason, `${unfit.path}: ${unfit.detail}`)
  const binary = [...kernel.binary, ...host.binary]
  if (binary.length > 0) return refuse('binary-file', binary.join(', '))
  const definitions = host.files.flatMap(({text}) => parseOperatorDefinitions(text))
  const meant = [...new Set([...definitions.flatMap(({socs}) => socs), ...folder.chips])]
  if (meant.length > 0 && !meant.some((chip) => chips.includes(chip)))
    return refuse('other-chip', `configured for ${meant.join(', ')}, not for ${chips.join(' or ')}`)
  const around = surroundings(folder.path, place)
  const ours = await ofThisChip(kernel.files, around)
  if (!ours.some(({path}) => isUnit(path))) {
    const foreign = folder.foreign.length + kernel.files.length - ours.length
    if (foreign > 0) return refuse('other-chip', `all kernels are for the 950 generation (${foreign} files)`)
    // Headers without an entry are building blocks of other kernels.
    return folder.host.length > 0 ? refuse('kernel-missing', 'op_host without a kernel in op_kernel', folder.host) : []
  }
  if (!host.files.some(({path}) => isUnit(path))) return refuse('host-missing', 'op_kernel without a source in op_host')
  const entry = ours.flatMap(({text}) => definedKernels(deviceText(text)))[0]
  const operator = definitions[0]?.operator ?? operatorName(entry ?? posix.basename(folder.path || 'operator'))
  const lent = calledForeign(host.files, (await readSources(foreignHost(folder), folder.path, place)).files)
  const own = [...host.files, ...lent, ...(await tilingElsewhere(operator, folder, place)), ...ours]
  const {units, headers} = await sharedUnits(own, await sharedHeaders(own, around), around)
  const purpose = await documentedPurpose(operator, {...place, path: folder.path})
  const definition = definitions.find((one) => one.operator === operator)
  const contract = await readContract(operator, definition, {...place, path: folder.path})
  const files = [...own, ...headers]
  return [
    {
      origin: {...place.checkout, path: where.replace(/\/$/, '') || '.'},
      operator,
      ...(purpose && {purpose}),
      ...(contract && {contract}),
      host: [...files.filter(({path}) => sideOf(path) === 'host'), ...units],
      kernel: files.filter(({path}) => sideOf(path) === 'kernel'),
    },
  ]
}

interface Beside {
  role: 'api' | 'library'
  path: string
  /** In snake_case, of the operator or of the high-level API. */
  name: string
  paths: readonly string[]
}

/** Code on neither side of an operator: a separate project, since it does not depend on the operator. */
async function readBeside(
  {role, path, name, paths}: Beside,
  place: Place,
  context: Context,
): Promise<readonly OperatorProject[]> {
  if (paths.length === 0) return []
  const where = place.prefix + path
  const {files, binary, unfit} = await readSources(
    paths.filter((one) => !isForeignPath(one)),
    path,
    place,
  )
  for (const one of unfit) refuseFile(posix.join(path, one.path), one, place, context)
  for (const one of binary) refuseFile(posix.join(path, one), notText, place, context)
  const own = files.filter(({text}) => role === 'api' || !usesForeignApi(deviceText(text)))
  if (own.length === 0) return []
  const shared = await sharedHeaders(own, surroundings(path, place))
  const purpose = role === 'api' ? await documentedPurpose(operatorName(name), {...place, path}) : undefined
  return [
    {
      origin: {...place.checkout, path: where || '.'},
      operator: operatorName(name),
      ...(purpose && {purpose}),
      host: [],
      kernel: [],
      beside: {role, files: [...own, ...shared]},
    },
  ]
}

const ofOtherChip = {
  reason: 'other-chip',
  detail: 'it uses the interface of the 950 generation, or includes what does',
}
const withoutDevice = {reason: 'of-no-operator', detail: 'no kernel is there, and it has no code of the device'}
const notText = {reason: 'binary-file', detail: 'it is not text'}

function foreignHost({foreign}: OperatorFolder): string[] {
  return foreign.filter((path) => sideOf(path) === 'host' && isUnit(path))
}

/** Kernel files that neither use the interface of the 950 generation nor include a file that does. */
async function ofThisChip(kernel: readonly SourceFile[], around: Surroundings): Promise<SourceFile[]> {
  const shared = await sharedHeaders(kernel, around)
  const files = new Map([...kernel, ...shared].map((file) => [file.path, file]))
  const foreign = new Set(
    [...files.values()].filter(({text}) => usesForeignApi(deviceText(text))).map(({path}) => path),
  )
  if (foreign.size === 0) return [...kernel]
  const graph = new IncludeGraph(files, 'kernel')
  return kernel.filter(({path}) => ![...graph.from([path])].some((reached) => foreign.has(reached)))
}

/** An operator may be tiled by another one's host files: they register it under its name, and call their neighbours. */
async function tilingElsewhere(operator: string, folder: OperatorFolder, place: Place): Promise<SourceFile[]> {
  const registered = await place.files.tilingOf(operator)
  if (registered.some((path) => folder.host.includes(path))) return []
  const {files} = await readSources(registered, folder.path, place)
  const folders = registered.map((path) => `${posix.dirname(path)}/`)
  const beside = place.paths.filter(
    (path) => isUnit(path) && !registered.includes(path) && folders.some((one) => path.startsWith(one)),
  )
  const called = calledForeign(files, (await readSources(beside, folder.path, place)).files)
  return [...files, ...called].map(({path, text}) => ({path: posix.relative(folder.path, path), text}))
}

function surroundings(folder: string, {root, top, files, absent}: Place): Surroundings {
  return {root: top, base: join(root, folder), byEnding: (name, near) => files.byEnding(name, near), absent}
}

/** What Atlas A2 compiles of a kernel's file. */
function deviceText(text: string): string {
  return activeText(text, chipMacros.kernel)
}

/**
 * A kernel outside of the project layout, with the headers that it includes. A file that only declares a kernel to
 * launch it does not count.
 */
async function readDirectLaunch(path: string, place: Place, context: Context): Promise<readonly OperatorProject[]> {
  if (!isUnit(path)) return []
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
  const {
    files: [file],
    unfit: [unfit],
  } = await readSources([path], folder, place)
  const refused = unfit ?? (file === undefined ? notText : undefined)
  if (refused) refuseFile(path, refused, place, context)
  if (!file) return []
  const code = deviceText(file.text)
  const [kernel] = definedKernels(code)
  if (kernel === undefined) return []
  if (usesForeignApi(code)) {
    refuseFile(path, {reason: 'other-chip', detail: 'written for the 950 generation'}, place, context)
    return []
  }
  const headers = await sharedHeaders([file], surroundings(folder, place))
  return [
    {
      origin: {...place.checkout, path: (place.prefix + folder).replace(/\/$/, '') || '.'},
      operator: operatorName(kernel),
      host: [],
      kernel: [file, ...headers],
    },
  ]
}

interface Sources {
  files: SourceFile[]
  binary: string[]
  unfit: (Refusal & {path: string})[]
}

async function readSources(paths: readonly string[], folder: string, {root}: Place): Promise<Sources> {
  const sources: Sources = {files: [], binary: [], unfit: []}
  for (const path of paths) {
    const relative = relativeTo(folder, path)
    const bytes = await readInput(join(root, path), sourceBytes)
    const text = Buffer.isBuffer(bytes) ? decodeSource(bytes) : undefined
    if (!Buffer.isBuffer(bytes)) sources.unfit.push({...bytes, path: relative})
    else if (text === undefined) sources.binary.push(relative)
    else sources.files.push({path: relative, text})
  }
  return sources
}

function relativeTo(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

function isUnit(path: string): boolean {
  return /\.(?:cpp|cc|cxx|asc)$/.test(path)
}
