import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {otherChipConditions} from '../../facts/chip-text.ts'
import {codeList, some, type Voice} from '../../../datasets/voice.ts'

/** Paths of the files that the target itself includes; those come with others, of which the target knows nothing. */
export function includedFiles({target, dependencies}: OperatorSource): string[] {
  const names = [...target.text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)].map(([, path = '']) =>
    lastOf(path),
  )
  return dependencies.map(({path}) => path).filter((path) => names.includes(lastOf(path)))
}

function lastOf(path: string): string {
  return path.replace(/^.*\//, '')
}

/** Why there is code of which nothing is told; '' where all of it is for this chip. */
export function otherChipsSentence(source: OperatorSource, voice: Voice): string {
  const conditions = otherChipConditions(source)
  if (conditions.length === 0) return ''
  const list = codeList(some(conditions, 3).shown, voice)
  return voice.say(
    `The parts under ${list} serve other chips; on Atlas A2 the compiler never sees them.`,
    `${list} 下的代码面向其他芯片,在 Atlas A2 上不参与编译。`,
  )
}
