import type {KernelStatement} from '../language/ast.ts'
import type {Buffer} from '../language/checked.ts'
import {bodiesOf, buffersOfStage, flat, type Stage} from './mentions.ts'

/** What a stage function does with a buffer; `use` finds it in a member that Process() takes from its queue. */
type Handling = 'fill' | 'take-and-free' | 'alloc-and-enque' | 'get' | 'use'

export type QueueAction = {action: 'alloc' | 'enque' | 'deque' | 'free'; buffer: string}

export interface Lifetimes {
  /** What each stage does with each of its buffers. */
  handling: ReadonlyMap<Stage, ReadonlyMap<string, Handling>>
  /** Queue calls of Process() in front of and behind a statement. */
  before: ReadonlyMap<KernelStatement, readonly QueueAction[]>
  after: ReadonlyMap<KernelStatement, readonly QueueAction[]>
  /** Buffers whose tensor is a member, because more than one function works on it. */
  members: ReadonlySet<string>
}

type Body = readonly KernelStatement[]

/** What writes an output buffer, and the statement that stores it then. */
interface Episode {
  writers: Body
  store: KernelStatement
}

/**
 * From when to when each tensor is taken out of its queue. A tensor that one compute block in the body of its load (or
 * of its store) works on belongs to that block's function; what several statements share, Process() takes from the
 * queue in front of the first and gives back behind the last.
 */
export function findLifetimes(body: Body, buffers: readonly Buffer[]): Lifetimes {
  const found = new Found(buffers)
  for (const {name, role} of buffers) {
    if (role === 'in') found.loads(body, name)
    if (role === 'out') found.stores(body, name)
    if (role === 'scratch') for (const stage of found.stagesOf(body, name)) found.handle(stage, name, 'get')
  }
  return {handling: found.handling, before: found.before, after: found.after, members: found.members}
}

class Found {
  readonly handling = new Map<Stage, Map<string, Handling>>()
  readonly before = new Map<KernelStatement, QueueAction[]>()
  readonly after = new Map<KernelStatement, QueueAction[]>()
  readonly members = new Set<string>()
  private readonly names: ReadonlySet<string>
  private readonly used = new Map<Stage, string[]>()

  constructor(buffers: readonly Buffer[]) {
    this.names = new Set(buffers.map(({name}) => name))
  }

  stagesOf(body: Body, buffer: string): Stage[] {
    return flat(body).filter((one): one is Stage => one.kind === 'stage' && this.buffersOf(one).includes(buffer))
  }

  handle(stage: Stage, buffer: string, how: Handling): void {
    const ofStage = this.handling.get(stage) ?? new Map<string, Handling>()
    this.handling.set(stage, ofStage.set(buffer, how))
  }

  /** What a copyin loads lives until its body ends or loads the buffer again. */
  loads(body: Body, buffer: string): void {
    const fills = body.flatMap((statement, at) => (this.isStage(statement, 'copyin', buffer) ? [at] : []))
    for (const [index, at] of fills.entries()) {
      this.handle(body[at] as Stage, buffer, 'fill')
      const behind = body.slice(at + 1, fills[index + 1])
      const anew = behind.findIndex((one) => this.stagesOf([one], buffer).some(({stage}) => stage === 'copyin'))
      const users = behind.slice(0, anew < 0 ? undefined : anew).filter((one) => this.computes(one, buffer))
      this.takeIn(body[at] as KernelStatement, users, buffer)
    }
    for (const statement of body) {
      if (statement.kind === 'stage') continue
      for (const inner of bodiesOf(statement)) this.loads(inner, buffer)
    }
  }

  private takeIn(load: KernelStatement, users: Body, buffer: string): void {
    const [only, second] = users
    if (only?.kind === 'stage' && !second) {
      this.handle(only, buffer, 'take-and-free')
      return
    }
    this.members.add(buffer)
    const [first, last] = [users[0] ?? load, users.at(-1) ?? load]
    if (users.length === 0) this.put(this.after, load, {action: 'deque', buffer})
    else this.put(this.before, first, {action: 'deque', buffer})
    this.put(this.after, last, {action: 'free', buffer})
    for (const stage of this.stagesOf(users, buffer)) if (stage.stage === 'compute') this.handle(stage, buffer, 'use')
  }

