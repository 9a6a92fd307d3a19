import type {Check} from '../../facts/checks.ts'
import {code, codeList, type Voice} from '../../../datasets/voice.ts'

const longest = 150

/** Cut between two words, so that no half of a name is left. */
export function shortened(text: string, most: number = longest): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/\w+$/, '').trimEnd()} …`
}

/** What a check requires, and what it returns otherwise. */
export function checkText({kind, subjects, result}: Check, voice: Voice): string {
  const [first = '', second = '', third = ''] = subjects.map((one) => code(shortened(one)))
  const given = code(shortened(result))
  if (kind === 'holds') {
    if (result === '') return voice.say(`unless ${first} holds, it stops`, `若 ${first} 不成立则退出`)
    if (result === 'return') return voice.say(`unless ${first} holds, it returns`, `若 ${first} 不成立则返回`)
    return voice.say(`unless ${first} holds, it returns ${given}`, `若 ${first} 不成立则返回 ${given}`)
  }
  if (kind === 'fails') {
    if (result === '') return voice.say(`where ${first} holds, it stops`, `若 ${first} 成立则退出`)
    if (result === 'return') return voice.say(`where ${first} holds, it returns`, `若 ${first} 成立则返回`)
    return voice.say(`where ${first} holds, it returns ${given}`, `若 ${first} 成立则返回 ${given}`)
  }
  const list = codeList(
    subjects.map((one) => shortened(one)),
    voice,
  )
  const demands: Readonly<Record<typeof kind, () => string>> = {
    'not-null': () => voice.say(`${list} must not be null`, `${list} 不能为空指针`),
    'dtype-in': () =>
      voice.say(`the type of ${first} must be one of ${second}`, `${first} 的数据类型须在 ${second} 中`),
    'dtype-is': () => voice.say(`the type of ${first} must be ${second}`, `${first} 的数据类型须为 ${second}`),
    'dtype-same': () =>
      voice.say(`${first} and ${second} must have one type`, `${first} 与 ${second} 的数据类型须相同`),
    'dtype-converts': () =>
      voice.say(`the type ${first} must convert to ${second}`, `类型 ${first} 须能转换为 ${second}`),
    'shape-same': () =>
      voice.say(`${first} and ${second} must have one shape`, `${first} 与 ${second} 的 shape 须相同`),
    'shape-is': () => voice.say(`the shape of ${first} must be ${second}`, `${first} 的 shape 须为 ${second}`),
    'dims-at-most': () =>
      voice.say(`${first} may have at most ${second} dimensions`, `${first} 的维数不超过 ${second}`),
    'dims-at-least': () =>
      voice.say(`${first} must have at least ${second} dimensions`, `${first} 的维数不少于 ${second}`),
    'dims-exactly': () => voice.say(`${first} must have ${second} dimensions`, `${first} 的维数须为 ${second}`),
    broadcast: () => voice.say(`${first} and ${second} must broadcast`, `${first} 与 ${second} 须能广播`),
    'broadcast-to': () =>
      voice.say(
        `${first} and ${second} must broadcast, which gives ${third}`,
        `${first} 与 ${second} 须能广播，结果 shape 记入 ${third}`,
      ),
  }
  return demands[kind]()
}
