import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As Node resolves it: two copies of graphql would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    // A test that asserts nothing, in a loop over nothing say, fails; so does one for each of no cases.
    expect: { requireAssertions: true },
    setupFiles: ['test/support/setup.ts'],
    // Two cores: more workers would only make each other slower.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { UV_THREADPOOL_SIZE: '16' },
  },
})
