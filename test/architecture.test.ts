import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'
import ts from 'typescript'
import {describe, expect, it} from 'vitest'

// The rules of the house, each of which a change could break without any other test noticing.

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {encoding: 'utf8'})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
  .sort()
const source = files.filter(
  (file) =>
    /\.(ts|mjs)$/.test(file) &&
    !file.endsWith('.d.ts') &&
    /^(engine|pipelines|sources|datasets|trainers|eval)\//.test(file),
)
// The starter corpus is data: its references are programs of tasks, not modules of ours.
const code = source.filter((file) => !file.startsWith('sources/starter/'))

/** Why each runtime dependency is there; package.json must say exactly the same list, pinned. */
const dependencies: Record<string, string> = {
  '@bokuweb/zstd-wasm': 'synchronous zstd for Parquet pages on Node 20',
  '@joplin/turndown-plugin-gfm': 'tables of pages; escapes | in cells',
  '@node-rs/jieba': 'words of Chinese text for retrieval',
  '@petamoriken/float16': 'half-precision rounding of references',
  cheerio: 'vendor HTML',
  commander: 'command line',
  'csv-parse': 'test_cases.csv of the benchmark layout',
  'gpt-tokenizer': 'token counts for budgets and length gates',
  hyparquet: 'reads Parquet back for cards and reports',
  'hyparquet-compressors': 'zstd and snappy pages when reading back',
  'hyparquet-writer': 'writes Parquet',
  libsql: 'run ledger and reply cache',
  'log-update': 'progress on a terminal',
  minisearch: 'retrieval of related sections',
  openai: 'OpenAI-compatible endpoints',
  'p-limit': 'concurrency within a stage',
  pino: 'event files',
  'pure-rand': 'seeded random choices',
  'tree-sitter-cpp': 'C++ grammar',
  tsx: 'runs the command, and stages of users, from TypeScript',
  turndown: 'HTML to Markdown',
  'web-tree-sitter': 'parses kernels',
  yaml: 'configuration file',
  zod: 'record schemas',
}

const allowedFileLength: Record<string, string> = {}
const allowedFunctionLength: Record<string, string> = {}

type Layer = {level: number; room: string}

/** design.md §3: 4 composes, 3 are siblings without an edge among them, 2 is the vocabulary, 1 the engine. */
function layerOf(file: string): Layer {
  const [top, second] = file.split('/')
  if (top === 'engine') return {level: 1, room: 'engine'}
  if (top === 'datasets') return {level: 2, room: 'datasets'}
  if (
    top === 'pipelines' &&
    ['documentation', 'code', 'general', 'correction', 'preference', 'ascendcraft'].includes(second ?? '')
  )
    return {level: 3, room: `pipelines/${second}`}
  if (top === 'pipelines') return {level: 4, room: 'composition'}
  return {level: 3, room: top ?? ''}
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return ts.preProcessFile(text, true, true).importedFiles.map(({fileName}) => fileName)
}

const local = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))

describe('layers', () => {
  it('lower layers do not import higher ones, and siblings do not import each other', () => {
    const faults: string[] = []
    for (const file of code) {
      const from = layerOf(file)
      for (const target of local(file)) {
        const to = layerOf(target)
        if (to.level > from.level || (to.level === 3 && from.level === 3 && to.room !== from.room))
          faults.push(`${file} imports ${target}`)
      }
    }
    expect(faults).toEqual([])
  })

  it('there is no import cycle', () => {
    const graph = new Map(code.map((file) => [file, importsAtRunTime(file)]))
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of code) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('no file only passes on what other files export', () => {
    expect(code.filter((file) => /^export \* from|^export \{[^}]*\} from/m.test(readFileSync(file, 'utf8')))).toEqual(
      [],
    )
  })

  it('nothing imports the tests', () => {
    expect(code.filter((file) => local(file).some((target) => target.startsWith('test/')))).toEqual([])
  })
})

