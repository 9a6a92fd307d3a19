import {diagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import {extractFiles, formatFiles} from '../../datasets/operator-reply.ts'
import {verdictsOf, type Candidate} from '../../datasets/schema/candidate.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import type {Language} from '../../datasets/voice.ts'
import type {ChatMessage, ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import type {Context} from '../../engine/stage.ts'
import {compileErrorOf} from './compile-error.ts'
import type {FailureFacts} from './failure-facts.ts'
import type {Check, Fix, Judged} from './fix.ts'
import {observationOf} from './observation.ts'
import {evidenceText} from './offline/observation-text.ts'
import {statementsOf} from '../facts/code-statements.ts'

const [firstPrompt, nextPrompt] = ['fix-request.md', 'fix-again.md'].map((file) =>
  loadPrompt(new URL(file, import.meta.url)),
)

export const fixPrompts = [firstPrompt!, nextPrompt!]

interface Question {
  failure: Failure
  facts: FailureFacts
  request: string
  language: Language
}

interface Asking {
  llm: LanguageModel
  check: Check
  /** Attempts in all. */
  rounds: number
}

interface Unfixed {
  reason: 'not-fixed' | 'code-left-out' | 'reply-without-code'
  detail: string
}

/** The result of one reply: a fix, or why it is not one, with the feedback to the model. */
type Tried = Omit<Fix, 'rounds'> | (Unfixed & {evidence: string})

/** Asks until a correction holds, and says in which round it did. */
export async function askForFix(question: Question, asking: Asking, context: Context): Promise<Fix | Unfixed> {
  const {llm, check, rounds} = asking
  const messages: ChatMessage[] = [{role: 'user', content: firstRequest(question)}]
  let last: Unfixed = {reason: 'not-fixed', detail: 'no attempt'}
  for (let round = 1; round <= rounds; round += 1) {
    const reply = await llm.complete({messages}, context.signal)
    const tried = await tryReply(reply, question, check, context)
    if (!('evidence' in tried)) return {...tried, rounds: round}
    last = {reason: tried.reason, detail: `${question.failure.task.name}, round ${round}: ${tried.detail}`}
    messages.push({role: 'assistant', content: reply.text})
    messages.push({role: 'user', content: renderPrompt(nextPrompt!, {evidence: tried.evidence})})
  }
  return last
}

function firstRequest({failure, facts, request, language}: Question): string {
  const name = {en: 'English', zh: 'Chinese'}[language]
  return renderPrompt(firstPrompt!, {language: name, facts: knownTo(failure, facts), request})
}

/** How the interface is declared for code that does not compile; for a wrong operator one that is right (Figure 2). */
function knownTo({reference, written}: Failure, {error, api}: FailureFacts): string {
  const right = reference.files.filter(({path}) => written.includes(path))
  if (!error) return `This operator for the same task is correct:\n\n${formatFiles(right)}`
  if (!api) return 'No page of the documentation tells more.'
  const forms = api.prototypes.map(({text}) => `${text};`).join('\n\n')
  return [`${api.name}: ${api.purpose}`, `\`\`\`cpp\n${forms}\n\`\`\``, ...api.constraints].join('\n\n')
}

async function tryReply(reply: ChatReply, question: Question, check: Check, context: Context): Promise<Tried> {
  const {failure} = question
  const read = readReply(reply, failure)
  if (!read) {
    const detail = `${reply.finishReason}: ${reply.text.slice(0, 80)}`
    const cut = reply.finishReason === 'length' ? 'The reply was cut off before its end. ' : ''
    const evidence = `${cut}The reply holds no file of the question in the demanded form, or no reasoning before it.`
    return {reason: 'reply-without-code', detail, evidence}
  }
  const candidate = attempt(failure, read.files)
  const judged = await check.judge(candidate, context)
  const {verdict} = judged
  if (!holds(verdict, question))
    return {reason: 'not-fixed', detail: verdict.outcome, evidence: evidenceOf(verdict, candidate.files, failure)}
  const lost = verdict.outcome === 'correct' ? 0 : leftOut(candidate.files, failure)
  if (lost === 0) return fixOf(reply, read, judged)
  const detail = `${lost} ${lost === 1 ? 'statement' : 'statements'} fewer`
  const evidence = `It compiles, but has ${detail} than the code of the question: code that works has to stay.`
  return {reason: 'code-left-out', detail, evidence}
}

interface ReadReply {
  files: SourceFile[]
  /** The text before the code. */
  words: string
}

function readReply(reply: ChatReply, {files, written}: Failure): ReadReply | undefined {
  const found = [...new Set([...written, ...files.map(({path}) => path)])].flatMap((path) => {
    const extracted = extractFiles(reply.text, [path])
    return extracted.ok ? extracted.files : []
  })
  const words = reply.text.slice(0, Math.max(reply.text.indexOf('='.repeat(18)), 0)).trim()
  return found.length > 0 && (words !== '' || reply.reasoning !== '') ? {files: found, words} : undefined
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

/** Outcomes of code that was built: earlier compiler errors are gone, because a build has none. */
const built: readonly Verdict['outcome'][] = [
  'compiled',
  'correct',
  'mismatched',
  'violated',
  'crashed',
  'timed-out',
  'launch-failed',
]

/** A wrong operator has to become correct; code that did not compile has to be built. */
function holds({outcome}: Verdict, {facts}: Question): boolean {
  return outcome === 'correct' || (facts.error !== undefined && built.includes(outcome))
}

/** Statements that a fix lacks against the failed code, or against the right code where that needs fewer. */
function leftOut(files: readonly SourceFile[], {files: failed, reference}: Failure): number {
  const [mine, asked, right] = [files, failed, reference.files].map((all) =>
    all.reduce((sum, {text}) => sum + statementsOf(text).length, 0),
  )
  return Math.max(0, Math.min(asked!, right!) - mine!)
}

function fixOf(reply: ChatReply, {files, words}: ReadReply, judged: Judged): Omit<Fix, 'rounds'> {
  const [reasoning, said] = reply.reasoning === '' ? [words, ''] : [reply.reasoning, words]
  const answer = [said, formatFiles(files)].filter(Boolean).join('\n\n')
  return {reasoning, answer, files, teacher: {kind: 'model', model: reply.model}, ...verdictsOf(judged)}
}

function evidenceOf(verdict: Verdict, files: readonly SourceFile[], failure: Failure): string {
  if (verdict.outcome === 'compile-failed') {
    const said = compileErrorOf(verdict, files)?.log ?? verdict.log.slice(0, 1200)
    return isSameError(verdict, files, failure) ? `The same error is still there:\n${said}` : said
  }
  const observed = observationOf(verdict)
  return observed ? evidenceText(observed) : verdict.outcome
}

/** Whether the error of the question came back, at whatever line and in whatever names. */
function isSameError(verdict: Verdict, files: readonly SourceFile[], failure: Failure): boolean {
  const names = new Set<string>()
  const signature = diagnosticSignature(verdict, {names, files})?.signature
  return signature === diagnosticSignature(failure.verdict, {names, files: failure.files})?.signature
}
