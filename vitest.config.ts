import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // Two cores: more files at once would only make compilers wait for each other.
    maxWorkers: 2,
  },
})
