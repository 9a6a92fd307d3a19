import {kernelName, type OperatorDefinition} from '../../../cpp/op-def.ts'

/** Types of attributes that the runner can pass, and the value of one without a value and a default. */
const attributes: Readonly<Record<string, string>> = {
  Int: '0',
  Float: '0.0',
  Bool: 'false',
  String: '""',
  ListInt: '{}',
  ListFloat: '{}',
}

/** What an operator takes that the runner cannot pass; undefined if there is nothing of the kind. */
export function beyondRunner({
  inputs,
  outputs,
  attributes: given,
  shapeFromKernel,
}: OperatorDefinition): string | undefined {
  const tensors = [...inputs, ...outputs]
  const odd = tensors.find(({kind, hostValue}) => kind === 'dynamic' || hostValue !== undefined)
  if (odd) return `${odd.name}: a list of tensors, or values that the host is given`
  const unknown = given.find(({type}) => !(type in attributes))
  if (unknown) return `${unknown.name}: an attribute of type ${unknown.type}`
  return shapeFromKernel ? 'an output whose shape the kernel decides' : undefined
}

/**
 * `call.h` of the runner: the two functions of the generated interface, with inputs, attributes and outputs in the
 * order of the definition (asc-devkit, "calling a custom operator"). An output that is an input is its argument alone.
 */
export function callText({operator, inputs, outputs, attributes: given}: OperatorDefinition): string {
  const names = new Set(inputs.map(({name}) => name))
  const parameters = [
    ...inputs.map(({name}) => `given.Input("${name}")`),
    ...given.map(({name, type, default: value}) => `given.${type}("${name}", ${value || attributes[type]})`),
    ...outputs.flatMap(({name}) => (names.has(name) ? [] : [`given.Output("${name}")`])),
  ]
  return [
    `#include "aclnn_${kernelName(operator)}.h"`,
    'static int Plan(Case& given, uint64_t* bytes, aclOpExecutor** executor) {',
    `    return aclnn${operator}GetWorkspaceSize(${[...parameters, 'bytes', 'executor'].join(', ')});`,
    '}',
    'static int Start(void* workspace, uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {',
    `    return aclnn${operator}(workspace, bytes, executor, stream);`,
    '}',
    '',
  ].join('\n')
}
