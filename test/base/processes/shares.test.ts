import { expect, it } from 'vitest'
import { settingsOfWorker } from '../../../src/cli/serving/worker-settings.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'

it.each([
  ['4', { engine_memory_mb: '1024', engine_threads: '8', answer_memory_mb: '64' }, [256, 2, 64, 16, 64, 1]],
  ['3', { engine_memory_mb: '1000', engine_threads: '2', answer_memory_mb: '2' }, [333, 1, 85, 1, 86, 2]],
  ['16', { engine_memory_mb: '512', engine_threads: '16', answer_memory_mb: '0' }, [64, 1, 16, 0, 16, 1]],
])(
  'each of %s workers gets its share of memory, threads and request limits, but never less than the minimum',
  (workers, flags, expected) => {
    const share = settingsOfWorker(
      readSettings({}, { workers, most_requests: '256', most_exports: '4', ...flags }),
    )
    expect([
      share.engine_memory_mb,
      share.engine_threads,
      share.block_memory_mb,
      share.answer_memory_mb,
      share.most_requests,
      share.most_exports,
    ]).toEqual(expected)
  },
)
