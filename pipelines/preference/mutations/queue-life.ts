import {pattern} from '../../../cpp/pattern.ts'
import {
  declarationsOf,
  functionsOf,
  hasWord,
  interfaceCalls,
  objectsOf,
  statementCalls,
} from '../../../cpp/declarations.ts'
import {inFile, inserted, replaced, siteMutation, without, type Mutation, placesOf} from './mutation.ts'
import {foundIn, type Range, type SourceView, receiverName} from '../../../cpp/source-view.ts'

// Each rule on the life of a queue's tensors, broken.

const textOf = (source: SourceView, {start, end}: Range) => source.text.slice(start, end)

const doubleFree = siteMutation('freed-twice', 'op_kernel', (source) =>
  statementCalls(source, 'FreeTensor').map(({statement, args}) =>
    inserted(statement.end, ` ${textOf(source, statement)}`, `${args[0]?.text} is freed twice`),
  ),
)

const doubleEnQue = siteMutation('enqueued-twice', 'op_kernel', (source) =>
  statementCalls(source, 'EnQue').map(({statement, args}) =>
    inserted(statement.end, ` ${textOf(source, statement)}`, `${args[0]?.text} is put into its queue twice`),
  ),
)

/** The tensor goes back while it waits in its queue. */
const freedInQueue = siteMutation('freed-while-enqueued', 'op_kernel', (source) =>
  statementCalls(source, 'EnQue').map(({statement, receiver, args}) =>
    inserted(statement.end, ` ${receiver}FreeTensor(${args[0]?.text});`, `${args[0]?.text} is freed in its queue`),
  ),
)

const allocatedTwice = siteMutation('allocated-without-free', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({start, end, name, value}) =>
    value && hasWord(source, 'AllocTensor', value)
      ? ['Spare', 'Next'].map((one) => {
          const again = textOf(source, {start, end}).replace(new RegExp(`\\b${name}\\b`), `${name}${one}`)
          return inserted(end, ` ${again}`, `another tensor for ${name} is never freed`)
        })
      : [],
  ),
)

const dequeuedTwice = siteMutation('dequeued-twice', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({end, name, value, qualifier}) =>
    qualifier === '' && value && hasWord(source, 'DeQue', value)
      ? [inserted(end, ` ${name} = ${value.text};`, `${name} is taken out of its queue twice`)]
      : [],
  ),
)

const usedInQueue = siteMutation('used-while-enqueued', 'op_kernel', (source) => {
  const steps = interfaceCalls(source)
  return statementCalls(source, 'EnQue').flatMap(({statement, args}) => {
    const last = steps.filter(({end, args: used}) => end < statement.start && used[0]?.text === args[0]?.text).at(-1)
    if (!last || /[{}]/.test(source.code.slice(last.end, statement.start))) return []
    const [step, put] = [textOf(source, last.statement), textOf(source, statement)]
    const between = textOf(source, {start: last.statement.end, end: statement.start})
    return [
      {
        start: last.statement.start,
        end: statement.end,
        replacement: `${put}${between}${step}`,
        says: `${last.name} on ${args[0]?.text} after EnQue`,
      },
    ]
  })
})

const usedAfterFree = siteMutation('used-after-free', 'op_kernel', (source) => {
  const steps = interfaceCalls(source)
  return statementCalls(source, 'FreeTensor').flatMap(({statement, args}) => {
    const last = steps
      .filter(({end, args: used}) => end < statement.start && used.some(({text}) => text === args[0]?.text))
      .at(-1)
    if (!last || /[{}]/.test(source.code.slice(last.end, statement.start))) return []
    const step = textOf(source, last.statement)
    const between = textOf(source, {start: last.statement.end, end: statement.start}).trimEnd()
    return [
      {
        start: last.statement.start,
        end: statement.end,
        replacement: `${textOf(source, statement)}\n        ${step}${between}`,
        says: `${last.name} uses ${args[0]?.text} after it was freed`,
      },
    ]
  })
})

/** A queue or buffer that gets no memory. */
const notInitialised = siteMutation('queue-not-initialised', 'op_kernel', (source) =>
  statementCalls(source, 'InitBuffer').map(({statement, args}) =>
    without(source, statement, `${args[0]?.text} gets no memory`),
  ),
)

const queuesOf = (source: SourceView) => objectsOf(source, 'TQue').map(({name}) => name)

/** The tensor goes back to a queue that it is not of. */
const freedToOther = siteMutation('freed-to-wrong-queue', 'op_kernel', (source) =>
  otherQueue(source, ['FreeTensor'], 'is freed to'),
)

const takenFromOther = siteMutation('taken-from-wrong-queue', 'op_kernel', (source) =>
  otherQueue(source, ['DeQue', 'AllocTensor'], 'is taken from'),
)

