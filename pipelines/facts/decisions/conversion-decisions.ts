import type {Call} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {cleaned} from './cleaned.ts'
import {elementTypeOf} from './element-type.ts'

const narrow = new Set(['half', 'bfloat16_t'])
const integers = /^u?int(?:8|16|32|64)_t$/

/** Why types are changed and how values are rounded, where the types of both tensors are seen. */
export function conversionDecisions({vectorCalls, methods}: KernelFacts): Decision[] {
  const casts = vectorCalls
    .filter(({call}) => call.name === 'Cast')
    .map(({call}) => {
      const [to = '', from = ''] = call.args
      const isBfloat16 = call.branches.some(({condition, arm}) => arm === 'then' && condition.includes('bfloat16'))
      const source = isBfloat16 ? 'bfloat16_t' : elementTypeOf(from, methods)
      return {call, mode: modeOf(call), from: source, to: elementTypeOf(to, methods)}
    })
  const up = casts.find(({mode, from, to}) => mode === 'NONE' && narrow.has(from ?? '') && to === 'float')
  const back = casts.find(({mode, from, to}) => mode === 'RINT' && from === 'float' && narrow.has(to ?? ''))
  const whole = casts.find(({mode, to}) => mode !== 'NONE' && mode !== 'ODD' && mode !== '' && integers.test(to ?? ''))
  return [
    ...(up?.from === 'bfloat16_t' ? [conversion('bfloat16', up.call, {}, 'no-bfloat16')] : []),
    ...(up?.from === 'half' && back ? [conversion('route', up.call, {back: cleaned(back.call.args[0] ?? '')})] : []),
    ...(back && up?.from !== 'half' ? [conversion('rint', back.call, {})] : []),
    ...(whole ? [conversion(`${whole.mode.toLowerCase()}-whole`, whole.call, {})] : []),
  ]
}

const modeOf = ({args}: Call) => args.flatMap((one) => /\bCAST_(\w+)/.exec(one)?.[1] ?? [])[0] ?? ''

function conversion(situation: string, {args}: Call, values: Decision['values'], rule?: string): Decision {
  const [to = '', from = ''] = args.map(cleaned)
  const code = `Cast(${args.join(', ')})`
  return {
    ...{topic: 'conversion' as const, situation, subject: code, values: {...values, to, from}},
    because: [{kind: 'fact', code}, ...(rule ? [{kind: 'rule' as const, api: 'Add', rule}] : [])],
  }
}
