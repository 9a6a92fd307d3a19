import {defineConfig} from 'vitest/config'

// Only a hang should meet it: compilers share two cores with everything else.
const limits = {testTimeout: 180_000, hookTimeout: 180_000}

/** They put something of theirs in the place of a module, which another file of the same process would have loaded. */
const replacing = [
  'test/pipelines/commands/licence-notice-most.test.ts',
  'test/pipelines/commands/serve-judge.test.ts',
  'test/sources/docs/ocr/find-images.test.ts',
  'test/sources/docs/ocr/read-image.test.ts',
]

/** Whole commands, compilers and servers: they fill the memory of their process, which slows down what comes next. */
const whole = [
  'test/*.test.ts',
  'test/pipelines/*.test.ts',
  'test/pipelines/commands/**/*.test.ts',
  'test/eval/*.test.ts',
  'test/eval/{executors,serve}/**/*.test.ts',
  'test/sources/*.test.ts',
]
const alone = [...replacing, ...whole]

export default defineConfig({
  test: {
    globalSetup: 'test/helpers/setup.ts',
    // Two cores: more files at once would only make compilers wait for each other.
    maxWorkers: 2,
    projects: [
      // Files of one worker share its modules: to load them anew for each took longer than most of them.
      {test: {...limits, name: 'together', include: ['test/**/*.test.ts'], exclude: alone, isolate: false}},
      {test: {...limits, name: 'alone', include: alone}},
    ],
  },
})