function importsAtRunTime(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/^(?:import|export)(?! type)[^'"]*?from '(\.[^']+)'/gm)].map(
    (match) => match[1] as string,
  )
  return names.map((name) => normalize(join(dirname(file), name)))
}

describe('the world is an argument', () => {
  const patterns: [string, RegExp][] = [
    ['fetch', /(?<![.\w])fetch\(/],
    ['process.env', /process\.env/],
    ['Date.now', /Date\.now/],
    ['Math.random', /Math\.random/],
    ['child_process', /node:child_process/],
  ]
  for (const [name, pattern] of patterns) {
    it(`${name} is named only in the engine and the command line`, () => {
      const faults = code.filter(
        (file) =>
          pattern.test(withoutComments(file)) &&
          !file.startsWith('engine/') &&
          file !== 'pipelines/cli.ts' &&
          file !== 'pipelines/commands/world.ts',
      )
      expect(faults).toEqual([])
    })
  }

  it('final paths are written through engine/files.ts', () => {
    const writers = code.filter((file) => /\b(writeFile|createWriteStream)\(/.test(withoutComments(file)))
    const scratch = ['engine/files.ts', 'engine/lock.ts', ...code.filter((file) => file.startsWith('eval/executors/'))]
    expect(writers.filter((file) => !scratch.includes(file))).toEqual([])
  })
})

function withoutComments(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
}

describe('sizes', () => {
  const lengths = code.map((file) => ({file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length}))

  it('files stay below 400 lines, and half of them below 120', () => {
    expect(lengths.filter(({file, lines}) => lines > 400 && !(file in allowedFileLength))).toEqual([])
    expect(lengths.map(({lines}) => lines).sort((a, b) => a - b)[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(
      120,
    )
  })

  it('headers and runtime files of the twin stay below 400 lines', () => {
    const cpp = files.filter((file) => /^eval\/twin\/.*\.(h|hpp|cpp|cc|inc)$/.test(file))
    expect(
      cpp
        .map((file) => ({file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length}))
        .filter(({lines}) => lines > 400),
    ).toEqual([])
  })

  it('functions stay below 80 lines, and half of them below 15', () => {
    const functions = code.flatMap(functionLengths)
    expect(functions.filter(({name, lines}) => lines > 80 && !(name in allowedFunctionLength))).toEqual([])
    const sorted = functions.map(({lines}) => lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(15)
  })
})

function functionLengths(file: string): {name: string; lines: number}[] {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: {name: string; lines: number}[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body) {
      const from = tree.getLineAndCharacterOfPosition(node.getStart()).line
      const to = tree.getLineAndCharacterOfPosition(node.end).line
      found.push({name: `${file}:${node.name?.getText() ?? 'default'}`, lines: to - from + 1})
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

describe('names and words', () => {
  it('no file or folder is called utils, common, helper, misc or manager', () => {
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

  it('there are nine folders at the top and no other', () => {
    const folders = [...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))].sort()
    const allowed = ['.ci', 'datasets', 'engine', 'eval', 'pipelines', 'sources', 'test', 'trainers']
    expect(folders.filter((folder) => !allowed.includes(folder ?? ''))).toEqual([])
  })

  it('no work is left behind as a note or a skipped test', () => {
    const texts = files.filter((file) => /\.(ts|h|cpp|cc|py)$/.test(file) && file !== 'test/architecture.test.ts')
    expect(
      texts.filter((file) =>
        /\b(TODO|FIXME|XXX)\b|\b(it|describe|test)\.(skip|todo|only)\(/.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual([])
  })
})

describe('stages', () => {
  const stageFiles = code.filter(
    (file) =>
      /^export default function/m.test(readFileSync(file, 'utf8')) && /\): Stage</.test(readFileSync(file, 'utf8')),
  )

  it('there are stages to look at', () => {
    expect(stageFiles.length).toBeGreaterThan(10)
  })

  it('each stage file declares a kebab-case name and a version', () => {
    expect(
      stageFiles.filter(
        (file) =>
          !/name(:| =) '[a-z][a-z0-9-]*'|name: `[a-z]/.test(readFileSync(file, 'utf8')) ||
          !/version(:| =) \d+/i.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual([])
  })

  it('each stage has at least one fixture case', () => {
    const covered = files
      .filter((file) => /^test\/fixtures\/stages\/.*stage\.json$/.test(file))
      .map((file) => (JSON.parse(readFileSync(file, 'utf8')) as {file: string}).file)
    expect(stageFiles.filter((file) => !covered.includes(file) && !(file in coveredElsewhere))).toEqual([])
  })
})

/** Stages whose input is a folder or whose output is files; a fixture of lines cannot say it, a test of their own does. */
const coveredElsewhere: Record<string, string> = {
  'datasets/parquet.ts': 'test/datasets/parquet.test.ts',
  'datasets/card.ts': 'test/datasets/card.test.ts',
}

describe('dependencies', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
  }

  it('runtime dependencies are exactly those with a reason', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(Object.keys(dependencies).sort())
  })

  it('every version is exact', () => {
    const all = {...manifest.dependencies, ...manifest.devDependencies}
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('every runtime dependency is imported somewhere', () => {
    const imported = new Set(
      source.flatMap(importsOf).map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    )
    const byPath = files
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    expect(Object.keys(dependencies).filter((name) => !imported.has(name) && !byPath.includes(`${name}/`))).toEqual([])
  })
})

describe('the twin', () => {
  it('includes the standard library and itself only', () => {
    const headers = files.filter((file) => /^eval\/twin\/.*\.(h|cpp|cc)$/.test(file))
    const faults: string[] = []
    for (const file of headers) {
      for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
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
