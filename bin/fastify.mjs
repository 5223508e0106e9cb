import plugin from './fastify.cjs'

export const { ledgerlake } = plugin
