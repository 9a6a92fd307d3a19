import type {Expression, KernelStatement} from '../language/ast.ts'
import type {ElementType} from '../language/dtypes.ts'
import {gmAddressOf} from '../language/gm-address.ts'
import {primitives} from '../language/primitives.ts'
import {alignedCopy, plainCopy, type CopyCall} from './lower-copies.ts'
import {block, commentLines, type Code} from './cpp-text.ts'
import {elementNames, elementsIn, perBlock, perRepeat, repeatBytes} from './cpp-elements.ts'
import {kernelDialect} from './kernel-dialect.ts'
import {flat, inputsExtracted, namedBy, stepsOf, type Operation, type Stage} from './mentions.ts'
import {Names} from './cpp-names.ts'
import {emitted, scalarOfType, type VectorCall} from './emit-operations.ts'
import {placeDeclarations, type Places} from './places.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {
  asReal,
  negated,
  primary,
  reciprocalCode,
  scalarCode,
  type Dialect,
  type ScalarCode,
  type Needs,
} from './scalar-code.ts'
import {assignment, branchLines, declaration, loopHead} from './statement-code.ts'

/** `plain`: whole blocks and repeats only (pass 3); `aligned`: any count (pass 4). */
export type Refinement = 'plain' | 'aligned'

/** The statements of a stage's function, without what takes its tensors out of their queues. */
export function stageBody(stage: Stage, plan: KernelPlan, needs: Needs, refinement: Refinement): Code {
  return new StageWriter(stage, plan, needs, refinement).write()
}

class StageWriter {
  private readonly stage: Stage
  private readonly plan: KernelPlan
  private readonly needs: Needs
  private readonly refinement: Refinement
  private readonly dialect: Dialect
  private readonly places: Places<KernelStatement>
  private readonly names: Names
  private readonly known = new Map<string, string>()
  /** Parameters of copies that the body at hand has declared. */
  private declared = new Set<string>()
  /** The vector unit may be at work on what the scalar unit looks at next, and the other way round. */
  private vectorRuns = true
  private scalarTouched = false
  /** Reads of elements in the statement at hand, and those of them that the vector unit may be writing. */
  private reads = 0
  private readsOfWritten = 0
  private readonly waitsForInputs: boolean

  constructor(stage: Stage, plan: KernelPlan, needs: Needs, refinement: Refinement) {
    this.stage = stage
    this.plan = plan
    this.needs = needs
    this.refinement = refinement
    this.dialect = kernelDialect(plan, needs, (expression) => this.extract(expression))
    const locals = [...plan.scalars.values()].filter(({place}) => place === 'local').map(({name}) => name)
    const set = flat(stage.body).flatMap((one) => (one.kind === 'assign' ? [one.name] : []))
    this.places = placeDeclarations(
      stepsOf(stage.body, () => false),
      locals.filter((name) => set.includes(name)),
    )
    this.names = new Names([...plan.scalars.values()].map(({cpp}) => cpp))
    const isTaken = (name: string) => plan.lifetimes.handling.get(stage)?.get(name) === 'take-and-free'
    this.waitsForInputs = inputsExtracted([stage], plan.buffers).some(isTaken)
  }

  /** The vector unit only reads an input, so one wait serves all that is read of it: here, or where it is taken. */
  write(): Code {
    const wait = this.waitsForInputs ? this.letScalarRead() : []
    this.scalarTouched = false
    const lines = this.list(this.stage.body)
    if (this.reads > this.readsOfWritten) this.scalarTouched = true
    return [...wait, ...lines, ...this.letVectorGoOn()]
  }

  private list(body: readonly KernelStatement[]): Code {
    return body.flatMap((statement) => {
      const before = (this.places.before.get(statement) ?? []).map((name) => this.declaration(name))
      return [...before, ...commentLines(statement.comments), ...this.statement(statement)]
    })
  }

  private declaration(name: string): string {
    const scalar = this.plan.scalars.get(name)
    return scalar ? declaration(scalar) : ''
  }

  private statement(statement: KernelStatement): Code {
    if (statement.kind !== 'operation' || (statement.primitive !== 'load' && statement.primitive !== 'store'))
      this.known.clear()
    switch (statement.kind) {
      case 'assign':
        return this.assign(statement)
      case 'operation':
        return this.operation(statement)
      case 'for':
        return this.loop(statement)
      case 'if':
        return this.branches(statement)
      default:
        throw new TypeError(`lowering: ${statement.kind} on line ${statement.line} within a stage`)
    }
  }

