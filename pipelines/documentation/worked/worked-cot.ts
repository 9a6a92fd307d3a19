import {structuredPatch} from 'diff'
import type {Counterfactual, Decision} from '../../../datasets/schema/decision.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {WorkedRun, type Value, valueOf} from '../../../datasets/schema/worked.ts'
import {paragraph, paragraphs, voice, type Voice, code} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {catalogueDigest} from '../../telling/catalogue.ts'
import {tell, type Message} from '../../telling/tell-message.ts'
import {interfaces} from '../../../cpp/interfaces.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'

/**
 * Questions that ran → rows: the question with its numbers, how the answer follows from the rule and the numbers, and
 * the kernel. The row's evidence is what the wrong kernel did.
 */
export default function workedCot(): Stage<WorkedRun, CotSample> {
  return {
    name: 'worked-cot',
    version: 3,
    options: {words: catalogueDigest()},
    input: WorkedRun,
    output: CotSample,
    run: each((run, context) => {
      const random = randomFrom(context.seed, 'worked-cot', run.api, run.situation, run.text)
      const speaker = voice(random.pick(['en', 'zh'] as const), random)
      const change = changed(run)
      const files = filesOf(run)
      const say = (situation: string) => said(run, situation, change, speaker)
      const why = run.situation.startsWith('derived') ? reasonOf(run, speaker) : ''
      return Promise.resolve([
        {
          kind: 'documentation' as const,
          qa: onTheMachine.has(run.situation) ? ('basic-knowledge' as const) : ('api-call' as const),
          prompt: paragraph(speaker, [say('ask'), given(run, speaker)]),
          reasoning: paragraphs([
            paragraph(speaker, [say('rule'), say('numbers')]),
            paragraph(speaker, [why, say('consequence'), say('choice')]),
          ]),
          answer: paragraphs([say('answer'), ...files.map((file) => fenced(file, files.length > 1))]),
          files,
          language: speaker.language,
          origin: run.origin,
          teacher: {kind: 'offline' as const},
          stages: context.stages,
          verdict: {outcome: 'compiled' as const, executor: run.executor},
          proof: 'ran' as const,
          decisions: [decisionOf(run, change)],
        },
      ])
    }),
  }
}

/** Questions about pipes, queues, memories, cores and tiles, which an interface is only the occasion for. */
const onTheMachine = new Set([
  ...['ub-total', 'without-queue', 'second-block', 'set-alone', 'wait-alone', 'queue-depth', 'positions', 'stages'],
  ...['addresses', 'overlapping', 'cache-lines', 'polling', 'all-arrive', 'pair', 'turns', 'core-share'],
  ...['sub-cores', 'groups', 'workspace-slices', 'constant-tiling', 'tiles', 'bound-queue', 'events'],
])

function filesOf({text, host}: WorkedRun): SourceFile[] {
  const kernel = {path: 'op_kernel/small_kernel.cpp', text}
  return host === undefined ? [kernel] : [kernel, {path: 'op_host/small_kernel.cpp', text: host}]
}

const fenced = ({path, text}: SourceFile, isNamed: boolean) =>
  `\`\`\`cpp\n${isNamed ? `// ${path}\n` : ''}${text}\`\`\``

interface Change {
  line: number
  /** Lines of the right kernel, and of the wrong one in their place. */
  right: string
  wrong: string
}

/** Where the two kernels differ first. */
function changed({text, other}: WorkedRun): Change {
  const [hunk] = structuredPatch('', '', text, other?.text ?? text, '', '', {context: 0}).hunks
  const of = (sign: string) =>
    (hunk?.lines ?? [])
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1).trim())
      .join(' ')
  return {line: Math.max(1, hunk?.oldStart ?? 1), right: of('-'), wrong: of('+')}
}

function said(run: WorkedRun, situation: string, {right, wrong}: Change, speaker: Voice): string {
  const values = {right, wrong, ...shownValues(run, speaker), ...run.values}
  return tell({topic: `worked-${run.situation}`, situation, values} as Message, speaker)
}

