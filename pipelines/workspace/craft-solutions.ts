import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {contentId} from '../../engine/ids.ts'
import {PipelineError} from '../../engine/errors.ts'
import {walk} from '../../engine/files.ts'
import type {ReplySource} from '../../eval/bench/whole-model.ts'
import {readProgram} from '../ascendcraft/language/check.ts'
import type {CheckedModule} from '../ascendcraft/language/checked.ts'
import type {ElementType} from '../ascendcraft/language/dtypes.ts'
import {directLaunch, directModel} from '../ascendcraft/lower/lower-direct.ts'
import {operatorType, sixStrings} from '../ascendcraft/lower/six-strings.ts'

const library = new URL('../ascendcraft/library/solutions/', import.meta.url)

/** The reply languages that programs are lowered to, by their names on the command line. */
const forms = {
  solutions: {id: 'six-strings 1', reply: sixStrings},
  'direct-solutions': {id: 'direct-launch 1', reply: direct},
} as const
type Form = keyof typeof forms

export function isCraftForm(name: string): name is Form {
  return name in forms
}

/** Our own programs for tasks of a benchmark of models, lowered to replies in its harness's format. */
export async function craftSolutions(form: Form = 'solutions', folder: URL = library): Promise<ReplySource> {
  const {id, reply} = forms[form]
  const programs = await programsOf(folder)
  return {
    id: contentId([id, ...programs.entries()]),
    name: form,
    async repliesTo(names, element?: ElementType) {
      const name = names.find((one) => programs.has(one))
      const program = name === undefined ? undefined : programs.get(name)
      if (name === undefined || !program) return []
      const read = readProgram(program.text, element === undefined ? undefined : {T: element})
      if (!read.ok) throw faulty(name, read.faults[0]?.message ?? 'it is no program')
      return [{reply: reply(read.checked, name.split('/').at(-1) ?? name, program.model)}]
    },
  }
}

function direct(checked: CheckedModule, task: string, model: string): string {
  const operator = operatorType(task)
  return directLaunch(checked, {
    operator,
    problem: task,
    author: 'AscendCraft',
    description: `${task}, lowered from a program in a tile language.`,
    modelSource: directModel(model, task, operator),
  })
}

interface Program {
  text: string
  model: string
}

/** By `<category>/<name>`. */
async function programsOf(folder: URL): Promise<Map<string, Program>> {
  const programs = new Map<string, Program>()
  for await (const model of walk(fileURLToPath(folder))) {
    if (!model.endsWith('.model.py')) continue
    const name = model.slice(0, -'.model.py'.length)
    const [program, source] = [new URL(`${name}.py`, folder), new URL(model, folder)]
    if (!existsSync(program)) throw faulty(name, 'it has a model and no program')
    programs.set(name, {text: await readFile(program, 'utf8'), model: await readFile(source, 'utf8')})
  }
  return programs
}

function faulty(name: string, why: string): PipelineError {
  return new PipelineError('input-invalid', `The solution ${name} cannot be lowered: ${why}`, {
    fix: 'Fix it in pipelines/ascendcraft/library/solutions.',
  })
}
