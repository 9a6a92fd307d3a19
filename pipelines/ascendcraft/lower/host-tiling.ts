import type {Expression, HostParameter, HostStatement} from '../language/ast.ts'
import {commentLines, type Code} from './cpp-text.ts'
import {hostDialect, type HostScope} from './host-dialect.ts'
import {flat, namesIn, stepsOf} from './mentions.ts'
import {expressionsOf as ownExpressions, within} from '../language/check/walk.ts'
import {camelCase, Names} from './cpp-names.ts'
import {placeDeclarations} from './places.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {asReal, opposite, scalarCode, type Dialect, type Needs} from './scalar-code.ts'
import {branchLines} from './statement-code.ts'
import {workspaceFields, workspacesOf, workspaceUnit} from './workspaces.ts'

type Attribute = HostParameter & {kind: 'attribute'}

const typeNames = {int: 'int64_t', float: 'double', bool: 'bool'} as const
const attributeTypes = {int: 'int64_t', float: 'float', bool: 'bool'} as const

const together = 'context->SetScheduleMode(1); // all cores start together, as they wait for each other'

export function attributesOf(parameters: readonly HostParameter[]): Attribute[] {
  return parameters.filter((one): one is Attribute => one.kind === 'attribute')
}

export function inputsOf(parameters: readonly HostParameter[]): HostParameter[] {
  return parameters.filter(({kind}) => kind === 'tensor')
}

/** Body of TilingFunc: the host's statements, then what the launch gives to the kernel. */
export function tilingBody(plan: KernelPlan, needs: Needs, operator: string): Code {
  return new HostWriter(plan, needs, 'gert', (host) => [
    ...host.workspaceSizes(),
    `${operator}TilingData tiling;`,
    ...host.fields((field, value) => `tiling.set_${field}(${value});`),
    'tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());',
    'context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());',
    `context->SetBlockDim(static_cast<uint32_t>(${host.cores()}));`,
    ...(plan.checked.usesSyncAll ? [together] : []),
    ...libraryWorkspace(plan),
    'return ge::GRAPH_SUCCESS;',
  ]).write()
}

/** Memory of the library, which barriers need, and of the program's workspaces. */
function libraryWorkspace(plan: KernelPlan): string[] {
  const total = workspacesOf(plan).map(({name}) => `${camelCase(name)}Bytes`)
  if (total.length === 0 && !plan.checked.usesSyncAll) return ['context->GetWorkspaceSizes(1)[0] = 0;']
  return [
    'const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());',
    `context->GetWorkspaceSizes(1)[0] = ${['platform.GetLibApiWorkSpaceSize()', ...total].join(' + ')};`,
  ]
}

/** Writes the host's statements; where sizes come from and where results go is the frame's. */
export class HostWriter {
  private readonly plan: KernelPlan
  private readonly sizes: HostScope['sizes']
  private readonly ending: (host: HostWriter) => Code
  private readonly needs: Needs
  private readonly needed: ReadonlySet<string>
  private readonly names: ReadonlyMap<string, string>
  private readonly shapes: ReadonlyMap<string, string>
  private readonly dialect: Dialect

  constructor(plan: KernelPlan, needs: Needs, sizes: HostScope['sizes'], ending: (host: HostWriter) => Code) {
    this.plan = plan
    this.sizes = sizes
    this.ending = ending
    this.needs = needs
    const {checked} = plan
    this.needed = neededNames(plan)
    const names = new Names(['stream'])
    this.names = new Map([...this.needed].map((name) => [name, names.give(camelCase(name))]))
    this.shapes = new Map(
      inputsOf(checked.module.host.parameters).map(({name}) => [
        name,
        sizes === 'torch' ? camelCase(name) : names.give(`${camelCase(name)}Shape`),
      ]),
    )
    this.dialect = hostDialect({
      checked,
      facts: plan.hostFacts,
      needs,
      nameOf: (name) => this.names.get(name) ?? camelCase(name),
      shapeOf: (tensor) => `${this.shapes.get(tensor)}.`,
      sizes,
    })
  }

  write(): Code {
    const {body} = this.plan.checked.module.host
    const assigned = new Set(flat(body).flatMap((one) => (one.kind === 'assign' ? [one.name] : [])))
    const steps = stepsOf(body, () => false)
    const places = placeDeclarations(
      steps,
      [...this.needed].filter((name) => assigned.has(name)),
    )
    const list = (statements: readonly HostStatement[]): Code =>
      statements.flatMap((one) => [
        ...(places.before.get(one) ?? []).map((name) => this.declared(name)),
        ...this.statement(one, places.declares, list),
      ])
    return [...(this.sizes === 'gert' ? this.given() : []), ...list(body), '', ...this.ending(this)]
  }

  private declared(name: string): string {
    const type = this.dialect.typeOf(name)
    return `${typeNames[type]} ${this.names.get(name)} = ${{int: '0', float: '0.0', bool: 'false'}[type]};`
  }

  /** Shapes and attributes that the statements use. */
  private given(): Code {
    const {parameters, body} = this.plan.checked.module.host
    const read = expressionsOf(body, this.needed, this.plan).flatMap(within)
    const shaped = new Set(read.flatMap((one) => (one.kind === 'shape' || one.kind === 'count' ? [one.tensor] : [])))
    const shapes = inputsOf(parameters).flatMap(({name}, at) =>
      shaped.has(name)
        ? [`const gert::Shape& ${this.shapes.get(name)} = context->GetInputShape(${at})->GetStorageShape();`]
        : [],
    )
    const attributes = attributesOf(parameters).flatMap(({name, type}, at) => {
      const cpp = attributeTypes[type]
      if (!this.needed.has(name)) return []
      return [`const ${cpp} ${this.names.get(name)} = *context->GetAttrs()->GetAttrPointer<${cpp}>(${at});`]
    })
    return [...shapes, ...attributes]
  }

