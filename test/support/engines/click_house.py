"""chDB, the engine of ClickHouse in a process. It opens absolute paths only below the folder that it runs in."""

import json
import os

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

job = common.read_job()
os.chdir(job["root"])
chdb_session = session.Session(job["scratch"])


def ask(statement, settings=""):
    if not statement.lower().startswith("select"):
        return chdb_session.query(statement)
    answer = chdb_session.query(f"{statement} settings {FORMAT}{settings}", "JSONCompactEachRow")
    return [tuple(json.loads(line)) for line in answer.data().splitlines()]


def read(table, version):
    path = table["path"].replace("\\", "\\\\").replace("'", "\\'")
    settings = "" if version is None else f", delta_lake_snapshot_version = {version}"
    return lambda statement: ask(statement, settings), f"deltaLakeLocal('{path}')"


(((version,),)) = (ask("select version()"),)
views = common.views_by_sql(ask, AS_TEXT, "`{schema}`.`{name}`", "`", other="{c}")
common.run(common.by_sql(read, OWN, "`"), f"{chdb.__version__} ({version[0]})", views=views)
