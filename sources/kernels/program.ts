import {posix} from 'node:path'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorProject, SourceFile} from '../../datasets/schema/operator.ts'
import {chipMacros} from '../../cpp/conditions.ts'
import {finder, readIncludes} from './includes.ts'
import {sideOf} from './shared-headers.ts'

/**
 * A project as an executor builds it: its files at their paths in the repository, plus forwarding headers for includes
 * that only the repository's build scripts resolve.
 */
export function programOf({
  origin,
  operator,
  host,
  kernel,
}: Pick<OperatorProject, 'origin' | 'operator' | 'host' | 'kernel'>): Program {
  const folder = origin.path === '.' ? '' : origin.path
  const files = [...host.map(inHost), ...kernel]
  const placed = files.map(({path, text}) => ({path: posix.join(folder, path), text}))
  const all = [...placed, ...forwardingHeaders(files, folder)]
  return {folder, operator, files: all.filter(({path}) => !path.startsWith('../')), dtypes: {}}
}

/** A host file outside all `op_host/` folders of its repository is compiled in the operator's. */
function inHost(file: SourceFile): SourceFile {
  return sideOf(file.path) === 'host' ? file : {...file, path: `op_host/shared/${file.path.replaceAll('../', '')}`}
}

/** @param folder the operator's, from which the paths of `files` are relative; those that come back are not */
function forwardingHeaders(files: readonly SourceFile[], folder: string): SourceFile[] {
  const find = finder(files.map(({path}) => path))
  const taken = new Set(files.map(({path}) => posix.join(folder, path)))
  const added = new Map<string, SourceFile>()
  for (const {path, text} of files) {
    for (const include of readIncludes(path, text, find, chipMacros[sideOf(path)])) {
      // One header of the repository may be spelled in several ways.
      const at = posix.join(folder, posix.dirname(path), include.name)
      if (include.path === undefined || !include.quoted || !include.active || taken.has(at)) continue
      const target = posix.relative(posix.join('/', posix.dirname(at)), posix.join('/', folder, include.path))
      added.set(at, {path: at, text: `#include "${target}"\n`})
    }
  }
  return [...added.values()]
}