function otherQueue(source: SourceView, names: readonly string[], verb: string) {
  const queues = queuesOf(source)
  return source.calls
    .filter(({name}) => names.includes(name))
    .flatMap(({receiver, start, args}) => {
      const queue = receiverName({receiver})
      if (!queues.includes(queue)) return []
      const from = start - receiver.length
      return queues
        .filter((other) => other !== queue)
        .map((other) =>
          replaced({start: from, end: from + queue.length}, other, `${args[0]?.text ?? queue} ${verb} ${other}`),
        )
    })
}

/** A whole stage written with the queue of another one. */
const stageWithOther = siteMutation('stage-with-wrong-queue', 'op_kernel', (source) => {
  const queues = queuesOf(source)
  return functionsOf(source).flatMap(({name, body}) => {
    const text = textOf(source, body)
    const used = queues.filter((queue) => hasWord(source, queue, body))
    return used.flatMap((queue) =>
      queues
        .filter((other) => other !== queue && name !== 'Init')
        .map((other) =>
          replaced(
            body,
            text.replaceAll(new RegExp(`\\b${queue}\\b`, 'g'), other),
            `${name} works on ${other}, not ${queue}`,
          ),
        ),
    )
  })
})

const secondPipe = siteMutation('second-pipe', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({body}) => ['AllocTensor', 'DeQue', 'InitBuffer'].some((word) => hasWord(source, word, body)))
    .map(({name, body}) =>
      inserted(body.start, `\n        ${inFile(source, 'TPipe localPipe;')}`, `${name} makes a second TPipe`),
    ),
)

const wrongDepth = siteMutation('wrong-buffer-number', 'op_kernel', (source) =>
  statementCalls(source, 'InitBuffer').flatMap(({args}) => {
    const [queue, number] = args
    if (args.length !== 3 || !queue || !number) return []
    return ['0', `${number.text} * 40`].map((wrong) => replaced(number, wrong, `${queue.text} gets ${wrong} buffers`))
  }),
)

const queuePositions = ['TQue<$enumeration::$position', 'TQue<AscendC::$enumeration::$position']

const wrongPosition = siteMutation('wrong-queue-position', 'op_kernel', (source) =>
  placesOf(
    source,
    queuePositions,
    ({text, at}) => {
      const {text: position} = at('position')
      const other = position === 'VECIN' ? 'VECOUT' : 'VECIN'
      return {
        replacement: `${text.slice(0, -position.length)}${other}`,
        says: `a queue of the other direction than ${position}`,
      }
    },
    {enumeration: new Set(['QuePosition', 'TPosition']), position: new Set(['VECIN', 'VECOUT'])},
  ),
)

/** Once before the loop rather than in each round of it. */
const stageOnce = siteMutation('stage-outside-loop', 'op_kernel', (source) => {
  const own = new Set(functionsOf(source).map(({name}) => name))
  return foundIn(source, pattern('for ($$$_) { $$$body }')).flatMap(({start, end}) => {
    const inside = source.calls.filter(
      (call) => call.statement && own.has(call.name) && start < call.start && call.end < end,
    )
    return inside.flatMap(({name, statement}) =>
      statement ? [without(source, statement, `${name} is not called in the loop`)] : [],
    )
  })
})

const stageTwice = siteMutation('stage-called-twice', 'op_kernel', (source) => {
  const own = new Set(functionsOf(source).map(({name}) => name))
  return source.calls.flatMap(({name, statement, receiver}) =>
    statement && own.has(name) && receiver === ''
      ? [inserted(statement.end, ` ${textOf(source, statement)}`, `${name} is called twice`)]
      : [],
  )
})

const stageOrder = siteMutation('stages-in-wrong-order', 'op_kernel', (source) => {
  const own = new Set(functionsOf(source).map(({name}) => name))
  const stages = statementCalls(source).filter(({name}) => own.has(name))
  return stages.slice(1).flatMap((second, index) => {
    const first = stages[index]
    if (!first || source.code.slice(first.statement.end, second.statement.start).trim() !== '') return []
    const between = textOf(source, {start: first.statement.end, end: second.statement.start})
    return [
      {
        start: first.statement.start,
        end: second.statement.end,
        replacement: `${textOf(source, second.statement)}${between}${textOf(source, first.statement)}`,
        says: `${second.name} before ${first.name}`,
      },
    ]
  })
})

export const queueLifeMutations: readonly Mutation[] = [
  doubleFree,
  doubleEnQue,
  freedInQueue,
  allocatedTwice,
  dequeuedTwice,
  usedInQueue,
  usedAfterFree,
  notInitialised,
  freedToOther,
  takenFromOther,
  stageWithOther,
  secondPipe,
  wrongDepth,
  wrongPosition,
  stageOnce,
  stageTwice,
  stageOrder,
]
