import {verdictsOf} from '../../datasets/schema/candidate.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import {DescribedError} from '../../datasets/schema/edit-facts.ts'
import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {languageOf, voice, type Language, type Voice, paragraphs} from '../../datasets/voice.ts'
import {contentId} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {askForFix, fixPrompts} from './ask-for-fix.ts'
import {factsOf, type FailureFacts} from './failure-facts.ts'
import type {Check, Fix} from './fix.ts'
import {answerOf, reasoningOf} from './offline/correction-text.ts'
import {explain, type Fault} from './offline/explanation.ts'
import {catalogueDigest} from '../telling/catalogue.ts'
import {formatFiles} from '../../datasets/operator-reply.ts'
import type {CompileError} from './compile-error.ts'
import {evidenceText} from './offline/observation-text.ts'

interface CorrectOptions {
  /** The documented interfaces, for what the corrected lines call. */
  apis: readonly ApiEntry[]
  check: Check
  /** Attempts of a model at one failure; each sees what the one before did. Default 3. */
  rounds?: number
}

/**
 * Failure of a cluster → a sample that corrects it (paper 4.2.1, tables 15 and 16): the code and what was observed, the
 * path to the cause, and the right code. Without a model the right code is the reference, which was judged correct, and
 * the reasoning is composed of the compiler's message or the run and of a reason for each step between the two texts. A
 * model's correction is judged; if it still fails, it is sent back to the model. Drops: `no-own-error`, `not-clang`,
 * `fault-is-a-cheat`, `nothing-changes`; without a model `change-unexplained`, `cause-not-found` and `needs-the-task`;
 * of a model `not-fixed`, `code-left-out` and `reply-without-code`.
 */
export default function correct({apis, check, rounds = 3}: CorrectOptions): Stage<DescribedError, CotSample> {
  const byName = new Map(apis.map((entry) => [entry.name, entry]))
  return {
    name: 'correct',
    version: 15,
    options: {
      apis: contentId(apis.map(contentId)),
      check: check.identity,
      rounds,
      prompts: fixPrompts,
      words: catalogueDigest(),
    },
    teacher: 'correction',
    input: DescribedError,
    output: CotSample,
    run: each(
      async ({candidate: failure, cluster, edits}, context): Promise<readonly CotSample[]> => {
        const facts = factsOf(failure, edits, byName)
        if ('reason' in facts) return context.drop(failure, facts.reason, facts.detail)
        const speaker = speakerOf(failure, facts, context)
        const asked = {failure, facts, speaker, cluster}
        const {llm} = context
        if (!llm) {
          const faults = explain(failure, facts, byName)
          if ('reason' in faults) return context.drop(failure, faults.reason, faults.detail)
          return [sampleOf(asked, offline(failure, facts, faults, speaker), context)]
        }
        const fix = await askForFix(
          {failure, facts, request: requestOf(failure, facts, speaker), language: speaker.language},
          {llm, check, rounds},
          context,
        )
        return 'reason' in fix ? context.drop(failure, fix.reason, fix.detail) : [sampleOf(asked, fix, context)]
      },
      {concurrency: 2},
    ),
  }
}

/** A wrong operator is described in the language of its request; compiler messages need no language. */
function speakerOf({task, sampler, prompt}: Failure, {error}: FailureFacts, {seed}: Context): Voice {
  const random = randomFrom(seed, 'correct', task.origin.path, prompt, JSON.stringify(sampler))
  return voice(error ? random.pick<Language>(['en', 'zh']) : languageOf(task.description), random)
}

function offline(failure: Failure, facts: FailureFacts, faults: readonly Fault[], speaker: Voice): Fix {
  return {
    reasoning: reasoningOf(facts, faults, speaker),
    answer: answerOf(facts, faults, speaker),
    files: facts.right,
    teacher: {kind: 'offline'},
    ...verdictsOf(failure.reference),
    rounds: 0,
  }
}

interface Asked {
  failure: Failure
  facts: FailureFacts
  speaker: Voice
  cluster: DescribedError['cluster']
}

function sampleOf(
  {failure, facts, speaker, cluster}: Asked,
  {rounds, verdict, ...fix}: Fix,
  context: Context,
): CotSample {
  const isRight = verdict.outcome === 'correct'
  return {
    kind: facts.error ? 'api-correction' : 'kernel-correction',
    prompt: requestOf(failure, facts, speaker),
    ...fix,
    language: speaker.language,
    origin: failure.task.origin,
    stages: context.stages,
    // Of code that does not serve its task but compiles now, this is what was shown.
    verdict: isRight ? verdict : {outcome: 'compiled', executor: verdict.executor},
    proof: isRight ? 'ran' : 'compiled',
    failed: {
      outcome: failure.verdict.outcome,
      what: whatOf(facts),
      class: cluster.class,
      signature: cluster.signature,
      sampler: failure.sampler,
      rounds,
    },
  }
}

function whatOf({error, observed}: FailureFacts): string {
  if (error) return error.message
  return observed?.kind === 'rule' ? observed.rule : ''
}

const form = {
  en: 'Give each file that changes, whole, under the line that names it; files that stay are left out.',
  zh: '请给出每个要改的文件的全文，放在写有文件名的那一行之后；不改的文件不必给出。',
}

/** The question: code, and the compiler's or a run's message about it. A wrong operator comes with its task. */
export function requestOf({prompt}: Failure, facts: FailureFacts, {say}: Voice): string {
  const {operator, error, observed, failed} = facts
  const files = formatFiles(failed)
  const last = say(form.en, form.zh)
  if (error)
    return paragraphs([
      say(
        `My Ascend C operator ${operator} does not compile. What is wrong, and how do I fix it?`,
        `我的Ascend C算子${operator}编译不过。错在哪里，怎样改？`,
      ),
      say('The compiler says:', '编译器的输出：'),
      `\`\`\`text\n${error.log}${more(error)}\n\`\`\``,
      say('The code:', '代码：'),
      files,
      last,
    ])
  return paragraphs([
    prompt.trim(),
    say('# An attempt', '# 一次尝试'),
    say(
      'The files below were written for this task. A run of the operator failed.',
      '下面的文件是为这个任务写的。算子运行失败。',
    ),
    files,
    say('What the run showed:', '运行的结果：'),
    `\`\`\`text\n${observed ? evidenceText(observed) : ''}\n\`\`\``,
    say(
      'Analyse the error, then give the corrected code in the form of the reply above.',
      '请分析错误，然后按上面要求的格式给出改正后的代码。',
    ),
    last,
  ])
}

/** The first error is shown as the compiler prints it; of the others what they say, as far as they are few. */
function more({others, errors}: CompileError): string {
  const left = errors - 1 - others.length
  const rest =
    left > 0
      ? [`(${left} more ${left === 1 ? 'error' : 'errors'} after ${others.length > 0 ? 'these' : 'this one'})`]
      : []
  return [
    ...others.map(({file, line, message}) => `\n${file}:${line}: error: ${message}`),
    ...rest.map((text) => `\n${text}`),
  ].join('')
}