/** What an interface requires, where that decides; '' where the formula says it all. */
const reasonOf = ({api, values}: WorkedRun, speaker: Voice): string =>
  tell({topic: 'worked-why', situation: api, values} as Message, speaker)

/** Values of tensors that a question computes with and does not speak of; those of derived ones name them. */
const given = ({situation, values: {data}}: WorkedRun, speaker: Voice): string =>
  data === undefined || situation.startsWith('derived')
    ? ''
    : tell({topic: 'given-values', situation: 'ask', values: {data}}, speaker)

/** The rule of the page, and what came of the kernel that breaks it. */
function decisionOf({api, situation, values, other, observed}: WorkedRun, {line, right, wrong}: Change): Decision {
  const rule = {kind: 'rule' as const, api, rule: situation}
  const seen: Counterfactual[] =
    other && observed
      ? [
          {
            ...{kind: 'counterfactual', change: situation, subject: api, path: 'op_kernel/small_kernel.cpp', line},
            ...{before: right, after: wrong, values: {}, observed},
          },
        ]
      : []
  return {topic: 'worked', situation, subject: api, values, because: [rule, ...seen]}
}

/** Most values of a tensor written out. */
const mostShown = 12

/** Further values in the wording of a question: values of tensors, and how each result comes about. */
export function shownValues(run: WorkedRun, speaker: Voice): Record<string, string> {
  const {inputs, results} = run
  const shown = [
    ...inputs.flatMap(({name, values}) => (values ? [[name, values.map(String)] as const] : [])),
    ...Object.entries(results).map(([name, values]) => [name, values.map(valueText)] as const),
  ].map(([name, values]) => [name, values.slice(0, mostShown).join(', ')] as const)
  const given = shown.filter(([name]) => name !== 'z').map(([name, text]) => `\`${name} = [${text}]\``)
  return {
    ...Object.fromEntries(shown.map(([name, text]) => [`${name}s`, text])),
    given: speaker.list(given),
    does: doesOf(run, speaker),
    ...(run.values['formula'] !== undefined && steps(run, speaker)),
  }
}

/** What an interface does, by the table; in Chinese with Chinese commas. */
function doesOf({api}: WorkedRun, {language}: Voice): string {
  const text = interfaces.get(api)?.[language] ?? ''
  return language === 'zh' ? text.replaceAll(',', '，') : text
}

/** Six significant digits, without the error of their own. */
const valueText = (value: Value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : value)

function steps({inputs, outputs, expected, results, values}: WorkedRun, speaker: Voice): Record<string, string> {
  const exact = (expected['z'] ?? []).map(Number)
  const found = results['z'] ?? []
  const dtype = outputs[0]?.dtype ?? 'float32'
  const texts = exact.map((value, at) => {
    const numbers = inputs
      .reduce(
        (text, one) => text.replace(new RegExp(`\\b${one.name}\\b`, 'g'), numberIn(one.values?.[at] ?? 0)),
        String(values['formula']),
      )
      .replace(lonely, '$1')
    const [right, seen] = [valueText(valueOf(value)), valueText(found[at] ?? 'NaN')]
    const sign = Number(right) === value || !Number.isFinite(value) ? '=' : '≈'
    return right === seen ? `${numbers} ${sign} ${right}` : `${numbers} ${sign} ${right} → ${seen}`
  })
  return {
    steps: speaker.list(texts.map(code)),
    kind: kindOf(found, exact),
    bits: dtype === 'float16' ? '11' : '24',
    aligned: (exact.length * dtypeBytes[dtype]) % 32 === 0 ? 'yes' : 'no',
  }
}

/** A negative number between brackets, commas or bars needs no brackets. */
const lonely = /(?<=[(,|]\s*)\((-[\d.]+)\)(?=\s*[),|])/g

const numberIn = (value: number) => (value < 0 ? `(${value})` : String(value))

function kindOf(found: readonly Value[], exact: readonly number[]): string {
  const isNew = (text: Value) => found.some((value, at) => value === text && Number.isFinite(exact[at] ?? NaN))
  if (isNew('Infinity') || isNew('-Infinity')) return 'inf'
  return found.some((value, at) => value !== exact[at]) ? 'round' : 'exact'
}
