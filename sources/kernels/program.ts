import {posix} from 'node:path'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorProject, SourceFile} from '../../datasets/schema/operator.ts'
import {chipMacros} from './conditions.ts'
import {finder, readIncludes} from './includes.ts'
import {sideOf} from './shared-headers.ts'

/**
 * A project as an executor builds it: its files where they stand in their repository, and a header that includes the
 * other one wherever the repository's build scripts, not the place, lead from an include to it.
 */
export function programOf({origin, operator, host, kernel}: OperatorProject): Program {
  const folder = origin.path === '.' ? '' : origin.path
  const files = [...host, ...kernel]
  const placed = [...files, ...forwardingHeaders(files)].map(({path, text}) => ({path: posix.join(folder, path), text}))
  return {folder, operator, files: placed.filter(({path}) => !path.startsWith('../')), dtypes: {}}
}

function forwardingHeaders(files: readonly SourceFile[]): SourceFile[] {
  const known = new Set(files.map(({path}) => path))
  const find = finder([...known])
  const added = new Map<string, SourceFile>()
  for (const {path, text} of files) {
    for (const include of readIncludes(path, text, find, chipMacros[sideOf(path)])) {
      const natural = posix.join(posix.dirname(path), include.name)
      if (include.path === undefined || !include.quoted || known.has(natural)) continue
      const target = posix.relative(posix.dirname(natural), include.path)
      added.set(natural, {path: natural, text: `#include "${target}"\n`})
    }
  }
  return [...added.values()]
}
