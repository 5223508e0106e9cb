"""Daft: `read_deltalake`."""

import daft
from daft import col, lit

import common


def measured(name, kind):
    c = col(name)
    yield f"{name} nulls", c.is_null().cast(daft.DataType.int64()).sum()
    if kind == "integer":
        yield f"{name} sum", c.cast(daft.DataType.decimal128(38, 0)).sum()
    elif kind == "decimal":
        yield f"{name} sum", c.sum()
    elif kind == "text":
        yield f"{name} octets", c.length_bytes().cast(daft.DataType.int64()).sum()
        yield f"{name} least", c.min()
        yield f"{name} greatest", c.max()
    elif kind == "instant":
        yield f"{name} least", c.cast(daft.DataType.int64()).min()
        yield f"{name} greatest", c.cast(daft.DataType.int64()).max()
    elif kind == "boolean":
        yield f"{name} true", c.fill_null(lit(False)).cast(daft.DataType.int64()).sum()
    elif kind == "binary":
        yield f"{name} octets", c.length().cast(daft.DataType.int64()).sum()
    else:
        yield f"{name} elements", c.list_count(mode="all").cast(daft.DataType.int64()).sum()


def measure(table, version=None):
    frame = daft.read_deltalake(table["path"], version=version)
    wanted = [one for name, kind in table["columns"].items() for one in measured(name, kind)]
    row = frame.agg([value.alias(name) for name, value in wanted]).to_pylist()[0]
    found = {"rows": frame.count_rows(), **row}
    by = table["partition"]
    if by is not None:
        for group in frame.groupby(by).agg(col(by).count(mode="all").alias("count of group")).to_pylist():
            found[f"{by}={group[by]}"] = group["count of group"]
    return {name: common.text(value) for name, value in found.items()}


common.run(measure, daft.__version__, measure)
