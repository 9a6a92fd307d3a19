import {expect, test} from 'vitest'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {operatorPaths} from '../../../datasets/operator-request.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {ScoreReply} from '../../../eval/serve/score-wire.ts'
import twin from '../../../eval/executors/twin.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {judgeServer} from '../../helpers/judge-server.ts'
import {hacksOf} from '../../helpers/known-kernels.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const root = 'sources/starter/tasks'
const tasks = (await loadTasks({root, operators: 'sources/starter/operators'}, () => [])).filter(({name}) =>
  ['AbsDiff', 'LeakyRelu', 'QuantizeInt8'].includes(name),
)

/** What hostile code tries at a service: escape.test.ts shows what becomes of it in the sandbox. */
const attacks: Readonly<Record<string, readonly [side: string, from: RegExp, to: string]>> = {
  'endless kernel': ['op_kernel', /(extern "C"[^{]*\{)/, '$1\n    for (;;) {\n    }\n'],
  'endless tiling': ['op_host', /( {4}auto platform = )/, '    for (volatile int i = 0;; i = 1) {\n    }\n$1'],
  'a file by .incbin': ['op_kernel', /(extern "C")/, '__asm__(".incbin \\"/etc/passwd\\"");\n$1'],
  'a header of the machine': ['op_host', /^/, '#include "/etc/passwd"\n'],
  'a header that climbs': ['op_kernel', /^/, '#include "../../../../../../etc/passwd"\n'],
}

const attacked = (task: OperatorTask) =>
  Object.entries(attacks).map(([what, [side, from, to]]) => ({what, files: edited(task.answer, side, from, to)}))

function edited(answer: readonly SourceFile[], side: string, from: RegExp, to: string): SourceFile[] {
  const files = answer.map((file) =>
    file.path.startsWith(side) && file.path.endsWith('.cpp') ? {...file, text: file.text.replace(from, to)} : file,
  )
  if (files.every(({text}, index) => text === answer[index]?.text)) throw new TypeError(`no place for ${from}`)
  return files
}

const completionOf = (task: OperatorTask, files: readonly SourceFile[]) =>
  formatFiles(operatorPaths(task).flatMap((path) => files.filter((file) => file.path === path)))

test('hacks and attacks through the service: none is green, and the right ones beside them are', async () => {
  expect(tasks).toHaveLength(3)
  const server = await judgeServer({
    executor: await twin({
      cacheDirectory: twinCache,
      workDirectory: await temporaryFolder(),
      ...testCompiler,
      limits: {run: {cpuSeconds: 2, wallSeconds: 20, memoryBytes: 2 ** 31, fileBytes: 2 ** 20}},
    }),
    tasks: new Map(tasks.map((task) => [task.name, task])),
    queue: 100,
  })
  const sent = tasks.flatMap((task, index) => [
    {what: 'answer', task, files: task.answer},
    ...hacksOf(task).map(({what, files}) => ({what, task, files})),
    ...(index === 0 ? attacked(task).map(({what, files}) => ({what, task, files})) : []),
  ])
  const items = sent.map(({task, files}, index) => ({
    id: String(index),
    task_id: task.name,
    completion: completionOf(task, files),
  }))
  const {status, json} = await server.ask('/v1/score', {items})
  expect(status).toBe(200)
  const told = (json as ScoreReply).items.map(({label, reward}, index) => ({...sent[index]!, label, reward}))
  expect(told.filter(({what, label}) => what === 'answer' && label !== 'green')).toEqual([])
  expect(told.filter(({what, label}) => what !== 'answer' && label === 'green').map(({what}) => what)).toEqual([])
  expect(told.filter(({label}) => label === 'infra_error').map(({what}) => what)).toEqual([])
  expect(told.filter(({what, reward}) => what !== 'answer' && (reward ?? 0) > 0.3)).toEqual([])
  expect(JSON.stringify(json)).not.toContain('root:')
}, 400_000)
