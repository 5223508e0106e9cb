"""DataFusion, by the table provider of delta-rs."""

import datafusion
import deltalake

import common
from delta_rs import OWN


def read(table, version):
    context = datafusion.SessionContext()
    context.register_table("t", deltalake.DeltaTable(table["path"], version=version))
    return lambda statement: [tuple(row.values()) for row in context.sql(statement).to_pylist()], "t"


common.run(common.by_sql(read, OWN), datafusion.__version__)
