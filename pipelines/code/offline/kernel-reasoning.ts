import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {KernelSource} from '../../../datasets/schema/kernel.ts'
import {formulas} from '../formula.ts'
import type {KernelFacts} from '../facts.ts'
import {memoryParagraph} from './memory.ts'
import {computeParagraph, conversionParagraph} from './compute.ts'
import {movementParagraph, synchronisationParagraph} from './movement.ts'
import {traceParagraph} from './trace.ts'
import {code, codes, paragraph, paragraphs, some, words, type Voice} from './say.ts'

/** The way from the request to the code, step by step, from computed facts alone. Steps without facts are not there. */
export function kernelReasoning(source: KernelSource, facts: KernelFacts, voice: Voice, trace?: RunTrace): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    splitParagraph(facts, voice),
    memoryParagraph(source, facts, voice),
    movementParagraph(facts, voice),
    computeParagraph(facts, voice),
    conversionParagraph(facts, voice),
    synchronisationParagraph(facts, voice),
    loopParagraph(facts, voice),
    dispatchParagraph(facts, voice),
    trace ? traceParagraph(trace, voice) : '',
    closingParagraph(facts, voice),
  ])
}

function taskParagraph(source: KernelSource, facts: KernelFacts, voice: Voice): string {
  const [formula] = formulas(facts).filter(
    ({expression}) => !facts.vectorCalls.some(({call}) => /Reduce|Sort|Gather/.test(call.name)) && expression !== '',
  )
  const [entry] = facts.entries
  const sentences = [
    entry
      ? voice.say(
          [
            `I have to write the kernel of ${code(source.operator)}; its entry ${code(entry.name)} receives the global addresses ${voice.list(codes(entry.parameters))}.`,
            `The task is the device side of ${code(source.operator)}: everything starts at ${code(entry.name)}, which is given ${voice.list(codes(entry.parameters))}.`,
          ],
          [
            `需要编写 ${code(source.operator)} 的核函数,入口 ${code(entry.name)} 的参数为 ${voice.list(codes(entry.parameters))}。`,
            `任务是 ${code(source.operator)} 的 Kernel 侧实现,入口 ${code(entry.name)} 接收 ${voice.list(codes(entry.parameters))}。`,
          ],
        )
      : voice.say(
          `This file is one part of ${code(source.operator)}: ${contents(facts, voice)}.`,
          `该文件是 ${code(source.operator)} 的一部分:${contents(facts, voice)}。`,
        ),
    formula
      ? voice.say(
          `Element by element the result is ${code(`${formula.output} = ${formula.expression}`)}, so no element depends on its neighbours and the data can be cut anywhere.`,
          `逐元素来看结果为 ${code(`${formula.output} = ${formula.expression}`)},元素之间互不依赖,因此数据可以在任意位置切分。`,
        )
      : nature(source, facts, voice),
    dependencySentence(source, voice),
  ]
  return paragraph(voice, sentences)
}

function contents({classes, methods}: KernelFacts, voice: Voice): string {
  if (classes.length > 0)
    return voice.say(
      `it holds ${classes.length > 1 ? 'the classes' : 'the class'} ${voice.list(codes(classes.map(({name}) => name)))}`,
      `包含类 ${voice.list(codes(classes.map(({name}) => name)))}`,
    )
  const names = some(
    methods.map(({syntax}) => syntax.name),
    5,
  ).shown
  return voice.say(`it holds the functions ${voice.list(codes(names))}`, `包含函数 ${voice.list(codes(names))}`)
}

