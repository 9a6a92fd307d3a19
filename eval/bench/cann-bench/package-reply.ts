import {basename, dirname, normalize} from 'node:path/posix'
import {z} from 'zod'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {jsonIn} from '../../../engine/json.ts'

/** A package as the benchmark builds and installs it. */
export interface PackageReply {
  /** Every text, by path. */
  files: SourceFile[]
  /** Paths of what is compiled for the device and its host, and of what is compiled against PyTorch. */
  kernels: string[]
  bindings: string[]
  /** Folders of headers. */
  include: string[]
  /** The extension module of the package. */
  module: string
  /** Operators with a definition of their own, which `aclnn` functions are generated from. */
  operators: string[]
  /** Of kernels that are written in Python. */
  language: string | undefined
}

const Sources = z.object({sources: z.array(z.object({path: z.string().min(1), content: z.string()})).min(1)})

/** What a package needs besides kernels and their registration; the benchmark's template has the same. */
const frame: readonly SourceFile[] = [
  {path: 'cann_bench/__init__.py', text: 'from . import _C\n'},
  {
    path: 'csrc/extension.cpp',
    text: [
      '#include <Python.h>',
      'static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", nullptr, -1, nullptr};',
      'extern "C" PyObject* PyInit__C(void) { return PyModule_Create(&module); }\n',
    ].join('\n'),
  },
]

const makesModule = /\bPyInit_(\w+)|\bPYBIND11_MODULE\s*\(\s*(\w+)/
const kernelLanguage = /^\s*(?:import|from)\s+(triton|tilelang|pypto\w*)\b/m
const usesTorch = /^\s*#\s*include\s*[<"](?:torch|ATen|c10|pybind11|Python\.h|torch_npu)\b/m

/**
 * Reads a reply: JSON with `sources`, or files in fences below lines with their paths between signs of equality.
 * @returns why it is not a package, if it is none
 */
export function packageReply(reply: string): PackageReply | {fault: string} {
  const given = filesIn(reply)
  if ('fault' in given) return given
  const outside = given.find(({path}) => path.startsWith('/') || path.split('/').includes('..'))
  if (outside) return {fault: `the path ${outside.path} leaves the package`}
  const twice = given.find(({path}, at) => given.findIndex((one) => one.path === path) < at)
  if (twice) return {fault: `two sources are named ${twice.path}`}
  const names = given.flatMap(({path, text}) => (isSource(path) ? [makesModule.exec(text)] : [])).filter((one) => one)
  const named = names.map((one) => one?.[1] ?? one?.[2]).find((one) => one !== 'TORCH_EXTENSION_NAME')
  const missing = frame.filter(({path}) =>
    path.endsWith('.py') ? given.every((one) => one.path !== path) : names.length === 0,
  )
  const files = [...given, ...missing]
  const sources = files.filter(({path}) => isSource(path))
  const bindings = sources.filter((one) => includesTorch(one, files)).map(({path}) => path)
  const host = /(?:^|\/)op_(?:host|api|graph)\//
  const operators = sources.filter(({path}) => host.test(path)).flatMap(({text}) => definedIn(text))
  const kernels = sources.map(({path}) => path).filter((path) => !bindings.includes(path))
  return {
    files,
    kernels: operators.length > 0 ? [] : kernels,
    bindings,
    include: [...new Set(['.', ...files.map(({path}) => dirname(path))])],
    module: named ?? '_C',
    operators,
    language: files
      .map(({path, text}) => (path.endsWith('.py') ? kernelLanguage.exec(text)?.[1] : undefined))
      .find(Boolean),
  }
}

/** Itself, or by a header of the package. */
function includesTorch({text}: SourceFile, files: readonly SourceFile[], seen: readonly string[] = []): boolean {
  if (usesTorch.test(text)) return true
  const names = [...text.matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)].map(([, path = '']) => basename(path))
  return files.some((one) => {
    const name = basename(one.path)
    return names.includes(name) && !seen.includes(name) && includesTorch(one, files, [...seen, ...names])
  })
}

const isSource = (path: string) => /\.(?:cpp|cc|cxx|asc)$/.test(path)

const definedIn = (text: string) =>
  [...text.matchAll(/\bclass\s+(\w+)\s*:\s*public\s+(?:ops::)?OpDef\b/g)].map(([, name = '']) => name)

function filesIn(reply: string): SourceFile[] | {fault: string} {
  const text = reply.trim()
  const [, fenced = text] = /^```(?:json)?\s*\n(.*)\n```$/s.exec(text) ?? []
  const described = Sources.safeParse(jsonIn(fenced))
  if (described.success)
    return described.data.sources.map(({path, content}) => ({path: normalize(path), text: content}))
  const blocks = text.matchAll(/^=+ (\S+) =+\s*\n```[\w+]*\n(.*?)^```\s*$/gms)
  const files = [...blocks].map(([, path = '', inner = '']) => ({path: normalize(path), text: inner}))
  return files.length > 0 ? files : {fault: 'no source with a path, neither as JSON nor below a line with its path'}
}
