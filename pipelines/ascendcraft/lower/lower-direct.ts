import {Needs} from './scalar-code.ts'
import {kernelName} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {CheckedModule} from '../language/checked.ts'
import {allocations, functionParameters, helperCode, returned, returnType} from './binding.ts'
import {definition, printCode, separated, type Code} from './cpp-text.ts'
import {outputsOf} from './lower-host-files.ts'
import {HostWriter, inputsOf} from './host-tiling.ts'
import {hasTiling} from './init-body.ts'
import {kernelLines} from './kernel-file.ts'
import {camelCase} from './cpp-names.ts'
import {planKernel, type KernelPlan} from './plan-lowering.ts'
import {workspaceFields, workspacesOf} from './workspaces.ts'

/** The reply's metadata. */
interface DirectReply {
  /** CamelCase; the function of the Python module has this name in snake_case. */
  operator: string
  /** The benchmark's task, such as `relu`. */
  problem: string
  author: string
  description: string
  /** Python of `ModelNew`, which calls `benchmark_ops.<operator in snake_case>`. */
  modelSource: string
}

/** A program as a reply in the language `ascendc_direct_launch` of a benchmark: JSON with all its files. */
export function directLaunch(checked: CheckedModule, reply: DirectReply): string {
  const snake = kernelName(reply.operator)
  const sources = [{path: 'ModelNew.py', content: reply.modelSource}].concat(
    directFiles(checked, reply.operator).map(({path, text}) => ({path, content: text})),
  )
  const json = {
    name: snake,
    author: reply.author,
    problem: reply.problem,
    format_version: '0.1',
    description: reply.description,
    entry: {model: 'ModelNew.py::ModelNew'},
    build: {type: 'ascendc_direct_launch'},
    sources,
  }
  return `${JSON.stringify(json, null, 2)}\n`
}

/**
 * The model of a reply in six strings as one of this language: it finds the module where the benchmark builds it, and
 * functions of the module are named after the operator.
 * @param task the name in six strings, of which the function is `<task>_custom`
 */
export function directModel(modelSource: string, task: string, operator: string): string {
  const model = modelSource
    .replaceAll('custom_ops_lib', 'benchmark_ops')
    .replaceAll(new RegExp(`\\b${task}_custom\\b`, 'g'), kernelName(operator))
  const lines = [
    'import sys',
    'from pathlib import Path',
    '',
    'sys.path.insert(0, str(Path(__file__).resolve().parent / "kernel" / "build"))',
    '',
  ]
  return `${lines.join('\n')}\n${model}`
}

/** Kernel with its launch, the header of both sides, and the binding that computes the tiling. */
export function directFiles(checked: CheckedModule, operator: string): SourceFile[] {
  const plan = planKernel(checked)
  const snake = kernelName(operator)
  const kernel = kernelLines(plan, operator, 'aligned', {
    headers: [`#include "${snake}_launch.h"`, ''],
    entry: launchLines(plan, operator),
  })
  const text = (code: Code) => `${printCode(code).join('\n')}\n`
  return [
    {path: `kernel/${snake}_launch.h`, text: text(launchHeader(plan, operator))},
    {path: `kernel/${snake}_kernel.cpp`, text: text(kernel)},
    {path: 'kernel/pybind11.cpp', text: text(bindingLines(plan, operator))},
  ]
}

const fieldTypes = {int: 'int64_t', float: 'float', bool: 'bool'} as const

function launchHeader(plan: KernelPlan, operator: string): Code {
  const guard = `${kernelName(operator).toUpperCase()}_LAUNCH_H`
  const fields = [
    ...plan.fields.map(({field, parameter}) => `${fieldTypes[parameter.type]} ${field};`),
    ...workspaceFields(plan).map(({field}) => `int64_t ${field};`),
  ]
  return separated([
    [`#ifndef ${guard}`, `#define ${guard}`],
    ['#include <cstdint>'],
    hasTiling(plan)
      ? ['/// What the host computes for all cores.', `struct ${operator}TilingData {`, fields, '};']
      : [],
    ['/// Starts the kernel on `stream`; addresses are those of the device.', `${launchHead(plan, operator)};`],
    [`#endif // ${guard}`],
  ])
}

