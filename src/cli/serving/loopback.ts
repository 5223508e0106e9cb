/** Matches hosts that only programs of this machine reach. */
export const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/
