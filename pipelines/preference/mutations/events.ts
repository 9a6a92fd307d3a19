import {declarationsOf, functionsOf, hasWord, statementCalls} from '../../../cpp/declarations.ts'
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
      ].map((line) => inserted(body.start, `\n        ${inFile(source, line)}`, `${line} in ${name} has no partner`)),
    ),
)

const coresMeet = siteMutation('barrier-not-met', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({name, body}) => name === 'Process' || hasWord(source, 'EnQue', body))
    .flatMap(({name, body}) =>
      ['if (GetBlockIdx() == 0) { SyncAll(); }', 'CrossCoreWaitFlag(3);', 'CrossCoreSetFlag<2, PIPE_MTE3>(3);'].map(
        (line) => inserted(body.start, `\n        ${inFile(source, line)}`, `${line} in ${name}`),
      ),
    ),
)

/** A barrier where a tensor has to go into its queue: pipes wait, but DeQue finds nothing. */
const barrierForQueue = siteMutation('barrier-instead-of-enqueue', 'op_kernel', (source) =>
  statementCalls(source, 'EnQue').flatMap(({statement, args}) =>
    ['PipeBarrier<PIPE_ALL>();', 'PipeBarrier<PIPE_V>();'].map((barrier) =>
      replaced(statement, inFile(source, barrier), `${barrier} where ${args[0]?.text} goes into its queue`),
    ),
  ),
)

/** Events of another pair of pipes. */
const otherPipes = siteMutation('wrong-event-pipes', 'op_kernel', (source) =>
  placesOf(source, 'HardEvent::$event', ({hole}) => {
    const event = hole('event')
    const wrong = {V_S: 'S_V', S_V: 'V_S', MTE2_V: 'V_MTE2', V_MTE3: 'MTE3_V', MTE3_MTE2: 'MTE2_MTE3'}[event]
    return wrong === undefined ? undefined : {replacement: `HardEvent::${wrong}`, says: `${wrong} for ${event}`}
  }),
)

export const eventMutations: readonly Mutation[] = [
  setTwice,
  waitFirst,
  eventNumber,
  unpaired,
  coresMeet,
  barrierForQueue,
  otherPipes,
]
