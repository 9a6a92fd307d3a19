import {join, posix} from 'node:path'
import type {Purpose} from '../../datasets/schema/operator.ts'
import {readInput} from '../../engine/input-files.ts'
import {sourceBytes} from '../checkout.ts'
import {decodeSource} from './decode.ts'
import {briefOf, limitsOf, purposeOf} from './purpose.ts'

interface DocumentedFolder {
  root: string
  /** Of the operator, relative to the root. */
  path: string
  /** Every file below the root, relative to it. */
  paths: readonly string[]
}

/**
 * What an operator computes, by the first of these that says it: the README next to its code, the page of its C
 * interface in `docs/`, the comment of its registration for graphs in `op_graph/`. Undefined when none does.
 */
export async function documentedPurpose(
  operator: string,
  {root, path, paths}: DocumentedFolder,
): Promise<Purpose | undefined> {
  const below = path === '' || path === '.' ? '' : `${path}/`
  const inFolder = paths.filter((one) => one.startsWith(below)).map((one) => one.slice(below.length))
  const graph = inFolder.filter((one) => /^op_graph\/[^/]*_proto\.h$/.test(one))
  const pages = ['README.md', interfacePage(operator, inFolder)].flatMap((page) => page ?? [])
  const texts = new Map<string, string>()
  for (const page of [...pages, ...graph]) {
    const bytes = await readInput(join(root, path, page), sourceBytes)
    const text = Buffer.isBuffer(bytes) ? decodeSource(bytes) : undefined
    if (text !== undefined) texts.set(page, text)
  }
  const textsOf = (names: readonly string[]) => names.flatMap((page) => texts.get(page) ?? [])
  const found = [...textsOf(pages).map(purposeOf), ...textsOf(graph).map((text) => briefOf(text, operator))]
  const purpose = found.find((one) => one !== undefined)
  const limits = textsOf(pages).flatMap(limitsOf)
  const own = limits.filter(({name}, at) => limits.findIndex((one) => one.name === name) === at)
  return purpose && own.length > 0 ? {...purpose, limits: own} : purpose
}

/** The page named after the operator, `aclnnName.md` or `aclnnName&aclnnInplaceName.md`; or the only one there is. */
function interfacePage(operator: string, inFolder: readonly string[]): string | undefined {
  const pages = inFolder.filter((one) => /^docs\/aclnn[^/]*\.md$/.test(one))
  const named = pages.find((page) => posix.basename(page, '.md').split('&')[0]?.slice('aclnn'.length) === operator)
  return named ?? (pages.length === 1 ? pages[0] : undefined)
}
