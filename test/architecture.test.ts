import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {coveredElsewhere, isTestedBeside} from './helpers/covered-elsewhere.ts'
import * as house from './helpers/house.ts'

// The rules of the house, each of which a change could break without any other test noticing.

const {files, source, code, readers, stageFiles} = house

/** Why each runtime dependency is there; package.json must say exactly the same list, pinned. */
const dependencies: Record<string, string> = {
  '@huggingface/hub': 'the Hub: publishing, and listing data sets to import',
  'apache-arrow': 'reads Arrow and Feather files of general data sets, and writes them by flag',
  '@bokuweb/zstd-wasm': 'synchronous zstd for Parquet pages on Node 20',
  '@huggingface/jinja': "chat templates of the target model; Python's own are Jinja",
  '@huggingface/tokenizers': 'token counts by the tokenizer.json of the target model',
  '@joplin/turndown-plugin-gfm': 'tables of pages; escapes | in cells',
  '@lezer/python': 'reads programs of the tile language',
  '@node-rs/jieba': 'words of Chinese text for retrieval',
  '@petamoriken/float16': 'half-precision rounding of references',
  '@secretlint/secretlint-rule-preset-recommend': 'kept-up rules for credentials of services',
  cheerio: 'vendor HTML',
  commander: 'command line',
  'csv-parse': "test_cases.csv of the benchmark layout, tables of an operator's calls, general data sets",
  diff: 'lines that differ between a failed operator and a right one',
  'fast-png': 'pixels of formulas, for their layout',
  domhandler: 'types of what cheerio reads',
  fastify: 'HTTP of the judge: limits, half requests, orderly closing',
  fzstd: 'unpacks .zst of any size piece by piece, which @bokuweb/zstd-wasm does whole',
  hyparquet: 'reads Parquet back for cards and reports',
  'hyparquet-compressors': 'zstd and snappy pages when reading back',
  'hyparquet-writer': 'writes Parquet',
  'intl-messageformat': 'ICU messages of the catalogues: plurals and choices in two languages',
  katex: 'whether LaTeX can be parsed; the newest whose commander takes Node 20',
  'light-my-request': 'not imported: fastify takes a newer one, which asks for Node 22',
  libsql: 'run ledger and reply cache',
  'log-update': 'progress on a terminal',
  minisearch: 'retrieval of related sections',
  openai: 'OpenAI-compatible endpoints',
  'p-limit': 'concurrency within a stage',
  pino: 'event files',
  'prom-client': 'metrics in the text format of Prometheus',
  'pure-rand': 'seeded random choices',
  'robots-parser': 'what a site lets a crawler read',
  tsx: 'loads TypeScript of users where Node.js does not (before 22.18)',
  turndown: 'HTML to Markdown',
  'web-tree-sitter': 'parses kernels',
  yaml: 'configuration file',
  zod: 'record schemas',
}

/** Those that may be absent. */
const optional = {bullmq: 'queue of batches for workers on other machines', ioredis: 'its connection'}

/** Libraries of which the build takes a part into the package; whoever installs it does without the rest. */
const inPart: Record<string, string> = {
  '@tesseract.js-data/chi_sim': 'Chinese text in images, offline',
  '@tesseract.js-data/eng': 'Latin text and marks in images, offline',
  'gpt-tokenizer': 'token counts for budgets and length gates',
  'tesseract.js': 'text in images',
  'tree-sitter-cpp': 'C++ grammar',
}

/** Libraries that are bundled into the page of the viewer; nothing of them is loaded by Node. */
const inPage: Record<string, string> = {
  'highlight.js': 'colours of code',
  preact: 'what a page shows follows what it knows',
}
const page = 'pipelines/view/page/'

type Layer = {level: number; room: string}
const families = new Set('documentation code general correction preference ascendcraft'.split(' '))

