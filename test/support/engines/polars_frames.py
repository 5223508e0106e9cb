"""Polars: `scan_delta`. The sum of no value is 0 there, where others have null."""

import polars as pl

import common


def some(c, value):
    return pl.when(c.count() > 0).then(value.sum())


MEASURES = {
    "integer": {"sum": lambda c: some(c, c.cast(pl.Int128))},
    "decimal": {"sum": lambda c: some(c, c)},
    "text": {
        "octets": lambda c: some(c, c.str.len_bytes().cast(pl.Int64)),
        "least": lambda c: c.min(),
        "greatest": lambda c: c.max(),
    },
    "instant": {"least": lambda c: c.dt.epoch("us").min(), "greatest": lambda c: c.dt.epoch("us").max()},
    "boolean": {"true": lambda c: pl.when(pl.len() > 0).then(c.cast(pl.Int64).sum())},
    "binary": {"octets": lambda c: some(c, c.bin.size("b").cast(pl.Int64))},
    "texts": {"elements": lambda c: some(c, c.list.len().cast(pl.Int64))},
}


def measure(table, version=None):
    frame = pl.scan_delta(table["path"], version=version)
    wanted = [("rows", pl.len()), *common.by_frames(pl.col, lambda c: c.null_count(), MEASURES, table)]
    row = frame.select([value.alias(name) for name, value in wanted]).collect().row(0, named=True)
    by = table["partition"]
    groups = [] if by is None else frame.group_by(by).agg(pl.len()).collect().iter_rows()
    found = {**row, **{f"{by}={value}": rows for value, rows in groups}}
    return {name: common.text(value) for name, value in found.items()}


common.run(measure, pl.__version__)
