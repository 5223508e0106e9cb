import type { ServerOptions } from '../../doors/build-server.ts'
import { stateFolderOf } from '../folders.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings/settings.ts'

type FromSettings =
  | ('repository' | 'engine' | 'derived' | 'stateFolder' | 'checkedFiles' | 'network')
  | ('requestTimeoutMs' | 'mostRequests' | 'mostWaitMs' | 'engineConnections' | 'exports')
  | ('answerMemoryMb' | 'fileCacheMb' | 'origins')

/** Returns the options of a server that follow from open services and their settings. */
export function serverOptions(settings: Settings, services: Services): Pick<ServerOptions, FromSettings> {
  const { repository, engine, derived, checkedFiles } = services
  return {
    ...{ repository, engine, derived, checkedFiles },
    stateFolder: stateFolderOf(settings),
    network: settings.network,
    requestTimeoutMs: settings.request_timeout_ms,
    mostRequests: settings.most_requests,
    mostWaitMs: settings.most_wait_ms,
    engineConnections: settings.engine_connections,
    exports: {
      most: settings.most_exports,
      timeoutMs: settings.export_timeout_ms,
      stallMs: settings.export_stall_ms,
    },
    answerMemoryMb: settings.answer_memory_mb,
    fileCacheMb: settings.file_cache_mb,
    origins: settings.cors,
  }
}