  private assign(statement: KernelStatement & {kind: 'assign'}): Code {
    const {code, wait} = this.reading(() => scalarCode(statement.value, this.dialect))
    const scalar = this.plan.scalars.get(statement.name)
    if (!scalar) throw new TypeError(`lowering: nothing is known of ${statement.name}`)
    return [...wait, assignment(scalar, code, this.places.declares.get(statement))]
  }

  private loop(statement: KernelStatement & {kind: 'for'}): Code {
    const {code, wait} = this.reading(() => loopHead(statement, this.plan, this.dialect))
    if (isScalar(statement)) return [...wait, ...this.scalarLines(() => block(code, this.list(statement.body)))]
    const flush = this.letVectorGoOn()
    return [...wait, ...flush, ...block(code, this.inner(statement.body))]
  }

  private branches(statement: KernelStatement & {kind: 'if'}): Code {
    const {branches} = statement
    const {code: conditions, wait} = this.reading(() =>
      branches.map(({condition}) => condition && scalarCode(condition, this.dialect).text),
    )
    const written = (write: typeof this.list) =>
      branchLines(branches.map(({body}, at) => ({condition: conditions[at], body: write.call(this, body)})))
    if (isScalar(statement)) return [...wait, ...this.scalarLines(() => written(this.list))]
    const flush = this.letVectorGoOn()
    return [...wait, ...flush, ...written(this.inner)]
  }

  /** A loop or branch of scalars alone: one wait in front of it serves all that it reads. */
  private scalarLines(write: () => Code): Code {
    const before = this.readsOfWritten
    const runs = this.vectorRuns
    this.vectorRuns = false
    const lines = write()
    this.vectorRuns = runs
    return [...(this.readsOfWritten > before ? this.letScalarRead() : []), ...lines]
  }

  /** A body that may run often or not at all: what is in flight at its edges is settled there. */
  private inner(body: readonly KernelStatement[]): Code {
    this.vectorRuns = true
    const outer = this.declared
    this.declared = new Set()
    const lines = [...this.list(body), ...this.letVectorGoOn()]
    this.vectorRuns = true
    this.known.clear()
    this.declared = outer
    return lines
  }

  /** Runs what reads scalars; `wait` precedes it if it reads elements that the vector unit may be writing. */
  private reading<T>(read: () => T): {code: T; wait: string[]} {
    const before = this.readsOfWritten
    const code = read()
    return {code, wait: this.readsOfWritten > before ? this.letScalarRead() : []}
  }

  private letScalarRead(): string[] {
    const wait = this.vectorRuns ? [`${this.needs.helper('Synchronise')}<HardEvent::V_S>();`] : []
    this.vectorRuns = false
    this.scalarTouched = true
    return wait
  }

  private letVectorGoOn(): string[] {
    const wait = this.scalarTouched ? [`${this.needs.helper('Synchronise')}<HardEvent::S_V>();`] : []
    this.scalarTouched = false
    return wait
  }

  private extract({arguments: [buffer, index]}: Expression & {kind: 'call'}): ScalarCode {
    this.reads += 1
    if (this.plan.buffers.get(namedBy(buffer as Expression) ?? '')?.role !== 'in') this.readsOfWritten += 1
    const type = this.typeOf(buffer as Expression)
    const place = scalarCode(index as Expression, this.dialect)
    const text = `${this.tensor(buffer as Expression)}.GetValue(${place.text})`
    if (type === 'float32') return primary(text, 'float')
    if (type === 'bfloat16') return primary(`ToFloat(${text})`, 'float')
    if (type === 'float16') return primary(`static_cast<float>(${text})`, 'float')
    return primary(type === 'int64' ? text : `static_cast<int64_t>(${text})`, 'int')
  }

  private operation(statement: Operation): Code {
    const {primitive} = statement
    if (primitive === 'load' || primitive === 'store') return this.copy(statement, primitive)
    const hoisted: string[] = []
    const {code: lines, wait} = this.reading(() =>
      emitted(primitive, this.vectorCall(statement, hoisted)).map((line) => `${line};`),
    )
    if (primitive === 'set') {
      const first = this.letScalarRead()
      return [...wait, ...hoisted, ...first, ...lines]
    }
    const goOn = this.letVectorGoOn()
    this.vectorRuns = true
    return [...wait, ...hoisted, ...goOn, ...lines]
  }

