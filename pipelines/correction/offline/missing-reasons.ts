import {code, type Voice} from '../../../datasets/voice.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {escaped} from './text-relations.ts'
import {isOperation, operationText} from './operations.ts'
import {declarationOf, failedStatements, kindOf, type Reason, type Scene} from './reason.ts'

type Added = Extract<Edit, {kind: 'added'}>

/** Statements that the failed code lacks. */
export function missingReason({path, line, statements}: Added, scene: Scene): Reason | undefined {
  const [first, ...others] = statements as [Statement, ...Statement[]]
  if (others.length > 0)
    return missingFunction(path, statements, scene) ?? missingSteps({path, line, statements}, scene)
  const call = callsOf(first)[0]
  const {voice} = scene
  return (
    missingDeclaration({path, line}, first, scene) ??
    (call
      ? (missingHostStep(call, voice) ??
        missingQueueStep(call, voice) ??
        missingSynchronisation(call, first, voice) ??
        missingSetup(call, voice) ??
        missingResult(path, line, call, scene))
      : undefined)
  )
}

/** Several statements, each of which has a reason of its own. */
function missingSteps({statements, ...edit}: Omit<Added, 'kind'>, scene: Scene): Reason | undefined {
  const reasons = statements.map((one) => missingReason({...edit, kind: 'added', statements: [one]}, scene))
  const known = reasons.filter((one) => one !== undefined)
  if (known.length < reasons.length || known.length > mostSteps) return undefined
  const space = scene.voice.language === 'en' ? ' ' : ''
  return {
    fault: known.map(({fault}) => fault).join(space),
    why: [...new Set(known.map(({why}) => why))].join(space),
    fromCode: known.every(({fromCode}) => fromCode),
  }
}

const mostSteps = 3