/** What kind of computation it is, by the instructions that give it away. */
function nature(source: KernelSource, {vectorCalls, matrixCalls, moves}: KernelFacts, voice: Voice): string {
  const names = new Set(vectorCalls.map(({call}) => call.name))
  const reductions = [...names].filter((name) => /Reduce/.test(name))
  if (matrixCalls.length > 0)
    return voice.say(
      `It needs the cube unit (${voice.list(codes(some(matrixCalls, 4).shown))}), so layout and tile shape follow from the matrix interface.`,
      `需要使用 Cube 单元(${voice.list(codes(some(matrixCalls, 4).shown))}),数据排布与分块由矩阵接口决定。`,
    )
  if (reductions.length > 0)
    return voice.say(
      `It contains a reduction (${voice.list(codes(reductions))}), so elements of one group must meet in one place and the split has to respect the groups.`,
      `计算中包含归约(${voice.list(codes(reductions))}),同一组的元素必须汇聚到一处,切分时要保持分组完整。`,
    )
  if (names.has('Sort32') || names.has('MrgSort'))
    return voice.say('It sorts, so partial results have to be merged.', '计算包含排序,各部分结果需要再归并。')
  if (names.size > 0)
    return voice.say(
      `The computation ("${words(source.operator)}") is a chain of vector instructions on tiles.`,
      `整个计算由分块上的一串矢量指令完成。`,
    )
  return moves.length > 0 ? voice.say('It mainly moves data.', '主要工作是数据搬运。') : ''
}

function dependencySentence({dependencies, target, tiling}: KernelSource, voice: Voice): string {
  const parts: string[] = []
  if (dependencies.length > 0)
    parts.push(
      voice.say(
        `${voice.list(codes(dependencies.map(({path}) => path)))} ${dependencies.length > 1 ? 'exist' : 'exists'} already, so I include what I need and do not repeat it.`,
        `${voice.list(codes(dependencies.map(({path}) => path)))} 已经存在,直接包含使用,不再重复实现。`,
      ),
    )
  const structure = /BEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)/.exec(tiling)?.[1]
  if (structure !== undefined && target.text.includes(structure))
    parts.push(
      voice.say(
        `The structure ${code(structure)} is generated from the host side's declaration.`,
        `结构体 ${code(structure)} 由 Host 侧的声明生成。`,
      ),
    )
  return paragraph(voice, parts)
}

function splitParagraph({split, tilingFields}: KernelFacts, voice: Voice): string {
  if (split.length === 0) return ''
  const {shown, more} = some(
    split.filter(
      ({statement}) => statement.length <= 140 && !/= (?:AscendC::)?GetBlock(?:Idx|Num)\(\)$/.test(statement),
    ),
    4,
  )
  const holder = split
    .find(({statement}) => /= (?:AscendC::)?GetBlockIdx\(\)$/.test(statement))
    ?.statement.split(' = ')[0]
  const remainder = split.find(
    ({statement}) => /\w+ < [\w.>()-]+ \? (?:1|[\w.]+ \+ 1)/.test(statement) || /% /.test(statement),
  )
  const sentences = [
    voice.say(
      [
        'Next the split over cores: every core runs the same code and finds its share by its block index.',
        'All cores execute the same program, so the block index must decide which part of the data belongs to whom.',
      ],
      [
        '接着考虑多核切分:每个核执行同一份代码,依靠 block 编号确定自己的数据范围。',
        '各核运行相同的程序,需要用 block 编号区分各自负责的数据。',
      ],
    ),
    shown.length > 0
      ? voice.say(
          `${holder === undefined ? 'The' : `With ${code(holder)} from ${code('GetBlockIdx()')}, the`} ${shown.length > 1 || more > 0 ? 'statements that place a core are' : 'statement that places a core is'} ${voice.list(codes(shown.map(({statement}) => statement)))}${more > 0 ? `, and ${more} more of this kind` : ''}.`,
          `${holder === undefined ? '' : `由 ${code('GetBlockIdx()')} 得到 ${code(holder)},`}定位数据的语句为 ${voice.list(codes(shown.map(({statement}) => statement)))}${more > 0 ? `,另有 ${more} 条类似语句` : ''}。`,
        )
      : '',
    remainder
      ? voice.say(
          'The remainder of the division is handed out so that no core is left with work that others could share.',
          '除不尽的部分分摊给若干个核,避免负载不均。',
        )
      : '',
    tilingFields.length > 0 && !split.some(({statement}) => /GetBlockNum/.test(statement))
      ? voice.say(
          `The lengths themselves come from the host (${some(tilingFields, 8).shown.join(', ')}), so the kernel does not have to divide by the number of cores.`,
          `各长度由 Host 侧给出(${some(tilingFields, 8).shown.join('、')}),核函数内不必再按核数做除法。`,
        )
      : '',
  ]
  return paragraph(voice, sentences)
}

