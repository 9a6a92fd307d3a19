import type {Expression, HostParameter, HostStatement} from '../language/ast.ts'
import {commentLines, type Code} from './cpp-text.ts'
import {hostDialect, type HostNeeds} from './host-dialect.ts'
import {flat, namesIn, ownExpressions, parts, stepsOf} from './mentions.ts'
import {camelCase, Names} from './names.ts'
import {placeDeclarations} from './places.ts'
import type {KernelPlan} from './plan.ts'
import {asReal, opposite, scalarCode, type Dialect} from './scalar-code.ts'
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
export function tilingBody(plan: KernelPlan, needs: HostNeeds, operator: string): Code {
  return new TilingWriter(plan, needs, operator).write()
}

class TilingWriter {
  private readonly plan: KernelPlan
  private readonly operator: string
  private readonly needs: HostNeeds
  private readonly needed: ReadonlySet<string>
  private readonly names: ReadonlyMap<string, string>
  private readonly shapes: ReadonlyMap<string, string>
  private readonly dialect: Dialect

  constructor(plan: KernelPlan, needs: HostNeeds, operator: string) {
    this.plan = plan
    this.operator = operator
    this.needs = needs
    const {checked} = plan
    this.needed = neededNames(plan)
    const names = new Names(['attrs', 'ubBytes', 'CeilDiv', 'AlignUp'])
    this.names = new Map([...this.needed].map((name) => [name, names.give(camelCase(name))]))
    this.shapes = new Map(
      inputsOf(checked.module.host.parameters).map(({name}) => [name, names.give(`${camelCase(name)}Shape`)]),
    )
    this.dialect = hostDialect({
      checked,
      facts: plan.hostFacts,
      needs,
      nameOf: (name) => this.names.get(name) ?? camelCase(name),
      shapeOf: (tensor) => `${this.shapes.get(tensor)}.`,
      sizes: 'gert',
    })
  }

  write(): Code {
    const {body} = this.plan.checked.module.host
    const launch = body.find((one) => one.kind === 'launch')
    if (launch?.kind !== 'launch') throw new TypeError('lowering: the host launches nothing')
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
    return [...this.given(), ...list(body), '', ...this.ending(launch.cores)]
  }

  private declared(name: string): string {
    const type = this.dialect.typeOf(name)
    return `${typeNames[type]} ${this.names.get(name)} = ${{int: '0', float: '0.0', bool: 'false'}[type]};`
  }

  /** Shapes and attributes that the statements use. */
  private given(): Code {
    const {parameters, body} = this.plan.checked.module.host
    const read = expressionsOf(body, this.needed, this.plan).flatMap(parts)
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

  /** Tiling data, cores and workspace. */
  private ending(cores: Expression): Code {
    const {plan} = this
    const sizes = this.workspaceSizes()
    const usesLibrary = plan.checked.usesSyncAll || sizes.length > 0
    const block = scalarCode(cores, this.dialect).text
    const fields = plan.fields.map(({field, parameter}) => {
      const value = scalarCode(parameter.argument, this.dialect)
      return `tiling.set_${field}(${parameter.type === 'float' ? this.single(parameter.argument) : value.text});`
    })
    const offsets = workspaceFields(plan).map(({field}) => `tiling.set_${field}(${field});`)
    return [
      ...(sizes.length > 0 ? [...sizes, ''] : []),
      `${this.operator}TilingData tiling;`,
      ...fields,
      ...offsets,
      'tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());',
      'context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());',
      `context->SetBlockDim(static_cast<uint32_t>(${block}));`,
      ...(plan.checked.usesSyncAll ? [together] : []),
      ...this.workspace(usesLibrary),
      'return ge::GRAPH_SUCCESS;',
    ]
  }

  /** A float of the kernel, which the host has computed in double. */
  private single(argument: Expression): string {
    if (argument.kind === 'number' && Number.isFinite(argument.value)) {
      const plain = String(argument.value)
      return /[.e]/.test(plain) ? `${plain}f` : `${plain}.0f`
    }
    const isAttribute = attributesOf(this.plan.checked.module.host.parameters).some(
      ({name, type}) => type === 'float' && argument.kind === 'name' && argument.name === name,
    )
    const {text} = asReal(scalarCode(argument, this.dialect), 'double')
    return isAttribute ? text : `static_cast<float>(${text})`
  }

  private workspace(usesLibrary: boolean): string[] {
    const plans = workspacesOf(this.plan)
    const total = plans.map(({name}) => `${camelCase(name)}Bytes`).join(' + ')
    if (!usesLibrary) return ['context->GetWorkspaceSizes(1)[0] = 0;']
    const platform = 'const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());'
    const size = 'context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize()'
    return [platform, `${size}${total === '' ? '' : ` + ${total}`};`]
  }

  /** Workspaces lie behind each other, each from a new line of the cache on. */
  private workspaceSizes(): string[] {
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
    return [...sizes, ...offsets]
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
