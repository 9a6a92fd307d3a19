// A program of its own, to be killed: asks a teacher once per record and writes the replies as Parquet.
// node --import tsx test/helpers/crash-run.ts <run directory> <cache file> <endpoint> <records> <in flight>
import {join} from 'node:path'
import {z} from 'zod'
import parquet from '../../datasets/parquet/parquet.ts'
import {SplitRow} from '../../datasets/schema/export.ts'
import {connect} from '../../engine/llm/connect.ts'
import {TeacherProfile} from '../../engine/llm/profile.ts'
import {contentId} from '../../engine/ids.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'

const [directory, cacheFile, endpoint, records, inFlight] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]

const Question = z.strictObject({number: z.int()})
type Question = z.infer<typeof Question>

const questions: Stage<number, Question> = {
  name: 'questions',
  version: 1,
  input: z.int(),
  output: Question,
  async *run(totals) {
    for await (const total of totals) for (let number = 0; number < total; number += 1) yield {number}
  },
}

const answers: Stage<Question, SplitRow> = {
  name: 'answers',
  version: 1,
  teacher: 'crash',
  input: Question,
  output: SplitRow,
  run: each(
    async ({number}, {llm, signal}) => {
      if (!llm) throw new TypeError('no model')
      const reply = await llm.complete({messages: [{role: 'user', content: `question ${number}`}]}, signal)
      const record = {
        kind: 'documentation' as const,
        prompt: `question ${number}`,
        reasoning: reply.reasoning === '' ? 'none' : reply.reasoning,
        answer: reply.text,
        files: [],
        language: 'en' as const,
        origin: {repository: 'crash', revision: '1', path: String(number), licence: 'Apache-2.0'},
        teacher: {kind: 'model' as const, model: reply.model},
        stages: {answers: 1},
      }
      return [{config: 'sft' as const, id: contentId(record), split: 'train' as const, record}]
    },
    {concurrency: Number(inFlight)},
  ),
}

const controller = new AbortController()
const teachers = connect(
  {
    crash: TeacherProfile.parse({
      model: 'mock',
      baseUrl: endpoint,
      concurrency: Number(inFlight),
      stream: false,
      maxTokens: 64,
    }),
  },
  {
    budget: {},
    cacheFile,
    env: {},
    now: () => Date.now(),
    random: () => 0.5,
    log: silentLog,
    signal: controller.signal,
  },
)
console.log('started')
const result = await runPipeline({
  pipeline: Pipeline.from('crash', [Number(records)], questions)
    .via(answers)
    .via(parquet({config: 'sft', directory: join(directory, 'dataset')})),
  directory,
  model: teachers,
  seed: 'crash',
  now: () => 0,
  signal: controller.signal,
  log: silentLog,
})
console.log(JSON.stringify(result.counts.map(({stage, read, written, failed}) => ({stage, read, written, failed}))))
teachers.close()
