import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {Json} from '../../../engine/json.ts'
import {Refusal, type Route} from '../../../engine/service.ts'
import type {Desk, Told} from '../../../eval/serve/desk.ts'
import {EvaluationRequest} from '../../../eval/serve/kernelgym-wire.ts'
import {kernelgymRoutes} from '../../../eval/serve/kernelgym-routes.ts'
import {openNamed} from '../../../eval/serve/named.ts'
import type {Office} from '../../../eval/serve/office.ts'
import {RewardRule} from '../../../eval/serve/reward.ts'
import {scoreRoutes} from '../../../eval/serve/score-routes.ts'
import type {Store} from '../../../eval/serve/store.ts'

export const executor = {name: 'twin', fingerprint: 'f', compiler: 'c', soc: 'Ascend910B1'}
const caseOf = (passed: boolean) => ({
  ...{case: '0', literal: true, hardened: passed, worstAbsolute: 0, worstRelative: 0},
  reason: passed ? '' : 'wrong',
})
export const verdicts = {
  green: {outcome: 'correct', cases: [caseOf(true)], executor},
  wrong: {outcome: 'mismatched', cases: [caseOf(false)], executor},
  crash: {outcome: 'crashed', case: '0', cause: 'SIGSEGV', log: 'l', executor},
  late: {outcome: 'timed-out', case: '0', limitSeconds: 9, executor},
  broken: {
    outcome: 'compile-failed',
    diagnostics: [{severity: 'error', file: 'a.cpp', line: 3, column: 1, message: 'no x'}],
    log: '',
    executor,
  },
  linked: {outcome: 'link-failed', log: 'no f', executor},
  cheat: {outcome: 'cheated', rule: 'r', detail: 'd', literal: true, executor},
  lacking: {outcome: 'not-covered', missing: ['Foo'], executor},
} satisfies Record<string, Verdict>
export type Name = keyof typeof verdicts

const templates = {hostTemplate: {path: 'h', text: ''}, kernelTemplate: {path: 'k', text: ''}}

interface Given {
  /** By seed. */
  answers?: readonly (Name | Error)[]
  load?: {waiting: number; places: number}
}

export function world({answers = ['green'], load = {waiting: 0, places: 100}}: Given = {}) {
  const asked: {seed: string; anew: boolean; priority: string}[] = []
  const recorded: unknown[] = []
  let clock = 0
  const desk: Partial<Desk> = {
    ask: async ({seed, anew, priority}) => {
      asked.push({seed, anew, priority})
      clock += 250
      const name = answers[Math.min(Number(seed), answers.length - 1)] as Name | Error
      if (name instanceof Error) throw name
      return {finding: {state: 'judged', verdict: verdicts[name]}, cached: 'no'} as Told
    },
    load: () => ({...load, running: 0}),
    patience: () => 7,
    isDraining: () => false,
  }
  const kept = new Map<string, {request: string; reply?: string}>()
  const store: Partial<Store> = {
    accept(id: string, request: string, again: boolean) {
      const before = kept.get(id)
      if (before && !again) return before
      kept.set(id, {request})
      return undefined
    },
    accepted: (id: string) => kept.get(id),
    finish: (id: string, reply: string) => void kept.set(id, {request: kept.get(id)?.request ?? '', reply}),
    unfinished: () => [],
  } as never
  const task = {name: 'AddCustom', level: 1, category: 'math', description: 'd', answer: [], cases: [], ...templates}
  const form = (mode: string) => ({
    prompt: () => `${mode} of it`,
    read: (_: unknown, {text}: {text: string}) =>
      text.includes('bad') ? {ok: false, problem: `no file in ${mode}`} : {ok: true, files: []},
  })
  const office = {
    desk,
    recorder: {assessed: (...one: unknown[]) => void recorded.push(one)},
    rule: RewardRule.parse({}),
    identity: executor,
    tasks: new Map([['add', task as unknown as OperatorTask]]),
    forms: new Map([
      ['operator', form('operator')],
      ['kernel-only', form('kernel-only')],
    ]),
    now: () => clock,
  } as unknown as Office
  const named = openNamed(store as Store)
  const routes = [...kernelgymRoutes(office, named), ...scoreRoutes(office, named)]
  const call = async (path: string, body: unknown, {headers = {}, id = ''}: {headers?: object; id?: string} = {}) => {
    const route = routes.find((one) => one.path === path) as Route
    const reply = await route.handle({
      body,
      parameter: () => id,
      header: (name: string) => (headers as Record<string, string>)[name] ?? '',
      gone: new AbortController().signal,
    })
    return reply as {status: number; content: {json: never} & {lines: AsyncIterable<Json>}}
  }
  return {office, call, asked, recorded, named, kept}
}

export const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) =>
        error instanceof Refusal
          ? {status: error.status, code: error.code, message: error.message, fix: error.fix, headers: error.headers}
          : error,
    )

export const evaluation = (more: object = {}) =>
  EvaluationRequest.parse({task_id: 't1', kernel_code: 'a kernel of ten', entry_point: 'add', ...more})
