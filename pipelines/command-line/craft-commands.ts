import {declared, type Declared} from './declared.ts'
import {configOf} from './given.ts'
import {count, dashed, flag, named, text} from './option.ts'
import {shared, startAnyway, torch} from './usual-options.ts'

/** What only a model needs, and its default. */
const ofModels = {
  tasks: '*',
  rounds: 3,
  lowering: 'compiler',
  without: undefined,
  startAnyway: false,
}

export const craftCommands: readonly Declared[] = [
  declared({
    name: 'craft',
    operands: ['[folder]'],
    about: {'[folder]': 'a program by hand and its task, as `craft new` writes them'},
    help: "write operators in the tile language: by hand in a folder, or a model for a benchmark's tasks",
    examples: ['craft my_softmax --watch', 'craft --root ~/checkout --tasks activation/*'],
    options: {
      ...shared,
      watch: flag('with a folder: look again after every save'),
      root: named('<path>', 'for a model to write: checkout of a benchmark of whole models, or a module of PyTorch'),
      tasks: text('<glob>', 'only tasks whose path or name matches, e.g. activation/*', ofModels.tasks),
      rounds: count('<count>', 'replies per step at most', ofModels.rounds),
      lowering: named('<by>', 'who writes Ascend C from the program: compiler or model', ofModels.lowering),
      without: named(
        '<parts>',
        'for ablations, what to omit, comma-separated: dsl, examples, passes, feedback, alignment',
      ),
      python: torch,
      startAnyway,
    },
    fault([folder], {root, watch, ...asked}) {
      if ((folder === undefined) === (root === undefined)) return 'give either a folder or --root <checkout>'
      if (folder === undefined) return watch ? '--watch looks at a folder: give one' : undefined
      const unused = Object.entries(ofModels).find(([name, usual]) => asked[name as keyof typeof ofModels] !== usual)
      return unused && `--${dashed(unused[0])} is for a model that writes, with --root: omit it beside a folder`
    },
    async run([folder], {config, out, seed, set, watch, root = '', ...asked}, world) {
      const given = await configOf({config, out, seed, set}, world)
      if (folder !== undefined) {
        const {craftByHand} = await import('../commands/craft-by-hand.ts')
        return craftByHand({folder, watch, python: asked.python, json: asked.json}, given, world)
      }
      const {craftTasks} = await import('../commands/craft-tasks.ts')
      return craftTasks({root, ...asked}, given, world)
    },
  }),
  declared({
    name: 'craft new',
    operands: ['<folder>'],
    help: 'write a program of the tile language that is right, with its task, to be changed',
    examples: ['craft new my_operator', 'craft new my_gelu --module gelu.py'],
    options: {
      ...{config: shared.config, out: shared.out, set: shared.set},
      module: named('<file>', 'a module of PyTorch with Model and get_inputs, for which to write a program'),
      python: torch,
    },
    async run([folder], {config, out, set, ...asked}, world) {
      const {craftNew} = await import('../commands/craft-by-hand.ts')
      return craftNew({folder, ...asked}, () => configOf({config, out, set}, world), world)
    },
  }),
]
