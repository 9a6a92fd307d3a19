import {familyOf, interfaces} from '../../../cpp/interfaces.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Call} from '../../../cpp/syntax.ts'
import {code, codeList, some, type Voice} from '../../../datasets/voice.ts'

/** What would go wrong first, by what the code uses. */
export function closingParagraph(facts: KernelFacts, voice: Voice): string {
  const found = warnings.filter(({concerns}) => concerns(facts)).map(({text}) => text(voice, facts))
  if (found.length === 0) return ''
  const {shown} = some(found, 4)
  return voice.say(
    [
      `Before writing it down, the points to watch: ${shown.join('; ')}.`,
      `What could still go wrong: ${shown.join('; ')}.`,
    ],
    [`动手之前再确认几点:${shown.join(';')}。`, `容易出错的地方:${shown.join(';')}。`],
  )
}

interface Warning {
  concerns: (facts: KernelFacts) => boolean
  text: (voice: Voice, facts: KernelFacts) => string
}

const selectBytes = interfaces.get('Select')?.ubTaken

const warnings: readonly Warning[] = [
  {
    concerns: (facts) => fromQueue(facts, 'AllocTensor') && fromQueue(facts, 'FreeTensor'),
    text: ({say}) =>
      say(
        [
          `every ${code('AllocTensor')} must meet its ${code('FreeTensor')},`,
          'else the queue runs out of blocks and the core hangs',
        ].join(' '),
        `每个 ${code('AllocTensor')} 都要有对应的 ${code('FreeTensor')},否则队列内存耗尽,核会挂死`,
      ),
  },
  {
    concerns: ({vectorCalls}) => vectorCalls.some(({call}) => familyOf(call.name) === 'comparison'),
    text: ({say}) =>
      say(
        'a comparison by count takes lengths of whole multiples of 256 bytes',
        '按元素个数调用的比较指令要求长度为 256 字节的整数倍',
      ),
  },
  {
    concerns: (facts) => computes(facts, 'Rsqrt', 'Reciprocal'),
    text: ({say}) =>
      say(
        'the hardware reciprocal is an approximation, so its accuracy must suffice here',
        '硬件倒数类指令是近似值,需确认精度满足要求',
      ),
  },
  {
    concerns: (facts) => reduction(facts) !== undefined,
    text: ({say}, facts) => {
      const {name, args} = reduction(facts)!
      const [result, , work] = args.map(code)
      const isShared = work === result
      return say(
        [
          `${code(name)} works in ${work}, which must be long enough for it,`,
          `and leaves its result in the first element of ${isShared ? 'the same tensor' : result}`,
        ].join(' '),
        `${code(name)} 以 ${work} 为工作空间,其长度须足够,结果写在${isShared ? '同一张量' : ` ${result} `}的第一个元素`,
      )
    },
  },
  {
    concerns: selectsByTensor,
    text: ({say}) =>
      say(
        [
          `${code('Select')} in this mode uses the last ${selectBytes} bytes of the unified buffer itself,`,
          'so they are not mine to fill',
        ].join(' '),
        `该模式的 ${code('Select')} 会占用 UB 末尾的 ${selectBytes} 字节,规划时不能使用这段空间`,
      ),
  },
  {
    concerns: ({moves}) => moves.some(({api, direction}) => api === 'DataCopy' && direction !== 'inside'),
    text: ({say}) =>
      say(
        [
          `${code('DataCopy')} moves whole blocks of 32 bytes and rounds a count down,`,
          'so counts given to it must be aligned',
        ].join(' '),
        `${code('DataCopy')} 以 32 字节为单位搬运,不足部分会被舍去,传入的长度必须对齐`,
      ),
  },
  {
    concerns: ({atomics}) => atomics.length > 0,
    text: (voice, {atomics}) =>
      voice.say(
        `atomic mode (${codeList(atomics, voice)}) must be switched off again before other writes`,
        `原子模式(${codeList(atomics, voice)})用完要关闭,以免影响后续写出`,
      ),
  },
]

/** Asked of a queue by name; a module that a macro names has a rule of its own. */
function fromQueue({methods}: KernelFacts, api: string): boolean {
  return methods.some(({syntax}) => syntax.calls.some(({name, receiver}) => name === api && !/\)$/.test(receiver)))
}

function computes({vectorCalls}: KernelFacts, ...apis: readonly string[]): boolean {
  return vectorCalls.some(({call}) => apis.includes(call.name))
}

/** The form with a work tensor and a count; that over patterns of axes leaves a tensor. */
function reduction({vectorCalls}: KernelFacts): Call | undefined {
  const isCounted = ({name, args, templates}: Call) =>
    familyOf(name) === 'reduction' &&
    interfaces.get(name)?.operands[2]?.kind === 'tmp' &&
    args.length >= 4 &&
    !/^-?\d/.test(args[2] ?? '') &&
    !templates.some((one) => /Pattern/.test(one)) &&
    args.slice(0, 3).every((one) => one.length <= 40)
  return vectorCalls.find(({call}) => isCounted(call))?.call
}

function selectsByTensor({vectorCalls}: KernelFacts): boolean {
  return vectorCalls.some(({call}) => call.name === 'Select' && call.args.some((each) => /VSEL_TENSOR/.test(each)))
}
