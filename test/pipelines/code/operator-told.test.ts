import {expect, test} from 'vitest'
import {randomFrom} from '../../../engine/random.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {golden} from '../../helpers/golden.ts'
import {reasonFrom} from '../../helpers/described.ts'

test('the way to the answer of each bundled task is told as it was read', async () => {
  const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])
  const pages: string[] = []
  for (const {name, origin, answer} of tasks) {
    const reasoning = await reasonFrom({operator: name, origin, files: answer}, randomFrom('told', name))
    pages.push(`# ${name}\n\n${reasoning ?? '(nothing)'}\n`)
  }
  expect(pages).toHaveLength(20)
  golden('test/fixtures/told/tasks.md', pages.join('\n'))
})
