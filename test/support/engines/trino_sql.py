"""Trino, by its client for Python. The job names the server, and catalog and schema that have the tables."""

import datetime
import urllib.parse

import trino

import common

OWN = {
    "micros": "date_diff('millisecond', from_unixtime(0), {c}) * 1000",
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

job = common.read_job()
place = urllib.parse.urlparse(job["server"])
connection = trino.dbapi.connect(
    host=place.hostname, port=place.port, user="test", catalog=job["catalog"], schema=job["schema"], timezone="UTC"
)


def ask(statement):
    cursor = connection.cursor()
    cursor.execute(statement)
    return [tuple(row) for row in cursor.fetchall()]


def read(table, version):
    name = table["path"].rpartition("/")[2]
    at = "" if version is None else f" for version as of {version}"
    return ask, f'"{name}"{at}'


def microseconds(instant):
    if instant is None:
        return None
    moment = datetime.datetime.strptime(instant, "%Y-%m-%d %H:%M:%S.%f UTC")
    return str((moment - EPOCH) // datetime.timedelta(microseconds=1))


def edit(rows, kinds):
    for row in rows:
        yield [microseconds(value) if kind == "instant" else value for kind, value in zip(kinds, row, strict=True)]


((version,),) = ask("select version()")
source = f'"{job["catalog"]}"."{{schema}}"."{{name}}"'
common.run(common.by_sql(read, OWN), version, views=common.views_by_sql(ask, AS_TEXT, source, edit=edit))
