import {code, type Voice} from '../../../datasets/voice.ts'
import type {Bracketed} from '../../facts/bracketed.ts'
import {isOperation, operationText} from './operations.ts'
import {
  changedArgument,
  type Kind,
  kindOf,
  kindText,
  parameterNames,
  placeText,
  type Reason,
  type Replaced,
  type Scene,
  type Site,
  sitesOf,
} from './reason.ts'

/** A call whose arguments are too many, too few, in another order, or one of which is of another kind. */
export function argumentReason(edit: Replaced, scene: Scene): Reason | undefined {
  const [site] = sitesOf(edit).filter(({before}) => isCall(before))
  if (!site) return undefined
  return (
    surplus(site, scene) ??
    repeats(site, scene) ??
    missing(site, scene) ??
    reordered(site, scene) ??
    listed(site, scene) ??
    kind(site, scene)
  )
}

const isCall = ({mark, name}: Bracketed) =>
  mark === '(' && name !== '' && !/^(?:if|for|while|switch|sizeof)$/.test(name)

/** The place at which the longer list has one more than the shorter. */
function insertedAt(longer: readonly string[], shorter: readonly string[]): number | undefined {
  if (longer.length !== shorter.length + 1) return undefined
  const at = shorter.findIndex((text, index) => text !== longer[index])
  const place = at < 0 ? shorter.length : at
  return shorter.slice(place).every((text, index) => text === longer[place + 1 + index]) ? place : undefined
}

function surplus({before, after}: Site, scene: Scene): Reason | undefined {
  const at = insertedAt(before.args, after.args)
  if (at === undefined) return undefined
  const {say} = scene.voice
  const [name, text] = [code(before.name), code(before.args[at]!)]
  const isTwice = kindOf(before.args[at]!, scene) === 'local' && after.args.includes(before.args[at]!)
  const twice = say(' It stands in the call once too often.', '它多写了一次。')
  return {
    fault: say(
      `${name} is given one argument too many: ${text}.${isTwice ? twice : ''}`,
      `${name}多传了一个实参：${text}。${isTwice ? twice : ''}`,
    ),
    why: takes(after, scene),
    fromCode: true,
  }
}

/** Which arguments a call takes, as the right one shows it. */
function takes({name, args}: Bracketed, scene: Scene): string {
  const {say, list} = scene.voice
  const names = parameterNames(name, args, scene)
  if (args.length === 0) return say(`${code(name)} takes no argument here.`, `${code(name)}在这里不带实参。`)
  if (!names)
    return say(
      `What it takes is ${list(args.map(code))}${args.length > 1 ? ', in this order' : ''}.`,
      `它${args.length > 1 ? '依次' : ''}接收${list(args.map(code))}。`,
    )
  const pairs = names.map((one, index) =>
    say(`${code(one)} (here ${code(args[index]!)})`, `${code(one)}（这里是${code(args[index]!)}）`),
  )
  return args.length === 1
    ? say(`It takes ${list(pairs)}.`, `它接收${list(pairs)}。`)
    : say(`It takes ${list(pairs)}, in this order.`, `它依次接收${list(pairs)}。`)
}

function missing({before, after}: Site, scene: Scene): Reason | undefined {
  const at = insertedAt(after.args, before.args)
  if (at === undefined && !isPrefix(before.args, after.args)) return undefined
  const {say, list} = scene.voice
  const lost = at === undefined ? after.args.slice(before.args.length) : [after.args[at]!]
  const names = parameterNames(after.name, after.args, scene)
  const place = at === undefined ? '' : placeText(at, names, scene.voice)
  return {
    fault: say(
      `${code(after.name)} is called without ${place === '' ? '' : `${place}, `}${list(lost.map(code))}.`,
      `调用${code(after.name)}时少了${place}${list(lost.map(code))}。`,
    ),
    why: takes(after, scene),
    fromCode: true,
  }
}

/** Of two lists that differ. */
function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  return shorter.every((text, index) => text === longer[index])
}