/** Tensors that the kernel touches, and its workspace. */
function addressNames({gm, checked}: KernelPlan): string[] {
  const touched = new Set([...gm.values()].map(({argument}) => argument))
  const tensors = checked.module.host.parameters.filter(({kind, name}) => kind !== 'attribute' && touched.has(name))
  const hasWorkspace = [...gm.values()].some(({of}) => of === 'workspace')
  return [...tensors.map(({name}) => name), ...(hasWorkspace ? ['workspace'] : [])]
}

function launchHead(plan: KernelPlan, operator: string): string {
  const addresses = addressNames(plan).map((name) => `uint8_t* ${name}`)
  const tiling = hasTiling(plan) ? [`const ${operator}TilingData& tiling`] : []
  return `void Launch${operator}(uint32_t cores, void* stream, ${[...addresses, ...tiling].join(', ')})`
}

function launchLines(plan: KernelPlan, operator: string): Code {
  const snake = kernelName(operator)
  const addresses = addressNames(plan)
  const tiling = hasTiling(plan)
  const parameters = [
    ...addresses.map((name) => `GM_ADDR ${name}`),
    ...(tiling ? [`${operator}TilingData tiling`] : []),
  ]
  const names = [...addresses, ...(tiling ? ['tiling'] : [])].join(', ')
  return separated([
    definition(`__global__ __aicore__ void ${snake}(${parameters.join(', ')})`, [
      ...(plan.checked.usesSyncAll ? ['KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);'] : []),
      `${operator}Kernel op;`,
      `op.Init(${names});`,
      'op.Process();',
    ]),
    definition(launchHead(plan, operator), [`${snake}<<<cores, nullptr, stream>>>(${names});`]),
  ])
}

function bindingLines(plan: KernelPlan, operator: string): Code {
  const {checked} = plan
  const {parameters} = checked.module.host
  const snake = kernelName(operator)
  const needs = new Needs()
  const outputs = outputsOf(parameters).map(({name}) => camelCase(name))
  const touched = addressNames(plan)
  const inputs = inputsOf(parameters).filter(({name}) => touched.includes(name))
  const body = new HostWriter(plan, needs, 'torch', (host) => [
    ...host.workspaceSizes(),
    ...inputs.map(({name}) => `const at::Tensor ${camelCase(name)}Data = ${camelCase(name)}.contiguous();`),
    ...allocations(checked, plan.hostFacts, needs),
    ...workspaceTensor(plan),
    ...(hasTiling(plan) ? [`${operator}TilingData tiling{};`] : []),
    ...host.fields((field, value) => `tiling.${field} = ${value};`),
    'void* stream = c10_npu::getCurrentNPUStream().stream(false);',
    `Launch${operator}(${[
      `static_cast<uint32_t>(${host.cores()})`,
      'stream',
      ...touched.map((name) =>
        address(inputs.some((one) => one.name === name) ? `${camelCase(name)}Data` : camelCase(name)),
      ),
      ...(hasTiling(plan) ? ['tiling'] : []),
    ].join(', ')});`,
    returned(outputs),
  ]).write()
  return separated([
    [
      ...[...needs.headers].sort().map((name) => `#include <${name}>`),
      ...(needs.headers.size > 0 ? [''] : []),
      '#include <torch/extension.h>',
      '',
      '#include "torch_npu/csrc/core/npu/NPUStream.h"',
      '',
      `#include "${snake}_launch.h"`,
    ],
    ...[...needs.helpers].map(helperCode),
    definition(`${returnType(outputs.length)} ${camelCase(snake)}(${functionParameters(parameters)})`, body),
    ['PYBIND11_MODULE(benchmark_ops, m)', '{', [`m.def("${snake}", &${camelCase(snake)});`], '}'],
  ])
}

const address = (tensor: string) => `static_cast<uint8_t*>(${tensor}.data_ptr())`

function workspaceTensor(plan: KernelPlan): string[] {
  const bytes = workspacesOf(plan).map(({name}) => `${camelCase(name)}Bytes`)
  if (bytes.length === 0) return []
  const [first] = inputsOf(plan.checked.module.host.parameters)
  const options = `${camelCase(first?.name ?? 'x')}.options().dtype(at::kByte)`
  return [`const at::Tensor workspace = at::empty({${bytes.join(' + ')}}, ${options});`]
}
