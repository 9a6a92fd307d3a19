import {count, size, table} from './card-sections.ts'
import type {Artifact} from '../schema/sample.ts'
import type {ConfigStats} from './stats.ts'
import {viewNames, viewOf} from '../views/view-forms.ts'

/** Which trainers read the data directly, the views next to it, and how to make the others. */
export function viewSection(artifacts: readonly Artifact[], stats: readonly ConfigStats[]): string {
  const configs = stats.map(({config}) => config)
  const offered = viewNames.filter((name) => configs.some((config) => viewOf(name).forms[config]))
  const filesOf = (name: string) =>
    artifacts.filter(({kind, path, rows}) => kind === 'view' && rows > 0 && path.startsWith(`views/${name}/`))
  const there = offered.filter((name) => filesOf(name).length > 0)
  const isTrained = offered.some((name) => !viewOf(name).isJson)
  if (!isTrained && there.length === 0) return ''
  const missing = offered.filter((name) => !there.includes(name))
  const rows = there.map((name) => {
    const files = filesOf(name)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const held = files.map(({config, split, rows}) => `${config} ${split} ${count(rows)}`).join(', ')
    return [`\`views/${name}\``, held, size(bytes), viewOf(name).use]
  })
  return [
    '## Trainers',
    ...(isTrained ? ['TRL takes `sft` (SFTTrainer) and `dpo` (DPOTrainer) directly, without any mapping.'] : []),
    ...(rows.length > 0
      ? [
          'The same rows in the formats of other trainers; `load_dataset` and the viewer do not find them:',
          table(['folder', 'rows', 'size', 'how to use it'], rows),
        ]
      : []),
    ...(artifacts.some(({path}) => path.startsWith('views/arrow/'))
      ? ['`views/arrow` has all columns as Arrow files (Feather, version 2), for tools that map them into memory.']
      : []),
    ...(missing.length > 0
      ? [
          `Available on demand, each about as large as the rows it repeats: ${missing.map(quoted).join(', ')}, by ` +
            `\`npx ascend-cot run card --set export.views=[${missing[0]}]\`.`,
        ]
      : []),
  ].join('\n\n')
}

const quoted = (name: string) => `\`${name}\``
