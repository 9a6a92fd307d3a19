import {interfaces} from '../../../cpp/interfaces.ts'
import type {Api} from '../../../cpp/interfaces/row.ts'
import {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {valueOf, WorkedQuestion} from '../../../datasets/schema/worked.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Context, Stage} from '../../../engine/stage.ts'
import {castDrafts} from './cast-drafts.ts'
import {composedDrafts} from './composed-drafts.ts'
import {coreDrafts} from './core-drafts.ts'
import {copyDrafts} from './copy-drafts.ts'
import {cubeDrafts} from './cube-drafts.ts'
import {fusedDrafts} from './fused-calls.ts'
import {groupDrafts} from './group-drafts.ts'
import {maskDrafts} from './mask-drafts.ts'
import {matmulDrafts} from './matmul-drafts.ts'
import {normDrafts} from './norm-calls.ts'
import {orderDrafts} from './order-calls.ts'
import {barrierDrafts} from './order-drafts.ts'
import {pipeDrafts} from './pipe-drafts.ts'
import {placeDrafts} from './place-calls.ts'
import {placingDrafts} from './placing-drafts.ts'
import {reductionDrafts} from './reduction-drafts.ts'
import {resourceDrafts} from './resource-drafts.ts'
import {rowDrafts} from './row-calls.ts'
import {scalarDrafts} from './scalar-drafts.ts'
import {hostText, kernelText} from './small-kernel.ts'
import {softmaxDrafts} from './softmax-calls.ts'
import {taskDrafts} from './task-drafts.ts'
import {ubDrafts} from './ub-drafts.ts'
import {vectorDrafts} from './vector-drafts.ts'
import {windowDrafts} from './window-drafts.ts'
import type {Documented, Draft, Drafting} from './worked-draft.ts'

const draftings: readonly Drafting[] = [
  ...vectorDrafts,
  ...reductionDrafts,
  ...maskDrafts,
  ...castDrafts,
  ...copyDrafts,
  ...pipeDrafts,
  ...composedDrafts,
  ...taskDrafts,
  ...placingDrafts,
  ...fusedDrafts,
  ...orderDrafts,
  ...placeDrafts,
  ...rowDrafts,
  ...normDrafts,
  ...softmaxDrafts,
  ...coreDrafts,
  ...groupDrafts,
  ...resourceDrafts,
  ...ubDrafts,
  ...scalarDrafts,
  ...barrierDrafts,
  ...cubeDrafts,
  ...windowDrafts,
  ...matmulDrafts,
]

interface QuestionsOptions {
  /** Questions of one kind about one interface. Default 2. */
  most?: number
}

/**
 * API pages → questions with numbers of their own, each with the kernel that answers it and, if there is one, a
 * plausible wrong kernel. If several pages have the same name, the first suitable one is used.
 */
export default function workedQuestions({most = 2}: QuestionsOptions = {}): Stage<ApiEntry, WorkedQuestion> {
  return {
    name: 'worked-questions',
    version: 11,
    options: {most},
    input: ApiEntry,
    output: WorkedQuestion,
    run: (entries, context) => questionsOf(entries, most, context),
  }
}

/** Copies to and from the cube unit's memories, scalar functions, and results in registers are other interfaces. */
const otherPlaces = /L0C|L1|Fixpipe|BiasTable|ND2NZ|NZ2ND|(?<!^Copy（)UBToUB|切片|寄存器|标量计算|转float|float转/

/** Those that are of the cube unit. */
const ofCube = /^(?:LoadData|Fixpipe|SetFix|SetLoadData)/

/** Of what the table does not have, classes and functions of the scalar unit, drafts know the name alone. */
const unknown: Api = {family: 'resource', en: '', zh: '', operands: [], types: [], pipes: []}

async function* questionsOf(
  entries: AsyncIterable<ApiEntry>,
  most: number,
  context: Context,
): AsyncIterable<WorkedQuestion> {
  const asked = new Set<string>()
  for await (const entry of entries) {
    const name = entry.name.replace(/^.*::/, '')
    const api = interfaces.get(name) ?? unknown
    if (entry.prototypes.length === 0 || (otherPlaces.test(entry.page) && !ofCube.test(name))) continue
    for (const [at, drafting] of draftings.entries()) {
      if (asked.has(`${name} ${at}`)) continue
      const questions = [...drawn({name, entry, api}, drafting, most, context)]
      if (questions.length > 0) asked.add(`${name} ${at}`)
      yield* questions
    }
  }
}

/** Two draws may be of other situations, or the same. */
function* drawn(documented: Documented, drafting: Drafting, most: number, {seed}: Context): Iterable<WorkedQuestion> {
  const texts = new Set<string>()
  const {name, entry} = documented
  for (let at = 0; at < 3 * most && texts.size < most; at += 1) {
    const draft = drafting(documented, randomFrom(seed, 'worked', name, drafting.name, at))
    const text = draft && kernelText(draft.form)
    if (!draft || text === undefined || texts.has(text)) continue
    texts.add(text)
    const host = hostText(draft.form)
    yield {
      ...{api: name, origin: entry.origin, page: entry.page, situation: draft.situation, values: {...draft.values}},
      ...tensorsOf(draft),
      text,
      ...(host !== undefined && {host}),
      ...(draft.other && {other: {text: kernelText(draft.other.form), shows: draft.other.shows}}),
      expected: Object.fromEntries(
        Object.entries(draft.expected ?? {}).map(([key, values]) => [key, values.map(valueOf)]),
      ),
    }
  }
}

function tensorsOf({form: {inputs, outputs}, given = {}}: Draft): Pick<WorkedQuestion, 'inputs' | 'outputs'> {
  return {
    inputs: inputs.map(({name, dtype, count}) => {
      const values = given[name]
      return {name, dtype, shape: [count], range: [-4, 4], ...(values && {values: [...values]})}
    }),
    outputs: outputs.map(({name, dtype, count}) => ({name, dtype, shape: [count]})),
  }
}
