import { iotWitnessIngestReports } from '../../catalog/l2/iot-witness-ingest-reports.ts'
import { compileDecoder } from '../../wire/decode.ts'
import { iotWitnessIngestReportFields } from '../../wire/messages/iot-witness-ingest-report.ts'
import { decodedColumns, type RowDecoder } from './row-decoder.ts'

export function witnessReportDecoder(): RowDecoder {
  const columns = decodedColumns(iotWitnessIngestReports)
  const message = compileDecoder(iotWitnessIngestReportFields, columns)
  return {
    resource: iotWitnessIngestReports,
    columns,
    values: message.values,
    sourceKind: ({ kind }) => kind,
    decode: (reader, end) => message.decode(reader, end),
  }
}
