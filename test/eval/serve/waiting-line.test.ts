import {expect, test} from 'vitest'
import {waitingLine} from '../../../eval/serve/waiting-line.ts'

test('by priority, and within one in the order of coming', () => {
  const line = waitingLine<string>()
  line.add('low', 'last')
  line.add('normal', 'second')
  line.add('normal', 'third')
  line.add('high', 'first')
  line.add('normal', 'gone')
  line.remove('normal', 'gone')
  expect(line.size()).toBe(4)
  expect([line.next(), line.next(), line.next(), line.next(), line.next()]).toEqual([
    'first',
    'second',
    'third',
    'last',
    undefined,
  ])
  expect(line.size()).toBe(0)
})
