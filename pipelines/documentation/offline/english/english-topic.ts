import type {Draft} from '../draft.ts'
import type {TopicAsk} from '../kinds/topic-ask.ts'
import {bulletList, lines, trimStop} from '../text.ts'
import {list, stopped} from './english-words.ts'

/** Headings that say nothing without their page. */
const general = /^(?:overview|example|introduction|background|function|description|principle|notes?|summary)s?$/i

export function aboutOf({heading, page}: Pick<TopicAsk, 'heading' | 'page'>): string {
  return heading === '' || heading === page || general.test(heading) ? `"${page}"` : `"${heading}" in "${page}"`
}

export function topic(ask: TopicAsk): Draft {
  return {
    question: question(ask),
    reasoning: lines(...ask.because.map(stopped)),
    answer: bulletList(ask.points.map(trimStop)),
  }
}

function question(ask: TopicAsk): string {
  const about = aboutOf(ask)
  switch (ask.shape) {
    case 'difference':
      return `In Ascend C development, how do the ways of ${about} differ, and which one is to be chosen?`
    case 'steps':
      return `In Ascend C development, which steps does ${about} take?`
    case 'how':
      return `For someone who writes Ascend C operators: how is ${about} done?`
    case 'names':
      return `Explain ${about} by way of ${list(ask.names)}.`
    case 'rules':
      return `Which rules must ${about} keep in Ascend C development?`
    case 'meaning':
      return `What do the parts of ${about} mean in Ascend C development?`
    case 'points':
      return `What matters about ${about} in Ascend C development?`
  }
}
