"""What is there, without any of the engines: the log entries read one after the other, each data file by Arrow's reader of
Parquet, and sums of Python's integers. A checkpoint is not read. This is what the engines are compared with."""

import collections
import decimal
import json
import os
import urllib.parse

import pyarrow
import pyarrow.parquet

import common


def live(path, version=None):
    """The files of a version, with their partition values."""
    log = os.path.join(path, "_delta_log")
    files = {}
    for name in sorted(name for name in os.listdir(log) if name.endswith(".json") and name[:20].isdigit()):
        if version is not None and int(name[:20]) > version:
            break
        with open(os.path.join(log, name), encoding="utf-8") as entry:
            actions = [json.loads(line) for line in entry]
        for action in actions:
            if "remove" in action:
                files.pop(action["remove"]["path"], None)
        for action in actions:
            if "add" in action:
                files[action["add"]["path"]] = action["add"]["partitionValues"]
    return files


def measured(column, kind):
    values = [value for value in column.to_pylist() if value is not None]
    if kind in ("integer", "decimal"):
        return {"sum": sum(map(decimal.Decimal, values)) if values else None}
    if kind == "text":
        octets = [value.encode() for value in values]
        least, greatest = (min(octets), max(octets)) if octets else (None, None)
        return {"octets": sum(map(len, octets)) if octets else None, "least": least, "greatest": greatest}
    if kind == "instant":
        return {"least": min(values, default=None), "greatest": max(values, default=None)}
    if kind == "boolean":
        return {"true": sum(values)} if len(column) else {"true": None}
    return {"octets" if kind == "binary" else "elements": sum(map(len, values)) if values else None}


def measure(table, version=None):
    files = live(table["path"], version)
    columns = {name: [] for name in table["columns"]}
    partitions = collections.Counter()
    rows = 0
    for path, values in files.items():
        data = pyarrow.parquet.ParquetFile(os.path.join(table["path"], urllib.parse.unquote(path))).read()
        rows += data.num_rows
        for name, kind in table["columns"].items():
            if name in values:
                column = pyarrow.array([values[name]] * data.num_rows, pyarrow.string())
            elif name in data.column_names:
                column = data[name]
                if kind == "instant":
                    column = column.cast(pyarrow.timestamp("us", tz="UTC")).cast(pyarrow.int64())
            else:
                column = pyarrow.nulls(data.num_rows)
            columns[name].append(column)
        if table["partition"] is not None:
            partitions[values[table["partition"]]] += data.num_rows
    found = {"rows": rows}
    for name, kind in table["columns"].items():
        chunks = [part for column in columns[name] for part in (column.chunks if hasattr(column, "chunks") else [column])]
        types = [part.type for part in chunks if not pyarrow.types.is_null(part.type)]
        own = types[0] if types else pyarrow.null()
        column = pyarrow.chunked_array([part.cast(own) for part in chunks], own)
        found[f"{name} nulls"] = column.null_count
        for measure_name, value in measured(column, kind).items():
            found[f"{name} {measure_name}"] = value
    found.update({f"{table['partition']}={value}": count for value, count in partitions.items()})
    return {name: common.text(value) for name, value in found.items()}


if __name__ == "__main__":
    common.run(measure, pyarrow.__version__)
