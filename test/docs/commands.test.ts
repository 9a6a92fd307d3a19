import {readdirSync} from 'node:fs'
import {basename} from 'node:path'
import {describe, expect, test} from 'vitest'
import {commands} from '../../pipelines/command-line/commands.ts'
import {readCommandLine} from '../../pipelines/command-line/read-command-line.ts'
import {files, textOf} from '../helpers/house.ts'
import {configurationKeys, specificationKeys} from './reference-pages.ts'

// Beside the listings, which `listings.test.ts` reads: commands and flags that prose names, and names that the command
// line itself does not check.

const pages = files.filter((file) => /^(?:README|CONTRIBUTING|SECURITY|docs\/.*)\.md$/.test(file))

interface Shown {
  page: string
  words: string[]
}

/** Lines of listings, and what stands in backquotes elsewhere. */
function lines(page: string): string[] {
  const text = textOf(page)
  const listings = [...text.matchAll(/^```(?:sh|text)?\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body)
  const rest = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const inline = [...rest.matchAll(/`([^`]+)`/g)].map(([, body = '']) => body.replaceAll(/\s+/g, ' '))
  return [...listings.flatMap((body) => body.replaceAll('\\\n', ' ').split('\n')), ...inline]
}

/** Commands of a line, as a shell parts them: comments are left out, quotes and `<a name>` hold words together. */
function commandsIn(line: string): string[][] {
  const words = line.replace(/(?:^|\s)#.*$/, '').match(/(?:'[^']*'|"[^"]*"|<[^>]*>|[^\s'"])+/g) ?? []
  const all: string[][] = [[]]
  for (const word of words) {
    if (['&&', '|', '>'].includes(word)) all.push([])
    else all.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
  }
  return all
}

const shown: Shown[] = pages.flatMap((page) =>
  lines(page).flatMap((line) => commandsIn(line).map((words) => ({page, words}))),
)

/** What follows `ascend-cot`, or `npm start --`, which is `ascend-cot start`. */
function ownWords([first, second, ...rest]: readonly string[]): string[] | undefined {
  // Who adds a benchmark gives its name.
  if (second === 'eval' && rest[0] === '<name>') return ['eval', 'npukernelbench', ...rest.slice(1)]
  if (first === 'npx' && second === 'ascend-cot') return rest
  if (first === 'npm' && second === 'start') return ['start', ...rest.filter((word) => word !== '--')]
  return first === 'ascend-cot' && second !== undefined ? [second, ...rest] : undefined
}

const own = shown.flatMap(({page, words}) => {
  const after = ownWords(words)
  return after && after.length > 0 && !/^[<…]|^(?:--help|\[options\])$/.test(after[0] ?? '')
    ? [{page, words: after}]
    : []
})
/** A name alone is spoken of, not shown: `ascend-cot eval`. */
const names = new Set(commands.flatMap(({name}) => [name, name.split(' ')[0] ?? '']))
const isSpokenOf = (words: readonly string[]) => names.has(words.filter((word) => word !== '--help').join(' '))
const isPattern = (words: readonly string[]) => words.some((word) => word === '[options]')

async function fault(words: readonly string[]): Promise<string> {
  const said: string[] = []
  const code = await readCommandLine(words, async () => 0, {print: () => {}, say: (text) => void said.push(text)})
  return code === 0 ? '' : said.join(' ')
}

describe('commands of pages', () => {
  const whole = own.filter(({words}) => !isSpokenOf(words) && !isPattern(words))

  test('can be read', async () => {
    expect(whole.length).toBeGreaterThan(100)
    const faults = await Promise.all(whole.map(async ({page, words}) => [page, words.join(' '), await fault(words)]))
    expect(faults.filter(([, , told]) => told !== '')).toEqual([])
  })

  test('set keys that there are', () => {
    const ofJobs = specificationKeys().map(({path}) => path)
    const ofAll = configurationKeys().map(({path}) => path)
    const set = whole.flatMap(({page, words}) =>
      words.flatMap((word, at) => (words[at - 1] === '--set' ? [{page, command: words[0] ?? '', word}] : [])),
    )
    expect(set.length).toBeGreaterThan(8)
    const keys = (command: string) => (/^(?:train|sweep|serve)$/.test(command) ? [...ofJobs, ...ofAll] : ofAll)
    const isKey = (key: string, all: readonly string[]) =>
      all.some((one) => new RegExp(`^${one.replaceAll('.', '\\.').replaceAll('<name>', '\\w+')}(?:\\.|$)`).test(key))
    expect(set.filter(({command, word}) => !isKey(word.replace(/=.*/, ''), keys(command)))).toEqual([])
  })

  test('name training jobs and sweeps that there are', () => {
    const specs = ['specs', 'sweeps'].flatMap((folder) => readdirSync(`trainers/${folder}`))
    const known = new Set(specs.map((name) => basename(name, '.yaml')))
    const begun = whole.flatMap(({page, words: [name, job = '']}) =>
      (name === 'train' && !/^(?:status|logs|cancel|resume)$/.test(job)) || name === 'sweep' ? [{page, job}] : [],
    )
    expect(begun.length).toBeGreaterThan(5)
    expect(begun.filter(({job}) => !known.has(job) && !/\.ya?ml$|^</.test(job))).toEqual([])
  })
})

test('flags that pages speak of belong to a command', () => {
  // `--gres` is one of Slurm's.
  const flags = new Set(['gres', 'cpusPerTask', ...commands.flatMap(({options}) => Object.keys(options))])
  const spoken = shown.flatMap(({page, words: [word = '']}) => {
    const [, flag] = /^--([a-z][a-z-]*)(?:=|$)/.exec(word) ?? []
    return flag === undefined ? [] : [{page, flag}]
  })
  const key = (flag: string) => flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  expect(spoken.length).toBeGreaterThan(40)
  expect(spoken.filter(({flag}) => !flags.has(key(flag)))).toEqual([])
})

test('benchmarks that pages name exist', () => {
  const benches = textOf('test/bench/bench.ts')
  const named = shown.flatMap(({page, words: [npm, , script, , bench = '']}) =>
    npm === 'npm' && script === 'bench' && /^[a-z]/.test(bench) ? [{page, bench}] : [],
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({bench}) => !new RegExp(`async '?${bench}'?\\(`).test(benches))).toEqual([])
})
