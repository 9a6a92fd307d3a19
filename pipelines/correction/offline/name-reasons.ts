import {code} from '../../../datasets/voice.ts'
import {isOperation} from './operations.ts'
import {changedWord, declarationOf, type Reason, type Replaced, type Scene, stretchOf} from './reason.ts'

/** A name that is not there, for one that is; `.` for `->`; a name without the type or namespace that it stands in. */
export function nameReason(edit: Replaced, scene: Scene): Reason | undefined {
  return (
    memberMark(edit, scene) ??
    unqualified(edit, scene) ??
    accessor(edit, scene) ??
    digitFirst(edit, scene) ??
    unknown(edit, scene)
  )
}

/** `2M_count`, which is no name. */
function digitFirst(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  if (!/^\d\w*[A-Za-z]\w*$/.test(wrong) || !/^[A-Za-z_]\w*$/.test(right)) return undefined
  return {
    fault: say(`${code(wrong)} begins with a digit, so it is no name.`, `${code(wrong)}以数字开头，不是合法的名字。`),
    why: say(
      `Names begin with a letter or an underscore; elsewhere it is called ${code(right)}.`,
      `名字要以字母或下划线开头，别处用的是${code(right)}。`,
    ),
    fromCode: true,
  }
}

function memberMark(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  if (!['.', '->'].includes(wrong) || !['.', '->'].includes(right)) return undefined
  const parts = /(\w+)(?:->|\.)(?:template )?(\w+)/g
  const [was, is] = [edit.before, edit.after].map(({text}) => [...text.matchAll(parts)])
  const at = is!.findIndex(([text], index) => text !== was![index]?.[0])
  const [owner, member] = is![at]?.slice(1) ?? []
  if (owner === undefined || member === undefined) return undefined
  const isPointer = right === '->'
  const kind = isPointer ? 'a pointer' : 'an object'
  return {
    fault: say(
      `${code(member)} is reached through ${code(wrong)}, but ${code(owner)} is ${kind}.`,
      `访问${code(member)}用了${code(wrong)}，而${code(owner)}是${isPointer ? '指针' : '对象'}。`,
    ),
    why: say(
      `Members of ${isPointer ? 'what a pointer points to' : 'an object'} are reached through ${code(right)}.`,
      `${isPointer ? '指针' : '对象'}的成员用${code(right)}访问。`,
    ),
    fromCode: true,
  }
}

