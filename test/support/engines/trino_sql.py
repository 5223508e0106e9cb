"""Trino, by its client for Python. The job names the server, and catalog and schema that have the tables."""

import datetime
import json
import sys
import urllib.parse

import trino

import common

MICROS = "date_diff('millisecond', from_unixtime(0), {c}) * 1000"
OWN = {
    "micros": MICROS,
    "elements": "cardinality({c})",
    "text": {"octets": "sum(length(to_utf8({c})))"},
    "binary": {"octets": "sum(length({c}))"},
}
# As text, since the client makes instants of Python, which end at microseconds as these do.
AS_TEXT = {
    "instant": "cast(cast({c} as timestamp(6) with time zone) as varchar)",
    "binary": "to_hex({c})",
    "texts": "array_join({c}, '|')",
}
EPOCH = datetime.datetime(1970, 1, 1)

with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)
place = urllib.parse.urlparse(job["server"])
connection = trino.dbapi.connect(
    host=place.hostname, port=place.port, user="test", catalog=job["catalog"], schema=job["schema"], timezone="UTC"
)


def ask(statement):
    cursor = connection.cursor()
    cursor.execute(statement)
    return [tuple(row) for row in cursor.fetchall()]


def ask_table(table, version=None):
    name = table["path"].rpartition("/")[2]
    at = "" if version is None else f" for version as of {version}"
    return common.ask_sql(ask, f'"{name}"{at}', table, OWN)


def microseconds(instant):
    if instant is None:
        return None
    moment = datetime.datetime.strptime(instant, "%Y-%m-%d %H:%M:%S.%f UTC")
    return str((moment - EPOCH) // datetime.timedelta(microseconds=1))


def rows_of(name, columns, schema):
    texts = [AS_TEXT.get(kind, "cast({c} as varchar)").format(c=f'"{column}"') for column, kind in columns.items()]
    kinds = list(columns.values())
    for row in ask(f"select {', '.join(texts)} from \"{job['catalog']}\".\"{schema}\".\"{name}\""):
        yield [microseconds(value) if kind == "instant" else value for kind, value in zip(kinds, row, strict=True)]


def dump_views(views, attempt):
    for statement in common.statements(views["script"]):
        ask(statement)
    for name, columns in views["columns"].items():
        attempt(name, lambda name=name, columns=columns: common.dump(views, name, rows_of(name, columns, views["schema"])))


((version,),) = ask("select version()")
common.run(ask_table, version, ask_table, dump_views)
