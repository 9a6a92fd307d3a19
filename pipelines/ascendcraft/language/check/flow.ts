import type {KernelStatement, Place} from '../ast.ts'
import type {Buffer} from '../checked.ts'
import type {Findings} from './findings.ts'
import {bufferOperands} from './check-operands.ts'
import {extractedIn, type Statement, visitKernel} from './walk.ts'

/** What buffers hold at a point of the program. */
interface Contents {
  /** Input buffers that a copyin of this body, or of one around it, has filled. */
  filled: Set<string>
  /** Output and scratch buffers that something may have written. */
  written: Set<string>
  /** Output buffers that a copyout has taken away, and scratch lost as `tmp`. */
  gone: Map<string, string>
}

/**
 * Checks that every buffer is read where it holds something: input buffers in the body that loads them and behind the
 * load, output buffers between what writes them and what stores them, scratch behind its first write.
 */
export function checkFlow(body: readonly KernelStatement[], buffers: readonly Buffer[], findings: Findings): void {
  const walk = new FlowWalk(buffers, findings)
  walk.body(body, {filled: new Set(), written: new Set(), gone: new Map()})
}

class FlowWalk {
  private readonly roles: ReadonlyMap<string, Buffer['role']>
  private readonly findings: Findings
  /** Input buffers loaded anywhere, for messages. */
  private readonly everLoaded = new Set<string>()

  constructor(buffers: readonly Buffer[], findings: Findings) {
    this.roles = new Map(buffers.map(({name, role}) => [name, role]))
    this.findings = findings
  }

  /** Goes through a body and gives what holds behind it. */
  body(statements: readonly KernelStatement[], before: Contents): Contents {
    let now = copyOf(before)
    for (const statement of statements) now = this.statement(statement, now)
    return now
  }

  private statement(statement: KernelStatement, now: Contents): Contents {
    switch (statement.kind) {
      case 'stage':
        return this.stage(statement, now)
      case 'for':
        return this.loop(statement, now)
      case 'if':
        return this.branches(statement, now)
      case 'operation':
        this.operation(statement, now)
        return now
      case 'assign':
        for (const name of extractedIn(statement)) this.read(name, statement, now)
        return now
      default:
        return now
    }
  }

  private stage({stage, body}: Statement<'stage'>, now: Contents): Contents {
    if (stage === 'copyin') return this.load(body, now)
    const inside = this.body(body, now)
    if (stage === 'copyout') {
      for (const name of storedIn(body)) {
        inside.written.delete(name)
        inside.gone.set(name, 'its copyout has taken it away')
      }
    }
    return inside
  }

  /** A load in a loop or under a condition of its stage belongs to the stage's body all the same. */
  private load(body: readonly KernelStatement[], now: Contents): Contents {
    const loaded = loadedIn(body)
    for (const name of loaded) this.everLoaded.add(name)
    return {...copyOf(now), filled: new Set([...now.filled, ...loaded])}
  }

  private loop(statement: Statement<'for'>, before: Contents): Contents {
    for (const name of extractedIn(statement)) this.read(name, statement, before)
    const inner = loadedIn(statement.body)
    const first = this.body(statement.body, without(before, inner))
    // The second turn starts with what the first left, and what it loaded has ended with it.
    const second = this.body(statement.body, without({...first, filled: before.filled}, inner))
    return this.behind(before, inner, [before, first, second])
  }

  private branches(statement: Statement<'if'>, before: Contents): Contents {
    for (const name of extractedIn(statement)) this.read(name, statement, before)
    const inner = new Set(statement.branches.flatMap(({body}) => [...loadedIn(body)]))
    const ends = statement.branches.map(({body}) => this.body(body, copyOf(before)))
    const all = statement.branches.at(-1)!.condition ? [before, ...ends] : ends
    return this.behind(before, inner, all)
  }

