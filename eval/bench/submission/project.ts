import {z} from 'zod'
import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {jsonIn} from '../../../engine/json.ts'
import type {SixStrings} from './read-reply.ts'

/** The strings as the files of an operator project. */
export interface OperatorProject {
  definition: OperatorDefinition
  files: SourceFile[]
}

const Named = z.object({name: z.string()})
const Described = z.object({
  op: z.string(),
  input_desc: z.array(Named).default([]),
  output_desc: z.array(Named).default([]),
  attr: z.array(Named).default([]),
})
const ProjectJson = z.union([z.array(Described).min(1), Described.transform((one) => [one])])

/** The file names of the harness: `<stem>_custom`. */
export function projectFiles(stem: string, strings: SixStrings): SourceFile[] {
  const base = `${stem}_custom`
  return [
    {path: `op_host/${base}_tiling.h`, text: strings.host_tiling_src},
    {path: `op_host/${base}.cpp`, text: strings.host_operator_src},
    {path: `op_kernel/${base}.cpp`, text: strings.kernel_src},
  ]
}

/** The project, or why msopgen's input and the definition do not match. */
export function operatorProject(stem: string, strings: SixStrings): OperatorProject | {fault: string} {
  const json = ProjectJson.safeParse(jsonIn(strings.project_json_src))
  if (!json.success) return {fault: `project_json_src: ${json.error.issues[0]?.message ?? 'no JSON'}`}
  const described = json.data[0] as z.infer<typeof Described>
  const definition = parseOperatorDefinitions(strings.host_operator_src).find(({operator}) => operator === described.op)
  if (!definition) return {fault: `host_operator_src: no \`class ${described.op} : public OpDef\` of project_json_src`}
  const sides = [
    ['input_desc', described.input_desc, definition.inputs],
    ['output_desc', described.output_desc, definition.outputs],
    ['attr', described.attr, definition.attributes],
  ] as const
  for (const [key, ours, theirs] of sides) {
    const [said, defined] = [ours, theirs].map((list) => list.map(({name}) => name).join(', '))
    if (said !== defined) return {fault: `project_json_src: ${key} is (${said}), the definition has (${defined})`}
  }
  return {definition, files: projectFiles(stem, strings)}
}
