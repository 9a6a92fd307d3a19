import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {Cut} from '../extension-cut.ts'
import {dtypeReasoning} from './dtype-extension.ts'
import {checkText} from './check-text.ts'
import {purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'

/** A second question about a file: to add one part to what is there. */
interface Extension {
  /** The file before. */
  given: string
  request: string
  reasoning: string
}

/** The question that puts the cut part in again, with where it goes and what has to stay equal. */
export function extension(source: OperatorSource, cut: Cut, voice: Voice): Extension {
  return {
    given: cut.text,
    request: requestOf(source, cut, voice),
    reasoning: paragraphs(reasoningOf(source, cut, voice)),
  }
}

function requestOf(source: OperatorSource, cut: Cut, voice: Voice): string {
  const path = code(source.target.path)
  return paragraph(voice, [
    voice.say(
      `The file ${path} of the operator ${code(source.operator)} stands below and is to be extended.`,
      `下面是算子 ${code(source.operator)} 的文件 ${path}，需要在其基础上扩展。`,
    ),
    purposeSentence(source, voice),
    wanted(cut, voice),
    voice.say(
      'Leave everything else as it is, and answer with a patch (unified diff).',
      '其余部分保持不变，请以补丁(unified diff)形式给出修改。',
    ),
  ])
}

function wanted(cut: Cut, voice: Voice): string {
  switch (cut.kind) {
    case 'column': {
      const formats = new Set(cut.column.map(({format}) => format))
      const [only = ''] = formats
      const isOne = formats.size === 1
      const column = voice.list(
        cut.column.map(({name, dtype, format}) =>
          [name, dtype, ...(isOne || format === '' ? [] : [format])].map(code).join(' '),
        ),
      )
      const format = isOne && only !== '' ? voice.say(`, format ${code(only)}`, `，格式 ${code(only)}`) : ''
      return voice.say(
        `It supports ${cut.columns - 1} combinations of types. Add one more, as the last: ${column}${format}.`,
        `目前支持 ${cut.columns - 1} 种类型组合，请在最后增加一种：${column}${format}。`,
      )
    }
    case 'branch': {
      const what = cut.variants.length > 0 ? cut.variants : cut.calls
      const list = codeList(some(what, 5).shown, voice)
      return voice.say(
        [
          `The entry handles ${keysText(cut.others, voice)}. The host will now also choose key ${code(cut.key)};`,
          `handle it with ${list}, in the manner of the others.`,
        ].join(' '),
        `入口目前处理 ${keysText(cut.others, voice)}。Host 侧新增 key ${code(cut.key)}，请参照已有分支，用 ${list} 处理。`,
      )
    }
    case 'dtype': {
      const [list, dtype] = [code(cut.list.name), code(cut.dtype)]
      const users = codeList([...new Set(cut.list.users)], voice)
      const use = cut.list.users.length > 1 ? 'use' : 'uses'
      return voice.say(
        `The list ${list}, which ${users} ${use}, shall accept ${dtype} as well.`,
        `${users} 使用的列表 ${list} 需要增加对 ${dtype} 的支持。`,
      )
    }
    case 'check':
      return voice.say(
        [
          `A check is missing in ${code(cut.method)}: ${checkText(cut.check, voice)},`,
          `else it gives back ${code(cut.check.result)}.`,
        ].join(' '),
        `${code(cut.method)} 中缺少一项校验：${checkText(cut.check, voice)}，否则返回 ${code(cut.check.result)}。`,
      )
  }
}

function keysText(keys: readonly string[], voice: Voice): string {
  const list = codeList(some(keys, 10).shown, voice)
  if (keys.length === 1) return voice.say(`the tiling key ${list}`, `tiling key ${list}`)
  const more = keys.length > 10
  return voice.say(`the tiling keys ${list}${more ? ' and others' : ''}`, `tiling key ${list}${more ? ' 等' : ''}`)
}

function reasoningOf(source: OperatorSource, cut: Cut, voice: Voice): string[] {
  switch (cut.kind) {
    case 'column':
      return columnReasoning(source, cut, voice)
    case 'branch':
      return branchReasoning(cut, voice)
    case 'dtype':
      return dtypeReasoning(cut, voice)
    case 'check':
      return checkReasoning(cut, voice)
  }
}

type Of<K extends Cut['kind']> = Extract<Cut, {kind: K}>

function columnReasoning({operator}: OperatorSource, cut: Of<'column'>, voice: Voice): string[] {
  const column = voice.list(
    cut.column.map(({name, dtype}) => `${code(dtype)} ${voice.say('for', '对应')} ${code(name)}`),
  )
  const kinds = new Set(cut.column.map(({dtype}) => dtype))
  return [
    paragraph(voice, [
      voice.say(
        [
          'What is a combination here?',
          `The i-th entries of all ${code('DataType')} lists of ${code(operator)} together.`,
          `So a new combination is no new line but one entry more in each list, at the same place: ${column}.`,
        ].join(' '),
        `先明确什么是一种组合：${code(operator)} 所有 ${code('DataType')} 列表的第 i 项合在一起。因此新增组合不是加一行，而是在每个列表的同一位置各加一项：${column}。`,
      ),
      kinds.size === 1
        ? voice.say(`In the new column all tensors have the same type.`, '新的一列中所有张量类型相同。')
        : voice.say(
            `The types of this column differ between tensors, so mixing up two lists would describe another operator.`,
            '这一列中各张量类型不同，列表之间不能写错位。',
          ),
    ]),
    paragraph(voice, [
      voice.say(
        [
          'The format lists count by the same columns. They must grow along,',
          'although a format may repeat, or the lists are of different length and the table can no longer be read:',
          `${cut.lists} lists get one entry each and then hold ${cut.columns}.`,
        ].join(' '),
        `格式列表与类型按同样的列计数，即使格式重复也必须同时增加，否则长度不一致。共有 ${cut.lists} 个列表各增加一项，增加后长度为 ${cut.columns}。`,
      ),
      voice.say(
        'The entry goes to the end: the columns before keep their index, so what was built for them stays the same.',
        '新项放在末尾：前面各列的下标不变，已有组合不受影响。',
      ),
    ]),
    paragraph(voice, [
      voice.say(
        [
          'Names, kinds and order of the tensors, attributes and the registration do not change:',
          'host functions and kernel count on them.',
        ].join(' '),
        '张量的名称、类别、顺序以及属性和注册都不变，Host 侧函数与 kernel 依赖它们。',
      ),
      cut.ownTables.length > 0
        ? voice.say(
            [
              `For ${codeList(cut.ownTables, voice)} the configuration describes tensors anew;`,
              'this is not asked to change.',
            ].join(' '),
            `${codeList(cut.ownTables, voice)} 在各自配置中有单独的类型表，本次不改动。`,
          )
        : '',
      voice.say(
        'The definition only announces the combination; tiling and kernel have to be able to compute it.',
        '原型只是声明支持这一组合，tiling 与 kernel 也要能够处理它。',
      ),
    ]),
  ]
}

function branchReasoning(cut: Of<'branch'>, voice: Voice): string[] {
  const what = codeList(some(cut.variants.length > 0 ? cut.variants : cut.calls, 5).shown, voice)
  const steps = cut.calls.filter((name) => /^(?:Init|Process|\w*Process|GET_TILING_DATA\w*|InitBuffer)$/.test(name))
  const [keys, key] = [keysText(cut.others, voice), code(cut.key)]
  const asked = code(`TILING_KEY_IS(${cut.key})`)
  return [
    voice.say(
      [
        'The entry is one function for all variants;',
        'which one runs is decided by the tiling key that the host has set.',
        `It handles ${keys} already, so the new key ${key} needs an arm of its own, asked for with ${asked}.`,
      ].join(' '),
      [
        '入口函数由各实现共用，执行哪一个由 Host 侧设置的 tiling key 决定。',
        `目前处理 ${keys}，新 key ${key} 需要单独的分支，用 ${asked} 判断。`,
      ].join(''),
    ),
    paragraph(voice, [
      placeSentence(cut, voice),
      voice.say(`What the arm uses: ${what}.`, `分支内使用 ${what}。`),
      beforeSentence(cut, voice),
      steps.length > 0 && cut.variants.length > 0
        ? voice.say(
            `It calls ${codeList([...new Set(steps)], voice)}, so the arm sets up and runs its own object.`,
            `分支内调用 ${codeList([...new Set(steps)], voice)}，完成自身对象的初始化与执行。`,
          )
        : '',
    ]),
    voice.say(
      [
        'The signature of the entry stays, and with it the order of the addresses,',
        'as the framework passes them by position. The host must set exactly this key, or the new arm never runs.',
      ].join(' '),
      '入口的参数及其顺序不变，框架按位置传入地址。Host 侧必须设置同样的 key，否则新分支不会执行。',
    ),
  ]
}

/** The grammar may lose sight of arms that the preprocessor keeps apart; then the new one is not the last. */
function placeSentence({isLast}: Of<'branch'>, voice: Voice): string {
  const macro = code('TILING_KEY_IS')
  return voice.say(
    [
      `Where does it go? ${isLast ? 'After the arms that are there: ' : ''}${macro} compares for equality,`,
      'so the arms exclude each other and their order decides nothing; the existing ones need not move.',
    ].join(' '),
    `${isLast ? '放在已有分支之后：' : ''}${macro} 是相等判断，各分支互斥，顺序不影响结果，已有分支无需移动。`,
  )
}

/** What the arm before uses: what the new one is to be like. */
function beforeSentence({before, variants}: Of<'branch'>, voice: Voice): string {
  const others = before.filter((one) => !variants.includes(one))
  if (others.length === 0 || variants.length === 0) return ''
  const list = codeList(some(others, 3).shown, voice)
  const name = (type: string) => type.replace(/<.*$/, '')
  const isSame = others.some((one) => variants.some((other) => name(one) === name(other)))
  return isSame
    ? voice.say(
        `The arm before uses ${list}: the same class with other template arguments.`,
        `前一个分支使用 ${list}：同一个类，只是模板参数不同。`,
      )
    : voice.say(`The arm before uses ${list}, another class.`, `前一个分支使用 ${list}，是另一个类。`)
}

function checkReasoning({check, method, status}: Of<'check'>, voice: Voice): string[] {
  return [
    paragraph(voice, [
      voice.say(
        `What is missing is a refusal: ${checkText(check, voice)}. It belongs into ${code(method)}.`,
        `缺少的是一项拒绝条件：${checkText(check, voice)}。它属于 ${code(method)}。`,
      ),
      status === undefined
        ? voice.say(
            `The check gives back ${code(check.result)}, as the return type of the function asks.`,
            `校验不通过时返回 ${code(check.result)}，与函数返回类型一致。`,
          )
        : voice.say(
            [
              `The check gives back ${code(check.result)},`,
              `and the caller of ${code(method)} turns that into ${code(status)}.`,
            ].join(' '),
            `校验不通过时返回 ${code(check.result)},${code(method)} 的调用处据此返回 ${code(status)}。`,
          ),
    ]),
    voice.say(
      [
        'The macro logs what was expected and what was seen, so no message has to be written.',
        'The checks around it stay in their order.',
      ].join(' '),
      '宏会记录期望与实际值，不必另写日志。其余校验及其顺序不变。',
    ),
    voice.say(
      [
        'Nothing after the check changes: what passes it was accepted before as well,',
        'and what does not pass now ends here with a status instead of a wrong result.',
      ].join(' '),
      '校验之后的流程不变：通过的输入与之前一样处理，不通过的在此以状态码结束，而不是得到错误结果。',
    ),
  ]
}