function loopParagraph({methods, vectorCalls}: KernelFacts, voice: Voice): string {
  const process = methods.find(({role, syntax}) => role === 'process' && syntax.loops.length > 0)
  if (!process) return ''
  const {syntax} = process
  const stages = [
    ...new Set(
      syntax.calls
        .filter(({name}) =>
          methods.some(
            (method) =>
              method.syntax.name === name && method.syntax.owner === syntax.owner && method.syntax.returns === 'void',
          ),
        )
        .map(({name}) => name),
    ),
  ]
  const tail = [
    ...syntax.assignments.map(({name, value}) => `${name} = ${value}`),
    ...syntax.conditions.map(({text}) => text),
  ].find((text) => / < .* \? |\w % \w|\b(?:std::)?min\(|\w*(?:tail|remain)\w*/i.test(text) && text.length <= 120)
  return paragraph(voice, [
    voice.say(
      `${code(`${syntax.name}()`)} drives the tiles with ${code(syntax.loops[0]?.header ?? '')}${stages.length > 0 ? `, calling ${voice.list(codes(stages))} in each round` : ''}.`,
      `${code(`${syntax.name}()`)} 用 ${code(syntax.loops[0]?.header ?? '')} 逐块推进${stages.length > 0 ? `,每轮调用 ${voice.list(codes(stages))}` : ''}。`,
    ),
    tail === undefined
      ? ''
      : voice.say(
          `The last tile may be shorter; ${code(tail)} takes care of it, and counts passed to the instructions follow the real length${vectorCalls.length > 0 ? '' : ' too'}.`,
          `最后一块可能不足一个完整 tile,由 ${code(tail)} 处理,后续指令的计算长度随之变化。`,
        ),
  ])
}

function dispatchParagraph({tilingKeys, methods}: KernelFacts, voice: Voice): string {
  const entry = methods.find(({role}) => role === 'entry')
  if (!entry) return ''
  const start = entry.syntax.calls.find(({name, receiver}) => name === 'Init' && receiver !== '')
  const calls = start
    ? voice.say(
        `${code(`${start.receiver}.Init(${start.args.join(', ')})`)} hands addresses and tiling over, then ${code(`${start.receiver}.Process()`)} does the work.`,
        `入口中先用 ${code(`${start.receiver}.Init(${start.args.join(', ')})`)} 传入地址与 tiling,再由 ${code(`${start.receiver}.Process()`)} 完成计算。`,
      )
    : ''
  if (tilingKeys.length < 2)
    return entry.syntax.calls.some(({name, receiver}) => name === 'Process' && receiver === start?.receiver)
      ? calls
      : ''
  const branches = [
    ...entry.syntax.body.matchAll(
      /TILING_KEY_IS\(\s*(\w+)\s*\)\s*\)\s*\{\s*(?:\/\/[^\n]*\n\s*)*([\w:]+\s*<[^;{}]*>)\s+\w+\s*[;({]/g,
    ),
  ].map(([, key, type]) => `${key} → ${(type as string).replace(/\s+/g, ' ')}`)
  const {shown, more} = some(branches, 6)
  return paragraph(voice, [
    calls,
    voice.say(
      `The host chooses a variant by tiling key, and ${code('TILING_KEY_IS')} lets the compiler make one binary per key instead of a branch at run time.`,
      `Host 侧通过 tiling key 选择实现分支,${code('TILING_KEY_IS')} 让编译器为每个 key 单独生成二进制,运行时没有分支开销。`,
    ),
    shown.length > 0
      ? voice.say(
          `The variants are ${voice.list(codes(shown))}${more > 0 ? ` and ${more} more` : ''}.`,
          `各分支为 ${voice.list(codes(shown))}${more > 0 ? ` 等共 ${more + shown.length} 个` : ''}。`,
        )
      : voice.say(
          `The keys are ${voice.list(codes(some(tilingKeys, 8).shown))}.`,
          `可选的 key 有 ${voice.list(codes(some(tilingKeys, 8).shown))}。`,
        ),
  ])
}

/** What would go wrong first, by what the code uses. */
function closingParagraph(facts: KernelFacts, voice: Voice): string {
  const names = new Set(facts.vectorCalls.map(({call}) => call.name))
  const allocs = facts.methods.flatMap(({syntax}) => syntax.calls).filter(({name}) => name === 'AllocTensor').length
  const frees = facts.methods.flatMap(({syntax}) => syntax.calls).filter(({name}) => name === 'FreeTensor').length
  const warnings = [
    allocs > 0 && frees > 0
      ? voice.say(
          `every ${code('AllocTensor')} must meet its ${code('FreeTensor')}, else the queue runs out of blocks and the core hangs`,
          `每个 ${code('AllocTensor')} 都要有对应的 ${code('FreeTensor')},否则队列内存耗尽,核会挂死`,
        )
      : '',
    names.has('Compare') || names.has('CompareScalar') || names.has('Compares')
      ? voice.say(
          'a comparison works on multiples of 256 bytes, so the buffers behind it are rounded up',
          '比较指令要求长度为 256 字节的整数倍,相关缓冲区需向上取整',
        )
      : '',
    names.has('Rsqrt') || names.has('Reciprocal')
      ? voice.say(
          'the hardware reciprocal is an approximation, so its accuracy must suffice here',
          '硬件倒数类指令是近似值,需确认精度满足要求',
        )
      : '',
    names.has('ReduceSum') || names.has('ReduceMax') || names.has('ReduceMin')
      ? voice.say(
          'a reduction needs a work tensor of its own and leaves its result in the first element',
          '归约指令需要独立的工作空间,结果写在第一个元素',
        )
      : '',
    facts.vectorCalls.some(
      ({call}) => call.name === 'Select' && call.args.some((argument) => /VSEL_TENSOR/.test(argument)),
    )
      ? voice.say(
          `${code('Select')} in this mode uses the last 8192 bytes of the unified buffer itself, so they are not mine to fill`,
          `该模式的 ${code('Select')} 会占用 UB 末尾的 8192 字节,规划时不能使用这段空间`,
        )
      : '',
    facts.moves.some(({api, direction}) => api === 'DataCopy' && direction !== 'inside')
      ? voice.say(
          `${code('DataCopy')} moves whole blocks of 32 bytes and rounds a count down, so counts given to it must be aligned`,
          `${code('DataCopy')} 以 32 字节为单位搬运,不足部分会被舍去,传入的长度必须对齐`,
        )
      : '',
    facts.atomics.length > 0
      ? voice.say(
          `atomic mode (${voice.list(codes(facts.atomics))}) must be switched off again before other writes`,
          `原子模式(${voice.list(codes(facts.atomics))})用完要关闭,以免影响后续写出`,
        )
      : '',
  ].filter(Boolean)
  if (warnings.length === 0) return ''
  const {shown} = some(warnings, 4)
  return voice.say(
    [
      `Before writing it down, the points to watch: ${shown.join('; ')}.`,
      `What could still go wrong: ${shown.join('; ')}.`,
    ],
    [`动手之前再确认几点:${shown.join(';')}。`, `容易出错的地方:${shown.join(';')}。`],
  )
}
