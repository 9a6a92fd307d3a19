import {code, paragraph, type Voice} from '../../../datasets/voice.ts'
import type {Cause} from '../compile-error.ts'

/**
 * Why the compiler refuses the line, in two or three sentences; '' where its message says it all.
 * @param right what has to stand there: a guess of the compiler's may be that
 */
export function causeText(cause: Cause, right: string, voice: Voice): string {
  const {say} = voice
  switch (cause.kind) {
    case 'undeclared':
      return undeclared(cause, right, voice)
    case 'count':
      return count(cause, voice)
    case 'conflict':
      return conflict(cause, voice)
    case 'other-kind':
      return otherKind(cause, voice)
    case 'conversion':
      return conversion(cause, voice)
    case 'member':
      return say(
        `${code(cause.of)} has no member ${code(cause.name)}: the line asks for what its type does not offer.`,
        `${code(cause.of)}没有成员${code(cause.name)}，这一行用了它的类型不提供的东西。`,
      )
    // The message names these, and says no more of their cause.
    case 'call':
    case 'expected':
    case 'redefinition':
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
    say('Both cannot be.', '两者不能同时成立。'),
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

type Of<Kind extends Cause['kind']> = Extract<Cause, {kind: Kind}>

function undeclared({name, near}: Of<'undeclared'>, right: string, voice: Voice): string {
  const {say} = voice
  return paragraph(voice, [
    say(`Nothing with the name ${code(name)} is declared here.`, `这里没有声明过${code(name)}。`),
    near === '' || right.includes(near.split('::').at(-1)!)
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
  return say(
    `The call gives ${code(api)} ${given} ${given === 1 ? 'argument' : 'arguments'}, and its forms want ${numbers}.`,
    `这里给${code(api)}传了${given}个实参，它的形式要${numbers}个。`,
  )
}
