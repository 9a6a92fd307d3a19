import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

/** In tests `ascend-cot/…` means the sources, or there would be two of each module: theirs and that of `dist`. */
const {exports: entries} = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, string | null | {default: string}>
}
const alias = Object.entries(entries).flatMap(([entry, target]) => {
  if (typeof target !== 'object' || target === null) return []
  const pattern = `^ascend-cot/${entry.slice(2).replace('*', '(.+)')}$`
  const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts').replace('*', '$1')
  return [{find: new RegExp(pattern), replacement: join(root, source)}]
})

const each = {
  alias,
  setupFiles: join(root, 'test/helpers/loopback-only.ts'),
  // Only a hang should meet it: compilers share two cores with everything else.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Modules as they were transformed in an earlier run.
  experimental: {fsModuleCache: true},
}

/** They put something of theirs in the place of a module, which another file of the same process would have loaded. */
const replacing = /\bvi\.(?:mock|doMock|resetModules)\(/
/** Whole commands, compilers and servers: they fill the memory of their process, which slows down small tests. */
const servers = 'command|documentation-teacher|judge-server|pty'
const tools = 'prebuilt|real-executor|stand-in-cann|test-cache'
const whole = new RegExp(`(?:helpers/(?:${servers}|${tools})|ran-operator)\\.ts'`)

const files = readdirSync(join(root, 'test'), {recursive: true, encoding: 'utf8'})
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => ({path: `test/${path}`, text: readFileSync(join(root, 'test', path), 'utf8')}))
const alone = files.filter(({text}) => replacing.test(text)).map(({path}) => path)
const heavy = files.filter(({path, text}) => whole.test(text) && !alone.includes(path)).map(({path}) => path)

export default defineConfig({
  test: {
    globalSetup: 'test/helpers/setup.ts',
    // On two cores, while a file waits for a server or a terminal, another one works.
    maxWorkers: 3,
    projects: [
      // Projects run in the order of their names: small files fill what long ones leave at the end.
      {test: {...each, name: 'heavy', include: heavy, isolate: false}},
      // Files of one worker share its modules: to load them anew for each took longer than most of them.
      {
        test: {
          ...each,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...heavy, ...alone],
          isolate: false,
        },
      },
      {test: {...each, name: 'alone', include: alone}},
    ],
  },
})
