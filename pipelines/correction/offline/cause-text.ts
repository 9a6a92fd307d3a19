import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {Cause} from '../compile-error.ts'

/** Why the compiler refuses the line, in two or three sentences; '' where its message says it all. */
export function causeText(cause: Cause, text: string, voice: Voice): string {
  const {say} = voice
  switch (cause.kind) {
    case 'undeclared':
      return undeclared(cause, isCalled(cause.name, text), voice)
    case 'count':
      return count(cause, voice)
    case 'conflict':
      return say(
        `${code(cause.parameter)} of ${code(cause.api)} is deduced from every argument that mentions it, here once as ${code(cause.types[0])} and once as ${code(cause.types[1])}, so no form fits: one argument is of another kind than its parameter.`,
        `${code(cause.api)}的${code(cause.parameter)}要从每个相关的实参推导，这里一处得到${code(cause.types[0])}，另一处得到${code(cause.types[1])}，互相矛盾，所以没有形式能用：有一个实参的种类和形参不符。`,
      )
    case 'other-kind':
      return say(
        `${code(cause.api)} has no form for these arguments: where the compiler compared, the parameter is a ${code(cause.wanted)} and the argument a ${code(cause.given)}.`,
        `${code(cause.api)}没有接受这些实参的形式：编译器比较的那一处，形参是${code(cause.wanted)}，实参却是${code(cause.given)}。`,
      )
    case 'call':
      return say(
        `The name ${code(cause.api)} is known, but none of its forms takes these arguments; each note tells why one of them does not.`,
        `${code(cause.api)}这个名字是有的，但没有一种形式接受这些实参，每条note说明其中一种为什么不行。`,
      )
    case 'conversion':
      return say(
        `The right side is ${code(cause.from)}, the variable is declared as ${code(cause.to)}, and tensors of different element types do not turn into each other: they only say how the same bytes are read.`,
        `右边是${code(cause.from)}，变量却声明为${code(cause.to)}。元素类型不同的张量之间没有隐式转换。`,
      )
    case 'member':
      return say(
        `${code(cause.of)} has no member ${code(cause.name)}; the line asks for something that its type does not offer.`,
        `${code(cause.of)}没有成员${code(cause.name)}，这一行用了它的类型不提供的东西。`,
      )
    case 'expected':
      return expected(cause.what, text, voice)
    case 'redefinition':
      return say(
        `${code(cause.name)} is declared a second time in the same scope, so the line declares where it should use, or takes a name that is in use.`,
        `${code(cause.name)}在同一作用域里又声明了一次：这一行把使用写成了声明，或者取了已经用掉的名字。`,
      )
    case 'other':
      return ''
  }
}

function undeclared({name, near}: Extract<Cause, {kind: 'undeclared'}>, isCall: boolean, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(
      `Nothing with the name ${code(name)} is declared where the line stands${isCall ? ', and the interface has no such function' : ''}.`,
      `这一行所在的地方没有声明过${code(name)}${isCall ? '，接口里也没有这个函数' : ''}。`,
    ),
    near === ''
      ? ''
      : say(
          `The compiler's guess, ${code(near)}, is only the nearest spelling.`,
          `编译器猜的${code(near)}只是拼写最接近的名字。`,
        ),
  ])
}

function count({api, given, wanted}: Extract<Cause, {kind: 'count'}>, {say, list}: Voice): string {
  const numbers = [...wanted].sort((a, b) => a - b).map(String)
  return say(
    `The call gives ${code(api)} ${given} arguments, and its forms want ${list(numbers)}: ${given < Math.min(...wanted) ? 'something is missing' : 'there is one too many, or one in the wrong place'}.`,
    `这里给${code(api)}传了${given}个实参，它的形式要${list(numbers)}个：${given < Math.min(...wanted) ? '少了东西' : '多了，或者放错了位置'}。`,
  )
}

function expected(what: string, text: string, {say}: Voice): string {
  return say(
    `The grammar breaks off here: the compiler expected ${what}. Such a message often points behind the place of the fault, so what stands before ${code(text)} has to be read as well.`,
    `语法在这里断了：编译器期待${code(what)}。这类报错常常落在出错处之后，所以${code(text)}之前的内容也要看。`,
  )
}

/** Whether the fault is in how something is called: then the declaration tells what is right. */
export function isOnCall(cause: Cause, text: string): boolean {
  if (cause.kind === 'undeclared') return isCalled(cause.name, text)
  return ['count', 'conflict', 'other-kind', 'call'].includes(cause.kind)
}

function isCalled(name: string, text: string): boolean {
  return new RegExp(`(?<!\\w)${name}\\s*[<(]`).test(text)
}

/** How the interface is declared, by the form that takes as many arguments as the corrected call gives. */
export function declared({name, prototypes}: ApiEntry, given: number, voice: Voice): string {
  const fitting = prototypes.filter(({parameters}) => {
    const required = parameters.filter(({defaultValue}) => defaultValue === undefined).length
    return given >= required && given <= parameters.length
  })
  const lists = [...new Set(fitting.map(({parameters}) => parameters.map((one) => one.name).join(' ')))]
  if (lists.length !== 1 || lists[0] === '' || /(?:^| )(?: |$)/.test(lists[0]!)) return ''
  const names = lists[0]!.split(' ')
  return voice.say(
    `The form of ${code(name)} that is meant takes ${codeList(names, voice)}, in this order.`,
    `要用的${code(name)}依次接收${codeList(names, voice)}。`,
  )
}