function missingFunction(path: string, statements: readonly Statement[], scene: Scene): Reason | undefined {
  const head = statements[0]!.text
  const name = /(\w+)\([^()]*\)[\w\s]*\{$/.exec(head)?.[1]
  if (name === undefined || statements.at(-1)?.text !== '}') return undefined
  const calls = new RegExp(`\\b${name}(?:<[^;]*>)?\\(`)
  // A member is declared in its class; that is no use of it.
  const declares = new RegExp(`(?:^|\\s)(?!return\\b)[\\w:<>]+[&*]*\\s+${name}\\([^;]*\\)[^=]*;$`)
  const use = failedStatements(path, scene).find(({text}) => calls.test(text) && !declares.test(text))
  if (!use) return undefined
  const {say} = scene.voice
  return {
    fault: say(`${code(name)} is called and defined nowhere.`, `${code(name)}被调用了，却没有定义。`),
    why: say(
      `Line ${use.line} calls it; a function of that name has to be written, ${code(head.replace(/ \{$/, ''))}, ` +
        'from what the call gives it and what the code around it expects.',
      `第${use.line}行调用它，所以要按调用处给的实参和前后代码的需要写出${code(head.replace(/ \{$/, ''))}。`,
    ),
    fromCode: true,
  }
}

type Place = Pick<Added, 'path' | 'line'>

function missingDeclaration({path, line}: Place, {text}: Statement, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (text === 'using namespace AscendC;')
    return {
      fault: say(
        `The file uses the names of AscendC without ${code(text)}.`,
        `文件里直接用了AscendC的名字，却没有${code(text)}。`,
      ),
      why: say(
        'Types and functions of the interface stand in the namespace AscendC, ' +
          'and are not found by their bare names without it.',
        '接口的类型和函数都在命名空间AscendC里，没有这一句就不能只写名字。',
      ),
      fromCode: true,
    }
  const include = /^#include (.+)$/.exec(text)?.[1]
  if (include !== undefined)
    return {
      fault: say(`${code(include)} is not included.`, `没有包含${code(include)}。`),
      why: say('What this file uses is declared there.', '本文件用到的名字在那里声明。'),
      fromCode: true,
    }
  const name = /^(?:(?:const|constexpr|static)\s)*[\w:]+(?:<.*>)?[\s&*]+(\w+)(?:\{[^;]*\}| = [^;]*)?;$/.exec(text)?.[1]
  if (name === undefined || /^(?:return|using|delete)\b/.test(text)) return undefined
  const declares = new RegExp(`^[\\w:<>,\\s*&]+[\\s*&]${name}(?:;| = |\\{)`)
  const all = failedStatements(path, scene).filter(
    (one) => new RegExp(`(?<![\\w.>])${name}\\b|this->${name}\\b`).test(one.text) && !declares.test(one.text),
  )
  const [use, ...others] = usesOf(all, {path, line, name}, scene)
  if (!use) return undefined
  const where = others.length > 0 ? `, first in line ${use.line},` : ` in line ${use.line}`
  // Other functions and structures may well have one of the name.
  const isElsewhere = declarationOf(name, scene.failed) !== undefined
  return {
    fault: say(
      `${code(name)} is used${where} and ${isElsewhere ? 'not declared for it' : 'declared nowhere'}.`,
      `第${use.line}行${others.length > 0 ? '起' : ''}用到${code(name)}，却没有声明。`,
    ),
    why: say(`What has to stand before that is ${code(text)}`, `在那之前要有${code(text)}。`),
    fromCode: true,
  }
}

/** From the first that the compiler complains of on; else those behind the place, or all. */
function usesOf(all: readonly Statement[], {path, line, name}: Place & {name: string}, {log}: Scene): Statement[] {
  const told = new RegExp(`(?:^|\\n)${escaped(path)}:(\\d+):\\d+: error: [^\\n]*'${name}'`)
  const first = told.exec(log)?.[1]
  const from = all.filter((one) => one.lastLine >= (first === undefined ? line : Number(first)))
  return from.length > 0 ? from : [...all]
}

function missingHostStep({name, receiver, args}: Bracketed, {say}: Voice): Reason | undefined {
  if (name === 'SaveToBuffer')
    return {
      fault: say(
        `The tiling data is never written into the buffer that the kernel gets: ${code('SaveToBuffer')} is missing.`,
        `没有调用${code('SaveToBuffer')}，tiling数据没有写进核函数拿到的缓冲区。`,
      ),
      why: say(
        'The fields are set in an object of the host only; the bytes that the kernel reads stay as they were.',
        '各字段只设在Host侧的对象里，核函数读到的字节没有变。',
      ),
      fromCode: true,
    }
  const field = /^set_(\w+)$/.exec(name)?.[1]
  if (field !== undefined)
    return {
      fault: say(
        `The field ${code(field)} of ${code(receiver)} is never set.`,
        `${code(receiver)}的字段${code(field)}没有设置。`,
      ),
      why: say(
        `The kernel reads it all the same and gets no value of the tiling; here it has to be ${code(args[0] ?? '')}.`,
        `核函数照样读它，拿到的却不是切分算出的值，这里应为${code(args[0] ?? '')}。`,
      ),
      fromCode: true,
    }
  if (name !== 'SetBlockDim') return undefined
  return {
    fault: say(
      `Nothing says how many cores are launched: ${code('SetBlockDim')} is missing.`,
      `没有调用${code('SetBlockDim')}，启动几个核没有给出。`,
    ),
    why: say(`The split is made for ${code(args[0] ?? '')} cores.`, `数据是按${code(args[0] ?? '')}个核切分的。`),
    fromCode: true,
  }
}

function missingQueueStep({name, receiver, args: [tensor = '']}: Bracketed, {say}: Voice): Reason | undefined {
  const [queue, what] = [code(receiver), code(tensor)]
  if (name === 'FreeTensor')
    return {
      fault: say(
        `${what} is taken from ${queue} and never given back: ${code(name)} is missing.`,
        `${what}从${queue}取出后没有归还，少了${code(name)}。`,
      ),
      why: say(
        'Its buffer stays taken, so the queue has one less with every turn and none in the end.',
        '它的缓冲区一直被占着，每一轮少一个，最后队列没有可用的。',
      ),
      fromCode: true,
    }
  if (name === 'EnQue')
    return {
      fault: say(
        `${what} is never put into ${queue}: ${code(name)} is missing.`,
        `${what}没有放进${queue}，少了${code(name)}。`,
      ),
      why: say(
        `The next step takes it out with DeQue, which finds nothing and has nothing to wait for.`,
        '下一步要用DeQue取它，却什么也取不到，也等不到。',
      ),
      fromCode: true,
    }
  return undefined
}

function missingSynchronisation({name, templates}: Bracketed, {text}: Statement, {say}: Voice): Reason | undefined {
  const events = /^HardEvent::(\w+?)_(\w+)$/.exec(templates)
  const pipes = events ? say(` from ${events[1]} to ${events[2]}`, `（${events[1]}到${events[2]}）`) : ''
  if (name === 'SetFlag')
    return {
      fault: say(
        `${code(text)} is missing, so nothing sets the flag${pipes}.`,
        `少了${code(text)}，没有谁置这个标志${pipes}。`,
      ),
      why: say('Its WaitFlag waits for it.', '对应的WaitFlag在等它。'),
      fromCode: true,
    }
  if (name === 'WaitFlag')
    return {
      fault: say(
        `${code(text)} is missing, so nothing waits for the flag${pipes}.`,
        `少了${code(text)}，没有谁等这个标志${pipes}。`,
      ),
      why: say(
        'The pipes run side by side: without the wait the later one may start before the earlier has finished, ' +
          'and the flag stays set.',
        '各流水并行执行，不等的话后一步可能先开始，标志也一直留着。',
      ),
      fromCode: true,
    }
  if (!/^(?:PipeBarrier|SyncAll)$/.test(name)) return undefined
  return {
    fault: say(`${code(text)} is missing.`, `少了${code(text)}。`),
    why:
      name === 'SyncAll'
        ? say('Cores do not wait for each other by themselves.', '各核之间不会自己等待。')
        : say(
            'What follows may begin before what stands before it has finished.',
            '后面的指令可能在前面的还没完成时就开始。',
          ),
    fromCode: true,
  }
}

function missingSetup({name, args, receiver}: Bracketed, {say}: Voice): Reason | undefined {
  if (name === 'InitBuffer')
    return {
      fault: say(
        `${code(args[0] ?? '')} never gets memory: ${code(name)} is missing.`,
        `${code(args[0] ?? '')}没有申请内存，少了${code(name)}。`,
      ),
      why: say('Nothing can be allocated from it before that.', '在此之前无法从它分配。'),
      fromCode: true,
    }
  if (name === 'SetGlobalBuffer')
    return {
      fault: say(
        `${code(receiver)} never gets an address: ${code(name)} is missing.`,
        `${code(receiver)}没有设置地址，少了${code(name)}。`,
      ),
      why: say('A GlobalTensor points nowhere before that.', '在此之前GlobalTensor不指向任何地方。'),
      fromCode: true,
    }
  if (!/^GET_TILING_DATA/.test(name)) return undefined
  return {
    fault: say(
      `The kernel never reads its tiling: ${code(name)} is missing.`,
      `核函数没有读取tiling，少了${code(name)}。`,
    ),
    why: say(
      `It makes the structure ${code(args[0] ?? '')} of the bytes.`,
      `它把那些字节变成结构体${code(args[0] ?? '')}。`,
    ),
    fromCode: true,
  }
}

/** A computation or a copy whose result is used. */
function missingResult(path: string, line: number, call: Bracketed, scene: Scene): Reason | undefined {
  const {name, args} = call
  const {say} = scene.voice
  const [to = '', from = ''] = args
  const target = /^(?:this->)?\w+/.exec(to)?.[0] ?? to
  const statements = failedStatements(path, scene)
  const isUse = ({text}: Statement) =>
    new RegExp(`(?<![\\w.>])${target.replace('this->', '(?:this->)?')}\\b`).test(text)
  const use = statements.find((one) => one.line >= line && isUse(one))
  const next = use
    ? say(` Line ${use.line}, ${code(use.text)}, goes on with it.`, `第${use.line}行${code(use.text)}接着就要用它。`)
    : ''
  const isCopy = /^DataCopy/.test(name)
  if (isCopy && kindOf(to, scene) === 'local' && use)
    return {
      fault: say(`Nothing is copied from ${code(from)} into ${code(to)}.`, `没有把${code(from)}搬进${code(to)}。`),
      why: say(`The buffer holds what was there before.${next}`, `缓冲区里还是原来的内容。${next}`),
      fromCode: true,
    }
  if (isCopy && kindOf(to, scene) === 'global')
    return {
      fault: say(`The result ${code(from)} is never copied to ${code(to)}.`, `结果${code(from)}没有搬到${code(to)}。`),
      why: say('What lies in UB is lost when the kernel ends.', 'UB里的内容在核函数结束后就没有了。'),
      fromCode: true,
    }
  const does = operationText(call, scene.voice)
  if (does === '') return undefined
  const writers = statements.filter((one) =>
    callsOf(one).some((other) => isOperation(other.name) && other.args[0] === to),
  )
  const isStep = args.slice(1).includes(to) || writers.some((one) => one.line < line)
  const before = writers.length > 0 && use ? say(` before line ${use.line}`, `第${use.line}行之前`) : ''
  return {
    fault: isStep
      ? say(
          `The step ${code(`${name}(${args.join(', ')})`)} is missing.`,
          `少了${code(`${name}(${args.join(', ')})`)}这一步。`,
        )
      : say(
          `Nothing computes ${code(to)}${before}: ${code(name)} is missing.`,
          `${before}没有算出${code(to)}，少了${code(name)}。`,
        ),
    why: `${does}${next}`,
    fromCode: false,
  }
}
