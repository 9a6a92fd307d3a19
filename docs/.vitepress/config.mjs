import {readFileSync} from 'node:fs'
import {posix} from 'node:path'

/** Pages in their order, by the folder that they lie in. */
const guides = [
  'documentation',
  'operators',
  'candidates-and-labels',
  'corrections',
  'optimisation',
  'general-data',
  'viewer',
  'release-and-publish',
  'teachers',
  'agreement',
  'evaluation',
  'cann',
  'ascendcraft',
  'judge-service-and-rl',
  'training-and-sweeps',
  'effect',
  'machines-and-cache',
  'many-machines',
  'own-stages',
]
const reference = [
  'commands',
  'configuration',
  'training-specification',
  'columns',
  'stages',
  'drop-reasons',
  'errors',
  'judge-rules',
  'twin-coverage',
  'http-api',
  'api',
]
const explanations = ['verdicts', 'decisions', 'architecture', 'limits']

export default {
  title: 'ascend-cot',
  description: 'Chain-of-thought training data for Ascend C kernels, every code sample compiled and run',
  srcExclude: ['site/**'],
  rewrites: {'README.md': 'index.md'},
  themeConfig: {
    search: {provider: 'local'},
    outline: 'deep',
    sidebar: [
      {
        text: 'Start',
        items: [
          {text: 'Overview', link: '/'},
          {text: 'Tutorial', link: '/tutorial'},
        ],
      },
      {text: 'Guides', items: guides.map((name) => item('guides', name))},
      {text: 'Reference', items: reference.map((name) => item('reference', name))},
      {
        text: 'Explanations',
        items: [...explanations.map((name) => item('explanations', name)), {text: 'Benchmarks', link: '/benchmarks'}],
      },
    ],
  },
  markdown: {
    // Most listings are commands.
    defaultHighlightLang: 'sh',
    // A heading such as `GET /status/{id}` has no attributes.
    attrs: {disable: true},
    anchor: {slugify: asForges},
    config: (md) => md.core.ruler.push('outside', leaveOutside),
  },
}

/** Anchors of headings as forges make them, so that a link leads to its heading on both. */
function asForges(text) {
  const kept = text.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** A page by its heading, as far as a colon. */
function item(folder, name) {
  const [, heading] = /^# (.*?)(?:(?::|, and).*)?$/m.exec(
    readFileSync(new URL(`../${folder}/${name}.md`, import.meta.url), 'utf8'),
  )
  return {text: heading, link: `/${folder}/${name}`}
}

/** No template of Vue's, and in one piece where a line of a telephone holds it. */
function asCode(token) {
  token.attrSet('v-pre', '')
  if (token.content.length <= 24) token.attrSet('class', 'whole')
}

/** Files of the repository outside of docs are not on the site: what leads to them there stays as text. */
function leaveOutside({tokens, env}) {
  for (const {children} of tokens) {
    let outside = false
    for (const one of children ?? []) {
      if (one.type === 'code_inline') asCode(one)
      if (one.type === 'link_open') outside = isOutside(one.attrGet('href') ?? '', env.relativePath ?? '')
      if (outside && /^link_/.test(one.type))
        Object.assign(one, {type: one.type.replace('link', 'em'), tag: 'em', attrs: null})
    }
  }
}

function isOutside(href, page) {
  return !/^[a-z]+:|^#/.test(href) && posix.join(posix.dirname(page), href).startsWith('..')
}
