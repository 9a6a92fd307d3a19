import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {code, some, type Voice} from '../../../datasets/voice.ts'
import {branchText, isSamePlace} from './branch-text.ts'

const keyCondition = /^(?:TILING_KEY_IS\(\s*\w+\s*\)(?:\s*\|\|\s*(?=T)|$))+$/

function keysIn(condition: string): string[] {
  return keyCondition.test(condition) ? [...condition.matchAll(/\(\s*(\w+)\s*\)/g)].map(([, key]) => key!) : []
}

/** What an entry runs in each case; '' where it always runs the same. */
export function variantsOfEntry({variants, methods}: KernelFacts, voice: Voice): string {
  const calls = methods.find(({role}) => role === 'entry')?.syntax.calls.filter(({receiver}) => receiver !== '') ?? []
  const worksOf = ({branches}: KernelFacts['variants'][number]) =>
    calls.filter((call) => !/^Init/.test(call.name) && isSamePlace(call.branches, branches)).map(({name}) => name)
  const works = new Set(variants.map((one) => worksOf(one).join()))
  const chosen = variants
    .filter(({branches}) => branches.length > 0)
    .map((one) => ({...one, text: [one.text, ...(works.size > 1 ? worksOf(one) : [])].join('.')}))
  return new Set(chosen.map(({text}) => text)).size < 2 ? '' : variantsSentence(chosen, voice, 64)
}

/** `` `7` runs `KernelA<half>` ``; under other conditions, where these hold. */
function variantsSentence(variants: KernelFacts['variants'], voice: Voice, most = 10): string {
  const texts = [...new Set(variants.map((one) => variantText(one, voice)))]
  const {shown, more} = some(texts, most)
  return voice.say(
    `The variants: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    `各分支：${shown.join(';')}${more > 0 ? `；另有 ${more} 个` : ''}。`,
  )
}

function variantText({text, branches}: KernelFacts['variants'][number], voice: Voice): string {
  // That other keys do not hold follows from the one that does.
  const keys = branches.flatMap(({condition, arm}) => (arm === 'then' ? keysIn(condition) : []))
  const others = branches.filter(({condition}) => !keyCondition.test(condition))
  const where = branchText(others, voice)
  const list = keys.map((one) => code(one)).join(voice.say(' or ', ' 或 '))
  const place = [keys.length === 0 ? '' : `key ${list}`, where].filter((one) => one !== '').join(' ')
  return `${place || voice.say('otherwise', '其余情况')} → ${code(text)}`
}
