import {posix} from 'node:path'

/** Pages in their order, by the folder that they lie in. */
const guides = [
  'documentation',
  'operators',
  'candidates-and-labels',
  'corrections',
  'optimisation',
  'general-data',
  'release-and-publish',
  'teachers',
  'evaluation',
  'ascendcraft',
  'judge-service-and-rl',
  'training-and-sweeps',
  'effect',
  'machines-and-cache',
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
  markdown: {config: (md) => md.core.ruler.push('outside', leaveOutside)},
}

function item(folder, name) {
  const words = name
    .replaceAll('-', ' ')
    .replace(/ rl$/, ' RL')
    .replace(/\b(http )?api\b/, (name) => name.toUpperCase())
  return {text: `${words[0].toUpperCase()}${words.slice(1)}`, link: `/${folder}/${name}`}
}

/** Files of the repository outside of docs are not on the site: what leads to them there stays as text. */
function leaveOutside({tokens, env}) {
  for (const {children} of tokens) {
    let outside = false
    for (const one of children ?? []) {
      if (one.type === 'link_open') outside = isOutside(one.attrGet('href') ?? '', env.relativePath ?? '')
      if (outside && /^link_/.test(one.type))
        Object.assign(one, {type: one.type.replace('link', 'em'), tag: 'em', attrs: null})
    }
  }
}

function isOutside(href, page) {
  return !/^[a-z]+:|^#/.test(href) && posix.join(posix.dirname(page), href).startsWith('..')
}
