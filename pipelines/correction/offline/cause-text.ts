import type {Message} from '../../telling/tell-message.ts'
import type {Cause} from '../compile-error.ts'

const says = (situation: string, values: Message['values']): Message => ({
  topic: 'compile-causes',
  situation,
  values,
})

/**
 * Why the compiler refuses the line; empty if its message is sufficient. @param right what should be there: a guess of
 * the compiler's may be that
 */
export function causeOf(cause: Cause, right: string): Message[] {
  switch (cause.kind) {
    case 'undeclared': {
      const {name, near} = cause
      const isMeant = near === '' || right.includes(near.split('::').at(-1)!)
      return [says('undeclared', {name}), ...(isMeant ? [] : [says('guess', {near})])]
    }
    case 'count': {
      const {api, given} = cause
      const counts = [...cause.wanted].sort((a, b) => a - b)
      const either = (or: string, comma: string) => counts.join(comma).replace(/(?:, |、)(\d+)$/, `${or}$1`)
      return [says('count', {api, given, wanted: {en: either(' or ', ', '), zh: either(' 或 ', '、')}})]
    }
    case 'conflict': {
      const {api, parameter, types} = cause
      return [says('conflict', {api, parameter, one: types[0], other: types[1]})]
    }
    case 'other-kind':
      return [says('other-kind', {api: cause.api, wanted: cause.wanted, given: cause.given})]
    case 'conversion':
      return [says('conversion', {from: cause.from, to: cause.to})]
    case 'member':
      return [says('member', {of: cause.of, name: cause.name})]
    // The message names these, and says no more of their cause.
    case 'call':
    case 'expected':
    case 'redefinition':
    case 'other':
      return []
  }
}
