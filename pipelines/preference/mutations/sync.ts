import {statementCalls} from '../../../cpp/declarations.ts'
import {siteMutation, without, type Mutation} from './mutation.ts'
import type {Call, SourceView} from '../../../cpp/source-view.ts'

/**
 * The device compiler orders vector after vector and everything with the scalar unit by itself: omitting such a flag is
 * not a fault.
 */
function matters(source: SourceView, {start, end}: Call): boolean {
  const text = source.code.slice(start, end)
  return !/\bPIPE_S\b|\bS_\w|\w_S\b/.test(text)
}

const setNames = ['SetFlag', 'set_flag']
const waitNames = ['WaitFlag', 'wait_flag']

const flags = (source: SourceView, names: readonly string[]) =>
  statementCalls(source, ...names).filter((call) => matters(source, call))

const missingSet = siteMutation('missing-set-flag', 'op_kernel', (source) =>
  flags(source, setNames).flatMap(({name, statement, args}) =>
    statement ? [without(source, statement, `${name}(${args.at(-1)?.text}) left out`)] : [],
  ),
)

const missingWait = siteMutation('missing-wait-flag', 'op_kernel', (source) =>
  flags(source, waitNames).flatMap(({name, statement, args}) =>
    statement ? [without(source, statement, `${name}(${args.at(-1)?.text}) left out`)] : [],
  ),
)

/** A flag that is set and waited for in one place, which is how a hazard between two pipes without a queue is fixed. */
const missingFlag = siteMutation('missing-flag', 'op_kernel', (source) =>
  flags(source, setNames).flatMap((set) => {
    const wait = source.calls.find(
      ({start, name, args, template}) =>
        start > set.end &&
        waitNames.includes(name) &&
        template === set.template &&
        args.map(({text}) => text).join() === set.args.map(({text}) => text).join(),
    )
    if (!set.statement || !wait?.statement || source.code.slice(set.statement.end, wait.statement.start).trim() !== '')
      return []
    return [
      without(
        source,
        {start: set.statement.start, end: wait.statement.end},
        `${set.name} and ${wait.name}(${set.args.at(-1)?.text}) left out`,
      ),
    ]
  }),
)

const missingBarrier = siteMutation('missing-barrier', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args, template, start, end}) => {
    const barrier =
      /^(?:PipeBarrier|pipe_barrier)$/.test(name) && /\bPIPE_(?:ALL|MTE2|MTE3|M)\b/.test(source.code.slice(start, end))
    return barrier && statement
      ? [without(source, statement, `${name}${template}(${args[0]?.text ?? ''}) left out`)]
      : []
  }),
)

const missingSyncAll = siteMutation('missing-sync-all', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement}) =>
    /^(?:SyncAll|CrossCore(?:Set|Wait)Flag)$/.test(name) && statement
      ? [without(source, statement, `${name} left out`)]
      : [],
  ),
)

export const syncMutations: readonly Mutation[] = [missingSet, missingWait, missingFlag, missingBarrier, missingSyncAll]