  private vectorCall(statement: Operation, hoisted: string[]): VectorCall {
    const {arguments: given, named, primitive} = statement
    const at = (index: number) => given[index] as Expression
    const count = named['count'] ? scalarCode(named['count'], this.dialect) : primary('1', 'int')
    const types = given.map((one, index): ElementType => {
      const {kind} = primitives[primitive].operands[index] ?? {kind: 'scalar'}
      return kind === 'scalar' || kind === 'index' ? 'float32' : this.typeOf(one)
    })
    const isMultiple = (unit: number) =>
      named['count'] !== undefined && this.plan.facts.of(named['count']).divisor % unit === 0
    const rounded = (unit: number, name: string) => {
      if (this.refinement === 'plain' || isMultiple(unit)) return count.text
      return `${this.needs.helper('AlignUp')}(${count.text}, ${this.needs.constant(name)})`
    }
    return {
      type: types[0] ?? 'float32',
      types,
      tensor: (index) => this.tensor(at(index)),
      scalar: (index, type, change) => this.operand(at(index), type, change, hoisted),
      index: (index) => scalarCode(at(index), this.dialect).text,
      count: count.text,
      repeats: (type) => rounded(elementsIn(repeatBytes, type), perRepeat(type)),
      blocks: (type) => rounded(elementsIn(32, type), perBlock(type)),
      isBlocks: (type) => this.refinement === 'plain' || isMultiple(elementsIn(32, type)),
      text: (name) => {
        const value = named[name]
        return value?.kind === 'text' ? value.value : undefined
      },
    }
  }

  /** A scalar operand in the type of the tensors. An element that is read for it gets a name: the read ends before. */
  private operand(
    expression: Expression,
    type: ElementType,
    change: 'negate' | 'invert' | undefined,
    hoisted: string[],
  ): string {
    const before = this.reads
    const plain = scalarCode(expression, this.dialect)
    const real = type === 'float32' || type === 'float16' || type === 'bfloat16'
    const typed = real ? asReal(plain, 'float') : plain
    if (this.reads === before) return scalarOfType(changed(typed, change).text, type, !real)
    const name = this.names.give('element')
    hoisted.push(`const ${real ? 'float' : 'int64_t'} ${name} = ${typed.text};`)
    return scalarOfType(changed(primary(name, typed.type), change).text, type, !real)
  }

  private typeOf(expression: Expression): ElementType {
    const name = namedBy(expression) ?? ''
    return this.plan.buffers.get(name)?.type ?? this.plan.gm.get(name)?.type ?? 'float32'
  }

  private tensor(expression: Expression): string {
    const name = namedBy(expression) ?? ''
    const buffer = this.plan.buffers.get(name)
    if (!buffer) throw new TypeError(`lowering: ${name} on line ${expression.line} is no buffer`)
    const shared = this.plan.lifetimes.handling.get(this.stage)?.get(name) === 'use'
    const text = shared ? buffer.shared : buffer.local
    return expression.kind === 'slice' ? `${text}[${scalarCode(expression.offset, this.dialect).text}]` : text
  }

  private copy({arguments: given, named}: Operation, kind: 'load' | 'store'): Code {
    const [pointer, buffer] = given as [Expression, Expression]
    const {pointer: name, offset} = gmAddressOf(pointer) ?? {pointer: '', offset: undefined}
    const gm = this.plan.gm.get(name)
    if (!gm) throw new TypeError(`lowering: no pointer on line ${pointer.line}`)
    const place = offset && scalarCode(offset, this.dialect).text
    const call: CopyCall = {
      kind,
      type: gm.type,
      gm: place === undefined ? gm.member : `${gm.member}[${place}]`,
      tensor: this.tensor(buffer),
      offset,
      named,
      code: (expression) => scalarCode(expression, this.dialect),
      facts: this.plan.facts,
      needs: this.needs,
      give: (wanted) => this.copyName(wanted, bareOf(gm.member)),
      known: this.known,
    }
    const lines = (this.refinement === 'plain' ? plainCopy : alignedCopy)(call).map((line) => `${line};`)
    const atomic = named['atomic']?.kind === 'text'
    if (!atomic) return lines
    return [`SetAtomicAdd<${elementNames(gm.type).cpp}>();`, ...lines, 'SetAtomicNone();']
  }

  private copyName(wanted: string, tensor: string): string {
    const name = this.declared.has(wanted)
      ? this.names.give(`${tensor}${wanted[0]?.toUpperCase()}${wanted.slice(1)}`)
      : wanted
    this.declared.add(name)
    return name
  }
}

const bareOf = (member: string) => member.replace(/Gm\d*_$/, '')

function isScalar(statement: KernelStatement): boolean {
  return !flat([statement]).some(({kind}) => kind === 'operation')
}

function changed(code: ScalarCode, change: 'negate' | 'invert' | undefined): ScalarCode {
  if (change === 'negate') return negated(code)
  return change === 'invert' ? reciprocalCode(code, 'float') : code
}
