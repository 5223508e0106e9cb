"""chDB, the engine of ClickHouse in a process. It opens absolute paths only below the folder that it runs in."""

import json
import os
import sys

import chdb
from chdb import session

import common

OWN = {
    "micros": "toUnixTimestamp64Micro({c})",
    "elements": "length({c})",
    "integer": {"sum": "sum(toInt256({c}))"},
    "text": {"octets": "sum(length({c}))"},
    "binary": {"octets": "sum(length({c}))"},
}
AS_TEXT = {
    "integer": "toString({c})",
    "boolean": "toString({c})",
    "instant": "toString(toUnixTimestamp64Micro({c}))",
    "binary": "hex({c})",
    "texts": "arrayStringConcat({c}, '|')",
}
# Numbers as text with all digits; zeros at the end of decimals are left out unless asked for.
FORMAT = (
    "output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1, "
    "output_format_decimal_trailing_zeros = 1, aggregate_functions_null_for_empty = 1"
)

with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)
os.chdir(job["root"])
chdb_session = session.Session(job["scratch"])


def ask(statement, settings=""):
    answer = chdb_session.query(f"{statement} settings {FORMAT}{settings}", "JSONCompactEachRow")
    return [tuple(json.loads(line)) for line in answer.data().splitlines()]


def ask_table(table, version=None):
    path = table["path"].replace("\\", "\\\\").replace("'", "\\'")
    settings = "" if version is None else f", delta_lake_snapshot_version = {version}"
    return common.ask_sql(lambda statement: ask(statement, settings), f"deltaLakeLocal('{path}')", table, OWN, quote="`")


def dump_views(views, attempt):
    for statement in common.statements(views["script"]):
        chdb_session.query(statement)
    for name, columns in views["columns"].items():
        texts = [AS_TEXT.get(kind, "{c}").format(c=f"`{column}`") for column, kind in columns.items()]
        statement = f"select {', '.join(texts)} from `{views['schema']}`.`{name}`"
        attempt(name, lambda name=name, statement=statement: common.dump(views, name, ask(statement)))


(((version,),)) = (ask("select version()"),)
common.run(ask_table, f"{chdb.__version__} ({version[0]})", ask_table, dump_views)