/** 5 composes, 4 are siblings, 3 is shared by the families, 2 is the vocabulary, 1 two foundations. */
function layerOf(file: string): Layer {
  const [top, second] = file.split('/')
  if (top === 'engine' || top === 'cpp') return {level: 1, room: top}
  if (top === 'datasets') return {level: 2, room: 'datasets'}
  if (top === 'pipelines' && families.has(second ?? '')) return {level: 4, room: `pipelines/${second}`}
  if (top === 'pipelines' && ['facts', 'telling'].includes(second ?? '')) return {level: 3, room: `pipelines/${second}`}
  if (top === 'pipelines') return {level: 5, room: 'composition'}
  return {level: 4, room: top ?? ''}
}

describe('layers', () => {
  test('lower layers do not import higher ones, and siblings do not import each other', () => {
    const faults: string[] = []
    for (const file of code) {
      const from = layerOf(file)
      for (const target of house.localImports(file)) {
        const to = layerOf(target)
        if (to.level > from.level || (to.level === from.level && to.room !== from.room))
          faults.push(`${file} imports ${target}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('there is no cycle, through types either', () => {
    expect(house.cyclesOf(code)).toEqual([])
  })

  test('no file only passes on what other files export', () => {
    expect(code.filter((file) => /^export \* from|^export \{[^}]*\} from/m.test(house.textOf(file)))).toEqual([])
  })

  test('nothing imports the tests', () => {
    expect(code.filter((file) => house.localImports(file).some((target) => target.startsWith('test/')))).toEqual([])
  })
})

describe('the world is an argument', () => {
  const patterns: [string, RegExp][] = [
    ['fetch', /(?<![.\w])fetch\(/],
    ['process.env', /process\.env/],
    ['Date.now', /Date\.now/],
    ['Math.random', /Math\.random/],
    ['child_process', /node:child_process/],
  ]
  for (const [name, pattern] of patterns) {
    test(`${name} is named only in the engine and the command line`, () => {
      const faults = code.filter(
        (file) =>
          pattern.test(withoutComments(file)) &&
          !file.startsWith('engine/') &&
          // Its world is the browser.
          !file.startsWith(page) &&
          !['ascend-cot.ts', 'cli.ts', 'commands/world.ts'].some((one) => file === `pipelines/${one}`),
      )
      expect(faults).toEqual([])
    })
  }

  test('final paths are written through engine/files.ts', () => {
    const writers = code.filter((file) => /\b(writeFile|createWriteStream)\(/.test(withoutComments(file)))
    const scratch = ['engine/files.ts', 'engine/lock.ts', ...code.filter((file) => file.startsWith('eval/executors/'))]
    expect(writers.filter((file) => !scratch.includes(file))).toEqual([])
  })
})

function withoutComments(file: string): string {
  return house
    .textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
}

describe('sizes', () => {
  const lengths = code.map((file) => ({file, lines: house.lineCount(file)}))

  test('files stay below 400 lines, and half of them below 120', () => {
    expect(readers.filter((file) => house.lineCount(file) > 400)).toEqual([])
    expect(median(lengths)).toBeLessThanOrEqual(120)
  })

  test('headers and runtime files of the twin stay below 400 lines', () => {
    const cpp = files.filter((file) => /^eval\/twin\/.*\.(h|hpp|cpp|cc|inc)$/.test(file))
    expect(cpp.filter((file) => house.lineCount(file) > 400)).toEqual([])
  })

  test('functions stay below 80 lines, closures counted, and half of those with a name below 15', () => {
    const functions = code.flatMap(house.functionsOf)
    expect(functions.filter(({lines}) => lines > 80)).toEqual([])
    expect(median(functions.filter(({named}) => named))).toBeLessThanOrEqual(15)
  })

  test('lines stay within 120 characters, tables in Markdown apart', () => {
    const texts = files.filter((file) => [...readers, ...pages].includes(file) || file.startsWith('examples/'))
    const wide = (file: string) =>
      house
        .textOf(file)
        .split('\n')
        .flatMap((line, at) => (isWide(file, line) ? [`${file}:${at + 1}`] : []))
    expect(texts.flatMap(wide)).toEqual([])
  })
})

/** Pages that people read as they are. */
const pages = files.filter((file) =>
  /^(?:README|CONTRIBUTING|SECURITY|eval\/twin\/README|docs\/(?!reference\/).*)\.md$/.test(file),
)

/**
 * Prompts, tables in Markdown, and the programs and sentences that tests hand over are texts: their lines are their
 * own.
 */
function isWide(file: string, line: string): boolean {
  if (line.length <= 120 || (file.endsWith('.md') && line.startsWith('|'))) return false
  return !file.startsWith('test/') || withoutTexts(line).length > 120
}

function withoutTexts(line: string): string {
  const bare = line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g, '')
  // What is left of a template that began on an earlier line.
  return /^\s*[\w#:]+[^'"`]*[;{]$/.test(bare) ? '' : bare
}

function median(sizes: readonly {lines: number}[]): number {
  const sorted = sizes.map(({lines}) => lines).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

describe('exports', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, {default?: string} | null>
  }
  const sourceOf = (built: string) => built.replace('./dist/', '').replace(/js$/, 'ts')
  const lent = Object.values(manifest.exports).map((target) => sourceOf(target?.default ?? ''))
  /** Modules that files of users import from: what they export is for others. */
  const isLent = (file: string) => lent.includes(file) || /^datasets\/schema\//.test(file)

  test('everything that is exported by name is imported somewhere', () => {
    const imported = new Set(readers.flatMap(house.importedNames))
    const unused = code
      // Node's module hooks are found by their names.
      .filter((file) => !isLent(file) && file !== 'engine/own-files.ts')
      .flatMap((file) => house.exportsOf(file).map((name) => `${file} ${name}`))
      .filter((one) => !imported.has(one) && !imported.has(`${one.split(' ')[0]} *`))
    expect(unused).toEqual([])
  })
})

/** Files that a folder is found by. */
const repeated = ['benchmark.ts', 'source.ts']

describe('names and words', () => {
  test('no file or folder is called utils, common, helper, misc or manager', () => {
    // The twin's headers carry the vendor's names, so that real sources find them.
    expect(
      files.filter(
        (file) =>
          !file.startsWith('test/') &&
          !file.startsWith('eval/twin/include/') &&
          /(^|[/-])(utils?|common|helpers?|misc|managers?)([/.-]|$)/.test(file),
      ),
    ).toEqual([])
  })

  test('the folders at the top are these and no other', () => {
    const folders = [...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))].sort()
    const allowed = [
      '.ci',
      '.github',
      'cpp',
      'datasets',
      'docs',
      'engine',
      'eval',
      'examples',
      'pipelines',
      'sources',
      'test',
      'trainers',
    ]
    expect(folders.filter((folder) => !allowed.includes(folder ?? ''))).toEqual([])
  })

  test('tests are called test, everywhere', () => {
    const tests = files.filter((file) => file.endsWith('.test.ts'))
    expect(tests.filter((file) => /^\s*it[.(]/m.test(house.textOf(file)))).toEqual([])
  })

  test('no two files of the house have one name, recipes and schemas apart', () => {
    // A recipe is called by what it makes, a schema by what it describes; their folders say which is meant.
    const own = code.filter((file) => !/^(pipelines\/recipes|datasets\/schema)\//.test(file))
    const names = own.map((file) => file.replace(/^.*\//, ''))
    expect(names.filter((name, at) => names.indexOf(name) !== at && !repeated.includes(name))).toEqual([])
  })

  test('no work is left behind as a note or a skipped test', () => {
    const texts = files.filter((file) => /\.(ts|h|cpp|cc|py)$/.test(file) && file !== 'test/architecture.test.ts')
    expect(
      texts.filter((file) => /\b(TODO|FIXME|XXX)\b|\b(it|describe|test)\.(skip|todo|only)\(/.test(house.textOf(file))),
    ).toEqual([])
  })
})

describe('stages', () => {
  test('there are stages to look at', () => {
    expect(stageFiles.length).toBeGreaterThan(10)
  })

  test('each stage file declares a kebab-case name and a version', () => {
    expect(
      stageFiles.filter(
        (file) =>
          !/name(:| =) '[a-z][a-z0-9-]*'|name: `[a-z]/.test(house.textOf(file)) ||
          !/version(:| =) \d+/i.test(house.textOf(file)),
      ),
    ).toEqual([])
  })

  test('each stage has at least one fixture case', () => {
    const covered = files
      .filter((file) => /^test\/fixtures\/stages\/.*stage\.json$/.test(file))
      .map((file) => (JSON.parse(house.textOf(file)) as {file: string}).file)
    const isCovered = (file: string) => covered.includes(file) || file in coveredElsewhere || isTestedBeside(file)
    expect(stageFiles.filter((file) => !isCovered(file))).toEqual([])
  })
})

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

describe('dependencies', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
    optionalDependencies: Record<string, string>
    devDependencies: Record<string, string>
  }

  test('runtime dependencies are exactly those with a reason', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(Object.keys(dependencies).sort())
    expect(Object.keys(manifest.optionalDependencies).sort()).toEqual(Object.keys(optional).sort())
  })

  test('libraries that the build takes parts of have a reason too, and are not installed', () => {
    const built = readFileSync('build-libraries.mjs', 'utf8')
    for (const name of Object.keys(inPart)) {
      expect(built).toContain(`'${name}`)
      expect(Object.keys(manifest.devDependencies)).toContain(name)
    }
  })

  test('libraries of the page are bundled, and imported by it alone', () => {
    const others = code
      .filter((file) => !file.startsWith(page))
      .flatMap(house.importsOf)
      .map(packageOf)
    for (const name of Object.keys(inPage)) {
      expect(Object.keys(manifest.devDependencies)).toContain(name)
      expect(others).not.toContain(name)
    }
  })

  test('nothing else is imported', () => {
    const known = new Set([dependencies, optional, inPart, inPage].flatMap((names) => Object.keys(names)))
    const names = code.flatMap((file) => house.importsOf(file).map((name) => `${file} ${packageOf(name)}`))
    const ours = /^(\.|node:|ascend-cot$)/
    expect(names.filter((one) => !ours.test(one.split(' ')[1] ?? '') && !known.has(one.split(' ')[1] ?? ''))).toEqual(
      [],
    )
  })

  test('every version is exact', () => {
    const all = {...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies}
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('every runtime dependency is imported somewhere', () => {
    const imported = new Set(source.flatMap(house.importsOf).map(packageOf))
    const byPath = files
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => house.textOf(file))
      .join('\n')
    const named = Object.keys(dependencies).filter((name) => !/^not imported/.test(dependencies[name] ?? ''))
    expect(named.filter((name) => !imported.has(name) && !byPath.includes(`${name}/`))).toEqual([])
  })
})

describe('the twin', () => {
  /** Each with its reason: block contexts and stacks of the emulated device, the processor's float16. */
  const ofTheDevice = ['ucontext.h', 'sys/mman.h', 'unistd.h', 'cpuid.h', 'immintrin.h']

  test('system headers are included by what runs programs, and by the device where it must', () => {
    const sources = files.filter((file) => /^eval\/twin\/.*\.(h|cpp)$/.test(file))
    const faults = sources.flatMap((file) =>
      [...house.textOf(file).matchAll(/^\s*#\s*include\s+<([^>]+\.h)>/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !/^eval\/twin\/runtime\/(?:runner|direct)\//.test(file) && !isOfTheDevice(file, name))
        .map((name) => `${file} includes ${name}`),
    )
    expect(faults).toEqual([])
  })

  function isOfTheDevice(file: string, name: string): boolean {
    return file.startsWith('eval/twin/runtime/device/') && ofTheDevice.includes(name)
  }

  test('includes nothing of ours but itself', () => {
    const headers = files.filter((file) => /^eval\/twin\/.*\.(h|cpp|cc)$/.test(file))
    const faults: string[] = []
    for (const file of headers) {
      for (const [, name] of house.textOf(file).matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
        const places = [
          join(dirname(file), name as string),
          join('eval/twin/include', name as string),
          join('eval/twin/runtime', name as string),
        ]
        if (!places.some((place) => existsSync(place))) faults.push(`${file} includes ${name}`)
      }
    }
    expect(faults).toEqual([])
  })
})
