import {defineConfig} from 'vitest/config'

// Only a hang should meet it: compilers share two cores with everything else.
const limits = {testTimeout: 180_000, hookTimeout: 180_000}

/** They put something of theirs in the place of a module, which another file of the same process would have loaded. */
const alone = ['test/sources/docs/ocr/find-images.test.ts', 'test/sources/docs/ocr/read-image.test.ts']

export default defineConfig({
  test: {
    globalSetup: 'test/helpers/setup.ts',
    // Two cores: more files at once would only make compilers wait for each other.
    maxWorkers: 2,
    projects: [
      // Files of one worker share its modules: to load them anew for each file took a third of the time.
      {test: {...limits, name: 'tests', include: ['test/**/*.test.ts'], exclude: alone, isolate: false}},
      {test: {...limits, name: 'alone', include: alone}},
    ],
  },
})
