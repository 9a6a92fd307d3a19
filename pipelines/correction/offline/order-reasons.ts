import {code} from '../../../datasets/voice.ts'
import {callsOf} from '../../facts/bracketed.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {isMissing} from './name-reasons.ts'
import {failedStatements, type Reason, type Scene} from './reason.ts'

/** A name that is declared in a block and used after it. */
export function blockReason({path, head, inner}: Extract<Edit, {kind: 'unwrapped'}>, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  const end = inner.at(-1)?.lastLine ?? head.line
  const after = failedStatements(path, scene).filter(
    ({line, text}) => line >= end && !inner.some((one) => one.text === text),
  )
  for (const {text, line} of inner) {
    const name = /^(?:const )?[\w:]+(?:<.*?>)?[\s&*]+(\w+)(?:\{| = |;)/.exec(text)?.[1]
    const use =
      name === undefined ? undefined : after.find((one) => new RegExp(`(?<![\\w.>])${name}\\b`).test(one.text))
    if (name === undefined || !use || !isMissing(name, scene)) continue
    return {
      fault: say(
        `${code(name)} is declared inside of the block that ${code(head.text)} opens, and used after it, ` +
          `in line ${use.line}.`,
        `${code(name)}声明在${code(head.text)}的代码块里，而第${use.line}行在块外用它。`,
      ),
      why: say(
        `A name ends with its block: the declaration of line ${line} has to stand outside.`,
        `名字的作用域到块尾为止，第${line}行的声明要放到外面。`,
      ),
      fromCode: true,
    }
  }
  return undefined
}

/** A statement that comes too early or too late: by what it passes. */
export function orderReason(
  {statement, passed, isLater}: Extract<Edit, {kind: 'moved'}>,
  {voice: {say}}: Scene,
): Reason | undefined {
  const call = callsOf(statement)[0]
  if (!call) return undefined
  const [tensor] = call.args
  const using = (name: string) => passed.find(({text}) => new RegExp(`(?<![\\w.>])${name}\\b`).test(text))
  const use = tensor === undefined ? undefined : using(tensor)
  const queue = code(call.receiver)
  if (call.name === 'EnQue' && isLater && use)
    return {
      fault: say(
        `${code(tensor!)} is put into ${queue} before ${code(use.text)}, which still works on it.`,
        `${code(tensor!)}在${code(use.text)}之前就放进了${queue}，而这一句还要用它。`,
      ),
      why: say(
        'EnQue says that the tensor is complete: the next step may take it from there on, ' +
          'and nobody else may touch it.',
        'EnQue表示tensor已经就绪，此后下一步可以取走，别处不能再碰它。',
      ),
      fromCode: true,
    }
  if (call.name === 'FreeTensor' && isLater && use)
    return {
      fault: say(
        `${code(tensor!)} is given back to ${queue} before ${code(use.text)}, which still uses it.`,
        `${code(tensor!)}在${code(use.text)}之前就还给了${queue}，而这一句还要用它。`,
      ),
      why: say(
        'After FreeTensor the queue may give the buffer to the next tile, and its content is no longer this one.',
        'FreeTensor之后队列可以把缓冲区分给下一块，内容就不再是这一块的了。',
      ),
      fromCode: true,
    }
  const set = passed.find(({text}) => text.startsWith('SetFlag'))
  if (call.name === 'WaitFlag' && isLater && set)
    return {
      fault: say(
        `${code(statement.text)} stands before ${code(set.text)}, which it waits for.`,
        `${code(statement.text)}写在了它要等的${code(set.text)}之前。`,
      ),
      why: say(
        'Both stand in one program: the flag can only be set after the wait, which therefore never ends.',
        '两句在同一个程序里，等待不结束就走不到置标志的那一句，所以永远等不到。',
      ),
      fromCode: true,
    }
  const wait = passed.find(({text}) => text.startsWith('WaitFlag'))
  if (call.name === 'SetFlag' && !isLater && wait)
    return {
      fault: say(
        `${code(wait.text)} stands before ${code(statement.text)}, which it waits for.`,
        `${code(wait.text)}写在了它要等的${code(statement.text)}之前。`,
      ),
      why: say(
        'Both stand in one program: the flag can only be set after the wait, which therefore never ends.',
        '两句在同一个程序里，等待不结束就走不到置标志的那一句，所以永远等不到。',
      ),
      fromCode: true,
    }
  return undefined
}
