import {code} from '../../../datasets/voice.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {isMissing} from './name-reasons.ts'
import {failedStatements, kindOf, type Kind, type Reason, type Scene, statementsOfFile} from './reason.ts'

type Removed = Extract<Edit, {kind: 'removed'}>

/** Statements that the right code does not have. */
export function surplusReason({path, statements}: Removed, scene: Scene): Reason | undefined {
  const [first] = statements as [Statement, ...Statement[]]
  const {say} = scene.voice
  const all = failedStatements(path, scene)
  const elsewhere = scene.failed.filter((file) => file.path !== path).flatMap(statementsOfFile)
  const call = callsOf(first).find(({name}) => !/^(?:for|if|while)$/.test(name))
  const loop = statements.length > 1 && /^for /.test(first.text) && statements.at(-1)?.text === '}'
  const inner = loop ? callsOf(statements[1]!)[0] : undefined
  if (loop && statements.length === 3 && inner) return leftover(inner, statements[1]!, [...all, ...elsewhere], scene)
  if (statements.length > 1) return undefined
  const pipe = /^TPipe (\w+);$/.exec(first.text)?.[1]
  if (pipe !== undefined)
    return {
      fault: say(`${code(pipe)} is a second TPipe of the core.`, `${code(pipe)}是同一个核上的第二个TPipe。`),
      why: say(
        'A core has one TPipe, which manages its whole UB and its events; ' +
          'a second one resets what the first has handed out.',
        '一个核只能有一个TPipe，由它管理整个UB和事件，第二个会打乱第一个分配的内容。',
      ),
      fromCode: true,
    }
  return call ? (twice(first, call, all, scene) ?? surplusCall(first, call, {all, elsewhere}, scene)) : undefined
}

function twice(
  one: Statement,
  {name, args, receiver}: Bracketed,
  all: readonly Statement[],
  {voice: {say}}: Scene,
): Reason | undefined {
  const before = all.filter((each) => each.key === one.key && apart(each, one) <= 1)
  if (before.length < 2) return undefined
  const rules: Readonly<Record<string, [string, string]>> = {
    FreeTensor: [
      `After the first one the buffer belongs to ${code(receiver)} again: nobody may give it back once more.`,
      `第一次之后缓冲区已归还${code(receiver)}，不能再还一次。`,
    ],
    EnQue: ['Each EnQue is taken by one DeQue, and there is one.', '每个EnQue对应一个DeQue，而DeQue只有一个。'],
    WaitFlag: [
      'One SetFlag lets one WaitFlag pass; the second waits for ever.',
      '一个SetFlag只放行一个WaitFlag，第二个会一直等下去。',
    ],
    SetFlag: [
      'Each SetFlag is met by one WaitFlag, and there is one.',
      '每个SetFlag对应一个WaitFlag，而WaitFlag只有一个。',
    ],
  }
  const rule = receiver === '' && /Tensor|Que/.test(name) ? undefined : rules[name]
  if (!rule) return undefined
  const what =
    args[0] === undefined || /^(?:WaitFlag|SetFlag)$/.test(name)
      ? ''
      : say(` for ${code(args[0])}`, `（${code(args[0])}）`)
  return {
    fault: say(`${code(name)} is called twice${what}, one after the other.`, `${code(name)}${what}连着调用了两次。`),
    why: say(...rule),
    fromCode: true,
  }
}

