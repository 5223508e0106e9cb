import type { ClientProgram } from './run-client.ts'

/** A generator of clients, and the commands that generate, compile and run one. It is run with the address and the names of variants. */
export interface GeneratedClient extends ClientProgram {
  /** The document that it is generated from. */
  readonly document: '/openapi.json' | '/openapi.json?integers=string' | '/openapi-3.0.json'
}

const checkTypes =
  'npx tsc --noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck main.ts'
const bundle =
  'npx esbuild main.ts --bundle --log-level=error --platform=node --format=esm --outfile=main.mjs'
const npm = 'npm install --silent --no-audit --no-fund --no-save typescript@5.9.3 esbuild@0.28.2'
const files = { 'package.json': '{"type":"module","private":true}' }
const typescript = { needs: ['npm'], document: '/openapi.json?integers=string', files } as const
const java = 'org.openapitools:openapi-generator-cli:7.23.0'
const bringGenerator = `mvn -q -B dependency:copy -Dartifact=${java} -DoutputDirectory=. -Dmdep.stripVersion=true`
const generator = 'java -jar openapi-generator-cli.jar generate -i openapi.json -o .'

/** In TypeScript, Python, Go, Java and Rust. */
export const generatedClients: readonly GeneratedClient[] = [
  {
    ...{ ...typescript, name: 'openapi-fetch', program: ['openapi-fetch.ts.txt', 'main.ts'] },
    prepare: [
      `${npm} openapi-typescript@7.13.0 openapi-fetch@0.17.0`,
      'npx openapi-typescript openapi.json -o api.d.ts',
      ...[checkTypes, bundle],
    ],
    run: 'node main.mjs',
  },
  {
    ...{ ...typescript, name: 'hey-api', program: ['hey-api.ts.txt', 'main.ts'] },
    prepare: [
      `${npm} @hey-api/openapi-ts@0.99.0`,
      'npx openapi-ts -i openapi.json -o api',
      ...[checkTypes, bundle],
    ],
    run: 'node main.mjs',
  },
  {
    ...{ ...typescript, name: 'orval', program: ['orval.ts.txt', 'main.ts'] },
    prepare: [
      `${npm} orval@8.38.0`,
      'npx orval --input openapi.json --output api.ts --client fetch',
      ...[checkTypes, bundle],
    ],
    run: 'node main.mjs',
  },
  {
    ...{ name: 'openapi-python-client', needs: ['python3'], document: '/openapi.json' },
    program: ['openapi-python-client.py.txt', 'main.py'],
    prepare: [
      'python3 -m venv venv',
      'venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1 mypy==2.4.1',
      'venv/bin/openapi-python-client generate --path openapi.json --output-path generated --meta none',
      'mv generated ledgerlake_client',
      'venv/bin/mypy --ignore-missing-imports ledgerlake_client',
    ],
    run: 'venv/bin/python main.py',
  },
  {
    ...{ name: 'oapi-codegen', needs: ['go'], document: '/openapi.json' },
    program: ['oapi-codegen.go.txt', 'main.go'],
    files: { 'go.mod': 'module client\n\ngo 1.24\n', 'api/README': '' },
    prepare: [
      'go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package api -o api/api.go openapi.json',
      'go mod tidy',
      'go vet ./...',
    ],
    run: 'go run .',
  },
  {
    ...{ name: 'openapi-generator java', needs: ['java', 'mvn'], document: '/openapi.json' },
    program: ['OpenapiGenerator.java.txt', 'src/main/java/Main.java'],
    prepare: [
      bringGenerator,
      `${generator} -g java --library native`,
      // The generated tests have no server to ask.
      'mvn -q -B -DskipTests -Dmaven.test.skip=true -Dmaven.javadoc.skip=true -Dmaven.compiler.release=17 package dependency:copy-dependencies -DincludeScope=runtime',
    ],
    run: "java -cp 'target/classes:target/dependency/*:target/lib/*' Main",
  },
  {
    ...{ name: 'openapi-generator rust', needs: ['java', 'mvn', 'cargo'], document: '/openapi.json' },
    program: ['openapi-generator.rs.txt', 'src/bin/main.rs'],
    prepare: [
      bringGenerator,
      `${generator} -g rust`,
      'cargo add --quiet tokio@1 --features macros,rt',
      'cargo build --quiet',
    ],
    run: 'target/debug/main',
  },
]
