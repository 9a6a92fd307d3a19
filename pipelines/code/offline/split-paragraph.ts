import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {branchText} from './branch-text.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** How the data is cut over the cores, and where a core finds its share. */
export function splitParagraph({split, tilingFields}: KernelFacts, voice: Voice): string {
  const statements = split.map(({statement}) => statement)
  const places = placesSentence(split, voice)
  if (places === '') return ''
  const sharesRemainder = statements.some((one) => /[\w)] < [\w.>()-]+ \? (?:1|[\w.>-]+ \+ 1)\b/.test(one))
  return paragraph(voice, [
    openingSentence(voice),
    places,
    sharesRemainder ? remainderSentence(voice) : '',
    tilingFields.length > 0 ? fieldsSentence(tilingFields, voice) : '',
  ])
}

function openingSentence(voice: Voice): string {
  return voice.say(
    [
      'Next the split over cores: every core runs the same code and finds its share by its block index.',
      [
        'All cores execute the same program,',
        'so the block index must decide which part of the data belongs to whom.',
      ].join(' '),
    ],
    [
      '接着考虑多核切分:每个核执行同一份代码,依靠 block 编号确定自己的数据范围。',
      '各核运行相同的程序,需要用 block 编号区分各自负责的数据。',
    ],
  )
}

function placesSentence(split: KernelFacts['split'], voice: Voice): string {
  const statements = split.map(({statement}) => statement)
  const isShort = (one: string) => one.length <= 140 && !/= (?:AscendC::)?GetBlock(?:Idx|Num)\(\)$/.test(one)
  const {shown, more} = some(
    split.filter(({statement}) => isShort(statement)),
    4,
  )
  if (shown.length === 0) return ''
  const isOne = shown.length + more === 1
  const list = voice.list(shown.map((one) => placeText(one, voice)))
  const holder = statements.find((one) => /= (?:AscendC::)?GetBlockIdx\(\)$/.test(one))?.split(' = ')[0]
  const [variable, from] = [code(holder ?? ''), code('GetBlockIdx()')]
  return voice.say(
    [
      holder === undefined ? 'The' : `With ${variable} from ${from}, the`,
      isOne ? 'statement that places a core is' : 'statements that place a core are',
      `${list}${more > 0 ? `, and ${more} more of this kind` : ''}.`,
    ].join(' '),
    [
      holder === undefined ? '' : `由 ${from} 得到 ${variable},`,
      `定位数据的语句为 ${list}${more > 0 ? `,另有 ${more} 条类似语句` : ''}。`,
    ].join(''),
  )
}

/** Big and small cores find their places in different ways. */
function placeText({statement, branches}: KernelFacts['split'][number], voice: Voice): string {
  const text = code(statement)
  if (branches.length === 0 || branches.some(({condition}) => condition.length > 100)) return text
  const where = branchText(branches, voice)
  return voice.say(`${text} (${where})`, `${text}(${where})`)
}

function remainderSentence(voice: Voice): string {
  return voice.say(
    'The remainder of the division is handed out so that no core is left with work that others could share.',
    '除不尽的部分分摊给若干个核,避免负载不均。',
  )
}

function fieldsSentence(tilingFields: readonly string[], voice: Voice): string {
  const {shown, more} = some(tilingFields, 12)
  const list = codeList(shown, voice)
  const rest = more > 0 ? ` and ${more} more ${more > 1 ? 'fields' : 'field'}` : ''
  return voice.say(
    `Of the tiling that the host computed, the file reads ${list}${rest}.`,
    `Host 侧算好的 tiling 中,该文件读取 ${list}${more > 0 ? ` 等 ${tilingFields.length} 个字段` : ''}。`,
  )
}
