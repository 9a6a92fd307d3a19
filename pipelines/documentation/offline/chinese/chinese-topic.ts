import type {Draft} from '../draft.ts'
import type {TopicAsk} from '../kinds/topic-ask.ts'
import {bulletList, closed, lines, trimStop} from '../text.ts'
import {listAnd} from './chinese-words.ts'

/** Headings that say nothing without their page. */
const general =
  /^(?:概述|简介|背景|功能|说明|原理|要点|总结|介绍|调用示例|使用示例|示例|样例|功能说明|功能介绍|使用说明|约束说明|基本原理|注意事项)$/

export function aboutOf({heading, page}: Pick<TopicAsk, 'heading' | 'page'>): string {
  if (heading === '' || heading === page || general.test(heading)) return `“${page}”`
  return `“${page}”中的“${heading}”`
}

export function topic(ask: TopicAsk): Draft {
  return {
    question: question(ask),
    reasoning: lines(...ask.because.map(closed)),
    answer: bulletList(ask.points.map(trimStop)),
  }
}

function question(ask: TopicAsk): string {
  const about = aboutOf(ask)
  switch (ask.shape) {
    case 'difference':
      return `Ascend C开发中，${about}里的几种做法有什么不同，怎样选择？`
    case 'steps':
      return `Ascend C开发中，${about}要按什么步骤进行？`
    case 'how':
      return `写Ascend C算子时，${about}怎样做？`
    case 'names':
      return `请结合${listAnd(ask.names)}，说明${about}的要点。`
    case 'rules':
      return `Ascend C开发中，${about}有哪些必须遵守的规则？`
    case 'meaning':
      return `Ascend C开发中，${about}涉及的内容各是什么意思？`
    case 'points':
      return `Ascend C开发中，关于${about}要知道哪些要点？`
  }
}
