"""The DuckDB in ledgerlake over the files of the log: `ledgerlake sql`. The job names the program, the lake and the version of DuckDB."""

import json
import os
import subprocess
import sys

import common

OWN = {"micros": "epoch_us({c})", "elements": "len({c})", "text": {"octets": "sum(strlen({c}))"}}
AS_TEXT = {"instant": "epoch_us({c})::varchar", "binary": "hex({c})", "texts": "array_to_string({c}, '|')"}

with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)


def ask(statement):
    command = [job["program"], "sql", "--lake", job["lake"], "--format", "ndjson", statement]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        raise RuntimeError(answer.stderr)
    lines = answer.stdout.splitlines()
    return [tuple(json.loads(line, parse_int=str, parse_float=str).values()) for line in lines]


def measure(table):
    return common.ask_sql(ask, os.path.basename(table["path"]), table, OWN)


def dump_views(views, attempt):
    for name, columns in views["columns"].items():
        texts = [AS_TEXT.get(kind, "{c}::varchar").format(c=f'"{column}"') for column, kind in columns.items()]
        named = [f"{text} as c{place}" for place, text in enumerate(texts)]
        attempt(name, lambda name=name, named=named: common.dump(views, name, ask(f"from {name} select {', '.join(named)}")))


common.run(measure, job["duckdb"], views=dump_views)
