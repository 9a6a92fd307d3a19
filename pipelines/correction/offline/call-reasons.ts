import {code, type Voice} from '../../../datasets/voice.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import {escaped} from './text-relations.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {isMissing} from './name-reasons.ts'
import {isOperation, operationText} from './operations.ts'
import {failedStatements, kindOf, type Reason, type Replaced, type Scene} from './reason.ts'

/** Another function than the right one, another receiver, or a form of use that the interface does not have. */
export function callReason(edit: Replaced, scene: Scene): Reason | undefined {
  const [wrong, right] = [firstCall(edit.before), firstCall(edit.after)]
  if (!right) return undefined
  const {voice} = scene
  const form = returned(edit, right, voice) ?? address(edit, right, voice) ?? compound(edit, right, scene)
  if (form || !wrong) return form
  if (wrong.name === right.name) return receiver(edit, wrong, right, scene)
  return (
    invented(wrong, right, scene) ??
    handOver(wrong, right, voice) ??
    scalarForTile(wrong, right, scene) ??
    plainCopy(wrong, right, scene) ??
    otherOperation(wrong, right, scene)
  )
}

function firstCall(statement: Statement): Bracketed | undefined {
  return callsOf(statement).find(({name}) => !/^(?:if|for|while|switch|return)$/.test(name))
}

