/** Row groups below some 60,000 rows cost more in pruning than they save in decoding. */
const ROW_GROUP_ROWS = 122_880

/** How every data file is written. */
export const PARQUET_OPTIONS = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`
