import type {Draft} from '../draft.ts'
import type {TopicAsk} from '../kinds/topic-ask.ts'
import {bulletList, lines, trimStop} from '../text.ts'
import {be, counted, list, stopped} from './english-words.ts'

/** Headings that say nothing without their page. */
const general = /^(?:overview|example|introduction|background|function|description|principle|notes?|summary)s?$/i

export function aboutOf({heading, page}: Pick<TopicAsk, 'heading' | 'page'>): string {
  return heading === '' || heading === page || general.test(heading) ? `"${page}"` : `"${heading}" in "${page}"`
}

export function topic(ask: TopicAsk): Draft {
  return {
    question: question(ask),
    reasoning: lines(...ask.because.map(stopped), bridge(ask)),
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
      return `For someone who writes Ascend C operators: how is ${about} done, and why?`
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

function bridge({shape, points}: TopicAsk): string {
  switch (shape) {
    case 'difference':
      return 'So the conditions and the cost of each way have to be set side by side.'
    case 'steps':
      return `That puts ${counted(points.length, 'step')} in order.`
    case 'how':
      return 'What to do follows from that.'
    case 'names':
      return `Starting from there, ${counted(points.length, 'point')} ${be(points.length)} to be made.`
    case 'rules':
      return `From that follow ${counted(points.length, 'rule')}.`
    case 'meaning':
      return `On that ground, ${counted(points.length, 'point')} ${be(points.length)} to be explained.`
    case 'points':
      return `That leads to ${counted(points.length, 'point')}.`
  }
}
