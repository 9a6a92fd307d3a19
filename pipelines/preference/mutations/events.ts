import {declarationsOf, functionsOf, interfaceCalls, tensorsOf} from './declarations.ts'
import {copies} from './data-copies.ts'
import {inFile, inserted, replaced, siteMutation, sitesOf, type Mutation} from './mutation.ts'
import type {Call, Range, SourceView} from './source.ts'

// Events, barriers and flags of cores where they do harm.

const flagCalls = (source: SourceView, name: RegExp) =>
  source.calls.filter((call): call is Call & {statement: Range} => name.test(call.name) && call.statement !== undefined)

const setTwice = siteMutation('flag-set-twice', 'op_kernel', (source) =>
  flagCalls(source, /^(?:Set|Wait)Flag$/).map(({name, statement}) =>
    inserted(statement.end, ` ${source.text.slice(statement.start, statement.end)}`, `${name} of one event twice`),
  ),
)

const waitFirst = siteMutation('wait-before-set', 'op_kernel', (source) => {
  const waits = flagCalls(source, /^WaitFlag$/)
  return flagCalls(source, /^SetFlag$/).flatMap(({statement}) => {
    const wait = waits.find(({start}) => start > statement.end)
    if (!wait || source.code.slice(statement.end, wait.statement.start).trim() !== '') return []
    const [set, waited] = [statement, wait.statement].map(({start, end}) => source.text.slice(start, end))
    const between = source.text.slice(statement.end, wait.statement.start)
    return [
      {
        start: statement.start,
        end: wait.statement.end,
        replacement: `${waited}${between}${set}`,
        says: 'WaitFlag before SetFlag',
      },
    ]
  })
})

const eventNumber = siteMutation('wrong-event-id', 'op_kernel', (source) => [
  ...flagCalls(source, /^(?:Set|Wait)Flag$/).flatMap(({name, args}) => {
    const [id] = args
    if (!id) return []
    return ['EVENT_ID7', 'static_cast<event_t>(8)', 'static_cast<event_t>(255)'].map((wrong) =>
      replaced(id, wrong, `${name}(${wrong})`),
    )
  }),
  ...declarationsOf(source).flatMap(({value, type, name}) =>
    type === 'event_t' && value
      ? ['static_cast<event_t>(8)', 'static_cast<event_t>(-1)'].map((wrong) =>
          replaced(value, wrong, `${name} is ${wrong}`),
        )
      : [],
  ),
])

/** A flag that is set where nobody waits, or waited for where nobody sets. */
const unpaired = siteMutation('flag-without-partner', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({body}) => /\b(?:DataCopy|EnQue|DeQue)/.test(source.code.slice(body.start, body.end)))
    .flatMap(({name, body}) =>
      [
        'SetFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        'WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);',
        'SetFlag<HardEvent::V_MTE3>(EVENT_ID1);',
        'WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);',
        'for (int32_t i = 0; i < 9; ++i) { GetTPipePtr()->AllocEventID<HardEvent::V_MTE3>(); }',
      ].map((line) => inserted(body.start, `\n        ${inFile(source, line)}`, `${line} in ${name} has no partner`)),
    ),
)

const coresMeet = siteMutation('barrier-not-met', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({name, body}) => name === 'Process' || /\bEnQue\b/.test(source.code.slice(body.start, body.end)))
    .flatMap(({name, body}) =>
      [
        'if (GetBlockIdx() == 0) { SyncAll(); }',
        'CrossCoreWaitFlag(3);',
        'CrossCoreSetFlag<2, PIPE_MTE3>(3);',
        'for (uint32_t i = 0; i < 20; ++i) { CrossCoreSetFlag<0, PIPE_MTE3>(5); }',
      ].map((line) => inserted(body.start, `\n        ${inFile(source, line)}`, `${line} in ${name}`)),
    ),
)

/** A copy that no queue orders, into or out of what is computed on. */
const besideQueue = siteMutation('copy-beside-the-queue', 'op_kernel', (source) => {
  const globals = new Map(
    [...source.code.matchAll(/\bGlobalTensor<([^;<>]*)>\s*(\w+)\s*;/g)].map(([, type = '', name = '']) => [type, name]),
  )
  return interfaceCalls(source)
    .filter(({name}) => !copies.test(name))
    .flatMap(({statement, args}) => {
      const to = args[0]?.text ?? ''
      const global = globals.get(tensorsOf(source).get(to) ?? '')
      if (global === undefined) return []
      return [`DataCopy(${to}, ${global}, 32);`, `DataCopy(${global}, ${to}, 32);`].map((copy) =>
        inserted(statement.end, ` ${inFile(source, copy)}`, `${copy} with nothing to order it`),
      )
    })
})

/** Events of another pair of pipes. */
const otherPipes = siteMutation('wrong-event-pipes', 'op_kernel', (source) =>
  sitesOf(source, /\bHardEvent::(\w+)/g, (match) => {
    const wrong = {V_S: 'S_V', S_V: 'V_S', MTE2_V: 'V_MTE2', V_MTE3: 'MTE3_V', MTE3_MTE2: 'MTE2_MTE3'}[match[1] ?? '']
    return wrong === undefined ? undefined : {replacement: `HardEvent::${wrong}`, says: `${wrong} for ${match[1]}`}
  }),
)

/** Queues done without: the tensor of the stage before is taken, and nothing says when it is ready. */
const queueSkipped = siteMutation('queue-not-waited-for', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({value, name, end}) => {
    const queue = /^(\w+)\.(?:template\s+)?DeQue<(\w+)>\(\)$/.exec(value?.text ?? '')
    if (!value || !queue) return []
    return [
      inserted(end, ` ${queue[1]}.EnQue(${name});`, `${name} goes back into ${queue[1]} at once`),
      inserted(end, ` ${queue[1]}.FreeTensor(${name});`, `${name} is freed before its use`),
    ]
  }),
)

export const eventMutations: readonly Mutation[] = [
  setTwice,
  waitFirst,
  eventNumber,
  unpaired,
  coresMeet,
  besideQueue,
  otherPipes,
  queueSkipped,
]
