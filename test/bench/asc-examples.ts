import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {basename, dirname, join, relative} from 'node:path'
import type {DirectUnits} from '../../eval/executors/direct-units.ts'
import {readCMakeLists} from './cmake-lists.ts'

/** An example of asc-devkit that launches its kernels itself. */
export interface AscExample {
  /** Below `examples/`. */
  name: string
  folder: string
  program: DirectUnits
  /** What its README runs in the folder `build`, in order: the program, and scripts around it. */
  steps: string[][]
  /** What takes it out of the count: it needs a framework, or builds with another chip only. */
  outside?: string
  /** Whether the program or a script compares what it computes. */
  checks: boolean
  /** What its README prints of a run that succeeds, where the program does not judge itself. */
  prints: string[]
  /** Whether it shows what becomes of a kernel whose assertion fails. */
  asserts: boolean
}

/** All examples of a checkout that are for Atlas A2 by their README's list of products. */
export async function ascExamples(checkout: string): Promise<AscExample[]> {
  const root = join(checkout, 'examples')
  const lists = (await readdir(root, {recursive: true})).filter((path) => basename(path) === 'CMakeLists.txt')
  const read = await Promise.all(lists.sort().map((path) => readExample(root, dirname(path))))
  return read.filter((one) => one !== undefined)
}

/** A row of the table of products, or a line of the list. */
const forAtlasA2 = /^\|.*Atlas A2|^- Atlas A2 训练系列产品\/Atlas A2 推理系列产品\s*$/m

const isText = (path: string) => /\.(?:asc|cpp|cc|cxx|c|h|hpp|inc|aicpu)$/.test(path)

async function readExample(root: string, name: string): Promise<AscExample | undefined> {
  const folder = join(root, name)
  const readme = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '')
  if (!forAtlasA2.test(readme)) return undefined
  const paths = (await readdir(folder, {recursive: true})).filter((path) => isText(path) && !path.startsWith('build'))
  const files = await Promise.all(paths.map(async (path) => ({path, text: await readFile(join(folder, path), 'utf8')})))
  if (!files.some(({text}) => text.includes('<<<'))) return undefined
  const steps = stepsOf(readme)
  const configured = steps.find(([program]) => program === 'cmake') ?? []
  const lists = await readFile(join(folder, 'CMakeLists.txt'), 'utf8')
  const targets = readCMakeLists(lists, givenTo(configured))
  const units = [...new Set(targets.sources.map((path) => relative('.', path)))]
  const runs = steps.flatMap((step) => runOf(step) ?? [])
  const outside = targets.refusal ?? (units.length === 0 ? 'its CMakeLists.txt names no program' : undefined)
  return {
    name,
    folder,
    program: {
      files,
      units: units.filter((path) => existsSync(join(folder, path))),
      include: targets.include
        .map((path) => relative('.', path))
        .filter((path) => !path.startsWith('..') && path !== ''),
      definitions: targets.definitions,
    },
    steps: runs,
    ...(outside === undefined ? {} : {outside}),
    prints: printedBy(readme),
    asserts: /`assert`|Assertion/.test(readme),
    checks:
      runs.some((step) => step.some((word) => word.includes('verify'))) || files.some(({text}) => comparing.test(text)),
  }
}

/** A script, or the program, which a tool for profiles may have been put in front of. */
function runOf(step: string[]): string[][] | undefined {
  if (step[0] === 'python3') return [step]
  const program = step[0] === 'cmake' ? -1 : step.findIndex((word) => word.startsWith('./'))
  return program < 0 ? undefined : [step.slice(program)]
}

/** The block behind the words that such a run prints this. */
function printedBy(readme: string): string[] {
  const block = /执行结果[^\n]*说明[^\n]*成功[^\n]*\n\s*```[^\n]*\n(.*?)```/s.exec(readme)?.[1] ?? ''
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/\.{3}|…/.test(line))
}

/** A program that says whether its result is right. */
const comparing = /test pass|golden|Golden/

/** The first block of commands that configures and runs, its variables put in. */
function stepsOf(readme: string): string[][] {
  const blocks = [...readme.matchAll(/```[^\n`]*\n(.*?)```/gs)].map(([, block]) => block as string)
  const block = blocks.find((text) => /\bcmake\b/.test(text) && /^\s*(?:.*\s)?(?:\.\/\w|python3)/m.test(text)) ?? ''
  const variables = new Map<string, string>()
  return block.split('\n').flatMap((line) => {
    const commands = line.replace(/(?:^|\s)#.*$/, '').split(/;|&&/)
    return commands.flatMap((command) => {
      const words = command
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '')
      const plain = words.map((word) =>
        word.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => variables.get(name) ?? ''),
      )
      const assigned = plain.map((word) => /^(\w+)=(.*)$/.exec(word))
      if (plain.length > 0 && assigned.every((one) => one !== null)) {
        for (const [, name = '', value = ''] of assigned) variables.set(name, value)
        return []
      }
      return plain.length > 0 ? [plain] : []
    })
  })
}

function givenTo(configure: readonly string[]): Map<string, string> {
  const given = configure.flatMap((word) => {
    const [, name, value] = /^-D(\w+)(?::\w+)?=(.*)$/.exec(word) ?? []
    return name === undefined ? [] : [[name, value ?? ''] as const]
  })
  // A README that shows one call for all chips may name another one.
  return new Map([...given, ['CMAKE_ASC_ARCHITECTURES', 'dav-2201'], ['CMAKE_ASC_RUN_MODE', 'npu']])
}