function surplusCall(
  one: Statement,
  call: Bracketed,
  {all, elsewhere}: {all: readonly Statement[]; elsewhere: readonly Statement[]},
  scene: Scene,
): Reason | undefined {
  const {name, args, templates} = call
  const {voice} = scene
  const {say} = voice
  const text = code(one.text)
  const event = `${templates}|${args.join()}`
  if (/^(?:Set|Wait)Flag$/.test(name)) {
    const partner = name === 'SetFlag' ? 'WaitFlag' : 'SetFlag'
    const has = [...all, ...elsewhere].some((each) =>
      callsOf(each).some((other) => other.name === partner && `${other.templates}|${other.args.join()}` === event),
    )
    if (has) return undefined
    return {
      fault: say(`${text} has no ${partner}.`, `${text}没有对应的${partner}。`),
      why: flagRule(name === 'WaitFlag', scene),
      fromCode: true,
    }
  }
  const atomic = /^SetAtomic(\w+)$/.exec(name)?.[1]
  const combines = scene.right.some((file) => /\bSetAtomic/.test(file.text))
  if (atomic !== undefined && atomic !== 'None') {
    // Which of several is one too many is not in the code.
    if (combines) return undefined
    const on = templates === '' ? '' : say(` on ${code(templates)}`, `（类型${code(templates)}）`)
    const action = `an atomic ${atomic.toLowerCase()}${on}`
    return {
      fault: say(
        `${text} switches copies to global memory over to ${action}, and nothing switches it off.`,
        `${text}把写全局内存的搬运改成了原子操作${on}，之后也没有关掉。`,
      ),
      why: say(
        'Each core writes a part of its own here, as it is: there is nothing to combine. Left on, ' +
          'it changes every later copy, and of this kernel and the next.',
        '这里各核只写自己的那一份，不需要合并；不关掉的话，之后的搬运都会变，下一个核函数也受影响。',
      ),
      fromCode: true,
    }
  }
  if (/^CrossCore(?:Set|Wait)Flag$/.test(name)) return leftover(call, one, [...all, ...elsewhere], scene)
  return surplusTensor(one, call, all, scene) ?? noMember(one, call, scene) ?? looseCopy(one, call, all, scene)
}

/** Queues order the pipes only where the kernel has queues and no flags of its own. */
function flagRule(waits: boolean, {right, voice: {say}}: Scene): string {
  const text = right.map((file) => file.text).join('\n')
  const hasQueues = /\bDeQue\b/.test(text) && !/\b(?:Set|Wait)Flag\b/.test(text)
  const queues = say(
    `; the data is handed on by the queues, ${waits ? 'whose DeQue waits already, ' : ''}and no flag is needed.`,
    `；数据由队列传递，${waits ? 'DeQue已经会等待，' : ''}不需要标志。`,
  )
  const rest = hasQueues ? queues : say('.', '。')
  return waits
    ? say(`Nothing sets that event, so the wait never ends${rest}`, `没有任何地方置这个事件，所以永远等不到${rest}`)
    : say(
        `Nothing waits for that event, so it stays set when the kernel ends${rest}`,
        `没有任何地方等这个事件，核函数结束时它还留着${rest}`,
      )
}

function leftover({name}: Bracketed, {text}: Statement, all: readonly Statement[], scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (!/^CrossCore(?:Set|Wait)Flag$/.test(name)) return undefined
  const meet = scene.right.some((file) => /\b(?:SyncAll|CrossCoreWaitFlag|IBWait)\b/.test(file.text))
  const partner = name === 'CrossCoreSetFlag' ? 'CrossCoreWaitFlag' : 'CrossCoreSetFlag'
  if (all.some((one) => one.text.startsWith(partner))) return undefined
  return {
    fault: say(`${code(text)} has no ${partner} on any core.`, `${code(text)}在任何核上都没有对应的${partner}。`),
    why:
      name === 'CrossCoreWaitFlag'
        ? say(
            `No core sets that flag, so the wait never ends${meet ? '' : '; each core works on a part of its own'}.`,
            `没有核置这个标志，所以永远等不到${meet ? '' : '；各核只处理自己的那一份'}。`,
          )
        : say(
            `No core waits for that flag${meet ? '' : '; each core works on a part of its own'}.`,
            `没有核等这个标志${meet ? '' : '；各核只处理自己的那一份'}。`,
          ),
    fromCode: true,
  }
}

