import type { Settings } from '../../services/settings/settings.ts'

const LEAST_ENGINE_MB = 64

/** Divides memory, threads and request limits among the workers. */
export function settingsOfWorker(settings: Settings): Settings {
  const { workers } = settings
  const partOf = (whole: number, least: number) => Math.max(least, Math.floor(whole / workers))
  return {
    ...settings,
    engine_memory_mb: partOf(settings.engine_memory_mb, LEAST_ENGINE_MB),
    engine_spill_mb: partOf(settings.engine_spill_mb, 0),
    engine_threads: partOf(settings.engine_threads, 1),
    sql_processes: partOf(settings.sql_processes, Math.min(1, settings.sql_processes)),
    block_memory_mb: partOf(settings.block_memory_mb, 0),
    answer_memory_mb: partOf(settings.answer_memory_mb, Math.min(1, settings.answer_memory_mb)),
    most_requests: Math.ceil(settings.most_requests / workers),
    most_exports: Math.ceil(settings.most_exports / workers),
  }
}
