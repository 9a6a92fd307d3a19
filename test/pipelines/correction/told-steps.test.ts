import {describe, expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import {reasonFor} from '../../../pipelines/correction/offline/step-reasons.ts'
import apiIndex from '../../../pipelines/documentation/api-index.ts'
import {mutationsByClass} from '../../../pipelines/preference/mutations.ts'
import {type Mutation, plantAt, viewFiles} from '../../../pipelines/preference/mutations/mutation.ts'
import documentationPages from '../../../sources/docs/pages.ts'
import {golden} from '../../helpers/golden.ts'
import {nthWording, said as inWords} from '../../helpers/nth-wording.ts'
import {runStage} from '../../helpers/run-stage.ts'

// What is said of the way back from each kind of fault, in operators of several shapes: read beside the code, and kept.

const product = '910b'
const folder = {root: 'sources/starter/docs', repository: 'starter', revision: '1', licence: 'Apache-2.0'}
const pages = await runStage(documentationPages({product}), [folder])
const {outputs} = await runStage(apiIndex({product}), pages.outputs)
const apis = new Map(outputs.map((entry) => [entry.name, entry]))
const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])

/** As a compiler complains of a name that only the failed text has. */
function complaints(failed: readonly SourceFile[], right: readonly SourceFile[]): string[] {
  const names = (files: readonly SourceFile[]) => files.flatMap(({text}) => text.match(/[A-Za-z_]\w*/g) ?? [])
  const known = new Set(names(right))
  return [...new Set(names(failed))]
    .filter((name) => !known.has(name))
    .map((name) => `use of undeclared identifier '${name}'`)
}

function toldOf(mutation: Mutation, right: readonly SourceFile[], language: 'en' | 'zh'): string[] {
  const places = mutation.places(viewFiles(right))
  const middle = places[Math.floor(places.length / 2)]
  if (!middle) return []
  const {files: failed, detail} = plantAt(right, middle)
  const scene = {apis, failed, right, errors: complaints(failed, right)}
  const reasons = editsBetween(failed, right).map((edit) =>
    inWords(reasonFor(edit, {...scene, log: ''}), nthWording(language)),
  )
  return [`- ${detail}`, ...reasons.map((one) => (one ? `  ${one.fault} ${one.why}` : '  (nothing)'))]
}

describe.each([
  ['en', ['RowSoftmax', 'QuantizeInt8', 'BiasAdd']],
  ['zh', ['ReGlu', 'SmoothL1Loss', 'EmaUpdate']],
] as const)('in %s', (language, names) => {
  test.each(names)('%s', (name) => {
    const task = tasks.find((one) => one.name === name)
    expect(task?.answer.length).toBeGreaterThan(1)
    const lines = Object.entries(mutationsByClass).flatMap(([fault, mutations]) =>
      mutations.flatMap((mutation) => {
        const told = toldOf(mutation, task?.answer ?? [], language)
        return told.length > 0 ? [`## ${fault}: ${mutation.name}`, '', ...told, ''] : []
      }),
    )
    golden(`test/fixtures/told/steps-${name}.md`, lines.join('\n'))
  })
})
