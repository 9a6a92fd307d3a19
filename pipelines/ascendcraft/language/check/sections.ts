import type {HostStatement, Module} from '../ast.ts'
import {vectorCores} from '../dtypes.ts'
import type {Findings} from './findings.ts'
import type {Launch} from './check-host.ts'
import {namesWithin} from './walk.ts'

const bytesNamed = /\d[\d_,.]*\s*(?:bytes?|[KM]i?B|B)\b/i

/** The two comments of the host function that say how work is split and how tiles were chosen. */
export function checkSections({host, text}: Module, launch: Launch | undefined, findings: Findings): void {
  const cores = launch ? new Set(namesWithin(launch.cores)) : undefined
  const partitioned = assignmentsIn(host.body).filter(({comments}) => comments.some(isPartitioning))
  if (!partitioned.some(({name}) => !cores || cores.has(name))) {
    const mend =
      'write `# Core Partitioning: how the work is split` above `n_cores = ...`, ' +
      `and launch with n_cores (at most ${vectorCores})`
    const at = partitioned[0] ?? launch ?? host
    findings.refuse(at, 'core-partitioning', 'no such comment stands above the number of cores', mend)
  }
  const {line, comment} = tilingComment(text, host.line)
  if (bytesNamed.test(comment)) return
  const mend =
    'write `# Tiling Strategy: ...` above the sizes of tiles, and name the bytes of UB they take, e.g. `160 KiB`'
  const message = line > 0 ? 'the comment names no bytes of UB' : 'the host function has no such comment'
  findings.refuse(line > 0 ? {line, column: 5} : (launch ?? host), 'tiling-strategy', message, mend)
}

function isPartitioning(line: string): boolean {
  return line.startsWith('Core Partitioning:')
}

/** Assignments of a body and of the branches in it. */
function assignmentsIn(body: readonly HostStatement[]): Extract<HostStatement, {kind: 'assign'}>[] {
  return body.flatMap((statement) => {
    if (statement.kind === 'assign') return [statement]
    return statement.kind === 'if' ? statement.branches.flatMap((branch) => assignmentsIn(branch.body)) : []
  })
}

/** The comment on tiles with the comment lines that follow it; line 0 if there is none below the given line. */
function tilingComment(text: string, from: number): {line: number; comment: string} {
  const lines = text.split('\n')
  const at = lines.findIndex((line, index) => index >= from && /^\s*# ?Tiling Strategy:/.test(line))
  if (at < 0) return {line: 0, comment: ''}
  const end = lines.findIndex((line, index) => index > at && !/^\s*#/.test(line))
  const said = lines.slice(at, end < 0 ? undefined : end).map((line) => line.replace(/^\s*#\s*/, ''))
  return {line: at + 1, comment: said.join(' ')}
}
