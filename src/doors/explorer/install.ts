import type { FastifyInstance } from 'fastify'
import { send } from '../reply/representation.ts'
import type { ExplorerFiles } from './built-files.ts'
import { iconColor, iconPng, iconSvg } from './icon.ts'

/** Sizes that browsers require, and that of iOS. */
const pngSizes = [192, 512] as const
const APPLE_SIZE = 192

const iconPath = (size: number, basePath: string) => `${basePath}/icon-${size}.png`

/** Links of a page to the manifest and the icons, as addresses by relation. */
export const installLinks = (basePath: string) => ({
  manifest: `${basePath}/manifest.webmanifest`,
  icon: `data:image/svg+xml,${encodeURIComponent(iconSvg())}`,
  'apple-touch-icon': iconPath(APPLE_SIZE, basePath),
})

/** The manifest of the explorer as an app. All addresses are of this server. */
function appManifest(basePath: string) {
  const png = pngSizes.map((size) => ({
    ...{ src: iconPath(size, basePath), sizes: `${size}x${size}`, type: 'image/png' },
    purpose: 'any maskable',
  }))
  return {
    ...{ id: `${basePath}/`, name: 'ledgerlake', short_name: 'ledgerlake', lang: 'en' },
    description: 'What hotspots earned, day by day',
    ...{ start_url: `${basePath}/`, scope: `${basePath}/`, display: 'standalone' },
    ...{ theme_color: iconColor, background_color: '#f7f8fa' },
    icons: png,
    shortcuts: [{ name: 'My hotspots', url: `${basePath}/fleet` }],
  }
}

const DAY = 'public, max-age=86400'

/** Serves the manifest, icons and the service worker. None needs a key. */
export function addInstall(
  server: FastifyInstance,
  files: ExplorerFiles | undefined,
  basePath: string,
): void {
  const manifest = JSON.stringify(appManifest(basePath))
  server.get('/manifest.webmanifest', async (_request, reply) =>
    send(reply, { type: 'application/manifest+json; charset=utf-8', body: manifest }),
  )
  for (const size of pngSizes)
    server.get(`/icon-${size}.png`, async (_request, reply) =>
      send(reply.header('Cache-Control', DAY), { type: 'image/png', body: iconPng(size) }),
    )
  if (files === undefined) return
  // Each visit compares it, so that a new build replaces the files of the old one.
  server.get('/service-worker.js', async (_request, reply) =>
    send(reply.header('Content-Security-Policy', "default-src 'none'; connect-src 'self'"), {
      ...{ type: 'text/javascript; charset=utf-8', body: files.worker },
    }),
  )
}