/** `S_V` for `HardEvent::S_V`. */
function unqualified({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const qualified = [...after.text.matchAll(/\b(\w+)::(\w+)\b/g)]
  const one = qualified.find(([whole, , name]) => after.text.replace(whole, name!) === before.text)
  if (!one) return undefined
  const [whole, owner, name] = one
  return {
    fault: say(
      `${code(name!)} is written without ${code(owner!)}, in which it stands.`,
      `${code(name!)}前面少了它所在的${code(owner!)}。`,
    ),
    why: say(
      `The names inside of ${code(owner!)} are not visible outside of it: the name is ${code(whole)}.`,
      `${code(owner!)}里的名字在外面不可见，要写成${code(whole)}。`,
    ),
    fromCode: true,
  }
}

/** `tiling.get_length()` in the kernel. */
function accessor({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const [whole, owner, field] = /\b(\w+)\.get_(\w+)\(\)/.exec(before.text) ?? []
  if (whole === undefined || before.text.replace(whole, `${owner}.${field}`) !== after.text) return undefined
  return {
    fault: say(`${code(whole)} calls an accessor of the host's class.`, `${code(whole)}调用的是Host侧类的访问函数。`),
    why: say(
      `In the kernel the tiling data is a plain structure: its field is ${code(field!)}.`,
      `核函数里tiling是普通结构体，字段就是${code(field!)}。`,
    ),
    fromCode: true,
  }
}

/** Only a name that the compiler says is not there. */
function unknown(edit: Replaced, scene: Scene): Reason | undefined {
  const word = changedWord(edit)
  if (!word || !isMissing(word.wrong, scene) || isOperation(word.right)) return undefined
  const {wrong, right} = word
  const {say} = scene.voice
  const owner = new RegExp(`\\b([\\w:]+)(::|\\.|->)${right}\\b`).exec(edit.after.text)
  const declared = declarationOf(right, scene.failed)
  const where = whereText(right, declared, owner?.[2] === '::' ? owner[1] : undefined, scene)
  if (where === '' && !/^[a-z]\w*_t$|^[A-Z]\w*$|^(?:float|half|int|double|bool)$/.test(right)) return undefined
  if (where === '' && /^[TU]$/.test(right))
    return {
      fault: say(`There is no type ${code(wrong)}.`, `没有类型${code(wrong)}。`),
      why: say(
        `The class is a template over its element type, ${code(right)}, and what it handles is of that type.`,
        `这个类是以元素类型${code(right)}为参数的模板，它处理的数据就是这个类型。`,
      ),
      fromCode: true,
    }
  const known = owner === null ? declarationOf(wrong, scene.failed) : undefined
  if (known && where !== '')
    return {
      fault: say(
        `${code(wrong)} is declared in line ${known.one.line} of ${known.path}, and not where it is used here.`,
        `${code(wrong)}声明在${known.path}第${known.one.line}行，这里用不到它。`,
      ),
      why: where,
      fromCode: true,
    }
  if (/^DTYPE_\w+$/.test(right))
    return {
      fault: say(`There is no ${code(wrong)} here.`, `这里没有${code(wrong)}。`),
      why: say(
        `The element type that the kernel is built for is ${code(right)}, a macro of the build.`,
        `核函数编译时的元素类型由构建定义的宏${code(right)}给出。`,
      ),
      fromCode: true,
    }
  const type = ownerIn(wrong, scene.errors)
  if (type !== undefined && owner?.[2] !== '::')
    return {
      fault: say(`${code(type)} has no member ${code(wrong)}.`, `${code(type)}没有成员${code(wrong)}。`),
      why: say(`The member is called ${code(right)}.`, `成员的名字是${code(right)}。`),
      fromCode: true,
    }
  const of = owner?.[2] === '::' ? say(` in ${code(owner[1]!)}`, `在${code(owner[1]!)}里`) : ''
  const fault = say(`There is no ${code(wrong)}${of}.`, `${of}没有${code(wrong)}。`)
  return {
    fault,
    why: where === '' ? say(`The name is ${code(right)}.`, `名字是${code(right)}。`) : where,
    fromCode: true,
  }
}

/** Where a name stands: a line of the failed files, or the namespace or class that it is written with. */
function whereText(
  name: string,
  declared: ReturnType<typeof declarationOf>,
  owner: string | undefined,
  {voice: {say}}: Scene,
): string {
  if (declared)
    return say(
      `${code(name)} is: line ${declared.one.line} of ${declared.path}.`,
      `有的是${code(name)}，在${declared.path}第${declared.one.line}行。`,
    )
  return owner === undefined
    ? ''
    : say(`The name in ${code(owner)} is ${code(name)}.`, `${code(owner)}里的名字是${code(name)}。`)
}

/** The type that lacks a member of the name, as the compiler calls it. */
function ownerIn(name: string, errors: readonly string[]): string | undefined {
  const pattern = new RegExp(`^no member named '${name}' in '([^']+)'`)
  return errors.flatMap((message) => pattern.exec(message)?.[1] ?? [])[0]
}

/** Whether one of the compiler's messages misses the name. */
export function isMissing(name: string, {errors}: Pick<Scene, 'errors'>): boolean {
  const pattern = new RegExp(`(?:undeclared identifier|unknown type name|no (?:member|type|template) named) '${name}'`)
  return errors.some((message) => pattern.test(message))
}
