import type {KernelFunction} from '../ast.ts'
import type {KernelParameter, ScalarType} from '../checked.ts'
import {vectorCores} from '../dtypes.ts'
import type {Findings} from './findings.ts'
import type {HostFacts} from './check-host.ts'
import {exactly, type Range} from './ranges.ts'

/** What the launch gives to the kernel: its parameters, and the ranges of those that are numbers. */
export interface Bound {
  parameters: KernelParameter[]
  ranges: Map<string, Range>
  cores: Range
}

/** Binds the arguments of the launch to the kernel's parameters, in their order. */
export function bindLaunch(kernel: KernelFunction, host: HostFacts, findings: Findings): Bound {
  const {launch} = host
  const bound: Bound = {parameters: [], ranges: new Map(), cores: {low: 1, high: vectorCores}}
  if (!launch) return bound
  if (launch.kernel !== kernel.name) {
    findings.refuse(launch, 'launch', `there is no kernel ${launch.kernel}`, `launch ${kernel.name}`)
  }
  checkCores(launch.cores, host, findings)
  const cores = host.range(launch.cores)
  bound.cores = {low: Math.max(1, cores.low), high: Math.max(1, Math.min(vectorCores, cores.high))}
  if (launch.arguments.length !== kernel.parameters.length) {
    const message = `the launch passes ${launch.arguments.length} arguments to ${kernel.parameters.length} parameters`
    findings.refuse(launch, 'launch-arguments', message, 'pass one argument for each parameter, in their order')
    return bound
  }
  const passed = new Set<string>()
  for (const [at, argument] of launch.arguments.entries()) {
    const {name} = kernel.parameters[at]!
    const tensor = argument.kind === 'name' ? host.tensors.get(argument.name) : undefined
    if (!tensor || argument.kind !== 'name') {
      bound.parameters.push({name, kind: 'scalar', type: numberOf(argument, host, findings), argument})
      bound.ranges.set(name, argument.kind === 'number' ? exactly(argument.value) : host.range(argument))
      continue
    }
    if (passed.has(argument.name)) {
      findings.refuse(argument, 'launch-arguments', `${argument.name} is passed twice`, 'pass each tensor once')
    }
    passed.add(argument.name)
    const {type, of} = tensor
    bound.parameters.push({
      name,
      kind: 'gm',
      type,
      argument: argument.name,
      of,
      loaded: false,
      stored: false,
      added: false,
    })
  }
  return bound
}

function numberOf(argument: {line: number; column: number}, host: HostFacts, findings: Findings): ScalarType {
  const type = host.typeOf(argument as Parameters<HostFacts['typeOf']>[0])
  if (type === 'bool') {
    const mend = 'pass `1 if flag else 0` and compare it in the kernel'
    findings.refuse(argument, 'launch-arguments', 'the launch passes a bool', mend)
    return 'int'
  }
  return type ?? 'int'
}

function checkCores(cores: Parameters<HostFacts['range']>[0], host: HostFacts, findings: Findings): void {
  const {low, high} = host.range(cores)
  if (low > vectorCores) {
    const mend = `use at most ${vectorCores}, e.g. min(${vectorCores}, pieces)`
    findings.refuse(cores, 'cores', `the launch asks for ${low} cores and more; the chip has ${vectorCores}`, mend)
  }
  if (high < 1) findings.refuse(cores, 'cores', 'the launch asks for no core', 'use at least 1')
}
