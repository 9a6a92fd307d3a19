import type {Module} from './ast.ts'
import {type BoundModule, bindTypes} from './bind-types.ts'
import type {CheckedModule} from './checked.ts'
import type {ElementType} from './dtypes.ts'
import type {Fault} from './program-fault.ts'
import {checkBounds} from './check/bounds.ts'
import {checkUb, findBuffers} from './check/check-buffers.ts'
import {checkCores} from './check/cores.ts'
import {Findings} from './check/findings.ts'
import {checkFlow} from './check/flow.ts'
import {checkHost, type HostFacts} from './check/check-host.ts'
import {buffersIn, checkKernelScalars} from './check/kernel-scalars.ts'
import {kernelRanges} from './check/kernel-ranges.ts'
import {bindLaunch} from './check/launch.ts'
import {checkOperands} from './check/check-operands.ts'
import {checkSections} from './check/sections.ts'
import {checkStructure} from './check/structure.ts'
import {visitKernel} from './check/walk.ts'
import {inOrder, readModule} from './parse.ts'

type CheckOutcome = {ok: true; checked: CheckedModule} | {ok: false; faults: Fault[]}

/**
 * Checks a program whose text has been read, for the given choices of its type parameters (by default the first of
 * each). What is refused is wrong for every input; what depends on inputs is left to the interpreter. Fails with
 * `input-invalid` where `types` names no choice of the program.
 */
function checkModule(module: Module, types?: Readonly<Record<string, ElementType>>): CheckOutcome {
  return checkBound(bindTypes(module, types))
}

/** Reads and checks a program. Faults are in line order. */
export function readProgram(text: string, types?: Readonly<Record<string, ElementType>>): CheckOutcome {
  const read = readModule(text)
  return read.ok ? checkModule(read.module, types) : read
}

function checkBound({module, types}: BoundModule): CheckOutcome {
  const findings = new Findings()
  const {kernel, host} = module
  const hostFacts = checkHost(host, findings)
  checkSections(module, hostFacts.launch, findings)
  const bound = bindLaunch(kernel, hostFacts, findings)
  checkStructure(kernel.body, findings)
  // What the kernel's parameters are, the launch alone says.
  if (bound.parameters.length !== kernel.parameters.length) return {ok: false, faults: inOrder(findings.faults)}
  const buffers = findBuffers(kernel.body, findings)
  const elementTypes = buffersIn(kernel.body)
  const scalars = checkKernelScalars(kernel.body, {bound, buffers: elementTypes, places: kernel.parameters}, findings)
  const {typeOf} = scalars
  checkOperands(kernel.body, {buffers: elementTypes, parameters: bound.parameters, typeOf, findings})
  // Sizes, contents and cores are only checked if names and types are valid: otherwise one mistake would be reported
  // many times.
  if (findings.faults.length > 0) return {ok: false, faults: inOrder(findings.faults)}
  const range = kernelRanges(kernel.body, bound)
  checkUb(kernel.body, buffers, (buffer) => range(buffer.size), findings)
  checkBounds(kernel.body, {buffers, range, findings})
  checkFlow(kernel.body, buffers, findings)
  const parameters = checkCores(kernel.body, {parameters: bound.parameters, cores: bound.cores, findings})
  checkOutputs(module, parameters, hostFacts, findings)
  if (findings.faults.length > 0) return {ok: false, faults: inOrder(findings.faults)}
  let usesSyncAll = false
  visitKernel(kernel.body, (one) => {
    if (one.kind === 'sync_all') usesSyncAll = true
  })
  const {scalars: hostScalars} = hostFacts
  return {ok: true, checked: {module, types, parameters, buffers, scalars: scalars.scalars, hostScalars, usesSyncAll}}
}

/** Every output is stored to. */
function checkOutputs(
  {host}: Module,
  parameters: CheckedModule['parameters'],
  {launch}: HostFacts,
  findings: Findings,
): void {
  for (const output of host.parameters.filter(({kind}) => kind === 'output')) {
    const isStored = parameters.some((one) => one.kind === 'gm' && one.argument === output.name && one.stored)
    if (isStored) continue
    const mend = `pass ${output.name} in the launch, and tl.store every element of it`
    findings.refuse(launch ?? output, 'output-missing', `the kernel never stores to the output ${output.name}`, mend)
  }
}
