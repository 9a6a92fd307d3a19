import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/helpers/setup.ts',
    // Only a hang should meet it: compilers share two cores with everything else.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Two cores: more files at once would only make compilers wait for each other.
    maxWorkers: 2,
  },
})
