import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {CheckedProject} from '../../../datasets/schema/operator.ts'
import {readProgram} from '../../../pipelines/ascendcraft/language/check.ts'
import {lower} from '../../../pipelines/ascendcraft/lower/lower.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import {entryFile} from '../../../eval/executors/kernel-unit.ts'
import flatten from '../../../sources/kernels/flatten.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {golden} from '../../helpers/golden.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {describedSources} from '../../helpers/described.ts'

// What the offline writer tells of each file of real operators: the words were read beside the code, and stay.

async function told(projects: readonly CheckedProject[], seed: string): Promise<string> {
  const {outputs: sources} = await runStage(flatten({entryFile}), projects)
  const checked = sources.map(({within: _, ...source}) => ({...source, proof: 'parsed' as const}))
  const {outputs, dropped} = await runStage(kernelCot(), await describedSources(checked), {seed})
  expect(dropped).toEqual([])
  const pages = outputs.map(({origin, language, prompt, reasoning}) => {
    // The code that is given stands in the operator's own files.
    const asked = prompt.replaceAll(/```[\s\S]*?```/g, '```…```')
    return `# ${origin.path} (${language})\n\n${asked}\n\n---\n\n${reasoning}\n`
  })
  return pages.join('\n')
}

describe('bundled operators', async () => {
  const {outputs} = await runStage(operatorProjects(), [{root: 'sources/starter/operators'}])
  // Words are drawn by what a record is, and the revision of this checkout is part of that.
  const projects = outputs.map((project) => ({
    ...project,
    origin: {...project.origin, repository: 'fixtures', revision: '1'},
    verdicts: {},
  }))
  test.each(['a', 'b'])('as the seed %s draws the words', async (seed) => {
    golden(`test/fixtures/told/bundled-${seed}.md`, await told(projects, seed))
  })
})

test('operators that were written in the small language, and lowered', async () => {
  const root = 'pipelines/ascendcraft/library/examples'
  const programs = readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.py'))
    .sort()
  const projects = programs.map((name): CheckedProject => {
    const read = readProgram(readFileSync(`${root}/${name}`, 'utf8'), {})
    if (!read.ok) throw new TypeError(`${name}: ${read.faults[0]?.message}`)
    const {files} = lower(read.checked, {operator: 'Example'})
    const side = (folder: string) => files.filter(({path}) => path.startsWith(folder))
    return {
      origin: {repository: 'fixtures', revision: '1', path: name, licence: 'Apache-2.0'},
      operator: 'Example',
      host: side('op_host/'),
      kernel: side('op_kernel/'),
      verdicts: {},
    }
  })
  golden('test/fixtures/told/lowered.md', await told(projects, 'a'))
})
