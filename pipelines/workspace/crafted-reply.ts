import type {Crafted} from '../../datasets/schema/crafted.ts'
import {readProgram} from '../ascendcraft/language/check.ts'
import type {ModelCases} from '../../eval/bench/whole-model.ts'
import type {HostParameter} from '../ascendcraft/language/ast.ts'
import {sixStrings} from '../ascendcraft/lower/six-strings.ts'

type Signature = Pick<ModelCases, 'made' | 'called'>

/**
 * A crafted program as a reply in six strings, with a model that passes the arguments of `Model` under the names of the
 * program's parameters.
 * @param model constructor and call arguments of the task's model
 * @returns undefined when nothing is correct, or when a model wrote Ascend C without a program
 */
export function craftedReply({task, program, files}: Crafted, model: Signature): string | undefined {
  if (program === undefined || files.length === 0) return undefined
  const read = readProgram(program)
  if (!read.ok) return undefined
  return sixStrings(read.checked, task.name, modelSource(task.name, read.checked.module.host.parameters, model))
}

function modelSource(name: string, parameters: readonly HostParameter[], {made, called}: Signature): string {
  const forward = namesIn(called)
  const given = parameters
    .filter(({kind}) => kind !== 'output')
    .map((one) => (forward.includes(one.name) ? one.name : `self.${one.name}`))
  const kept = parameters.flatMap((one) =>
    one.kind === 'attribute' && !forward.includes(one.name)
      ? [`        self.${one.name} = ${namesIn(made).includes(one.name) ? one.name : String(one.default)}`]
      : [],
  )
  return [
    'import torch',
    'import custom_ops_lib',
    '',
    '',
    'class ModelNew(torch.nn.Module):',
    `    def __init__(${['self', ...made].join(', ')}):`,
    '        super().__init__()',
    ...kept,
    '',
    `    def forward(${['self', ...called].join(', ')}):`,
    `        return custom_ops_lib.${name}_custom(${given.join(', ')})`,
    '',
  ].join('\n')
}

const namesIn = (parameters: readonly string[]) => parameters.map((one) => one.split('=')[0] ?? one)
