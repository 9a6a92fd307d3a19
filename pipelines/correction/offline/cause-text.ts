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
      return conflict(cause, voice)
    case 'other-kind':
      return otherKind(cause, voice)
    case 'call':
      return noForm(cause.api, voice)
    case 'conversion':
      return conversion(cause, voice)
    case 'member':
      return say(
        `${code(cause.of)} has no member ${code(cause.name)}: the line asks for what its type does not offer.`,
        `${code(cause.of)}没有成员${code(cause.name)}，这一行用了它的类型不提供的东西。`,
      )
    case 'expected':
      return expected(cause.what, text, voice)
    case 'redefinition':
      return redefinition(cause.name, voice)
    case 'other':
      return ''
  }
}

function conflict({api, parameter, types}: Of<'conflict'>, voice: Voice): string {
  const [one, other] = types.map(code)
  const {say} = voice
  return paragraph(voice, [
    say(
      `${code(parameter)} of ${code(api)} follows from every argument that mentions it: ${one} here, ${other} there.`,
      `${code(api)}的${code(parameter)}要从每个相关的实参推导，这里一处得到${one}，另一处得到${other}。`,
    ),
    say('So one argument is of another kind than its parameter.', '所以有一个实参的种类和形参不符。'),
  ])
}

function otherKind({api, wanted, given}: Of<'other-kind'>, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(`${code(api)} has no form for these arguments.`, `${code(api)}没有接受这些实参的形式。`),
    say(
      `Where the compiler compared, the parameter is a ${code(wanted)} and the argument a ${code(given)}.`,
      `编译器比较的那一处，形参是${code(wanted)}，实参却是${code(given)}。`,
    ),
  ])
}

function noForm(api: string, {say}: Voice): string {
  return say(
    `The name ${code(api)} is known, but none of its forms takes these arguments; the notes tell why.`,
    `${code(api)}这个名字是有的，但没有一种形式接受这些实参，note里写了原因。`,
  )
}

function conversion({from, to}: Of<'conversion'>, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(
      `The right side is ${code(from)}, the variable is declared as ${code(to)}.`,
      `右边是${code(from)}，变量却声明为${code(to)}。`,
    ),
    say('None turns into the other by itself.', '两者之间没有隐式转换。'),
  ])
}

function redefinition(name: string, {say}: Voice): string {
  return say(
    `${code(name)} is declared twice in one scope: the line declares where it should use, or its name is taken.`,
    `${code(name)}在同一作用域里声明了两次：这一行把使用写成了声明，或者名字已经被占用。`,
  )
}

type Of<Kind extends Cause['kind']> = Extract<Cause, {kind: Kind}>

function undeclared({name, near}: Of<'undeclared'>, isCall: boolean, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(`Nothing with the name ${code(name)} is declared here.`, `这里没有声明过${code(name)}。`),
    isCall ? say('The interface has no such function either.', '接口里也没有这个函数。') : '',
    near === ''
      ? ''
      : say(
          `The compiler's guess, ${code(near)}, is only the nearest spelling.`,
          `编译器猜的${code(near)}只是拼写最接近的名字。`,
        ),
  ])
}

function count({api, given, wanted}: Of<'count'>, voice: Voice): string {
  const {say, list} = voice
  const numbers = list([...wanted].sort((a, b) => a - b).map(String))
  const isShort = given < Math.min(...wanted)
  return paragraph(voice, [
    say(
      `The call gives ${code(api)} ${given} arguments, and its forms want ${numbers}.`,
      `这里给${code(api)}传了${given}个实参，它的形式要${numbers}个。`,
    ),
    isShort ? say('Something is missing.', '少了东西。') : say('Something is too many.', '多了东西。'),
  ])
}

function expected(what: string, text: string, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(`The grammar breaks off: the compiler expected ${what}.`, `语法在这里断了：编译器期待${code(what)}。`),
    say(
      `Such a message often stands behind its cause, so the code before ${code(text)} has to be read as well.`,
      `这类报错常常落在出错处之后，所以${code(text)}之前的内容也要看。`,
    ),
  ])
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
