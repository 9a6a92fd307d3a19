import {dirname, normalize} from 'node:path/posix'
import {z} from 'zod'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {byCodeUnit} from '../../../engine/code-unit-order.ts'
import {jsonIn} from '../../../engine/json.ts'

// The language `ascendc_direct_launch`: JSON with the sources of a module that launches its own kernels. The use of
// each source follows the benchmark's own backend for it (backends/ascendc_direct_launch_backend.py).

/** A reply in that language, as its build would read it. */
export interface DirectReply {
  /** Every text, headers and models too, by path. */
  files: SourceFile[]
  kernels: string[]
  bindings: string[]
  /** Folders of headers. */
  include: string[]
  /** The name by which the model imports the module. */
  module: string
  model: {text: string; path: string; class: string}
}

const Paths = z.array(z.string()).default([])
const Described = z.object({
  entry: z.object({model: z.string().default('ModelNew.py::ModelNew')}).prefault({}),
  build: z
    .object({
      module_name: z.string().optional(),
      kernel_sources: Paths,
      binding_sources: Paths,
      include_dirs: Paths,
    })
    .prefault({}),
  sources: z.array(z.object({path: z.string(), content: z.string().default('')})),
})
type Described = z.infer<typeof Described>

/** Why the benchmark's build would reject a reply. */
class Unusable extends Error {}

/** The reply as its build reads it, or why it would reject it. @returns undefined for a reply in another language */
export function directReply(reply: string): DirectReply | {fault: string} | undefined {
  const json = jsonIn(unfenced(reply))
  if (json === undefined) {
    const [, inner = ''] = /```(?:json)?\s*(.*?)```/s.exec(reply) ?? []
    const beside = "JSON stands among other text: the benchmark's build takes a reply of JSON alone"
    return hasSources(jsonIn(inner)) ? {fault: beside} : undefined
  }
  if (!hasSources(json)) return undefined
  const described = Described.safeParse(json)
  if (!described.success) {
    const [issue] = described.error.issues
    return {fault: `${issue?.path.join('.')}: ${issue?.message}`}
  }
  try {
    return asBuilt(described.data)
  } catch (error) {
    if (error instanceof Unusable) return {fault: error.message}
    throw error
  }
}

function unfenced(reply: string): string {
  const text = reply.trim()
  const block = text.startsWith('```') ? /```(?:json)?\s*(.*?)```/s.exec(text) : null
  if (block) return (block[1] ?? '').trim()
  return text.startsWith('json\n') ? text.slice(5).trim() : text
}

function hasSources(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'sources' in json
}

function asBuilt({entry, build, sources}: Described): DirectReply {
  const files: SourceFile[] = []
  for (const {path, content} of sources) {
    const inside = safePath(path)
    if (files.some((one) => one.path === inside)) throw new Unusable(`two sources are named ${inside}`)
    files.push({path: inside, text: content})
  }
  const code = files.filter(({path}) => /\.(?:cpp|cc|cxx)$/.test(path)).sort((a, b) => byCodeUnit(a.path, b.path))
  const given = build.binding_sources.map(safePath)
  const bindings = given.length > 0 ? given : code.filter(isBinding).map(({path}) => path)
  if (bindings.length === 0) throw new Unusable('no source has PYBIND11_MODULE, which makes the module of Python')
  const listed = build.kernel_sources.map(safePath)
  const others = code.map(({path}) => path).filter((path) => !bindings.includes(path))
  const kernels = listed.length > 0 ? listed : others
  if (kernels.length === 0) throw new Unusable('no source is left for kernels beside the binding')
  const textOf = (path: string) => {
    const file = files.find((one) => one.path === path)
    if (!file) throw new Unusable(`${path} is not among the sources`)
    return file.text
  }
  for (const path of kernels) textOf(path)
  const folders = build.include_dirs.map(safePath)
  return {
    files,
    kernels,
    bindings,
    include: folders.length > 0 ? folders : [...new Set(['.', ...files.map(({path}) => dirname(path))])],
    module: moduleName(build.module_name, bindings.map(textOf)),
    model: modelOf(entry.model, textOf),
  }
}

function isBinding({path, text}: SourceFile): boolean {
  return path.split('/').at(-1) === 'pybind11.cpp' || text.includes('PYBIND11_MODULE')
}

function safePath(path: string): string {
  const inside = normalize(path)
  if (path === '' || path.startsWith('/') || path.split('/').includes('..'))
    throw new Unusable(`the path ${path} leaves the reply's folder`)
  return inside
}

/** Modules that a model imports besides its own. */
const taken = /^(?:torch|torch_npu|math|typing|sys|os|pathlib|device|json)$/

function moduleName(given: string | undefined, bindings: readonly string[]): string {
  const found = bindings.flatMap((text) =>
    [...text.matchAll(/PYBIND11_MODULE\s*\(\s*([A-Za-z_]\w*)\s*,/g)].flatMap(([, name = '']) =>
      name === 'TORCH_EXTENSION_NAME' ? [] : [name],
    ),
  )
  const names = [...new Set(found)]
  if (!given && names.length > 1) throw new Unusable(`the bindings name several modules: ${names.join(', ')}`)
  const name = given || names[0] || 'benchmark_ops'
  if (!/^[A-Za-z_]\w*$/.test(name) || taken.test(name)) throw new Unusable(`${name} is no name for a module of its own`)
  return name
}

function modelOf(entry: string, textOf: (path: string) => string): DirectReply['model'] {
  const cut = entry.indexOf('::')
  if (cut < 0) throw new Unusable(`entry.model is ${entry}, path.py::Class was expected`)
  const path = safePath(entry.slice(0, cut))
  return {path, text: textOf(path), class: entry.slice(cut + 2)}
}
