import {readFile} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {z} from 'zod'
import {JudgedCandidate} from '../../datasets/schema/candidate.ts'
import {parseFiles} from '../../datasets/quoted-files.ts'
import type {Envelope} from '../../engine/ids.ts'
import {openRun, type OpenRun} from '../../engine/run.ts'
import {directReply} from '../../eval/bench/submission/direct-reply.ts'
import {JudgedAttempt} from '../../eval/bench/whole-model.ts'
import type {Kernel} from '../commands/kernels-of.ts'
import {attemptName} from '../commands/evaluation/results.ts'
import {unknown} from './run-board.ts'
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
  if (candidate) {
    const {prompt, reasoning, written, verdict} = candidate
    return {...attempt, prompt, reasoning, files: candidate.files.filter(({path}) => written.includes(path)), verdict}
  }
  return {...attempt, prompt: '', verdict: null, ...codeOfReply((await replyOf(folder, attempt)) ?? '')}
}

/** Files of a reply that names them; others are shown as they were written. */
function codeOfReply(reply: string): Pick<AttemptDetail, 'reasoning' | 'files'> {
  const read = directReply(reply)
  const files = read && 'files' in read ? read.files : parseFiles(reply).filter(({path}) => path !== '')
  if (files.length > 0) return {reasoning: '', files}
  return {reasoning: reply.includes('```') || reply === '' ? reply : `\`\`\`python\n${reply}\n\`\`\``, files: []}
}

/** The code of an attempt, if it is of an operator. */
export async function attemptKernel(folder: string, number: number): Promise<Kernel[]> {
  const attempt = (await scoreBoard(folder)).attempts[number]
  const candidate = attempt && (await candidateOf(folder, attempt))
  return candidate ? [{title: attempt.task, candidate}] : []
}

function candidateOf(folder: string, {task, attempt}: Attempt): Promise<JudgedCandidate | undefined> {
  return inJudgingRun(folder, (run) => {
    for (const {json} of about(run, task)) {
      const {data: candidate} = JudgedCandidate.safeParse(JSON.parse(json))
      if (candidate?.task.name === task && attemptName(candidate) === attempt) return candidate
    }
    return undefined
  })
}

const Reply = z.object({reply: text})

/** The text of an attempt at a model or a package: its verdict has only the id of it, what was judged has it whole. */
function replyOf(folder: string, wanted: Attempt): Promise<string | undefined> {
  return inJudgingRun(folder, (run) => {
    for (const {id, json} of about(run, wanted.task)) {
      const {data: one} = JudgedAttempt.safeParse(JSON.parse(json))
      const found = one && attemptAtModel(one)
      if (found?.task !== wanted.task || found.attempt !== wanted.attempt) continue
      const made = run.sightings(id).find(({outputs}) => outputs.some((output) => output.id === id))
      const given = made && run.sightings(made.input).flatMap(({outputs}) => outputs)
      const judged = given?.find((output) => output.id === made?.input)
      return judged && Reply.parse(JSON.parse(judged.json)).reply
    }
    return undefined
  })
}

/** What a run wrote of a task: most of it is of others and not worth checking. */
function* about(run: OpenRun, task: string): Iterable<Envelope> {
  const name = JSON.stringify(task)
  for (const one of run.emitted()) if (one.json.includes(name)) yield one
}

/** Scores of operators have a folder of their own; those of models are in that of the run that judged them. */
async function inJudgingRun<T>(folder: string, look: (run: OpenRun) => T): Promise<T | undefined> {
  const run = await openRun(join(dirname(folder), basename(folder).replace(/^score-/, 'evaluate-')))
  try {
    return run && look(run)
  } finally {
    run?.close()
  }
}