  private statement(
    statement: HostStatement,
    declares: ReadonlyMap<HostStatement, 'only' | 'first'>,
    list: (body: readonly HostStatement[]) => Code,
  ): Code {
    switch (statement.kind) {
      case 'assign': {
        if (!this.needed.has(statement.name)) return []
        const type = this.dialect.typeOf(statement.name)
        const value = scalarCode(statement.value, this.dialect)
        const text = type === 'float' ? asReal(value, 'double').text : value.text
        const how = declares.get(statement)
        const head = how === undefined ? '' : `${how === 'only' ? 'const ' : ''}${typeNames[type]} `
        return [...commentLines(statement.comments), `${head}${this.names.get(statement.name)} = ${text};`]
      }
      case 'assert': {
        const message = statement.message.replaceAll(/\s+/g, ' ').trim()
        if (this.sizes === 'torch')
          return [`TORCH_CHECK(${scalarCode(statement.condition, this.dialect).text}, ${JSON.stringify(message)});`]
        const condition = opposite(scalarCode(statement.condition, this.dialect))
        const why = message === '' ? [] : [`// served: ${message}`]
        return [`if (${condition}) {`, [...why, 'return ge::GRAPH_FAILED;'], '}']
      }
      case 'if':
        return this.branches(statement, list)
      default:
        return []
    }
  }

  private branches(statement: HostStatement & {kind: 'if'}, list: (body: readonly HostStatement[]) => Code): Code {
    const branches = statement.branches.map(({condition, body}) => ({
      condition: condition && scalarCode(condition, this.dialect).text,
      body: list(body),
    }))
    return branches.every(({body}) => body.length === 0) ? [] : branchLines(branches)
  }

  /** How many cores the launch takes. */
  cores(): string {
    const launch = this.plan.checked.module.host.body.find((one) => one.kind === 'launch')
    if (launch?.kind !== 'launch') throw new TypeError('lowering: the host launches nothing')
    return scalarCode(launch.cores, this.dialect).text
  }

  /** What fills the fields of the tiling structure. */
  fields(set: (field: string, value: string) => string): string[] {
    const scalars = this.plan.fields.map(({field, parameter}) => {
      const value = scalarCode(parameter.argument, this.dialect)
      return set(field, parameter.type === 'float' ? this.single(parameter.argument) : value.text)
    })
    return [...scalars, ...workspaceFields(this.plan).map(({field}) => set(field, field))]
  }

  /** A float of the kernel, which the host has computed in double. */
  private single(argument: Expression): string {
    if (argument.kind === 'number' && Number.isFinite(argument.value)) {
      const plain = String(argument.value)
      return /[.e]/.test(plain) ? `${plain}f` : `${plain}.0f`
    }
    const isAttribute =
      this.sizes === 'gert' &&
      attributesOf(this.plan.checked.module.host.parameters).some(
        ({name, type}) => type === 'float' && argument.kind === 'name' && argument.name === name,
      )
    const {text} = asReal(scalarCode(argument, this.dialect), 'double')
    return isAttribute ? text : `static_cast<float>(${text})`
  }

  /** Workspaces follow each other, each starting at a new cache line. */
  workspaceSizes(): string[] {
    const plans = workspacesOf(this.plan)
    if (plans.length === 0) return []
    const align = this.needs.helper('AlignUp')
    const sizes = plans.map(({name, size, elementBytes}) => {
      const elements = scalarCode(size, this.dialect)
      const bytes = `${elements.level < 8 ? `(${elements.text})` : elements.text} * ${elementBytes}`
      return `const int64_t ${camelCase(name)}Bytes = ${align}(${bytes}, ${workspaceUnit});`
    })
    const offsets = workspaceFields(this.plan).map(({field}, at) => {
      const before = plans.slice(0, at + 1).map(({name}) => `${camelCase(name)}Bytes`)
      return `const int64_t ${field} = ${before.join(' + ')};`
    })
    return [...sizes, ...offsets, '']
  }
}

/** Expressions of the host that the launch or an assertion depends on. */
function expressionsOf(body: readonly HostStatement[], needed: ReadonlySet<string>, plan: KernelPlan): Expression[] {
  const used = new Set(workspacesOf(plan).map(({name}) => name))
  return flat(body).flatMap((statement) => {
    switch (statement.kind) {
      case 'assign':
        return needed.has(statement.name) ? [statement.value] : []
      case 'workspace':
        return used.has(statement.name) ? [statement.size] : []
      case 'launch':
        return [statement.cores, ...plan.fields.map(({parameter}) => parameter.argument)]
      case 'if': {
        const inner = flat(statement.branches.flatMap((branch) => branch.body))
        const counts = inner.some((one) => one.kind === 'assert' || (one.kind === 'assign' && needed.has(one.name)))
        return counts ? ownExpressions(statement) : []
      }
      default:
        return ownExpressions(statement)
    }
  })
}

/** Names that the launch or an assertion depends on, directly or through other names. */
function neededNames(plan: KernelPlan): Set<string> {
  const {body} = plan.checked.module.host
  let needed = new Set<string>()
  for (;;) {
    const now = new Set(namesIn(expressionsOf(body, needed, plan)))
    if (now.size === needed.size) return now
    needed = now
  }
}
