import {receiverName} from '../../../cpp/source-view.ts'
import {
  declarationsOf,
  functionsOf,
  hasWord,
  interfaceCalls,
  objectsOf,
  statementCalls,
  tensorsOf,
} from '../../../cpp/declarations.ts'
import {copies} from './data-copies.ts'
import {inFile, inserted, placesOf, replaced, siteMutation, type Mutation} from './mutation.ts'

// Events, barriers and flags of cores where they do harm.

const setTwice = siteMutation('flag-set-twice', 'op_kernel', (source) =>
  statementCalls(source, 'SetFlag', 'WaitFlag').map(({name, statement}) =>
    inserted(statement.end, ` ${source.text.slice(statement.start, statement.end)}`, `${name} of one event twice`),
  ),
)

const waitFirst = siteMutation('wait-before-set', 'op_kernel', (source) => {
  const waits = statementCalls(source, 'WaitFlag')
  return statementCalls(source, 'SetFlag').flatMap(({statement}) => {
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
  ...statementCalls(source, 'SetFlag', 'WaitFlag').flatMap(({name, args}) => {
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

/** A flag that is set but never waited for, or waited for but never set. */
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
    .filter(({name, body}) => name === 'Process' || hasWord(source, 'EnQue', body))
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
  const globals = new Map(objectsOf(source, 'GlobalTensor').map(({name, type}) => [type, name]))
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
  placesOf(source, 'HardEvent::$event', ({hole}) => {
    const event = hole('event')
    const wrong = {V_S: 'S_V', S_V: 'V_S', MTE2_V: 'V_MTE2', V_MTE3: 'MTE3_V', MTE3_MTE2: 'MTE2_MTE3'}[event]
    return wrong === undefined ? undefined : {replacement: `HardEvent::${wrong}`, says: `${wrong} for ${event}`}
  }),
)

/** Queues done without: the tensor of the stage before is taken, and nothing says when it is ready. */
const queueSkipped = siteMutation('queue-not-waited-for', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({value, name, end}) => {
    const call = value && source.calls.find((one) => one.name === 'DeQue' && one.end === value.end)
    const queue = call && call.template !== '' && call.args.length === 0 ? receiverName(call) : ''
    if (!value || queue === '' || !value.text.startsWith(queue)) return []
    return [
      inserted(end, ` ${queue}.EnQue(${name});`, `${name} goes back into ${queue} at once`),
      inserted(end, ` ${queue}.FreeTensor(${name});`, `${name} is freed before its use`),
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
