// Libraries of which we need a small part: it goes into the package, and its users install none of the rest.
import {copyFileSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {build} from 'esbuild'

const files = [
  'tree-sitter-cpp/tree-sitter-cpp.wasm',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  '@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz',
]
/** By kind of processor. In Node.js the library never asks for those called `-lstm` (tesseract.js 7.0.0, getCore.js). */
const cores = ['', '-simd', '-relaxedsimd'].map((kind) => `tesseract.js-core/tesseract-core${kind}`)
/** Modules of ours into which a library is bundled. */
const bundled = {'engine/o200k.js': 'gpt-tokenizer', 'sources/docs/ocr/read-image.js': 'tesseract.js'}
const worker = 'tesseract.js/worker.cjs'

/** @returns the paths of what it laid below dist */
export async function addLibraries() {
  const names = new Set([...files, ...cores, ...Object.values(bundled)].map(packageOf))
  const copies = [...files, ...[...names].flatMap(papersOf)].map((file) => [file, file])
  // A core looks beside itself, which is then the worker.
  for (const core of cores) copies.push([`${core}.wasm`, join(dirname(worker), `${core.split('/')[1]}.wasm`)])
  for (const [from, to] of copies) {
    mkdirSync(join('dist/vendor', dirname(to)), {recursive: true})
    copyFileSync(join('node_modules', from), join('dist/vendor', to))
  }
  await bundle('node_modules/tesseract.js/src/worker-script/node/index.js', {
    outfile: join('dist/vendor', worker),
    // Node has a fetch of its own.
    external: [...cores.map((core) => `${core}-lstm`), 'node-fetch'],
  })
  for (const [file, library] of Object.entries(bundled)) await bundleInto(join('dist', file), library)
  return [worker, ...copies.map(([, to]) => to)].map((path) => join('vendor', path))
}

const packageOf = (file) => /^(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file

/** Licence and version. */
function papersOf(name) {
  const papers = readdirSync(join('node_modules', name)).filter((one) => /^(licen[cs]e.*|package\.json)$/i.test(one))
  return papers.map((one) => join(name, one))
}

/** Libraries in CommonJS ask for modules and places in their own way. */
const banner = `import {createRequire as ofCommonJs} from 'node:module'
const [require, __dirname] = [ofCommonJs(import.meta.url), import.meta.dirname]
`

/** The rest of what the module imports stays where it is, or there would be two of it. */
async function bundleInto(file, library) {
  // The compiler leaves alone what has not changed.
  if (readFileSync(file, 'utf8').startsWith(banner)) return
  const apart = {
    name: 'apart',
    setup: ({onResolve}) =>
      onResolve({filter: /./}, ({path, importer}) =>
        importer === resolve(file) && packageOf(path) !== library ? {path, external: true} : undefined,
      ),
  }
  await bundle(file, {outfile: file, format: 'esm', plugins: [apart], banner: {js: banner}, allowOverwrite: true})
}

const bundle = (entry, options) =>
  build({entryPoints: [entry], bundle: true, platform: 'node', target: 'node20', logLevel: 'warning', ...options})