/** A buffer that is taken, or given back, once too often. */
function surplusTensor(
  one: Statement,
  {name, receiver, args}: Bracketed,
  all: readonly Statement[],
  {voice: {say}}: Scene,
): Reason | undefined {
  const target = /(\w+) = /.exec(one.text)?.[1]
  if (name === 'AllocTensor' && target !== undefined) {
    const isUsed = all.some(({text, key}) => key !== one.key && new RegExp(`\\b${target}\\b`).test(text))
    if (isUsed) return undefined
    return {
      fault: say(
        `${code(target)} is one more tensor of ${code(receiver)}, which nothing uses or gives back.`,
        `${code(target)}是从${code(receiver)}多取的tensor，没有用到，也没有归还。`,
      ),
      why: say(
        'Each AllocTensor takes a buffer until its FreeTensor.',
        '每个AllocTensor都占一个缓冲区，直到FreeTensor。',
      ),
      fromCode: true,
    }
  }
  if (name === 'DeQue' && target !== undefined) {
    const same = all.find(
      ({text, line, key}) =>
        key !== one.key && line <= one.line && /DeQue/.test(text) && text.includes(`${target} = ${receiver}.`),
    )
    if (!same) return undefined
    return {
      fault: say(
        `${code(receiver)} is asked twice for ${code(target)}.`,
        `${code(target)}从${code(receiver)}取了两次。`,
      ),
      why: say(
        'One EnQue puts in one tensor, so the second DeQue finds nothing.',
        '一个EnQue只放进一个tensor，第二个DeQue取不到。',
      ),
      fromCode: true,
    }
  }
  const [tensor] = args
  if (name !== 'FreeTensor' || tensor === undefined) return undefined
  const later = all.filter(
    ({line, text, key}) => line > one.line && key !== one.key && new RegExp(`\\b${tensor}\\b`).test(text),
  )
  const again = all.find(({line, key}) => key === one.key && line > one.line)
  const put = all.find(
    ({line, text}) => one.line - line >= 0 && one.line - line <= 1 && text.startsWith(`${receiver}.EnQue`),
  )
  if (put?.text.includes(`(${tensor})`))
    return {
      fault: say(
        `${code(tensor)} is given back to ${code(receiver)} while it stands in that queue.`,
        `${code(tensor)}还在${code(receiver)}里就被归还了。`,
      ),
      why: say(
        `Line ${put.line} puts it in; who takes it out with DeQue gives it back.`,
        `第${put.line}行把它放了进去，由用DeQue取出它的一方归还。`,
      ),
      fromCode: true,
    }
  const [use] = later
  if (!use || !again) return undefined
  return {
    fault: say(
      `${code(tensor)} is given back to ${code(receiver)} in line ${one.line}, before line ${use.line} uses it.`,
      `第${one.line}行就把${code(tensor)}还给了${code(receiver)}，而第${use.line}行还要用。`,
    ),
    why: say(
      `After FreeTensor the queue may give the buffer to the next tile; line ${again.line} gives it back in its place.`,
      `FreeTensor之后队列可以把缓冲区分给下一块；第${again.line}行才是归还它的地方。`,
    ),
    fromCode: true,
  }
}

const typeNames: Partial<Record<Kind, string>> = {local: 'LocalTensor', buffer: 'TBuf', queue: 'TQue'}

/** `tensor.GetShape();`, as the compiler says, has no such member. */
function noMember(
  one: Statement,
  {name, receiver}: Bracketed,
  {errors, voice: {say}, right}: Scene,
): Reason | undefined {
  if (!isMissing(name, {errors}) || !/^[\w>.-]+\.\w+\(\);$/.test(one.text)) return undefined
  const kind = kindOf(receiver, {right})
  const type = kind === undefined ? undefined : typeNames[kind]
  if (type === undefined) return undefined
  const rule =
    name === 'EnQue'
      ? say(' EnQue is called on a queue, with the tensor as its argument.', 'EnQue要在队列上调用，tensor是它的实参。')
      : ''
  return {
    fault: say(
      `${code(receiver)} is a ${type}, and a ${type} has no member ${code(name)}.`,
      `${code(receiver)}是${type}，而${type}没有成员${code(name)}。`,
    ),
    why: say(`Nothing uses what the call would give, so it goes.${rule}`, `也没有哪里用它的结果，去掉即可。${rule}`),
    fromCode: true,
  }
}

