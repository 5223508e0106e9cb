import type { Fault } from './fault.ts'

/** Faults that those who run a server would suffer. */
export const operatorFaults: readonly Fault[] = [
  {
    what: 'everybody may say whose request it is',
    file: 'src/doors/build-server.ts',
    find: 'trustProxy: trustProxyOption(trustProxy),',
    replace: 'trustProxy: true,',
    tests: ['test/doors/http/behind-proxy.test.ts'],
  },
  {
    what: 'a caller from the internet passes for a counted proxy',
    file: 'src/doors/http/trusted-proxies.ts',
    find: 'hop < proxies && (hop > 0 || isPrivate(address))',
    replace: 'hop < proxies',
    tests: ['test/doors/http/behind-proxy.test.ts'],
  },
  {
    what: 'a longer name is taken for the base path',
    file: 'src/doors/http/public-address.ts',
    find: ' || !/^(?:$|[/?])/.test(rest)',
    replace: '',
    tests: ['test/doors/http/behind-proxy.test.ts'],
  },
  {
    what: 'a server of HTTPS that stops cuts off what is under way',
    file: 'src/doors/http/open-requests.ts',
    find: "['connection', 'secureConnection']",
    replace: "['connection']",
    tests: ['test/doors/http/tls.test.ts'],
  },
  {
    what: 'the file wins over the environment',
    file: 'src/services/settings/settings.ts',
    find: '{ text: environment[variable], from: variable, param: variable },',
    replace: '',
    tests: ['test/cli/config.test.ts'],
  },
  {
    what: 'keys of other services reach the log',
    file: 'src/doors/hooks/access-log.ts',
    find: 'url: withoutSecrets(url)',
    replace: 'url',
    tests: ['test/doors/monitoring/log.test.ts'],
  },
  {
    what: 'any key opens locked metrics',
    file: 'src/doors/build-server.ts',
    find: "gate.route(['Metrics'])",
    replace: 'gate.route()',
    tests: ['test/doors/monitoring/metrics.test.ts'],
  },
  {
    what: 'a server whose engine hangs is ready',
    file: 'src/doors/monitoring/health.ts',
    find: 'await Promise.race([engine?.ping?.(), tooLong])',
    replace: 'void Promise.race([engine?.ping?.(), tooLong]).catch(() => {})',
    tests: ['test/doors/monitoring/health.test.ts'],
  },
  {
    what: 'a server that does not see commits is ready',
    file: 'src/doors/snapshots/served-snapshots.ts',
    find: 'behind = true',
    replace: 'behind = false',
    tests: ['test/doors/monitoring/health.test.ts'],
  },
  {
    what: 'a metric of the dashboard is called otherwise',
    file: 'src/doors/monitoring/measures/work-measures.ts',
    find: 'ledgerlake_engine_waiting:',
    replace: 'ledgerlake_engine_queue:',
    tests: ['test/docs/monitoring.test.ts'],
  },
  {
    what: 'an error of a timer ends a server',
    file: 'src/base/background.ts',
    find: `    await work()
  } catch (error) {
    noteFailure(task, error)
  }`,
    replace: `    await work()
  } finally {
  }`,
    tests: ['test/base/background.test.ts'],
  },
  {
    what: 'a server that an exception stopped says that all is well',
    file: 'src/cli/serving/stopping.ts',
    find: 'if (err !== undefined) process.exit(errorTable.internal.exit)',
    replace: 'if (err !== undefined) process.exit(0)',
    tests: ['test/cli/stopping.test.ts'],
  },
  {
    what: 'one table with damaged facts takes the metrics of all others along',
    file: 'src/lake/snapshot/status.ts',
    find: 'return unlessDamaged(() => [tableStatus(table, snapshot)], note) ?? []',
    replace: 'return [tableStatus(table, snapshot)]',
    tests: ['test/doors/snapshots/damaged-facts.test.ts'],
  },
  {
    what: 'a damaged log of one table keeps a server from starting',
    file: 'src/doors/snapshots/served-snapshots.ts',
    find: 'let current = await lake.latestReadable()',
    replace: 'let current = await lake.latest()',
    tests: ['test/doors/snapshots/damaged-facts.test.ts'],
  },
  {
    what: 'half a handshake is held for two minutes',
    file: 'src/doors/http/http-server.ts',
    find: 'handshakeTimeout: Math.min(requestTimeoutMs, LONGEST_HANDSHAKE_MS)',
    replace: 'handshakeTimeout: 120_000',
    tests: ['test/doors/http/tls.test.ts'],
  },
  {
    what: 'one byte that commands a terminal is left',
    file: 'src/base/visible.ts',
    find: String.raw`[\p{Cc}\u061c`,
    replace: String.raw`[\u0000-\u001f\u061c`,
    tests: ['test/cli/visible.test.ts'],
  },
  {
    what: 'pages of other origins cannot read the headers of a reply',
    file: 'src/doors/hooks/cors.ts',
    find: "'access-control-expose-headers', '*'",
    replace: "'access-control-expose-headers', ''",
    tests: ['test/doors/switches.test.ts'],
  },
]
