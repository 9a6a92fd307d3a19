import {expect, test} from 'vitest'
import {jobPage} from '../../../../pipelines/commands/train/job-page.ts'
import {golden} from '../../../helpers/golden.ts'
import {casesOf, engines, planOf} from '../../../trainers/engines/plans.ts'

/** What a person reads before a job is started: every value with its source, and what would be run. */
test('the pages of jobs', () => {
  const pages = engines.flatMap((engine) =>
    casesOf(engine.name)
      .slice(0, 2)
      .map((name) => {
        const plan = planOf(`${engine.name}/${name}`)
        return (
          `# ${engine.name} ${name}\n` +
          `${jobPage(plan, engine.render(plan, {judgeClient: [{path: 'judge.py', text: 'pass\n'}]}), 110)}` +
          '\n'
        )
      }),
  )
  golden('test/fixtures/told/job-pages.txt', pages.join('\n'))
})

test('a narrow page has no table of four columns', () => {
  const [engine] = engines
  if (!engine) throw new TypeError('there is no trainer')
  const plan = planOf(`${engine.name}/${casesOf(engine.name)[0]}`)
  const page = (width: number) => jobPage(plan, {files: [], steps: []}, width)
  expect(page(72)).toMatch(/^value +source$/m)
  expect(page(71)).not.toMatch(/^value +source/m)
  expect(page(71)).toMatch(/^hyperparameters\.learningRate \S+ \((paper|inferred|ours)\)$/m)
  expect(page(110)).toMatch(/\nwritten at its start, into \S+\/rendered: nothing$/)
})

test('a job says where it runs, and what it goes on from', () => {
  const [engine] = engines
  if (!engine) throw new TypeError('there is no trainer')
  const [name = ''] = casesOf(engine.name)
  const place = (backend: object) =>
    jobPage(planOf(`${engine.name}/${name}`, {spec: {backend}}), {files: [], steps: []}, 300)
  expect(place({kind: 'slurm', time: '1:00'})).toContain(`with ${engine.name}, under Slurm`)
  expect(place({kind: 'kubernetes', form: 'volcano', image: 'i'})).toContain(', on Kubernetes (volcano)')
  const resumed = planOf(`${engine.name}/${name}`, {plan: {resume: '/jobs/x/output/checkpoint-5'}})
  expect(jobPage(resumed, {files: [], steps: []}, 300)).toMatch(/^continues from +\/jobs\/x\/output\/checkpoint-5$/m)
})
