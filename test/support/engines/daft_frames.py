"""Daft: `read_deltalake`."""

import daft
from daft import col, lit

import common


def whole(c):
    return c.cast(daft.DataType.int64())


MEASURES = {
    "integer": {"sum": lambda c: c.cast(daft.DataType.decimal128(38, 0)).sum()},
    "decimal": {"sum": lambda c: c.sum()},
    "text": {"octets": lambda c: whole(c.length_bytes()).sum(), "least": lambda c: c.min(), "greatest": lambda c: c.max()},
    "instant": {"least": lambda c: whole(c).min(), "greatest": lambda c: whole(c).max()},
    "boolean": {"true": lambda c: whole(c.fill_null(lit(False))).sum()},
    "binary": {"octets": lambda c: whole(c.length()).sum()},
    "texts": {"elements": lambda c: whole(c.list_count(mode="all")).sum()},
}


def measure(table, version=None):
    frame = daft.read_deltalake(table["path"], version=version)
    wanted = common.by_frames(col, lambda c: whole(c.is_null()).sum(), MEASURES, table)
    row = frame.agg([value.alias(name) for name, value in wanted]).to_pylist()[0]
    found = {"rows": frame.count_rows(), **row}
    by = table["partition"]
    if by is not None:
        for group in frame.groupby(by).agg(col(by).count(mode="all").alias("count of group")).to_pylist():
            found[f"{by}={group[by]}"] = group["count of group"]
    return {name: common.text(value) for name, value in found.items()}


common.run(measure, daft.__version__)
