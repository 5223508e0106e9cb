import type { Fault } from './fault.ts'

/** The document, what generated clients make of it, and bodies that are too large. */
export const documentFaults: readonly Fault[] = [
  {
    what: 'coverage is documented with times that no server writes',
    file: 'src/doors/open-api/schemas/coverage-schemas.ts',
    find: "from: described(isoInstant, 'Start of the range.')",
    replace: "from: described({ type: 'string', format: 'date' }, 'Start of the range.')",
    tests: ['test/spec/openapi-replies.test.ts'],
  },
  {
    what: 'a list documents the parameters of files, whose replies it does not describe',
    file: 'src/doors/open-api/paths/file-operations.ts',
    find: 'parameters: parameters.filter(({ name }) => !ofFiles.includes(name))',
    replace: 'parameters',
    tests: ['test/spec/openapi-replies.test.ts'],
  },
  {
    what: 'OpenAPI 3.0 loses null among alternatives',
    file: 'src/doors/documents/version-3-0.ts',
    find: "{ ...rest, type: 'object', nullable: true, [",
    replace: "{ ...rest, type: 'object', [",
    tests: ['test/spec/openapi-3-0.test.ts'],
  },
  {
    what: 'an alternative beside null refuses null in OpenAPI 3.0',
    file: 'src/doors/documents/version-3-0.ts',
    find: '(isReference(one) ? one : { ...objectOf(one), nullable: true })',
    replace: 'one',
    tests: ['test/spec/openapi-3-0.test.ts'],
  },
  {
    what: 'columns that no list has are documented',
    file: 'src/doors/open-api/paths/parameters.ts',
    find: 'schema: namesText(names)',
    replace: 'schema: anyText',
    tests: ['test/doors/open-api/open-api-parameters.test.ts'],
  },
  {
    what: 'locked metrics are documented as open',
    file: 'src/doors/documents/documents.ts',
    find: 'options.areMetricsLocked === true',
    replace: 'false',
    tests: ['test/doors/monitoring/metrics.test.ts'],
  },
  {
    what: 'a series has less room than the document promises',
    file: 'src/catalog/query/series-parameters.ts',
    find: 'MOST_BODY_BYTES = 4 * 2 ** 20',
    replace: 'MOST_BODY_BYTES = 2 ** 20',
    tests: ['test/doors/http/body-limit.test.ts'],
  },
  {
    what: 'a client that is still sending loses the 413',
    file: 'src/doors/hooks/drain-body.ts',
    find: 'statusCode === 413',
    replace: 'statusCode === 414',
    tests: ['test/doors/http/body-limit.test.ts'],
  },
  {
    what: 'a gauge has the name of a counter',
    file: 'src/doors/monitoring/metrics.ts',
    find: "['handles', 'requests', 'resources']",
    replace: "['handles', 'requests']",
    tests: ['test/doors/monitoring/metrics.test.ts'],
  },
]