function reordered({before, after}: Site, scene: Scene): Reason | undefined {
  const places = after.args.flatMap((text, at) => (text === before.args[at] ? [] : [at]))
  const isSame = [...before.args].sort().join('\n') === [...after.args].sort().join('\n')
  if (!isSame || places.length < 2) return undefined
  const {say} = scene.voice
  const [first, last] = [places[0]!, places.at(-1)!]
  const name = code(after.name)
  const names = parameterNames(after.name, after.args, scene)
  const kinds = places.map((at) => kindOf(after.args[at]!, scene))
  const fromCode = new Set(kinds).size > 1
  if (/^DataCopy/.test(after.name) && first === 0 && last === 1) return swappedSides(after, scene.voice)
  const wrong = before.args[first]!
  const from = placeText(first, undefined, scene.voice)
  const to = placeText(after.args.indexOf(wrong), names, scene.voice)
  const fault =
    places.length === 2
      ? say(
          `${name} is given ${code(wrong)} and ${code(before.args[last]!)} the wrong way round.`,
          `${name}的${code(wrong)}和${code(before.args[last]!)}写反了。`,
        )
      : say(
          `The arguments of ${name} stand in the wrong order: ${code(wrong)} is ${from} and has to be ${to}.`,
          `${name}的实参顺序不对：${code(wrong)}写成了${from}，应为${to}。`,
        )
  const why = fromCode ? takes(after, scene) : operationText(after, scene.voice)
  return why === '' ? undefined : {fault, why, fromCode}
}

/** Source and destination of a copy. */
function swappedSides({name, args: [to = '', from = '']}: Bracketed, {say}: Voice): Reason {
  return {
    fault: say(
      `Destination and source of ${code(name)} are swapped: ${code(from)} stands where ${code(to)} belongs.`,
      `${code(name)}的目的和源写反了：${code(to)}的位置上写了${code(from)}。`,
    ),
    why: say(
      `A copy names its destination first; the data goes from ${code(from)} to ${code(to)}.`,
      `搬运先写目的，后写源，这里数据要从${code(from)}搬到${code(to)}。`,
    ),
    fromCode: true,
  }
}

/** `Mul(dst, {a, b}, n)`. */
function listed({before, after}: Site, {voice: {say, list}}: Scene): Reason | undefined {
  const at = before.args.findIndex((text) => /^\{.*\}$/.test(text))
  const flat = before.args.map((text) => text.replace(/^\{(.*)\}$/, '$1')).join(', ')
  if (at < 0 || flat !== after.args.join(', ')) return undefined
  const operands = after.args.slice(at, at + after.args.length - before.args.length + 1)
  return {
    fault: say(
      `The operands of ${code(after.name)} are put into one list, ${code(before.args[at]!)}.`,
      `${code(after.name)}的操作数被放进了一个列表${code(before.args[at]!)}。`,
    ),
    why: say(
      `${list(operands.map(code))} are arguments of their own: a list in braces turns into no tensor.`,
      `${list(operands.map(code))}各是一个实参，花括号列表不能变成tensor。`,
    ),
    fromCode: true,
  }
}

