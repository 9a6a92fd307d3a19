import {plansOf, runsOf, stepsOf} from '../../facts/api-facts.ts'
import type {ApiFacts} from '../../../datasets/schema/code-facts.ts'
import type {FunctionFlow, Statement} from '../../../cpp/syntax.ts'
import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'

type Call = NonNullable<Statement['call']>

/** The other interface that a first or second phase hands its call on to; undefined where it works itself. */
export function handedTo(flow: FunctionFlow, {functions}: ApiFacts): Call | undefined {
  const calls = flow.statements.flatMap(({call}) => (call && /^aclnn\w+$/.test(call.name) ? [call] : []))
  const works = flow.statements.some(({text}) => /\b(?:CREATE_EXECUTOR|CommonOpExecutorRun|l0op::\w+)\s*\(/.test(text))
  const [only, second] = calls
  return only && !second && !works && functions.every(({name}) => name !== only.name) ? only : undefined
}

/** Whether every first phase only hands on, so that checks and plan are those of another interface. */
export function onlyHandsOn(facts: ApiFacts): boolean {
  const checks = (plan: FunctionFlow) => stepsOf(plan, facts).some(({kind}) => kind === 'check')
  return plansOf(facts).length > 0 && plansOf(facts).every((plan) => handedTo(plan, facts) && !checks(plan))
}

/** What changes on the way to the other interface. */
export function handingParagraph(plan: FunctionFlow, facts: ApiFacts, voice: Voice): string {
  const call = handedTo(plan, facts)
  if (!call) return ''
  const own = plan.parameters.map(({name}) => name)
  // A variable that is handed on may hold a parameter.
  const held = plan.statements.filter(({target}) => call.args.includes(target)).map(({text}) => text)
  const handed = [...call.args, ...held]
  const unused = own.filter((name) => !handed.some((one) => new RegExp(String.raw`\b${name}\b`).test(one)))
  const names = facts.prototypes.find(({name}) => name === call.name)?.parameters.map(({name}) => name) ?? []
  const fixed = call.args.flatMap((arg, index) => {
    if (!/^(?:nullptr|true|false|-?[\d.]+\w*)$/.test(arg)) return []
    const place = names[index] ? code(names[index]) : voice.say(`argument ${index + 1}`, `第 ${index + 1} 个参数`)
    return [voice.say(`${code(arg)} for ${place}`, `${place} 固定为 ${code(arg)}`)]
  })
  const [from, to, list] = [code(plan.name), code(call.name), codeList(unused, voice)]
  return paragraph(voice, [
    voice.say(`${from} hands the call on to ${to}.`, `${from} 把调用转交给 ${to}。`),
    fixed.length > 0 ? voice.say(`Fixed on the way: ${fixed.join(', ')}.`, `转交时${fixed.join('、')}。`) : '',
    unused.length > 0 ? voice.say(`Not handed on: ${list}.`, `没有转交的参数:${list}。`) : '',
  ])
}

/** Second phases that run what the other interface planned. */
export function handedRuns(facts: ApiFacts, voice: Voice): string {
  const told = runsOf(facts).flatMap((run) => {
    const to = handedTo(run, facts)?.name
    return to === undefined
      ? []
      : [voice.say(`${code(run.name)} calls ${code(to)}`, `${code(run.name)} 调用 ${code(to)}`)]
  })
  if (told.length === 0) return ''
  return voice.say(
    `The second phase must be that of the same interface, whose executor it gets: ${told.join('; ')}.`,
    `第二段使用的执行器来自同一接口,因此也要调用它的第二段:${told.join(';')}。`,
  )
}
