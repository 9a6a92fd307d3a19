import type {OperatorSource} from '../../datasets/schema/operator.ts'
import type {Language} from '../../datasets/voice.ts'
import {usedDeclarations} from './used-declarations.ts'

/** Characters of code that a request hands out in full: about 8,000 tokens. */
const mostCharacters = 24_000

/**
 * The code that the request builds on: dependencies in the order in which they are needed, and the tiling structure of
 * the host side. What is longer than a request should be shrinks to the declarations that the target uses.
 */
export async function givenCode(
  {dependencies, tiling, target}: Pick<OperatorSource, 'dependencies' | 'tiling' | 'target'>,
  language: Language,
): Promise<string> {
  const length = dependencies.reduce((sum, {text}) => sum + text.length, 0)
  const isWhole = length <= mostCharacters
  const given = isWhole ? dependencies : await usedDeclarations(dependencies, target.text)
  const parts = given.map(({path, text}) => `===== ${path} =====\n${fence(text)}`)
  if (tiling !== '') parts.push(`===== ${tilingTitle[language]} =====\n${fence(tiling)}`)
  if (parts.length === 0) return ''
  return `\n\n${(isWhole ? whole : shortened)[language]}\n\n${parts.join('\n\n')}`
}

const whole = {
  en: 'The following code exists already; build on it:',
  zh: '以下依赖代码已经存在,请在其基础上完成实现:',
}
const shortened = {
  en: 'The following code exists already; of what it holds, the declarations that are needed are shown:',
  zh: '以下依赖代码已经存在(仅列出需要用到的声明),请在其基础上完成实现:',
}
const tilingTitle = {en: 'tiling structure declared on the host side', zh: 'Host 侧声明的 tiling 结构'}

/** A fence longer than any inside the code. */
export function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}cpp\n${code.trimEnd()}\n${ticks}`
}
