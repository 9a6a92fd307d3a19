import {extractFiles, formatFiles} from '../../datasets/operator-reply.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import type {ChatMessage, ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import type {Context} from '../../engine/stage.ts'
import {compileErrorOf} from './compile-error.ts'
import type {FailureFacts} from './failure-facts.ts'
import type {Check, Fix} from './fix.ts'
import {observationOf} from './observation.ts'
import {evidenceText} from './offline/observation-text.ts'

const [firstPrompt, nextPrompt] = ['fix-request.md', 'fix-again.md'].map((file) =>
  loadPrompt(new URL(file, import.meta.url)),
)

export const fixPrompts = [firstPrompt!, nextPrompt!]

interface Question {
  failure: Failure
  facts: FailureFacts
  request: string
}

interface Asking {
  llm: LanguageModel
  check: Check
  /** Attempts in all. */
  rounds: number
}

type Unfixed = {reason: 'not-fixed' | 'reply-without-code'; detail: string}

/** Asks until a correction holds: a wrong operator has to become correct, code that did not compile has to compile. */
export async function askForFix(
  question: Question,
  {llm, check, rounds}: Asking,
  context: Context,
): Promise<Fix | Unfixed> {
  const messages: ChatMessage[] = [{role: 'user', content: firstRequest(question)}]
  let last: Unfixed = {reason: 'not-fixed', detail: 'no attempt'}
  for (let round = 1; round <= rounds; round += 1) {
    const reply = await llm.complete({messages}, context.signal)
    const read = readReply(reply, question.failure)
    if ('reason' in read) last = read
    else {
      const verdict = await check.judge(attempt(question.failure, read.files), context)
      if (holds(verdict, question)) return fixOf(reply, read, {verdict, rounds: round})
      last = {reason: 'not-fixed', detail: `${question.failure.task.name}: ${verdict.outcome} after ${round} rounds`}
      messages.push(...again(reply, evidenceOf(verdict, read.files)))
      continue
    }
    messages.push(...again(reply, `The reply holds no file of the question in the demanded form: ${last.detail}`))
  }
  return last
}

function firstRequest({failure, facts, request}: Question): string {
  const language = /\p{Script=Han}/u.test(request.split('\n')[0] ?? '') ? 'Chinese' : 'English'
  return renderPrompt(firstPrompt!, {language, facts: knownTo(failure, facts), request})
}

/** How the interface is declared for code that does not compile; for a wrong operator one that is right (Figure 2). */
function knownTo({reference, written}: Failure, {error, api}: FailureFacts): string {
  const right = reference.files.filter(({path}) => written.includes(path))
  if (!error) return `This operator for the same task is correct:\n\n${formatFiles(right)}`
  if (!api) return 'No page of the documentation tells more.'
  const forms = api.prototypes.map(({text}) => `${text};`).join('\n\n')
  return [`${api.name}: ${api.purpose}`, `\`\`\`cpp\n${forms}\n\`\`\``, ...api.constraints].join('\n\n')
}

interface ReadReply {
  files: SourceFile[]
  /** What stands before the code. */
  words: string
}

function readReply(reply: ChatReply, {files, written, task}: Failure): ReadReply | Unfixed {
  const found = [...new Set([...written, ...files.map(({path}) => path)])].flatMap((path) => {
    const extracted = extractFiles(reply.text, [path])
    return extracted.ok ? extracted.files : []
  })
  const words = reply.text.slice(0, Math.max(reply.text.indexOf('='.repeat(18)), 0)).trim()
  if (found.length > 0 && (words !== '' || reply.reasoning !== '')) return {files: found, words}
  return {reason: 'reply-without-code', detail: `${task.name} (${reply.finishReason}): ${reply.text.slice(0, 80)}`}
}

function attempt({task, prompt, files, written}: Failure, changed: readonly SourceFile[]): Candidate {
  const paths = changed.map(({path}) => path)
  return {
    task,
    prompt,
    sampler: {kind: 'answer'},
    reasoning: '',
    files: [...files.filter(({path}) => !paths.includes(path)), ...changed],
    written,
  }
}

function holds(verdict: Verdict, {facts}: Question): boolean {
  if (verdict.outcome === 'correct') return true
  return (
    facts.error !== undefined && !['compile-failed', 'link-failed', 'not-covered', 'cheated'].includes(verdict.outcome)
  )
}

function fixOf(reply: ChatReply, {files, words}: ReadReply, found: Pick<Fix, 'verdict' | 'rounds'>): Fix {
  const [reasoning, said] = reply.reasoning === '' ? [words, ''] : [reply.reasoning, words]
  const answer = [said, formatFiles(files)].filter(Boolean).join('\n\n')
  return {reasoning, answer, files, teacher: {kind: 'model', model: reply.model}, ...found}
}

function again(reply: ChatReply, evidence: string): ChatMessage[] {
  return [
    {role: 'assistant', content: reply.text},
    {role: 'user', content: renderPrompt(nextPrompt!, {evidence})},
  ]
}

function evidenceOf(verdict: Verdict, files: readonly SourceFile[]): string {
  if (verdict.outcome === 'compile-failed') return compileErrorOf(verdict, files)?.log ?? verdict.log.slice(0, 1200)
  const observed = observationOf(verdict)
  return observed ? evidenceText(observed) : verdict.outcome
}
