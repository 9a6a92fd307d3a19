import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {labelOf} from '../../../datasets/schema/label.ts'
import {Verdict, type ExecutorIdentity} from '../../../datasets/schema/verdict.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {requestOf} from '../../helpers/sample-run.ts'
import {codeNamed, judged} from '../../pipelines/preference/records.ts'

export const twin: ExecutorIdentity = {name: 'twin', fingerprint: 'f1', compiler: 'clang 15', soc: 'Ascend910B2'}
export const bisheng: ExecutorIdentity = {name: 'cann', fingerprint: 'f2', compiler: 'bisheng', soc: 'Ascend910B2'}

const passed = {literal: true, hardened: true, worstAbsolute: 0, worstRelative: 0, reason: ''}
const broken = {block: 0, api: 'DataCopy', tensor: 'x', message: 'x begins at byte 4', fix: 'Align it.'}

/** A verdict of each outcome, with evidence; `text` tells those of one outcome apart. */
export function verdict(outcome: Verdict['outcome'], text = 'first', executor = twin): Verdict {
  const file = 'op_kernel/scale_shift.cpp'
  const more: {readonly [O in Verdict['outcome']]: object} = {
    'not-covered': {missing: [text]},
    'compile-failed': {diagnostics: [{severity: 'error', file, line: 7, column: 3, message: text}], log: text},
    'link-failed': {log: text},
    'launch-failed': {case: '0', message: text},
    compiled: {},
    crashed: {case: '0', cause: text, log: ''},
    'timed-out': {case: '0', limitSeconds: 2},
    violated: {case: '0', violation: {...broken, rule: text}},
    mismatched: {cases: [{...passed, case: '0', literal: false, hardened: false, reason: text}]},
    cheated: {rule: text, detail: text, literal: false},
    correct: {cases: [{...passed, case: '0'}]},
  }
  return Verdict.parse({outcome, ...more[outcome], executor})
}

/** A candidate whose sources are told by `name`. */
export function candidate(name: string, found: Verdict, over: Partial<LabelledCandidate> = {}): LabelledCandidate {
  const files = [{path: 'op_kernel/scale_shift.cpp', text: codeNamed(name)}]
  return {...judged({files, verdict: found}), label: labelOf(found) ?? 'orange', ...over}
}

const judge: Stage<LabelledCandidate, LabelledCandidate> = {
  name: 'judge',
  version: 1,
  input: LabelledCandidate,
  output: LabelledCandidate,
  run: each((record) => [record]),
}

/** A finished run `<out>/<name>` that judged them. */
export function judgedRun(out: string, name: string, candidates: readonly LabelledCandidate[]) {
  return runPipeline(requestOf(Pipeline.from(name, candidates, judge), out))
}
