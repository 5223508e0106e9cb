"""DataFusion, by the table provider of delta-rs."""

import datafusion
import deltalake

import common

OWN = {
    "micros": "arrow_cast({c}, 'Int64')",
    "elements": "array_length({c})",
    "binary": {"octets": "sum(octet_length(encode({c}, 'hex')) / 2)"},
}


def ask_table(table, version=None):
    context = datafusion.SessionContext()
    context.register_table("t", deltalake.DeltaTable(table["path"], version=version))

    def ask(statement):
        return [tuple(row.values()) for row in context.sql(statement).to_pylist()]

    return common.ask_sql(ask, "t", table, OWN)


common.run(ask_table, datafusion.__version__, ask_table)
