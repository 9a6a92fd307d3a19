import {describe, expect, test} from 'vitest'
import {byCodeUnit} from '../../../engine/code-unit-order.ts'
import {textId} from '../../../engine/ids.ts'
import {DiverseMembers} from '../../../pipelines/correction/cluster-errors.ts'

/** Names whose hashes rise, so that the first of them are those that are held. */
const [a, b, c, d] = ['one', 'two', 'three', 'four'].sort((one, two) => byCodeUnit(textId(one), textId(two))) as [
  string,
  string,
  string,
  string,
]
const member = (task: string, fault: string, id: string) => ({task, fault, id, value: `${task} ${fault} ${id}`})
const held = (members: DiverseMembers<string>) => {
  const {kept, left} = members.choose()
  return [kept, left].map((some) => some.map(({value}) => value))
}

function filled(most: number, all: ReturnType<typeof member>[]): DiverseMembers<string> {
  const members = new DiverseMembers<string>(most)
  for (const one of all) members.add(one)
  return members
}

describe('what is held', () => {
  test('of tasks those with the smallest hashes; a task that is pushed out goes with all its members', () => {
    const members = filled(2, [member(c, a, a), member(c, b, b), member(b, a, a)])
    expect(members.add(member(a, a, a)).map(({value}) => value)).toEqual([`${c} ${a} ${a}`, `${c} ${b} ${b}`])
    expect(held(members)[0]).toEqual([`${a} ${a} ${a}`, `${b} ${a} ${a}`])
  })

  test('of faults of a task likewise, and of members of a fault', () => {
    const faults = filled(1, [member(a, b, a)])
    expect(faults.add(member(a, a, a)).map(({fault}) => fault)).toEqual([b])
    const same = filled(1, [member(a, a, b)])
    expect(same.add(member(a, a, a)).map(({id}) => id)).toEqual([b])
  })

  test('one of the same code is added once', () => {
    const members = filled(2, [member(a, a, a)])
    expect(members.add(member(a, a, a))).toEqual([])
    expect(held(members)).toEqual([[`${a} ${a} ${a}`], []])
  })

  test('what comes with a larger hash than all that fit is pushed out at once', () => {
    const members = filled(1, [member(a, a, a)])
    expect(members.add(member(a, a, b)).map(({id}) => id)).toEqual([b])
  })
})

describe('what is wanted', () => {
  const wants = (members: DiverseMembers<string>, task: string, fault: string, id: string) =>
    members.wants({task, fault, id})
  test('anything while there is room', () => {
    const members = filled(2, [member(b, b, b)])
    expect([wants(members, d, a, a), wants(members, b, d, a), wants(members, b, b, d)]).toEqual([true, true, true])
    expect(wants(new DiverseMembers(1), d, d, d)).toBe(true)
  })
  test('then what has a smaller hash than one that is held, at each level', () => {
    const members = filled(1, [member(b, b, b)])
    expect([wants(members, a, d, d), wants(members, c, a, a)]).toEqual([true, false])
    expect([wants(members, b, a, d), wants(members, b, c, a)]).toEqual([true, false])
    expect([wants(members, b, b, a), wants(members, b, b, c)]).toEqual([true, false])
  })
  test('not what is held already', () => {
    expect(wants(filled(1, [member(b, b, b)]), b, b, b)).toBe(false)
    expect(wants(filled(2, [member(b, b, b)]), b, b, b)).toBe(false)
  })
})

describe('what is chosen', () => {
  test('tasks take turns before faults do, and both before one comes again', () => {
    const members = filled(3, [member(a, a, a), member(a, a, b), member(a, c, a), member(b, b, a)])
    expect(held(members)).toEqual([[`${a} ${a} ${a}`, `${b} ${b} ${a}`, `${a} ${c} ${a}`], [`${a} ${a} ${b}`]])
  })
  test('is the same in whatever order members come', () => {
    const all = [member(a, a, a), member(c, b, d), member(b, a, a), member(b, c, a), member(d, b, b)]
    expect(held(filled(3, [...all].reverse()))).toEqual(held(filled(3, all)))
  })
  test('is all there is where there is less', () => {
    expect(held(filled(3, [member(a, a, a), member(a, a, b)]))).toEqual([[`${a} ${a} ${a}`, `${a} ${a} ${b}`], []])
  })
})