/** `y = Exp(x, n)` for `Exp(y, x, n)`. */
function returned({before}: Replaced, right: Bracketed, {say}: Voice): Reason | undefined {
  const [, target, name] = /^([\w.>[\]-]+) = (?:AscendC::)?(\w+)\(/.exec(before.text) ?? []
  if (name !== right.name || target !== right.args[0]) return undefined
  return {
    fault: say(
      `${code(name)} is used as if it returned ${code(target!)}.`,
      `把${code(name)}当成了返回${code(target!)}的函数。`,
    ),
    why: say(
      'An instruction returns nothing: where its result goes is the first argument.',
      '这类指令没有返回值，结果写到哪里由第一个实参给出。',
    ),
    fromCode: true,
  }
}

/** `gm = (__gm__ T*)x` for `gm.SetGlobalBuffer(…)`. */
function address({before}: Replaced, right: Bracketed, {say}: Voice): Reason | undefined {
  if (right.name !== 'SetGlobalBuffer' || !before.text.startsWith(`${right.receiver} = `)) return undefined
  const set = code('SetGlobalBuffer')
  const count = right.args[1]
  const elements = count === undefined ? '' : say(` and its ${code(count)} elements`, `和元素个数${code(count)}`)
  return {
    fault: say(
      `An address is assigned to the tensor ${code(right.receiver)}.`,
      `把地址直接赋给了tensor ${code(right.receiver)}。`,
    ),
    why: say(
      `A GlobalTensor is no pointer: ${set} gives it its address${elements}.`,
      `GlobalTensor不是指针，要用${set}设置它的地址${elements}。`,
    ),
    fromCode: true,
  }
}

/** `y += x` for `Add(y, …)`. */
function compound({before}: Replaced, right: Bracketed, {voice}: Scene): Reason | undefined {
  const [, target, mark] = /^(.+?) ([-+*/]=) .+;$/.exec(before.text) ?? []
  if (mark === undefined || target !== right.args[0] || !isOperation(right.name)) return undefined
  return {
    fault: voice.say(
      `${code(mark)} is used on the tensor ${code(target!)}.`,
      `对tensor ${code(target!)}用了${code(mark)}。`,
    ),
    why: voice.say(
      `A tensor has no such operator; ${operationText(right, voice)}`,
      `tensor没有这个运算符；${operationText(right, voice)}`,
    ),
    fromCode: true,
  }
}

function receiver(edit: Replaced, wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (wrong.receiver === right.receiver) return undefined
  const nested = /^AscendC::(\w+)$/.exec(wrong.receiver)?.[1]
  if (nested !== undefined && (right.receiver === '' || right.receiver === 'AscendC'))
    return {
      fault: say(
        `${code(right.name)} is looked for in ${code(wrong.receiver)}, and there is no such namespace.`,
        `${code(right.name)}写成了在${code(wrong.receiver)}里，而没有这个命名空间。`,
      ),
      why: say(
        `The interface stands in ${code('AscendC')} itself, as the other calls of this file show.`,
        `接口直接在${code('AscendC')}里，本文件其他调用也是这样写的。`,
      ),
      fromCode: true,
    }
  if (!/^(?:EnQue|DeQue|AllocTensor|FreeTensor)$/.test(right.name)) return undefined
  return otherQueue(edit, wrong, right, scene)
}

/** A tensor that goes into, or comes from, another queue than its own. */
function otherQueue({path}: Replaced, wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  const statements = failedStatements(path, scene)
  const [mine, other] = [code(right.receiver), code(wrong.receiver)]
  const [tensor] = right.args
  if (tensor !== undefined) {
    const from = statements.find(({text}) => text.includes(` ${tensor} = ${right.receiver}.`))
    if (!from) return undefined
    return {
      fault: say(
        `${code(tensor)} is given to ${other} with ${code(right.name)}, and it is a tensor of ${mine}.`,
        `${code(right.name)}把${code(tensor)}交给了${other}，而它是${mine}的tensor。`,
      ),
      why: say(
        `Line ${from.line} takes it from ${mine}; a tensor goes back into its own queue.`,
        `第${from.line}行从${mine}取得它，tensor只能交还给自己的队列。`,
      ),
      fromCode: true,
    }
  }
  const taken = (queue: string) =>
    statements.filter(({text}) => new RegExp(`${escaped(queue)}\\.(?:template )?${right.name}\\b`).test(text))
  if (taken(right.receiver).length > 0) return undefined
  return {
    fault: say(
      `${code(right.name)} is asked of ${other} where ${mine} is meant.`,
      `${code(right.name)}用的是${other}，应为${mine}。`,
    ),
    why:
      right.name === 'AllocTensor'
        ? say(
            `Nothing else allocates from ${mine}, and a buffer of ${other} is taken that its own data needs.`,
            `除此之外没有别处从${mine}分配，而${other}自己的数据要用的缓冲区被占了一个。`,
          )
        : say(
            `Nothing else calls ${code(right.name)} on ${mine}, so what is put into it stays there, ` +
              `and ${other} is asked once too often.`,
            `除此之外没有别处对${mine}调用${code(right.name)}，放进去的就一直留着，而${other}被多取了一次。`,
          ),
    fromCode: true,
  }
}

/** A function that the interface does not have. */
function invented(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {voice} = scene
  const {say} = voice
  // A documented one may only be missing where this was compiled.
  if (scene.apis.has(wrong.name)) return undefined
  if (!isMissing(wrong.name, scene) || (wrong.receiver !== 'AscendC' && wrong.receiver !== '')) return undefined
  const does = operationText(right, voice)
  if (does === '') return undefined
  return {
    fault: say(`AscendC has no function ${code(wrong.name)}.`, `AscendC没有${code(wrong.name)}这个函数。`),
    why: say(`What is wanted is ${code(right.name)}: ${does}`, `要用的是${code(right.name)}：${does}`),
    fromCode: true,
  }
}

function handOver(wrong: Bracketed, right: Bracketed, {say}: Voice): Reason | undefined {
  const names = [wrong.name, right.name].join(' ')
  if (wrong.receiver !== right.receiver) return undefined
  const queue = code(right.receiver)
  if (names === 'AllocTensor DeQue')
    return {
      fault: say(
        `${code('AllocTensor')} takes a free buffer of ${queue} where the filled one is wanted.`,
        `这里用${code('AllocTensor')}从${queue}取了一个空缓冲区，要的却是已经填好的那个。`,
      ),
      why: say(
        'What the step before has put in with EnQue comes out with DeQue, and only that waits for it; ' +
          'the buffer that was put in is otherwise never taken and never freed.',
        `前一步EnQue放进去的要用DeQue取出，也只有它会等待；否则放进去的缓冲区一直没人取，也不会释放。`,
      ),
      fromCode: true,
    }
  if (names !== 'DeQue AllocTensor') return undefined
  return {
    fault: say(
      `${code('DeQue')} asks ${queue} for a tensor that nobody has put in.`,
      `${code('DeQue')}向${queue}要一个没有人放进去的tensor。`,
    ),
    why: say(
      'Who writes a tensor first takes a free buffer with AllocTensor; EnQue and DeQue hand it on after that.',
      '先写的一方要用AllocTensor取空缓冲区，之后才由EnQue和DeQue传递。',
    ),
    fromCode: true,
  }
}

/** One element by the scalar unit for a whole tile. */
function scalarForTile(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (wrong.name !== 'SetValue' || kindOf(wrong.receiver, scene) === undefined) return undefined
  const value = wrong.args[1] ?? ''
  const foreign = /^(\w*f|std::\w+)\(/.exec(value)?.[1]
  const target = code(wrong.receiver)
  if (foreign !== undefined && isOperation(right.name))
    return {
      fault: say(
        `${code(foreign)} is a function of the host's library, and it is given one element.`,
        `${code(foreign)}是主机库的函数，而且只用了一个元素。`,
      ),
      why: say(
        `A kernel has no such function; ${code(right.name)} is the instruction, ` +
          `and it takes all ${code(right.args.at(-1)!)} elements at once.`,
        `核函数里没有它，对应的指令是${code(right.name)}，一次处理全部${code(right.args.at(-1)!)}个元素。`,
      ),
      fromCode: true,
    }
  if (!/^DataCopy/.test(right.name)) return undefined
  return {
    fault: say(
      `${code('SetValue')} writes single elements of ${target} where the whole tile has to be copied out.`,
      `${code('SetValue')}只写了${target}的个别元素，而整块都要搬出。`,
    ),
    why: say(
      `The scalar unit writes one element at a time, here at ${code(wrong.args[0] ?? '0')}, and all others stay as ` +
        `they were; ${code(right.name)} moves all of ${code(right.args[1] ?? '')} to ${code(right.args[0] ?? '')}.`,
      `标量单元一次只写一个元素，这里的下标是${code(wrong.args[0] ?? '0')}，其余的都没有写；` +
        `${code(right.name)}才把${code(right.args[1] ?? '')}整块搬到${code(right.args[0] ?? '')}。`,
    ),
    fromCode: true,
  }
}

function plainCopy(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (wrong.name !== 'DataCopy' || right.name !== 'DataCopyPad') return undefined
  if (wrong.args[0] !== right.args[0] || wrong.args[1] !== right.args[1]) return undefined
  const count = wrong.args[2] ?? ''
  if (/^\{/.test(count) || /^(?:copy|pad)$/.test(kindOf(count, scene) ?? ''))
    return {
      fault: say(
        `${code('DataCopy')} is given ${code(count)}, values for the parameters of ${code('DataCopyPad')}.`,
        `给${code('DataCopy')}传了${code(count)}，那是${code('DataCopyPad')}的参数。`,
      ),
      why: say(
        `DataCopy takes a count or a DataCopyParams, in blocks of 32 bytes; this copy goes by bytes, with ` +
          `${code(right.args.slice(2).join(', '))}.`,
        `DataCopy要的是元素个数，或以32字节块为单位的DataCopyParams；这里按字节搬运，参数是${code(right.args.slice(2).join(', '))}。`,
      ),
      fromCode: true,
    }
  const parameters = right.args[2] ?? ''
  const isFixed = /^\d+$/.test(count)
  return {
    fault: isFixed
      ? say(
          `${code('DataCopy')} moves ${count} elements, whatever the length of the piece is.`,
          `${code('DataCopy')}不管这一块多长都只搬${count}个元素。`,
        )
      : say(
          `${code('DataCopy')} is used for ${code(count)} elements, which need be no whole 32 bytes.`,
          `对${code(count)}个元素用了${code('DataCopy')}，而它们不一定凑满32字节。`,
        ),
    why: say(
      `DataCopy takes whole blocks of 32 bytes only; ${code('DataCopyPad')} takes any length, in bytes, ` +
        `from ${code(parameters)}.`,
      `DataCopy只能搬32字节的整数倍，${code('DataCopyPad')}的长度由${code(parameters)}按字节给出，可以任意。`,
    ),
    fromCode: true,
  }
}

/** An instruction that is there, for another one. */
function otherOperation(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const {voice, errors} = scene
  const {say, list} = voice
  const does = operationText(right, voice)
  if (!isOperation(wrong.name) || does === '' || wrong.args.join() !== right.args.join()) return undefined
  const kinds = right.args.map((text) => kindOf(text, scene))
  if (errors.length > 0)
    return kinds.includes(undefined)
      ? undefined
      : {
          fault: say(
            `${code(wrong.name)} is given the arguments of ${code(right.name)}.`,
            `${code(wrong.name)}拿到的是${code(right.name)}的实参。`,
          ),
          why: say(
            `No form of ${code(wrong.name)} takes ${list(right.args.map(code))}. ${does}`,
            `${code(wrong.name)}没有接收${list(right.args.map(code))}的形式。${does}`,
          ),
          fromCode: true,
        }
  const was = operationText(wrong, voice)
  return {
    fault: say(
      `${code(wrong.name)} stands where ${code(right.name)} belongs.`,
      `${code(right.name)}写成了${code(wrong.name)}。`,
    ),
    why: voice.language === 'en' ? `${was} ${does}` : `${was}${does}`,
    fromCode: false,
  }
}
