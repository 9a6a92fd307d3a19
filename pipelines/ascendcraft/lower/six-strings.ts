import type {HostParameter} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {pythonBinding} from './binding.ts'
import {elementNames} from './cpp-elements.ts'
import {outputsOf} from './lower-host-files.ts'
import {attributesOf, inputsOf} from './host-tiling.ts'
import {lower} from './lower.ts'

/**
 * A program as a reply in the language `ascendc` of a benchmark: one block of Python that defines six strings.
 * The benchmark names files after the task, `max_pooling_1d_custom`, and types after its words, `MaxPooling1dCustom`.
 * @param task stem of the task's file, e.g. `max_pooling_1d`
 * @param modelSource Python of `ModelNew`, which calls `custom_ops_lib.<task>_custom`
 */
export function sixStrings(checked: CheckedModule, task: string, modelSource: string): string {
  const [base, operator] = [`${task}_custom`, operatorType(task)]
  const {files} = lower(checked, {operator, base})
  const text = (pattern: RegExp) => files.find(({path}) => pattern.test(path))?.text ?? ''
  const strings = {
    project_json_src: projectJson(checked, operator),
    host_tiling_src: text(/_tiling\.h$/),
    host_operator_src: text(/^op_host\/.*\.cpp$/),
    kernel_src: text(/^op_kernel\//),
    python_bind_src: pythonBinding(checked, operator, base),
    model_src: modelSource.endsWith('\n') ? modelSource : `${modelSource}\n`,
  }
  const lines = Object.entries(strings).map(([name, value]) => `${name} = ${pythonText(value)}`)
  return `\`\`\`python\n${lines.join('\n\n')}\n\`\`\`\n`
}

/** The type that an operator of a task has: `MaxPooling1dCustom` of `max_pooling_1d`. */
export function operatorType(task: string): string {
  return `${task}_custom`.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase())
}

/** A string of Python, raw where its text allows that. */
function pythonText(text: string): string {
  const quotes = text.includes("'''") ? '"""' : "'''"
  if (!text.includes(quotes)) return `r${quotes}\n${text}${quotes}`
  return JSON.stringify(text)
}

/** The definition that msopgen makes a project from. */
function projectJson({module}: CheckedModule, operator: string): string {
  const {parameters} = module.host
  const project = {
    op: operator,
    language: 'cpp',
    input_desc: inputsOf(parameters).map(tensorEntry),
    output_desc: outputsOf(parameters).map(tensorEntry),
    attr: attributesOf(parameters).map(({name, type, default: value}) => ({
      name,
      param_type: 'optional',
      type,
      default_value: String(value),
    })),
  }
  return `${JSON.stringify([project], null, 4)}\n`
}

function tensorEntry(parameter: HostParameter) {
  if (parameter.kind === 'attribute' || parameter.type.kind !== 'type')
    throw new TypeError(`lowering: ${parameter.name} has no element type`)
  const {json} = elementNames(parameter.type.type)
  return {name: parameter.name, param_type: 'required', format: ['ND'], type: [json]}
}
