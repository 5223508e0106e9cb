"""The DuckDB in ledgerlake over the files of the log: `ledgerlake sql`. The job names the program, the lake and the version of DuckDB."""

import json
import os
import subprocess

import common

OWN = {"micros": "epoch_us({c})", "elements": "len({c})", "text": {"octets": "sum(strlen({c}))"}}
AS_TEXT = {"instant": "epoch_us({c})::varchar", "binary": "hex({c})", "texts": "array_to_string({c}, '|')"}


def ask(statement):
    command = [job["program"], "sql", "--lake", job["lake"], "--format", "ndjson", statement]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        raise RuntimeError(answer.stderr)
    lines = answer.stdout.splitlines()
    return [tuple(json.loads(line, parse_int=str, parse_float=str).values()) for line in lines]


def read(table, _):
    return ask, os.path.basename(table["path"])


if __name__ == "__main__":
    job = common.read_job()
    views = common.views_by_sql(ask, AS_TEXT, "{name}", make=False)
    common.run(common.by_sql(read, OWN), job["duckdb"], False, views)
