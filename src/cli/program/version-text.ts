import { commit, duckdbVersion, version } from '../../base/version.ts'
import { FORMAT } from '../../lake/log/table-format.ts'

/** The output of `--version`: the version alone on the first line, then the parts of the program. */
export function versionText(asJson: boolean): string {
  const { node } = process.versions
  if (asJson) return JSON.stringify({ version, node, duckdb: duckdbVersion, dataFormat: FORMAT, commit })
  return `${version}\nNode ${node}\nDuckDB ${duckdbVersion}\ndata format ${FORMAT}\ncommit ${commit}`
}
