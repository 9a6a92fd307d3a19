import {expect, test} from 'vitest'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import {entryFile} from '../../../eval/executors/kernel-unit.ts'
import flatten from '../../../sources/kernels/flatten.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {describedSources} from '../../helpers/described.ts'
import {runStage} from '../../helpers/run-stage.ts'

test.each(['a', 'b'])(
  'kernels of bundled operators are told by their decisions, each in its own words: %s',
  async (seed) => {
    const {outputs: projects} = await runStage(operatorProjects(), [{root: 'sources/starter/operators'}])
    const {outputs: sources} = await runStage(
      flatten({entryFile}),
      projects.map((project) => ({...project, verdicts: {}})),
    )
    const kernels = sources.filter(({role}) => role === 'kernel')
    const checked = kernels.map(({within: _, ...source}) => ({...source, proof: 'parsed' as const}))
    const {outputs, dropped} = await runStage(kernelCot(), await describedSources(checked), {seed})
    expect(dropped.every(({reason, detail}) => reason === 'hollow' && /row_(?:scalar|results)\.h/.test(detail))).toBe(
      true,
    )
    const rows = outputs.filter(({asks}) => asks === 'file')
    expect(rows.length).toBeGreaterThan(15)
    for (const {reasoning, decisions = [], origin} of rows) {
      const told = reasoning.split('\n\n').length
      expect(told, origin.path).toBeLessThanOrEqual(decisions.length)
      expect(told, origin.path).toBeGreaterThanOrEqual(Math.min(3, decisions.length))
      expect(reasoning, origin.path).not.toMatch(/[{]\w+[},]|undefined|NaN,/)
      expect(decisions.every(({because}) => because.length > 0)).toBe(true)
    }
    const openings = new Set(rows.map(({reasoning}) => reasoning.replace(/`[^`]*`/g, '').slice(0, 24)))
    expect(openings.size).toBeGreaterThan(rows.length / 3)
  },
)
