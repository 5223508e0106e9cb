"""Polars: `scan_delta`. The sum of no value is 0 there, where others have null."""

import polars as pl

import common


def measured(name, kind):
    c = pl.col(name)
    yield f"{name} nulls", c.null_count()
    some = lambda value: pl.when(c.count() > 0).then(value)  # noqa: E731
    if kind == "integer":
        yield f"{name} sum", some(c.cast(pl.Int128).sum())
    elif kind == "decimal":
        yield f"{name} sum", some(c.sum())
    elif kind == "text":
        yield f"{name} octets", some(c.str.len_bytes().cast(pl.Int64).sum())
        yield f"{name} least", c.min()
        yield f"{name} greatest", c.max()
    elif kind == "instant":
        yield f"{name} least", c.dt.epoch("us").min()
        yield f"{name} greatest", c.dt.epoch("us").max()
    elif kind == "boolean":
        yield f"{name} true", pl.when(pl.len() > 0).then(c.cast(pl.Int64).sum())
    elif kind == "binary":
        yield f"{name} octets", some(c.bin.size("b").cast(pl.Int64).sum())
    else:
        yield f"{name} elements", some(c.list.len().cast(pl.Int64).sum())


def measure(table, version=None):
    frame = pl.scan_delta(table["path"], version=version)
    wanted = [("rows", pl.len())] + [one for name, kind in table["columns"].items() for one in measured(name, kind)]
    row = frame.select([value.alias(name) for name, value in wanted]).collect().row(0, named=True)
    found = {name: common.text(value) for name, value in row.items()}
    by = table["partition"]
    if by is not None:
        for value, rows in frame.group_by(by).agg(pl.len()).collect().iter_rows():
            found[f"{by}={value}"] = common.text(rows)
    return found


common.run(measure, pl.__version__, measure)