/** `Mul(dst, a, b, 128, 4)`, or with strides: the form that repeats, for the one that counts. */
function repeats({before, after}: Site, {voice: {say}}: Scene): Reason | undefined {
  const at = after.args.length - 1
  const isSame = after.args.slice(0, at).every((text, index) => text === before.args[index])
  if (!isSame || at < 1 || !isOperation(after.name)) return undefined
  const [mask, times, strides, ...others] = before.args.slice(at)
  const [name, count] = [code(after.name), code(after.args[at]!)]
  if (times === undefined || others.length > 0) return undefined
  if (strides === undefined)
    return {
      fault: say(
        `${name} is given a mask, ${code(mask!)}, and repeat times, ${code(times)}, without strides.`,
        `${name}给了mask ${code(mask!)}和重复次数${code(times)}，却没有给步长。`,
      ),
      why: say(
        `There are two forms: one takes the number of elements alone, here ${count}, the other mask, ` +
          'repeat times and strides.',
        `接口有两种形式：一种只给元素个数，这里是${count}；另一种给mask、重复次数和步长。`,
      ),
      fromCode: true,
    }
  if (!/^\{.*\}$/.test(strides)) return undefined
  return {
    fault: say(
      `${name} works by mask ${code(mask!)}, ${code(times)} repeats and the strides ${code(strides)}, ` +
        `where ${count} elements are meant.`,
      `${name}按mask ${code(mask!)}、重复${code(times)}次、步长${code(strides)}处理，而要处理的是${count}个元素。`,
    ),
    why: say(
      'Mask, repeat times and strides decide which elements are touched, whatever the length of the data is; ' +
        'the form with a count touches just those.',
      '碰到哪些元素由mask、重复次数和步长决定，和数据长度无关；按个数的形式只处理这些元素。',
    ),
    fromCode: true,
  }
}

const computing = new Set<Kind>(['local', 'global', 'queue', 'buffer', 'copy', 'pad', 'number', 'mode'])

/** One argument of another kind than its parameter. */
function kind(site: Site, scene: Scene): Reason | undefined {
  const changed = changedArgument(site)
  if (!changed) return undefined
  const {at, wrong, right} = changed
  const {voice} = scene
  const {say} = voice
  const place = placeText(at, parameterNames(site.after.name, site.after.args, scene), voice)
  const name = code(site.after.name)
  if (wrong === `&${right}` || wrong === `${right}.GetPhyAddr()`)
    return {
      fault: say(
        `${name} is given the address ${code(wrong)} as ${place}.`,
        `${name}的${place}传成了地址${code(wrong)}。`,
      ),
      why: say(
        `The interface takes ${code(right)} itself, by reference; an address does not turn into it.`,
        `接口按引用接收${code(right)}本身，地址不能变成它。`,
      ),
      fromCode: true,
    }
  if (wrong === `*${right}`)
    return {
      fault: say(`${code(wrong)} takes what ${code(right)} points to.`, `${code(wrong)}对${code(right)}做了解引用。`),
      why: say(`${code(right)} is no pointer.`, `${code(right)}不是指针。`),
      fromCode: true,
    }
  if (wrong === `${right}.GetValue(0)`)
    return {
      fault: say(
        `${name} is given one element, ${code(wrong)}, as ${place}.`,
        `${name}的${place}只传了一个元素${code(wrong)}。`,
      ),
      why: say(`The instruction works on the tensor ${code(right)}.`, `这条指令要的是整个tensor${code(right)}。`),
      fromCode: true,
    }
  const [is, wanted] = [kindOf(wrong, scene), kindOf(right, scene)]
  if (is === undefined || wanted === undefined || is === wanted || !computing.has(is)) return undefined
  const rule = kindRule(is, wanted, scene.voice)
  return {
    fault: say(
      `${name} is given ${code(wrong)}, ${kindText(is, voice)}, as ${place}.`,
      `${name}的${place}传成了${code(wrong)}，它是${kindText(is, voice)}。`,
    ),
    why: say(
      `What belongs there is ${code(right)}, ${kindText(wanted, voice)}.${rule}`,
      `那里要的是${code(right)}，${kindText(wanted, voice)}。${rule}`,
    ),
    fromCode: true,
  }
}

function kindRule(is: Kind, wanted: Kind, {say}: Voice): string {
  if (wanted !== 'local') return ''
  if (is === 'queue')
    return say(
      ' A queue only hands tensors on; what is computed with is the tensor that it gave out.',
      '队列只负责传递，参与计算的是从队列里拿到的tensor。',
    )
  if (is === 'global')
    return say(
      ' The vector unit computes on UB alone; global memory is only copied from and to.',
      '矢量单元只对UB上的数据计算，全局内存只能搬运。',
    )
  if (is === 'buffer') return say(' A TBuf gives its memory out through Get.', 'TBuf要先用Get取出tensor。')
  return ''
}
