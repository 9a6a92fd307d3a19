import type {HostParameter} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {definition, printCode, separated, type Code} from './cpp-text.ts'
import {elementNames} from './cpp-elements.ts'
import type {Facts} from './facts.ts'
import {hostDialect} from './host-dialect.ts'
import {outputsOf} from './lower-host-files.ts'
import {attributesOf, inputsOf} from './host-tiling.ts'
import {camelCase} from './cpp-names.ts'
import {planKernel} from './plan-lowering.ts'
import {scalarCode, helperDefinition, Needs} from './scalar-code.ts'

/** Types of attributes in functions that Python calls; aclnn takes floats as double. */
const attributeTypes = {float: 'double', int: 'int64_t', bool: 'bool'} as const

/** The C++ by which PyTorch calls an operator that is installed, as one file; the module's function is `called`. */
export function pythonBinding(checked: CheckedModule, operator: string, called: string): string {
  const {parameters} = checked.module.host
  const needs = new Needs()
  const name = camelCase(called)
  const {hostFacts} = planKernel(checked)
  const given = [...inputsOf(parameters), ...attributesOf(parameters)].map((one) => camelCase(one.name))
  const outputs = outputsOf(parameters).map((one) => camelCase(one.name))
  const body = [
    ...allocations(checked, hostFacts, needs),
    `EXEC_NPU_CMD(aclnn${operator}, ${[...given, ...outputs].join(', ')});`,
    returned(outputs),
  ]
  const text = separated([
    ['#include <torch/extension.h>', '#include <torch/library.h>', '', '#include "pytorch_npu_helper.hpp"'],
    ...[...needs.helpers].map((helper) => helperCode(helper)),
    definition(`${returnType(outputs.length)} ${name}(${functionParameters(parameters)})`, body),
    ['TORCH_LIBRARY_IMPL(myops, PrivateUse1, m)', '{', [`m.impl("${called}", &${name});`], '}'],
    ['PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)', '{', [`m.def("${called}", &${name});`], '}'],
  ])
  return `${printCode(text).join('\n')}\n`
}

export function helperCode(name: string): Code {
  const [head = '', ...lines] = helperDefinition(name)
  return definition(`static ${head}`, lines)
}

/** What Python passes: tensors, then attributes. */
export function functionParameters(parameters: readonly HostParameter[]): string {
  return [
    ...inputsOf(parameters).map(({name}) => `const at::Tensor& ${camelCase(name)}`),
    ...attributesOf(parameters).map(({name, type}) => `${attributeTypes[type]} ${camelCase(name)}`),
  ].join(', ')
}

/** Outputs with the shapes that the program says, where the inputs are. */
export function allocations({module, hostScalars}: CheckedModule, facts: Facts, needs: Needs): string[] {
  const {parameters} = module.host
  const [first] = inputsOf(parameters)
  const dialect = hostDialect({
    checked: {hostScalars},
    facts,
    needs,
    nameOf: camelCase,
    shapeOf: (tensor) => `${camelCase(tensor)}.`,
    sizes: 'torch',
  })
  return outputsOf(parameters).map(({name, type, shape}) => {
    if (type.kind !== 'type') throw new TypeError(`lowering: ${name} has no element type`)
    const sizes = shape.map((axis) => scalarCode(axis, dialect).text).join(', ')
    const options = `${camelCase(first?.name ?? name)}.options().dtype(${elementNames(type.type).torch})`
    return `at::Tensor ${camelCase(name)} = at::empty({${sizes}}, ${options});`
  })
}

export function returnType(outputs: number): string {
  return outputs === 1 ? 'at::Tensor' : `std::tuple<${Array.from({length: outputs}, () => 'at::Tensor').join(', ')}>`
}

export function returned(outputs: readonly string[]): string {
  return outputs.length === 1 ? `return ${outputs[0]};` : `return std::make_tuple(${outputs.join(', ')});`
}
