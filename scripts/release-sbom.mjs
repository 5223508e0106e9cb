import { createHash } from 'node:crypto'
import cyclonedx from '@cyclonedx/cyclonedx-library'

const { Contrib, Enums, Models, Serialize, Spec, Validation } = cyclonedx

/**
 * Returns a CycloneDX list of packages, of `inner` ones that they have inside, and of `engine` and `node` if they are inside
 * too. The same input gives the same text. Errors: it does not follow the schema of CycloneDX.
 */
export async function sbomText({ version, commit, packages, inner, engine, node }) {
  const bom = new Models.Bom()
  const licences = new Contrib.License.Factories.LicenseFactory()
  const component = (type, { name, version, license }, purl, files = []) => {
    const own = new Models.Component(type, name, { version, purl, bomRef: purl ?? `${name}@${version}` })
    if (license) own.licenses.add(licences.makeFromString(license))
    for (const { name: file, sha256 } of files) {
      const hashes = new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], sha256]])
      own.components.add(
        new Models.Component(Enums.ComponentType.File, file, { hashes, bomRef: `${purl}#${file}` }),
      )
    }
    return own
  }
  const { Application, Library, Platform } = Enums.ComponentType
  const program = component(
    Application,
    { name: 'ledgerlake', version, license: 'Apache-2.0' },
    npmUrl('ledgerlake', version),
  )
  program.properties.add(new Models.Property('ledgerlake:commit', commit))
  const listed = new Map([...inner, ...packages].map((one) => [npmUrl(one.name, one.version), one]))
  const parts = [...listed].map(([purl, one]) => component(Library, one, purl))
  if (node) parts.push(component(Platform, node, `pkg:generic/node@${node.version}`))
  if (engine) {
    const release = engine.version.replace(/-.*/, '')
    const library = { name: 'libduckdb', version: release, license: 'MIT' }
    parts.push(
      component(Library, engine, npmUrl(engine.name, engine.version)),
      component(Library, library, `pkg:github/duckdb/duckdb@v${release}`, engine.files),
    )
  }
  bom.metadata.component = program
  for (const part of parts) {
    bom.components.add(part)
    program.dependencies.add(part.bomRef)
  }
  const identity = [version, commit, ...parts.map(({ purl }) => purl)].join(' ')
  const digest = createHash('sha256').update(identity).digest('hex')
  bom.serialNumber = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5')}`
  const { Spec1dot6 } = Spec
  const text = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 2,
  })
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  if (faults !== null) throw new Error(`the SBOM is invalid: ${JSON.stringify(faults)}`)
  return `${text}\n`
}

const npmUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`
