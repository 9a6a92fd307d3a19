import {receiverName} from '../../../cpp/source-view.ts'
import {siteMutation, without, type Mutation} from './mutation.ts'
import {objectsOf, statementCalls} from '../../../cpp/declarations.ts'

const missingEnQue = siteMutation('missing-enque', 'op_kernel', (source) =>
  statementCalls(source, 'EnQue').map(({statement, args}) =>
    without(source, statement, `EnQue(${args[0]?.text}) left out`),
  ),
)

const missingFree = siteMutation('missing-free', 'op_kernel', (source) =>
  statementCalls(source, 'FreeTensor').map(({statement, args}) =>
    without(source, statement, `FreeTensor(${args[0]?.text}) left out`),
  ),
)

const allocInsteadOfDeQue = siteMutation('alloc-instead-of-deque', 'op_kernel', (source) =>
  source.calls
    .filter(({name}) => name === 'DeQue')
    .map(({start}) => ({
      start,
      end: start + 'DeQue'.length,
      replacement: 'AllocTensor',
      says: 'AllocTensor where DeQue waits for the data',
    })),
)

const deQueInsteadOfAlloc = siteMutation('deque-instead-of-alloc', 'op_kernel', (source) =>
  source.calls
    .filter(({name}) => name === 'AllocTensor')
    .map(({start}) => ({
      start,
      end: start + 'AllocTensor'.length,
      replacement: 'DeQue',
      says: 'DeQue of a queue that nothing was put into',
    })),
)

/** The buffer goes back to its queue before the vector unit has read it. */
const freedTooEarly = siteMutation('freed-too-early', 'op_kernel', (source) => {
  const frees = statementCalls(source, 'FreeTensor')
  return source.calls
    .filter(({name}) => name === 'DeQue')
    .flatMap((deQue) => {
      const semicolon = source.code.indexOf(';', deQue.end)
      const [name, mark] = source.tokens.slice(deQue.from - 2, deQue.from)
      const local = mark?.text === '=' ? name?.text : undefined
      const free = frees.find(({start, args}) => start > semicolon && args[0]?.text === local)
      // A free that follows at once, with nothing between, cannot be moved forward.
      if (!free || source.code.slice(semicolon + 1, free.statement.start).trim() === '') return []
      const text = source.text.slice(free.statement.start, free.statement.end)
      const between = source.text.slice(semicolon + 1, free.statement.start).trimEnd()
      const indent = /[ \t]*$/.exec(source.text.slice(0, free.statement.start))?.[0] ?? ''
      return [
        {
          start: semicolon + 1,
          end: free.statement.end,
          replacement: `\n${indent}${text}${between}`,
          says: `${text} moved before the use of ${local}`,
        },
      ]
    })
})

const enQueToWrongQueue = siteMutation('wrong-queue', 'op_kernel', (source) => {
  const queues = objectsOf(source, 'TQue').map(({name}) => name)
  return source.calls
    .filter(({name}) => name === 'EnQue')
    .flatMap(({receiver, statement}) => {
      if (!statement) return []
      const queue = receiverName({receiver})
      const other = queues.find((name) => name !== queue)
      return other && queues.includes(queue)
        ? [
            {
              start: statement.start,
              end: statement.start + queue.length,
              replacement: other,
              says: `${queue}'s tensor is put into ${other}`,
            },
          ]
        : []
    })
})

export const queueMutations: readonly Mutation[] = [
  missingEnQue,
  missingFree,
  allocInsteadOfDeQue,
  deQueInsteadOfAlloc,
  freedTooEarly,
  enQueToWrongQueue,
]
