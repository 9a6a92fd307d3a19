import {expect, test} from 'vitest'
import {adaptiveSlots} from '../../../engine/llm/slots.ts'

test('a burst of 429 takes three of ten slots, once', () => {
  let now = 0
  const slots = adaptiveSlots(10, () => now)
  for (let answer = 0; answer < 10; answer += 1) slots.shrink()
  expect(slots.count()).toBe(7)
  now = 2000
  slots.shrink()
  expect(slots.count()).toBe(4)
})

test('at least one slot stays', () => {
  let now = 0
  const slots = adaptiveSlots(2, () => now)
  for (; now < 10_000; now += 1000) slots.shrink()
  expect(slots.count()).toBe(1)
})

test('replies from before the endpoint was asked too much win nothing back', () => {
  let now = 0
  const slots = adaptiveSlots(10, () => now)
  slots.shrink()
  for (let reply = 0; reply < 6; reply += 1) slots.grow()
  now = 1000
  slots.shrink()
  expect(slots.count()).toBe(4)
  for (let reply = 0; reply < 3; reply += 1) slots.grow()
  expect(slots.count()).toBe(4)
  slots.grow()
  expect(slots.count()).toBe(5)
  for (let reply = 0; reply < 4; reply += 1) slots.grow()
  expect(slots.count()).toBe(5)
  slots.grow()
  expect(slots.count()).toBe(6)
})

test('replies win the slots back one by one, and no more than were configured', () => {
  const slots = adaptiveSlots(4, () => 0)
  slots.shrink()
  expect(slots.count()).toBe(2)
  slots.grow()
  slots.grow()
  expect(slots.count()).toBe(3)
  for (let reply = 0; reply < 100; reply += 1) slots.grow()
  expect(slots.count()).toBe(4)
})
