// Compiles the rooms to dist/ and lays the files that they read beside. Does nothing where nothing has changed.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {spawnSync} from 'node:child_process'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'

const rooms = ['engine', 'cpp', 'pipelines', 'sources', 'datasets', 'trainers', 'eval']
const page = 'pipelines/view/page'
const stamp = 'dist/.built'

process.chdir(import.meta.dirname)
const sources = [
  'LICENSE',
  'package.json',
  'build-libraries.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  ...rooms.flatMap(filesOf),
]
const seen = sources.map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`).join('\n')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== seen) await build()

async function build() {
  process.stderr.write('Building dist, about 10 s ...\n')
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const {status} = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {stdio: 'inherit'})
  if (status !== 0) process.exit(1)
  const compiled = new Set(['.built', '.tsbuildinfo'])
  for (const file of sources.filter((one) => /\.ts$/.test(one) && !isOfPage(one)))
    for (const ending of file.startsWith('sources/starter/') ? ['.js'] : ['.js', '.d.ts'])
      compiled.add(file.replace(/\.ts$/, ending))
  const copied = sources.filter(
    (file) => file === 'LICENSE' || (file.includes('/') && !isCompiled(file) && !isOfPage(file)),
  )
  for (const file of copied) lay(file)
  const {addLibraries} = await import('./build-libraries.mjs')
  const wanted = new Set([...compiled, ...copied, ...(await addLibraries()), ...(await buildPage())])
  for (const file of filesOf('dist')) if (!wanted.has(file.slice('dist/'.length))) rmSync(file)
  chmodSync('dist/pipelines/ascend-cot.js', 0o755)
  writeFileSync(stamp, seen)
}

/** It runs in a browser, which takes few and whole files. */
function isOfPage(file) {
  return file.startsWith(`${page}/`)
}

/** @returns the paths of what it laid below dist */
async function buildPage() {
  if (!existsSync(page)) return []
  const {build: bundle} = await import('esbuild')
  const outdir = join('dist', page)
  await bundle({
    entryPoints: [join(page, 'page.tsx'), join(page, 'rows-worker.ts')],
    ...{outdir, bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'none'},
    ...{jsx: 'automatic', jsxImportSource: 'preact', logLevel: 'warning'},
  })
  copyFileSync(join(page, 'index.html'), join(outdir, 'index.html'))
  return ['index.html', 'page.js', 'page.css', 'rows-worker.js'].map((name) => join(page, name))
}

/** The starter corpus is data: its references are read as they are written, and run as they were compiled. */
function isCompiled(file) {
  return file.endsWith('.ts') && !file.startsWith('sources/starter/')
}

function lay(file) {
  mkdirSync(join('dist', dirname(file)), {recursive: true})
  copyFileSync(file, join('dist', file))
}

function filesOf(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
