import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {z} from 'zod'
import {JudgedCandidate, type Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import judge from '../../eval/judge.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {randomFrom} from '../../engine/random.ts'
import {judgedTwice, neighbourOf} from '../bench/neighbours.ts'
import {realExecutor, usesClang} from '../helpers/real-executor.ts'
import {runStage} from '../helpers/run-stage.ts'

// Programs that are right but for one edit, one a line of test/fixtures/attempts/*.jsonl, with what the judge has to
// say of each: a try at a wrong Green, or beside it a neighbour that the pages allow.

const Attempt = z.strictObject({
  operator: z.string(),
  what: z.string(),
  /** `correct`, or the outcome and the rule that it names. */
  ends: z.string(),
  edits: z.array(z.tuple([z.string(), z.string()])),
  /** Is green today, and wrong. */
  waits: z.boolean().default(false),
})
type Attempt = z.infer<typeof Attempt>

const folder = new URL('../fixtures/attempts/', import.meta.url)
const attempts = ['order', 'bounds', 'values', 'sides'].flatMap((name) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Attempt.parse(JSON.parse(line)))
    .filter(({waits}) => !waits),
)
const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])

const keyOf = ({operator, what}: Attempt) => `${operator}: ${what}`

function edited(files: readonly SourceFile[], {what, edits}: Attempt): SourceFile[] {
  return edits.reduce<SourceFile[]>(
    (all, [from, to]) => {
      const places = all.filter(({text}) => text.split(from).length === 2)
      if (places.length !== 1) throw new TypeError(`${what}: ${from} stands in ${places.length} files once`)
      return all.map((file) => (file === places[0] ? {...file, text: file.text.replace(from, () => to)} : file))
    },
    [...files],
  )
}

/** All rows in float32, so that each candidate is built once; first those that are so by themselves. */
function candidateOf(attempt: Attempt): Candidate {
  const task = tasks.find(({answer}) => answer.some(({path}) => path === `op_kernel/${attempt.operator}.cpp`))
  if (!task) throw new TypeError(`there is no task of ${attempt.operator}`)
  const cases = [true, false].flatMap((own) =>
    task.cases.filter(({dtype}) => (dtype === 'float32') === own).map((row) => ({...row, dtype: 'float32'})),
  )
  const files = edited(task.answer, attempt)
  return {
    ...{task: {...task, cases}, sampler: {kind: 'answer'}, prompt: 'Write it.', reasoning: keyOf(attempt), files},
    written: files.map(({path}) => path),
  }
}

function endOf(verdict: Verdict): string {
  if (verdict.outcome === 'violated') return `violated ${verdict.violation.rule}`
  return verdict.outcome === 'cheated' ? `cheated ${verdict.rule}` : verdict.outcome
}

test.skipIf(!usesClang)(
  'no attempt is green, and no honest neighbour is refused',
  async () => {
    const stage = judge({executor: await realExecutor(), concurrency: 2})
    const {outputs, dropped} = await runStage(stage, attempts.map(candidateOf))
    const ends = new Map(
      outputs.map((one) => JudgedCandidate.parse(one)).map((one) => [one.reasoning, endOf(one.verdict)]),
    )
    expect(dropped).toEqual([])
    expect(attempts.filter(({ends}) => ends !== 'correct').length).toBeGreaterThan(120)
    const seen = attempts.map((one) => [keyOf(one), ends.get(keyOf(one))])
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(attempts.map((one) => [keyOf(one), one.ends])))
  },
  1_200_000,
)

test.skipIf(!usesClang)(
  'texts beside right ones are judged alike two times, and no edit is a bug of ours',
  async () => {
    const executor = await realExecutor()
    for (let at = 0; at < 6; at += 1) {
      const random = randomFrom('neighbours', at)
      const [first, second] = await judgedTwice(executor, neighbourOf(random.pick(tasks), random))
      expect(first).toMatch(/^\[/)
      expect(second).toBe(first)
    }
  },
  240_000,
)
