import type {CraftDesign, Expression, Layout} from '../../../datasets/schema/crafted-operator.ts'
import type {Random} from '../../../engine/random.ts'
import {drawExpression, isSound, type Leaf, type Ranged} from './draw-expression.ts'
import type {Route} from './families.ts'
import type {FunctionName, Interval} from './functions.ts'

const names: Readonly<Record<Layout, readonly string[]>> = {
  full: ['x', 'y', 'z', 'w'],
  columns: ['gamma', 'beta'],
  rows: ['scale', 'shift'],
  table: ['table'],
  one: [],
  windows: [],
}
const domains: readonly Interval[] = [
  [-4, 4],
  [-2, 2],
  [-1, 1],
  [0.25, 4],
  [0.5, 8],
]
const integerDomain: Interval = [-40, 40]
const attributeNames = ['alpha', 'theta'] as const
const attributeValues: readonly (readonly [number, number])[] = [
  [0.5, 0.75],
  [1.5, 1.25],
  [2, 3],
  [0.25, 0.125],
  [-0.5, -0.25],
  [0.875, 0.625],
]

/** A design under construction: every leaf with its range. */
export class Draft {
  readonly random: Random
  readonly route: Route
  readonly leaves = new Map<string, Leaf>()
  readonly inputs: CraftDesign['inputs'] = []
  readonly attributes: CraftDesign['attributes'] = []
  /** What has to be sound, with the names that are known then. */
  readonly roots: Expression[] = []

  constructor(random: Random, route: Route) {
    this.random = random
    this.route = route
  }

  get isInteger(): boolean {
    return this.route.compute === 'int32'
  }

  input(layout: Layout, domain?: Interval): string {
    const taken = this.inputs.filter((one) => one.layout === layout).length
    const name = names[layout][taken]!
    const {input} = this.route
    const isWhole = input === 'int32'
    const range = domain ?? (isWhole ? integerDomain : this.random.pick(domains))
    // One number for each row is read by the scalar unit, which has single precision.
    const type = layout === 'rows' && !isWhole ? 'float32' : input
    this.inputs.push({name, layout, type, domain: [...range]})
    this.leaves.set(name, {name, range, isExact: true, isScalar: layout === 'rows'})
    return name
  }

  attribute(): string {
    const name = attributeNames[this.attributes.length]!
    const [value, other] = this.random.pick(attributeValues)
    this.attributes.push({name, value, other})
    this.leaves.set(name, {
      name,
      range: [Math.min(value, other), Math.max(value, other)],
      isExact: true,
      isScalar: true,
    })
    return name
  }

  /** A name for what a stage found. */
  found(name: string, range: Interval, isScalar: boolean): void {
    this.leaves.set(name, {name, range, isExact: false, isScalar})
  }

  expression(over: readonly string[], steps: number, without: readonly FunctionName[] = []): Ranged | undefined {
    const leaves = over.map((name) => this.leaves.get(name)!)
    // Half-precision results end at 65504, and errors grow with them.
    const floating = this.route.output === 'float32' ? 1e4 : 1e3
    const most = this.isInteger ? 1e8 : floating
    const drawn = drawExpression({random: this.random, leaves, steps, isInteger: this.isInteger, most, without})
    if (drawn) this.roots.push(drawn.value)
    return drawn
  }

  isSound(): boolean {
    return isSound(this.roots, (name) => this.leaves.get(name)!.range, this.random)
  }
}
