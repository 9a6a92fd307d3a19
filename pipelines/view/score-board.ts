import {readFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {z} from 'zod'
import {JudgedCandidate} from '../../datasets/schema/candidate.ts'
import {JudgedAttempt} from '../../eval/bench/whole-model.ts'
import {openRun} from '../../engine/run.ts'
import {attemptName} from '../commands/evaluation/results.ts'
import {judgingRun, unknown} from './run-board.ts'
import type {Attempt, AttemptDetail, ScoreBoard} from './protocol.ts'

const text = z.string()

/** The part of `score.json` that is shown, of a benchmark of operators. */
const ofOperators = z.object({
  benchmark: text,
  results: z.array(z.object({task: text, category: text, attempt: text, outcome: text, why: text})),
})

/** The same as of operators, of a benchmark of whole models or packages. */
const ofModels = z.object({title: text, judged: z.array(JudgedAttempt)})

/** @param folder of a score run */
export async function scoreBoard(folder: string): Promise<ScoreBoard> {
  const name = basename(folder)
  const scored = z
    .union([ofOperators, ofModels])
    .safeParse(JSON.parse(await readFile(join(folder, 'score.json'), 'utf8')))
  if (!scored.success) throw unknown(`table of attempts in ${name}`)
  if ('judged' in scored.data) return {name, title: scored.data.title, attempts: scored.data.judged.map(attemptAtModel)}
  const {benchmark, results} = scored.data
  const author = name.replace(`score-${benchmark}`, '').replace(/^-/, '')
  return {name, title: `${benchmark}: ${author === '' ? 'its own answers' : author}`, attempts: results}
}

function attemptAtModel({task: {name, category}, sampler: {sample}, verdict}: JudgedAttempt): Attempt {
  const shown = {task: name, category, attempt: `sample ${sample}`}
  if (!verdict.opened) return {...shown, outcome: verdict.kind, why: verdict.why}
  const wrong = [
    ...verdict.faults.map((one) => ({...one, at: `${one.tier}, ${one.sizes}, ${one.family}`})),
    ...verdict.cases.map((one) => ({...one, at: `case ${one.case}`})),
  ].filter(({literal, hardened}) => literal !== undefined || hardened !== undefined)
  const why = wrong.map(({at, literal, hardened}) => `${at}: ${hardened ?? literal}`).join('\n')
  return {...shown, outcome: wrong.length === 0 ? 'correct' : 'mismatched', why}
}

/** An attempt with what was asked, what was written and what was found, from the run that judged it. */
export async function attemptDetail(folder: string, number: number): Promise<AttemptDetail> {
  const attempt = (await scoreBoard(folder)).attempts[number]
  if (!attempt) throw unknown(`attempt ${number}`)
  const candidate = await candidateOf(folder, attempt)
  return {
    ...attempt,
    prompt: candidate?.prompt ?? '',
    reasoning: candidate?.reasoning ?? '',
    files: candidate?.files.filter(({path}) => candidate.written.includes(path)) ?? [],
    verdict: candidate?.verdict ?? null,
    pictures: [],
  }
}

async function candidateOf(folder: string, {task, attempt}: Attempt): Promise<JudgedCandidate | undefined> {
  const run = await openRun(judgingRun(folder))
  try {
    for (const {json} of run?.emitted() ?? []) {
      // Most candidates are of other tasks and are not worth checking.
      if (!json.includes(JSON.stringify(task))) continue
      const {data: candidate} = JudgedCandidate.safeParse(JSON.parse(json))
      if (candidate?.task.name === task && attemptName(candidate) === attempt) return candidate
    }
    return undefined
  } finally {
    run?.close()
  }
}