  /** Behind inner bodies: their loads have ended, what they wrote into other buffers stays. */
  private behind(before: Contents, inner: ReadonlySet<string>, ends: readonly Contents[]): Contents {
    const written = new Set(ends.flatMap((end) => [...end.written]))
    const gone = new Map(ends.flatMap((end) => [...end.gone]))
    const filled = new Set([...before.filled].filter((name) => !inner.has(name)))
    return {filled, written, gone}
  }

  private operation(statement: Statement<'operation'>, now: Contents): void {
    const operands = bufferOperands(statement)
    for (const name of extractedIn(statement)) this.read(name, statement, now)
    for (const {name, kind, argument} of operands) {
      if (kind === 'in' || kind === 'mask-in' || (kind === 'inout' && statement.primitive !== 'set')) {
        if (statement.primitive === 'store') this.store(name, argument, now)
        else this.read(name, argument, now)
      }
    }
    for (const {name, kind, argument} of operands)
      if (kind !== 'in' && kind !== 'mask-in') this.write(name, kind, argument, now)
  }

  private write(name: string, kind: string, at: Place, now: Contents): void {
    if (this.roles.get(name) === 'in') {
      const mend = `tl.copy ${name} to a scratch buffer and change that`
      this.findings.refuse(at, 'input-written', `${name} is loaded, and a compute stage writes to it`, mend)
      return
    }
    if (kind === 'tmp') {
      now.written.delete(name)
      now.gone.set(name, 'it was scratch memory of an operation')
    } else now.written.add(name)
  }

  private read(name: string, at: Place, now: Contents): void {
    const role = this.roles.get(name)
    if (role === 'in') {
      this.readInput(name, at, now)
      return
    }
    if (!role || now.written.has(name)) return
    const why = now.gone.get(name)
    const message =
      why === undefined ? `${name} is read before anything is written to it` : `${name} holds nothing any more: ${why}`
    const rule = why === undefined ? 'read-before-write' : 'read-after-loss'
    const mend =
      role === 'out' && why !== undefined
        ? 'read it before the copyout, or keep a copy in scratch'
        : 'write to it first'
    this.findings.refuse(at, rule, message, mend)
  }

  private readInput(name: string, at: Place, now: Contents): void {
    if (now.filled.has(name)) return
    const message = this.everLoaded.has(name)
      ? `what was loaded into ${name} ended with the loop or branch that loaded it`
      : `${name} is read before the copyin that loads it`
    this.findings.refuse(
      at,
      'not-loaded',
      message,
      `read ${name} behind its load, in the same body or inside it, or tl.copy it to scratch`,
    )
  }

  private store(name: string, at: Place, now: Contents): void {
    if (this.roles.get(name) !== 'out' || now.written.has(name)) return
    const why = now.gone.get(name)
    const message =
      why === undefined ? `${name} is stored before anything is written to it` : `${name} is stored again: ${why}`
    this.findings.refuse(
      at,
      'store-before-write',
      message,
      `write to ${name} in a compute stage before each copyout that stores it`,
    )
  }
}

function copyOf({filled, written, gone}: Contents): Contents {
  return {filled: new Set(filled), written: new Set(written), gone: new Map(gone)}
}

function without(contents: Contents, names: ReadonlySet<string>): Contents {
  return {...copyOf(contents), filled: new Set([...contents.filled].filter((name) => !names.has(name)))}
}

function loadedIn(body: readonly KernelStatement[]): Set<string> {
  return operandsOf(body, 'load')
}

function storedIn(body: readonly KernelStatement[]): Set<string> {
  return operandsOf(body, 'store')
}

function operandsOf(body: readonly KernelStatement[], primitive: 'load' | 'store'): Set<string> {
  const found = new Set<string>()
  visitKernel(body, (one) => {
    if (one.kind === 'operation' && one.primitive === primitive)
      for (const {name} of bufferOperands(one)) found.add(name)
  })
  return found
}
