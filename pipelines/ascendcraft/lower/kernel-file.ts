import {helperDefinition, Needs} from './scalar-code.ts'
import {kernelName} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {commentLines, definition, printCode, separated, type Code} from './cpp-text.ts'
import {repeatBytes, unitConstant} from './cpp-elements.ts'
import {blockBytes} from '../language/dtypes.ts'
import {initBody, initParameters, membersOf} from './init-body.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {processBody} from './process-body.ts'
import type {Refinement} from './stage-body.ts'
import {stageFunctions, type StageFunction} from './stage-functions.ts'

/** How much of the kernel is there. */
type KernelPass = 'entry' | 'initialised' | Refinement

/** The kernel as one of the passes leaves it. */
export function kernelFile(plan: KernelPlan, operator: string, pass: KernelPass): SourceFile {
  const lines = kernelLines(plan, operator, pass, {headers: [], entry: entry(plan, operator, pass)})
  return {path: `op_kernel/${kernelName(operator)}.cpp`, text: `${printCode(lines).join('\n')}\n`}
}

/** Where a writer of the kernel begins: an entry without a body. */
export function kernelTemplate({checked}: KernelPlan, operator: string): SourceFile {
  const tensors = checked.module.host.parameters.filter(({kind}) => kind !== 'attribute').map(({name}) => name)
  const parameters = [...tensors, 'workspace', 'tiling'].map((name) => `GM_ADDR ${name}`).join(', ')
  const head = `extern "C" __global__ __aicore__ void ${kernelName(operator)}(${parameters})`
  const lines = separated([['#include "kernel_operator.h"'], ['using namespace AscendC;'], definition(head, [])])
  return {path: `op_kernel/${kernelName(operator)}.cpp`, text: `${printCode(lines).join('\n')}\n`}
}

/** The code around a kernel's class. */
interface KernelFrame {
  headers: readonly string[]
  entry: Code
}

/** The lines of a kernel's file. */
export function kernelLines(plan: KernelPlan, operator: string, pass: KernelPass, frame: KernelFrame): Code {
  const needs = new Needs()
  const computes = pass === 'plain' || pass === 'aligned'
  const stages = computes ? stageFunctions(plan, needs, pass) : undefined
  const process = stages ? processBody(plan, needs, stages.callOf) : []
  const init = pass === 'entry' ? [] : initBody(plan, needs)
  const name = `${operator}Kernel`
  return separated([
    [
      ...frame.headers,
      '#include "kernel_operator.h"',
      ...(needs.constants.has('INFINITE') ? ['', '#include <limits>'] : []),
    ],
    ['using namespace AscendC;'],
    pass === 'entry' ? [] : constants(plan, needs),
    [
      ...commentLines([], '///'),
      `class ${name} {`,
      'public:',
      [`__aicore__ inline ${name}() {}`],
      '',
      ...(pass === 'entry'
        ? []
        : [definition(`__aicore__ inline void Init(${initParameters(plan, operator)})`, init), '']),
      definition('__aicore__ inline void Process()', process),
      ...privatePart(plan, needs, stages?.functions ?? [], pass),
      '};',
    ],
    frame.entry,
  ])
}

function privatePart(plan: KernelPlan, needs: Needs, functions: readonly StageFunction[], pass: KernelPass): Code {
  if (pass === 'entry') return []
  const helpers = [...needs.helpers].map(helperCode)
  const written = functions.map(({name, comments, parameters, body}) => [
    ...commentLines(comments, '///'),
    ...definition(`__aicore__ inline void ${name}(${parameters.join(', ')})`, body),
  ])
  return ['', 'private:', separated([...written, ...helpers, membersOf(plan)])]
}

function helperCode(name: string): Code {
  if (name === 'Synchronise')
    return [
      '/// The second pipe of the event waits for all that the first was given so far.',
      'template <HardEvent Event>',
      ...definition('__aicore__ inline void Synchronise()', [
        'const event_t eventId = static_cast<event_t>(GetTPipePtr()->FetchEventID(Event));',
        'SetFlag<Event>(eventId);',
        'WaitFlag<Event>(eventId);',
      ]),
    ]
  const [head = '', ...body] = helperDefinition(name)
  return definition(`__aicore__ inline static ${head}`, body)
}

function constants(plan: KernelPlan, needs: Needs): Code {
  const queues = [...plan.buffers.values()].filter(({role, blocks}) => role !== 'scratch' && blocks === 2)
  const units = [...needs.constants].filter((name) => name !== 'INFINITE').sort()
  return [
    ...(queues.length > 0 ? ['constexpr int32_t BUFFER_NUM = 2;'] : []),
    ...(units.some((one) => one.endsWith('BLOCK')) ? [`constexpr int64_t BLOCK_BYTES = ${blockBytes};`] : []),
    ...(units.some((one) => one.endsWith('REPEAT')) ? [`constexpr int64_t REPEAT_BYTES = ${repeatBytes};`] : []),
    ...units.map(unitConstant),
    ...(needs.constants.has('INFINITE') ? ['constexpr float INFINITE = std::numeric_limits<float>::infinity();'] : []),
  ]
}

/** The function that the device starts. */
function entry({checked, gm, body, fields}: KernelPlan, operator: string, pass: KernelPass): Code {
  const tensors = checked.module.host.parameters.filter(({kind}) => kind !== 'attribute').map(({name}) => name)
  const parameters = [...tensors, 'workspace', 'tiling'].map((name) => `GM_ADDR ${name}`).join(', ')
  const hasWorkspace = [...gm.values()].some(({of}) => of === 'workspace')
  const given = tensors.filter((name) => [...gm.values()].some(({argument}) => argument === name))
  const last = [...(hasWorkspace ? ['GetUserWorkspace(workspace)'] : []), ...(fields.length > 0 ? ['tilingData'] : [])]
  const usesSync = checked.usesSyncAll && body.length > 0
  return definition(`extern "C" __global__ __aicore__ void ${kernelName(operator)}(${parameters})`, [
    ...(usesSync ? ['KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);'] : []),
    // Of a structure without fields the host writes nothing, and the kernel would read a byte.
    ...(fields.length > 0 ? ['GET_TILING_DATA(tilingData, tiling);'] : []),
    `${operator}Kernel op;`,
    ...(pass === 'entry' ? [] : [`op.Init(${[...given, ...last].join(', ')});`]),
    'op.Process();',
  ])
}