  /** What compute stages write lives from the first of them to the copyout that takes it away. */
  stores(body: Body, buffer: string): void {
    const episodes = this.episodesOf(body, buffer)
    if (!episodes) this.keepAllocated(body, buffer)
    else for (const {writers, store} of episodes) this.takeOut(writers, store, buffer)
  }

  /** Writers and what stores them, body by body; undefined where they are not in order. */
  private episodesOf(body: Body, buffer: string): Episode[] | undefined {
    const episodes: Episode[] = []
    let writers: KernelStatement[] = []
    for (const statement of body) {
      const stages = this.stagesOf([statement], buffer)
      const stored = stages.some(({stage}) => stage === 'copyout')
      const written = stages.some(({stage}) => stage === 'compute')
      if (stored && written) {
        const inner = bodiesOf(statement).map((one) => this.episodesOf(one, buffer))
        if (writers.length > 0 || inner.includes(undefined)) return undefined
        episodes.push(...inner.flatMap((one) => one ?? []))
      } else if (stored) {
        if (writers.length === 0) return undefined
        episodes.push({writers, store: statement})
        writers = []
      } else if (written) writers.push(statement)
    }
    return writers.length > 0 ? undefined : episodes
  }

  /** A tensor is there at all times: after each store the next one is taken. */
  private keepAllocated(body: Body, buffer: string): void {
    this.members.add(buffer)
    const users = body.filter((one) => this.stagesOf([one], buffer).length > 0)
    this.put(this.before, users[0] as KernelStatement, {action: 'alloc', buffer})
    this.put(this.after, users.at(-1) as KernelStatement, {action: 'free', buffer})
    for (const stage of this.stagesOf(users, buffer)) {
      if (stage.stage === 'compute') this.handle(stage, buffer, 'use')
      else {
        this.handle(stage, buffer, 'take-and-free')
        this.put(this.before, stage, {action: 'enque', buffer})
        this.after.set(stage, [{action: 'alloc', buffer}, ...(this.after.get(stage) ?? [])])
      }
    }
  }

  private takeOut(writers: Body, store: KernelStatement, buffer: string): void {
    this.write(writers, buffer)
    const direct = store.kind === 'stage' ? store : undefined
    if (direct) {
      this.handle(direct, buffer, 'take-and-free')
      return
    }
    const inside = this.stagesOf([store], buffer)
    const again = inside.find(({stage}) => stage === 'compute')
    if (again)
      throw new TypeError(`lowering: line ${again.line} writes ${buffer} while a store has yet to take it away`)
    this.members.add(buffer)
    this.put(this.before, store, {action: 'deque', buffer})
    this.put(this.after, store, {action: 'free', buffer})
    for (const stage of this.stagesOf([store], buffer)) this.handle(stage, buffer, 'use')
  }

  private write(writers: Body, buffer: string): void {
    const [only, second] = writers
    if (only?.kind === 'stage' && !second) {
      this.handle(only, buffer, 'alloc-and-enque')
      return
    }
    this.members.add(buffer)
    if (!only) return
    this.put(this.before, only, {action: 'alloc', buffer})
    this.put(this.after, writers.at(-1) as KernelStatement, {action: 'enque', buffer})
    for (const stage of this.stagesOf(writers, buffer)) this.handle(stage, buffer, 'use')
  }

  private put(where: Map<KernelStatement, QueueAction[]>, statement: KernelStatement, action: QueueAction): void {
    where.set(statement, [...(where.get(statement) ?? []), action])
  }

  private computes(statement: KernelStatement, buffer: string): boolean {
    return this.stagesOf([statement], buffer).some(({stage}) => stage === 'compute')
  }

  private isStage(statement: KernelStatement, stage: Stage['stage'], buffer: string): statement is Stage {
    return statement.kind === 'stage' && statement.stage === stage && this.buffersOf(statement).includes(buffer)
  }

  private buffersOf(stage: Stage): readonly string[] {
    const known = this.used.get(stage) ?? buffersOfStage(stage, (name) => this.names.has(name))
    this.used.set(stage, known)
    return known
  }
}