/** Lines between two statements. */
const apart = (one: Statement, other: Statement) => Math.abs(one.line - other.line)

const copiesOf = (one: Statement) => callsOf(one).filter(({name}) => /^DataCopy/.test(name))

/** From the same tensor to another place of the same one. */
function isSameCopy({args}: Bracketed, to: string, from: string): boolean {
  const base = (text: string) => text.replace(/\[.*$/, '')
  return args[1] === from && args[0] !== to && base(args[0] ?? '') === base(to)
}

/** A copy beside the queues. */
function looseCopy(
  one: Statement,
  {name, args}: Bracketed,
  all: readonly Statement[],
  scene: Scene,
): Reason | undefined {
  const [to = '', from = ''] = args
  const {say} = scene.voice
  if (name !== 'DataCopy') return undefined
  const isOut = kindOf(to, scene) === 'global'
  const tensor = isOut ? from : to
  if (kindOf(tensor, scene) !== 'local') return undefined
  const goal = /^(?:this->)?\w+/.exec(to)?.[0] ?? to
  const isGoal = (each: Statement) =>
    callsOf(each).some((call) => call.args[0]?.startsWith(goal) && /^DataCopy/.test(call.name))
  if (isOut && !all.some((each) => each.key !== one.key && isGoal(each)))
    return {
      fault: say(
        `${code(one.text)} writes ${code(from)} over ${code(goal)}, which is only read otherwise.`,
        `${code(one.text)}把${code(from)}写进了${code(goal)}，而别处只读它。`,
      ),
      why: say(
        'It is an input, which stays as it is; and the copy runs on a pipe of its own, ' +
          'so nothing makes it wait for the instruction before it either.',
        '那是输入，不能改动；而且搬运在另一条流水上执行，也没有等前面的指令完成。',
      ),
      fromCode: true,
    }
  if (!isOut)
    return {
      fault: say(
        `${code(one.text)} copies into ${code(to)} beside the queues.`,
        `${code(one.text)}绕过队列往${code(to)}里搬。`,
      ),
      why: say(
        `Copies run on a pipe of their own: nothing makes this one and the instructions on ${code(to)} wait for ` +
          'each other, and what they computed there may be overwritten.',
        `搬运在另一条流水上执行，它和处理${code(to)}的指令互不等待，算出的内容可能被覆盖。`,
      ),
      fromCode: true,
    }
  const [again] = all
    .filter((each) => copiesOf(each).some((call) => isSameCopy(call, to, from)))
    .sort((a, b) => apart(a, one) - apart(b, one))
  if (again)
    return {
      fault: say(
        `${code(one.text)} copies ${code(from)} out a second time, to another place of ${code(goal)}.`,
        `${code(one.text)}把${code(from)}又搬出了一次，放到了${code(goal)}的另一处。`,
      ),
      why: say(
        `Line ${again.line} copies it to its place; here it overwrites what belongs to other pieces, or other cores.`,
        `第${again.line}行已经把它搬到该去的地方；这一句会覆盖别的块或别的核的数据。`,
      ),
      fromCode: true,
    }
  if (!all.some(({text}) => text.includes(`EnQue(${tensor})`) || text.includes(`>(${tensor})`))) return undefined
  return {
    fault: say(
      `${code(one.text)} copies out of ${code(tensor)} while the vector unit works on it.`,
      `${code(one.text)}在矢量单元还在处理${code(tensor)}时就把它搬出。`,
    ),
    why: say(
      'Copies run on a pipe of their own, and only EnQue and DeQue, or a flag, make one wait for the other; ' +
        'the piece is copied where the queue hands it on, so this copy goes.',
      '搬运在另一条流水上执行，只有EnQue和DeQue或标志才会让两者等待；这一块在队列交接处另有搬运，所以这一句要去掉。',
    ),
    fromCode: true,
  }
}
