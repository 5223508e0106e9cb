"""delta-rs: its own engine of SQL, `QueryBuilder`."""

import deltalake
import pyarrow

import common

OWN = {
    "micros": "arrow_cast({c}, 'Int64')",
    "elements": "array_length({c})",
    "binary": {"octets": "sum(octet_length(encode({c}, 'hex')) / 2)"},
}


def ask_table(table, version=None):
    opened = deltalake.DeltaTable(table["path"], version=version)
    builder = deltalake.QueryBuilder().register("t", opened)

    def ask(statement):
        answer = pyarrow.table(builder.execute(statement).read_all())
        return [tuple(row.values()) for row in answer.to_pylist()]

    return common.ask_sql(ask, "t", table, OWN)


common.run(ask_table, deltalake.__version__, ask_table)
